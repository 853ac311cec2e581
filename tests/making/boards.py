"""Small puzzles with one solution and some redundant givens."""

from random import Random

from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions import RuleSolver
from tests.boards import full_grid
from tests.oracle import count_solutions


def is_unique(grid: Grid) -> bool:
    geometry = grid.geometry
    return count_solutions(geometry.box_rows, geometry.box_columns, grid.digits, 2) == 1


def thinned(seed: int, geometry: Geometry, givens: int) -> tuple[Grid, Grid]:
    """The givens of a puzzle with one solution, and the solution.

    Random givens are deleted as long as there are more than wanted and the puzzle stays unique.
    """
    rng = Random(seed)
    solution = full_grid(rng, geometry)
    grid = solution
    for cell in rng.sample(range(geometry.cell_count), geometry.cell_count):
        fewer = grid.with_digits({cell: EMPTY})
        if len(grid.givens) > givens and is_unique(fewer):
            grid = fewer
    return grid, solution


def only(grid: Grid, cells: tuple[int, ...]) -> Grid:
    """The grid with nothing but these cells."""
    return grid.with_digits({cell: EMPTY for cell in grid.givens if cell not in cells})


def rule_solver(geometry: Geometry, solver: str = "cadical153") -> RuleSolver:
    return RuleSolver(Puzzle(Grid.empty(geometry)), solver)
