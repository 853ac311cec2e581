"""Boards with a byte for each candidate, called octets.

Every candidate has a *place*, cell by cell, and one more after each cell is for a mark:

    2x2:  1 2 3 4 | 1 2 3 4 | ...       (cell, digit) is place 5 * cell + digit - 1
"""

from collections import deque
from collections.abc import Iterable, Sequence

from satdoku.puzzle.geometry import Geometry

MARK = b" "
"""What separates the cells in numbered octets."""
NUMBERS = bytes(number for number in range(1, 256) if not bytes([number]).isspace())
"""What a candidate may be numbered with: no white space, so that `bytes.split` finds the marks."""


class Octets:
    """The places of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.stride = geometry.size + 1
        self.width = self.stride * geometry.cell_count
        self._unnumbered = (bytes(geometry.size) + MARK) * geometry.cell_count
        self._cell_and_digit = [divmod(place, self.stride) for place in range(self.width)]

    def place(self, cell: int, digit: int) -> int:
        return self.stride * cell + digit - 1

    def number(self, places: Sequence[int]) -> bytes:
        """The `NUMBERS`, in order, in these places, as far as they go; a mark after each cell."""
        octets = bytearray(self._unnumbered)
        deque(map(octets.__setitem__, places, NUMBERS), maxlen=0)
        return bytes(octets)

    def fill(self, known: bytes, places: Iterable[int]) -> bytes:
        """The known digits, one byte a cell, and those in these places."""
        grid = bytearray(known)
        for place in places:
            cell, index = self._cell_and_digit[place]
            grid[cell] = index + 1
        return bytes(grid)
