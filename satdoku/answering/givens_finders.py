"""The answerers of `minimize`: which givens does a puzzle need? They run in workers."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, ClassVar

from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.many import (
    board_of,
    may_use_bulk,
    only_solutions,
    unique_outcome,
)
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out, not_unique_facts
from satdoku.batch.row import Row
from satdoku.errors import FormatError, count_of
from satdoku.making.minimizer import Minimized, Minimizer, drop_clues
from satdoku.notation.formats import format_named
from satdoku.notation.outcomes import write_grid
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.solvers import Settings

MINIMAL_COLUMNS = ("minimal_puzzle", "givens")
REDUNDANT_COLUMNS = ("redundant",)
FEWEST_COLUMNS = (*MINIMAL_COLUMNS, "at_least")


# So many are minimized in a twentieth of a second; more together would not be faster. A few already
# take less time side by side than one alone, which takes milliseconds.
_MOST_TOGETHER = 512
_LEAST_TOGETHER = 4


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
        # Each witness is a question to a solver, as many as there are givens.
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
    with_clues: bool = False
    """Whether cages, lines and other clues go as well."""

    def options(self) -> dict[str, Any]:
        own = {"--seed": self.seed, "--keep": self.keep, "--symmetry": self.symmetry.value}
        return super().options() | own | ({"--clues": True} if self.with_clues else {})

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """One row for each task; many small boards are checked and minimized side by side."""
        settings = Settings(limits=self.limits)
        for start in range(0, len(tasks), _MOST_TOGETHER):
            some = tasks[start : start + _MOST_TOGETHER]
            if len(some) < _LEAST_TOGETHER or not may_use_bulk(settings):
                yield from super().answers(some)
                continue
            puzzles = list(map(_parse, some))
            boards = [None if puzzle is None else board_of(puzzle) for puzzle in puzzles]
            solutions = list(only_solutions(boards, _LEAST_TOGETHER))
            minimal = self._minimize(
                [
                    unique_outcome(puzzle, only.solution, settings)
                    for puzzle, only in zip(puzzles, solutions, strict=True)
                    if puzzle is not None and only is not None
                ]
            )
            for task, only in zip(some, solutions, strict=True):
                if only is None:
                    yield from super().answers([task])
                    continue
                found, original, is_compared = next(minimal)
                row = self._row(task, self._facts_of(original, found, Budget(self.limits)))
                yield row._replace(compared=only.is_compared + is_compared)

    def _minimize(self, outcomes: Sequence[Outcome]) -> Iterator[tuple[Minimized, Puzzle, bool]]:
        """A minimal puzzle for each that has an only solution, with the puzzle itself."""
        for geometry, some in groupby(outcomes, lambda outcome: outcome.puzzle.geometry):
            alike = list(some)
            with self.minimizers.lend(Budget(self.limits), self.watch) as minimizer:
                many = minimizer.minimize_many(
                    alike, self.seed, self._kept(geometry), self.symmetry
                )
                for outcome, (found, is_compared) in zip(alike, many, strict=True):
                    yield found, outcome.puzzle, is_compared

    def _kept(self, geometry: Geometry) -> Collection[int]:
        return read_cells(self.keep, geometry) if self.keep else ()

    def _find_of_unique(self, outcome: Outcome, budget: Budget) -> Facts:
        keep = self._kept(outcome.puzzle.geometry)
        with self.minimizers.lend(budget, self.watch) as minimizer:
            found = minimizer.minimize(outcome, self.seed, keep, self.symmetry)
        if self.with_clues:
            found = drop_clues(found, self.seed, budget)
        return self._facts_of(outcome.puzzle, found, budget)

    def _facts_of(self, puzzle: Puzzle, found: Minimized, budget: Budget) -> Facts:
        values = _values_of(found) | self._witnesses(found, budget)
        if self.with_clues:
            values["clues"] = found.puzzle.rule_texts
        is_classic = found.puzzle.is_classic
        text = values["minimal_puzzle"] if is_classic else _text_of(found.puzzle)
        return found_out(puzzle, Ending.UNIQUE, text, values)


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


def _parse(task: Task) -> Puzzle | None:
    """The puzzle of a task; None where that is reported when it is the task's turn."""
    try:
        return task.parse()
    except FormatError:
        return None


def _values_of(found: Minimized) -> dict[str, Any]:
    return {"minimal_puzzle": _line_of(found.puzzle), "givens": found.givens}


def _text_of(puzzle: Puzzle) -> str:
    """The puzzle on a line; as JSON where it has rules, without which it would be another one."""
    if puzzle.is_classic:
        return _line_of(puzzle)
    return format_named("json").write(puzzle).rstrip("\n")


def _line_of(puzzle: Puzzle) -> str:
    return write_grid(puzzle.grid, puzzle) or ""
