"""Boards with a line for each row: drawn, and read from drawings, to their digits or their fault.

+-----+-----+
| 1 2 | 3 4 |
| 3 4 | 1 2 |
+-----+-----+
| 2 1 | 4 3 |
| 4 3 | 2 1 |
+-----+-----+

When one is read, its rows are told from its borders first, which show its boxes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from satdoku.errors import FormatError, count_of
from satdoku.notation.detection import Head, Shape
from satdoku.notation.drawings.blocks import split_blocks
from satdoku.notation.drawings.row import TokenRow, column_of_cell, read_row
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import LineKind, kind_of, plain
from satdoku.notation.record import Place, Record, with_place
from satdoku.notation.sizes import NO_BOARD, decide_geometry, is_meant, row_fault
from satdoku.notation.spelling import (
    Spelling,
    align,
    read_digits,
    spelling_of,
    split_every,
    write_rows,
)
from satdoku.notation.symbols import is_blank
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


class DrawnRow(NamedTuple):
    """A row with its plain text and its place in the record, counted from 0."""

    position: int
    text: str
    row: TokenRow


class DrawnBoard(NamedTuple):
    """The rows of a drawn board, and how many rows each band between borders has."""

    rows: Sequence[DrawnRow]
    size: int
    bands: Sequence[int]

    @property
    def shown_box(self) -> Geometry | None:
        """The box shape that bars, borders and gaps show, if they do."""
        rows, columns = self._shown_box_rows(), self._shown_box_columns()
        # Groups that do not divide a row of this size show no boxes: one of the two is wrong.
        if not (rows or columns) or (columns and self.size % columns):
            return None
        box = Geometry(rows or self.size // columns, columns or self.size // rows)
        if box.size != self.size:
            raise FormatError(
                f"the borders show boxes of {box}, which do not make {self.size}x{self.size}"
            )
        return box

    def _shown_box_rows(self) -> int:
        """How many rows stand between borders; 0 if that differs, or if each row has a border."""
        is_banded = 1 < len(self.bands) < self.size
        return self.bands[0] if is_banded and len(set(self.bands)) == 1 else 0

    def _shown_box_columns(self) -> int:
        """The width of all groups of cells, 0 unless it is the same in all rows."""
        groups = {row.row.group for row in self.rows}
        return groups.pop() if len(groups) == 1 else 0


def read_drawing(text: str, size: int | None = None) -> DrawnBoard:
    """Tell rows from borders; `size` is the number of rows, where it is known."""
    rows: list[DrawnRow] = []
    dashes: list[DrawnRow] = []
    for position, line in enumerate(text.split("\n")):
        drawn = plain(line)
        kind = kind_of(drawn)
        if kind is LineKind.CELLS:
            rows.append(DrawnRow(position, drawn, read_row(drawn)))
        elif kind is LineKind.DASHES:
            dashes.append(DrawnRow(position, drawn, read_row(drawn)))
    if size is None:
        size = _likely_size(rows, dashes)
    # Where dashes are blanks, a line of as many dashes as cells is an empty row, and no border.
    if not rows or any("-" in row.text for row in rows):
        rows = sorted(rows + [line for line in dashes if line.text.count("-") == size])
    return DrawnBoard(rows, size, _count_bands([row.position for row in rows]))


def join_rows(rows: Sequence[Sequence[str]]) -> str | list[str]:
    """The cells of all rows: one string where every row is one, of characters side by side."""
    if all(isinstance(row, str) for row in rows):
        return "".join(map("".join, rows))
    return [cell for row in rows for cell in row]


def _likely_size(rows: Sequence[DrawnRow], dashes: Sequence[DrawnRow]) -> int:
    """How many cells most rows have; where all lines are dashes, each dash is a cell."""
    sizes = [row.row.size for row in rows] or [line.text.count("-") for line in dashes]
    return Counter(sizes).most_common(1)[0][0] if sizes else 0


def _count_bands(positions: Sequence[int]) -> list[int]:
    """How many rows follow each other without a line between them.

    >>> _count_bands([0, 1, 4, 5, 6])
    [2, 3]
    """
    bands: list[int] = []
    above = None
    for position in positions:
        # A line between two rows, a border or an empty one, begins a band.
        if position - 1 == above:
            bands[-1] += 1
        else:
            bands.append(1)
        above = position
    return bands


def read_board(record: Record, hints: Hints, source: str) -> Grid:
    """The board that a record draws."""
    drawing = read_drawing(record.text, hints.size)
    board = _DrawnBoard(drawing, record, source)
    if len(drawing.rows) != drawing.size:
        # Of prose that is read as a board, the first odd character says more than its lines do.
        board.check_characters()
        raise board.fault_of_row_count(is_wanted=hints.size is not None)
    cells = board.read_cells()
    try:
        geometry = decide_geometry(drawing.size, hints.geometry, drawing.shown_box)
    except FormatError as error:
        raise with_place(error, source, board.place_of_row(0)) from None
    return Grid(geometry, read_digits(cells, drawing.size, hints.alphabet, board.place_of, source))


class _DrawnBoard(NamedTuple):
    """A drawing with its place in a text."""

    drawing: DrawnBoard
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
        # A comma behind the last cell is one of a list, where all rows but the last may have it.
        are_open = [row.row.is_open(size) for row in self.drawing.rows]
        is_list = all(are_open[:-1])
        rows: list[Sequence[str]] = []
        for number, (row, is_open) in enumerate(zip(self.drawing.rows, are_open, strict=True), 1):
            cells = None if is_open and not is_list else row.row.cells(size)
            if cells is None or (has_numbers and isinstance(cells, str)):
                count = len(row.row.tokens) if has_numbers or is_open else row.row.size
                raise self._fault_of_row(number, row, count)
            rows.append(cells)
        return join_rows(rows)

    def _fault_of_row(self, number: int, row: DrawnRow, count: int) -> FormatError:
        size = self.drawing.size
        # The first cell too many, or the end of a row that is too short.
        column = column_of_cell(row.text, row.row, size, min(size, count))
        message = row_fault(number, count, size)
        return FormatError(message, self.source, self.record.line + row.position, column)

    def fault_of_row_count(self, is_wanted: bool) -> FormatError:
        found, size = len(self.drawing.rows), self.drawing.size
        message = f"{count_of(found, 'row')} found, expected {size} for {size}x{size}"
        if not (is_wanted or is_meant(size, found)):
            message = NO_BOARD
        return FormatError(message, self.source, *self.place_of_row(-1))

    def check_characters(self) -> None:
        """Refuse a text that is no board at all by its first odd character, not by its rows."""
        for row in self.drawing.rows:
            for index, character in enumerate(row.text):
                if not (character.isalnum() or is_blank(character) or character in " \t|,+"):
                    message = f"{character!r} is not a digit or a blank"
                    line = self.record.line + row.position
                    raise FormatError(message, self.source, line, index + 1)


def draw_board(
    geometry: Geometry, cells: Sequence[str], width: int, marked: Collection[int] = ()
) -> list[str]:
    """The lines of a boxed board; every cell must be seen `width` wide, marked ones get a star.

    The star takes the place of the space behind the cell, so nothing moves.
    """
    with_ends = [text + ("*" if cell in marked else " ") for cell, text in enumerate(cells)]
    border = _border(geometry, width)
    lines = []
    for row, texts in enumerate(split_every(with_ends, geometry.size)):
        if row % geometry.box_rows == 0:
            lines.append(border)
        boxes = map("".join, split_every(texts, geometry.box_columns))
        lines.append("| " + "| ".join(boxes) + "|")
    return [*lines, border]


def board_width(geometry: Geometry, width: int) -> int:
    """How many characters wide such a board is."""
    return len(_border(geometry, width))


def _border(geometry: Geometry, width: int) -> str:
    """The line between two bands: each box is a space, and its cells with a space behind them."""
    dashes = "-" * (1 + geometry.box_columns * (width + 1))
    boxes_beside = geometry.size // geometry.box_columns
    return "+" + f"{dashes}+" * boxes_beside


class RowsFormat(Format):
    """A row a line; an empty line between two boards."""

    name: ClassVar[str] = "rows"
    description: ClassVar[str] = "a line for each row, characters or separated numbers"
    between: ClassVar[str] = "\n"

    def matches(self, head: Head) -> bool:
        return head.shape is Shape.ROWS

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_blocks(lines, hints.size)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        return Puzzle(read_board(record, hints, source), record.name)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return "\n".join(write_rows(puzzle.grid, spelling)) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        rows = [row.row for row in read_drawing(record.text, size).rows]
        cells = join_rows([row.cells(size) or () for row in rows])
        spelling = spelling_of(cells, size, hints.alphabet)
        # As its first row is, with or without something between the cells.
        return spelling._replace(is_spaced=len(rows[0].tokens) == size)


class GridFormat(RowsFormat):
    """A board in a frame that shows its boxes."""

    name: ClassVar[str] = "grid"
    description: ClassVar[str] = "a board with its boxes drawn by + - and |"
    draws_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        first = head.first_row
        return first is not None and (head.has_border_above or "|" in first.plain)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        texts = align(spelling.texts(puzzle.grid))
        return "\n".join(draw_board(puzzle.geometry, texts, len(texts[0]))) + "\n"
