"""The answerer of `rate`: how hard is a puzzle? Runs in workers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.facts import Facts, found_out, not_unique_facts
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, count_of
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import Rated, rate_all
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Budget, LimitReachedError

COLUMNS = ("level", "rating")
COLUMNS_OF_STEPS = (*COLUMNS, "steps", "largest")


@dataclass(frozen=True)
class Rater(FactFinder):
    """Rates the puzzle of each task, many together; the result of a row is its rating.

    `has_steps` adds how many steps an explanation has, and the size of the largest.
    """

    has_steps: bool = False

    command: ClassVar[str] = "rate"

    @property
    def seconds_together(self) -> float:
        """See `WorksTogether`. Rated at once, 200 puzzles take half of the time that they take ten
        by ten; 200 hard ones take some three seconds.
        """
        return 0.0 if self.has_steps else 4.0

    def options(self) -> dict[str, Any]:
        return super().options() | {"--steps": self.has_steps}

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        if self.has_steps:
            # To explain a puzzle takes longer than to rate it alone.
            yield from super().answers(tasks)
            return
        readings = [_read(task) for task in tasks]
        ratings = rate_all((each for each in readings if isinstance(each, Puzzle)), self.limits)
        for task, reading in zip(tasks, readings, strict=True):
            if isinstance(reading, FormatError):
                yield self._refuse(task, reading)
            else:
                yield self._row(task, _facts_of(next(ratings)))

    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        if self.has_steps:
            return super().facts(puzzle, budget)
        budget = budget or Budget(self.limits)
        [rated] = rate_all([puzzle], budget.left)
        return _facts_of(rated, budget=budget)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        [rated] = rate_all([puzzle], budget.left)
        steps = None if rated.rating is None else _count_steps(puzzle, budget)
        return _facts_of(rated, steps, budget)


def _read(task: Task) -> Puzzle | FormatError:
    try:
        return task.parse()
    except FormatError as error:
        return error


def _count_steps(puzzle: Puzzle, budget: Budget) -> tuple[int, int]:
    """How many steps an explanation has, and how many truths its largest step rests on."""
    # Explanations are long to import, and rarely asked for.
    from satdoku.explaining.explain import explain

    explanation = explain(puzzle, budget=budget)
    if not explanation.is_complete:
        raise LimitReachedError(explanation.reason)
    return len(explanation.way.steps), explanation.way.biggest


def _facts_of(
    rated: Rated, steps: tuple[int, int] | None = None, budget: Budget | None = None
) -> Facts:
    if rated.rating is None:
        return not_unique_facts(rated.outcome, budget)
    line = write_rating(rated.rating)
    values: dict[str, Any] = {"level": rated.rating.level.value, "rating": rated.rating.number}
    if steps is not None:
        count, largest = steps
        line += f", {count_of(count, 'step')}, the largest of size {largest}"
        values |= {"steps": count, "largest": largest}
    return found_out(rated.puzzle, Ending.UNIQUE, line, values, result=rated.rating)


def write_rating(rating: Rating) -> str:
    """The number and the level of a rating, of which the hardest have no number.

    >>> write_rating(Rating(5)), write_rating(Rating(None))
    ('5 very hard', '- beyond')
    """
    number = "-" if rating.number is None else rating.number
    return f"{number} {rating.level.value}"
