"""Pasted boards in rows: runs of cells, tables with empty fields, drawings with spaces for blanks.

What a text leaves open has to fit in exactly one way: how many columns a gap between boxes takes,
or where a board begins whose blanks are spaces. Where two ways fit, there is no board.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, pairwise, product
from math import isqrt

from satdoku.notation.line_kind import is_border
from satdoku.notation.pastes.signs import with_dots
from satdoku.notation.sizes import has_boxes, size_of_count
from satdoku.notation.symbols import is_blank, read_number
from satdoku.puzzle.geometry import Geometry

_RUN = re.compile(r"(?<![A-Za-z0-9.])[0-9.]+(?![A-Za-z0-9.])")
_WORD = re.compile(r"[A-Za-z]{3}")
_SIDE, _CELLS = 9, 81

_SEPARATORS = "\t|&;,"
_LEVEL = r"=[= ]+"
_RULE = re.compile(r"[\s|:+=-]*")
_SIZES = (9, 4, 6, 8, 10, 12, 16)
"""Sizes of boards that are pasted as tables; 9x9 is looked for first."""


def flat_board(cells: Sequence[str]) -> list[str]:
    """The cells as a JSON list, if they are as many as a board has, and look like cells."""
    size = size_of_count(len(cells))
    if size is None or isqrt(len(cells)) < 4:
        return []
    digits = [0 if is_blank(cell) else read_number(cell) for cell in cells]
    if not any(digits) or not all(digit is not None and digit <= size for digit in digits):
        return []
    # Where a rule makes 0 a digit, other signs are still blanks.
    blanks = (0 if cell == "0" else None for cell in cells)
    return [json.dumps([digit or blank for digit, blank in zip(digits, blanks, strict=True)])]


# Runs of cells


def read_runs(lines: Sequence[str]) -> list[str]:
    """Cells in runs of equal length, whatever stands between them.

    Nine lines of nine cells are rows. All 81 may also stand on one line, or on lines that were
    broken where they were full.
    """
    # A cell a line, among brackets that show rows, is a list in a program.
    if any(re.search(r"[\[\](){}]", line) and len(line.strip()) < 3 for line in lines):
        lines = [line for line in lines if len(line.strip()) > 3]
    rows = ((line, _RUN.findall(with_dots(line))) for line in lines)
    if _are_dotted(lines):
        return flat_board("".join(lines).replace(",", "."))
    # Lines with words and some numbers are a heading, or part of a program.
    shown = [runs for line, runs in rows if runs and (_is_even(runs) or not _WORD.search(line))]
    return _side_by_side(shown) or _in_a_stream(shown)


def _are_dotted(lines: Sequence[str]) -> bool:
    """Whether these are nine lines of nine digits and dots, of which a scanner saw some as commas.

    Commas that part cells have one cell between any two of them.
    """
    shown = [line.strip() for line in lines if line.strip()]
    is_square = len(shown) == _SIDE and all(re.fullmatch("[1-9.,]{9}", line) for line in shown)
    return is_square and any(re.search("[1-9][1-9]|[.,]{2}", line) for line in shown)


def _is_even(runs: Sequence[str]) -> bool:
    """Whether these may be cells of whole rows: in runs of one length."""
    return len({*map(len, runs)}) == 1 and sum(map(len, runs)) >= _SIDE


def _side_by_side(rows: Sequence[Sequence[str]]) -> list[str]:
    """Nine rows of one board, or of a board and its solution to the right of it."""
    if len(rows) != _SIDE:
        return []
    if all(len(runs) == 2 and {*map(len, runs)} == {_SIDE} for runs in rows):
        left, right = ("".join(runs[side] for runs in rows) for side in (0, 1))
        return flat_board(left) if is_solution_of(right, left) else []
    return _in_a_stream(rows)


def _in_a_stream(rows: Sequence[Sequence[str]]) -> list[str]:
    counts = [sum(map(len, runs)) for runs in rows]
    # Two rows that were joined leave whole rows.
    if sum(counts) == _CELLS and all(count % _SIDE == 0 for count in counts):
        counts = [_SIDE] * _SIDE
    # Rows of 8 and of 10 cells are a damaged board: only the last line may be shorter.
    if sum(counts) != _CELLS or len({*counts[:-1]}) > 1 or counts[-1] > counts[0]:
        return []
    lengths = {len(run) for runs in rows for run in runs}
    is_even = len(lengths) == 1 and _SIDE % min(lengths) in (0, _SIDE)
    is_broken = all(len(runs) == 1 for runs in rows) and len(rows) < _SIDE
    cells = "".join(map("".join, rows))
    # What has no blanks is a board in rows alone: 27 givens with their cells are 81 digits as well.
    has_sense = len(rows) == _SIDE or any(map(is_blank, cells))
    return flat_board(cells) if has_sense and (is_even or is_broken) else []


def is_solution_of(solution: Sequence[str], puzzle: Sequence[str]) -> bool:
    """Whether a board is full, and has the digits of the other one, which is not."""
    pairs = list(zip(solution, puzzle, strict=True))
    is_full = not any(is_blank(cell) for cell in solution)
    has_blanks = any(is_blank(given) for given in puzzle)
    return is_full and has_blanks and all(is_blank(given) or given == cell for cell, given in pairs)


# Tables


def read_table(lines: Sequence[str]) -> list[str]:
    """A table in which an empty field is an empty cell, with tabs, bars, commas or `&`.

    Above it, beside it and between its boxes there may be empty columns and lines.
    """
    for separator in _SEPARATORS:
        rows = _fields_of(lines, separator)
        if len(rows) == 1:
            return flat_board([field or "." for field in rows[0]])
        for size in _SIZES:
            boards = _distinct(_tables_in(rows, size))
            if boards:
                return _only(boards)
    return []


def _distinct(boards: Iterable[Sequence[str]]) -> set[tuple[str, ...]]:
    """The different ways in which a text may be a board."""
    return {tuple(cells) for cells in boards}


def _only(boards: Collection[Sequence[str]]) -> list[str]:
    """The board of a text that is one in a single way."""
    return flat_board(*boards) if len(boards) == 1 else []


def _fields_of(lines: Sequence[str], separator: str) -> list[list[str]]:
    """The fields of the lines that have the separator, or of all of a table with tabs."""
    # What stands behind the last tab of a line may be gone, and so a line may have no tab at all.
    drawn = [line for line in lines if separator in line or (separator == "\t" and _is_bare(line))]
    if not any(separator in line for line in drawn):
        return []
    shown = [line.strip(" ") for line in drawn if not _RULE.fullmatch(line) or "-" not in line]
    if separator == "|":
        shown = _without_outer_bars(shown)
    rows = [[field.strip(" *`\"'") for field in with_dots(line).split(separator)] for line in shown]
    width = max(map(len, rows), default=0)
    # Where empty cells have a sign of their own, none is gone.
    has_sign = any(field and is_blank(field) for row in rows for field in row)
    if separator == "\t" and not has_sign and not any(line.endswith("\t") for line in shown):
        rows = [row + [""] * (width - len(row)) for row in rows]
    # A header has words.
    return list(dropwhile(lambda row: not all(map(_is_cell, row)), rows))


def _is_bare(line: str) -> bool:
    return len(line.strip()) == 1


def _is_cell(field: str) -> bool:
    return is_blank(field) or field.isdecimal()


def _without_outer_bars(lines: Sequence[str]) -> list[str]:
    bare = [line for line in lines if line.strip("| ")] or lines
    if all(line.startswith("|") for line in bare):
        lines = [line.removeprefix("|") for line in lines]
    # Of `|5 | |`, where an empty cell is last, the bar is needed.
    if all(line.endswith("|") for line in bare):
        lines = [line.removesuffix("|") for line in lines]
    return list(lines)


def _tables_in(rows: Sequence[Sequence[str]], size: int) -> Iterator[list[str]]:
    """The boards of that size that are left when empty columns and lines are dropped."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or len(rows) < size or min(widths) < size:
        return
    box = Geometry.of_size(size)
    above = [not any(row) for row in rows]
    beside = [not any(column) for column in zip(*rows, strict=True)]
    for downs, acrosses in product(
        _places(above, size, box.box_rows), _places(beside, size, box.box_columns)
    ):
        yield [rows[down][across] for down in downs for across in acrosses]


def _places(are_empty: Sequence[bool], size: int, box: int) -> Iterator[list[int]]:
    """Where the rows or columns of a board may be among others that are all empty."""
    for gap in (0, 1):
        wanted = [place + place // box * gap for place in range(size)]
        for start in range(len(are_empty) - wanted[-1]):
            places = [start + place for place in wanted]
            if all(is_empty for n, is_empty in enumerate(are_empty) if n not in places):
                yield places


# Drawings with spaces for blanks


def read_spaces(lines: Sequence[str]) -> list[str]:
    """A line for each row, where a space is a blank: close together, spaced, or between bars."""
    shown = [line for line in lines if line.strip()]
    if len(shown) == 1 and len(shown[0]) == _CELLS and re.fullmatch("[0-9 ]+", shown[0]):
        return flat_board(shown[0].replace(" ", ".")) if _touch(shown) else []
    drawn = [line for line in lines if not (is_border(line) or re.fullmatch(_LEVEL, line))]
    # An empty line at an end may be anything; one of spaces is a row.
    drawn = "\n".join(drawn).strip("\n").split("\n")
    # An empty line is an empty row, or stands between two bands.
    boards = _distinct(_drawn_in(drawn)) or _distinct(_drawn_in(list(filter(str.strip, drawn))))
    return _only(boards)


def _touch(rows: Iterable[str]) -> bool:
    """Whether digits stand side by side somewhere; if not, spaces may part them."""
    return any(re.search("[1-9][1-9]", row) for row in rows)


def _may_be_drawn(rows: Sequence[str]) -> bool:
    """Whether these are the rows of a small board, with nothing but digits, bars and spaces."""
    size = len(rows)
    if not (4 <= size <= _SIDE and has_boxes(size)):
        return False
    return all(re.fullmatch(f"[ |1-{size}]*", row) for row in rows)


def _drawn_in(rows: Sequence[str]) -> Iterator[list[str]]:
    """The boards that these may be the rows of."""
    if not _may_be_drawn(rows):
        return
    size = len(rows)
    rows = [row.replace("||", "|") for row in rows]
    # Where spaces stand at the ends of lines, none of them are gone.
    if any(row.endswith(" ") for row in rows) and len({*map(len, rows)}) > 1:
        return
    width = max(len(row.rstrip()) for row in rows)
    padded = (row.ljust(width)[:width] for row in rows)
    columns = ["".join(column) for column in zip(*padded, strict=True)]
    bars = [n for n, column in enumerate(columns) if "|" in column]
    digits = {n for n, column in enumerate(columns) if re.search("[0-9]", column)}
    if not digits or any(columns[bar].strip("|") for bar in bars):
        return
    # What every row begins with is no column of a board: the blanks before it are gone.
    if not bars and " " not in columns[min(digits)]:
        return
    for places in _layouts(width, size):
        if digits <= {*places} and _fits(places, size, bars, digits, width, rows):
            cells = [row.ljust(places[-1] + 1)[place] for row in rows for place in places]
            yield [cell.strip() or "." for cell in cells]


def _layouts(width: int, size: int) -> Iterator[list[int]]:
    """Where columns may stand: up to four characters from each other, and more between boxes."""
    box = Geometry.of_size(size).box_columns
    for step, gap, start in product(range(1, 5), range(5), range(width)):
        places = [start + n * step + n // box * gap for n in range(size)]
        # Without the spaces at their ends, lines may be a column shorter.
        if places[-2] < width <= places[-1] + 2 + step:
            yield places


def _fits(
    places: Sequence[int],
    size: int,
    bars: Sequence[int],
    digits: set[int],
    width: int,
    rows: Sequence[str],
) -> bool:
    """Whether bars are in the middle between boxes; if there are none, whether that is certain."""
    box = Geometry.of_size(size).box_columns
    if bars:
        between = [(places[n - 1] + places[n]) / 2 for n in range(box, size, box)]
        inner = [bar for bar in bars if places[0] < bar < places[-1]]
        return inner == between
    neighbours = {*pairwise(places)}
    has_pair = any(
        row[left : left + 1].isdigit() and row[right : right + 1].isdigit()
        for row in rows
        for left, right in neighbours
    )
    fills_lines = places[0] == 0 and all(len(row) == places[-1] + 1 for row in rows)
    # Digits in every second place may be spaced, with their blanks lost.
    is_spaced = places[1] - places[0] == 1 and not _touch(rows)
    return has_pair and not is_spaced and (fills_lines or places[0] in digits)
