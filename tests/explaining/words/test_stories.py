"""Stories are told once for all candidates that they refute, and say which supposition fails."""

import re
from collections.abc import Sequence
from itertools import combinations

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import excluded_by
from satdoku.explaining.step import Deduction, Placed, Story
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.explaining.words.stories import (
    Told,
    _grouped,
    describe_stories,
    has_cases,
    what_follows,
)
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import HARD, NUGGET, read_grid
from tests.explaining.samples import way_of


def steps_with_stories() -> list[Deduction]:
    return [step for step in way_of(HARD).steps if step.stories]


def test_a_story_is_told_once_for_all_candidates_that_it_refutes() -> None:
    board = way_of(HARD).board
    numbers = []
    for step in steps_with_stories():
        groups = list(_grouped(board, step.stories, step.before))
        numbers += [len(some.supposed) for some in groups]
        assert sorted(c for some in groups for c in some.supposed) == sorted(step.excludes)
        for some in groups:
            masks = [truth.members for truth in some.story.truths()]
            excluded = excluded_by(masks, board.links, step.before, 10_000)
            assert excluded is not None
            assert all(excluded >> candidate & 1 for candidate in some.supposed)
    assert max(numbers) > 1


def test_each_supposition_is_said_to_fail() -> None:
    names = Names(way_of(HARD).board)
    told = [describe_stories(names, step) for step in steps_with_stories()]
    supposed = [line for text in told for line in text.splitlines() if "lines below" in line]
    failed = re.findall(r"^  So .* fails?: r", "\n".join(told), re.MULTILINE)
    assert 0 < len(supposed) <= len(failed)
    assert any("then either way" in text for text in told)


def test_several_suppositions_are_announced_and_a_line_after_a_case_names_its_own() -> None:
    names, steps = Names(way_of(HARD).board), steps_with_stories()
    every = [describe_stories(names, step) for step in steps]
    told = [text for text in every if "uppose" in text.splitlines()[0]]
    several = [text for text in told if "\n  Now suppose" in text]
    assert several
    for text in told:
        first, *lines = text.splitlines()
        assert ("fail, as shown one after the other. Suppose" in first) == (text in several)
        supposed, before = re.findall(r"uppose (.*?)[;.]", first)[-1], first
        for line in lines:
            if line.startswith("  Now suppose"):
                supposed = re.findall(r"suppose (.*?) instead", line)[0]
            elif re.match("  (Then|Back)", line) and re.match("  (Suppose|So)", before):
                assert line.startswith(f"  Back under {supposed}: "), text
            else:
                assert not line.startswith("  Back"), text
            before = line


class Account:
    """What holds at each line of printed stories, by the indentation of the lines that say so."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._units = puzzle.geometry.units
        cells = range(puzzle.geometry.cell_count)
        self._cells = {puzzle.geometry.name_of(cell): cell for cell in cells}
        self._held: dict[int, list[Placement]] = {}
        self.clashes = 0

    def read(self, line: str) -> None:
        """Fails if a line goes on after two digits that clash, or names a clash that is none."""
        indent = len(line) - len(line.lstrip())
        self._held = {level: held for level, held in self._held.items() if level <= indent}
        held = [each for some in self._held.values() for each in some]
        supposed = re.search(
            r"(?:[Ss]uppose|[Ww]ere)(?: also)? (r.*?)(?: instead)?[,.;:](?! r)", line
        )
        cases = re.findall(r"(r\d+c\d+)=(\d+)", supposed[1]) if supposed else []
        new = list(map(self._placed, cases if len(cases) == 1 else []))
        placed = list(map(self._placed, re.findall(r"(r\d+c\d+)=(\d+) \(only", line)))
        for number, place in enumerate(placed, 1):
            before = [*held, *new]
            assert place not in before, line
            is_last = number == len(placed) and not line.endswith(").")
            assert is_last or not any(self._clash(place, each) for each in before), line
            new.append(place)
        self._read_end(line, [*held, *new])
        # A line that ends with what it excludes says nothing of those below.
        if not re.search(r"; so [^;]*≠", line):
            inside = 2 if "set in" in line else 0
            self._held[indent + inside] = self._held.get(indent + inside, []) + new
        if line.startswith("  So "):
            self._held = {}

    def _placed(self, named: Sequence[str]) -> Placement:
        return Placement(self._cells[named[0]], int(named[1]))

    def _clash(self, one: Placement, other: Placement) -> bool:
        if one.cell == other.cell:
            return one.digit != other.digit
        return one.digit == other.digit and any(
            {one.cell, other.cell} <= {*unit.cells} for unit in self._units
        )

    def _read_end(self, line: str, held: list[Placement]) -> None:
        both = [
            *re.findall(r"(r\d+c\d+) would have to be (both) (\d+) and (\d+)", line),
            *re.findall(r"(r\d+c\d+) and (r\d+c\d+) would both be (\d+)()", line),
        ]
        for cell, other, one, two in both:
            pair = (cell, one), ((cell, two) if two else (other, one))
            places = list(map(self._placed, pair))
            assert {*places} <= {*held}, line
            assert self._clash(*places), line
            self.clashes += 1
        for units, cell in re.findall(r"(\w+ \d+ has .*) only in (r\d+c\d+)", line):
            one, two = (self._placed((cell, each)) for each in re.findall(r"its (\d+)", units))
            assert self._clash(one, two), line
            assert one.cell not in [each for each, _ in held], line
            for name in re.findall(r"(?:row|column|box) \d+", units):
                (cells,) = (each.cells for each in self._units if str(each) == name)
                assert one.cell in cells, line
            self.clashes += 1
        for unit, digit in re.findall(r"(\w+ \d+) has no place for (\d+)", line):
            (cells,) = (each.cells for each in self._units if str(each) == unit)
            assert not any(cell in cells and int(digit) == each for cell, each in held), line
        for name in re.findall(r"(r\d+c\d+) has no digit left", line):
            assert self._cells[name] not in [cell for cell, _ in held], line


@pytest.mark.parametrize(
    "puzzle", [HARD, pytest.param(Puzzle(read_grid(NUGGET)), marks=pytest.mark.slow)]
)
def test_a_story_ends_where_two_digits_clash(puzzle: Puzzle) -> None:
    account = Account(puzzle)
    way = way_of(puzzle)
    for step, text in zip(way.steps, Teller(way).tell(), strict=True):
        for line in text.splitlines() if step.stories else ():
            account.read(line)
    assert account.clashes


def test_a_story_ends_where_both_targets_of_an_exocet_hold_the_same_digit() -> None:
    board = way_of(HARD).board
    names, number_of = Names(board), board.number_of
    truth = {t.cell: t for t in board.truths if t.unit is None and t.listed}
    digit = 2
    having = [cell for cell in truth if Placement(cell, digit) in number_of]
    units_of = board.puzzle.constraints.units_of
    supposed, one, other = next(
        some
        for some in combinations(having, 3)
        if all({*units_of[a]}.isdisjoint(units_of[b]) for a, b in combinations(some, 2))
    )
    first, *placed = (number_of[Placement(cell, digit)] for cell in (supposed, one, other))
    items = [Placed(each, truth[board.placements[each].cell]) for each in placed]
    case = Story(truth[one].listed[1], (), truth[other])
    told = Told([first], Story(first, (*items, case), truth[supposed]), targets=[(one, other)])
    assert not has_cases(names, told)
    assert what_follows(names, told).endswith(
        f"both targets, {names.cells((one, other))}, would be {digit}"
    )
    assert has_cases(names, told._replace(targets=()))
