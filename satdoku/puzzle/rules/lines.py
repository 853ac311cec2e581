"""Rows and columns: every digit once in each."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.unit_rule import UnitRule


class Rows(UnitRule):
    """Every digit stands once in each row."""

    name: ClassVar[str] = "rows"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each row"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.rows

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.row_of(cell),)


class Columns(UnitRule):
    """Every digit stands once in each column."""

    name: ClassVar[str] = "columns"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each column"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.columns

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.column_of(cell),)
