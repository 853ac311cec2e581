"""What an earlier run answered: how its records ended, read from the lines of its output."""

from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain

from satdoku.answering.plan import FormAnswerer
from satdoku.answering.task import Task
from satdoku.errors import SatdokuError


class LineByLine(Iterator[Task]):
    """Single tasks, also of blocks; `rest` are those that were not taken, with blocks as blocks."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._lines: deque[Task] = deque()

    def __next__(self) -> Task:
        if not self._lines:
            task = next(self._tasks)
            if task.puzzles == 1:
                return task
            self._lines.extend(task.lines())
        return self._lines.popleft()

    @property
    def rest(self) -> Iterator[Task]:
        return chain(self._lines, self._tasks)


def earlier_endings(
    answerer: FormAnswerer, tasks: Iterator[Task], lines: Iterable[str], output: str
) -> Iterator[Enum]:
    """How each record ended whose answer stands in `output`, one of its lines.

    As many tasks are taken as there are lines. A line that does not say how its record ended, such
    as the empty one in place of a grid, has to be the answer to it, which is worked out again.
    Raises SatdokuError where it is not, or where there are more lines than tasks.
    """
    for number, line in enumerate(lines, 1):
        task = next(tasks, None)
        if task is None:
            raise SatdokuError(
                f"{output} cannot be resumed: it has more answers than the input has puzzles, "
                f"which are {number - 1:,}; --force begins it anew"
            )
        ending: Enum | None = answerer.form.ending_of(task, line)
        if ending is None:
            # A grid is missing for several reasons, which have exit codes of their own.
            row = next(answerer.answers([task]))
            if row.text != line:
                raise SatdokuError(
                    f"{output} cannot be resumed: its answer {number:,} is none to {task.place}; "
                    "--force begins it anew"
                )
            ending = row.ending
        yield ending
