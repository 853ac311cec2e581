"""A solver that takes turns with other methods on a board, and blocks the solutions they found.

A call that should not be interrupted runs in a child process. Elsewhere a solver searches in slices
of 50 milliseconds, between which limits and Ctrl-C are checked. CaDiCaL suffers from that: each
call restarts its schedule of restarts and phase changes. It solved the published 64x64-1 within
36,000 to 65,000 conflicts in one go, three times out of three; in slices of one or three seconds it
failed four of five times, with up to 178,000 conflicts.
"""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from satdoku.batch.run import available_processors
from satdoku.encoding.choices import Status
from satdoku.errors import SatdokuError
from satdoku.processes import Child, at_most
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.loading import load
from satdoku.solving.session import Session
from satdoku.solving.solvers import Settings, find_solver

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Engine(NamedTuple):
    """A solver with its own parameters; unless `is_sliced`, its search is not interrupted."""

    solver: str
    parameters: Mapping[str, int] = {}
    is_sliced: bool = True


class ContenderQuestion(NamedTuple):
    """A request for a solution other than the known ones, within a number of conflicts."""

    puzzle: Puzzle
    engine: Engine
    candidates: Mapping[int, int] | None
    known: Sequence[Grid]
    patience: int


class Reply(NamedTuple):
    """A solver's status for a request, its solution, and its counters."""

    status: Status
    solution: Grid | None = None
    counters: Mapping[str, int] = {}


class Contender:
    """A solver with the formula of a puzzle, in which all solutions found so far are blocked."""

    def __init__(
        self,
        puzzle: Puzzle,
        engine: Engine,
        budget: Budget,
        candidates: Mapping[int, int] | None = None,
    ) -> None:
        """Load the formula; `candidates` has those left in each empty cell, if more is known."""
        self._session = Session(
            find_solver(engine.solver),
            parameters=engine.parameters,
            is_sliced=engine.is_sliced,
        )
        try:
            settings = Settings(solver=engine.solver)
            self._formula = load(puzzle, settings, self._session, budget, candidates)
        except BaseException:
            self._session.close()
            raise
        self._excluded = 0
        self._own: Grid | None = None
        self._own_literals: Sequence[int] = ()

    def find(self, known: Sequence[Grid], budget: Budget, patience: int | None = None) -> Status:
        """Search a solution other than the known ones; UNKNOWN after `patience` conflicts."""
        for solution in known[self._excluded :]:
            literals = self._literals_of(solution)
            self._session.add_clause([-literal for literal in literals])
        self._excluded = len(known)
        if known and not self.has_found(known[-1]):
            # Most solvers start with all digits false; near a solution they find others sooner.
            self._session.suggest(self._literals_of(known[-1]))
        return self._session.solve(budget, patience)

    def solution(self) -> Grid:
        """Return the solution that `find` found."""
        self._own, self._own_literals = self._formula.read(self._session.model())
        return self._own

    def has_found(self, solution: Grid) -> bool:
        """Whether this is the last solution that it found."""
        return self._own is solution

    def _literals_of(self, solution: Grid) -> Sequence[int]:
        """Return the literals of a solution; those of its own one are cached."""
        return (
            self._own_literals if self.has_found(solution) else self._formula.literals_of(solution)
        )

    def counters(self) -> dict[str, int]:
        return self._session.counters()

    def close(self) -> None:
        self._session.close()


@contextmanager
def contend(
    puzzle: Puzzle, engine: Engine, budget: Budget, candidates: Mapping[int, int] | None
) -> Iterator[Contender]:
    """Yield a contender for one request."""
    contender = Contender(puzzle, engine, budget, candidates)
    try:
        yield contender
    finally:
        contender.close()


class Asked:
    """A request that a child process works on."""

    def __init__(self, question: ContenderQuestion) -> None:
        self._child: Child = Child(_answer, (question,), (), True)

    def wait(self, budget: Budget) -> Reply:
        """Return the reply; raise LimitReachedError if the budget ends first."""
        try:
            while not self._child.connection.poll(at_most(budget.seconds_to_wait)):
                budget.require()
            reply: Reply = self._child.connection.recv()
            return reply
        except EOFError:
            # The child died, usually out of memory. Other methods may still find the answer.
            return Reply(Status.UNKNOWN)

    def stop(self) -> None:
        """End the process, whether or not it has replied."""
        self._child.stop()


def ask_apart(question: ContenderQuestion, budget: Budget) -> Reply:
    """Ask in a child process, which ends with the budget or on Ctrl-C.

    A process that may not start children, as in a race or under Dask, solves in place.
    """
    if multiprocessing.current_process().daemon:
        return ask_here(question, budget)
    asked = Asked(question)
    try:
        return asked.wait(budget)
    finally:
        asked.stop()


def has_idle_core() -> bool:
    """Whether a second process is unlikely to slow others down.

    Runs, races and Dask usually have as many workers as there are cores.
    """
    return multiprocessing.parent_process() is None and available_processors() > 1


def ask_here(question: ContenderQuestion, budget: Budget) -> Reply:
    """Ask in this process; in slices only if there are limits."""
    engine = question.engine._replace(is_sliced=budget.can_end_early)
    with contend(question.puzzle, engine, budget, question.candidates) as contender:
        status = contender.find(question.known, budget, question.patience)
        solution = contender.solution() if status is Status.SATISFIABLE else None
        return Reply(status, solution, contender.counters())


def _answer(connection: "Connection", question: ContenderQuestion) -> None:
    try:
        # The parent keeps the limits, and ends this process.
        reply = ask_here(question, Budget())
    except (SatdokuError, MemoryError):
        reply = Reply(Status.UNKNOWN)
    connection.send(reply)
