"""A solver that works on a board in turn with other methods, and keeps up with what they found.

A question to a solver that should not be interrupted is asked in a process of its own. Elsewhere a
solver searches in slices of 50 milliseconds, between which limits and Ctrl-C are looked at. CaDiCaL
does not bear that well: whenever it is asked again it begins its rhythm of restarts and of changing
phases anew. The published 64x64-1 it solved within 36,000 to 65,000 conflicts in one go, three
times out of three; in slices of one or three seconds four of five times it did not, with up to
178,000 conflicts.
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
    """A solver with its own parameters; unless `is_sliced`, nothing interrupts its search."""

    solver: str
    parameters: Mapping[str, int] = {}
    is_sliced: bool = True


class ContenderQuestion(NamedTuple):
    """A solution is wanted beside the known ones, within so many conflicts."""

    puzzle: Puzzle
    engine: Engine
    candidates: Mapping[int, int] | None
    known: Sequence[Grid]
    patience: int


class Reply(NamedTuple):
    """What a solver says to a question, and what it counted."""

    status: Status
    solution: Grid | None = None
    counters: Mapping[str, int] = {}


class Contender:
    """A solver with the formula of a puzzle, from which all solutions found so far are excluded."""

    def __init__(
        self,
        puzzle: Puzzle,
        engine: Engine,
        budget: Budget,
        candidates: Mapping[int, int] | None = None,
    ) -> None:
        """`candidates` are those left to each empty cell, where more is known than givens say."""
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
        """Asks for a solution beside the known ones; UNKNOWN after `patience` conflicts."""
        for solution in known[self._excluded :]:
            literals = self._literals_of(solution)
            self._session.add_clause([-literal for literal in literals])
        self._excluded = len(known)
        if known and not self.has_found(known[-1]):
            # Most solvers begin with all digits false; near a solution they find others sooner.
            self._session.suggest(self._literals_of(known[-1]))
        return self._session.solve(budget, patience)

    def solution(self) -> Grid:
        """The solution that `find` found."""
        self._own, self._own_literals = self._formula.read(self._session.model())
        return self._own

    def has_found(self, solution: Grid) -> bool:
        """Whether the last solution that it found is this one."""
        return self._own is solution

    def _literals_of(self, solution: Grid) -> Sequence[int]:
        """The literals that make a solution; its own it has noted, as finding them takes time."""
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
    """A contender for one question."""
    contender = Contender(puzzle, engine, budget, candidates)
    try:
        yield contender
    finally:
        contender.close()


class Asked:
    """A question that a process of its own is at work on."""

    def __init__(self, question: ContenderQuestion) -> None:
        self._child: Child = Child(_answer, (question,), (), True)

    def wait(self, budget: Budget) -> Reply:
        """The reply; LimitReachedError when the budget ends before."""
        try:
            while not self._child.connection.poll(at_most(budget.seconds_to_wait)):
                budget.require()
            reply: Reply = self._child.connection.recv()
            return reply
        except EOFError:
            # It died, as a rule for want of memory. Others may still find the answer.
            return Reply(Status.UNKNOWN)

    def stop(self) -> None:
        """Ends the process, whether or not it has replied."""
        self._child.stop()


def ask_apart(question: ContenderQuestion, budget: Budget) -> Reply:
    """Asks in a process that ends with the budget, and when Ctrl-C is pressed.

    A process that may start none, as those of a race or of Dask, asks itself.
    """
    if multiprocessing.current_process().daemon:
        return ask_here(question, budget)
    asked = Asked(question)
    try:
        return asked.wait(budget)
    finally:
        asked.stop()


def has_idle_core() -> bool:
    """Whether a second process may be expected to slow nobody down.

    Workers of a run, of a race or of Dask are as many as there are cores, as a rule.
    """
    return multiprocessing.parent_process() is None and available_processors() > 1


def ask_here(question: ContenderQuestion, budget: Budget) -> Reply:
    """Asks in this process; in slices only where a limit has to be kept."""
    engine = question.engine._replace(is_sliced=budget.can_end_early)
    with contend(question.puzzle, engine, budget, question.candidates) as contender:
        status = contender.find(question.known, budget, question.patience)
        solution = contender.solution() if status is Status.SATISFIABLE else None
        return Reply(status, solution, contender.counters())


def _answer(connection: "Connection", question: ContenderQuestion) -> None:
    try:
        # The parent knows when the time is up, and ends this process then.
        reply = ask_here(question, Budget())
    except (SatdokuError, MemoryError):
        reply = Reply(Status.UNKNOWN)
    connection.send(reply)
