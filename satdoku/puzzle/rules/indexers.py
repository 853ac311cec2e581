"""Indexers: a cell says where in its row, column or box some digit stands."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from types import MappingProxyType
from typing import ClassVar

from satdoku.puzzle.constraints import Constraint, Pair, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.rule import Clash


class IndexRule(MarkedRule):
    """In each marked cell a digit says at which place of its line its own place's number stands.

    So 5 in column 1 of a row says that 1 stands in column 5 of that row.
    """

    parts = MappingProxyType({"CELLS": "the cells that say where digits stand"})
    what: ClassVar[str]

    @abstractmethod
    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        """The cells that a cell speaks of, itself among them, in the order of their places."""

    def sentence(self, geometry: Geometry) -> str:
        cells = self.argument(geometry) if len(self.marked) < 6 else f"{len(self.marked)} cells"
        return f"{cells}: each says where in its {self.what} the number of its own place stands"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {each for cell in self.marked for each in self.line_of(geometry, cell)}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell in self.marked:
            line, said = self.line_of(geometry, cell), digits[cell]
            # A cell that says its own place is right by itself.
            other = line[said - 1] if said != EMPTY else cell
            if other != cell and digits[other] not in (EMPTY, line.index(cell) + 1):
                why = f"where the first says where in its {self.what} a digit stands"
                yield Clash(geometry, (cell, other), (said, digits[other]), why)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return self._says_wrong(geometry, cell, digit, other, other_digit) or self._says_wrong(
            geometry, other, other_digit, cell, digit
        )

    def _says_wrong(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        if cell not in self.marked:
            return False
        line = self.line_of(geometry, cell)
        return line[digit - 1] == other != cell and other_digit != line.index(cell) + 1

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        every = every_digit(geometry.size)
        for cell in self.marked:
            line = self.line_of(geometry, cell)
            number = line.index(cell) + 1
            for place, other in enumerate(line, 1):
                if place != number:
                    excludes = [0] * (geometry.size + 1)
                    excludes[place] = every & ~(1 << number)
                    sentence = f"{{}} is not {place}, or {{}} is {number}"
                    yield Pair(cell, other, tuple(excludes), sentence)


class RowIndexer(IndexRule):
    """A cell in row r says in which row of its column r stands."""

    name: ClassVar[str] = "row-indexer"
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "column"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.column_cells(geometry.column_of(cell))


class ColumnIndexer(IndexRule):
    """A cell in column c says in which column of its row c stands."""

    name: ClassVar[str] = "column-indexer"
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "row"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.row_cells(geometry.row_of(cell))


class BoxIndexer(IndexRule):
    """A cell at a place of its box says at which place of the box that number stands."""

    name: ClassVar[str] = "box-indexer"
    example: ClassVar[str] = "r1c1,r2c3"
    what: ClassVar[str] = "box"

    def line_of(self, geometry: Geometry, cell: int) -> Sequence[int]:
        return geometry.box_cells(geometry.box_of(cell))
