"""The answerer of `minimize`: which givens does a puzzle need? Runs in workers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import groupby
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked, value_of
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.fact_finder import FactFinder, Json
from satdoku.answering.many import (
    board_of,
    may_use_bulk,
    only_solutions,
    unique_outcome,
)
from satdoku.answering.output.ending import VERDICTS, Ending
from satdoku.answering.task import Facts, Task, found_out, found_together, not_unique_facts
from satdoku.batch.row import Row
from satdoku.errors import FormatError, count_of
from satdoku.making.minimizer import Minimized, Minimizer, drop_clues, find_redundant_clues
from satdoku.notation.formats import format_named
from satdoku.notation.outcomes import write_grid
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells
from satdoku.puzzle.rules.rule import write_rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.solvers import Settings

# A puzzle with 36 givens has thousands of minimal puzzles, a full grid too many to enumerate.
_USUAL_LIMIT = 10_000

# This many puzzles are minimized in a twentieth of a second; larger groups are no faster. Even a
# few take less time together than a single one in a solver, which takes milliseconds.
_MOST_TOGETHER = 512
_LEAST_TOGETHER = 4


class _Minimizers:
    """Pool of minimizers; each is used by one caller at a time.

    Loading the rules takes as long as several answers, and a file has few kinds of boards, so
    minimizers are reused. The pool has as many as there were concurrent callers.
    """

    def __init__(self) -> None:
        # The list is only accessed by `pop` and `append`, which are atomic.
        self._free: list[Minimizer] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the solvers."""
        return _Minimizers, ()

    @contextmanager
    def lend(self, budget: Budget, watch: Watch = unwatched) -> Iterator[Minimizer]:
        """Lend a minimizer that is limited to the rest of the budget."""
        limits = budget.rest()
        try:
            minimizer = self._free.pop()
        except IndexError:
            minimizer = Minimizer()
        minimizer.limits, minimizer.watch = limits, watch
        try:
            yield minimizer
        except BaseException:
            # An interruption may have left its solvers in an inconsistent state.
            minimizer.close()
            raise
        self._free.append(minimizer)


@value(frozen=True)
class Reducer(FactFinder):
    """Answerer that finds which givens a puzzle needs: by default one minimal puzzle within it.

    The result of its facts is the `Minimized` where one puzzle is asked for, and the `Outcome` of a
    puzzle that is not unique.
    """

    seed: str = asked(
        "--seed",
        "Seed of the random order; other seeds lead to other minimal puzzles.",
        "0",
        metavar="TEXT",
        is_usual_shown=False,
    )
    keep: str = asked("--keep", "Givens to delete last: r1c1,r5c4-6.", "", metavar="CELLS")
    symmetry: str = asked(
        "--symmetry",
        "Keep or delete symmetric givens together.",
        Symmetry.NONE.value,
        choices=tuple(symmetry.value for symmetry in Symmetry),
        is_usual_shown=False,
    )
    with_clues: bool = asked(
        "--clues", "After the givens, also delete cages, lines and other clues that are not needed."
    )
    only_redundant: bool = asked(
        "--redundant",
        "Only list each given that could be deleted if all others stayed; with --clues, clues too.",
        columns=(Column("redundant", ColumnKind.WORDS),),
    )
    finds_all: bool = asked("--all", "Find all minimal puzzles within each puzzle.")
    limit: int = asked(
        "--limit",
        f"With --all: stop after K puzzles, by default {_USUAL_LIMIT:,}; 0 finds all.",
        _USUAL_LIMIT,
        least=0,
        metavar="K",
        is_usual_shown=False,
    )
    finds_fewest: bool = asked(
        "--fewest",
        "Find the fewest givens, and prove that fewer are not enough.",
        columns=(Column("at_least", ColumnKind.WHOLE),),
    )
    minimizers: _Minimizers = field(
        default_factory=_Minimizers, compare=False, repr=False, kw_only=True
    )

    command: ClassVar[str] = "minimize"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("minimal_puzzle"),
        Column("givens", ColumnKind.WHOLE),
    )
    keys: ClassVar[Mapping[str, Any]] = {
        "witnesses": {
            "type": "object",
            "description": "for each given the solution that comes in without it",
            "additionalProperties": {"type": ["string", "array"]},
        },
        "clues": {
            "type": "array",
            "items": {"type": "string"},
            "description": "with --clues: the rules that are left",
        },
        "redundant_clues": {
            "type": "array",
            "items": {"type": "string"},
            "description": "with --redundant --clues: the rules that can each be deleted alone",
        },
        "minimal_puzzles": {
            "type": "array",
            "items": {"type": "string"},
            "description": "with --all, as the next two",
        },
        "count": {"type": "integer"},
        "all": {"type": "boolean"},
    }
    endings: ClassVar[frozenset[Ending]] = VERDICTS
    excludes: ClassVar[Sequence[OptionRow]] = (
        ("--redundant", "--all --fewest", ""),
        ("--all", "--fewest", ""),
        (
            "--redundant --all --fewest",
            "--seed --keep --symmetry",
            "--seed, --keep and --symmetry are about one minimal puzzle",
        ),
        ("--all --fewest", "--clues", "they delete givens, not clues"),
    )
    needs: ClassVar[Sequence[OptionRow]] = (
        ("--limit", "--all", "it says how many puzzles to find"),
    )

    @classmethod
    def columns_with(cls, asked: Mapping[str, Any]) -> tuple[Column, ...]:
        columns = super().columns_with(asked)
        return columns[len(cls.columns) :] if asked["only_redundant"] else columns

    @property
    def _is_plain(self) -> bool:
        """Whether one minimal puzzle within each puzzle is asked for, and nothing else."""
        return not (self.only_redundant or self.finds_all or self.finds_fewest)

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """Yield a row for each task; many small boards are checked and minimized together."""
        settings = Settings(limits=self.limits)
        for start in range(0, len(tasks), _MOST_TOGETHER):
            some = tasks[start : start + _MOST_TOGETHER]
            if not self._is_plain or len(some) < _LEAST_TOGETHER or not may_use_bulk(settings):
                yield from super().answers(some)
                continue
            some = [task.with_text() for task in some]
            yield from found_together(some, self._minimize_together(some), self._answer_alone)

    def _minimize_together(self, tasks: Sequence[Task]) -> Iterator[Row]:
        settings = Settings(limits=self.limits)
        puzzles = list(map(_parse, tasks))
        boards = [None if puzzle is None else board_of(puzzle) for puzzle in puzzles]
        solutions = list(only_solutions(boards, _LEAST_TOGETHER))
        minimal = self._minimize(
            [
                unique_outcome(puzzle, only.solution, settings)
                for puzzle, only in zip(puzzles, solutions, strict=True)
                if puzzle is not None and only is not None
            ]
        )
        for task, only in zip(tasks, solutions, strict=True):
            if only is None:
                yield self._answer_alone(task)
                continue
            found, original, is_compared = next(minimal)
            row = self._row(task, self._facts_of(original, found, Budget(self.limits)))
            yield row._replace(compared=only.is_compared + is_compared)

    def _row(self, task: Task, facts: Facts) -> Row:
        # A worker sends only the text: packing the puzzle would take long, and no caller uses it.
        return super()._row(task, facts._replace(result=None))

    def _minimize(self, outcomes: Sequence[Outcome]) -> Iterator[tuple[Minimized, Puzzle, bool]]:
        """Yield a minimal puzzle and the puzzle itself for each outcome with a unique solution."""
        for geometry, some in groupby(outcomes, lambda outcome: outcome.puzzle.geometry):
            alike = list(some)
            with self.minimizers.lend(Budget(self.limits), self.watch) as minimizer:
                many = minimizer.minimize_many(
                    alike, self.seed, self._kept(geometry), Symmetry(self.symmetry)
                )
                for outcome, (found, is_compared) in zip(alike, many, strict=True):
                    yield found, outcome.puzzle, is_compared

    def _kept(self, geometry: Geometry) -> Collection[int]:
        with value_of("--keep"):
            return read_cells(self.keep, geometry) if self.keep else ()

    @property
    def has_values_of_boards(self) -> bool:
        return bool(self.keep)

    def read_values(self, puzzle: Puzzle) -> None:
        self._kept(puzzle.geometry)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        with self.minimizers.lend(budget, self.watch) as minimizer:
            outcome = minimizer.check(puzzle)
        if outcome.verdict is not Verdict.UNIQUE:
            return not_unique_facts(outcome, budget)._replace(result=outcome)
        if self.only_redundant:
            return self._find_redundant(outcome, budget)
        if self.finds_all:
            return self._find_all(outcome, budget)
        if self.finds_fewest:
            return self._find_fewest(outcome, budget)
        return self._find_minimal(outcome, budget)

    def _find_minimal(self, outcome: Outcome, budget: Budget) -> Facts:
        """Find one minimal puzzle: no further given can be deleted."""
        keep, symmetry = self._kept(outcome.puzzle.geometry), Symmetry(self.symmetry)
        with self.minimizers.lend(budget, self.watch) as minimizer:
            found = minimizer.minimize(outcome, self.seed, keep, symmetry)
        if self.with_clues:
            found = drop_clues(found, self.seed, budget)
        return self._facts_of(outcome.puzzle, found, budget)

    def _facts_of(self, puzzle: Puzzle, found: Minimized, budget: Budget) -> Facts:
        values = _values_of(found) | self._witnesses(found, budget)
        if self.with_clues:
            values["clues"] = found.puzzle.rule_texts
        is_classic = found.puzzle.is_classic
        text = values["minimal_puzzle"] if is_classic else _text_of(found.puzzle)
        return found_out(puzzle, Ending.UNIQUE, text, values, result=found)

    def _find_redundant(self, outcome: Outcome, budget: Budget) -> Facts:
        """Find the givens that are redundant, each judged by itself."""
        with self.minimizers.lend(budget, self.watch) as minimizer:
            cells = minimizer.find_redundant(outcome)
        names = [outcome.puzzle.geometry.name_of(cell) for cell in cells]
        values = {"redundant": names}
        if self.with_clues:
            clues = find_redundant_clues(outcome, budget)
            values["redundant_clues"] = [write_rule(c, outcome.puzzle.geometry) for c in clues]
            names = [*names, *values["redundant_clues"]]
        line = " ".join(names) or "minimal"
        return found_out(outcome.puzzle, Ending.UNIQUE, line, values)

    def _find_all(self, outcome: Outcome, budget: Budget) -> Facts:
        """Find all minimal puzzles within the puzzle, up to the limit."""
        puzzles: list[Puzzle] = []
        reason, ending = "", Ending.UNIQUE
        try:
            with (
                self._telling(lambda: f"minimal puzzles found so far: {len(puzzles):,}"),
                self.minimizers.lend(budget, self.watch) as minimizer,
            ):
                for found in minimizer.find_all(outcome):
                    # Stop after one puzzle more than the limit, which shows that the list is
                    # incomplete.
                    if self.limit and len(puzzles) >= self.limit:
                        reason = f"there are more than {self.limit:,}"
                        break
                    puzzles.append(found.puzzle)
                    self.watch(count_of(len(puzzles), "minimal puzzle"))
        except LimitReachedError as limit:
            reason, ending = budget.why_over() or str(limit), Ending.UNDECIDED
        # Sort the list: the order in which solvers find minimal puzzles may vary.
        puzzles.sort(key=_line_of)
        lines = [_line_of(puzzle) for puzzle in puzzles]
        values = {"minimal_puzzles": lines, "count": len(lines), "all": not reason}
        text = "\n".join(map(_text_of, puzzles))
        return found_out(outcome.puzzle, ending, text, values, reason, message=reason)

    def _find_fewest(self, outcome: Outcome, budget: Budget) -> Facts:
        """Find the fewest givens of the puzzle, and prove that fewer are not enough."""
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
            return found_out(outcome.puzzle, Ending.UNIQUE, line, values, result=found)
        reason = budget.why_over() or found.reason
        bounds = f"between {found.lower} and {found.givens} givens, {reason}"
        line = f"{Ending.UNDECIDED.value}: {bounds}; {found.givens} are in {line}"
        return found_out(outcome.puzzle, Ending.UNDECIDED, line, values, reason, bounds, found)

    def _witnesses(self, found: Minimized, budget: Budget) -> dict[str, Any]:
        """Return, for each given of a minimal puzzle, a second solution without it."""
        # Each witness is a question to a solver, and only an object has room for them.
        if not isinstance(self.form, Json):
            return {}
        with self.minimizers.lend(budget) as minimizer:
            witnesses = minimizer.find_witnesses(found.puzzle)
        name_of = found.puzzle.geometry.name_of
        lines = {name_of(cell): write_grid(grid, found.puzzle) for cell, grid in witnesses.items()}
        return {"witnesses": lines}


def _parse(task: Task) -> Puzzle | None:
    """Return the puzzle of a task; None if it is invalid, which is reported at the task's turn."""
    try:
        return task.parse()
    except FormatError:
        return None


def _values_of(found: Minimized) -> dict[str, Any]:
    return {"minimal_puzzle": _line_of(found.puzzle), "givens": found.givens}


def _text_of(puzzle: Puzzle) -> str:
    """Return the puzzle on a line; as JSON if it has rules, which a line of cells cannot hold."""
    if puzzle.is_classic:
        return _line_of(puzzle)
    return format_named("json").write(puzzle).rstrip("\n")


def _line_of(puzzle: Puzzle) -> str:
    return write_grid(puzzle.grid, puzzle) or ""
