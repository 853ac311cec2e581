"""Looking ahead: the small boards among many tasks go through the sieve together."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.bulk.quick import WORTH_SIFTING, bulk_solver, is_small
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.lines.line import LineFormat
from satdoku.notation.record import Hints
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.task import Task

_PLAIN = Hints()
_GEOMETRY_OF_LENGTH = {size * size: Geometry.of_size(size) for size in (4, 6, 8, 9)}


class _Board(NamedTuple):
    """A board to be sifted: of which task, its digits, and the puzzle if it was parsed."""

    task: int
    digits: bytes
    puzzle: Puzzle | None = None


def sift_tasks(tasks: Sequence[Task], takes_lines: bool) -> list[Task]:
    """The tasks, with what the sieve left of their boards where that was worth it.

    `takes_lines` says that of plain lines nothing but the board is wanted: they stay unparsed.
    """
    prepared = list(tasks)
    boards: dict[Geometry, list[_Board]] = defaultdict(list)
    for index, task in enumerate(tasks):
        digits = _read_line(task) if takes_lines else None
        if digits is not None:
            boards[_GEOMETRY_OF_LENGTH[len(digits)]].append(_Board(index, digits))
        elif (puzzle := _parse(task)) is not None:
            prepared[index] = task._replace(puzzle=puzzle)
            if is_small(puzzle.geometry):
                boards[puzzle.geometry].append(_Board(index, bytes(puzzle.grid.digits), puzzle))
    for geometry, found in boards.items():
        if len(found) >= WORTH_SIFTING:
            _sift(prepared, geometry, found)
    return prepared


def _sift(tasks: list[Task], geometry: Geometry, boards: Sequence[_Board]) -> None:
    left = bulk_solver(geometry).sift([board.digits for board in boards])
    for board, sifted in zip(boards, left, strict=True):
        tasks[board.task] = tasks[board.task]._replace(sifted=sifted, puzzle=board.puzzle)


def _read_line(task: Task) -> bytes | None:
    """The board of a line with nothing but its cells."""
    parser, text = task.parser, task.record.text
    geometry = _GEOMETRY_OF_LENGTH.get(len(text))
    if geometry is None or type(parser.format) is not LineFormat or parser.hints != _PLAIN:
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
