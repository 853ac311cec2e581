"""Indexers: a cell gives the position of a certain digit in its row, column or box."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Allowed, Constraint, Pair, every_digit
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.rule import Clash, Drawing


class IndexRule(MarkedRule):
    """A marked cell's digit is the position, in its row, column or box, of the cell's own number.

    For example, 5 in column 1 says that 1 stands in column 5 of the same row. Positions are counted
    from 1 even if digits are not; a digit that is no position, such as 0, cannot stand in a marked
    cell.
    """

    fits_every_board: ClassVar[bool] = False
    counts: ClassVar[bool] = True
    parts = {"CELLS": "the cells that say where digits stand, places from 1 on"}
    what: ClassVar[str]
    places: ClassVar[str]
    """The word for positions."""

    @abstractmethod
    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        """Return the cells that a cell can point to, itself included, in the order of positions."""

    def sentence(self, geometry: Geometry) -> str:
        cells = self.argument(geometry) if len(self.marked) < 6 else f"{len(self.marked)} cells"
        return f"{cells}: {self._said}"

    @property
    def _said(self) -> str:
        said = f"{'at' if self.places == 'place' else 'in'} which {self.places} of its {self.what}"
        return f"each says {said} the number of its own {self.places} stands"

    def said_by(self, geometry: Geometry, cell: int) -> str:
        """Return what a marked cell says, as a sentence."""
        unit_of = {"row": geometry.row_of, "column": geometry.column_of, "box": geometry.box_of}
        unit = f"{self.what} {unit_of[self.what](cell) + 1}"
        where = f"{'at' if self.places == 'place' else 'in'} which {self.places} of {unit}"
        number = self.line_of(geometry, cell).index(cell) + 1
        return f"{geometry.name_of(cell)} says {where} the {number} stands"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("shade", self.marked)

    def caption(self, geometry: Geometry) -> str:
        # List all cells, as other rules shade cells too.
        return f"shaded cells {self.argument(geometry)}: {self._said}"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {each for cell in self.marked for each in self.line_of(geometry, cell)}

    def require_fit(self, geometry: Geometry) -> None:
        for cell in self.marked:
            number = self.line_of(geometry, cell).index(cell) + 1
            if number not in self.values(geometry):
                name = geometry.name_of(cell)
                raise SatdokuError(f"{name} has place {number}, which is no digit of this board")

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell in self.marked:
            said = digits[cell]
            if said == EMPTY:
                continue
            if self.forbids(geometry, cell, said):
                yield Clash(geometry, (cell,), (said,), f"it says a place of its {self.what}")
                continue
            line = self.line_of(geometry, cell)
            # A cell that names its own position is right.
            other = line[self.value(said) - 1]
            right = line.index(cell) + 1
            if other != cell and digits[other] != EMPTY and self.value(digits[other]) != right:
                why = f"where the first says where in its {self.what} a digit stands"
                yield Clash(geometry, (cell, other), (said, digits[other]), why)

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        return cell in self.marked and not 1 <= self.value(digit) <= geometry.size

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return self._says_wrong(geometry, cell, digit, other, other_digit) or self._says_wrong(
            geometry, other, other_digit, cell, digit
        )

    def _says_wrong(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        if cell not in self.marked or self.forbids(geometry, cell, digit):
            return False
        line = self.line_of(geometry, cell)
        is_said = line[self.value(digit) - 1] == other != cell
        return is_said and self.value(other_digit) != line.index(cell) + 1

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        every = every_digit(geometry.size)
        for cell in self.marked:
            line = self.line_of(geometry, cell)
            number = line.index(cell) + 1
            allowed = 0
            for digit in range(1, geometry.size + 1):
                place = self.value(digit)
                if not 1 <= place <= len(line):
                    continue
                allowed |= 1 << digit
                if place != number:
                    excludes = [0] * (geometry.size + 1)
                    excludes[digit] = every & ~(1 << number - self.lowest + 1)
                    sentence = f"if {{}} is {place}, {{}} is {number}"
                    yield Pair(cell, line[place - 1], tuple(excludes), sentence)
            if allowed != every:
                yield Allowed(cell, allowed, f"{{}} says a place of its {self.what}")


class RowIndexer(IndexRule):
    """Row indexer: digit n in row r says that r stands in row n of the same column."""

    name: ClassVar[str] = "row-indexer"
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "column"
    places: ClassVar[str] = "row"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.column_cells(geometry.column_of(cell))


class ColumnIndexer(IndexRule):
    """Column indexer: digit n in column c says that c stands in column n of the same row."""

    name: ClassVar[str] = "column-indexer"
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "row"
    places: ClassVar[str] = "column"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.row_cells(geometry.row_of(cell))


class BoxIndexer(IndexRule):
    """Box indexer: digit n at position p of a box says that p stands at position n of that box."""

    name: ClassVar[str] = "box-indexer"
    is_of_pairs: ClassVar[bool] = True
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "box"
    places: ClassVar[str] = "place"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.box_cells(geometry.box_of(cell))
