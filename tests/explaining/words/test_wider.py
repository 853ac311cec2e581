"""What sentences of rules say of cells: what these see, what they sum to, what is left."""

import random
import re
from collections.abc import Iterator
from itertools import product

from satdoku.explaining.board import build_board
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.way import find_way
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget
from tests.explaining.judging import StepJudge

SMALL = Geometry(2, 2)
CELL = r"r\d+c\d+"
LIST = rf"{CELL}(?:, {CELL})*(?:,? (?:and|or) {CELL})?"
SEES = re.compile(rf"({LIST}) sees? (?:({LIST})|(?:both|all) of these)")
COMES = re.compile(rf"\(({LIST}) (?:is|come to) (at least|at most|)(?: ?)(\d+)")
ONLY = re.compile(rf"only ({LIST}) can be (\d(?:(?:, | or )\d)*)(?=[;,])")

# Clues whose cells are drawn at random.
KINDS = ["arrow:{}={},{}", "zipper:{},{},{}", "contain:1/2={},{},{}", "contain-exact:3/4={},{},{}"]
KINDS += ["quadruple:1/2=r2c2", "double-arrow:{},{},{}", "sequence:{},{},{}"]


def every_way(chance: random.Random, count: int) -> Iterator[tuple[Puzzle, Deduction, str]]:
    """The steps of puzzles with two random clues that rest on these."""
    names = [SMALL.name_of(cell) for cell in range(16)]
    for _ in range(count):
        rules = [kind.format(*chance.sample(names, 3)) for kind in chance.sample(KINDS, 2)]
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
        way = find_way(build_board(puzzle), Level.BASIC, Budget())
        for step, text in zip(way.steps, Teller(way).tell(), strict=True):
            if step.technique is not Technique.TOGETHER and step.truths[0].wider:
                yield puzzle, step, text


class Told:
    """A sentence, with what is left before its step."""

    def __init__(self, puzzle: Puzzle, step: Deduction, text: str) -> None:
        self._board, self._text, self._step = build_board(puzzle), text, step
        self._judge = StepJudge(puzzle)
        self._masks = self._board.digits_in(step.before)
        self._gone = [self._board.placements[each] for each in step.excludes]

    def check_sight(self) -> int:
        """Each cell that is said to see others excludes what it loses from them; count them."""
        found = list(SEES.finditer(self._text))
        for each in found:
            listed = each[2] or re.findall(LIST, self._text[: each.start()])[-1]
            for cell, other in product(cells_in(each[1]), cells_in(listed)):
                for place in self._gone:
                    if place.cell == cell and self._masks[other] >> place.digit & 1:
                        assert self._judge._exclude_each_other(place, (other, place.digit))
        return len(found)

    def check_sums(self) -> int:
        """The bounds in brackets are those of all fillings; returns how many there are."""
        found = list(COMES.finditer(self._text))
        for each in found:
            sums = [sum(filling) for filling in self._fillings(cells_in(each[1]))]
            said = int(each[3])
            assert not each[2] or (min if each[2] == "at least" else max)(sums) == said, self._text
            assert each[2] or {*sums} == {said}, self._text
        return len(found)

    def check_places(self) -> int:
        """The cells that are said to hold a digit alone are all that can; returns how many."""
        rule = self._step.truths[0].wider
        found = list(ONLY.finditer(self._text))
        for each in found:
            digits = set(map(int, re.findall(r"\d+", each[2])))
            able = {c for c in rule.cells if digits & {*digits_of(self._masks[c])}} if rule else {}
            assert able == {*cells_in(each[1])}, self._text
        return len(found)

    def _fillings(self, cells: list[int]) -> Iterator[tuple[int, ...]]:
        for filling in product(*(digits_of(self._masks[cell]) for cell in cells)):
            placed = list(zip(cells, filling, strict=True))
            if not any(
                self._judge._exclude_each_other(one, other)
                for n, one in enumerate(placed)
                for other in placed[:n]
            ):
                yield filling


def cells_in(text: str) -> list[int]:
    names = {SMALL.name_of(cell): cell for cell in range(16)}
    return [names[name] for name in re.findall(CELL, text)]


def test_what_is_said_of_cells_beside_a_rule_is_so() -> None:
    counts = [0, 0, 0]
    for puzzle, step, text in every_way(random.Random(5), 120):
        told = Told(puzzle, step, text)
        for place, check in enumerate((told.check_sight, told.check_sums, told.check_places)):
            counts[place] += check()
    assert min(counts) > 2
