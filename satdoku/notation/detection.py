"""What the first lines of a text tell about its shape: a puzzle a line, or a row a line.

16 characters may be a 4x4 puzzle or the first row of a 16x16; as long as all digits fit into the
small board, the following lines have to be seen, up to the end of the block or the 17th line.
"""

from collections.abc import Sequence
from enum import Enum
from math import isqrt

from satdoku.notation.digits import has_boxes, read_number
from satdoku.notation.drawings.row import is_border, is_dashes, is_header, plain, read_row
from satdoku.notation.lines.cells import find_cells, is_number_or_blank
from satdoku.notation.record import Hints
from satdoku.notation.tables.fields import has_column_names

_MOST_CHARACTERS_IN_A_ROW = 36


class Shape(Enum):
    """What a line of the text holds."""

    PUZZLES = "a puzzle"
    ROWS = "a row"
    UNDECIDED = "not known yet"


def is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def first_data(lines: Sequence[str]) -> int:
    """The index of the first line that is neither empty nor a comment."""
    return next(n for n, line in enumerate(lines) if line.strip() and not is_comment(line))


def first_row(lines: Sequence[str]) -> int | None:
    """The index of the first line that may hold cells, behind headers and borders."""
    for index, line in enumerate(lines):
        drawn = plain(line)
        if not line.strip() or is_comment(line) or is_header(line) or has_column_names(line):
            continue
        if not is_border(drawn) and not is_dashes(drawn) and not line.startswith("["):
            return index
    return None


def find_shape(lines: Sequence[str], is_whole: bool, hints: Hints) -> Shape:
    """Whether the text has a puzzle on each line or a row, judged by its first lines."""
    start = first_row(lines)
    if start is None:
        return Shape.ROWS if is_whole else Shape.UNDECIDED
    first = plain(lines[start])
    count = _puzzle_cells(first, hints.size)
    if not count:
        return _judge_unknown(first, start + 1 == len(lines), is_whole, hints)
    if hints.size is not None or not _may_be_row(first):
        return Shape.PUZZLES
    return _look_further(lines[start:], is_whole, count)


def _judge_unknown(line: str, is_only_line: bool, is_whole: bool, hints: Hints) -> Shape:
    """Rows, unless the line is too long for that, or stands alone."""
    longest = 2 * hints.size if hints.size else _MOST_CHARACTERS_IN_A_ROW
    if read_row(line).size == hints.size:
        return Shape.ROWS
    if len(line.split(None, 1)[0]) > longest and "|" not in line:
        return Shape.PUZZLES
    if is_only_line:
        return Shape.PUZZLES if is_whole else Shape.UNDECIDED
    return Shape.ROWS


def _puzzle_cells(line: str, size: int | None) -> int:
    """How many cells the puzzle on this line has, 0 if it is none."""
    found = find_cells(line, size)
    return len(found.cells) if found.size is not None else 0


def _may_be_row(line: str) -> bool:
    row = read_row(line)
    together = "".join(row.tokens)
    if len(row.tokens) == 1 or row.group:
        return len(together) <= _MOST_CHARACTERS_IN_A_ROW and has_boxes(len(together))
    return all(len(token) == 1 or is_number_or_blank(token) for token in row.tokens)


def _look_further(lines: Sequence[str], is_whole: bool, count: int) -> Shape:
    """Decide between puzzles of `count` cells and rows of that many cells by their digits."""
    is_ended = is_whole or not lines[-1].strip()
    if lines[-1].strip() and not _fits_small_board(plain(lines[-1]), isqrt(count)):
        return Shape.ROWS
    block = [line for line in lines if line.strip() and not is_comment(line)]
    if len(block) > count:
        return Shape.PUZZLES
    if not is_ended:
        return Shape.UNDECIDED
    has_empty_line = any(not line.strip(" \t.0_-*?xX") for line in block)
    return Shape.ROWS if len(block) == count and has_empty_line else Shape.PUZZLES


def _fits_small_board(line: str, size: int) -> bool:
    cells = find_cells(line).cells
    return all(
        not cell.strip(".0_-*?xX") or ((number := read_number(cell)) is not None and number <= size)
        for cell in cells
    )
