"""A session with one python-sat solver, and the functions that load a puzzle's formula into it.

If the solver must be interrupted, a long call runs in a second thread, while this one checks limits
and handles Ctrl-C: python-sat releases the GIL during a call with `expect_interrupt`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Any, Protocol, TypeVar

from satdoku.encoding.choices import Encoding, Status
from satdoku.errors import SolverError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.pysat_private import (
    BARE,
    adders_of,
    ctrl_c_left_alone,
    load_solvers,
    new_solver,
    proof_lines,
)
from satdoku.solving.solvers import Can, Settings, SolverInfo, how_to_install

# A slice without a limit: more conflicts than any search has, but still a C int.
_UNSLICED = 1 << 30


# The length of slices. Limits are kept by running a solver for a slice of conflicts and then
# checking the clock: python-sat's interrupt() exists for half of the solvers only. The length of a
# slice depends on the formula and never on the clock, because a solver continues differently after
# a slice, and a puzzle must get the same answer on every machine.
#
# Slices grow from the first one up to this number of conflicts divided by the variables of the
# formula. That takes 50 to 200 milliseconds: a conflict takes 20 microseconds with 250 variables, a
# millisecond with 50,000.
_FIRST_SLICE = 64
_CONFLICTS_BY_VARIABLES = 1 << 21


_Held = TypeVar("_Held", bound="Closable")


class Closable(ABC):
    """Holds a solver, and frees it by `close` or at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Free the solver; no further calls are allowed."""

    def __enter__(self: _Held) -> _Held:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Session(Closable):
    """A solver with a growing formula, created for proofs, for assumptions, or for neither.

    With `warm_start` python-sat continues faster from its last model, but ignores assumptions and
    gives wrong answers; so a session for assumptions must be created as such.

    `add_clause` takes literals of which at least one is true, `add_at_most_one` literals of which
    at most one is; the latter is a native constraint, only for solvers that `Can.NATIVE`.

    `parameters` are options of the solver, if python-sat can configure it. A solver that is not
    `is_sliced` ignores the clock and Ctrl-C until its patience ends. A solver that `is_beside`
    searches in a second thread and is interrupted: for boards of a million candidates, where a
    single conflict takes tenths of a second.
    """

    def __init__(
        self,
        solver: SolverInfo,
        with_proof: bool = False,
        with_assumptions: bool = False,
        parameters: Mapping[str, int] | None = None,
        is_sliced: bool = True,
        is_beside: bool = False,
    ) -> None:
        self.solver = solver
        self._takes_assumptions = with_assumptions
        self._is_beside = is_beside
        if is_beside:
            solver.require(Can.INTERRUPT, "be interrupted")
        if with_proof:
            solver.require(Can.PROVE, "write proofs that check")
        elif with_assumptions:
            solver.require(Can.ASSUME, "take assumptions")
        is_warm = not (with_proof or with_assumptions) and Can.WARM in solver.can
        if solver.name in BARE and not with_proof:
            self._pysat: Any = new_solver(solver.name, is_warm)
        else:
            self._pysat = _new_solver(solver.name, with_proof, is_warm)
        if parameters:
            self._pysat.configure(dict(parameters))
        # The C functions of the solver, without a method around them: loading a small board takes
        # some hundred calls, and a method takes as long as the call within it.
        self.add_clause, self.add_at_most_one = adders_of(self._pysat)
        # Looked up once, because a search for true candidates makes hundreds of calls.
        self._can_slice, self._counts = Can.SLICE in solver.can, Can.COUNT in solver.can
        self._first_slice = _FIRST_SLICE if is_sliced else _UNSLICED
        self.conflicts = 0

    @property
    def can_continue(self) -> bool:
        """Whether clauses may be added after an answer."""
        return Can.CONTINUE in self.solver.can

    def add_at_most(self, literals: Sequence[int], most: int) -> None:
        """Add that at most `most` of the literals are true; the solver needs `Can.NATIVE`."""
        self._pysat.add_atmost(literals, most)

    def add_clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        self._pysat.append_formula(clauses)

    def suggest(self, literals: Sequence[int]) -> None:
        """Set the literals to try first; a wrong hint costs time, never correctness."""
        if Can.HINT in self.solver.can:
            self._pysat.set_phases(literals)

    def solve(
        self, budget: Budget, patience: int | None = None, assumptions: Sequence[int] = ()
    ) -> Status:
        """Search for a model under these assumptions; UNKNOWN after `patience` conflicts.

        The assumptions are for this call only. Raise LimitReachedError if the budget ends first.
        """
        budget.require()
        if assumptions and not self._takes_assumptions:
            raise SolverError("this session does not take assumptions")
        if self._is_beside:
            return self._solve_beside(budget, patience, assumptions)
        if self._can_slice:
            return self._solve_in_slices(budget, patience, assumptions)
        with ctrl_c_left_alone():
            return _status(self._pysat.solve())

    def decide(self, assumptions: Sequence[int]) -> bool:
        """Whether there is a model under the assumptions, however long the search takes.

        For thousands of calls of microseconds each, in which checking limits would cost a third
        more.
        """
        if not self._takes_assumptions:
            raise SolverError("this session does not take assumptions")
        with ctrl_c_left_alone():
            answer: bool = self._pysat.solve(assumptions)
        return answer

    def propagate(self, assumptions: Sequence[int]) -> Sequence[int] | None:
        """Return all literals that unit propagation derives from the assumptions; None on a
        conflict.
        """
        with ctrl_c_left_alone():
            is_consistent, literals = self._pysat.propagate(assumptions)
        return literals if is_consistent else None

    def model(self) -> Sequence[int]:
        """Return the literals of the last model."""
        model: Sequence[int] = self._pysat.get_model()
        return model

    def core(self) -> Sequence[int]:
        """Return the core: assumptions that suffice for the last answer "unsatisfiable"."""
        core: Sequence[int] | None = self._pysat.get_core()
        return core or ()

    def proof(self) -> Sequence[str]:
        """Return the lines of the DRAT proof that there is no further model."""
        return proof_lines(self._pysat)

    def counters(self) -> dict[str, int]:
        """Return conflicts, decisions, propagations and restarts so far, if the solver counts them.

        Empty after `close`.
        """
        if not self._counts:
            return {}
        # python-sat returns None for a deleted solver.
        counters: dict[str, int] = self._pysat.accum_stats() or {}
        return counters

    def close(self) -> None:
        # These are functions of the freed solver, and must not be called.
        self.add_clause = self.add_at_most_one = _refuse
        self._pysat.delete()

    def _solve_in_slices(
        self, budget: Budget, patience: int | None, assumptions: Sequence[int]
    ) -> Status:
        conflicts = self._first_slice
        while patience is None or patience > 0:
            for most in (budget.conflicts_left, patience):
                conflicts = conflicts if most is None else min(conflicts, most)
            started = time.perf_counter()
            self._pysat.conf_budget(conflicts)
            with ctrl_c_left_alone():
                answer = self._pysat.solve_limited(assumptions)
            spent = self._conflicts_since_last_look(conflicts)
            budget.spend_conflicts(spent)
            if answer is not None:
                return _status(answer)
            budget.require()
            patience = None if patience is None else patience - spent
            conflicts = self._next_slice(conflicts, time.perf_counter() - started, budget)
        return Status.UNKNOWN

    def _next_slice(self, conflicts: int, seconds: float, budget: Budget) -> int:
        """Return the length of the next slice; the last one had `conflicts` in `seconds`."""
        variables: int = self._pysat.nof_vars()
        most = max(_FIRST_SLICE, _CONFLICTS_BY_VARIABLES // max(1, variables))
        conflicts_next = min(2 * conflicts, most)
        if budget.seconds_left is None:
            return conflicts_next
        # The last slice before a time limit is shortened, to end in time.
        in_time = int(conflicts * budget.seconds_left / max(seconds, 1e-6))
        return max(1, min(conflicts_next, in_time))

    def _solve_beside(
        self, budget: Budget, patience: int | None, assumptions: Sequence[int]
    ) -> Status:
        """Solve in a second thread, which is interrupted when the budget ends."""
        limits = [most for most in (budget.conflicts_left, patience) if most is not None]
        most = min(limits, default=_UNSLICED)
        self._pysat.conf_budget(most)
        try:
            answer = run_beside(
                lambda: self._pysat.solve_limited(assumptions, expect_interrupt=True),
                self._pysat.interrupt,
                budget,
            )
        finally:
            self._pysat.clear_interrupt()
            budget.spend_conflicts(self._conflicts_since_last_look(most))
        if answer is not None:
            return _status(answer)
        budget.require()
        return Status.UNKNOWN

    def _conflicts_since_last_look(self, most: int) -> int:
        """Return the conflicts of the last slice; after restarts, glucose may exceed `most`."""
        if not self._counts:
            return most
        before, self.conflicts = self.conflicts, self._pysat.accum_stats()["conflicts"]
        return max(0, self.conflicts - before)


def _new_solver(name: str, with_proof: bool, is_warm: bool) -> Any:
    """Return a solver of python-sat's class."""
    pysat = load_solvers()
    options = {"with_proof": True} if with_proof else {"warm_start": True} if is_warm else {}
    try:
        return pysat.Solver(name, **options)
    except (pysat.NoSuchSolverError, ImportError, AssertionError) as error:
        raise SolverError(
            f"this installation of python-sat has no {name}; {how_to_install(name)} adds it"
        ) from error


def _refuse(literals: Iterable[int]) -> object:
    raise SolverError("this session is closed")


def _status(is_satisfiable: bool) -> Status:
    return Status.SATISFIABLE if is_satisfiable else Status.UNSATISFIABLE


T = TypeVar("T")

# The longest delay after Ctrl-C or a limit; too short to be noticed.
_SECONDS_BETWEEN_LOOKS = 0.02


def run_beside(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """Run the call in a second thread, and return the result.

    If the budget ends first, call `interrupt` and raise LimitReachedError.
    """
    results: list[T] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            with ctrl_c_left_alone():
                results.append(call())
        except Exception as error:  # to be raised in the waiting thread
            errors.append(error)
        finally:
            is_over.set()

    # An event, and not Thread.join: if Ctrl-C ends a join, Python 3.11 assumes that the thread has
    # ended though it still runs.
    is_over = Event()
    Thread(target=work, name="solver").start()
    try:
        while not is_over.wait(_SECONDS_BETWEEN_LOOKS):
            if budget.can_end_early:
                budget.require()
    finally:
        if not is_over.is_set():
            interrupt()
        # The caller frees the solver when this returns, so a second Ctrl-C must wait.
        while not is_over.is_set():
            with suppress(KeyboardInterrupt):
                is_over.wait()
    if errors:
        raise errors[0]
    return results[0]


# Load a puzzle's formula into a solver, in one of two numberings, and decode models.
#
# Small classic boards are sifted first, by `sifted.py`. `formulas.py` makes all other formulas.


class Receiver(Protocol):
    """The recipient of a formula: a python-sat session or the file of an external solver."""

    @property
    def add_clause(self) -> Callable[[Sequence[int]], object]: ...

    @property
    def add_at_most_one(self) -> Callable[[Sequence[int]], object]: ...

    def add_at_most(self, literals: Sequence[int], most: int) -> None: ...

    def suggest(self, literals: Sequence[int]) -> None: ...


class Loaded(Protocol):
    """A formula in a solver, which knows the meaning of its variables."""

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        """Return the grid of a model, and the literals of its open cells."""
        ...

    def cell_of(self, literal: int) -> int:
        """Return the cell that a literal fills."""
        ...

    def literals_of(self, solution: Grid) -> list[int]:
        """Return the literals of the open cells in a known solution."""
        ...

    def add_implied(self) -> None:
        """Add redundant clauses, implied by several constraints together, for a long search."""
        ...


def load(
    puzzle: Puzzle,
    settings: Settings,
    receiver: Receiver,
    budget: Budget,
    candidates: Mapping[int, int] | None = None,
) -> Loaded:
    """Load the formula of a puzzle into a solver.

    `candidates`, if given, are masks of the remaining digits of each empty cell; only the encoding
    `reduced` uses them.
    """
    is_open = settings.encoding is Encoding.REDUCED and not settings.command
    is_small = is_open and settings.is_native and candidates is None
    formula: Loaded | None = None
    if is_small and puzzle.is_classic:
        # Imported late: not needed for puzzles with other rules.
        from satdoku.solving.sifted import load_sifted

        budget.require()
        formula = load_sifted(puzzle, receiver)
    if formula is None:
        # Imported late: not needed for small classic boards.
        from satdoku.solving.formulas import FullFormula, OpenFormula

        if not is_open:
            return FullFormula(puzzle, settings, receiver, budget)
        formula = OpenFormula(puzzle, settings, receiver, budget, candidates)
    if puzzle.is_classic and _is_nearly_empty(puzzle.grid):
        from satdoku.puzzle.symmetry import pattern_grid

        receiver.suggest(formula.literals_of(pattern_grid(puzzle.geometry)))
    return formula


def _is_nearly_empty(grid: Grid) -> bool:
    """Whether so few cells are given that a known full grid is a useful hint to the solver.

    The hint reduces the search on an empty 100x100 board from more than 30 s to 0.1 s; with 2 % of
    givens it already costs time.
    """
    givens = len(grid.digits) - grid.digits.count(EMPTY)
    return givens * 100 <= len(grid.digits)
