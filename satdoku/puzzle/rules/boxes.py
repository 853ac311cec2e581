"""Boxes: every digit once in each."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.unit_rule import UnitRule


class Boxes(UnitRule):
    """Every digit stands once in each box of the board's box shape."""

    name: ClassVar[str] = "boxes"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each box"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.boxes

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.box_of(cell),)
