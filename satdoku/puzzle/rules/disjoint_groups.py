"""Disjoint groups: the cells at the same place in their boxes hold different digits."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.unit_rule import UnitRule


class DisjointGroups(UnitRule):
    """Every digit stands once among the cells that have the same place in their boxes."""

    name: ClassVar[str] = "disjoint-groups"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once among the cells at the same place of their boxes"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        boxes = [box.cells for box in geometry.boxes]
        return [
            Unit("disjoint group", number, cells)
            for number, cells in enumerate(zip(*boxes, strict=True))
        ]

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        # The place within the box, counted row by row like the cells of a box.
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        return (row % geometry.box_rows * geometry.box_columns + column % geometry.box_columns,)
