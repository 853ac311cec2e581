"""Many puzzles at once: the bulk solver for boards that it can take, `check` for all others.

Both give the same verdicts. The bulk solver only finds unique solutions; puzzles with no or several
solutions always go to `check`, so their answers do not depend on the route.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satdoku.notation.plain_lines import PlainBoard
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.solving.bulk import Bulk, Only
    from satdoku.solving.bulk import Solved as Solved

LEAST_BOARDS = 64
"""Least number of boards for the bulk solver.

It takes some milliseconds even for one board, in which this many boards can be answered one by one.
"""

# Boards up to this size take so little time that limits and Ctrl-C still act promptly.
LARGEST_SIZE = 9
# The bulk solver never checks the clock, so it could overrun a shorter timeout.
_LEAST_TIMEOUT = 1.0
# At worst, the bulk solver leaves all 512 boards of a block open, and each then takes a tenth of a
# second.
_LEAST_TIMEOUT_OF_BLOCKS = 60.0


def may_use_bulk(settings: Settings) -> bool:
    """Whether the bulk solver may replace the solver of these settings."""
    limits = settings.limits
    return settings.leaves_method_open and (
        limits.timeout is None or limits.timeout >= _LEAST_TIMEOUT
    )


def is_patient(timeout: float | None) -> bool:
    """Whether a block of boards can be answered within the timeout of a single one."""
    return timeout is None or timeout >= _LEAST_TIMEOUT_OF_BLOCKS


def board_of(puzzle: Puzzle) -> PlainBoard | None:
    """Return the board of a puzzle that the bulk solver can answer: small, with classic rules."""
    if puzzle.is_classic and is_small(puzzle.geometry):
        return PlainBoard(puzzle.geometry, bytes(puzzle.grid.digits))
    return None


def is_small(geometry: Geometry) -> bool:
    """Whether the bulk solver takes boards of a geometry."""
    # The bulk solver refuses a board of one cell, on which there is nothing to decide.
    return 1 < geometry.size <= LARGEST_SIZE


def only_solutions(
    boards: Sequence[PlainBoard | None], least: int = LEAST_BOARDS
) -> "Iterator[Only | None]":
    """Yield the only solution of each board, computed when the caller asks for it.

    Yield None where the caller must use `check`: there is no board, it has no or several solutions,
    or fewer than `least` boards have its geometry.
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
    """Yield the bulk solver's answer to each block of boards, computed when asked for.

    Boards come in and go out as bytes, one byte a cell, without an object for each board.
    """
    return _bulk_of(geometry).blocks(blocks)


def unique_outcome(puzzle: Puzzle, solution: bytes, settings: Settings) -> Outcome:
    """Return the outcome of a puzzle with this only solution, as `check` does.

    It has no statistics.
    """
    grid = Grid(puzzle.geometry, tuple(solution))
    return Outcome(puzzle, Verdict.UNIQUE, grid, statistics=Statistics(settings.engine))


def _bulk_of(geometry: Geometry) -> "Bulk":
    # Imported here: runs over a few puzzles do not need the bulk solver.
    from satdoku.solving.bulk import bulk_of

    return bulk_of(geometry)
