"""One line among the first of a text, and what it may be."""

from collections.abc import Sequence
from functools import cached_property

from satdoku.notation.drawings.row import Row, read_row
from satdoku.notation.line_kind import LineKind, kind_of, plain
from satdoku.notation.lines.cells import LineCells, find_cells
from satdoku.notation.sizes import FEWEST_CELLS
from satdoku.notation.tables import column_names
from satdoku.notation.tables.fields import Field, find_delimiter, split_fields


class SeenLine:
    """A line with what it shows to those who look for a format.

    Several formats ask the same about a line, which may have 160,000 cells; so each answer is
    found when it is first asked for, and kept.
    """

    def __init__(self, number: int, text: str, size: int | None) -> None:
        self.number = number
        self.text = text
        self._size = size

    @cached_property
    def plain(self) -> str:
        return plain(self.text)

    @cached_property
    def kind(self) -> LineKind:
        return kind_of(self.plain)

    @cached_property
    def cells(self) -> LineCells:
        """The line as a whole puzzle."""
        return find_cells(self.plain, self._size)

    @cached_property
    def row(self) -> Row:
        """The line as a row of a board."""
        return read_row(self.plain)

    @cached_property
    def delimiter(self) -> str:
        return find_delimiter(self.text)

    @cached_property
    def fields(self) -> Sequence[Field]:
        """The line as a row of a table."""
        return split_fields(self.text, self.delimiter)

    @cached_property
    def boards(self) -> Sequence[bool]:
        """Which of the fields hold a board."""
        fewest = FEWEST_CELLS if self._size is None else self._size**2
        return [
            len(field.text) >= fewest and column_names.is_board(field.text, self._size)
            for field in self.fields
        ]

    @cached_property
    def has_column_names(self) -> bool:
        """Whether the line may be the header of a table."""
        return column_names.has_column_names(self.fields)
