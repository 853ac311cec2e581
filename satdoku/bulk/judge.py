"""A quick judge of solutions that shares nothing with the encoder and the tables of the solvers."""

from collections.abc import Iterator

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.geometry import Geometry


class QuickJudge:
    """Checks grids of one geometry, given as one byte a cell.

    The cells of all units are laid side by side and each digit turned into a bit, eight digits at
    a time. A unit is right when its cells have all the bits together: it has as many cells as
    there are digits, so none is twice there.
    """

    def __init__(self, geometry: Geometry) -> None:
        size = geometry.size
        self._cell_count = geometry.cell_count
        self._cells = bytes(cell for unit in geometry.units for cell in unit.cells)
        self._is_given = bytes([0]) + bytes([255]) * 255
        self._shifts = [8 * step for step in _doubling_steps(size)]
        self._tables = []
        for first in range(1, size + 1, 8):
            digits = range(first, min(first + 8, size + 1))
            bits = bytearray(256)
            for bit, digit in enumerate(digits):
                bits[digit] = 1 << bit
            last_cells = (bytes(size - 1) + bytes([sum(bits)])) * len(geometry.units)
            self._tables.append((bytes(bits), int.from_bytes(last_cells, "big")))

    def is_right(self, puzzle: bytes, solution: bytes) -> bool:
        """Every given kept, and each digit once in each row, column and box."""
        read = int.from_bytes
        if not len(puzzle) == len(solution) == self._cell_count:
            return False
        units = self._cells.translate(solution.ljust(256))
        for bits, expected in self._tables:
            found = read(units.translate(bits), "big")
            for shift in self._shifts:
                found |= found >> shift
            if found & expected != expected:
                return False
        is_given = read(puzzle.translate(self._is_given), "big")
        return (read(puzzle, "big") ^ read(solution, "big")) & is_given == 0

    def require_right(self, puzzle: bytes, solution: bytes) -> bytes:
        """The solution itself, once it has been checked; a wrong one is reported as a bug."""
        if not self.is_right(puzzle, solution):
            raise WrongSolutionError(
                "this is a bug, please report it: a solver returned a wrong grid"
                f" ({list(solution)} for {list(puzzle)})"
            )
        return solution


def _doubling_steps(count: int) -> Iterator[int]:
    """Steps by which something spreads over so many neighbours: 1, 2, 4, ... and what is left."""
    reached = 1
    while reached < count:
        step = min(reached, count - reached)
        yield step
        reached += step
