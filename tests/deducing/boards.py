"""Puzzles with all kinds of rules, with all their solutions."""

from collections.abc import Iterator
from functools import cache
from random import Random

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.regions import ExtraRegion, read_regions
from satdoku.puzzle.rules.rule import Rule
from tests.boards import full_grid, random_puzzle, spoil, thin_out
from tests.oracle import solutions_of
from tests.puzzle.rules.instances import LINES_ONLY, every_grid, random_instances


def solutions_by_lines(puzzle: Puzzle) -> list[Grid]:
    """All solutions: those Latin squares around the givens that the judge accepts."""
    squares = solutions_of(1, puzzle.geometry.size, puzzle.grid.digits)
    grids = (Grid(puzzle.geometry, digits) for digits in squares)
    return [grid for grid in grids if not find_fault(grid, puzzle)]


@cache
def every_small_grid() -> tuple[Grid, ...]:
    return every_grid(LINES_ONLY)


def small_puzzles(rng: Random, count: int) -> Iterator[tuple[Puzzle, list[Grid]]]:
    """4x4 puzzles with up to two rules drawn by lot, from any grid; many have no solution."""
    for _ in range(count):
        grid = rng.choice(every_small_grid())
        base = Puzzle(thin_out(rng, grid, rng.randint(2, 8)), rules=LINES_ONLY)
        try:
            puzzle = base.with_rules(random_instances(rng, rng.randint(0, 2)))
        except SatdokuError:  # two sets of regions, or a rule for a board of another size
            continue
        yield puzzle, [grid for grid in every_small_grid() if not find_fault(grid, puzzle)]


def jigsaw(rng: Random, geometry: Geometry, givens: int) -> Puzzle:
    """Random regions, in pieces, that a known grid obeys, sometimes with a spoilt given."""
    grid = full_grid(rng, geometry)
    size = geometry.size
    letters = [""] * geometry.cell_count
    for digit in range(1, size + 1):
        cells = [cell for cell, held in enumerate(grid.digits) if held == digit]
        for letter, cell in zip(rng.sample("ABCDEFGHIJ"[:size], size), cells, strict=True):
            letters[cell] = letter
    puzzle = Puzzle(thin_out(rng, grid, givens), rules=LINES_ONLY)
    puzzle = puzzle.with_rules([read_regions("".join(letters), geometry), *extra(rng, grid)])
    return puzzle.with_grid(spoil(rng, puzzle.grid)) if rng.random() < 0.2 else puzzle


def extra(rng: Random, grid: Grid) -> Iterator[Rule]:
    """An extra region of any size that the grid obeys, every second time."""
    if rng.random() < 0.5:
        return
    size = grid.geometry.size
    digits = rng.sample(range(1, size + 1), rng.randint(2, size))
    cells = [
        rng.choice([cell for cell, held in enumerate(grid.digits) if held == digit])
        for digit in digits
    ]
    yield ExtraRegion(tuple(sorted(cells)))


def classic_puzzles(rng: Random, geometry: Geometry, count: int) -> Iterator[Puzzle]:
    for _ in range(count):
        yield random_puzzle(rng, geometry, 0.35, 0.7)
