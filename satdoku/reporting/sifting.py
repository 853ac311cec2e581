"""Looking ahead: the small boards among many tasks go through the sieve together."""

from collections import defaultdict
from collections.abc import Sequence

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.line import LineFormat
from satdoku.notation.record import Layout
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.task import Task
from satdoku.solving.quick import WORTH_SIFTING, bulk_solver, is_small

_PLAIN = Layout()
_GEOMETRY_OF_LENGTH = {size * size: Geometry.of_size(size) for size in (4, 6, 8, 9)}


def sift_tasks(tasks: Sequence[Task], takes_lines: bool) -> list[Task]:
    """The tasks, each with what the sieve left of its board, if it was worth sifting.

    `takes_lines` says that of plain lines nothing but the board is wanted: they stay unparsed.
    """
    prepared = list(tasks)
    if len(tasks) < WORTH_SIFTING:
        return prepared
    boards: dict[Geometry, list[tuple[int, Puzzle | None, bytes]]] = defaultdict(list)
    for index, task in enumerate(tasks):
        board = _read_line(task) if takes_lines else None
        if board is not None:
            boards[_GEOMETRY_OF_LENGTH[len(board)]].append((index, None, board))
        elif (puzzle := _parse(task)) is not None:
            boards[puzzle.geometry].append((index, puzzle, bytes(puzzle.grid.digits)))
    for geometry, found in boards.items():
        if is_small(geometry) and len(found) >= WORTH_SIFTING:
            left = bulk_solver(geometry).sift([board for _, _, board in found])
            for (index, puzzle, _), sifted in zip(found, left, strict=True):
                prepared[index] = tasks[index]._replace(sifted=sifted, puzzle=puzzle)
    return prepared


def _read_line(task: Task) -> bytes | None:
    """The board of a line with nothing but its cells."""
    parser, text = task.parser, task.record.text
    geometry = _GEOMETRY_OF_LENGTH.get(len(text))
    if geometry is None or type(parser.format) is not LineFormat or parser.layout != _PLAIN:
        return None
    try:
        return bulk_solver(geometry).read(text)
    except SatdokuError:
        return None  # whoever reads it with care will say what is wrong


def _parse(task: Task) -> Puzzle | None:
    try:
        return task.parse()
    except FormatError:
        return None
