"""Many puzzles at once: the bulk solver where it fits, `check` for everything else.

Both give the same verdicts. The bulk solver only says which solution is the only one; of puzzles
without a solution, or with several, `check` has the last word, so that what is said of them never
depends on which way a puzzle went.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from satdoku.answering.task import Task
from satdoku.encoding.encode import Encoding
from satdoku.notation.hints import Hints
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import AUTOMATIC

if TYPE_CHECKING:
    from satdoku.bulk import Bulk
    from satdoku.notation.plain_lines import PlainLines

LEAST_BOARDS = 64
"""The bulk solver takes some milliseconds even for one board; in that time this many boards are
answered one by one."""

# No board up to this size takes long, so that neither limits nor Ctrl-C come too late.
_LARGEST_SIZE = 9
# The bulk solver looks at no clock, so a shorter timeout could be over before its answers come.
_LEAST_TIMEOUT = 1.0

# The small boards whose shape a line shows by its length alone: 5 and 7 are prime, so that boxes
# would be rows.
_SIZE_OF_LENGTH = {size * size: size for size in (4, 6, 8, 9)}
_PLAIN = Hints()


class Board(NamedTuple):
    """A board for the bulk solver, its digits as one byte a cell."""

    geometry: Geometry
    digits: bytes

    @property
    def grid(self) -> Grid:
        return Grid(self.geometry, tuple(self.digits))


def may_use_bulk(settings: Settings) -> bool:
    """Whether the bulk solver may stand in for the solver that was asked for."""
    limits = settings.limits
    return (
        (settings.solver, settings.encoding) == (AUTOMATIC, Encoding.REDUCED)
        and not (settings.at_most_one or settings.command or settings.portfolio)
        and limits.conflicts is None
        and (limits.timeout is None or limits.timeout >= _LEAST_TIMEOUT)
    )


def board_of(puzzle: Puzzle) -> Board | None:
    """The board of a puzzle that the bulk solver may answer: small, and under classic rules."""
    # On a board of one cell nothing is to be decided, and the bulk solver refuses it.
    if puzzle.is_classic and 1 < puzzle.geometry.size <= _LARGEST_SIZE:
        return Board(puzzle.geometry, bytes(puzzle.grid.digits))
    return None


def board_of_line(task: Task) -> Board | None:
    """The board of a record that is nothing but a line of cells, read without parsing it.

    None for any other record, and wherever the user said how to read it: then it is parsed.
    """
    parser = task.parser
    if not parser.format.has_bare_lines or parser.hints != _PLAIN:
        return None
    return board_of_text(task.record.text)


def board_of_text(text: str) -> Board | None:
    """The board of a text that is nothing but a small board's cells, as every reader reads it."""
    size = _SIZE_OF_LENGTH.get(len(text))
    if size is None:
        return None
    geometry = Geometry.of_size(size)
    digits = _lines(geometry).read(text)
    return None if digits is None else Board(geometry, digits)


def line_of(board: Board, solution: bytes) -> str:
    """The line of a solution, as `board_of_line` would read it."""
    return _lines(board.geometry).write(solution)


def only_solutions(boards: Sequence[Board | None]) -> Iterator[bytes | None]:
    """For each board its only solution, worked out when it is asked for.

    None means that `check` is to be asked: there is no board, or no or several solutions, or too
    few boards have its geometry.
    """
    digits_by_geometry: dict[Geometry, list[bytes]] = defaultdict(list)
    for board in boards:
        if board is not None:
            digits_by_geometry[board.geometry].append(board.digits)
    solutions_by_geometry = {
        geometry: _bulk(geometry).solutions(digits)
        for geometry, digits in digits_by_geometry.items()
        if len(digits) >= LEAST_BOARDS
    }
    for board in boards:
        solutions = None if board is None else solutions_by_geometry.get(board.geometry)
        yield None if solutions is None else next(solutions)


def unique_outcome(puzzle: Puzzle, solution: bytes, settings: Settings) -> Outcome:
    """The outcome of a puzzle with this only solution, as of `check`, but without what it cost."""
    grid = Grid(puzzle.geometry, tuple(solution))
    return Outcome(puzzle, Verdict.UNIQUE, grid, statistics=Statistics(settings.engine))


@cache
def _bulk(geometry: Geometry) -> "Bulk":
    """The bulk solver of a geometry, kept: what it has worked out serves all further boards."""
    # Imported here: a few puzzles should not wait for what only many need.
    from satdoku.bulk import Bulk

    return Bulk(geometry)


@cache
def _lines(geometry: Geometry) -> "PlainLines":
    # Imported here: most commands read no plain line in this way.
    from satdoku.notation.plain_lines import PlainLines

    return PlainLines(geometry)
