"""Base class of all answerers: answers questions about puzzles, one row for each task."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from itertools import chain
from typing import Any, ClassVar, TypeVar

from satdoku.answering.asked import Column, options_of, values_of
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.form import Form
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, describe_bug, is_bug
from satdoku.batch.row import Row
from satdoku.batch.run import traceback_of
from satdoku.errors import FormatError
from satdoku.notation.parser import replace_lost
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget, Watch, unwatched

Self = TypeVar("Self", bound="PuzzleAnswerer")


@value(frozen=True)
class PuzzleAnswerer(ABC):
    """Base class of answerers: answers the puzzle of each task in a form.

    An answerer is immutable: the state of an answer is kept in the call, so several threads may use
    the same answerer. `watch` receives progress reports; `tell` receives what was found before an
    interruption. Copies that are sent to a worker process have neither.
    """

    form: Form

    columns: ClassVar[tuple[Column, ...]] = ()
    """Columns that the answers add to a table, besides those of the options that are given."""

    keys: ClassVar[Mapping[str, Any]] = {}
    """JSON Schema of values that no column holds, or that a column holds in another shape."""

    endings: ClassVar[frozenset[Ending]] = frozenset()
    """The endings that objects and rows can have, besides `undecided`, `unreadable`, `fault`."""

    excludes: ClassVar[Sequence[OptionRow]] = ()
    """Options that exclude each other; see `find_excluded`."""

    needs: ClassVar[Sequence[OptionRow]] = ()
    """Options that need one of some others; see `find_lacking`."""

    watch: Watch = field(default=unwatched, compare=False, kw_only=True)
    tell: Watch = field(default=unwatched, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        # Both callbacks use the terminal and open files of this process, so they cannot be pickled.
        return {**self.__dict__, "watch": unwatched, "tell": unwatched}

    @property
    def has_values_of_boards(self) -> bool:
        """Whether an option has a value that only a puzzle can give sense, such as a cell."""
        return False

    def read_values(self, puzzle: Puzzle) -> None:  # noqa: B027 - most have no such options
        """Raise an OptionError for a value of such an option that does not fit this puzzle."""

    @property
    @abstractmethod
    def timeout(self) -> float | None:
        """Return the seconds that one puzzle may take; None without a limit."""

    def in_form(self: Self, form: Form) -> Self:
        return replace(self, form=form)

    def watched(self: Self, watch: Watch, tell: Watch = unwatched) -> Self:
        return replace(self, watch=watch, tell=tell)

    @property
    def takes_blocks(self) -> bool:
        """Whether tasks may be blocks of plain lines."""
        return False

    @property
    def takes_rows(self) -> bool:
        """Whether blocks may be rows of a table as well."""
        return False

    @property
    def is_quick(self) -> bool:
        """Whether thousands of puzzles take so little time that they may be one block of a file."""
        return False

    @property
    def basis(self) -> str:
        """Return a note on how answers are computed, for the summary line of a long run."""
        return ""

    def options(self) -> dict[str, Any]:
        """Return the settings that change the answers, by option name."""
        return values_of(self)

    @classmethod
    def columns_with(cls, asked: Mapping[str, Any]) -> tuple[Column, ...]:
        """Return the columns that answers add to a table with these options, by field name."""
        given = (each.columns for name, each in options_of(cls).items() if asked[name])
        return (*cls.columns, *chain(*given))

    @property
    def usual_options(self) -> dict[str, Any]:
        """Return the default value of each option."""
        return {option.name: option.usual for option in options_of(self).values()}

    @abstractmethod
    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        """Return the facts about a puzzle, found within `budget`, by default within its own limits.

        Entry point for callers that have a puzzle but no input record, such as the server.
        """

    @contextmanager
    def _telling(self, describe: Callable[[], str]) -> Iterator[None]:
        """On Ctrl-C in the block, first report what was found so far, as `describe` puts it."""
        try:
            yield
        except KeyboardInterrupt:
            self.tell(describe())
            raise

    @abstractmethod
    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """Yield one row for each task, in order; each is computed when the caller asks for it."""

    @abstractmethod
    def give_up(self, task: Task, reason: str) -> Row:
        """Return the row of a task whose worker died, hung or ran out of memory."""

    def _refuse(self, task: Task, error: FormatError) -> Row:
        """Return the row of a record that holds no valid puzzle."""
        # As for bytes that are no text; without any mark, the rest might be another puzzle.
        text = replace_lost(task.record.text, "\ufffd")
        shown = task._replace(record=task.record._replace(text=text))
        reject = reject_line(shown, f"{Ending.UNREADABLE.value}: {error}")
        return Row(
            self.form.of_unreadable(task if self.form.keeps_text else shown, error),
            Ending.UNREADABLE,
            str(error),
            reject,
            place=error.place,
        )


def guarded(task: Task, answer: Callable[[Task], Row], form: Form | None = None) -> Row:
    """Return the row of a task; one that says so if a bug ends its answer.

    Other errors are about more than this record, or have a row of their own.
    """
    try:
        task = task.with_text()
        return answer(task)
    except Exception as error:
        if not is_bug(error):
            raise
        told = describe_bug(error)
        line = f"{Ending.FAULT.value}: {told}"
        return Row(
            "" if form is None else form.of_fault(task, told),
            Ending.FAULT,
            f"{task.place}: {line}\n{traceback_of(error).rstrip()}",
            reject_line(task, line),
            place=task.place,
        )


def reject_line(task: Task, reason: str) -> str:
    """Return a line for the file of rejects: number, place, reason, and the text on one line."""
    # The number comes first: a resumed run reads it to find the rejects that it can keep.
    return f"{task.number}\t{task.place}\t{reason}\t{' '.join(task.record.text.split())}\n"


def row_of_block(block: Task, rows: Sequence[Row], usual: Ending = Ending.UNIQUE) -> Row:
    """Return the row of a block, joined from the rows of its lines; most have the `usual` ending.

    Some rows may be those of smaller blocks. Its result is the sequence of the results of the
    lines, if there are any.
    """
    results = tuple(chain.from_iterable([row.results for row in rows]))
    assert len(results) == block.puzzles
    each = chain.from_iterable([row.others or (row,) for row in rows])
    others = tuple(row for row in each if row.ending is not usual or row.message)
    return Row(
        "".join([row.text for row in rows]),
        usual,
        reject="".join([row.reject for row in others]),
        result=None if results.count(None) == len(results) else results,
        compared=sum([row.compared for row in rows]),
        records=len(results),
        others=others,
    )
