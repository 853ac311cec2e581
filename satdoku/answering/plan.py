"""What a run over many records needs, decided from what was asked for and from the first records.

Everything here is a pure function: it reads no file and writes nothing. The last ones read the
lines that an earlier run wrote, and find out how its records ended.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Any, NamedTuple

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.form import Form
from satdoku.answering.task import Task
from satdoku.errors import SatdokuError


class Conditions(NamedTuple):
    """What a plan depends on: where the puzzles come from, and where the answers go.

    `file_count` is the number of inputs if all of them are regular files, otherwise 0. `reading` is
    how they are read, by the names of options. Where they `are_typed`, a person waits for each
    answer, and nobody knows whether another puzzle will follow.
    """

    is_to_file: bool = False
    file_count: int = 0
    reading: Mapping[str, Any] = {}
    are_typed: bool = False


class Plan(NamedTuple):
    """The answerer of a run, with the form that is right for it, and what its output begins with.

    `opening` goes before the first row. `identity` tells this run from others that would give other
    answers; None means that it cannot be resumed; `usual` is what its options are where nobody
    gives them. The answerer is a `PuzzleAnswerer` for puzzles,
    and for other records one of theirs.
    """

    answerer: Any
    opening: str
    identity: Mapping[str, Any] | None
    usual: Mapping[str, Any] = {}


def records_to_see(form: Form, conditions: Conditions) -> int:
    """How many records have to be there before the first one is answered.

    Two where it matters whether there is a second one. Elsewhere one: a program that writes slowly
    into a pipe may want the first answer before it writes the second record.
    """
    return 2 if _depends_on_number(form, conditions) and not conditions.are_typed else 1


def make_plan(answerer: PuzzleAnswerer, first: Sequence[Task], conditions: Conditions) -> Plan:
    """The plan for a run that begins with these records: as many as `records_to_see`, or all."""
    answerer = answerer.in_form(settle_form(answerer.form, len(first), conditions))
    opening = answerer.form.opening(first[0].parser) if first else ""
    identity = _identity(answerer, first, conditions)
    return Plan(answerer, opening, identity, answerer.usual_options)


def settle_form(form: Form, count: int, conditions: Conditions) -> Form:
    """The form for a run that begins with so many records, if `records_to_see` were asked for."""
    if conditions.are_typed:
        return form.of_typed()
    return form.of_number(is_single=_depends_on_number(form, conditions) and count == 1)


def refuse_other_tables(
    tasks: Iterable[Task], refuse: Callable[[SatdokuError], None]
) -> Iterator[Task]:
    """The tasks of sources that have the columns of the first one: one table cannot hold others."""
    first = seen = None
    is_fitting = True
    for task in tasks:
        if task.parser is not seen:
            seen = task.parser
            first = first or seen
            is_fitting = seen.format.columns == first.format.columns
            if not is_fitting:
                refuse(SatdokuError(f"{seen.source} has not the columns of {first.source}"))
        if is_fitting:
            yield task


def _depends_on_number(form: Form, conditions: Conditions) -> bool:
    """A file always has the form for many: it may be one of several that are put together."""
    return form.depends_on_number and not conditions.is_to_file


def _identity(
    answerer: PuzzleAnswerer, first: Sequence[Task], conditions: Conditions
) -> Mapping[str, Any] | None:
    """Resuming takes files, which can be read again, and a line in the output for each record."""
    form = answerer.form
    if not first or conditions.file_count == 0 or not form.is_linewise(first[0].parser):
        return None
    if form.takes_shape_of_input and conditions.file_count > 1:
        return None  # the files behind the first may be of formats that take several lines
    return {
        "the form of the output": form.name,
        **form.options(),
        **answerer.options(),
        **conditions.reading,
    }


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
    answerer: PuzzleAnswerer, tasks: Iterator[Task], lines: Iterable[str], output: str
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
