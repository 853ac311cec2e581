"""Telling texts with a puzzle on each line from texts with a row on each line.

16 characters may be a 4x4 puzzle or the first row of a 16x16; as long as all digits fit into the
small board, the following lines have to be seen, up to the end of the block or the 17th line.
"""

from enum import Enum

from satdoku.notation.line_kind import LineKind, is_border, is_data
from satdoku.notation.seen_line import SeenLine
from satdoku.notation.sizes import LARGEST_SIZE, has_boxes
from satdoku.notation.symbols import MOST_SYMBOLS, is_blank, is_number_or_blank, read_number


class Shape(Enum):
    """What a line of the text holds."""

    PUZZLES = "a puzzle"
    ROWS = "a row"
    UNDECIDED = "not known yet"


class ShapeFinder:
    """Decides for a shape by the lines of a text, which come in one by one.

    `first_row` is the first line that may hold cells, behind titles and borders.
    """

    def __init__(self, size: int | None) -> None:
        self.shape = Shape.UNDECIDED
        self.first_row: SeenLine | None = None
        self.has_border_above = False
        self._size = size
        # The size of the board that the first row would be, if it were a whole puzzle.
        self._puzzle_size = 0
        # The first row, and what follows it, without empty lines and comments.
        self._block: list[str] = []

    def add(self, line: SeenLine) -> None:
        """Look at a further line."""
        if self.first_row is not None:
            if self.shape is Shape.UNDECIDED:
                self.shape = self._judge_next(line)
        elif _may_hold_cells(line):
            self.first_row = line
            self._puzzle_size = line.cells.size or 0
            self.shape = self._judge_first(line)
        else:
            self.has_border_above |= is_border(line.plain)

    def end(self) -> None:
        """Decide by what has been seen, as there are no further lines."""
        if self.shape is not Shape.UNDECIDED:
            return
        if self.first_row is None:
            self.shape = Shape.ROWS
        elif not self._puzzle_size:
            self.shape = Shape.PUZZLES  # a line alone is a torn puzzle rather than a torn board
        else:
            self.shape = self._judge_block()

    def _judge_first(self, line: SeenLine) -> Shape:
        if not self._puzzle_size:
            return self._judge_what_is_no_puzzle(line)
        if self._size is not None or not _may_be_row(line):
            return Shape.PUZZLES
        return self._judge_next(line)

    def _judge_what_is_no_puzzle(self, line: SeenLine) -> Shape:
        """A row if it is as long as the user says, a torn puzzle if it is too long for any row."""
        if line.row.size == self._size:
            return Shape.ROWS
        if "|" in line.plain:
            return Shape.UNDECIDED
        # A few characters too many are the fault of a row; twice as many are no row.
        longest = 2 * self._size if self._size else MOST_SYMBOLS
        is_too_long = max(map(len, line.row.tokens)) > longest
        return Shape.PUZZLES if is_too_long else Shape.UNDECIDED

    def _judge_next(self, line: SeenLine) -> Shape:
        """Whether a further line decides between puzzles, and rows as long as they have cells."""
        size = self._puzzle_size
        if size and line.kind is LineKind.CELLS and line.cells.size not in (None, size):
            return Shape.PUZZLES  # a whole puzzle of another size is no row beside the first one
        if not size or not _fits_small_board(line, size):
            return Shape.ROWS
        if is_data(line.text):
            self._block.append(line.text)
        if len(self._block) > size * size:
            return Shape.PUZZLES
        return self._judge_block() if line.kind is LineKind.EMPTY else Shape.UNDECIDED

    def _judge_block(self) -> Shape:
        """The shape of a block that has ended.

        16 lines of 16 characters that are digits 1-4 or blanks may be a 16x16 board; it is likelier
        than 16 small puzzles if one of them is empty, as no puzzle is.
        """
        is_square = len(self._block) == self._puzzle_size**2
        has_empty_line = any(all(map(is_blank, line.split())) for line in self._block)
        return Shape.ROWS if is_square and has_empty_line else Shape.PUZZLES


def _may_hold_cells(line: SeenLine) -> bool:
    is_section = line.text.startswith("[")  # of SadMan's .sdk
    return line.kind is LineKind.CELLS and not line.has_column_names and not is_section


def _may_be_row(line: SeenLine) -> bool:
    """Whether what would be a whole puzzle may as well be the first row of a larger board."""
    tokens = line.row.tokens
    if len(tokens) == 1 or line.row.group:
        length = len("".join(tokens))
        return length <= MOST_SYMBOLS and has_boxes(length)
    is_short = len(tokens) <= LARGEST_SIZE
    return is_short and all(len(token) == 1 or is_number_or_blank(token) for token in tokens)


def _fits_small_board(line: SeenLine, size: int) -> bool:
    """Whether all digits of a line are digits of a board of that size."""
    return all(is_blank(cell) or _is_number_up_to(size, cell) for cell in line.cells.cells)


def _is_number_up_to(size: int, cell: str) -> bool:
    number = read_number(cell)
    return number is not None and number <= size
