"""Which boolean variable stands for which digit in which cell.

Cell c (from 0, row by row) holding digit d (from 1) is variable c * N + d:

    4x4:  cell 0 -> 1..4    cell 1 -> 5..8    ...    cell 15 -> 61..64
    9x9:  cell 0 -> 1..9    cell 1 -> 10..18  ...    cell 80 -> 721..729

Auxiliary variables lie above N * N * N; decoding ignores them.
"""

from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry


class Placement(NamedTuple):
    """A digit in a cell: what a cell variable says when it is true."""

    cell: int
    digit: int


def variable(geometry: Geometry, cell: int, digit: int) -> int:
    """The variable that is true when `cell` holds `digit`.

    >>> variable(Geometry(2, 2), cell=15, digit=4)
    64
    """
    return cell * geometry.size + digit


def placement(geometry: Geometry, number: int) -> Placement:
    """The cell and digit that a cell variable stands for.

    >>> placement(Geometry(2, 2), 64)
    Placement(cell=15, digit=4)
    """
    cell, digit = divmod(number - 1, geometry.size)
    return Placement(cell, digit + 1)


def variable_count(geometry: Geometry) -> int:
    """How many cell variables there are: the highest of them."""
    return geometry.cell_count * geometry.size


def variable_name(geometry: Geometry, number: int) -> str:
    """A cell variable in words.

    >>> variable_name(Geometry(2, 2), 64)
    'r4c4=4'
    """
    cell, digit = placement(geometry, number)
    return f"{geometry.name_of(cell)}={digit}"


class Auxiliaries:
    """Hands out variables above those of the cells."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def take(self, count: int) -> range:
        """The next `count` variables that nobody uses yet."""
        first = self.highest + 1
        self.highest += count
        return range(first, first + count)
