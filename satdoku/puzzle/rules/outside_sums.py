"""Sums outside the grid: sandwiches and x-sums."""

from collections.abc import Sequence
from math import comb
from typing import ClassVar

from satdoku.puzzle.constraints import Allowed, Constraint, Either, Enclosed, Sets
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cages import sets_with_sum
from satdoku.puzzle.rules.group_rule import sums_of
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.outside import LINE_PART, OutsideRule

# Up to 12x12 a clue has no more of them, and they are told in milliseconds. On 16x16 that took half
# of a second, which machines do not.
_MOST_SETS = 1000


def _has_few_sets(geometry: Geometry) -> bool:
    return comb(geometry.size, geometry.size // 2) <= _MOST_SETS


class Sandwich(OutsideRule, SteppedRule):
    """The digits between the lowest and the highest digit of a line sum to the clue."""

    name: ClassVar[str] = "sandwich"
    example: ClassVar[str] = "row2=3"
    told: ClassVar[str] = (
        "numbers outside: what lies between the lowest and highest digit sums to it"
    )
    why: ClassVar[str] = "but the digits between the lowest and the highest sum to {number}"
    parts = {
        "LINE": LINE_PART,
        "NUMBER": "what lies between the lowest and highest digit sums to it",
    }

    def sentence(self, geometry: Geometry) -> str:
        low, high = self.value(1), self.value(geometry.size)
        return f"in {self.line.in_words} the digits between {low} and {high} sum to {self.number}"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        ends = [place for place, n in enumerate(numbers) if n in self._ends(geometry)]
        # In a line with a digit twice there may be more of them, or fewer; that is another fault.
        return len(ends) == 2 and sum(numbers[ends[0] + 1 : ends[1]]) == self.number

    def _ends(self, geometry: Geometry) -> tuple[int, int]:
        return self.value(1), self.value(geometry.size)

    def reached(self, geometry: Geometry) -> set[int]:
        _, *middle, _ = self.values(geometry)
        return {n for count in range(len(middle) + 1) for n in sums_of(middle, count)}

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Enclosed | None:
        # Each digit has to stand in the line, and the lowest is not the highest.
        size = geometry.size
        if len(cells) != size or size < 2 or not _has_few_sets(geometry):
            return None
        ends = 1 << 1 | 1 << size
        sets = tuple(
            each
            for count in range(size - 1)
            for each in sets_with_sum(size, count, self.number, self.lowest)
            if not each & ends
        )
        return Enclosed(cells, sets, self.sentence(geometry))

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number, *self._ends(geometry))

    # A state is "before" the first end, the sum since then, or "behind" the second end.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return "before"

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        # The two ends may come in either order; behind the second nothing is counted.
        total, *ends = key
        if state == "behind":
            return None if number in ends else state
        if state == "before":
            return 0 if number in ends else state
        assert isinstance(state, int)
        if number in ends:
            return "behind" if state == total else None
        return state + number if state + number <= total else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "behind"


class XSum(OutsideRule, SteppedRule):
    """The first X digits of a line sum to the clue, where X is the first of them."""

    name: ClassVar[str] = "x-sum"
    example: ClassVar[str] = "col1=6"
    sign: ClassVar[str] = "x"
    told: ClassVar[str] = "x outside: the first X digits sum to it, X the first one"
    why: ClassVar[str] = "but as many digits as the first one says sum to {number}"
    parts = {"LINE": LINE_PART, "NUMBER": "what as many digits as the first one says sum to"}

    def sentence(self, geometry: Geometry) -> str:
        return f"in {self.line.in_words} the first X digits sum to {self.number}, X the first one"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        first = numbers[0]
        return 0 <= first <= len(numbers) and sum(numbers[:first]) == self.number

    def reached(self, geometry: Geometry) -> set[int]:
        values = self.values(geometry)
        return {
            first + rest
            for first in values
            if first <= len(values)
            for rest in sums_of([n for n in values if n != first], max(first - 1, 0))
        }

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either | None:
        # By the first digit.
        if not _has_few_sets(geometry):
            return None
        choices: list[tuple[Constraint, ...]] = []
        for digit in range(1, geometry.size + 1):
            first = self.value(digit)
            # Where digits count from 0, the first 0 digits sum to 0.
            behind, rest = cells[1 : max(first, 1)], self.number - first
            if first > len(cells):
                continue
            sets = sets_with_sum(geometry.size, len(behind), rest, self.lowest)
            sets = tuple(each for each in sets if not each >> digit & 1)
            if not sets:
                continue
            begins = Allowed(cells[0], 1 << digit, "")
            # The digits of a single cell are said without sets, and of no cell nothing has to be.
            if len(behind) > 1:
                choices.append((begins, Sets(behind, sets, "")))
            else:
                choices.append((begins, *(Allowed(cell, sum(sets), "") for cell in behind)))
        return Either(tuple(choices), self.sentence(geometry))

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number, geometry.size)

    # A state is how many of the first X digits are still to come, and what they have to sum to.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return "first"

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        total, length = key
        if state == "first":
            # Where digits count from 0, the first 0 digits sum to 0.
            left, rest = max(number - 1, 0), total - number
            return (left, rest) if left < length else None
        assert isinstance(state, tuple)
        left, rest = state
        if left == 0:
            return state if rest == 0 else None
        return (left - 1, rest - number) if rest >= number else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == (0, 0)
