"""Cells as people write them: `r1c1`, several with commas or spaces, ranges as `r1c1-3`."""

import re
from collections.abc import Iterable

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry

# Four digits are more than any board has rows; longer numbers are slips.
_CELLS = re.compile(r"r(\d{1,4})(?:-(\d{1,4}))?c(\d{1,4})(?:-(\d{1,4}))?", re.IGNORECASE)


def read_cells(text: str, geometry: Geometry) -> tuple[int, ...]:
    """The cells that a text lists, in its order; each may be named once.

    >>> read_cells("r1c1, r2c2-3", Geometry(2, 2))
    (0, 5, 6)
    """
    cells: list[int] = []
    for word in re.split(r"[\s,]+", text.strip()):
        cells += _read_word(word, geometry)
    for index, cell in enumerate(cells):
        if cell in cells[:index]:
            raise SatdokuError(f"{geometry.name_of(cell)} is named twice in {text!r}")
    return tuple(cells)


def read_cell(text: str, geometry: Geometry) -> int:
    """The one cell that a text names."""
    cells = _read_word(text.strip(), geometry)
    if len(cells) != 1:
        raise SatdokuError(f"{text!r} names {len(cells)} cells, not one")
    return cells[0]


def write_cells(cells: Iterable[int], geometry: Geometry) -> str:
    """The names of cells with commas between them, as `read_cells` takes them."""
    return ",".join(map(geometry.name_of, cells))


def _read_word(word: str, geometry: Geometry) -> list[int]:
    match = _CELLS.fullmatch(word)
    if match is None:
        raise SatdokuError(f"{word[:20]!r} is not a cell such as r1c1, or a range such as r1c1-3")
    first_row, last_row, first_column, last_column = match.groups()
    rows = _range(first_row, last_row, word, geometry)
    columns = _range(first_column, last_column, word, geometry)
    return [(row - 1) * geometry.size + column - 1 for row in rows for column in columns]


def _range(first: str, last: str | None, word: str, geometry: Geometry) -> range:
    begin, end = int(first), int(last or first)
    if not 1 <= begin <= end <= geometry.size:
        raise SatdokuError(f"{word} is not on a board of {geometry.size}x{geometry.size}")
    return range(begin, end + 1)
