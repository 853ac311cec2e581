"""Irregular regions in place of boxes (jigsaw puzzles), and further units."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from math import isqrt
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.classic import Boxes, UnitRule
from satdoku.puzzle.rules.rule import Drawing, Rule, why_crowded
from satdoku.puzzle.value import value

NO_REGION = -1
"""The region number of a cell that lies in no region."""

_NO_REGION_SYMBOL = "."
# The 62 symbols of regions; a puzzle with more regions cannot be written with letters.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@value(frozen=True)
class Regions(UnitRule):
    """Every digit stands once in each region.

    `region_of` has the number of each cell's region, counted from 0 in reading order; a cell in no
    region has -1. Use `read_regions` to make one from letters.
    """

    name: ClassVar[str] = "regions"
    label: ClassVar[str] = "irregular regions"
    is_of_the_board: ClassVar[bool] = True
    example: ClassVar[str] = "AAAB/CABB/CCDB/CDDD"
    told: ClassVar[str] = ""

    region_of: tuple[int, ...]

    @property
    def stands_in_for_boxes(self) -> bool:
        return True

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return read_regions(argument, geometry)

    def argument(self, geometry: Geometry) -> str:
        text = self.letters
        rows = (text[at : at + geometry.size] for at in range(0, len(text), geometry.size))
        return "/".join(rows)

    @property
    def letters(self) -> str:
        """Return one symbol per cell; cells of one region share a symbol."""
        if max(self.region_of) >= len(LETTERS):
            raise SatdokuError(f"more than {len(LETTERS)} regions cannot be written as letters")
        return "".join(
            _NO_REGION_SYMBOL if region == NO_REGION else LETTERS[region]
            for region in self.region_of
        )

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.region_of) != geometry.cell_count:
            size = geometry.size
            raise SatdokuError(
                f"regions of {len(self.region_of)} cells do not fit a board of {size}x{size}"
            )

    def sentence(self, geometry: Geometry) -> str:
        if not self._units:
            return "there are no boxes, and no regions in their place"
        return "every digit stands once in each region"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield from (("border", unit.cells) for unit in self._units)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return self._units

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        # Computed from the numbers and not from `units`, so that a test can compare the two.
        region = self.region_of[cell]
        return () if region == NO_REGION else (region,)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        cells_of: dict[int, list[int]] = {}
        for cell, region in enumerate(self.region_of):
            if region != NO_REGION:
                cells_of.setdefault(region, []).append(cell)
        return tuple(Unit("region", n, tuple(cells)) for n, cells in cells_of.items())


def region_letters(text: str) -> str:
    """Return the symbols of a text, one per cell, without separators of rows."""
    return "".join(text.replace("/", " ").split())


def read_regions(text: str, geometry: Geometry | None = None) -> Rule:
    """Return the regions of a text with one symbol per cell; blanks and slashes may separate rows.

    Cells of one region have the same symbol; a dot is a cell in no region. Regions that equal the
    boxes of the board are returned as `Boxes`, so that the puzzle is classic.
    """
    symbols = region_letters(text)
    size = geometry.size if geometry is not None else isqrt(len(symbols))
    if not symbols or len(symbols) != size * size:
        wanted = f"{size * size} for {size}x{size}" if geometry is not None else "a square board's"
        raise SatdokuError(f"{len(symbols)} cells have a region, expected {wanted}")
    geometry = geometry or Geometry.of_size(size)
    for symbol, count in Counter(symbols).items():
        if symbol != _NO_REGION_SYMBOL and count != size:
            place = geometry.name_of(symbols.index(symbol))
            raise SatdokuError(
                f"the region {symbol!r} at {place} has {count} cells, expected {size}"
            )
    # The dot has an entry too, so the next region number is one less than the number of entries.
    numbers: dict[str, int] = {_NO_REGION_SYMBOL: NO_REGION}
    for symbol in symbols:
        numbers.setdefault(symbol, len(numbers) - 1)
    regions = Regions(tuple(numbers[symbol] for symbol in symbols))
    # Compared as sets of cells: regions are in the order of their first cells, boxes may not be.
    is_boxes = {unit.cells for unit in regions.units(geometry)} == {
        unit.cells for unit in geometry.boxes
    }
    return Boxes() if is_boxes else regions


# Further units: diagonals, windows (Windoku), disjoint groups, and regions of any cells.

RISING, FALLING = "/", "\\"
_NAMES = {RISING: "the rising diagonal", FALLING: "the falling diagonal"}


@value(frozen=True)
class Diagonal(UnitRule):
    """Every digit stands once on a diagonal: `/` rises from the bottom left, `\\` falls."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "diagonal"
    label: ClassVar[str] = "one diagonal"
    example: ClassVar[str] = RISING
    told: ClassVar[str] = "shaded diagonal: every digit once"
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

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        return _draw(self, geometry)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        last = geometry.width - 1
        columns = range(last + 1) if self.which == FALLING else range(last, -1, -1)
        found = (geometry.cell_at(row, column) for row, column in enumerate(columns))
        cells = tuple(cell for cell in found if cell is not None)
        return (Unit(_NAMES[self.which], None, cells),)

    def require_fit(self, geometry: Geometry) -> None:
        _require_square(geometry)

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        is_on = row == column if self.which == FALLING else row + column == geometry.width - 1
        return (0,) if is_on and cell < geometry.board_count else ()


def _require_square(geometry: Geometry) -> None:
    if geometry.height != geometry.width or geometry.board_count != geometry.width**2:
        raise SatdokuError(f"a board of {geometry.board_words} has no diagonals from end to end")


class Diagonals(UnitRule):
    """Every digit stands once on each of the two diagonals."""

    fits_every_board: ClassVar[bool] = True

    name: ClassVar[str] = "diagonals"
    is_unmistakable: ClassVar[bool] = True
    told: ClassVar[str] = "shaded diagonals: every digit once on each"
    preposition: ClassVar[str] = "on"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once on each diagonal"

    def require_fit(self, geometry: Geometry) -> None:
        _require_square(geometry)

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        return _draw(self, geometry)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return [unit for each in _BOTH for unit in each.units(geometry)]

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return [number for number, each in enumerate(_BOTH) if each.units_at(geometry, cell)]


def _draw(rule: UnitRule, geometry: Geometry) -> Iterator[Drawing]:
    for unit in rule.units(geometry):
        # No outline: it would surround each cell, as cells touch only at corners. The stroke is
        # enough.
        yield from (("shade", unit.cells, False), ("stroke", unit.cells))


_BOTH = (Diagonal(FALLING), Diagonal(RISING))


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

    Boxes of r x r cells leave room for (r - 1) x (r - 1) windows of r x r cells. Other box shapes
    would leave uneven gaps; they are not supported, as nobody plays them.
    """

    name: ClassVar[str] = "windoku"
    is_unmistakable: ClassVar[bool] = True
    told: ClassVar[str] = "shaded windows: every digit once in each"

    def require_fit(self, geometry: Geometry) -> None:
        if geometry.box_rows != geometry.box_columns or geometry.box_rows < 2:
            raise SatdokuError(f"windoku needs square boxes, such as 3x3, not {geometry}")

    def sentence(self, geometry: Geometry) -> str:
        windows = (geometry.box_rows - 1) ** 2
        if windows == 1:
            return "every digit stands once in the window inside the border"
        return f"every digit stands once in each of the {windows} windows inside the border"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield from (("shade", unit.cells) for unit in self.units(geometry))

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        side = geometry.box_rows
        # Windows of r cells are separated by one cell, and begin after the border.
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
            return ()  # the cell is on the border, or between two windows
        return (row // step * (geometry.box_rows - 1) + column // step,)


def _square(geometry: Geometry, top: int, left: int, side: int) -> tuple[int, ...]:
    return tuple(
        row * geometry.size + column
        for row in range(top, top + side)
        for column in range(left, left + side)
    )


class DisjointGroups(UnitRule):
    """Every digit stands once among the cells at the same position of their boxes."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "disjoint-groups"

    def require_fit(self, geometry: Geometry) -> None:
        count, cells = len(geometry.boxes), geometry.box_rows * geometry.box_columns
        if count * cells != geometry.board_count or count > geometry.size:
            raise SatdokuError(
                f"a board of {geometry.board_words} has no boxes that fill it, at most "
                f"{geometry.size} of them"
            )

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once among the cells at the same place of their boxes"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        boxes = [box.cells for box in geometry.boxes]
        return [
            Unit("disjoint group", number, cells)
            for number, cells in enumerate(zip(*boxes, strict=True))
        ]

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        # The position within the box, counted row by row.
        if cell >= geometry.board_count:
            return ()
        row, column = geometry.row_of(cell), geometry.column_of(cell)
        return (row % geometry.box_rows * geometry.box_columns + column % geometry.box_columns,)


class ExtraRegion(MarkedRule, UnitRule):
    """No digit repeats in some cells; a region of as many cells as digits holds every digit."""

    name: ClassVar[str] = "extra-region"
    example: ClassVar[str] = "r1c2,r2c3,r3c4"
    parts = {"CELLS": "the cells of the region"}

    def why_impossible(self, geometry: Geometry) -> str:
        return why_crowded(geometry, self.marked)

    def sentence(self, geometry: Geometry) -> str:
        return f"no digit stands twice in the extra region {write_cells(self.marked, geometry)}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("shade", self.marked)

    def caption(self, geometry: Geometry) -> str:
        return f"shaded cells at {geometry.name_of(self.marked[0])}: no digit twice"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        # Named by the first cell, as a board may have several extra regions.
        first = geometry.name_of(self.marked[0])
        return (Unit(f"the extra region at {first}", None, self.marked),)

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (0,) if cell in self.marked else ()
