"""Boards as lists: rows of numbers, strings or None (as on LeetCode), and arrays.

numpy, pandas and polars are not imported. Iterating over a frame yields column names in pandas, and
columns in polars, which would transpose the board. So each library is asked for rows by its own
method.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from satdoku.errors import FormatError, count_of, quote
from satdoku.notation.drawings.row import read_row
from satdoku.notation.hints import Hints
from satdoku.notation.record import PlaceOf, with_place
from satdoku.notation.spelling import (
    MOST_SYMBOLS,
    NUMBERS,
    ZEROS,
    Spelling,
    decide_geometry,
    has_boxes,
    is_blank,
    read_digits,
    row_fault,
    size_of_count,
    split_every,
)
from satdoku.puzzle.grid import Grid

LONGEST_CELL = 3
"""Longest string for a cell, as numbers have up to three digits; a longer string is a row."""

_SYMBOL_OF = {str(number): symbol for number, symbol in enumerate(ZEROS.symbols(MOST_SYMBOLS))}
_NUMBER_OF = {symbol: int(number) for number, symbol in _SYMBOL_OF.items()}


def read_lists(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> Grid:
    """Return the board of a list of rows, or of a flat list of all cells."""
    try:
        size = _size_of_flat(rows, hints) or _size_of_rows(rows, hints, place_of, source)
        geometry = decide_geometry(size, hints.geometry)
    except FormatError as error:
        raise with_place(error, source, place_of(0)) from None
    cells, alphabet = list_cells(rows, size), hints.alphabet
    # `isinstance` would accept True as a number.
    if all(cell is None or type(cell) is int for cell in _values(rows)):
        if alphabet is not None and alphabet.is_counted:
            # With digits from 0 on, the number 12 is the symbol C.
            cells = [_SYMBOL_OF.get(cell, cell) for cell in cells]
        else:
            # Numbers are read as numbers, even if the user says that digits are letters.
            alphabet = NUMBERS
    return Grid(geometry, read_digits(cells, size, alphabet, place_of, source))


def write_lists(cells: Sequence[object], solution: Grid, spelling: Spelling) -> list[object]:
    """Return a solution in the form of its puzzle's list: flat or rows, numbers or strings."""
    size = solution.geometry.size
    is_flat = len(cells) != size
    texts = spelling.texts(solution)
    if not is_flat and all(isinstance(row, str) for row in cells):
        return [spelling.separator(size).join(row) for row in split_every(texts, size)]
    found: Sequence[object] = solution.digits
    if _has_strings(_values(cells)):
        found = texts
    elif spelling.alphabet is not None and spelling.alphabet.is_counted:
        found = [_NUMBER_OF[text] for text in texts]
    return list(found) if is_flat else [list(row) for row in split_every(found, size)]


def list_cells(rows: Sequence[object], size: int) -> list[str]:
    """Return the texts of all cells of a board, row by row; an empty cell is a dot."""
    if len(rows) != size:
        return list(map(_cell_text, rows))
    return [cell for row in rows for cell in _row_cells(row, size)]


def _row_cells(row: object, size: int) -> Sequence[str]:
    if isinstance(row, str):
        return read_row(row).cells(size) or list(row)
    return [_cell_text(cell) for cell in _values([row])]


def _cell_text(cell: object) -> str:
    # False means no digit, as null does; True is no digit and is left to fail.
    if cell is None or cell is False:
        return "."
    return str(cell).strip() or "."


def _values(rows: Sequence[object]) -> list[object]:
    """Return the values of the list; a row that is a string is one value."""
    return [cell for row in rows for cell in (row if isinstance(row, list | tuple) else [row])]


def _has_strings(values: Sequence[object]) -> bool:
    """Whether digits are strings: some value is one, or all values if there are only blanks.

    Boards of numbers may have strings for blanks, as in `[5, ".", 3]`.
    """
    strings = [value for value in values if isinstance(value, str)]
    return len(strings) == len(values) or not all(map(is_blank, strings))


def _size_of_flat(rows: Sequence[object], hints: Hints) -> int | None:
    """Return the size of the board if the list is flat; None for other lists."""
    has_rows = any(
        isinstance(row, list | tuple) or (isinstance(row, str) and len(row) > LONGEST_CELL)
        for row in rows
    )
    return None if has_rows else size_of_count(len(rows), hints.size)


def _likely_size(rows: Sequence[object]) -> int:
    """Return the number of rows or, if no row has that length, the usual row length if possible."""
    lists = [row for row in rows if isinstance(row, list | tuple | str)]
    counts = Counter(len(_row_cells(row, len(rows))) for row in lists)
    usual = counts.most_common(1)[0][0] if counts else 0
    return usual if len(rows) not in counts and has_boxes(usual) else len(rows)


def _size_of_rows(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> int:
    """Return the size of the board by the numbers of rows and of cells in each row."""
    size = hints.size or _likely_size(rows)
    cells_before = 0
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list | tuple | str):
            message = f"{quote(str(row))} is not a row of {size} cells"
            raise FormatError(message, source, *place_of(cells_before))
        count = len(_row_cells(row, size))
        if count != size:
            raise FormatError(row_fault(number, count, size), source, *place_of(cells_before))
        cells_before += count
    if len(rows) != size or not rows:
        message = f"{count_of(len(rows), 'row')} found, expected {size or 'some'}"
        raise FormatError(message, source, *place_of(0))
    return size


def rows_of(value: Any) -> Any:
    """Return the rows of an array or frame as lists; other values unchanged.

    A table of an unknown library is refused, as it may give columns instead of rows.
    """
    library = type(value).__module__.partition(".")[0]
    if library == "polars":
        found = value.rows() if hasattr(value, "rows") else value.to_list()
    elif library == "pandas":
        found = value.to_numpy().tolist()
    elif library == "numpy":
        found = value.tolist()
    elif hasattr(value, "columns"):
        kind = f"{library}.{type(value).__name__}"
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", "puzzle")
    else:
        return value
    return _with_plain_cells(found)


def _with_plain_cells(value: Any) -> Any:
    """Return the lists with whole floats as integers and missing values as None.

    In pandas, a column with missing cells is one of floats: 5 becomes 5.0, an empty cell NaN.
    """
    if isinstance(value, list | tuple):
        return [_with_plain_cells(each) for each in value]
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value
    return None if type(value).__name__ in ("NAType", "NaTType") else value
