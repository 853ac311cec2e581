"""Boxes: every digit once in each."""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.drawn import Border, Drawn
from satdoku.puzzle.rules.unit_rule import UnitRule


class Boxes(UnitRule):
    """Every digit stands once in each box of the board's box shape."""

    name: ClassVar[str] = "boxes"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each box"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        # Rows and columns draw nothing, since every board shows its lines anyway.
        yield from (Border(unit.cells) for unit in geometry.boxes)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.boxes

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.box_of(cell),)
