"""The answerers of `minimize`: which givens does a puzzle need? They run in workers."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.facts import Facts, found_out, not_unique_facts
from satdoku.errors import count_of
from satdoku.minimizing.minimizer import Minimized, Minimizer
from satdoku.notation.formats import format_named
from satdoku.output.ending import Ending
from satdoku.output.words import write_grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched

MINIMAL_COLUMNS = ("minimal_puzzle", "givens")
REDUNDANT_COLUMNS = ("redundant",)
FEWEST_COLUMNS = (*MINIMAL_COLUMNS, "at_least")


class _Minimizers:
    """Lends minimizers, each to one caller at a time.

    Loading the rules takes as long as several answers, and a file has few kinds of boards: so a
    minimizer that comes back is kept for the next question. One answerer has few of them: as many
    as threads have asked it at the same time.
    """

    def __init__(self) -> None:
        # Only `pop` and `append` change it, between which no other thread can come.
        self._free: list[Minimizer] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes without solvers."""
        return _Minimizers, ()

    @contextmanager
    def lend(self, budget: Budget, watch: Watch = unwatched) -> Iterator[Minimizer]:
        """A minimizer that is limited to what is left of the budget."""
        limits = budget.rest()
        try:
            minimizer = self._free.pop()
        except IndexError:
            minimizer = Minimizer()
        minimizer.limits, minimizer.watch = limits, watch
        try:
            yield minimizer
        except BaseException:
            # An interruption may have left its solvers in the middle of their work.
            minimizer.close()
            raise
        self._free.append(minimizer)


@dataclass(frozen=True)
class _GivensFinder(FactFinder):
    """What the questions about givens have in common: they are for puzzles with one solution."""

    minimizers: _Minimizers = field(
        default_factory=_Minimizers, compare=False, repr=False, kw_only=True
    )

    command: ClassVar[str] = "minimize"

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        with self.minimizers.lend(budget, self.watch) as minimizer:
            outcome = minimizer.check(puzzle)
        if outcome.verdict is not Verdict.UNIQUE:
            return not_unique_facts(outcome, budget)
        return self._find_of_unique(outcome, budget)

    @abstractmethod
    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts: ...


@dataclass(frozen=True)
class _WitnessFinder(_GivensFinder):
    """What the questions for one puzzle share: `has_witnesses` adds why each given has to stay."""

    has_witnesses: bool = False

    def _witnesses(self, found: Minimized, budget: Budget) -> dict[str, Any]:
        """For each given of a minimal puzzle the solution that would come in without it."""
        if not self.has_witnesses:
            return {}
        with self.minimizers.lend(budget) as minimizer:
            witnesses = minimizer.find_witnesses(found.puzzle)
        name_of = found.puzzle.geometry.name_of
        lines = {name_of(cell): write_grid(grid, found.puzzle) for cell, grid in witnesses.items()}
        return {"witnesses": lines}


@dataclass(frozen=True)
class MinimalFinder(_WitnessFinder):
    """Finds one minimal sub-puzzle."""

    seed: str = "0"
    keep: str = ""
    symmetry: Symmetry = Symmetry.NONE

    def options(self) -> dict[str, Any]:
        own = {"--seed": self.seed, "--keep": self.keep, "--symmetry": self.symmetry.value}
        return super().options() | own

    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts:
        geometry = outcome.puzzle.geometry
        keep = read_cells(self.keep, geometry) if self.keep else ()
        with self.minimizers.lend(budget, self.watch) as minimizer:
            found = minimizer.minimize(outcome, self.seed, keep, self.symmetry)
        values = _values_of(found) | self._witnesses(found, budget)
        return found_out(outcome.puzzle, Ending.UNIQUE, _text_of(found.puzzle), values)


@dataclass(frozen=True)
class RedundantFinder(_GivensFinder):
    """Finds the givens that are redundant, each for itself."""

    def options(self) -> dict[str, Any]:
        return super().options() | {"--redundant": True}

    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts:
        with self.minimizers.lend(budget, self.watch) as minimizer:
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

    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts:
        puzzles: list[Puzzle] = []
        reason, ending = "", Ending.UNIQUE
        try:
            with (
                self._telling(lambda: f"minimal puzzles found so far: {len(puzzles):,}"),
                self.minimizers.lend(budget, self.watch) as minimizer,
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
        text = "\n".join(map(_text_of, puzzles))
        return found_out(outcome.puzzle, ending, text, values, reason, message=reason)


@dataclass(frozen=True)
class FewestFinder(_WitnessFinder):
    """Finds the sub-puzzle with the fewest givens, and proves that fewer are not enough."""

    def options(self) -> dict[str, Any]:
        return super().options() | {"--fewest": True}

    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts:
        so_far = "no bounds are known so far"

        def say_bounds(lower: int, upper: int) -> None:
            nonlocal so_far
            so_far = f"between {lower} and {upper} givens"
            self.watch(so_far)

        with (
            self._telling(lambda: so_far),
            self.minimizers.lend(budget, self.watch) as minimizer,
        ):
            found = minimizer.find_fewest(outcome, say_bounds)
        values = _values_of(found) | {"at_least": found.lower}
        line = _text_of(found.puzzle)
        if found.is_fewest:
            values |= self._witnesses(found, budget)
            return found_out(outcome.puzzle, Ending.UNIQUE, line, values)
        reason = budget.why_over() or found.reason
        bounds = f"between {found.lower} and {found.givens} givens, {reason}"
        line = f"{Ending.UNDECIDED.value}: {bounds}; {found.givens} are in {line}"
        return found_out(outcome.puzzle, Ending.UNDECIDED, line, values, reason, message=bounds)


def _values_of(found: Minimized) -> dict[str, Any]:
    return {"minimal_puzzle": _line_of(found.puzzle), "givens": found.givens}


def _text_of(puzzle: Puzzle) -> str:
    """The puzzle on a line; as JSON where it has rules, without which it would be another one."""
    if puzzle.is_classic:
        return _line_of(puzzle)
    return format_named("json").write(puzzle).rstrip("\n")


def _line_of(puzzle: Puzzle) -> str:
    return write_grid(puzzle.grid, puzzle) or ""
