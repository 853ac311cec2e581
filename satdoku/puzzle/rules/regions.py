"""Irregular regions in place of boxes (jigsaw puzzles)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from math import isqrt
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.classic import Boxes, UnitRule
from satdoku.puzzle.rules.drawn import Border, Drawn
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value

NO_REGION = -1
"""The number of a cell that lies in no region."""

_NO_REGION_SYMBOL = "."
# 62 symbols; a puzzle with more regions cannot be written with letters.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@value(frozen=True)
class Regions(UnitRule):
    """Every digit stands once in each region.

    `region_of` has the number of each cell's region, counted from 0 in reading order; a cell in no
    region has -1. Use `read_regions` to make one from letters.
    """

    name: ClassVar[str] = "regions"
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
        """Return one symbol for each cell; cells of a region have the same one."""
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

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield from (Border(unit.cells) for unit in self._units)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return self._units

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        # Read from the numbers and not from `units`, so that the two statements check each other.
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
    """Return the symbols of a text, one for each cell, without separators of rows."""
    return "".join(text.replace("/", " ").split())


def read_regions(text: str, geometry: Geometry | None = None) -> Rule:
    """Return the regions of a text with one symbol a cell; blanks and slashes may separate rows.

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
    # The dot is an entry too, so the next number is one less than the number of entries.
    numbers: dict[str, int] = {_NO_REGION_SYMBOL: NO_REGION}
    for symbol in symbols:
        numbers.setdefault(symbol, len(numbers) - 1)
    regions = Regions(tuple(numbers[symbol] for symbol in symbols))
    # Compared as sets of cells: regions are ordered by their first cells, boxes may be numbered
    # otherwise.
    is_boxes = {unit.cells for unit in regions.units(geometry)} == {
        unit.cells for unit in geometry.boxes
    }
    return Boxes() if is_boxes else regions
