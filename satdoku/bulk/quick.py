"""Many small puzzles: the bulk solver where it fits, `check` for everything else.

Both give the same verdicts. Of puzzles without a solution, or with several, `check` has the last
word, so that what is said of them never depends on which way a puzzle went.
"""

from functools import cache
from typing import TYPE_CHECKING

from satdoku.encoding.encode import Encoding
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import AUTOMATIC

if TYPE_CHECKING:
    from satdoku.bulk import BulkSolver, Sifted

WORTH_SIFTING = 48
"""So many boards take as long without the bulk solver as its sieve takes at least."""

# Of boards up to this size none takes long, so that neither limits nor Ctrl-C come too late.
_LARGEST_SIZE = 9
_LEAST_TIMEOUT = 1.0


def is_quick(settings: Settings) -> bool:
    """Whether the bulk solver may stand in for what was asked for."""
    limits = settings.limits
    return (
        (settings.solver, settings.encoding) == (AUTOMATIC, Encoding.REDUCED)
        and not (settings.at_most_one or settings.command or settings.portfolio)
        and limits.conflicts is None
        and (limits.timeout is None or limits.timeout >= _LEAST_TIMEOUT)
    )


def is_small(geometry: Geometry) -> bool:
    """Whether boards of a geometry may be sifted."""
    return 1 < geometry.size <= _LARGEST_SIZE


@cache
def bulk_solver(geometry: Geometry) -> "BulkSolver":
    """The bulk solver for a small geometry."""
    from satdoku.bulk import BulkSolver

    return BulkSolver(geometry)


def solve_sifted(sifted: "Sifted") -> bytes | None:
    """The solution, one byte a cell, if there is exactly one."""
    answer = bulk_solver(sifted.geometry).solve(sifted)
    return answer.solution if answer.verdict is Verdict.UNIQUE else None


def check_sifted(puzzle: Puzzle, settings: Settings, sifted: "Sifted | None") -> Outcome:
    """The outcome of `check`, sooner if the board went through the sieve; without statistics."""
    digits = solve_sifted(sifted) if sifted is not None else None
    if digits is None:
        return check(puzzle, settings)
    solution = Grid(puzzle.geometry, tuple(digits))
    return Outcome(puzzle, Verdict.UNIQUE, solution, statistics=Statistics(settings.engine))
