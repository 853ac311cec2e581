"""Many small puzzles: the bulk solver where it fits, `check` for everything else.

Both give the same verdicts. Of puzzles with several solutions `check` has the last word, so that
the two that are shown never depend on which way a puzzle went.
"""

from functools import cache
from typing import TYPE_CHECKING

from satdoku.encoding.encode import Encoding
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import AUTOMATIC
from satdoku.solving.verdict import Outcome, Statistics, Verdict

if TYPE_CHECKING:
    from satdoku.solving.bulk import LineSolver

# The tables of a bulk solver take 40 ms to build, as long as so many puzzles take without it.
_WORTH_TABLES = 40

# Of boards up to this size none takes long, so that neither limits nor Ctrl-C come too late.
_LARGEST_SIZE = 9
_LEAST_TIMEOUT = 1.0

_asked: dict[Geometry, int] = {}


def is_quick(settings: Settings) -> bool:
    """Whether the bulk solver may stand in for what was asked for."""
    limits = settings.limits
    return (
        (settings.solver, settings.encoding) == (AUTOMATIC, Encoding.REDUCED)
        and not (settings.at_most_one or settings.command or settings.portfolio)
        and limits.conflicts is None
        and (limits.timeout is None or limits.timeout >= _LEAST_TIMEOUT)
    )


def find_line_solver(geometry: Geometry) -> "LineSolver | None":
    """The bulk solver for a geometry, once enough puzzles have come to make it worth its while."""
    if geometry.size > _LARGEST_SIZE:
        return None
    count = _asked.get(geometry, 0)
    if count < _WORTH_TABLES:
        _asked[geometry] = count + 1
        return None
    return _line_solver(geometry)


def check_quickly(puzzle: Puzzle, settings: Settings) -> Outcome:
    """The outcome of `check`, sooner; without statistics."""
    solver = find_line_solver(puzzle.geometry)
    if solver is None:
        return check(puzzle, settings)
    answer = solver.answer(bytes(puzzle.grid.digits))
    if answer.verdict is Verdict.MULTIPLE:
        return check(puzzle, settings)
    solution = Grid(puzzle.geometry, tuple(answer.solution)) if answer.solution else None
    return Outcome(puzzle, answer.verdict, solution, statistics=Statistics(settings.engine))


@cache
def _line_solver(geometry: Geometry) -> "LineSolver | None":
    from satdoku.solving.bulk import LineSolver, supports

    return LineSolver(geometry) if supports(geometry) else None
