"""Plan of a run over many records, made from the options and the first records.

Everything here is a pure function without input or output. The functions at the end take the lines
that an earlier run wrote, and find out how its records ended.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any, NamedTuple

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.form import Form
from satdoku.answering.task import Task
from satdoku.errors import SatdokuError


class Conditions(NamedTuple):
    """Conditions of a plan: where the puzzles come from, and where the answers go.

    `file_count` is the number of inputs if all of them are regular files, otherwise 0. `reading`
    holds the options for reading them. With `are_typed` a person types the puzzles and waits for
    each answer, so it is unknown whether another puzzle will follow.
    """

    is_to_file: bool = False
    file_count: int = 0
    reading: Mapping[str, Any] = {}
    are_typed: bool = False


class Plan(NamedTuple):
    """The answerer of a run, with its final form and the beginning of its output.

    `opening` is written before the first row. `identity` distinguishes this run from runs with
    other answers; None means that it cannot be resumed. `usual` holds the default values of its
    options. The answerer is a `PuzzleAnswerer`, except for records other than puzzles.
    """

    answerer: Any
    opening: str
    identity: Mapping[str, Any] | None
    usual: Mapping[str, Any] = {}


def records_to_see(form: Form, conditions: Conditions) -> int:
    """Return how many records have to be read before the first one is answered.

    Two if the form depends on whether there is a second record. Otherwise one: a program that
    writes slowly into a pipe may want the first answer before it writes the second record.
    """
    return 2 if _depends_on_number(form, conditions) and not conditions.are_typed else 1


def make_plan(answerer: PuzzleAnswerer, first: Sequence[Task], conditions: Conditions) -> Plan:
    """Return the plan of a run with these first records: `records_to_see` of them, or all."""
    answerer = answerer.in_form(settle_form(answerer.form, len(first), conditions))
    opening = answerer.form.opening(first[0].parser) if first else ""
    identity = _identity(answerer, first, conditions)
    return Plan(answerer, opening, identity, answerer.usual_options)


def settle_form(form: Form, count: int, conditions: Conditions) -> Form:
    """Return the form for a run whose first `count` records are known."""
    if conditions.are_typed:
        return form.of_typed()
    return form.of_number(is_single=_depends_on_number(form, conditions) and count == 1)


def refuse_other_tables(
    tasks: Iterable[Task], refuse: Callable[[SatdokuError], None]
) -> Iterator[Task]:
    """Yield the tasks whose sources have the columns of the first one, and refuse the others.

    One table cannot hold rows with different columns.
    """
    first = seen = None
    is_fitting = True
    for task in tasks:
        if task.parser is not seen:
            seen = task.parser
            first = first or seen
            is_fitting = seen.format.columns == first.format.columns
            if not is_fitting:
                refuse(SatdokuError(f"{seen.source} does not have the columns of {first.source}"))
        if is_fitting:
            yield task


@dataclass(slots=True)
class SourceRows:
    """A source, and how many of its rows were read so far: it may be refused before its end."""

    source: str
    rows: int = 0


def count_rows(tasks: Iterable[Task], counted: list[SourceRows]) -> Iterator[Task]:
    """Yield the tasks, and count for each source how many of its rows they are.

    If the sources are read again, what was counted before stays.
    """
    seen, position, rows = None, -1, 0
    for task in tasks:
        if task.parser is not seen:
            seen, position, rows = task.parser, position + 1, 0
            if position == len(counted):
                counted.append(SourceRows(seen.source))
        rows += task.puzzles
        counted[position].rows = max(counted[position].rows, rows)
        yield task


def _depends_on_number(form: Form, conditions: Conditions) -> bool:
    """Return whether the form depends on the number of records.

    Files always get the form for many records, because several files may be concatenated.
    """
    return form.depends_on_number and not conditions.is_to_file


def _identity(
    answerer: PuzzleAnswerer, first: Sequence[Task], conditions: Conditions
) -> Mapping[str, Any] | None:
    """Return the identity of a run; None if it cannot be resumed.

    Resuming needs input files, which can be read again, and one line of output for each record.
    """
    form = answerer.form
    if not first or conditions.file_count == 0 or not form.is_linewise(first[0].parser):
        return None
    if form.takes_shape_of_input and conditions.file_count > 1:
        return None  # later files may have formats whose answers take several lines
    return {
        "the form of the output": form.name,
        **form.options(),
        **answerer.options(),
        **conditions.reading,
    }


class LineByLine(Iterator[Task]):
    """Iterator of tasks of one puzzle each: blocks are split into their lines.

    `rest` yields the remaining tasks, with blocks as they are.
    """

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._lines: deque[Task] = deque()

    def __next__(self) -> Task:
        if not self._lines:
            task = next(self._tasks)
            if task.puzzles == 1:
                return task.with_text()
            self._lines.extend(task.lines())
        return self._lines.popleft()

    @property
    def rest(self) -> Iterator[Task]:
        return chain(self._lines, self._tasks)


def earlier_endings(
    answerer: PuzzleAnswerer, tasks: Iterator[Task], lines: Iterable[str], output: str
) -> Iterator[Enum]:
    """Yield how each record ended, given the lines of its earlier `output`.

    Takes as many tasks as there are lines. For a line that does not say how its record ended, such
    as a placeholder, the answer is computed again and compared. Raise SatdokuError if it differs,
    or if there are more lines than tasks.
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
            # A missing grid may have several causes, which have different exit codes.
            row = next(answerer.answers([task]))
            if row.text != line:
                raise SatdokuError(
                    f"{output} cannot be resumed: its answer {number:,} is not the answer to "
                    f"{task.place}; --force begins it anew"
                )
            ending = row.ending
        yield ending


def tasks_behind(tasks: Iterable[Task], count: int) -> Iterator[Task]:
    """Yield the tasks after the first `count` puzzles; a block that begins before is split."""
    for task in tasks:
        done = count + 1 - task.number
        if done <= 0:
            yield task
        elif done < task.puzzles:
            yield from task.lines()[done:]
