"""A rule that is added to the registry, as a plugin of pytest: `-p tests.puzzle.rules.corners`.

It stands where the registry looks for its file, and has its line there. Tests of every rule are
then tests of this one.
"""

import sys
from collections.abc import Collection, Sequence
from typing import ClassVar

from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.rules import registry
from satdoku.puzzle.rules.classic import UnitRule
from tests.puzzle.rules import instances


class Corners(UnitRule):
    """No digit stands twice in the corners of the board."""

    name: ClassVar[str] = "corners"

    def sentence(self, geometry: Geometry) -> str:
        return "no digit stands twice in the corners"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        size, count = geometry.size, geometry.cell_count
        return (Unit("corners", None, (0, size - 1, count - size, count - 1)),)

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        ends = (0, geometry.size - 1)
        return (0,) if row in ends and column in ends else ()


def pytest_configure() -> None:
    """Adds the rule where this is a plugin, and not where the file is only looked at for tests."""
    sys.modules["satdoku.puzzle.rules.corners"] = sys.modules[__name__]
    assert isinstance(registry.RULES, registry._Rules)
    registry.RULES._places[Corners.name] = "corners.Corners"
    instances.NAMES[:] = [Corners.name]
