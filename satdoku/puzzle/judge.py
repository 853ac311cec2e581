"""The judge: decides without SAT whether a grid is a solution.

Every grid that satdoku returns has passed one of two judges: the one for grids, which uses only the
definitions of rules, or the one for bytes, which makes the same checks on classic boards of up to
16x16. Keep this file plain, so that it can be checked by reading. It must not use code that builds
formulas.
"""

from collections.abc import Iterator
from functools import cache

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash, clashes_of


def find_clashes(puzzle: Puzzle, grid: Grid | None = None) -> Iterator[Clash]:
    """Yield the clashes among the givens, or in `grid`; each pair of cells once."""
    geometry = puzzle.geometry
    digits = (puzzle.grid if grid is None else grid).digits
    seen: set[tuple[int, ...]] = set()
    for rule in puzzle.rules:
        for clash in clashes_of(rule, geometry, digits):
            if clash.cells not in seen:
                seen.add(clash.cells)
                yield clash


def find_fault(solution: Grid, puzzle: Puzzle) -> str:
    """Return what is wrong with a solution, in words; empty if it is right."""
    if solution.geometry != puzzle.geometry:
        return f"its boxes are {solution.geometry}, not {puzzle.geometry}"
    given_digits = puzzle.grid.digits
    for cell, (given, digit) in enumerate(zip(given_digits, solution.digits, strict=True)):
        if given not in (EMPTY, digit):
            place, found = puzzle.geometry.name_of(cell), "empty"
            if digit != EMPTY:
                found = puzzle.name_of_digit(digit)
            return f"{place} is {found}, but the puzzle gives {puzzle.name_of_digit(given)}"
    clash = next(find_clashes(puzzle, solution), None)
    if clash is not None:
        return clash.describe(puzzle.name_of_digit)
    if not solution.is_full:
        return f"{puzzle.geometry.name_of(solution.digits.index(EMPTY))} is empty"
    return ""


def require_solution(solution: Grid, puzzle: Puzzle) -> Grid:
    """Return the solution after a check; raise an error that reports a bug if it is wrong."""
    fault = find_fault(solution, puzzle)
    if fault:
        raise WrongSolutionError(
            f"this is a bug, please report it: a solver returned a wrong grid ({fault})"
        )
    return solution


# Judge of classic boards of up to 256 cells, given as bytes. It checks most solutions, in a fifth
# of the time that a `Grid` takes. The checks are the same: every given is kept, and every row,
# column and box has every digit once. The code uses no SAT and shares nothing with the code that
# builds formulas.

MOST_CELLS = 256
"""Largest number of cells: a cell number has to fit in a byte."""


def find_byte_judge(puzzle: Puzzle) -> "ByteJudge | None":
    """Return the judge for this puzzle as bytes; None if the puzzle is not classic or too large."""
    if puzzle.is_classic and puzzle.geometry.cell_count <= MOST_CELLS:
        return byte_judge(puzzle.geometry)
    return None


def require_judged(solution: Grid, puzzle: Puzzle) -> Grid:
    """Return the solution after a check by the byte judge, or by the judge for grids if there is no
    byte judge.
    """
    judge = find_byte_judge(puzzle)
    if judge is None:
        return require_solution(solution, puzzle)
    judge.require_solution(bytes(puzzle.grid.digits), bytes(solution.digits))
    return solution


@cache
def byte_judge(geometry: Geometry) -> "ByteJudge":
    """Return the judge of all classic boards of this shape."""
    return ByteJudge(geometry)


class ByteJudge:
    """A check of solutions of boards of one geometry, given as one byte per cell.

    All units are checked at once: the cells of all units are laid side by side, and each digit
    becomes one bit, eight digits at a time; on a 2x2 board 1, 2, 3, 4 become 1, 2, 4, 8. A unit is
    right if the union of its cells has all bits (15 here): a unit has as many cells as there are
    digits, so if no digit is missing, none repeats.
    """

    def __init__(self, geometry: Geometry) -> None:
        size = geometry.size
        self._cell_count = geometry.cell_count
        self._cells_of_units = bytes([cell for unit in geometry.units for cell in unit.cells])
        self._is_given = bytes([0]) + bytes([255]) * 255
        self._shifts = [8 * step for step in _doubling_steps(size)]
        # For each group of eight digits: a table from digits to bits, and a mask with all these
        # bits in the byte of the last cell of every unit, where the bits of the unit are collected.
        self._tables = []
        for first in range(1, size + 1, 8):
            digits = range(first, min(first + 8, size + 1))
            bits = bytearray(256)
            for bit, digit in enumerate(digits):
                bits[digit] = 1 << bit
            last_cells = (bytes(size - 1) + bytes([sum(bits)])) * len(geometry.units)
            self._tables.append((bytes(bits), int.from_bytes(last_cells, "big")))

    def is_solution(self, puzzle: bytes, solution: bytes) -> bool:
        """Whether the solution keeps every given, and each unit has each digit once."""
        if not len(puzzle) == len(solution) == self._cell_count:
            return False
        return self._has_all_digits(solution) and self._keeps_givens(puzzle, solution)

    def require_solution(self, puzzle: bytes, solution: bytes) -> bytes:
        """Return the solution after the check; raise an error that reports a bug if it is wrong."""
        if not self.is_solution(puzzle, solution):
            raise WrongSolutionError(
                "this is a bug, please report it: a solver returned a wrong grid"
                f" ({list(solution)} for {list(puzzle)})"
            )
        return solution

    def _has_all_digits(self, solution: bytes) -> bool:
        # A table for `bytes.translate`: entry n is the digit of cell n.
        digit_of_cell = solution.ljust(256)
        units = self._cells_of_units.translate(digit_of_cell)
        for bits, expected in self._tables:
            found = int.from_bytes(units.translate(bits), "big")
            # One integer holds a byte for every cell of every unit. Shifting it by 1, 2, 4, ...
            # cells and OR-ing it with itself collects the bits of a unit in the byte of its last
            # cell.
            for shift in self._shifts:
                found |= found >> shift
            if found & expected != expected:
                return False
        return True

    def _keeps_givens(self, puzzle: bytes, solution: bytes) -> bool:
        is_given = int.from_bytes(puzzle.translate(self._is_given), "big")
        changed = int.from_bytes(puzzle, "big") ^ int.from_bytes(solution, "big")
        return changed & is_given == 0


def _doubling_steps(count: int) -> Iterator[int]:
    """Yield the shifts that unite `count` neighbours: 1, 2, 4, ... and then the remainder.

    >>> list(_doubling_steps(9))
    [1, 2, 4, 1]
    """
    united = 1
    while united < count:
        step = min(united, count - united)
        yield step
        united += step
