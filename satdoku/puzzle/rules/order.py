"""Digits in order: thermometers, greater-than signs, minima and maxima."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.pair_rule import Edge, PairLine, PairRule

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Drawn, Tint


class Thermo(PairLine):
    """Digits rise along a thermometer, from its bulb to its tip."""

    name: ClassVar[str] = "thermo"
    example: ClassVar[str] = "r1c1,r2c2,r3c3"
    told: ClassVar[str] = "thermometers: digits rise from the bulb on"
    counts: ClassVar[bool] = False
    parts = {"CELLS": "the cells of the thermometer, from its bulb on"}
    why: ClassVar[str] = "but digits rise along the thermometer"
    says: ClassVar[str] = "{} is less than {}, on a thermometer"
    tint: ClassVar["Tint"] = "grey"
    has_bulb: ClassVar[bool] = True

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one >= other

    def sentence(self, geometry: Geometry) -> str:
        return f"digits rise along the thermometer {self.along(geometry)}"

    def why_impossible(self, geometry: Geometry) -> str:
        # Cells that come again further on cannot rise either; that is left to the solver.
        if self.is_wrong(1, 1, 0) and len(self.line) > geometry.size:
            return f"{len(self.line)} cells need as many digits, and there are {geometry.size}"
        return ""


class SlowThermo(Thermo):
    """Digits rise or stay along a slow thermometer."""

    name: ClassVar[str] = "slow-thermo"
    told: ClassVar[str] = "slow thermometers: digits rise or stay from the bulb on"
    why: ClassVar[str] = "but digits do not fall along the slow thermometer"
    says: ClassVar[str] = "{} is not more than {}, on a slow thermometer"
    tint: ClassVar["Tint"] = "blue"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one > other

    def sentence(self, geometry: Geometry) -> str:
        return f"digits rise or stay along the slow thermometer {self.along(geometry)}"


class Greater(Thermo):
    """Each cell is greater than the next."""

    name: ClassVar[str] = "greater"
    example: ClassVar[str] = "r1c1,r1c2"
    parts = {"CELLS": "cells of which each is greater than the next"}
    why: ClassVar[str] = "but the first is the greater one"
    says: ClassVar[str] = "{} is greater than {}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one <= other

    def drawing(self, geometry: Geometry) -> "Iterator[Drawn]":
        return _signs(self.edges(geometry), geometry)

    def caption(self, geometry: Geometry) -> str:
        is_drawn = all(abs(a - b) in (1, geometry.size) for a, b in self.edges(geometry))
        return _SIGNS if is_drawn else self.sentence(geometry)

    def sentence(self, geometry: Geometry) -> str:
        return f"each cell is greater than the next of {self.along(geometry)}"


_SIGNS = "signs: open to the greater digit"


def _signs(edges: Iterable[Edge], geometry: Geometry) -> "Iterator[Drawn]":
    """A sign between each two cells of which the first is the greater one."""
    # Imported here: most puzzles are never drawn.
    from satdoku.puzzle.rules.drawn import Dot

    for cell, other in edges:
        # The open side of the sign is at the greater one.
        # Between cells that do not touch there is no place for a sign.
        if abs(cell - other) == 1:
            yield Dot((cell, other), ">" if cell < other else "<", has_circle=False)
        elif abs(cell - other) == geometry.size:
            yield Dot((cell, other), "v" if cell < other else "^", has_circle=False)


class Minimum(PairRule, MarkedRule):
    """Marked cells are less than all cells beside them that are not marked."""

    name: ClassVar[str] = "minimum"
    example: ClassVar[str] = "r1c1,r3c4"
    counts: ClassVar[bool] = False
    told: ClassVar[str] = _SIGNS
    parts = {"CELLS": "the cells that are less than those at their sides"}
    why: ClassVar[str] = "but the first is a minimum"
    says: ClassVar[str] = "{} is less than {}, as a minimum"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one >= other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"{self.argument(geometry)}: less than the cells at their sides, "
            "other such cells not counted"
        )

    def drawing(self, geometry: Geometry) -> "Iterator[Drawn]":
        # As setters draw it, with a sign on each side of a cell but to another of its kind.
        is_least = not self.is_wrong(1, 2, 0)
        edges = self.edges(geometry)
        return _signs([(b, a) if is_least else (a, b) for a, b in edges], geometry)

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return [
            (cell, other)
            for cell in self.marked
            for other in sorted(geometry.beside(cell))
            if other not in self.marked
        ]

    def cells(self, geometry: Geometry) -> Collection[int]:
        # A marked cell with marked cells on all sides is on no edge; the rule is about it anyway.
        return {*self.marked, *super().cells(geometry)}


class Maximum(Minimum):
    """Marked cells are greater than all cells beside them that are not marked."""

    name: ClassVar[str] = "maximum"
    parts = {"CELLS": "the cells that are greater than those at their sides"}
    why: ClassVar[str] = "but the first is a maximum"
    says: ClassVar[str] = "{} is greater than {}, as a maximum"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one <= other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"{self.argument(geometry)}: greater than the cells at their sides, "
            "other such cells not counted"
        )


def all_edges(geometry: Geometry) -> Iterator[Edge]:
    """Each two cells that share a side, once."""
    for cell in range(geometry.cell_count):
        # From the smaller number on: each edge would come twice.
        yield from ((cell, other) for other in sorted(geometry.beside(cell)) if other > cell)
