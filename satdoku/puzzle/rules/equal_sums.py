"""Lines parts of which have the same sum: region sums, zippers, double arrows."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import read_cells, write_cells
from satdoku.puzzle.rules.cells_rule import LineRule
from satdoku.puzzle.rules.drawn import Drawn, Line, Tint
from satdoku.puzzle.rules.group_rule import Sum, SumRule
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.rule import Rule


@dataclass(frozen=True)
class RegionSum(SumRule):
    """A line has the same sum in each region that it runs through.

    `segments` are empty where the regions of the puzzle split the line; each time that it comes
    back to a region is a segment of its own.
    """

    name: ClassVar[str] = "region-sum"
    example: ClassVar[str] = "r1c1,r1c2,r1c3"
    form: ClassVar[str] = "CELLS"
    parts = MappingProxyType(
        {"CELLS": "the line, split where it leaves a box or region; or its parts, between slashes"}
    )

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
        # Boxes are the regions of a puzzle that has no others.
        rule = super().beside(others)
        regions = next((each.region_of for each in others if isinstance(each, Regions)), ())
        assert isinstance(rule, RegionSum)
        return rule if rule.regions == regions else replace(rule, regions=regions)

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield Line(self.line, Tint.BLUE)

    def caption(self, geometry: Geometry) -> str:
        return "blue lines: the same sum in each region"

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

    def why(self, geometry: Geometry, group: int) -> str:
        return "but the line has the same sum in each region"

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        one, other = self._parts(geometry)[group : group + 2]
        return f"{write_cells(one, geometry)} and {write_cells(other, geometry)} have one sum"


class Zipper(LineRule, SumRule):
    """Two cells as far from the middle of a line sum to the digit there, or to the same."""

    name: ClassVar[str] = "zipper"
    example: ClassVar[str] = "r1c1,r2c2,r3c3"
    tint: ClassVar[Tint] = Tint.PURPLE
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def caption(self, geometry: Geometry) -> str:
        return "lines with circles at the ends: cells as far from the middle sum to it"

    def sentence(self, geometry: Geometry) -> str:
        middle = "the digit there" if len(self.line) % 2 else "the same"
        return f"cells as far from the middle of {self.along(geometry)} sum to {middle}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # Without a cell in the middle the pairs are compared with the innermost one.
        half, line = len(self.line) // 2, self.line
        pairs = list(zip(line[:half], line[: -half - 1 : -1], strict=True))
        if len(line) % 2:
            return [equal_sums(pair, (line[half],)) for pair in pairs]
        return [equal_sums(pair, pairs[-1]) for pair in pairs[:-1]]

    def why(self, geometry: Geometry, group: int) -> str:
        return "but the line is a zipper"


class DoubleArrow(LineRule, SumRule):
    """The two ends of a line sum to the same as the cells between them."""

    name: ClassVar[str] = "double-arrow"
    example: ClassVar[str] = "r1c1,r2c2,r3c3,r4c4"
    tint: ClassVar[Tint] = Tint.ORANGE
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def caption(self, geometry: Geometry) -> str:
        return "double arrows: the circles sum to what lies between them"

    def sentence(self, geometry: Geometry) -> str:
        return f"the ends of the line {self.along(geometry)} sum to what lies between them"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        return [equal_sums((self.line[0], self.line[-1]), self.line[1:-1])]

    def why(self, geometry: Geometry, group: int) -> str:
        return "but the ends sum to what lies between them"


def equal_sums(one: Sequence[int], other: Sequence[int]) -> Sum:
    """The sum that says that some cells sum to the same as others."""
    if not one or not other:
        raise SatdokuError("a sum needs a cell on either side")
    return Sum((*one, *other), (*(1 for _ in one), *(-1 for _ in other)), 0, 0)
