"""Why no digits fit the cells of a sum or a machine, compared with all their fillings."""

import random
import re
from itertools import accumulate, combinations, permutations, product

from satdoku.explaining.board import build_board
from satdoku.explaining.words.fits import (
    NOTHING_FITS,
    _by_count,
    _by_sides,
    why_none,
    why_none_briefly,
)
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.ways import ways_left
from satdoku.puzzle.constraints import Total, digits_of
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
    told = same_digits = 0
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
            units = [u for u in puzzle.constraints.units if {one, other} <= {*u.cells}]
            assert text.endswith(f"but both are in {units[0]}")
            same_digits += 1
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
    assert told > 60 < same_digits * 60


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
    parts = re.match(
        r"(?:with|its) (.*), (?:so )?(r[^,]*(?:,r[^,]*)*) (?:is|are) (?:only )?([^;]*)$", said
    )
    if parts is None:
        return ""
    filled = {cell: digits_of(mask)[0] for cell, mask in masks.items() if mask.bit_count() == 1}
    for name, digit in re.findall(rf"({CELL})=(\d)", parts[1]):
        assert filled[cells_in(name)[0]] == int(digit), said
    ways, cells = re.findall(r"\d+|{[^}]*}", parts[3]), cells_in(parts[2])
    is_of_sets = "{" in parts[3]
    assert ("in this order" in parts[3]) is (not is_of_sets and any(len({*w}) > 1 for w in ways))
    if is_of_sets:
        ways = [each.strip("{}").replace(",", "") for each in ways]
        left = {"".join(sorted(str(way[cell]) for cell in cells)) for way in fillings.kept(masks)}
        assert left == {*ways}, said
    else:
        left = {"".join(str(way[cell]) for cell in cells) for way in fillings.kept(masks)}
        assert left == {*ways}, said
    if found := re.search(r"make (\d+)(?: on one side and (\d+))?", parts[1]):
        assert isinstance(fillings.rule, Total)
        worths = dict(zip(fillings.rule.cells, fillings.rule.worths, strict=True))
        worth = [worths[cell][digit] for cell, digit in filled.items()]
        sides = sorted([abs(sum(w for w in worth if (w > 0) is on)) for on in (False, True)])
        assert sides == [int(found[1]) if found[2] else 0, int(found[2] or found[1])], said
    elif found := re.search(r"(\d+) in its filled", parts[1]):
        held = "".join(map(str, filled.values()))
        assert found[1] in (held, str(sum(filled.values()))), said
    return parts[1]


def test_what_filled_cells_hold_or_leave_is_so() -> None:
    chance, told = random.Random(8), dict.fromkeys(["=", "cells make", "in its filled"], 0)
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


CHOICES = ["either:candidates:r1c1=2|skyscraper:row1=3", "either:sum:7=r1c1,r2c2|sum:3=r3c3,r4c4"]
CHOICES += [
    "either:(sum:2=r1c1&between:r1c2,r1c3,r1c4)|(sum:4=r1c1,r1c2&between:r1c3,r1c2,r1c4)|sum:3=r2c3"
]


def check_choices(masks: dict[int, int], said: str) -> None:
    """Cells cannot be what is said, and as many digits are seen in row 1."""
    for cells, digits in re.findall(rf"({LIST}) cannot be ([\d, or]+)", said):
        able = {d for cell in cells_in(cells) for d in digits_of(masks[cell])}
        assert not able & {*map(int, re.findall(r"\d", digits))}, said
    if seen := re.search(r"(fewer|more) than (\d) digits would be seen", said):
        for way in permutations(range(1, 5)):
            if all(masks[cell] >> digit & 1 for cell, digit in enumerate(way)):
                count = len({*accumulate(way, max)})
                assert count < 3 if seen[1] == "fewer" else count > 3, said


def test_each_choice_fails_for_a_reason_that_is_so() -> None:
    chance, told = random.Random(6), dict.fromkeys(["cannot be", "seen", "(b) fails", "come to"], 0)
    for text in CHOICES:
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules([text], SMALL))
        names, fillings = Names(build_board(puzzle)), Fillings(puzzle)
        for number in range(120):
            masks = {cell: chance.randrange(2, 31, 2) for cell in fillings.rule.cells}
            if fillings.kept(masks):
                continue
            why = why_none_briefly if number % 2 else why_none
            said = why(names, fillings.rule, masks, ())
            check_choices(masks, said)
            for kind in told:
                told[kind] += kind in said
    assert min(told.values()) > 3, told


def check_places(masks: dict[int, int], digit: int, places: str) -> int:
    """In every filling, each of these places has the digit; returns how many places there are."""
    found = 0
    for part in re.findall(rf"in ({LIST})", places):
        cells = cells_in(part)
        for way in product(*(digits_of(masks[cell]) for cell in cells)):
            if len({*way}) == len(way) or " or " not in part:
                assert way.count(digit) == (1 if " or " in part else len(cells)), part
        found += 1 if " or " in part else len(cells)
    return found


def test_a_digit_of_circles_is_where_it_is_said_to_be() -> None:
    chance, told = random.Random(7), dict.fromkeys(["more than", "but only", " or r"], 0)
    rule = "counting-circles:r1c1,r1c2,r2c1,r3c3,r3c4,r4c2"
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules([rule], SMALL))
    names = Names(build_board(puzzle))
    for _ in range(400):
        for digit, wider in enumerate(puzzle.constraints.wider, 1):
            masks = {c: chance.choice([chance.randrange(2, 31, 2), 2, 6, 6]) for c in wider.cells}
            text = _by_count(names, wider, masks)
            said = re.match(r"(\d) is (.*?),? (so in|more than) (\d) of the circles(.*)", text)
            if said is None:
                assert not text
                continue
            assert int(said[1]) == int(said[4]) == digit
            found = check_places(masks, digit, said[2])
            if said[3] == "more than":
                assert found > digit, text
            else:
                able = [cell for cell, mask in masks.items() if mask >> digit & 1]
                assert able == cells_in(said[5]), text
            for kind in told:
                told[kind] += kind in text
    assert min(told.values()) > 3, told
