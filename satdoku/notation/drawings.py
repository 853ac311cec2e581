"""Boards with a line for each row: drawn, split from a stream, and read.

    +-----+-----+
    | 1 2 | 3 4 |
    | 3 4 | 1 2 |
    +-----+-----+
    | 2 1 | 4 3 |
    | 4 3 | 2 1 |
    +-----+-----+

A reader first tells rows from borders; the borders show the boxes.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import isqrt
from typing import ClassVar, NamedTuple

from satdoku.errors import FormatError, count_of, quote
from satdoku.files import memory_of
from satdoku.notation.cells import TokenRow, column_of_cell, read_row
from satdoku.notation.detection import Head, Shape
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import LineKind, is_data, is_title, kind_of, plain
from satdoku.notation.record import Place, Record, with_place
from satdoku.notation.spelling import (
    NO_BOARD,
    Spelling,
    align,
    decide_geometry,
    has_boxes,
    is_blank,
    is_meant,
    read_digits,
    row_fault,
    spelling_of,
    split_every,
    write_rows,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Publication, Puzzle

# Split a stream of drawn boards into records.
#
# A board ends when it has as many rows as most of its rows have cells. A title or an empty line
# ends it too, so that a board with a missing row does not shift the boards after it. Empty lines
# may also stand between the bands of a board, if they come after equal numbers of rows.
#
# A whole board is held back until the lines after it are known, unless an empty line follows:
# another whole board is a board of its own, but a few rows mean that the drawing has too many rows.
# Which nine of ten rows are the board is unknown, so all ten are one record, and its fault is the
# number of rows.

# Limit on lines without cells after the last row of a board, in bytes: the size of the longest
# comment. After that, an incomplete board ends.
_MOST_WITHOUT_CELLS = 1 << 20


class Line(NamedTuple):
    """A line with its number in the text, and its plain form."""

    number: int
    text: str
    plain: str
    kind: LineKind

    @classmethod
    def read(cls, number: int, text: str) -> "Line":
        drawn = plain(text)
        return cls(number, text, drawn, kind_of(drawn))


class Block:
    """The lines of one board as they are read; `size` is set if the user gave it."""

    def __init__(self, size: int | None, name: str = "") -> None:
        self.name = name
        self._wanted_size = size
        self._lines: list[Line] = []
        # How many rows there are for each number of cells, and the most frequent as (rows, cells);
        # lines of dashes are counted separately.
        self._sizes: Counter[int] = Counter()
        self._most_common = (0, 0)
        self._dashes: Counter[int] = Counter()
        self._has_dash_blanks = False
        # The index of the last empty line inside the board, the rows of each band before it (0
        # before the first such line), and the rows after it.
        self._gap = 0
        self._band = 0
        self._rows_after_gap = 0
        self._bytes_without_cells = 0

    def add(self, line: Line) -> None:
        """Add a line: a row, or a line of the board without cells."""
        self._lines.append(line)
        self._bytes_without_cells += memory_of(line.text)
        if line.kind is LineKind.DASHES:
            self._dashes[line.plain.count("-")] += 1
            self._rows_after_gap += 1
            self._bytes_without_cells = 0
        elif line.kind is LineKind.CELLS:
            size = read_row(line.plain).size
            self._sizes[size] += 1
            # The most frequent size is kept up to date here, as `size` is read for every line.
            self._most_common = max(self._most_common, (self._sizes[size], size))
            self._has_dash_blanks |= "-" in line.plain
            self._rows_after_gap += 1
            self._bytes_without_cells = 0

    @property
    def has_rows(self) -> bool:
        return bool(self._sizes or self._dashes)

    @property
    def has_lines(self) -> bool:
        return bool(self._lines)

    @property
    def size(self) -> int:
        """Return the expected number of rows: the number of cells that most rows have."""
        if self._wanted_size is not None:
            return self._wanted_size
        if self._sizes:
            return self._most_common[1]
        return max(((count, size) for size, count in self._dashes.items()), default=(0, 0))[1]

    @property
    def row_count(self) -> int:
        """Return the number of rows.

        A line of dashes is a row if it has a dash for each cell, and if dashes are blanks in other
        rows or there are no other rows; else it is a border.
        """
        count = self._sizes.total()
        if self._has_dash_blanks or not self._sizes:
            count += self._dashes[self.size]
        return count

    @property
    def is_spaced(self) -> bool:
        """Whether an empty line stands between any two rows."""
        return self._band == 1

    @property
    def is_complete(self) -> bool:
        return self.has_rows and self.row_count >= self.size

    @property
    def is_stalled(self) -> bool:
        """Whether so much text came without cells that no further row is expected."""
        return self._bytes_without_cells > _MOST_WITHOUT_CELLS

    def may_go_on_behind_gap(self) -> bool:
        """Whether the rows since the last gap are a whole band, so that an empty line may follow.

        All bands have equally many rows, and a whole number of bands makes the board.
        """
        band = self._rows_after_gap
        return bool(self._sizes) and band > 0 and self.size % band == 0 and self._band in (0, band)

    def add_gap(self, line: Line) -> None:
        """Add an empty line between two bands."""
        self._band, self._rows_after_gap = self._rows_after_gap, 0
        self._gap = len(self._lines)
        self.add(line)

    def ended_at_gap(self, next_line: Line) -> bool:
        """Whether the next line shows that another board began after the last gap.

        This is so if the line has another length than the rows before the gap, or if a whole band
        follows the gap already, as a board with gaps would have another gap there. So three rows of
        a damaged board do not take six of the nine rows of the next one.
        """
        if self._band == 0:
            return False
        if self._rows_after_gap == 0 and read_row(next_line.plain).size != self.size:
            return True
        return self._rows_after_gap >= self._band

    def split_at_gap(self) -> tuple["Block", "Block"]:
        """Return the board before the last gap, and the beginning of the board after it."""
        before, behind = Block(self._wanted_size, self.name), Block(self._wanted_size)
        for line in self._lines[: self._gap]:
            before.add(line)
        # The gap itself, an empty line, is in neither.
        for line in self._lines[self._gap + 1 :]:
            behind.add(line)
        return before, behind

    @property
    def has_surplus_rows(self) -> bool:
        """Whether these lines, directly after a whole board, hold rows; borders do not count."""
        return bool(self._sizes)

    def joined(self, behind: "Block") -> "Block":
        """Return this board with the lines that follow it."""
        block = Block(self._wanted_size, self.name)
        for line in [*self._lines, *behind._lines]:
            block.add(line)
        return block

    def records(self) -> Iterator[Record]:
        """Yield the record of the board; none for lone lines of dashes."""
        if self._sizes or (self._dashes and self.is_complete):
            text = "\n".join(line.text for line in self._lines).rstrip("\n")
            yield Record(self._lines[0].number, text, self.name)


class Run:
    """Boards that follow each other without an empty line or a title between them.

    The last whole board is held back until it is clear that the rows after it are not its own.
    """

    def __init__(self, size: int | None) -> None:
        self.block = Block(size)
        self._size = size
        self._whole: Block | None = None
        self._is_behind_gap = False

    @property
    def has_rows(self) -> bool:
        """Whether there are rows, of a complete or an incomplete board."""
        return self._whole is not None or self.block.has_rows

    @property
    def has_board(self) -> bool:
        """Whether a whole board is held back and only borders have followed it."""
        return self._whole is not None and not self.block.has_rows

    def add(self, line: Line) -> Iterator[Record]:
        """Add a line of a board; yield the boards that it completes."""
        self._is_behind_gap = False
        if self.block.ended_at_gap(line):
            finished, behind = self.block.split_at_gap()
            self.block = finished
            yield from self.end()
            self.block = behind
        self.block.add(line)
        if self.block.is_complete:
            if self._whole is not None:
                yield from self._whole.records()
            self._whole, self.block = self.block, Block(self._size)

    def go_on_behind_gap(self) -> bool:
        """Whether the board may continue after this empty line.

        A board with an empty line between any two rows may have a surplus row after it.
        """
        waits = self._whole is not None and self._whole.is_spaced and not self._is_behind_gap
        self._is_behind_gap = True
        return waits and self.has_board

    def end(self, name: str = "") -> Iterator[Record]:
        """Yield the remaining boards. `name` is the name of the next board."""
        whole, rest = self._whole, self.block
        self._whole, self.block = None, Block(self._size, name)
        if whole is not None and rest.has_surplus_rows:
            yield from whole.joined(rest).records()
            return
        if whole is not None:
            yield from whole.records()
        yield from rest.records()


def split_blocks(lines: Iterable[str], size: int | None = None) -> Iterator[Record]:
    """Yield the boards in a text, each with the title above it as its name."""
    run = Run(size)
    for number, text in enumerate(lines, 1):
        line = Line.read(number, text)
        if line.kind is LineKind.TITLE:
            # No board contains a title, so the lines before it are complete.
            yield from run.end(text.strip())
            continue
        if line.kind is not LineKind.EMPTY:
            yield from run.add(line)
        elif run.block.may_go_on_behind_gap():
            run.block.add_gap(line)
            continue
        elif run.go_on_behind_gap():
            continue
        if line.kind is LineKind.EMPTY or run.block.is_stalled:
            # A title may stand above an empty line; the title of a damaged board must not become
            # the name of the next board.
            is_between = run.block.has_rows or run.has_board
            yield from run.end("" if is_between else run.block.name)
    yield from run.end()


class DrawnRow(NamedTuple):
    """A row with its plain text and its place in the record, counted from 0."""

    position: int
    text: str
    row: TokenRow


class DrawnBoard(NamedTuple):
    """The rows of a drawn board, and the number of rows in each band between borders."""

    rows: Sequence[DrawnRow]
    size: int
    bands: Sequence[int]

    @property
    def shown_box(self) -> Geometry | None:
        """Return the box shape that bars, borders and gaps show; None if they show none."""
        rows, columns = self._shown_box_rows(), self._shown_box_columns()
        # Groups that do not divide a row show no boxes: either the groups or the row are wrong.
        if not (rows or columns) or (columns and self.size % columns):
            return None
        box = Geometry(rows or self.size // columns, columns or self.size // rows)
        if box.size != self.size:
            raise FormatError(
                f"the borders show boxes of {box}, which do not make {self.size}x{self.size}"
            )
        return box

    def _shown_box_rows(self) -> int:
        """Return the rows between borders; 0 if they vary, or if each row has a border."""
        is_banded = 1 < len(self.bands) < self.size
        return self.bands[0] if is_banded and len(set(self.bands)) == 1 else 0

    def _shown_box_columns(self) -> int:
        """Return the width of the groups of cells; 0 unless it is the same in all rows."""
        groups = {row.row.group for row in self.rows}
        return groups.pop() if len(groups) == 1 else 0


def read_drawing(text: str, size: int | None = None) -> DrawnBoard:
    """Tell rows from borders; `size` is the number of rows, if known."""
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
    # If dashes are blanks, a line of as many dashes as cells is an empty row, not a border.
    if not rows or any("-" in row.text for row in rows):
        rows = sorted(rows + [line for line in dashes if line.text.count("-") == size])
    return DrawnBoard(rows, size, _count_bands([row.position for row in rows]))


def join_rows(rows: Sequence[Sequence[str]]) -> str | list[str]:
    """Return the cells of all rows: one string if all rows are strings of characters."""
    if all(isinstance(row, str) for row in rows):
        return "".join(map("".join, rows))
    return [cell for row in rows for cell in row]


def _likely_size(rows: Sequence[DrawnRow], dashes: Sequence[DrawnRow]) -> int:
    """Return the number of cells of most rows; if all lines are dashes, each dash is a cell."""
    sizes = [row.row.size for row in rows] or [line.text.count("-") for line in dashes]
    return Counter(sizes).most_common(1)[0][0] if sizes else 0


def _count_bands(positions: Sequence[int]) -> list[int]:
    """Return the number of rows in each band: rows without another line between them.

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
    """Return the board that a record draws."""
    drawing = read_drawing(record.text, hints.size)
    board = _DrawnBoard(drawing, record, source)
    if len(drawing.rows) != drawing.size:
        # For prose read as a board, the first invalid character says more than the row lengths.
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
        """Return the texts of all cells.

        If one row has numbers, other rows must not be characters side by side: `1234` is no row
        beside `10 2 3 4`.
        """
        size = self.drawing.size
        has_numbers = any(row.row.has_numbers(size) for row in self.drawing.rows)
        # In a list, all rows but the last may have a comma after the last cell.
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
        # The first surplus cell, or the end of a row that is too short.
        column = column_of_cell(row.text, row.row, size, min(size, count))
        message = row_fault(number, count, size)
        return FormatError(message, self.source, self.record.line + row.position, column)

    def fault_of_row_count(self, is_wanted: bool) -> FormatError:
        found, size = len(self.drawing.rows), self.drawing.size
        message = f"{count_of(found, 'row')} found, expected {size} for {size}x{size}"
        if not (is_wanted or is_meant(size, found)):
            message = NO_BOARD
        elif found == 1 and (fault := self._fault_of_large_digit()):
            return fault
        return FormatError(message, self.source, *self.place_of_row(-1))

    def _fault_of_large_digit(self) -> FormatError | None:
        """Return the fault of a row of 16 cells that is a 4x4 board but for a large digit."""
        size, side, text = self.drawing.size, isqrt(self.drawing.size), self.drawing.rows[0].text
        is_large = (sign.isalnum() and not is_blank(sign) and sign > str(side) for sign in text)
        column = next((at for at, found in enumerate(is_large, 1) if found), 0)
        if side**2 != size or side > 9 or not has_boxes(side) or not column:
            return None
        digit, (line, _) = quote(text[column - 1]), self.place_of_row(0)
        message = (
            f"{digit} is not a digit of a {side}x{side} board; "
            f"for one of {size}x{size}, {size - 1} rows are missing"
        )
        return FormatError(message, self.source, line, column)

    def check_characters(self) -> None:
        """Refuse a text that is no board; the error names its first invalid character."""
        for row in self.drawing.rows:
            for index, character in enumerate(row.text):
                if not (character.isalnum() or is_blank(character) or character in " \t|,+"):
                    message = f"{character!r} is not a digit or a blank"
                    line = self.record.line + row.position
                    raise FormatError(message, self.source, line, index + 1)


def draw_board(
    geometry: Geometry, cells: Sequence[str], width: int, marked: Collection[int] = ()
) -> list[str]:
    """Return the lines of a boxed board; cells are `width` wide, marked ones get a star.

    The star replaces the space after the cell, so nothing moves.
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
    """Return the width of a boxed board in characters; cells are `width` wide."""
    return len(_border(geometry, width))


def _border(geometry: Geometry, width: int) -> str:
    """Return the border between two bands; a box is as wide as a space and its spaced cells."""
    dashes = "-" * (1 + geometry.box_columns * (width + 1))
    boxes_beside = geometry.size // geometry.box_columns
    return "+" + f"{dashes}+" * boxes_beside


class RowsFormat(Format):
    """A row on each line, and an empty line between two boards."""

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
        # Answers are written like the first row, with or without separators of cells.
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


# Files of programs and collections whose boards have their own lines around them.
#
# SadMan Sudoku's `.sdk` has lines such as `#AAuthor`, then `[Puzzle]` and its rows. Project Euler's
# problem 96 has `Grid 01` above nine rows of nine digits, 0 for a blank. Simple Sudoku's `.ss` is
# also the clipboard format of many programs:
#
#     *-----------*
#     |8..|4..|...|
#     |.65|...|.42|
#     |9..|.8.|1.6|
#     |---+---+---| ...
#
# A second grid with the digits placed so far, and a third with candidates, may follow; only the
# first is the puzzle.

# Labels of fields in the comment of a puzzle; its own comment has no label.
_FIELDS = {"A": "", "B": "date", "S": "source", "L": "level", "U": "url", "C": "", "D": ""}
# Letter and text stand side by side, as in `#AAuthor`: `# A comment` is no field.
_FIELD = re.compile(r"\s*#([ABCDLSU])(?!\s)(.*)")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z]\w*)\s*\]")


class SdkFormat(RowsFormat):
    """Rows below lines about the puzzle: `#D` its name, `#A` its author, all others its comment."""

    name: ClassVar[str] = "sdk"
    description: ClassVar[str] = "SadMan Sudoku: #A #D #C ... lines, [Puzzle], rows"

    def matches(self, head: Head) -> bool:
        if _SECTION.match(head.first.text):
            return True
        return head.shape is Shape.ROWS and any(_FIELD.match(line) for line in head.above)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        run = Run(hints.size)
        # False in other sections, such as [State], which has the digits entered so far.
        is_puzzle = True
        for number, line in enumerate(lines, 1):
            section = _SECTION.match(line)
            is_field = _FIELD.match(line) is not None
            if run.has_rows and (section or is_field or not line.strip()):
                yield from run.end()
            if section is not None:
                is_puzzle = section[1].lower() == "puzzle"
            is_puzzle = is_puzzle or is_field
            is_kept = is_puzzle and section is None and (is_field or is_data(line))
            if is_kept:
                yield from run.add(Line.read(number, line))
            elif run.block.has_lines:
                # An empty line in place of this one keeps the line numbers right.
                run.block.add(Line.read(number, ""))
        yield from run.end()

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        said: dict[str, list[str]] = {"D": [], "A": [], "C": []}
        for line in record.text.split("\n"):
            field = _FIELD.match(line)
            if field is not None:
                kind, text = _FIELDS[field[1]], field[2].strip()
                place = field[1] if field[1] in said else "C"
                said[place].append(f"{kind}: {text}" if kind else text)
        grid, about = read_board(record, hints, source), Publication(" ".join(said["A"]))
        return Puzzle(grid, " ".join(said["D"]), "; ".join(said["C"]), publication=about)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        lines = [
            f"#{letter}{' '.join(text.split())}"
            for letter, text in (("D", puzzle.name), ("A", puzzle.author), ("C", puzzle.comment))
            if text.strip()
        ]
        return "\n".join([*lines, "[Puzzle]", *write_rows(puzzle.grid, spelling)]) + "\n"


class SimpleSudokuFormat(RowsFormat):
    """A framed board, perhaps followed by later states of the same board."""

    name: ClassVar[str] = "ss"
    description: ClassVar[str] = "Simple Sudoku: a board framed by *-----------*"
    between: ClassVar[str] = "\n"
    draws_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        first = head.first.plain.strip()
        return first.startswith("*-") and first.endswith("-*")

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        shown: list[str] | None = None
        for record in split_blocks(lines, hints.size):
            cells = _cells_of(record, hints)
            if shown is None or not _is_later_state(cells, shown):
                shown = cells
                yield record

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        geometry = puzzle.geometry
        separator = spelling.separator(geometry.size)
        rows = [
            [separator.join(box) for box in split_every(cells, geometry.box_columns)]
            for cells in split_every(align(spelling.texts(puzzle.grid)), geometry.size)
        ]
        dashes = "+".join("-" * len(box) for box in rows[0])
        frame = f"*{'-' * len(dashes)}*"
        lines = [frame]
        for number_of_row, boxes in enumerate(rows):
            if number_of_row > 0 and number_of_row % geometry.box_rows == 0:
                lines.append(f"|{dashes}|")
            lines.append(f"|{'|'.join(boxes)}|")
        return "\n".join([*lines, frame]) + "\n"


def _cells_of(record: Record, hints: Hints) -> list[str]:
    drawing = read_drawing(record.text, hints.size)
    return [cell for row in drawing.rows for cell in row.row.cells(drawing.size) or ()]


def _is_later_state(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Whether a board has the givens of the first one, or candidates instead of cells."""
    if len(cells) != len(first):
        return False
    # A cell with more characters than the largest digit is a list of candidates.
    longest_digit = len(str(isqrt(len(first))))
    has_candidates = any(len(cell) > longest_digit for cell in cells)
    return has_candidates or all(
        is_blank(given) or given == cell for given, cell in zip(first, cells, strict=True)
    )


_TITLE = re.compile(r"\s*grid\s*\d+\s*$", re.IGNORECASE)


class EulerFormat(RowsFormat):
    """Rows under numbered titles."""

    name: ClassVar[str] = "euler"
    description: ClassVar[str] = "Project Euler 96: `Grid 01` above the rows, 0 for a blank"
    between: ClassVar[str] = ""

    def matches(self, head: Head) -> bool:
        return _TITLE.match(head.first.text) is not None

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        name = " ".join(puzzle.name.split())
        # A name that does not look like a title would be read as a row.
        title = name if name and is_title(name) else f"Grid {number:02}"
        rows = write_rows(puzzle.grid, spelling._replace(blank="0"))
        return "\n".join([title, *rows]) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.write(Puzzle(solution, record.name), spelling, number)
