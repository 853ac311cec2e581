"""Diagonals on which no digit stands twice: one of them, or both (Sudoku X)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.drawn import Drawn, Shade, Stroke
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.unit_rule import UnitRule

RISING, FALLING = "/", "\\"
_NAMES = {RISING: "the rising diagonal", FALLING: "the falling diagonal"}


@dataclass(frozen=True)
class Diagonal(UnitRule):
    """Every digit stands once on a diagonal: `/` rises from the bottom left, `\\` falls."""

    name: ClassVar[str] = "diagonal"
    example: ClassVar[str] = RISING
    preposition: ClassVar[str] = "on"

    which: str

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        if argument not in _NAMES:
            raise SatdokuError(f"the diagonal is {RISING} or {FALLING}, not {argument!r}")
        return cls(argument)

    def argument(self, geometry: Geometry) -> str:
        return self.which

    def sentence(self, geometry: Geometry) -> str:
        return f"every digit stands once on {_NAMES[self.which]}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        return _draw(self, geometry)

    def caption(self, geometry: Geometry) -> str:
        return "shaded diagonal: every digit once"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        size = geometry.size
        if self.which == FALLING:
            cells = range(0, geometry.cell_count, size + 1)
        else:
            # From the top right corner down to the bottom left one. A board of one cell would have
            # a step of 0, which no range takes.
            cells = range(size - 1, size * (size - 1) + 1, max(size - 1, 1))
        return (Unit(_NAMES[self.which], None, tuple(cells)),)

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        is_on = row == column if self.which == FALLING else row + column == geometry.size - 1
        return (0,) if is_on else ()


class Diagonals(UnitRule):
    """Every digit stands once on each of the two diagonals."""

    name: ClassVar[str] = "diagonals"
    preposition: ClassVar[str] = "on"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once on each diagonal"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        return _draw(self, geometry)

    def caption(self, geometry: Geometry) -> str:
        return "shaded diagonals: every digit once on each"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return [unit for each in _BOTH for unit in each.units(geometry)]

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return [number for number, each in enumerate(_BOTH) if each.units_at(geometry, cell)]


def _draw(rule: UnitRule, geometry: Geometry) -> Iterator[Drawn]:
    for unit in rule.units(geometry):
        # Cells that only touch at corners would each get a line around them; the stroke is enough.
        yield Shade(unit.cells, has_outline=False)
        yield Stroke(unit.cells)


_BOTH = (Diagonal(FALLING), Diagonal(RISING))
