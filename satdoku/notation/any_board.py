"""Boards of any shape as text: a line that describes the board, its rows, and cells beside it.

    board:4x6:digits=9:beside=VS*2
    12....
    ......
    ....9.
    ......
    VS1=4

Blanks stand for holes, as in a samurai of 21 lines. The first line may be missing where `--box`
describes the board; then a line may also have all cells, those beside the board last.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from satdoku.errors import FormatError, SatdokuError, count_of, quote
from satdoku.notation.cells import grid_of_cells, require_cells
from satdoku.notation.detection import Head
from satdoku.notation.format import AnsweredInCells
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Place, Record, with_place
from satdoku.notation.spelling import (
    Spelling,
    agreed_geometry,
    spelling_by_symbols,
)
from satdoku.puzzle.grid import WELL_KNOWN, Geometry, Grid, is_arrangement
from satdoku.puzzle.puzzle import Puzzle

_FRAME = str.maketrans("|", " ")
_BORDER = set("+-=* \t")


class AnyBoardFormat(AnsweredInCells):
    """Boards of any shape: a line for the shape, rows with blanks for holes, cells beside them."""

    name: ClassVar[str] = "board"
    description: ClassVar[str] = "a board of any shape: a line board:..., then its rows"
    between: ClassVar[str] = "\n"
    takes_any_board: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        return _is_wanted(head.hints) or is_arrangement(head.first.text)

    def is_unmistakable(self, head: Head) -> bool:
        return True

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        block: list[str] = []
        begin = 0
        for number, line in enumerate(lines, 1):
            is_new = is_arrangement(line)
            if block and (is_new or not line.strip()):
                yield Record(begin, "\n".join(block))
                block = []
            if not block and _is_one_line(line, hints):
                yield Record(number, line)
            elif block or (line.strip() and is_data(line)):
                begin = begin if block else number
                block.append(line)
        if block:
            yield Record(begin, "\n".join(block))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        start = (record.line, record.column)
        first, *rest = record.text.split("\n")
        try:
            shown = Geometry.parse(first) if is_arrangement(first) else None
            board = agreed_geometry(hints.geometry, shown) or named_shape([first, *rest])
        except SatdokuError as error:
            raise with_place(error, source, start) from None
        if board is None:
            message = "this board needs a first line such as board:6x6:digits=9, or --box"
            raise FormatError(message, source, *start)
        lines = list(enumerate([first, *rest], record.line))[0 if shown is None else 1 :]
        return Puzzle(read_rows(lines, board, hints, source), record.name)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        board, shown = puzzle.geometry, spelling_by_symbols(puzzle, spelling)
        lines = [str(board), *rows_of_board(puzzle.grid, shown)]
        if board.is_plain:
            lines[0] = f"board:{board.size}x{board.size}:boxes={board}"
        texts = shown.texts(puzzle.grid)
        given = [cell for cell in puzzle.givens if cell >= board.board_count]
        beside = " ".join(f"{board.name_of(cell)}={texts[cell]}" for cell in given)
        return "\n".join([*lines, *filter(None, [beside])]) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return Spelling(hints.alphabet)


def _is_wanted(hints: Hints) -> bool:
    return hints.geometry is not None and not hints.geometry.is_plain


def _is_one_line(line: str, hints: Hints) -> bool:
    """Whether a line has all cells of the board that the user describes."""
    board = hints.geometry
    if board is None or not _is_wanted(hints) or board.height == 1:
        return False
    return len(_cells_of(line, board)) in (board.cell_count, board.board_count)


def _cells_of(text: str, board: Geometry) -> Sequence[str]:
    """Return the cells of a line: words if spaces separate digits above 9, else characters."""
    words = text.translate(_FRAME).split()
    is_spaced = len(words) > 1 and board.size > 9
    return words if is_spaced else "".join(words)


def rows_of_board(grid: Grid, spelling: Spelling) -> list[str]:
    """Return a line for each row of the board, with blanks for holes."""
    board, texts = grid.geometry, spelling.texts(grid)
    width = max(map(len, texts))
    separator = spelling.separator(board.size)
    lines = []
    for row in range(board.height):
        cells = (board.cell_at(row, column) for column in range(board.width))
        shown = [" " * width if c is None else texts[c].rjust(width) for c in cells]
        lines.append(separator.join(shown).rstrip())
    return lines


def read_rows(lines: Sequence[tuple[int, str]], board: Geometry, hints: Hints, source: str) -> Grid:
    """Return the board in numbered lines: one row on each line, or all cells on one line."""
    beside: dict[int, tuple[str, Place]] = {}
    rows: list[tuple[int, str]] = []
    for number, line in lines:
        if "=" in line and not board.is_plain:
            beside.update(_read_beside(number, line, board, source))
        elif set(line) - _BORDER and is_data(line):
            rows.append((number, line))
    cells: list[str] = []
    places: list[Place] = []
    if len(rows) == 1 and board.height > 1:
        ((number, line),) = rows
        cells = [*_cells_of(line, board)]
        _require_count(len(cells), board, source, (number, 1))
        places = [(number, 1)] * len(cells)
    else:
        for row, (number, line) in enumerate(_require_rows(rows, board, source)):
            found = _read_row(row, number, line, board, source)
            cells += found
            places += [(number, 1)] * len(found)
    cells += ["."] * (board.cell_count - len(cells))
    places += [(lines[-1][0], 1)] * (board.cell_count - len(places))
    for cell, (text, place) in beside.items():
        cells[cell], places[cell] = text, place
    has_numbers = board.size > 9 and any(" " in line.strip() for _, line in rows)
    shown = cells if has_numbers else "".join(cells)
    if len(shown) != len(cells):
        raise with_place(SatdokuError("a cell has more than one sign"), source, places[0])
    return grid_of_cells(shown, board, hints, places.__getitem__, source)


def _require_count(count: int, board: Geometry, source: str, place: Place) -> None:
    try:
        require_cells(count, board)
    except SatdokuError as error:
        raise with_place(error, source, place) from None


def _require_rows(
    rows: Sequence[tuple[int, str]], board: Geometry, source: str
) -> Sequence[tuple[int, str]]:
    if len(rows) != board.height:
        number = rows[-1][0] if rows else 1
        found = count_of(len(rows), "row")
        message = f"{found} found, a board of {board.board_words} has {board.height}"
        raise FormatError(message, source, number, 1)
    return rows


def _read_row(row: int, number: int, line: str, board: Geometry, source: str) -> Sequence[str]:
    """Return the cells of a row; blanks are holes, wherever they stand in it."""
    cells = _cells_of(line, board)
    places = [board.cell_at(row, column) for column in range(board.width)]
    wanted = sum(place is not None for place in places)
    shown = line.rstrip()
    if len(cells) == wanted and not (len(shown) <= board.width and " " in shown):
        return cells
    # In a line no wider than the board, each character stands in the column of its cell.
    for column, place in enumerate(places if len(shown) <= board.width else ()):
        sign = shown[column] if column < len(shown) else " "
        if (place is None) != (sign == " "):
            what = "is a hole of the board" if place is None else "has no digit and no blank sign"
            message = f"r{row + 1}c{column + 1} {what}"
            raise FormatError(message, source, number, column + 1)
    if len(cells) != wanted:
        message = f"{count_of(len(cells), 'cell')} found in row {row + 1}, expected {wanted}"
        raise FormatError(message, source, number, 1)
    return cells


def _read_beside(
    number: int, line: str, board: Geometry, source: str
) -> Mapping[int, tuple[str, Place]]:
    """Return the cells beside the board from a line such as `VS1=4 VS2=.`."""
    found = {}
    for word in line.replace(",", " ").split():
        name, _, text = word.partition("=")
        cell = board.cell_named(name)
        place = (number, line.find(word) + 1)
        if cell is None:
            message = f"{quote(name, 20)} is no cell beside this board"
            raise FormatError(message, source, *place)
        found[cell] = (text, place)
    return found


def named_shape(lines: Sequence[str]) -> Geometry | None:
    """Return the well-known board whose holes are the blanks of these lines; None if none fits."""
    # A hole is at least three cells wide; lines without such a gap are not examined further.
    if not any("   " in line.strip() or line.startswith("   ") for line in lines):
        return None
    shown = [line.rstrip() for line in lines if line.strip()]
    for board in map(Geometry.parse, WELL_KNOWN):
        if len(shown) == board.height and _fits(shown, board):
            return board
    return None


def _fits(lines: Sequence[str], board: Geometry) -> bool:
    for row, line in enumerate(lines):
        for column in range(max(board.width, len(line))):
            sign = line[column] if column < len(line) else " "
            if (sign == " ") != (board.cell_at(row, column) is None):
                return False
    return True
