"""Parse and write the arguments of rules: cells, numbers, rows and columns with a direction.

Cells are `r1c1`, lists with commas or spaces, and ranges `r1c1-3`; lines are `row3`, `col4.up`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.grid import Geometry

# At most four digits: longer numbers are typing errors, as no board has as many rows. `re` compiles
# the patterns on first use, as many rules name no row or column.
_CELLS = r"r(\d{1,4})(?:-(\d{1,4}))?c(\d{1,4})(?:-(\d{1,4}))?"
_LINE = r"(row|col|column|r|c)(\d{1,4})(?:\.(left|up|right|down))?"


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Symbols of the digits 0 to 35, for texts in which every digit is one character."""

# Most characters of a faulty list that an error message quotes.
_LONGEST_SHOWN = 100
# Larger numbers are typing errors, and Python refuses to parse very long ones.
MOST_NUMBER = 1_000_000


def read_cells(text: str, geometry: Geometry) -> tuple[int, ...]:
    """Return the cells that a text lists, in its order; a cell may be named only once.

    >>> read_cells("r1c1, r2c3-2", Geometry(2, 2))
    (0, 6, 5)
    """
    words = re.findall(r"[^\s,]+", text)
    if not words:
        raise SatdokuError("the cells are missing, such as r1c1,r1c2")
    cells: list[int] = []
    for word in words:
        cells += _read_word(word, geometry)
    seen: set[int] = set()
    for cell in cells:
        if cell in seen:
            shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
            raise SatdokuError(f"{geometry.name_of(cell)} is named twice in {shown!r}")
        seen.add(cell)
    return tuple(cells)


def read_cell(text: str, geometry: Geometry) -> int:
    """Return the one cell that a text names."""
    cells = _read_word(text.strip(), geometry)
    if len(cells) != 1:
        raise SatdokuError(f"{text!r} names {len(cells)} cells, not one")
    return cells[0]


def write_cells(cells: Iterable[int], geometry: Geometry) -> str:
    """Return the names of cells with commas between them, as `read_cells` takes them."""
    return ",".join(map(geometry.name_of, cells))


def _read_word(word: str, geometry: Geometry) -> list[int]:
    match = re.fullmatch(_CELLS, word, re.IGNORECASE)
    if match is None:
        found = () if geometry.is_plain else _read_beside(word, geometry)
        if found:
            return found
        raise SatdokuError(f"{quote(word)} is not a cell such as r1c1, or a range such as r1c1-3")
    first_row, last_row, first_column, last_column = match.groups()
    rows = _range(first_row, last_row, word, geometry.height, geometry)
    columns = _range(first_column, last_column, word, geometry.width, geometry)
    cells = []
    for row in rows:
        for column in columns:
            cell = geometry.cell_at(row - 1, column - 1)
            if cell is None:
                raise SatdokuError(f"r{row}c{column} is a hole of the board")
            cells.append(cell)
    return cells


def _read_beside(word: str, geometry: Geometry) -> list[int]:
    """Return the cells beside the board that a word names: `VS1`, `VS1-3`, or `VS` for all."""
    first, _, last = word.partition("-")
    if not last:
        return [*geometry.cells_named(first)]
    begin = geometry.cell_named(first)
    end = geometry.cell_named(first.rstrip("0123456789") + last)
    if begin is None or end is None:
        return []
    return list(range(begin, end + 1) if begin <= end else range(begin, end - 1, -1))


def _range(first: str, last: str | None, word: str, most: int, geometry: Geometry) -> range:
    begin, end = int(first), int(last or first)
    if not all(1 <= number <= most for number in (begin, end)):
        raise SatdokuError(f"{word} is not on a board of {geometry.height}x{geometry.width}")
    # A range may be written in either direction; its cells keep that order.
    return range(begin, end + 1) if begin <= end else range(begin, end - 1, -1)


def read_edges(words: Sequence[str], geometry: Geometry) -> Iterator[tuple[int, int]]:
    """Yield the two cells of each word, such as `r1c1-2`."""
    for word in words:
        cells = read_cells(word, geometry)
        if len(cells) != 2:
            raise SatdokuError(f"{quote(word, 40)} names {len(cells)} cells, not two")
        yield cells[0], cells[1]


def halves(argument: str, fault: str, example: str, sign: str = "=") -> tuple[str, str]:
    """Split an argument at a sign; if the sign is missing, raise an error with `fault`."""
    before, found, after = argument.partition(sign)
    if not found:
        raise SatdokuError(f"{fault}, as in {example}")
    return before, after


def read_valued_cells(argument: str, geometry: Geometry) -> tuple[int | None, tuple[int, ...]]:
    """Return the number before `=` (None if there is none) and the cells after it."""
    if argument.strip().isdecimal():
        raise SatdokuError(f"the cells are missing, as in {argument.strip()[:8]}=r1c1,r1c2")
    if "=" not in argument:
        # Without this check, a number followed by another sign than `=` would be read as a cell.
        if number := re.match(r"\s*(\d{1,4})[\s,:;]+(?=[rR])", argument):
            cells = argument[number.end() :].strip()[:40]
            raise SatdokuError(f"write = between the number and the cells: {number[1]}={cells}")
        return None, read_cells(argument, geometry)
    return read_numbered_cells(argument, geometry, "")


def read_numbered_cells(
    argument: str, geometry: Geometry, example: str
) -> tuple[int, tuple[int, ...]]:
    """Return the number before `=`, which is required, and the cells after it."""
    before, after = numbers_and_cells(argument, "a number is missing", example)
    return read_number(before), read_cells(after, geometry)


def numbers_and_cells(argument: str, fault: str, example: str) -> tuple[str, str]:
    """Return the texts before `=` (a number or several digits) and after it (cells)."""
    before, after = halves(argument, fault, example)
    # If the two sides are swapped, the message says so instead of calling the cells a wrong number.
    if before.strip()[:1] in ("r", "R") and re.fullmatch(r"[\d\s,/]+", after):
        raise SatdokuError(f"write numbers before the cells: {after.strip()[:8]}={before[:40]}")
    return before, after


def read_number(text: str) -> int:
    """Return a whole number, which may be negative."""
    digits = text.strip().removeprefix("-")
    if not digits:
        raise SatdokuError("a number is missing")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(MOST_NUMBER))):
        raise SatdokuError(f"{quote(text)} is not a whole number")
    return int(text)


DIAGONAL_STEPS = {"dr": (1, 1), "dl": (1, -1), "ur": (-1, 1), "ul": (-1, -1)}
"""The step (rows, columns) along each kind of diagonal: down or up, then right or left."""


def diagonal_places(row: int, column: int, way: str, size: int) -> list[tuple[int, int]]:
    """Return (row, column), counted from 1, of the cells on a diagonal that begins at this place.

    >>> diagonal_places(1, 3, "dl", 4)
    [(1, 3), (2, 2), (3, 1)]
    """
    down, right = DIAGONAL_STEPS[way]
    places = [(row + n * down, column + n * right) for n in range(size)]
    return [place for place in places if min(place) > 0 and max(place) <= size]


class OutsideLine(NamedTuple):
    """A row or column, counted from 0, and whether it is read from its right or lower end."""

    is_row: bool
    number: int
    is_reversed: bool = False

    def cells(self, geometry: Geometry) -> tuple[int, ...]:
        """Return the cells in the order in which they are read."""
        line = geometry.row_cells if self.is_row else geometry.column_cells
        cells = tuple(line(self.number))
        return cells[::-1] if self.is_reversed else cells

    def __str__(self) -> str:
        """Return the line as arguments name it: `row3`, `col4.up`."""
        end = (".left" if self.is_row else ".up") if self.is_reversed else ""
        return f"{'row' if self.is_row else 'col'}{self.number + 1}{end}"

    @property
    def in_words(self) -> str:
        """Return the line as sentences of rules name it: `row 3 from the right`."""
        end = (" from the right" if self.is_row else " from below") if self.is_reversed else ""
        return f"{'row' if self.is_row else 'column'} {self.number + 1}{end}"


def read_line(text: str, geometry: Geometry) -> OutsideLine:
    """Return the line that a text names."""
    match = re.fullmatch(_LINE, text.strip(), re.IGNORECASE)
    if match is None:
        raise SatdokuError(f"{quote(text)} is not a line such as row3 or col4.up")
    is_row = match[1].lower().startswith("r")
    end = (match[3] or "").lower()
    # A row has no upper end: the author mixed up rows and columns, and meant another line.
    if end in (("up", "down") if is_row else ("left", "right")):
        raise SatdokuError(f"a {'row' if is_row else 'column'} is not read {end}, as {text} says")
    number = int(match[2])
    if not 1 <= number <= (geometry.height if is_row else geometry.width):
        raise SatdokuError(f"{text} is not on a board of {geometry.height}x{geometry.width}")
    near, far = (OutsideLine(is_row, number - 1, is_reversed) for is_reversed in (False, True))
    # A suffix for the usual direction is rejected: the author may have meant the end that the clue
    # stands at.
    if end in ("right", "down"):
        places = ("left", "right") if is_row else ("top", "bottom")
        raise SatdokuError(
            f"with its clue at the {places[0]} it is {near}, at the {places[1]} {far}, not {text}"
        )
    return far if end else near
