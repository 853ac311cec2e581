"""What the answerers that find facts have in common: all but the one of `check` and `solve`."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from satdoku.answering.answerer import PuzzleAnswerer, reject_line
from satdoku.answering.facts import Facts, found_out, nothing_found
from satdoku.answering.form import FactsForm
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError, SolverDiedError, TooLargeError
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits, unwatched

Self = TypeVar("Self", bound="FactFinder")


@dataclass(frozen=True)
class FactFinder(PuzzleAnswerer):
    """Finds facts about one puzzle after the other, within limits, whatever form writes them.

    A further question is a class with its `command` and with what `_find` finds. LimitReachedError
    there is the answer `undecided`; a SatdokuError says why the question makes no sense for this
    puzzle.
    """

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

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        for task in tasks:
            budget = task.budget(self.limits)
            try:
                puzzle = task.parse()
            except FormatError as error:
                yield self._refuse(task, error)
            else:
                yield self._row(task, self._placed(task).facts(puzzle, budget))

    def give_up(self, task: Task, reason: str) -> Row:
        return self._row(task, _told(nothing_found(reason)))

    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        budget = budget or Budget(self.limits)
        try:
            return self._find(puzzle, budget)
        except LimitReachedError as limit:
            # A question had only what was left of the limits, and names that; the user knows them
            # as they were set.
            reason, ending = budget.why_over() or str(limit), Ending.UNDECIDED
        except (TooLargeError, SolverDiedError):
            # Kinds of SatdokuError that are no fault of the puzzle: the batch calls `give_up`.
            raise
        except SatdokuError as error:
            reason, ending = str(error), Ending.UNREADABLE
        return _told(found_out(puzzle, ending, f"{ending.value}: {reason}", {}, reason))

    @abstractmethod
    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts: ...

    def _row(self, task: Task, facts: Facts) -> Row:
        text = self.form.of_facts(task, facts)
        message = f"{task.place}: {facts.message}" if facts.message else ""
        reject = "" if facts.ending in self.good else reject_line(task, facts.line)
        return Row(text, facts.ending, message, reject, facts.result, task.place)

    def _placed(self: Self, task: Task) -> Self:
        """The same, which tells at an interruption what was found out about this task."""
        tell = self.tell
        if tell is unwatched:
            return self
        return replace(self, tell=lambda found: tell(f"{task.place}: {found}"))


def _told(facts: Facts) -> Facts:
    """The same facts, which are said on stderr too."""
    return facts._replace(message=facts.line)
