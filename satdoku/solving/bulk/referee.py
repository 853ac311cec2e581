"""A quick judge of solutions that shares nothing with the encoder and the tables of the solvers."""

from operator import getitem

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.geometry import Geometry


class Referee:
    """Checks grids of one geometry, given as one byte a cell.

    Each digit in a unit has a bit. All bits of a grid add up to a number of ones only when each
    of them occurs once: as many powers of two as there are ones have no other such sum.
    """

    def __init__(self, geometry: Geometry) -> None:
        size = geometry.size
        self._all_bits = (1 << len(geometry.units) * size) - 1
        self._bits = [[0] * (size + 1) for _ in range(geometry.cell_count)]
        self._is_given = bytes([0]) + bytes([255]) * 255
        for number, unit in enumerate(geometry.units):
            for cell in unit.cells:
                for digit in range(1, size + 1):
                    self._bits[cell][digit] |= 1 << number * size + digit - 1

    def is_right(self, puzzle: bytes, solution: bytes) -> bool:
        """Every given kept, and each digit once in each row, column and box."""
        if len(solution) != len(self._bits) or len(puzzle) != len(solution):
            return False
        if max(solution) >= len(self._bits[0]):
            return False
        if sum(map(getitem, self._bits, solution)) != self._all_bits:
            return False
        read = int.from_bytes
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
