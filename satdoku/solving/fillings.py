"""All ways to fill some cells of a board whose other cells are known.

Counting asks a solver for one solution, and this for all others that differ from it in a few cells
only. It is a plain search by bit masks, under the classic rules; what it yields is still judged.
"""

from collections.abc import Iterator, Sequence

from satdoku.puzzle.geometry import Geometry

# A filling costs some dead ends: 2.4 in the last three rows of an empty 9x9 board, 5.5 in the last
# four, with which counting took half as long again. The first ones say little.
_FIRST_DEAD_ENDS = 200
_DEAD_ENDS_A_FILLING = 4


class TooManyDeadEndsError(Exception):
    """Searching for fillings does not pay here."""


class Fillings:
    """The fillings of boards of one geometry, a byte a cell."""

    def __init__(self, geometry: Geometry) -> None:
        self._all_digits = (1 << geometry.size) - 1
        size, boxes = geometry.size, geometry.boxes
        box_of = {cell: number for number, box in enumerate(boxes) for cell in box.cells}
        # Rows, columns and boxes are numbered through, so that one list has the masks of all.
        self._unit_count = 3 * size
        self._units_of = [
            (cell // size, size + cell % size, 2 * size + box_of[cell])
            for cell in range(geometry.cell_count)
        ]

    def find(self, board: bytes, cells: Sequence[int]) -> Iterator[bytes]:
        """Each filling of these cells, tried in their order, where no digit stands twice in a unit.

        TooManyDeadEndsError after many steps that led to few fillings.
        """
        if not cells:
            yield board
            return
        filling = bytearray(board)
        used = self._used_digits(board, frozenset(cells))
        units = [self._units_of[cell] for cell in cells]
        last = len(cells) - 1
        row, column, box = units[0]
        # For each cell that is being tried: the digits left to try, and the one that stands there.
        left = [0] * len(cells)
        standing = [0] * len(cells)
        left[0] = self._all_digits & ~(used[row] | used[column] | used[box])
        depth = 0
        dead_ends_left = _FIRST_DEAD_ENDS
        while depth >= 0:
            row, column, box = units[depth]
            if bit := standing[depth]:
                used[row] ^= bit
                used[column] ^= bit
                used[box] ^= bit
            digits = left[depth]
            if not digits:
                standing[depth] = 0
                depth -= 1
                continue
            bit = digits & -digits
            left[depth] = digits ^ bit
            filling[cells[depth]] = bit.bit_length()
            if depth == last:
                standing[depth] = 0
                dead_ends_left += _DEAD_ENDS_A_FILLING
                yield bytes(filling)
                continue
            standing[depth] = bit
            used[row] |= bit
            used[column] |= bit
            used[box] |= bit
            depth += 1
            row, column, box = units[depth]
            left[depth] = self._all_digits & ~(used[row] | used[column] | used[box])
            if not left[depth]:
                dead_ends_left -= 1
                if not dead_ends_left:
                    raise TooManyDeadEndsError

    def _used_digits(self, board: bytes, open_cells: frozenset[int]) -> list[int]:
        """For each unit the digits of its known cells, one bit a digit."""
        used = [0] * self._unit_count
        for cell, digit in enumerate(board):
            if cell not in open_cells:
                for unit in self._units_of[cell]:
                    used[unit] |= 1 << (digit - 1)
        return used
