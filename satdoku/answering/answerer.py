"""What all answerers that are asked about puzzles have in common."""

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
from satdoku.answering.task import Facts, Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget, Watch, unwatched

Self = TypeVar("Self", bound="PuzzleAnswerer")


@value(frozen=True)
class PuzzleAnswerer(ABC):
    """Answers the puzzle of each task in a form.

    An answerer is a value: what it needs while it answers belongs to that answer alone, so several
    threads may ask the same one. `watch` is told what is going on, `tell` what was found before an
    interruption. A copy that travels to a worker has neither.
    """

    form: Form

    columns: ClassVar[tuple[Column, ...]] = ()
    """What its answers add to a table, besides the columns of options that are given."""

    excludes: ClassVar[Sequence[OptionRow]] = ()
    """Which of its options exclude each other; see `find_excluded`."""

    needs: ClassVar[Sequence[OptionRow]] = ()
    """Which of its options need one of some others; see `find_lacking`."""

    watch: Watch = field(default=unwatched, compare=False, kw_only=True)
    tell: Watch = field(default=unwatched, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        # Both are bound to the terminal and to the open files of this process, and cannot travel.
        return {**self.__dict__, "watch": unwatched, "tell": unwatched}

    @property
    @abstractmethod
    def timeout(self) -> float | None:
        """The seconds that one puzzle may take, if there is a limit."""

    def in_form(self: Self, form: Form) -> Self:
        return replace(self, form=form)

    def watched(self: Self, watch: Watch, tell: Watch = unwatched) -> Self:
        return replace(self, watch=watch, tell=tell)

    @property
    def takes_blocks(self) -> bool:
        """Whether tasks may be blocks of plain lines."""
        return False

    @property
    def basis(self) -> str:
        """What the last line of a run of many says of what all its answers rest on."""
        return ""

    def options(self) -> dict[str, Any]:
        """The settings that change the answers, by the names of their options."""
        return values_of(self)

    @classmethod
    def columns_with(cls, asked: Mapping[str, Any]) -> tuple[Column, ...]:
        """What answers add to a table where these options are given, by the names of fields."""
        given = (each.columns for name, each in options_of(cls).items() if asked[name])
        return (*cls.columns, *chain(*given))

    @property
    def usual_options(self) -> dict[str, Any]:
        """What its options are where nobody gives one."""
        return {option.name: option.usual for option in options_of(self).values()}

    @abstractmethod
    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        """What there is to say about a puzzle, within a budget, or else within its own limits.

        This is the door for whoever has a puzzle and no record of an input, such as a server.
        """

    @contextmanager
    def _telling(self, describe: Callable[[], str]) -> Iterator[None]:
        """Where Ctrl-C ends the work within, tells by `describe` what was found until then."""
        try:
            yield
        except KeyboardInterrupt:
            self.tell(describe())
            raise

    @abstractmethod
    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """A row for each task, in their order, worked out when it is asked for."""

    @abstractmethod
    def give_up(self, task: Task, reason: str) -> Row:
        """The row of a task whose worker died, hung or ran out of memory."""

    def _refuse(self, task: Task, error: FormatError) -> Row:
        """The row of a record that is no puzzle."""
        reject = reject_line(task, f"{Ending.UNREADABLE.value}: {error}")
        return Row(
            self.form.of_unreadable(task, error),
            Ending.UNREADABLE,
            str(error),
            reject,
            place=error.place,
        )


def reject_line(task: Task, reason: str) -> str:
    """A line for the file of rejects: where, why, and the text on one line."""
    # The number comes first: by it a run that is resumed finds the rejects that it can keep.
    return f"{task.number}\t{task.place}\t{reason}\t{' '.join(task.record.text.split())}\n"
