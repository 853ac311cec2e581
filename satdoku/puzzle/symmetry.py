"""Symmetries of the pattern of givens, and a full grid with a regular pattern.

A symmetry maps cells to cells; the cells that it maps to each other are an *orbit*. A pattern is
symmetric if it has all cells of each orbit, or none.

    rotate180 on 4x4:   a b c d      each letter is an orbit of two cells
                        e f g h
                        h g f e
                        d c b a
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import lru_cache

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.grid import Geometry, Grid

Orbit = tuple[int, ...]
_Turn = Callable[[int, int, int, int], tuple[int, int]]


class Symmetry(Enum):
    """The symmetries, by the names that options use."""

    NONE = "none"
    ROTATE180 = "rotate180"
    ROTATE90 = "rotate90"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"
    MIRRORS = "mirrors"
    DIAGONALS = "diagonals"
    FULL = "full"

    @property
    def description(self) -> str:
        return _DESCRIPTIONS[self]

    @lru_cache(maxsize=64)
    def orbits(self, geometry: Geometry) -> tuple[Orbit, ...]:
        """Return the orbits of a board, each sorted by cells; orbits are sorted by first cell.

        A cell beside the board is an orbit of its own. Raise SatdokuError if the symmetry does not
        map the board to itself.
        """
        bottom, right = geometry.height - 1, geometry.width - 1
        cells = range(geometry.board_count)
        places = [(geometry.row_of(cell), geometry.column_of(cell)) for cell in cells]
        cell_of = dict(zip(places, cells, strict=True))
        seen: set[int] = set()
        orbits = []
        for cell in cells:
            if cell in seen:
                continue
            orbit, found = {cell}, [cell]
            # Apply the maps until they add no cell: an orbit of quarter turns has up to four cells.
            while found:
                place = places[found.pop()]
                for turn in _TURNS[self]:
                    image = cell_of.get(turn(*place, bottom, right))
                    if image is None:
                        raise SatdokuError(
                            f"{quote(self.value)} is no symmetry of this board of "
                            f"{geometry.board_words}"
                        )
                    if image not in orbit:
                        orbit.add(image)
                        found.append(image)
            seen |= orbit
            orbits.append(tuple(sorted(orbit)))
        beside = range(geometry.board_count, geometry.cell_count)
        return (*orbits, *((cell,) for cell in beside))


def symmetries_of(geometry: Geometry) -> list[Symmetry]:
    """Return the symmetries that map a board to itself, among them that of any pattern."""
    found = []
    for symmetry in Symmetry:
        with suppress(SatdokuError):
            symmetry.orbits(geometry)
            found.append(symmetry)
    return found


_DESCRIPTIONS = {
    Symmetry.NONE: "no symmetry",
    Symmetry.ROTATE180: "half turn",
    Symmetry.ROTATE90: "quarter turn",
    Symmetry.HORIZONTAL: "left-right mirror",
    Symmetry.VERTICAL: "top-bottom mirror",
    Symmetry.DIAGONAL: "diagonal mirror",
    Symmetry.ANTIDIAGONAL: "other diagonal mirror",
    Symmetry.MIRRORS: "two mirrors",
    Symmetry.DIAGONALS: "two diagonal mirrors",
    Symmetry.FULL: "all turns and mirrors",
}


def _quarter_turn(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, bottom - row


def _half_turn(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return bottom - row, right - column


def _left_right(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return row, right - column


def _top_bottom(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return bottom - row, column


def _diagonal(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, row


def _antidiagonal(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return right - column, bottom - row


# The maps that generate each symmetry, by repetition and combination.
_TURNS: dict[Symmetry, tuple[_Turn, ...]] = {
    Symmetry.NONE: (),
    Symmetry.ROTATE180: (_half_turn,),
    Symmetry.ROTATE90: (_quarter_turn,),
    Symmetry.HORIZONTAL: (_left_right,),
    Symmetry.VERTICAL: (_top_bottom,),
    Symmetry.DIAGONAL: (_diagonal,),
    Symmetry.ANTIDIAGONAL: (_antidiagonal,),
    Symmetry.MIRRORS: (_left_right, _top_bottom),
    Symmetry.DIAGONALS: (_diagonal, _antidiagonal),
    # The two maps in turn are a quarter turn, so these two generate all eight symmetries.
    Symmetry.FULL: (_left_right, _diagonal),
}


def possible_counts(orbits: Iterable[Orbit]) -> set[int]:
    """Return the numbers of givens that a symmetric pattern can have.

    >>> sorted(possible_counts(Symmetry.ROTATE90.orbits(Geometry(2, 2))))
    [0, 4, 8, 12, 16]
    """
    # Bit k is set if some subset of the orbits so far has k cells together.
    reachable = 1
    for orbit in orbits:
        reachable |= reachable << len(orbit)
    return {count for count in range(reachable.bit_length()) if reachable >> count & 1}


def pattern_digit(geometry: Geometry, cell: int) -> int:
    """Return the digit of a cell in the pattern: each row is the row above, shifted by a box width.

    Each band is shifted by one digit more than the band above, so that columns are right too.
    """
    row, column = divmod(cell, geometry.size)
    # Within a band, rows are shifted by whole boxes, so that every box has each digit once.
    shift = row % geometry.box_rows * geometry.box_columns + row // geometry.box_rows
    return (column + shift) % geometry.size + 1


def pattern_grid(geometry: Geometry) -> Grid:
    """Return the pattern as a full grid.

    >>> pattern_grid(Geometry(2, 2)).rows
    [(1, 2, 3, 4), (3, 4, 1, 2), (2, 3, 4, 1), (4, 1, 2, 3)]
    """
    cells = range(geometry.cell_count)
    return Grid(geometry, tuple(pattern_digit(geometry, cell) for cell in cells))
