"""The judge: whether a grid is a solution, said without any SAT.

Every grid that leaves satdoku has passed a judge: this one, or the one of `byte_judge.py`, which
checks the same on classic boards of up to 16x16, written as bytes. Keep this one plain: its worth
is that it can be checked by reading. It knows rules only by their definitions, and nothing of what
solvers are given.
"""

from collections.abc import Iterator

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash


def find_clashes(puzzle: Puzzle, grid: Grid | None = None) -> Iterator[Clash]:
    """Every fault that the rules find among the givens, or in a grid, each pair of cells once."""
    geometry = puzzle.geometry
    digits = (puzzle.grid if grid is None else grid).digits
    seen: set[tuple[int, ...]] = set()
    for rule in puzzle.rules:
        for clash in rule.find_clashes(geometry, digits):
            if clash.cells not in seen:
                seen.add(clash.cells)
                yield clash


def find_fault(solution: Grid, puzzle: Puzzle) -> str:
    """What is wrong with a solution, in words; empty when it is right."""
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
    """The solution itself, once it has been checked; a wrong one is reported as a bug."""
    fault = find_fault(solution, puzzle)
    if fault:
        raise WrongSolutionError(
            f"this is a bug, please report it: a solver returned a wrong grid ({fault})"
        )
    return solution
