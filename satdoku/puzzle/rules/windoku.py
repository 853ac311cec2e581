"""Windoku: further boxes, one cell in from the border and one cell apart."""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.drawn import Drawn, Shade
from satdoku.puzzle.rules.unit_rule import UnitRule


class Windoku(UnitRule):
    """Every digit stands once in each window.

    On 9x9, where `.` is no window:

        .........
        .aaa.bbb.
        .aaa.bbb.
        .aaa.bbb.
        .........
        .ccc.ddd.
        .ccc.ddd.
        .ccc.ddd.
        .........

    Boxes of r x r cells leave room for (r - 1) x (r - 1) windows of r x r cells; boxes that are not
    square leave uneven gaps, and nobody plays that.
    """

    name: ClassVar[str] = "windoku"

    def require_fit(self, geometry: Geometry) -> None:
        if geometry.box_rows != geometry.box_columns or geometry.box_rows < 2:
            raise SatdokuError(f"windoku needs square boxes, such as 3x3, not {geometry}")

    def sentence(self, geometry: Geometry) -> str:
        windows = (geometry.box_rows - 1) ** 2
        if windows == 1:
            return "every digit stands once in the window inside the border"
        return f"every digit stands once in each of the {windows} windows inside the border"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield from (Shade(unit.cells) for unit in self.units(geometry))

    def caption(self, geometry: Geometry) -> str:
        return "shaded windows: every digit once in each"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        side = geometry.box_rows
        # A window every r cells and a gap of one, beginning behind the border.
        firsts = range(1, geometry.size - 1, side + 1)
        corners = [(top, left) for top in firsts for left in firsts]
        return [
            Unit("window", number, _square(geometry, top, left, side))
            for number, (top, left) in enumerate(corners)
        ]

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        step = geometry.box_rows + 1
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        if row % step == 0 or column % step == 0:
            return ()  # on the border, or between two windows
        return (row // step * (geometry.box_rows - 1) + column // step,)


def _square(geometry: Geometry, top: int, left: int, side: int) -> tuple[int, ...]:
    return tuple(
        row * geometry.size + column
        for row in range(top, top + side)
        for column in range(left, left + side)
    )
