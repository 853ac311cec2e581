"""What the answerers that are asked about puzzles have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from satdoku.answering.facts import Facts, found_out, nothing_found
from satdoku.answering.facts_form import FactsForm
from satdoku.answering.form import Form
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError, SolverDiedError, TooLargeError
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.watching import Watch, unwatched

Self = TypeVar("Self", bound="PuzzleAnswerer")


@dataclass(frozen=True)
class PuzzleAnswerer(ABC):
    """Answers the puzzle of each task in a form.

    `watch` is told what is going on, `tell` what was found before an interruption. A copy that
    travels to a worker has neither.
    """

    form: Form
    watch: Watch = field(default=unwatched, compare=False, kw_only=True)
    tell: Watch = field(default=unwatched, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "watch": unwatched, "tell": unwatched}

    @property
    @abstractmethod
    def timeout(self) -> float | None:
        """The seconds that one puzzle may take, if there is a limit."""

    def in_form(self: Self, form: Form) -> Self:
        return replace(self, form=form)

    def watched(self: Self, watch: Watch, tell: Watch = unwatched) -> Self:
        return replace(self, watch=watch, tell=tell)

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""

    @contextmanager
    def _telling(self, task: Task, describe: Callable[[], str]) -> Iterator[None]:
        """Where Ctrl-C ends what is within, tells what was found about a puzzle by then."""
        try:
            yield
        except KeyboardInterrupt:
            self.tell(f"{task.place}: {describe()}")
            raise

    @abstractmethod
    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]: ...

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


@dataclass(frozen=True)
class FactFinder(PuzzleAnswerer):
    """Finds facts about puzzles within limits, whatever form they are written in."""

    form: FactsForm
    limits: Limits = field(default_factory=Limits)

    command: ClassVar[str]
    """The command that asks this: another one cannot go on with the output."""

    good: ClassVar[frozenset[Ending]] = frozenset({Ending.UNIQUE, Ending.ANSWERED})
    """How records end that got what was asked for; all others are rejects."""

    @property
    def timeout(self) -> float | None:
        return self.limits.timeout

    def options(self) -> dict[str, Any]:
        limits = {"--timeout": self.limits.timeout, "--conflicts": self.limits.conflicts}
        return {"the command": self.command, **limits}

    def give_up(self, task: Task, reason: str) -> Row:
        return self._row(task, told(task, nothing_found(reason)))

    def _row(self, task: Task, facts: Facts) -> Row:
        text = self.form.of_facts(task, facts)
        reject = "" if facts.ending in self.good else reject_line(task, facts.line)
        return Row(text, facts.ending, facts.message, reject, facts.result, task.place)


@dataclass(frozen=True)
class OneByOne(FactFinder):
    """Finds facts about one puzzle after the other.

    A further question is a class with its `command` and with what `_find` finds. LimitReachedError
    there is the answer `undecided`; a SatdokuError says why the question makes no sense for this
    puzzle.
    """

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        for task in tasks:
            try:
                puzzle = task.parse()
            except FormatError as error:
                yield self._refuse(task, error)
            else:
                yield self._row(task, self._find_within_limits(task, puzzle))

    @abstractmethod
    def _find(self, task: Task, puzzle: Puzzle, budget: Budget) -> Facts: ...

    def _find_within_limits(self, task: Task, puzzle: Puzzle) -> Facts:
        budget = Budget(self.limits)
        try:
            return self._find(task, puzzle, budget)
        except LimitReachedError as limit:
            # A question had only what was left of the limits, and names that; the user knows them
            # as they were set.
            reason, ending = budget.why_over() or str(limit), Ending.UNDECIDED
        except (TooLargeError, SolverDiedError):
            # Kinds of SatdokuError that are no fault of the puzzle: the batch calls `give_up`.
            raise
        except SatdokuError as error:
            reason, ending = str(error), Ending.UNREADABLE
        return told(task, found_out(puzzle, ending, f"{ending.value}: {reason}", {}, reason))


def told(task: Task, facts: Facts) -> Facts:
    """The same facts, which are said on stderr too."""
    return replace(facts, message=f"{task.place}: {facts.line}")


def reject_line(task: Task, reason: str) -> str:
    """A line for the file of rejects: where, why, and the text on one line."""
    return f"{task.number}\t{task.place}\t{reason}\t{' '.join(task.record.text.split())}\n"
