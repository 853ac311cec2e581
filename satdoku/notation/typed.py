"""Decide whether a typed or pasted text is complete, so that it can be answered."""

from collections.abc import Sequence

from satdoku.errors import SatdokuError
from satdoku.notation.bounds import MOST_LINES
from satdoku.notation.detection import Head
from satdoku.notation.drawings.board import Block, Line, RowsFormat
from satdoku.notation.format import Format
from satdoku.notation.formats import detect_format, format_named
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import LineKind, is_border, is_data, plain
from satdoku.notation.reading import PuzzleReader

# The cells of 9x9, the usual board.
_FEWEST_CELLS = 81


def is_no_paste(text: Sequence[str]) -> bool:
    """Whether a text is longer than any paste, so that it comes from a program."""
    return len(text) > MOST_LINES


def is_whole(lines: Sequence[str], format_name: str | None, hints: Hints) -> bool:
    """Whether these lines hold puzzles to which no further line can belong.

    Two empty lines end every text, and one ends all but a board with gaps between its bands.
    Otherwise a text is complete if its format is certain and its last puzzle is complete: a line of
    81 characters is, and so are nine rows of nine. A line of 16 is not, because it may be the first
    row of a larger board.

    >>> rows = ["1...", "..2.", ".3..", "...4"]
    >>> is_whole(rows[:3], None, Hints()), is_whole(rows, None, Hints())
    (False, True)
    """
    shown = [line for line in lines if line.strip()]
    if not any(map(is_data, shown)):
        return False
    found = _certain_format(lines, format_name, hints)
    if lines[-1].strip():
        return found is not None and _is_complete(lines, found, hints)
    has_two = len(lines) > 1 and not lines[-2].strip()
    return has_two or not (isinstance(found, RowsFormat) and _may_go_on(lines, hints))


def is_whole_paste(lines: Sequence[str], format_name: str | None, hints: Hints) -> bool:
    """Whether lines that came at once hold a board of 9x9 or larger, and nothing unread.

    A smaller board may be a row of another, or a few numbers.
    """
    reader = PuzzleReader(lines, "", format_name, hints)
    try:
        return all(reader.parser(r).geometry.cell_count >= _FEWEST_CELLS for r in reader)
    except SatdokuError:
        return False


def _certain_format(lines: Sequence[str], format_name: str | None, hints: Hints) -> Format | None:
    """Return the format of the text if no further line can change it, else None."""
    head = Head(hints)
    for line in lines:
        head.add(line)
    try:
        found = format_named(format_name) if format_name else detect_format(head)
        return None if found is None else found.prepare(head, "")
    except SatdokuError:
        return None


def _is_complete(lines: Sequence[str], found: Format, hints: Hints) -> bool:
    """Whether the last puzzle needs no further line; rows of a table may always follow."""
    if found.columns is not None:
        return False
    # A link is complete, even if it is damaged.
    if found.is_linewise and (found.has_bare_lines or found.is_cited):
        return True
    # A board with a border above it still needs a border below it.
    kinds = [LineKind.BORDER if is_border(plain(line)) else None for line in lines if line.strip()]
    if kinds[0] is LineKind.BORDER and kinds[-1] is not LineKind.BORDER:
        return False
    try:
        puzzles = [found.parse(record, hints, "") for record in found.split(lines, hints)]
    except SatdokuError:
        return False
    return bool(puzzles)


def _may_go_on(lines: Sequence[str], hints: Hints) -> bool:
    """Whether the text ends in a band of a board, so that another band may follow."""
    block = Block(hints.size)
    for number, text in enumerate(lines[:-1], 1):
        line = Line.read(number, text)
        if line.kind is LineKind.EMPTY:
            block.add_gap(line)
        else:
            block.add(line)
    return not block.is_complete and block.may_go_on_behind_gap()
