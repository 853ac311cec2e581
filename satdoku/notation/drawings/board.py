"""Understanding the drawing of one board: its cells, and the boxes that its borders show."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.errors import FormatError
from satdoku.notation.digits import Place, count_cells, decide_geometry, read_digits
from satdoku.notation.drawings.row import (
    Row,
    column_of_cell,
    is_border,
    is_dashes,
    is_header,
    plain,
    read_row,
)
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid


class _Line(NamedTuple):
    """A row with its plain text and its place in the record, counted from 0."""

    position: int
    text: str
    row: Row


class Drawing(NamedTuple):
    """The rows of a drawn board, and how many rows each band between borders has."""

    lines: Sequence[_Line]
    size: int
    bands: Sequence[int]

    @property
    def shown_box(self) -> Geometry | None:
        """The box shape that bars, borders and gaps show, if they do."""
        groups = {line.row.group for line in self.lines}
        heights = set(self.bands)
        columns = groups.pop() if len(groups) == 1 else 0
        rows = heights.pop() if len(heights) == 1 and 1 < len(self.bands) < self.size else 0
        if not (rows or columns) or (columns and self.size % columns):
            return None
        box = Geometry(rows or self.size // columns, columns or self.size // rows)
        if box.size != self.size:
            raise FormatError(
                f"the borders show boxes of {box}, which do not make {self.size}x{self.size}"
            )
        return box


def read_drawing(text: str, size: int | None = None) -> Drawing:
    """Tell rows from borders; `size` is the number of rows, where it is known."""
    drawn = [
        "" if line.lstrip().startswith("#") or is_header(line) else plain(line)
        for line in text.split("\n")
    ]
    lines = [
        _Line(index, line, read_row(line))
        for index, line in enumerate(drawn)
        if line.strip() and not is_border(line) and not is_dashes(line)
    ]
    if size is None:
        dashes = [line.count("-") for line in drawn if is_dashes(line)]
        size = Counter([line.row.size for line in lines] or dashes or [0]).most_common(1)[0][0]
    if not lines or any("-" in line.text for line in lines):
        lines += [
            _Line(index, line, read_row(line))
            for index, line in enumerate(drawn)
            if is_dashes(line) and line.count("-") == size
        ]
        lines.sort()
    return Drawing(lines, size, _count_bands(drawn, {line.position for line in lines}))


def _count_bands(drawn: Sequence[str], row_indices: set[int]) -> list[int]:
    """How many rows follow each other without a border or an empty line between them."""
    bands = [0]
    for index in range(len(drawn)):
        if index in row_indices:
            bands[-1] += 1
        elif bands[-1]:
            bands.append(0)
    return bands if bands[-1] else bands[:-1]


def read_board(record: Record, hints: Hints, source: str) -> Grid:
    """The board that a record draws."""
    drawing = read_drawing(record.text, hints.size)
    first = drawing.lines[0] if drawing.lines else _Line(0, "", Row((), 0))
    if len(drawing.lines) != drawing.size:
        count = len(drawing.lines)
        _check_characters(drawing, record, source)
        raise FormatError(
            f"{count} row{'s' * (count != 1)} found, expected {drawing.size} "
            f"for {drawing.size}x{drawing.size}",
            source,
            record.line + (drawing.lines[-1].position if drawing.lines else 0),
            1,
        )
    cells = _read_rows(drawing, record, source)
    try:
        geometry = decide_geometry(drawing.size, hints.geometry, drawing.shown_box)
    except FormatError as error:
        raise FormatError(error.message, source, record.line + first.position, 1) from None

    def place_of(cell: int) -> Place:
        row, column = divmod(cell, drawing.size)
        line = drawing.lines[row]
        place = column_of_cell(line.text, line.row, drawing.size, column)
        return record.line + line.position, place

    all_cells: str | list[str]
    if all(isinstance(row, str) for row in cells):
        all_cells = "".join(map("".join, cells))
    else:
        all_cells = [cell for row in cells for cell in row]
    return Grid(geometry, read_digits(all_cells, drawing.size, hints.alphabet, place_of, source))


def _read_rows(drawing: Drawing, record: Record, source: str) -> list[Sequence[str]]:
    """The cells of each row; where one row has numbers, none may be characters side by side."""
    size = drawing.size
    has_numbers = any(line.row.has_numbers(size) for line in drawing.lines)
    rows = []
    for line in drawing.lines:
        cells = line.row.cells(size)
        if cells is None or (has_numbers and isinstance(cells, str)):
            count = len(line.row.tokens) if has_numbers else line.row.size
            raise _count_fault(line, count, size, record, source)
        rows.append(cells)
    return rows


def _count_fault(line: _Line, count: int, size: int, record: Record, source: str) -> FormatError:
    column = column_of_cell(line.text, line.row, size, min(size, count))
    message = f"{count_cells(count)} found, expected {size} in a row"
    return FormatError(message, source, record.line + line.position, column)


def _check_characters(drawing: Drawing, record: Record, source: str) -> None:
    """Refuse a text that is no board at all by its first odd character, not by its rows."""
    for line in drawing.lines:
        for index, character in enumerate(line.text):
            if not (character.isalnum() or character in " \t|.,_-*?+"):
                message = f"{character!r} is not a digit or a blank"
                raise FormatError(message, source, record.line + line.position, index + 1)
