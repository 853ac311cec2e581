"""Why no digits fit the cells of a sum or a machine, compared with all their fillings."""

import random
import re
from itertools import combinations, product

from satdoku.explaining.board import build_board
from satdoku.explaining.words.fits import NOTHING_FITS, _by_sides, why_none
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.wider import ways_left
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.explaining.judging import _is_kept
from tests.explaining.words.test_wider import CELL, LIST, cells_in

SMALL, EVERY = Geometry(2, 2), 0b11110
RULES = ["machine:r1c1,r1c2,r1c3,r1c4:.*(12|34)2?.*", "sum:7=r1c1,r2c3,r3c1,r4c4"]
RULES += [
    "machine:r1c1,r2c3,r3c4,r4c2:(1[23]|2[34])+",
    "killer:6=r1c1,r1c2,r2c1",
    "sum:2=r1c1,r1c2",
]
PART = re.compile(r"((?:r\dc\d|, | and )+) (?:is|are|have) (?:not |only )?\d")


class Fillings:
    """All ways to fill the cells of the only wider rule of a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        constraints = puzzle.constraints
        (self.rule,) = constraints.wider
        self._differ = [
            (one, other)
            for one, other in combinations(self.rule.cells, 2)
            if {*constraints.units_of[one]} & {*constraints.units_of[other]}
        ]

    def kept(self, masks: dict[int, int]) -> list[dict[int, int]]:
        every = product(*(digits_of(masks[cell]) for cell in self.rule.cells))
        filled = [dict(zip(self.rule.cells, way, strict=True)) for way in every]
        return [
            way
            for way in filled
            if all(way[a] != way[b] for a, b in self._differ) and _is_kept(self.rule, way)
        ]


def test_the_cell_that_would_fit_does_so_beside_those_that_are_told_alone() -> None:
    chance = random.Random(3)
    told = 0
    for rule, _ in product(RULES, range(120)):
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules([rule], SMALL))
        names = Names(build_board(puzzle))
        fillings = Fillings(puzzle)
        cells = fillings.rule.cells
        masks = {cell: chance.randrange(2, 31, 2) for cell in cells}
        text = "" if fillings.kept(masks) else why_none(names, fillings.rule, masks, ())
        if not text or text == NOTHING_FITS:
            continue
        if same := re.search(r"(r\dc\d) and (r\dc\d) would hold the same digit", text):
            (one, other), every = cells_in(same[0]), dict.fromkeys(cells, EVERY)
            filled = [
                dict(zip(cells, way, strict=True))
                for way in product(range(1, 5), repeat=len(cells))
            ]
            assert all(w[one] == w[other] for w in filled if _is_kept(fillings.rule, w)), every
            continue
        said = {cell for part in PART.finditer(text) for cell in cells_in(part[1])}
        assumed = {cell: masks[cell] if cell in said else EVERY for cell in cells}
        would = re.search(r"(r\dc\d) would be ([\d, or]+), (?:which it cannot|none of)", text)
        if would is None:
            assert not fillings.kept(assumed), text
        else:
            (cell,), digits = cells_in(would[1]), {*map(int, re.findall(r"\d", would[2]))}
            assert {way[cell] for way in fillings.kept(assumed | {cell: EVERY})} <= digits, text
            assert not any(masks[cell] >> digit & 1 for digit in digits)
        told += 1
    assert told > 60


def test_the_sums_of_two_sides_are_those_of_all_their_fillings() -> None:
    chance = random.Random(4)
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(["arrow:r1c1=r2c3,r2c4"], SMALL))
    names, fillings = Names(build_board(puzzle)), Fillings(puzzle)
    told = 0
    for _ in range(100):
        masks = {cell: chance.randrange(2, 31, 2) for cell in fillings.rule.cells}
        text = _by_sides(names, fillings.rule, masks)
        if not text:
            continue
        assert not fillings.kept(masks), text
        for side in re.finditer(rf"({LIST}) (?:is|come to) (\d+(?:,? (?:or )?\d+)*)", text):
            filled = product(*(digits_of(masks[cell]) for cell in cells_in(side[1])))
            sums = {sum(way) for way in filled if len({*way}) == len(way)}
            assert sums == {int(each) for each in re.findall(r"\d+", side[2])}, text
            told += 1
    assert told > 20


FILLED = ["between:r1c1,r2c2,r3c3,r4c4,r3c1", "arrow:r1c1,r2c1=r3c2,r4c3,r1c4,r2c2,r3c3"]
FILLED += ["arrow:r1c1=r2c2,r3c4", "sum:17=r1c1,r2c3,r3c1,r4c4,r3c4,r4c3", "machine:r1c1,r2c3:.*1"]


def check_filled(fillings: Fillings, masks: dict[int, int], said: str) -> str:
    """What filled cells are said to hold, or to leave, is so; returns what is said of them."""
    parts = re.match(r"with (.*), (r[^,]*(?:,r[^,]*)*) (?:is|are) (?:only )?([^;]*)$", said)
    if parts is None:
        return ""
    filled = {cell: digits_of(mask)[0] for cell, mask in masks.items() if mask.bit_count() == 1}
    for name, digit in re.findall(rf"({CELL})=(\d)", parts[1]):
        assert filled[cells_in(name)[0]] == int(digit), said
    ways, cells = re.findall(r"\d+", parts[3]), cells_in(parts[2])
    if "any order" not in parts[3]:
        left = {"".join(str(way[cell]) for cell in cells) for way in fillings.kept(masks)}
        assert left == {*ways}, said
    if found := re.search(r"(\d+) left by", parts[1]):
        assert {sum(map(int, way)) for way in ways} == {int(found[1])}, said
    elif found := re.search(r"(\d+) in its filled", parts[1]):
        held = "".join(map(str, filled.values()))
        assert found[1] in (held, str(sum(filled.values()))), said
    return parts[1]


def test_what_filled_cells_hold_or_leave_is_so() -> None:
    chance, told = random.Random(8), dict.fromkeys(["=", "left by", "in its filled"], 0)
    for text in FILLED:
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules([text], SMALL))
        names, fillings = Names(build_board(puzzle)), Fillings(puzzle)
        for way in chance.choices(fillings.kept(dict.fromkeys(fillings.rule.cells, EVERY)), k=60):
            masks = {
                cell: 1 << digit | chance.choice([0, 0, 0, chance.randrange(2, 31, 2)])
                for cell, digit in way.items()
            }
            said = check_filled(fillings, masks, ways_left(names, fillings.rule, masks))
            for kind in told:
                told[kind] += kind in said
    assert min(told.values()) > 3, told
