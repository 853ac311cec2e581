"""Sentences about singles add up: what is seen, excluded and placed is every digit, or every place.

The sentences are read as they are printed. What rules exclude is asked of the rules themselves, one
cell or two at a time, and not of the tables that the sentences are made from.
"""

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board
from satdoku.explaining.step import Level, Step, Way
from satdoku.explaining.trace import digits_after
from satdoku.explaining.way import find_way
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import Allowed, Pair
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.limits import Budget
from tests.variants import Variant, ours

# The readers know only names such as r1c1, so no cells beside a board.
VARIANTS = [
    variant
    for variant in ours()
    if variant.puzzle.geometry.is_plain
    and not any(rule.name == "hidden-regions" for rule in variant.puzzle.rules)
]

NAKED = re.compile(r"Naked single: (\S+) can only be (\S+): (.*)\.")
HIDDEN = re.compile(r"Hidden single: (.+) still needs an? (\S+); (.*) leaves? only (\S+)\.")
SEEN = re.compile(r"it sees ((?:[^,; ]+, )*[^,; ]+(?: and (?!step)[^,; ]+)?)(?: and (step.*))?")
GONE = re.compile(r"steps? (.*) excludes? (.*)")
BLOCKS = re.compile(r"the (\S+?)s? in (r\d+c\d+)((?:, r\d+c\d+)*(?: and r\d+c\d+)?)(?: \((.*?)\))?")
STEPS = re.compile(r"\bsteps? (\d+(?:, \d+)*(?: and \d+)?)")
MAY_HOLD = re.compile(r"what (r\d+c\d+(?:, r\d+c\d+)*(?: and r\d+c\d+)?) may hold \((.*?)\)")


def listed(text: str) -> list[str]:
    return [each for each in re.split(r", | and ", text) if each]


class Reader:
    """One way, whose sentences about singles are read on the board that each of them finds."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.geometry = puzzle.geometry
        self.way: Way = find_way(build_board(puzzle), Level.BASIC, Budget())
        self.cells = {self.geometry.name_of(c): c for c in range(self.geometry.cell_count)}
        self.every = set(range(1, self.geometry.size + 1))
        self.names = {puzzle.name_of_digit(digit): digit for digit in self.every}
        self.told_by: set[str] = set()

    def check(self) -> None:
        for step, text in zip(self.way.steps, Teller(self.way).tell(), strict=True):
            digits = digits_after(self.way, step.number - 1)
            if found := NAKED.fullmatch(text):
                cell, digit = self.cells[found[1]], self.names[found[2]]
                gone = set(self.excluded(step, cell, found[3], digits))
                assert digit not in gone, text
                assert gone | {digit} == self.every, text
            elif found := HIDDEN.fullmatch(text):
                unit = step.truths[0].unit
                assert unit is not None
                assert found[1] == str(unit)
                free = {cell for cell in unit.cells if not digits[cell]} - {self.cells[found[4]]}
                digit = self.names[found[2]]
                blocked = set(self.blocked(step, free, digit, found[3], digits))
                assert free <= blocked, text

    def excluded(self, step: Step, cell: int, text: str, digits: Sequence[int]) -> Iterator[int]:
        """What each part of a sentence excludes from a cell."""
        for part in text.split("; "):
            gone, seen = GONE.fullmatch(part), SEEN.fullmatch(part)
            if seen is not None:
                gone = GONE.fullmatch(seen[2] or "")
                for digit in map(self.names.__getitem__, listed(seen[1])):
                    assert any(
                        here == digit and self.clash(cell, digit, other, digit, self.puzzle.rules)
                        for other, here in enumerate(digits)
                    ), text
                    yield digit
            if gone is not None:
                for digit in map(self.names.__getitem__, listed(gone[2])):
                    assert self.is_gone(step, gone[1], cell, digit), text
                    yield digit
            elif seen is None:
                yield from self.by_rule(cell, part, digits)

    def by_rule(self, cell: int, part: str, digits: Sequence[int]) -> Iterator[int]:
        pair = re.fullmatch(r"(.*), and (\S+) is (\S+)", part)
        for digit in self.every:
            if pair is None:
                if self.forbids(part, self.geometry.name_of(cell), cell, digit):
                    yield digit
                continue
            other, there = self.cells[pair[2]], self.names[pair[3]]
            assert digits[other] == there, part
            if self.clash(cell, digit, other, there, self.rules_of_pair(pair[1])):
                yield digit

    def blocked(
        self, step: Step, free: set[int], digit: int, text: str, digits: Sequence[int]
    ) -> Iterator[int]:
        """The cells from which each part of a sentence keeps a digit."""
        for name, first, more, pair in BLOCKS.findall(text):
            said = pair.split("; ") if pair else []
            rules = [r for each in said for one in apart(each) for r in self.rules_of_pair(one)]
            # A cell of which a rule says something is named once, also if it shares a unit.
            rules = rules if rules and self.names[name] != digit else self.puzzle.rules
            for other in map(self.cells.__getitem__, listed(first + more)):
                there = self.names[name]
                assert digits[other] == there, text
                assert pair or there == digit, text
                yield from (c for c in free if self.clash(c, digit, other, there, rules))
        for steps in STEPS.findall(text):
            yield from (cell for cell in free if self.is_gone(step, steps, cell, digit))
        for cells, said in MAY_HOLD.findall(text):
            for cell in map(self.cells.__getitem__, listed(cells)):
                assert self.forbids(said, "each" if " and " in cells else "it", cell, digit), text
                yield cell

    def is_gone(self, step: Step, numbers: str, cell: int, digit: int) -> bool:
        candidate = self.way.board.number_of.get(Placement(cell, digit))
        steps = [int(number) for number in listed(numbers)]
        assert max(steps) < step.number
        return any(candidate in self.way.steps[number - 1].excludes for number in steps)

    def clash(self, cell: int, digit: int, other: int, there: int, rules: Sequence[Rule]) -> bool:
        return cell != other and any(
            rule.forbids_both(self.geometry, cell, digit, other, there) for rule in rules
        )

    def rules_of_pair(self, said: str) -> list[Rule]:
        """The rules that say this of two cells, in either order."""
        names = self.geometry.name_of
        rules = [
            rule
            for rule in self.puzzle.rules
            for each in rule.constraints(self.geometry)
            if isinstance(each, Pair)
            and said in [each.sentence.format(*map(names, two)) for two in orders(each)]
        ]
        assert rules, said
        self.told_by.update(rule.name for rule in rules)
        return rules

    def forbids(self, said: str, name: str, cell: int, digit: int) -> bool:
        """Whether a rule that says this of a cell forbids a digit there."""
        rules = [
            rule
            for rule in self.puzzle.rules
            for each in rule.constraints(self.geometry)
            if isinstance(each, Allowed)
            and each.cell == cell
            and each.sentence.format(name) == said
        ]
        assert rules, said
        self.told_by.update(rule.name for rule in rules)
        return any(rule.forbids(self.geometry, cell, digit) for rule in rules)


def orders(pair: Pair) -> list[tuple[int, int]]:
    """The orders in which the cells of a pair may stand in its sentence."""
    both = [(pair.first, pair.second), (pair.second, pair.first)]
    return both if pair.sentence.startswith("{} and {} ") else both[:1]


def apart(said: str) -> Iterator[str]:
    """What is said of a cell with each of some others, as one sentence for each."""
    both = re.fullmatch(r"(\S+ and )each of (\S+(?:, \S+)* and r\d+c\d+)( .*)", said)
    than = re.fullmatch(r"(.* than )(r\d+c\d+(?:, r\d+c\d+)* and r\d+c\d+)(.*)", said)
    found = both or than
    for cell in listed(found[2]) if found else ():
        yield f"{found[1]}{cell}{found[3]}" if found else said
    if found is None:
        yield said


def of_one_or_two_cells(variant: Variant) -> set[str]:
    """The names of rules that say something of one cell, or more of two than that they differ."""
    names = set()
    for rule in variant.puzzle.rules:
        for each in rule.constraints(variant.puzzle.geometry):
            said = isinstance(each, Pair) and any(
                mask & ~(1 << digit) for digit, mask in enumerate(each.excludes)
            )
            if said or isinstance(each, Allowed):
                names.add(rule.name)
    return names


def thinned(variant: Variant, seed: int) -> Puzzle:
    """The puzzle with its givens and some more cells of its solution."""
    chance = random.Random(f"{variant.name} {seed}")
    share = chance.uniform(0.1, 0.5)
    more = {c: d for c, d in enumerate(variant.solution.digits) if chance.random() < share}
    return variant.puzzle.with_grid(variant.puzzle.grid.with_digits(more))


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_singles_add_up_beside_every_kind_of_rule(step: int) -> None:
    told: set[str] = set()
    to_tell: set[str] = set()
    for variant in VARIANTS[::step]:
        names = of_one_or_two_cells(variant)
        to_tell |= names
        for seed in range(200):
            # One board for each puzzle, and more until each of its rules was told.
            if seed and names <= told:
                break
            reader = Reader(thinned(variant, seed))
            reader.check()
            told |= reader.told_by
    assert told == to_tell
