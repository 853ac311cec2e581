"""Where a candidate stands in a whole board that is one long integer.

Every candidate has a *place*, cell by cell, and one more place after each cell separates it from
the next; the first cell is highest:

    2x2:  1 2 3 4 | 1 2 3 4 | ...       (cell, digit) is place 5 * cell + digit - 1 from the top

A board has a bit for each place (see `bits`) or a byte (see `octets`). It is then excluded from,
counted or numbered by a few operations on one integer, which costs a hundredth of doing so
candidate by candidate.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_

from satdoku.puzzle.geometry import Geometry


class Places:
    """The places of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.cells = range(geometry.cell_count)
        self.digits = range(1, geometry.size + 1)
        self.stride = geometry.size + 1
        self.width = self.stride * geometry.cell_count

    def bit(self, cell: int, digit: int) -> int:
        """One bit; the digit after the last one is the separator."""
        return 1 << self.width - self.stride * cell - digit

    def byte(self, cell: int, digit: int, value: int) -> int:
        return value << 8 * (self.width - self.stride * cell - digit)

    def bits(self, cells: Iterable[int]) -> int:
        """The bits of all candidates of these cells."""
        return join(self.bit(cell, digit) for cell in cells for digit in self.digits)


def join(boards: Iterable[int]) -> int:
    """All of these together."""
    return reduce(or_, boards, 0)
