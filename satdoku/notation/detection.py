"""Look at the first lines of a text, to find its format and whether a line is a puzzle or a row.

16 characters may be a 4x4 puzzle or the first row of a 16x16. As long as all digits fit the small
board, further lines have to be read, up to the end of the block or the 17th line.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from math import isqrt

from satdoku.errors import FormatError
from satdoku.notation import fields
from satdoku.notation.cells import LineCells, TokenRow, find_cells, read_row
from satdoku.notation.fields import Field, find_delimiter, split_few_fields
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import LineKind, is_border, is_data, kind_of, plain
from satdoku.notation.parser import LOST
from satdoku.notation.spelling import (
    FEWEST_CELLS,
    LARGEST_SIZE,
    MOST_SYMBOLS,
    has_boxes,
    is_blank,
    is_number_or_blank,
    read_number,
)

# The longest row: for each cell of the largest board a number of four digits, and as many
# characters around it.
_LONGEST_ROW = 8 * LARGEST_SIZE


class SeenLine:
    """A line with cached answers to what formats ask about it.

    Several formats ask the same about a line, which may have 160,000 cells; so each answer is
    computed on first use and kept.
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
        """Return the line parsed as a whole puzzle."""
        return find_cells(self.plain, self._size)

    @cached_property
    def row(self) -> TokenRow:
        """Return the line parsed as a row of a board."""
        return read_row(self.plain)

    @cached_property
    def delimiter(self) -> str:
        return find_delimiter(self.text)

    @cached_property
    def fields(self) -> Sequence[Field]:
        """Return the line parsed as a row of a table."""
        return split_few_fields(self.text, self.delimiter)

    @cached_property
    def boards(self) -> Sequence[bool]:
        """Return, for each field, whether it holds a board."""
        fewest = FEWEST_CELLS if self._size is None else self._size**2
        return [
            len(field.text) >= fewest and fields.is_board(field.text, self._size)
            for field in self.fields
        ]

    @cached_property
    def has_column_names(self) -> bool:
        """Whether the line may be the header of a table."""
        return fields.has_column_names(self.fields)


class Shape(Enum):
    """What a line of the text holds: a puzzle or a row."""

    PUZZLES = "a puzzle"
    ROWS = "a row"
    UNDECIDED = "not known yet"


class Head:
    """The first lines of a text, read one by one until a format recognises them.

    Each line is analysed once, whichever formats ask about it. `is_whole` means that no line
    follows. `shape` tells whether each line is a puzzle or a row, as soon as the lines show it.
    `first_row` is the first line that may hold cells, after titles, column names and borders.
    """

    def __init__(self, hints: Hints) -> None:
        self.hints = hints
        self.lines: list[str] = []
        self.is_whole = False
        self.shape = Shape.UNDECIDED
        self.first_row: SeenLine | None = None
        self.has_border_above = False
        # The first two lines that are neither empty nor comments: no format asks for more.
        self._data: list[SeenLine] = []
        # The size of the board if the first row is a whole puzzle.
        self._puzzle_size = 0
        # The first row and the lines after it, without empty lines and comments.
        self._block: list[str] = []

    def add(self, text: str) -> None:
        """Add a further line."""
        self.lines.append(text)
        line = SeenLine(len(self.lines), text, self.hints.size)
        if len(self._data) < 2 and is_data(text):
            self._data.append(line)
        if self.first_row is not None:
            if self.shape is Shape.UNDECIDED:
                self.shape = self._judge_next(line)
        elif _may_hold_cells(line):
            self.first_row = line
            self._puzzle_size = _size_of_puzzle(line, self.hints)
            self.shape = self._judge_first(line)
        else:
            self.has_border_above |= is_border(line.plain)

    def end(self) -> None:
        """Mark the text as complete, which decides the shape from the lines so far."""
        self.is_whole = True
        if self.shape is not Shape.UNDECIDED:
            return
        if self.first_row is None:
            self.shape = Shape.ROWS
        elif not self._puzzle_size:
            self.shape = Shape.PUZZLES  # more likely a damaged puzzle than a damaged row
        else:
            self.shape = self._judge_block()

    @property
    def has_data(self) -> bool:
        """Whether any line is neither empty nor a comment; no format reads a text without one."""
        return bool(self._data)

    @property
    def first(self) -> SeenLine:
        """Return the first line that is neither empty nor a comment."""
        return self._data[0]

    @property
    def second(self) -> SeenLine | None:
        """Return the second line that is neither empty nor a comment; None if there is none yet."""
        return self._data[1] if len(self._data) > 1 else None

    @property
    def above(self) -> list[str]:
        """Return the empty lines and comments above the first line."""
        return self.lines[: self.first.number - 1]

    def _judge_first(self, line: SeenLine) -> Shape:
        if not self._puzzle_size:
            return self._judge_what_is_no_puzzle(line)
        if self._puzzle_size**2 > LARGEST_SIZE:
            return Shape.PUZZLES
        if self.hints.size is not None or not _may_be_row(line):
            return Shape.PUZZLES
        return self._judge_next(line)

    def _judge_what_is_no_puzzle(self, line: SeenLine) -> Shape:
        """Return the shape for a line that is no puzzle; a damaged puzzle if too long for a row."""
        if len(line.text) > _LONGEST_ROW:
            return Shape.PUZZLES
        if line.row.size == self.hints.size:
            return Shape.ROWS
        if "|" in line.plain:
            return Shape.UNDECIDED
        # A row with a few characters too many is a damaged row; a line twice as long is not a row.
        longest = 2 * self.hints.size if self.hints.size else MOST_SYMBOLS
        is_too_long = max(map(len, line.row.tokens)) > longest
        return Shape.PUZZLES if is_too_long else Shape.UNDECIDED

    def _judge_next(self, line: SeenLine) -> Shape:
        """Return the shape after one more line: puzzles, rows of a larger board, or undecided."""
        size = self._puzzle_size
        if size and LOST in line.text:
            return Shape.PUZZLES  # an unreadable puzzle costs less than an unreadable board
        own_size = _size_of_puzzle(line, self.hints)
        is_other_size = line.kind is LineKind.CELLS and own_size not in (0, size)
        if is_other_size and (size or self._is_cut_before(line)):
            return Shape.PUZZLES  # not a row of a board: a whole puzzle of another size
        if not size or not _fits_small_board(line, size):
            return Shape.ROWS
        if is_data(line.text):
            self._block.append(line.text)
        if len(self._block) > size * size:
            return Shape.PUZZLES
        return self._judge_block() if line.kind is LineKind.EMPTY else Shape.UNDECIDED

    def _is_cut_before(self, line: SeenLine) -> bool:
        """Whether a first line that is no puzzle is a cut one, as this one is too long for a row.

        A line with fewer cells than the smallest board is more likely a heading.
        """
        assert self.first_row is not None
        is_long = max(map(len, line.row.tokens)) > MOST_SYMBOLS
        return is_long and len(self.first_row.cells.cells) >= FEWEST_CELLS

    def _judge_block(self) -> Shape:
        """Return the shape of a block that has ended.

        16 lines of 16 characters that are digits 1-4 or blanks may be a 16x16 board. If one of the
        lines is empty cells only, that is likelier than 16 small puzzles.
        """
        is_square = len(self._block) == self._puzzle_size**2
        has_empty_line = any(all(map(is_blank, line.split())) for line in self._block)
        return Shape.ROWS if is_square and has_empty_line else Shape.PUZZLES


def _may_hold_cells(line: SeenLine) -> bool:
    is_section = line.text.startswith("[")  # a section of SadMan's .sdk
    return line.kind is LineKind.CELLS and not line.has_column_names and not is_section


def _may_be_row(line: SeenLine) -> bool:
    """Whether a line that would be a whole puzzle may also be the first row of a larger board."""
    tokens = line.row.tokens
    if len(tokens) == 1 or line.row.group:
        length = len("".join(tokens))
        return length <= MOST_SYMBOLS and has_boxes(length)
    is_short = len(tokens) <= LARGEST_SIZE
    return is_short and all(len(token) == 1 or is_number_or_blank(token) for token in tokens)


def _size_of_puzzle(line: SeenLine, hints: Hints) -> int:
    """Return the size of the board if the line is a whole puzzle; 0 if it is none.

    25 characters with digits up to 5 are one as well, although 5x5 has no boxes and is refused
    later.
    """
    if line.cells.size or hints.size is not None or len(line.row.tokens) != 1:
        return line.cells.size or 0
    count = len(line.cells.cells)
    size = isqrt(count)
    is_square = size > 3 and size * size == count
    return size if is_square and _fits_small_board(line, size) else 0


def _fits_small_board(line: SeenLine, size: int) -> bool:
    """Whether all digits of a line are digits of a board of that size."""
    return all(is_blank(cell) or _is_number_up_to(size, cell) for cell in line.cells.cells)


def _is_number_up_to(size: int, cell: str) -> bool:
    number = read_number(cell)
    return number is not None and number <= size


# The beginnings of the line with the size in CNF, WCNF and OPB, and of our own formulas.
_SIZES_OF_FORMULAS = ("p cnf ", "p wcnf ", "* #variable", "c satdoku ")
_MOST_COMMENTS = 600  # at the beginning of a formula of another program


def refuse_formula(head: Head, read_line: Callable[[], None], source: str) -> None:
    """Refuse a text that begins like a formula: with comments, and then a line with the size.

    `read_line` adds a line to the head.
    """
    lines = head.lines
    while lines[-1].startswith("c ") and len(lines) < _MOST_COMMENTS and not head.is_whole:
        read_line()
    if lines[0].startswith(_SIZES_OF_FORMULAS) or lines[-1].startswith(_SIZES_OF_FORMULAS):
        message = "this is a formula and no puzzle; satdoku decode makes a grid of an answer to it"
        raise FormatError(message, source, 1, 1)
