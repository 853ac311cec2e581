"""The referee: what the rules of Sudoku mean, said without any SAT.

Every grid that leaves satdoku has passed through here. Keep it plain: its worth is that it can be
checked by reading, and that it shares nothing with the encoder.
"""

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle


class Clash(NamedTuple):
    """Two cells of a unit that hold the same digit."""

    geometry: Geometry
    first: int
    second: int
    digit: int
    unit: Unit

    def __str__(self) -> str:
        names = self.geometry.name_of(self.first), self.geometry.name_of(self.second)
        return f"{names[0]} and {names[1]} are both {self.digit}, in {self.unit}"


def find_clashes(grid: Grid) -> Iterator[Clash]:
    """Every pair of equal digits in a row, column or box, each pair once, by unit."""
    seen_pairs = set()
    for unit in grid.geometry.units:
        cell_of_digit: dict[int, int] = {}
        for cell in unit.cells:
            digit = grid.digits[cell]
            if digit == EMPTY:
                continue
            first = cell_of_digit.setdefault(digit, cell)
            if first != cell and (first, cell) not in seen_pairs:
                seen_pairs.add((first, cell))
                yield Clash(grid.geometry, first, cell, digit, unit)


def find_fault(solution: Grid, puzzle: Puzzle) -> str:
    """What is wrong with a solution, in words; empty when it is right."""
    if solution.geometry != puzzle.geometry:
        return f"its boxes are {solution.geometry}, not {puzzle.geometry}"
    for cell, digit in puzzle.givens.items():
        if solution.digits[cell] != digit:
            place = puzzle.geometry.name_of(cell)
            return f"{place} is {solution.digits[cell] or 'empty'}, but the puzzle gives {digit}"
    all_digits = set(range(1, solution.geometry.size + 1))
    for unit in solution.geometry.units:
        if {solution.digits[cell] for cell in unit.cells} != all_digits:
            clash = next(find_clashes(solution), None)
            return str(clash) if clash else f"{unit} is not complete"
    return ""


def is_solution(solution: Grid, puzzle: Puzzle) -> bool:
    """Whether every row, column and box is a permutation of the digits and no given was changed."""
    return not find_fault(solution, puzzle)


def require_solution(solution: Grid, puzzle: Puzzle) -> Grid:
    """The solution itself, once it has been checked; a wrong one is reported as a bug."""
    fault = find_fault(solution, puzzle)
    if fault:
        raise WrongSolutionError(
            f"this is a bug, please report it: a solver returned a wrong grid ({fault})"
        )
    return solution
