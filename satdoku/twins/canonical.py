"""The canonical form of a puzzle, or of its solution."""

from dataclasses import dataclass

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.showing import Shown
from satdoku.solving.limits import Budget
from satdoku.twins.full_grid import find_smallest_full
from satdoku.twins.smallest import MOST_TWINS, Smallest, find_smallest

# A minimal puzzle of 16x16 takes a fifth of a second. On 25x25 a row has so many givens that its
# column orders alone are too many.
LARGEST_SIZE = 16


@dataclass(frozen=True)
class Canonical(Shown):
    """The smallest twin of a board, and its automorphisms.

    `automorphisms` is the number of ways to move the board onto itself: 1 for nearly every puzzle,
    where only to leave it as it is does that. Boards are twins exactly when their grids here are
    equal.
    """

    grid: Grid
    automorphisms: int


def canonical_form(puzzle: Puzzle, budget: Budget | None = None) -> Canonical:
    """The canonical form of a classic puzzle, whether it has one solution or not.

    A puzzle of 9x9 takes a few milliseconds. TooLargeError for boards above 16x16, and for nearly
    full ones above 9x9; LimitReachedError when the budget ends.
    """
    if not puzzle.is_classic:
        names = ", ".join(rule.name for rule in puzzle.further_rules) or "fewer rules"
        raise SatdokuError(
            f"canonical forms are for rows, columns and boxes alone; this puzzle has {names}"
        )
    size = puzzle.geometry.size
    if size > LARGEST_SIZE:
        raise TooLargeError(
            f"canonical forms are computed up to {LARGEST_SIZE}x{LARGEST_SIZE}, "
            f"not for {size}x{size}"
        )
    found = _find(puzzle, budget or Budget())
    return Canonical(Grid(puzzle.geometry, found.digits), found.ways)


def _find(puzzle: Puzzle, budget: Budget) -> Smallest:
    grid = puzzle.grid
    if grid.is_full and grid.geometry == Geometry(3, 3):
        return find_smallest_full(grid.digits)
    return find_smallest(grid.geometry, grid.digits, MOST_TWINS, budget)
