"""Boards as Python or JSON lists: rows of numbers, strings or None, as LeetCode shows them."""

from collections.abc import Sequence

from satdoku.errors import FormatError
from satdoku.notation.digits import (
    PlaceOf,
    count_cells,
    count_fault,
    decide_geometry,
    nearest_size,
    quote,
    read_digits,
    size_of_count,
)
from satdoku.notation.drawings.row import read_row
from satdoku.notation.record import Hints
from satdoku.notation.symbols import NUMBERS
from satdoku.puzzle.grid import Grid


def list_cells(rows: Sequence[object]) -> list[str]:
    """The texts of all cells, row after row; nothing is a dot."""
    return [cell for row in rows for cell in _row_cells(row, len(rows))]


def _row_cells(row: object, size: int) -> Sequence[str]:
    if isinstance(row, str):
        return read_row(row).cells(size) or list(row)
    cells = row if isinstance(row, list | tuple) else [row]
    return [_cell_text(cell) for cell in cells]


def _cell_text(cell: object) -> str:
    if cell is None or cell is False:
        return "."
    return str(cell).strip() or "."


def read_lists(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> Grid:
    """The board of a list of rows, or of a flat list of all cells."""
    try:
        is_flat = not any(isinstance(row, list | tuple | str) and len(row) > 2 for row in rows)
        is_flat = is_flat and size_of_count(len(rows), hints.size) is not None
        size = _flat_size(rows, hints) if is_flat else _row_count(rows, hints, place_of, source)
        geometry = decide_geometry(size, hints.geometry)
    except FormatError as error:
        if error.line:
            raise
        raise FormatError(error.message, source, *place_of(0)) from None
    cells = list_cells(rows)
    values = rows if is_flat else [c for row in rows if isinstance(row, list | tuple) for c in row]
    has_numbers_only = bool(values) and all(cell is None or type(cell) is int for cell in values)
    alphabet = NUMBERS if has_numbers_only else hints.alphabet
    is_compact = not has_numbers_only and all(len(cell) == 1 for cell in cells)
    texts = "".join(cells) if is_compact and any(map(str.isalpha, cells)) else cells
    return Grid(geometry, read_digits(texts, size, alphabet, place_of, source))


def _flat_size(cells: Sequence[object], hints: Hints) -> int:
    size = size_of_count(len(cells), hints.size)
    if size is None:
        raise FormatError(count_fault(len(cells), nearest_size(len(cells), hints.size)))
    return size


def _row_count(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> int:
    """The size of a board that has so many rows, each with so many cells."""
    size = hints.size or len(rows)
    cells_before = 0
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list | tuple | str):
            raise FormatError(
                f"{quote(str(row))} is not a row of {size} cells", source, *place_of(cells_before)
            )
        count = len(_row_cells(row, size))
        if count != size:
            message = f"{count_cells(count)} found in row {number}, expected {size}"
            raise FormatError(message, source, *place_of(cells_before))
        cells_before += count
    if len(rows) != size or not size:
        found = f"{len(rows)} row{'s' * (len(rows) != 1)} found"
        raise FormatError(f"{found}, expected {size or 'some'}", source, *place_of(0))
    return size
