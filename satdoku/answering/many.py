"""Many puzzles at once: the bulk solver where it fits, `check` for everything else.

Both give the same verdicts. The bulk solver only says which solution is the only one; of puzzles
without a solution, or with several, `check` has the last word, so that what is said of them never
depends on which way a puzzle went.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satdoku.notation.plain_lines import PlainBoard
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.solving.bulk import Bulk, Only, Solved

LEAST_BOARDS = 64
"""The bulk solver takes some milliseconds even for one board; in that time this many boards are
answered one by one."""

# No board up to this size takes long, so that neither limits nor Ctrl-C come too late.
LARGEST_SIZE = 9
# The bulk solver looks at no clock, so a shorter timeout could be over before its answers come.
_LEAST_TIMEOUT = 1.0


def may_use_bulk(settings: Settings) -> bool:
    """Whether the bulk solver may stand in for the solver that was asked for."""
    limits = settings.limits
    return settings.leaves_method_open and (
        limits.timeout is None or limits.timeout >= _LEAST_TIMEOUT
    )


def board_of(puzzle: Puzzle) -> PlainBoard | None:
    """The board of a puzzle that the bulk solver may answer: small, and under classic rules."""
    # On a board of one cell nothing is to be decided, and the bulk solver refuses it.
    if puzzle.is_classic and 1 < puzzle.geometry.size <= LARGEST_SIZE:
        return PlainBoard(puzzle.geometry, bytes(puzzle.grid.digits))
    return None


def only_solutions(
    boards: Sequence[PlainBoard | None], least: int = LEAST_BOARDS
) -> "Iterator[Only | None]":
    """For each board its only solution, worked out when it is asked for.

    None means that `check` is to be asked: there is no board, or no or several solutions, or less
    than the `least` number of boards have its geometry.
    """
    digits_by_geometry: dict[Geometry, list[bytes]] = defaultdict(list)
    for board in boards:
        if board is not None:
            digits_by_geometry[board.geometry].append(board.digits)
    solutions_by_geometry = {
        geometry: _bulk_of(geometry).solutions(digits)
        for geometry, digits in digits_by_geometry.items()
        if len(digits) >= least
    }
    for board in boards:
        solutions = None if board is None else solutions_by_geometry.get(board.geometry)
        yield None if solutions is None else next(solutions)


def solve_blocks(geometry: Geometry, blocks: Sequence[bytes]) -> "Iterator[Solved]":
    """What the bulk solver says of each block of boards, worked out when it is asked for.

    Boards come in as bytes, one byte a cell, and go out so, without an object for each.
    """
    return _bulk_of(geometry).blocks(blocks)


def unique_outcome(puzzle: Puzzle, solution: bytes, settings: Settings) -> Outcome:
    """The outcome of a puzzle with this only solution, as of `check`, but without what it cost."""
    grid = Grid(puzzle.geometry, tuple(solution))
    return Outcome(puzzle, Verdict.UNIQUE, grid, statistics=Statistics(settings.engine))


def _bulk_of(geometry: Geometry) -> "Bulk":
    # Imported here: a few puzzles should not wait for what only many need.
    from satdoku.solving.bulk import bulk_of

    return bulk_of(geometry)
