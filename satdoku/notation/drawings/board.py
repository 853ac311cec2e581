"""From the drawing of one board to its digits, or to its fault."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.errors import FormatError, count_of
from satdoku.notation.digits import read_digits
from satdoku.notation.drawings.drawing import Drawing, DrawnRow, join_rows, read_drawing
from satdoku.notation.drawings.row import column_of_cell
from satdoku.notation.hints import Hints
from satdoku.notation.places import Place, with_place
from satdoku.notation.record import Record
from satdoku.notation.sizes import decide_geometry, row_fault
from satdoku.notation.symbols import is_blank
from satdoku.puzzle.grid import Grid


def read_board(record: Record, hints: Hints, source: str) -> Grid:
    """The board that a record draws."""
    drawing = read_drawing(record.text, hints.size)
    board = _DrawnBoard(drawing, record, source)
    if len(drawing.rows) != drawing.size:
        # Of prose that is read as a board, the first odd character says more than its lines do.
        board.check_characters()
        raise board.fault_of_row_count()
    cells = board.read_cells()
    try:
        geometry = decide_geometry(drawing.size, hints.geometry, drawing.shown_box)
    except FormatError as error:
        raise with_place(error, source, board.place_of_row(0)) from None
    return Grid(geometry, read_digits(cells, drawing.size, hints.alphabet, board.place_of, source))


class _DrawnBoard(NamedTuple):
    """A drawing with its place in a text."""

    drawing: Drawing
    record: Record
    source: str

    def place_of_row(self, index: int) -> Place:
        rows = self.drawing.rows
        return self.record.line + (rows[index].position if rows else 0), 1

    def place_of(self, cell: int) -> Place:
        size = self.drawing.size
        index, column = divmod(cell, size)
        row = self.drawing.rows[index]
        return self.record.line + row.position, column_of_cell(row.text, row.row, size, column)

    def read_cells(self) -> str | list[str]:
        """The texts of all cells.

        Where one row has numbers, none may be characters side by side: `1234` is no row beside
        `10 2 3 4`.
        """
        size = self.drawing.size
        has_numbers = any(row.row.has_numbers(size) for row in self.drawing.rows)
        rows: list[Sequence[str]] = []
        for number, row in enumerate(self.drawing.rows, 1):
            cells = row.row.cells(size)
            if cells is None or (has_numbers and isinstance(cells, str)):
                count = len(row.row.tokens) if has_numbers else row.row.size
                raise self._fault_of_row(number, row, count)
            rows.append(cells)
        return join_rows(rows)

    def _fault_of_row(self, number: int, row: DrawnRow, count: int) -> FormatError:
        size = self.drawing.size
        # The first cell too many, or the end of a row that is too short.
        column = column_of_cell(row.text, row.row, size, min(size, count))
        message = row_fault(number, count, size)
        return FormatError(message, self.source, self.record.line + row.position, column)

    def fault_of_row_count(self) -> FormatError:
        found, size = len(self.drawing.rows), self.drawing.size
        message = f"{count_of(found, 'row')} found, expected {size} for {size}x{size}"
        return FormatError(message, self.source, *self.place_of_row(-1))

    def check_characters(self) -> None:
        """Refuse a text that is no board at all by its first odd character, not by its rows."""
        for row in self.drawing.rows:
            for index, character in enumerate(row.text):
                if not (character.isalnum() or is_blank(character) or character in " \t|,+"):
                    message = f"{character!r} is not a digit or a blank"
                    line = self.record.line + row.position
                    raise FormatError(message, self.source, line, index + 1)
