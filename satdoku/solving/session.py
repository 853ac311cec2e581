"""One python-sat solver at work.

Where it cannot stop by itself, a long call runs in a thread, while this one keeps limits and hears
Ctrl-C: python-sat gives the interpreter free during a call that expects to be interrupted.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Any, TypeVar

from satdoku.encoding.choices import Status
from satdoku.errors import SolverError
from satdoku.solving.limits import Budget
from satdoku.solving.pysat_private import (
    BARE,
    adders_of,
    ctrl_c_left_alone,
    load_solvers,
    new_solver,
)
from satdoku.solving.solvers import Can, SolverInfo, how_to_install

# More conflicts than a solver has in a lifetime, and still a number for C.
_UNSLICED = 1 << 30


# Limits are kept by letting a solver run for so many conflicts at a time and looking at the clock
# in between: python-sat's interrupt() exists for half of the solvers only. How long a slice is
# depends on the formula and never on the clock, because a solver that goes on after a slice takes
# another way, and the same puzzle is to get the same answer on every machine.
#
# The slices grow from the first up to so many conflicts divided by the variables of the formula.
# That takes 50 to 200 milliseconds: a conflict takes 20 microseconds with 250 variables, a
# millisecond with 50,000.
_FIRST_SLICE = 64
_CONFLICTS_BY_VARIABLES = 1 << 21


_Held = TypeVar("_Held", bound="Closable")


class Closable(ABC):
    """What holds a solver, and gives it back at the end of `with` or when it is told to."""

    @abstractmethod
    def close(self) -> None:
        """Gives the solver back; nothing may be asked then."""

    def __enter__(self: _Held) -> _Held:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Session(Closable):
    """A solver with a growing formula, made either for proofs, or for assumptions, or for neither.

    python-sat goes on from its last model faster (`warm_start`), but then it passes assumptions
    over and its answers are wrong; so a session has to be made for them.

    `add_clause` takes literals of which one holds, `add_at_most_one` literals of which no two do;
    that one is a native constraint, and only for solvers that `Can.NATIVE`.

    `parameters` are the solver's own, for solvers that python-sat can configure. A solver that is
    not `is_sliced` heeds no clock and no Ctrl-C until its patience ends. One that `is_beside`
    searches in a thread of its own and is interrupted: for boards of a million candidates, on which
    a single conflict takes tenths of a second.
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
        # The solver's own functions, without a method around them: to load a small board is some
        # hundred calls of these two, and a method takes as long as the call within it.
        self.add_clause, self.add_at_most_one = adders_of(self._pysat)
        # Asked for each question, of which true candidates take hundreds.
        self._can_slice, self._counts = Can.SLICE in solver.can, Can.COUNT in solver.can
        self._first_slice = _FIRST_SLICE if is_sliced else _UNSLICED
        self.conflicts = 0

    @property
    def can_continue(self) -> bool:
        """Whether more clauses may come after an answer."""
        return Can.CONTINUE in self.solver.can

    def add_at_most(self, literals: Sequence[int], most: int) -> None:
        """Of these no more hold: for solvers that `Can.NATIVE`."""
        self._pysat.add_atmost(literals, most)

    def add_clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        self._pysat.append_formula(clauses)

    def suggest(self, literals: Sequence[int]) -> None:
        """Literals to try first; a wrong hint costs time, never an answer."""
        if Can.HINT in self.solver.can:
            self._pysat.set_phases(literals)

    def solve(
        self, budget: Budget, patience: int | None = None, assumptions: Sequence[int] = ()
    ) -> Status:
        """Asks for a model in which the assumptions hold; UNKNOWN after `patience` conflicts.

        Assumptions are for this question only. Raises LimitReachedError when the budget ends first.
        """
        budget.require()
        if assumptions and not self._takes_assumptions:
            raise SolverError("this session was not made to take assumptions")
        if self._is_beside:
            return self._solve_beside(budget, patience, assumptions)
        if self._can_slice:
            return self._solve_in_slices(budget, patience, assumptions)
        with ctrl_c_left_alone():
            return _status(self._pysat.solve())

    def decide(self, assumptions: Sequence[int]) -> bool:
        """Whether there is a model in which the assumptions hold, however long it takes.

        For thousands of questions of microseconds each: looking at limits would cost a third more.
        """
        if not self._takes_assumptions:
            raise SolverError("this session was not made to take assumptions")
        with ctrl_c_left_alone():
            answer: bool = self._pysat.solve(assumptions)
        return answer

    def propagate(self, assumptions: Sequence[int]) -> Sequence[int] | None:
        """All literals that follow from these by unit propagation; None where two contradict."""
        with ctrl_c_left_alone():
            is_consistent, literals = self._pysat.propagate(assumptions)
        return literals if is_consistent else None

    def model(self) -> Sequence[int]:
        """The literals of the model that the last question found."""
        model: Sequence[int] = self._pysat.get_model()
        return model

    def core(self) -> Sequence[int]:
        """The assumptions that the last question's answer, that there is no model, rests on."""
        core: Sequence[int] | None = self._pysat.get_core()
        return core or ()

    def proof(self) -> list[str]:
        """The lines of the DRAT proof that there is no further model."""
        lines: list[str] = self._pysat.get_proof()
        return lines

    def counters(self) -> dict[str, int]:
        """Conflicts, decisions, propagations and restarts so far, where the solver counts.

        After `close` there are none.
        """
        if not self._counts:
            return {}
        # python-sat has None to say of a solver that was deleted.
        counters: dict[str, int] = self._pysat.accum_stats() or {}
        return counters

    def close(self) -> None:
        # What the solver leaves behind must not be touched.
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
        """How many conflicts the next slice has, when the last one had `conflicts` in `seconds`."""
        variables: int = self._pysat.nof_vars()
        most = max(_FIRST_SLICE, _CONFLICTS_BY_VARIABLES // max(1, variables))
        conflicts_next = min(2 * conflicts, most)
        if budget.seconds_left is None:
            return conflicts_next
        # The last slice before a limit is cut short, to end in time.
        in_time = int(conflicts * budget.seconds_left / max(seconds, 1e-6))
        return max(1, min(conflicts_next, in_time))

    def _solve_beside(
        self, budget: Budget, patience: int | None, assumptions: Sequence[int]
    ) -> Status:
        """In another thread, which is interrupted where the budget ends."""
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
        """What the last slice took: less than it might, or more, as glucose looks at restarts."""
        if not self._counts:
            return most
        before, self.conflicts = self.conflicts, self._pysat.accum_stats()["conflicts"]
        return max(0, self.conflicts - before)


def _new_solver(name: str, with_proof: bool, is_warm: bool) -> Any:
    """A solver by python-sat's class."""
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

# How long the call goes on after Ctrl-C or a limit, at most: nobody notices it.
_SECONDS_BETWEEN_LOOKS = 0.02


def run_beside(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """Returns what the call returns; when the budget ends first, calls `interrupt` and raises
    LimitReachedError.
    """
    results: list[T] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            with ctrl_c_left_alone():
                results.append(call())
        except Exception as error:  # raised again by the thread that waits
            errors.append(error)
        finally:
            is_over.set()

    # An event, and not Thread.join: when Ctrl-C ends a join, Python 3.11 believes that the thread
    # has ended though it still runs.
    is_over = Event()
    Thread(target=work, name="solver").start()
    try:
        while not is_over.wait(_SECONDS_BETWEEN_LOOKS):
            if budget.can_end_early:
                budget.require()
    finally:
        if not is_over.is_set():
            interrupt()
        # Whoever comes next may take the solver apart, so Ctrl-C once more has to wait.
        while not is_over.is_set():
            with suppress(KeyboardInterrupt):
                is_over.wait()
    if errors:
        raise errors[0]
    return results[0]
