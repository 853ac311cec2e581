"""A solver that works on a board in turn with other methods, and keeps up with what they found."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from satdoku.encoding.files.status import Status
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.loading import load
from satdoku.solving.session import Session
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import find_solver


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
