"""All contestants on all puzzles, in turn: solvers, each with the formula that it is given."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import require_known_rules
from satdoku.errors import SatdokuError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.loading import load
from satdoku.solving.questions import check
from satdoku.solving.solvers import SOLVERS, Can, Settings, SolverInfo, is_installed


class LoadedSize(NamedTuple):
    """The size of a formula in a solver; `natives` are at-most-one constraints, no clauses."""

    variables: int
    clauses: int
    natives: int


def measure_formula(puzzle: Puzzle, settings: Settings, budget: Budget) -> LoadedSize:
    """The size of the formula that a solver with these settings gets; no solver is asked.

    >>> from satdoku.puzzle.geometry import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> empty = Puzzle(Grid.empty(Geometry(2, 2)))
    >>> settings = Settings("cadical195", "extended")
    >>> measure_formula(empty, settings, Budget(settings.limits))
    LoadedSize(variables=64, clauses=384, natives=0)
    """
    counter = _Counter()
    load(puzzle, settings, counter, budget)
    return LoadedSize(counter.variables, counter.clauses, counter.natives)


class _Counter:
    """Takes a formula as a solver does, and keeps only its size."""

    def __init__(self) -> None:
        self.variables = self.clauses = self.natives = 0

    def add_clause(self, literals: Sequence[int]) -> None:
        self.clauses += 1
        self._see(literals)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        self.natives += 1
        self._see(literals)

    def add_at_most(self, literals: Sequence[int], most: int) -> None:
        self.add_at_most_one(literals)

    def suggest(self, literals: Sequence[int]) -> None:
        """A hint is no part of the formula."""

    def _see(self, literals: Sequence[int]) -> None:
        self.variables = max(self.variables, *map(abs, literals), 0)


NATIVE = "native"


@dataclass(frozen=True)
class Contestant:
    """A solver, an encoding, and how at-most-one constraints are said.

    `at_most_one` None leaves that to the solver: native constraints where it has them, else pairs.
    """

    solver: str
    encoding: Encoding
    at_most_one: Method | None = None

    @property
    def method(self) -> str:
        """How at-most-one constraints reach the solver."""
        if self.settings().is_native:
            return NATIVE
        return (self.at_most_one or Method.PAIRWISE).value

    def __str__(self) -> str:
        return f"{self.solver} {self.encoding.value} {self.method}"

    def settings(self, limits: Limits | None = None) -> Settings:
        """The settings by which `check` runs it."""
        return Settings(self.solver, self.encoding, self.at_most_one, limits)

    def require_fit(self, puzzle: Puzzle) -> None:
        """Refuses a puzzle that the encoding has no words for."""
        require_known_rules(puzzle, self.encoding)


def usable_solvers(limits: Limits) -> tuple[str, ...]:
    """The solvers that are installed and can be held to the limits, by their names."""
    return tuple(name for name, solver in SOLVERS.items() if _is_usable(solver, limits))


def _is_usable(solver: SolverInfo, limits: Limits) -> bool:
    return (limits.conflicts is None or Can.SLICE in solver.can) and is_installed(solver.name)


try:
    import resource
except ImportError:  # Windows, where solvers in a process of their own are not counted
    resource = None  # type: ignore[assignment]

_WARM_UP = Limits(timeout=1.0)
"""For the untimed first question to each solver, which has only to load it."""


class Trial(NamedTuple):
    """One contestant on one puzzle, once. Puzzles and rounds are counted from 1.

    `seconds` are of processor time, that of processes started for it included.
    `formula` is None where the limit ended before the formula was there.
    """

    contestant: Contestant
    puzzle: int
    round: int
    verdict: Verdict
    seconds: float
    formula: LoadedSize | None
    conflicts: int | None
    propagations: int | None


class DisagreementError(SatdokuError):
    """Two contestants gave one puzzle different verdicts: one of them is wrong."""


def compare(
    puzzles: Sequence[Puzzle],
    contestants: Sequence[Contestant],
    rounds: int = 1,
    limits: Limits | None = None,
) -> Iterator[Trial]:
    """Trial after trial: puzzle by puzzle, all contestants before the next one.

    So whatever else the machine does hits all of them alike. Their order changes from puzzle to
    puzzle, and each solver is loaded once before anything is timed. DisagreementError ends it.
    """
    # What cannot be compared is refused before any time is spent.
    for contestant in contestants:
        for puzzle in puzzles:
            contestant.require_fit(puzzle)
    for contestant in contestants:
        check(puzzles[0], contestant.settings(_WARM_UP))
    chance = Random(0)  # the same order in every run
    size_of = _remember_sizes(puzzles, limits or Limits())
    verdicts = _Verdicts()
    order = list(contestants)
    for turn in range(1, rounds + 1):
        for number, puzzle in enumerate(puzzles, 1):
            # Whoever is always first would always pay for what the others then find in caches.
            chance.shuffle(order)
            for contestant in order:
                started = _processor_seconds()
                outcome = check(puzzle, contestant.settings(limits))
                seconds = _processor_seconds() - started
                verdicts.compare(number, outcome.verdict, contestant)
                counters = outcome.statistics.counters
                yield Trial(
                    contestant,
                    number,
                    turn,
                    outcome.verdict,
                    seconds,
                    size_of(contestant, number),
                    counters.get("conflicts"),
                    counters.get("propagations"),
                )


def _processor_seconds() -> float:
    """What this process and those that it waited for have computed; waiting costs nothing.

    Clocks on the wall would count what else the machine does.
    """
    if resource is None:
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class _Verdicts:
    """The first verdict on each puzzle, with which all others are compared."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[Verdict, Contestant]] = {}

    def compare(self, number: int, verdict: Verdict, contestant: Contestant) -> None:
        # A contestant that ran out of time contradicts nobody.
        if verdict is Verdict.UNDECIDED:
            return
        first, other = self._first.setdefault(number, (verdict, contestant))
        if first is not verdict:
            raise DisagreementError(
                f"puzzle {number} is {first.value} for {other}, "
                f"and {verdict.value} for {contestant}"
            )


def _remember_sizes(
    puzzles: Sequence[Puzzle], limits: Limits
) -> Callable[[Contestant, int], LoadedSize | None]:
    """The size of a contestant's formula for a puzzle, found once for all rounds and solvers."""
    known: dict[tuple[str, str, int], LoadedSize | None] = {}

    def size_of(contestant: Contestant, number: int) -> LoadedSize | None:
        key = contestant.encoding.value, contestant.method, number
        if key not in known:
            try:
                budget = Budget(Limits(limits.timeout))
                known[key] = measure_formula(puzzles[number - 1], contestant.settings(), budget)
            except LimitReachedError:
                known[key] = None
        return known[key]

    return size_of
