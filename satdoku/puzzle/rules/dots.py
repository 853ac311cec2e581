"""Differences, ratios and sums of two cells, and what is said where there is no mark of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cell_lists import read_cells, write_cells
from satdoku.puzzle.rules.drawn import Dot, Drawn
from satdoku.puzzle.rules.order import all_edges
from satdoku.puzzle.rules.pair_rule import Edge, NumberedLine, PairRule, read_number
from satdoku.puzzle.rules.rule import Rule


class Difference(NumberedLine):
    """Cells that follow each other in the list differ by just so much."""

    name: ClassVar[str] = "difference"
    example: ClassVar[str] = "1=r1c1,r1c2"
    counts: ClassVar[bool] = False
    parts = MappingProxyType(
        {"NUMBER": "the difference", "CELLS": "cells of which each two that follow differ by it"}
    )
    why: ClassVar[str] = "but they differ by {}"
    says: ClassVar[str] = "{} and {} differ by {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) != number

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        text = "" if self.number == 1 else str(self.number)
        for edge in self.edges(geometry):
            yield Dot(edge, text)

    def caption(self, geometry: Geometry) -> str:
        return "white dots: digits with a difference of 1, or the one that is written"

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} differ by {self.number}"


class Ratio(NumberedLine):
    """Of cells that follow each other in the list one is so many times the other."""

    name: ClassVar[str] = "ratio"
    example: ClassVar[str] = "2=r1c1,r1c2"
    parts = MappingProxyType(
        {"NUMBER": "the ratio", "CELLS": "cells of which each two that follow have it"}
    )
    why: ClassVar[str] = "but one is {} times the other"
    says: ClassVar[str] = "{} and {} have the ratio {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != number * other and other != number * one

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        text = "" if self.number == 2 else str(self.number)
        for edge in self.edges(geometry):
            yield Dot(edge, text, is_filled=True)

    def caption(self, geometry: Geometry) -> str:
        return "black dots: one digit is twice the other, or so many times"

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} have the ratio {self.number}"


class PairSum(NumberedLine):
    """Cells that follow each other in the list sum to just so much; `sum` says it to users."""

    name: ClassVar[str] = "pair-sum"
    example: ClassVar[str] = "5=r1c1,r1c2"
    parts = MappingProxyType(
        {"NUMBER": "the sum", "CELLS": "cells of which each two that follow have it"}
    )
    why: ClassVar[str] = "but they sum to {}"
    says: ClassVar[str] = "{} and {} sum to {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other != number

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        text = {5: "V", 10: "X"}.get(self.number, str(self.number))
        for edge in self.edges(geometry):
            yield Dot(edge, text, has_circle=False)

    def caption(self, geometry: Geometry) -> str:
        return "V: digits sum to 5, X: to 10, or to the number that is written"

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} sum to {self.number}"


@dataclass(frozen=True)
class NoRule(PairRule):
    """Some relation holds of no two cells that share a side, but for the edges that are named."""

    form: ClassVar[str] = "NUMBER/CELL,CELL"
    number: int
    marked: tuple[Edge, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, *words = argument.split("/")
        return cls(read_number(first), tuple(read_edges(words, geometry)))

    def number_on(self, geometry: Geometry) -> int:
        return self.number

    def argument(self, geometry: Geometry) -> str:
        return "/".join([str(self.number), *(write_cells(e, geometry) for e in self.marked)])

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        marked = {frozenset(edge) for edge in self.marked}
        return [edge for edge in all_edges(geometry) if frozenset(edge) not in marked]

    def exceptions(self, geometry: Geometry) -> str:
        """What ends a sentence where some edges are marked."""
        names = " or ".join(write_cells(edge, geometry) for edge in self.marked[:3])
        more = " and others" if len(self.marked) > 3 else ""
        return f", but for {names}{more}" if self.marked else ""


_EDGES = "two cells side by side of which it may hold all the same; any number of these"


class NoDifference(NoRule):
    """No two cells that share a side differ by so much, but for the marked ones."""

    name: ClassVar[str] = "no-difference"
    example: ClassVar[str] = "2/r1c1,r1c2"
    counts: ClassVar[bool] = False
    parts = MappingProxyType({"NUMBER": "the difference", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with a difference of {} and without a dot"
    says: ClassVar[str] = "{} and {} do not differ by {n}, without a dot"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) == number

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells that share a side differ by {self.number}{self.exceptions(geometry)}"


class NoRatio(NoRule):
    """Of no two cells that share a side one is so many times the other, but for the marked ones."""

    name: ClassVar[str] = "no-ratio"
    example: ClassVar[str] = "3/r1c1,r1c2"
    parts = MappingProxyType({"NUMBER": "the ratio", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with the ratio {} and without a dot"
    says: ClassVar[str] = "{} and {} do not have the ratio {n}, without a dot"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return number * other == one or number * one == other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"no two cells that share a side have the ratio {self.number}"
            f"{self.exceptions(geometry)}"
        )


class NoSum(NoRule):
    """No two cells that share a side sum to so much, but for the marked ones."""

    name: ClassVar[str] = "no-sum"
    example: ClassVar[str] = "4/r1c1,r1c2"
    parts = MappingProxyType({"NUMBER": "the sum", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with a sum of {} and without a mark"
    says: ClassVar[str] = "{} and {} do not sum to {n}, without a mark"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other == number

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells that share a side sum to {self.number}{self.exceptions(geometry)}"


def read_edges(words: Sequence[str], geometry: Geometry) -> Iterator[Edge]:
    """The two cells that each word names."""
    for word in words:
        cells = read_cells(word, geometry)
        if len(cells) != 2:
            raise SatdokuError(f"{word[:30]!r} names {len(cells)} cells, not two")
        yield cells[0], cells[1]
