"""Lines whose parts depend on each other.

On between and lockout lines the ends bound the inner digits; on region sums, zippers and double
arrows the parts have equal sums.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Either, Some, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import read_cells, write_cells
from satdoku.puzzle.rules.cell_rules import LineRule, NumberedRule
from satdoku.puzzle.rules.drawn import Drawn, Line, Tint
from satdoku.puzzle.rules.group_rule import Sum, SumRule
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value


class Between(LineRule, SteppedRule):
    """The digits on a line lie between the digits at its ends."""

    name: ClassVar[str] = "between"
    example: ClassVar[str] = "r1c1,r1c2,r2c1"
    told: ClassVar[str] = "grey lines between circles: digits between those in the circles"
    why: ClassVar[str] = "but what is on the line lies between its ends"
    tint: ClassVar["Tint"] = "grey"
    has_ends: ClassVar[bool] = True
    counts: ClassVar[bool] = False
    parts = {"CELLS": "the cells of the line, from circle to circle"}
    least: ClassVar[int] = 3
    cases_are_of_different: ClassVar[bool] = False

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits on the line {self.along(geometry)} lie between those at its ends"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        return all(low < number < high for number in numbers[1:-1])

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either | None:
        # One case for each end being the lower one. A cell is greater than another if for each
        # digit d the other is below d or the cell above d.
        (one, *inner, other), (below, above) = cells, _below_and_above(geometry.size)
        choices = []
        for low, high in ((one, other), (other, one)):
            rising = [step for cell in inner for step in ((low, cell), (cell, high))]
            choices.append(
                tuple(
                    Some(((cell, below[d]), (next_cell, above[d])), "")
                    for cell, next_cell in rising
                    for d in range(1, geometry.size + 1)
                )
            )
        return Either(tuple(choices), self.sentence(geometry))

    # States of the machine: the first digit, and the lowest and highest digit after it so far. The
    # number of cells left tells the last cell from the others.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line),)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        if not state:
            return (key[0] - 1, number, 0, 0)
        left, first, low, high = state
        if left > 1:
            # Only the lowest and highest digit so far matter, 0 for none yet. If the first digit
            # lies between them, no last digit can be right.
            lows = (number, number) if not low else (min(low, number), max(high, number))
            return (left - 1, first, *lows) if not lows[0] <= first <= lows[1] else None
        return "kept" if first < low <= high < number or number < low <= high < first else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"


class Lockout(NumberedRule, SteppedRule):
    """The ends of a line differ by at least the number; its other digits lie outside them."""

    name: ClassVar[str] = "lockout"
    example: ClassVar[str] = "2=r1c1,r2c1,r2c2"
    why: ClassVar[str] = "but the ends differ by at least {number} and lock out what is between"
    tint: ClassVar["Tint"] = "blue"
    has_ends: ClassVar[bool] = True
    form: ClassVar[str] = "[NUMBER=]CELLS"
    counts: ClassVar[bool] = False
    parts = {
        "NUMBER": "the least difference of the ends; 4 on 9x9 where none is said",
        "CELLS": "the cells of the line, from end to end",
    }
    least: ClassVar[int] = 3
    cases_are_of_different: ClassVar[bool] = False

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        return (geometry.size - 1) // 2

    def caption(self, geometry: Geometry) -> str:
        ends = f"the ends differ by at least {self.number}"
        return f"blue lines with circles: {ends}, the rest lies outside"

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"the ends of the line {self.along(geometry)} differ by at least {self.number}, and "
            "no digit on it is one of them or between them"
        )

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        is_outside = all(number < low or number > high for number in numbers[1:-1])
        return high - low >= self.number and is_outside

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either:
        # One case for each end being the lower one.
        size, (one, *inner, other) = geometry.size, cells
        below, above = _below_and_above(size)
        choices = []
        for low, high in ((one, other), (other, one)):
            apart = [
                ((low, below[d]), (high, above[min(size, d + self.number - 1)]))
                for d in range(1, size + 1)
            ]
            outside = [
                ((cell, below[d] | above[d]), (low, above[d]), (high, below[d]))
                for cell in inner
                for d in range(1, size + 1)
            ]
            choices.append(tuple(Some(each, "") for each in (*apart, *outside)))
        return Either(tuple(choices), self.sentence(geometry))

    # States of the machine: the first digit, and the nearest digits below and above it so far.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line), self.number, geometry.size + 1)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        length, least, _ = key
        if not state:
            return (length - 1, number, 0, key[2])
        left, first, below, above = state
        if left == 1:
            is_free = below < number < above
            return "kept" if is_free and abs(first - number) >= least else None
        if number == first:
            return None
        if number < first:
            return (left - 1, first, max(below, number), above)
        return (left - 1, first, below, min(above, number))

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"


@value(frozen=True)
class RegionSum(SumRule):
    """A line has the same sum in each region that it runs through.

    If `segments` is empty, the regions of the puzzle split the line; each return to a region is a
    segment of its own.
    """

    name: ClassVar[str] = "region-sum"
    heading: ClassVar[str] = "region sum line"
    example: ClassVar[str] = "r1c1,r1c2,r1c3"
    told: ClassVar[str] = "blue lines: the same sum in each region"
    why: ClassVar[str] = "but the line has the same sum in each region"
    form: ClassVar[str] = "CELLS"
    parts = {
        "CELLS": "the line, split where it leaves a box or region; or its parts, between slashes"
    }

    line: tuple[int, ...]
    segments: tuple[tuple[int, ...], ...] = ()
    regions: tuple[int, ...] = ()

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        line = read_cells(argument.replace("/", ","), geometry)
        if "/" not in argument:
            return cls(line)
        return cls(line, tuple(read_cells(part, geometry) for part in argument.split("/")))

    def argument(self, geometry: Geometry) -> str:
        return "/".join(write_cells(part, geometry) for part in self.segments or (self.line,))

    def beside(self, others: Sequence[Rule]) -> Rule:
        # A puzzle without other regions has its boxes as regions.
        rule = super().beside(others)
        regions = next((each.region_of for each in others if isinstance(each, Regions)), ())
        assert isinstance(rule, RegionSum)
        return rule if rule.regions == regions else replace(rule, regions=regions)

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield Line(self.line, "blue")

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.argument(geometry)} has the same sum in each region"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.line

    def _parts(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        if self.segments:
            return self.segments
        region_of = self.regions.__getitem__ if self.regions else geometry.box_of
        return [tuple(cells) for _, cells in groupby(self.line, region_of)]

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        return [equal_sums(one, other) for one, other in pairwise(self._parts(geometry))]

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        one, other = self._parts(geometry)[group : group + 2]
        return f"{write_cells(one, geometry)} and {write_cells(other, geometry)} have one sum"


class Zipper(LineRule, SumRule):
    """Each two cells at the same distance from the middle of a line sum to the digit there.

    If no cell is in the middle, all these pairs have the same sum.
    """

    name: ClassVar[str] = "zipper"
    example: ClassVar[str] = "r1c1,r2c2,r3c3"
    told: ClassVar[str] = "purple lines with circles: cells as far from the middle sum to it"
    why: ClassVar[str] = "but the line is a zipper"
    tint: ClassVar["Tint"] = "purple"
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def sentence(self, geometry: Geometry) -> str:
        middle = "the digit there" if len(self.line) % 2 else "the same"
        return f"each two cells as far from the middle of {self.along(geometry)} sum to {middle}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # Without a middle cell the pairs are compared with the innermost pair.
        half, line = len(self.line) // 2, self.line
        pairs = list(zip(line[:half], line[: -half - 1 : -1], strict=True))
        if len(line) % 2:
            return [equal_sums(pair, (line[half],)) for pair in pairs]
        return [equal_sums(pair, pairs[-1]) for pair in pairs[:-1]]

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        first, second, *middle = map(geometry.name_of, self.sums(geometry)[group].cells)
        return f"{first} and {second}, on a zipper, sum to {' and '.join(middle)}"


class DoubleArrow(LineRule, SumRule):
    """The two ends of a line have the same sum as the cells between them."""

    name: ClassVar[str] = "double-arrow"
    example: ClassVar[str] = "r1c1,r2c2,r3c3,r4c4"
    told: ClassVar[str] = "orange lines with circles: the circles sum to what lies between them"
    why: ClassVar[str] = "but the ends sum to what lies between them"
    tint: ClassVar["Tint"] = "orange"
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def sentence(self, geometry: Geometry) -> str:
        return f"both ends of {self.along(geometry)} sum to as much as the cells between them"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        return [equal_sums((self.line[0], self.line[-1]), self.line[1:-1])]


def _below_and_above(size: int) -> tuple[list[int], list[int]]:
    """Return, for each digit from 0 on, the masks of the lower digits and of the higher ones."""
    digits = range(size + 1)
    below = [mask_of(range(1, digit)) for digit in digits]
    return below, [mask_of(range(digit + 1, size + 1)) for digit in digits]


def equal_sums(one: Sequence[int], other: Sequence[int]) -> Sum:
    """Return the sum that states that two lists of cells have equal sums."""
    if not one or not other:
        raise SatdokuError("a sum needs a cell on either side")
    return Sum((*one, *other), (*(1 for _ in one), *(-1 for _ in other)), 0, 0)
