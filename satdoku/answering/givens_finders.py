"""The answerers of `minimize`: which givens does a puzzle need? They run in workers."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.facts import Facts, found_out, not_unique_facts
from satdoku.answering.task import Task
from satdoku.errors import count_of
from satdoku.minimizing.minimizer import Minimized, Minimizer
from satdoku.notation.formats import format_named
from satdoku.output.ending import Ending
from satdoku.output.words import write_grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.cell_lists import read_cells
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.watching import Watch, unwatched

MINIMAL_COLUMNS = ("minimal_puzzle", "givens")
REDUNDANT_COLUMNS = ("redundant",)
FEWEST_COLUMNS = (*MINIMAL_COLUMNS, "at_least")


@dataclass(frozen=True)
class _GivensFinder(FactFinder):
    """What the questions about givens have in common: they are for puzzles with one solution."""

    command: ClassVar[str] = "minimize"

    def _find(self, task: Task, puzzle: Puzzle, budget: Budget) -> Facts:
        with _minimizer_within(budget, self.watch) as minimizer:
            outcome = minimizer.check(puzzle)
        if outcome.verdict is not Verdict.UNIQUE:
            # The check had only what was left of the limits, and names that; the user knows them as
            # they were set.
            reason = outcome.reason and (budget.why_over() or outcome.reason)
            return not_unique_facts(replace(outcome, reason=reason))
        return self._find_of_unique(task, outcome, budget)

    @abstractmethod
    def _find_of_unique(self, task: Task, outcome: Outcome, budget: Budget) -> Facts: ...


@dataclass(frozen=True)
class MinimalFinder(_GivensFinder):
    """Finds one minimal sub-puzzle; `has_witnesses` adds why each given has to stay."""

    seed: str = "0"
    keep: str = ""
    symmetry: Symmetry = Symmetry.NONE
    has_witnesses: bool = False

    def options(self) -> dict[str, Any]:
        own = {"--seed": self.seed, "--keep": self.keep, "--symmetry": self.symmetry.value}
        return super().options() | own

    def _find_of_unique(self, task: Task, outcome: Outcome, budget: Budget) -> Facts:
        geometry = outcome.puzzle.geometry
        keep = read_cells(self.keep, geometry) if self.keep else ()
        with _minimizer_within(budget, self.watch) as minimizer:
            found = minimizer.minimize(outcome, self.seed, keep, self.symmetry)
        values = _values_of(found) | _witnesses(found, budget, self.has_witnesses)
        return found_out(outcome.puzzle, Ending.UNIQUE, _text_of(found.puzzle), values)


@dataclass(frozen=True)
class RedundantFinder(_GivensFinder):
    """Finds the givens that are redundant, each for itself."""

    def options(self) -> dict[str, Any]:
        return super().options() | {"--redundant": True}

    def _find_of_unique(self, task: Task, outcome: Outcome, budget: Budget) -> Facts:
        with _minimizer_within(budget, self.watch) as minimizer:
            cells = minimizer.find_redundant(outcome)
        names = [outcome.puzzle.geometry.name_of(cell) for cell in cells]
        line = " ".join(names) or "minimal"
        return found_out(outcome.puzzle, Ending.UNIQUE, line, {"redundant": names})


@dataclass(frozen=True)
class AllMinimalFinder(_GivensFinder):
    """Finds all minimal sub-puzzles, up to `limit` of them; None is no limit."""

    limit: int | None = None

    def options(self) -> dict[str, Any]:
        return super().options() | {"--all": True, "--limit": self.limit}

    def _find_of_unique(self, task: Task, outcome: Outcome, budget: Budget) -> Facts:
        puzzles: list[Puzzle] = []
        reason, ending = "", Ending.UNIQUE
        try:
            with (
                self._telling(task, lambda: f"minimal puzzles found so far: {len(puzzles):,}"),
                _minimizer_within(budget, self.watch) as minimizer,
            ):
                for found in minimizer.find_all(outcome):
                    # One more than the limit has come; only now it is known that there are more.
                    if self.limit is not None and len(puzzles) >= self.limit:
                        reason = f"there are more than {self.limit:,}"
                        break
                    puzzles.append(found.puzzle)
                    self.watch(count_of(len(puzzles), "minimal puzzle"))
        except LimitReachedError as limit:
            reason, ending = budget.why_over() or str(limit), Ending.UNDECIDED
        # Which of them come first may depend on the solver; all of them do not.
        puzzles.sort(key=_line_of)
        lines = [_line_of(puzzle) for puzzle in puzzles]
        values = {"minimal_puzzles": lines, "count": len(lines), "all": not reason}
        message = f"{task.place}: {reason}" if reason else ""
        text = "\n".join(map(_text_of, puzzles))
        return found_out(outcome.puzzle, ending, text, values, reason, message)


@dataclass(frozen=True)
class FewestFinder(_GivensFinder):
    """Finds the sub-puzzle with the fewest givens, and proves that fewer are not enough."""

    has_witnesses: bool = False

    def options(self) -> dict[str, Any]:
        return super().options() | {"--fewest": True}

    def _find_of_unique(self, task: Task, outcome: Outcome, budget: Budget) -> Facts:
        so_far = "no bounds are known so far"

        def say_bounds(lower: int, upper: int) -> None:
            nonlocal so_far
            so_far = f"between {lower} and {upper} givens"
            self.watch(so_far)

        with (
            self._telling(task, lambda: so_far),
            _minimizer_within(budget, self.watch) as minimizer,
        ):
            found = minimizer.find_fewest(outcome, say_bounds)
        values = _values_of(found) | {"at_least": found.lower}
        line = _text_of(found.puzzle)
        if found.is_fewest:
            values |= _witnesses(found, budget, self.has_witnesses)
            return found_out(outcome.puzzle, Ending.UNIQUE, line, values)
        reason = budget.why_over() or found.reason
        bounds = f"between {found.lower} and {found.givens} givens, {reason}"
        line = f"{Ending.UNDECIDED.value}: {bounds}; {found.givens} are in {line}"
        message = f"{task.place}: {bounds}"
        return found_out(outcome.puzzle, Ending.UNDECIDED, line, values, reason, message)


# Loading the rules takes as long as several answers; a file has few kinds of boards.
@cache
def _minimizer() -> Minimizer:
    return Minimizer()


@contextmanager
def _minimizer_within(budget: Budget, watch: Watch = unwatched) -> Iterator[Minimizer]:
    """The minimizer of this process, limited to what is left of the budget."""
    minimizer = _minimizer()
    minimizer.limits, minimizer.watch = budget.rest(), watch
    try:
        yield minimizer
    except BaseException:
        # An interruption may have left its solvers in the middle of their work: the next question
        # gets new ones.
        minimizer.close()
        raise


def _values_of(found: Minimized) -> dict[str, Any]:
    return {"minimal_puzzle": _line_of(found.puzzle), "givens": found.givens}


def _witnesses(found: Minimized, budget: Budget, is_wanted: bool) -> dict[str, Any]:
    """For each given of a minimal puzzle the solution that would come in without it."""
    if not is_wanted:
        return {}
    with _minimizer_within(budget) as minimizer:
        witnesses = minimizer.find_witnesses(found.puzzle)
    name_of = found.puzzle.geometry.name_of
    lines = {name_of(cell): write_grid(grid, found.puzzle) for cell, grid in witnesses.items()}
    return {"witnesses": lines}


def _text_of(puzzle: Puzzle) -> str:
    """The puzzle on a line; as JSON where it has rules, without which it would be another one."""
    if puzzle.is_classic:
        return _line_of(puzzle)
    return format_named("json").write(puzzle).rstrip("\n")


def _line_of(puzzle: Puzzle) -> str:
    return write_grid(puzzle.grid, puzzle) or ""
