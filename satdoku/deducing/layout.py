r"""Boards as bytes with one byte for each candidate, and which place of them is which candidate.

The candidates stand cell by cell, and behind each cell is one more byte, the mark. This is 2x2:

    place      0 1 2 3  4     5 6 7 8  9    ...
    candidate  1 2 3 4 mark   1 2 3 4 mark  ...
               \_____/        \_____/
               cell 0         cell 1

so cell c with digit d is place 5 * c + d - 1. A byte says of its candidate whatever the user of the
layout wants it to say: 1 for open and 0 for not, or the number of its variable.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry, Unit

MARK = b" "
"""What stands at the marks of numbered bytes: `bytes.split` cuts there."""

NUMBERS = bytes([number for number in range(1, 256) if not bytes([number]).isspace()])
"""The numbers of variables that fit a byte: all but white space, which `bytes.split` would take for
a mark."""


class ByteLayout:
    """The places of the candidates of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.stride = geometry.size + 1
        self.width = self.stride * geometry.cell_count
        self._unnumbered = (bytes(geometry.size) + MARK) * geometry.cell_count
        # Tables are made by few calls, since a command that checks one puzzle makes them too.
        self.places = [
            range(first, first + geometry.size) for first in range(0, self.width, self.stride)
        ]
        """Where the bytes of each cell stand, by its digits from 1 on."""
        self.candidate_at = list(map(divmod, range(1, self.width + 1), repeat(self.stride)))
        """The cell and the digit whose byte stands at each place."""

    def place(self, cell: int, digit: int) -> int:
        """Where the byte of a candidate stands."""
        return self.stride * cell + digit - 1

    def groups_of(self, units: Sequence[Unit]) -> list[tuple[int, ...]]:
        """The places of each digit in each of the units, the digits of a unit one by one."""
        of_cell = self.places.__getitem__
        return [group for unit in units for group in zip(*map(of_cell, unit.cells), strict=True)]

    def number(self, places: Sequence[int]) -> bytes:
        """Bytes with `NUMBERS`, in order, at these places, 0 at others, and a mark after each cell.

        Where there are more places than numbers, the last ones get none.
        """
        numbered = bytearray(self._unnumbered)
        # The fastest loop there is: map calls in C, and a deque of no length keeps no result.
        deque(map(numbered.__setitem__, places, NUMBERS), maxlen=0)
        return bytes(numbered)

    def fill(self, known: bytes, places: Iterable[int]) -> bytes:
        """A board, one byte a cell: the known digits, and the candidates at these places."""
        board = bytearray(known)
        for place in places:
            cell, digit = self.candidate_at[place]
            board[cell] = digit
        return bytes(board)


class Sifted(NamedTuple):
    """What is left of a board when candidates were excluded from it.

    `digits` is the board as it came and `known` the digits that are certain, both one byte a cell.
    `open` has a byte for each candidate (see `ByteLayout`), 1 where it is open. What a known digit
    excludes is not open; a group in which nothing is known or open shows that there is no solution.
    """

    digits: bytes
    known: bytes
    open: bytes
