"""The judge: decides without SAT whether a grid is a solution.

Every grid that satdoku returns has passed a judge: this one, or `byte_judge.py`, which makes the
same checks on classic boards of up to 16x16, written as bytes. Keep this file plain, so that it can
be checked by reading. It uses only the definitions of rules, and nothing that solvers are given.
"""

from collections.abc import Iterator

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash, clashes_of


def find_clashes(puzzle: Puzzle, grid: Grid | None = None) -> Iterator[Clash]:
    """Yield the clashes that the rules find among the givens, or in `grid`, each pair once."""
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
