"""Solve a puzzle in child processes: a race of solvers, or one that cannot be interrupted."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from satdoku.errors import SatdokuError, SolverDiedError, SolverError
from satdoku.processes import Child, at_most
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.pysat_private import load_solvers
from satdoku.solving.questions import decide, open_search
from satdoku.solving.solvers import Settings

Work = Callable[[Puzzle, Settings], Iterator[Any]]
"""A generator of the results that a child process sends back."""


def race(puzzle: Puzzle, entrants: Sequence[Settings], limits: Limits) -> Outcome:
    """Return the first decided outcome among several settings, and stop the other solvers."""
    budget = Budget(limits)
    runners: list[_Runner] = []
    try:
        for settings in entrants:
            runners.append(_Runner(_outcome, puzzle, settings, runners))
        return _first_finish(puzzle, runners, budget)
    finally:
        for runner in runners:
            runner.stop()


def find_solutions_apart(puzzle: Puzzle, settings: Settings) -> Iterator[Grid]:
    """Yield the solutions found by a solver in a child process, which is killed to stop it."""
    budget = Budget(settings.limits)
    runner = _Runner(_solutions, puzzle, settings)
    try:
        while True:
            budget.require()
            if not runner.connection.poll(at_most(budget.seconds_to_wait)):
                continue
            solution = runner.receive()
            if isinstance(solution, Exception):
                raise solution
            if solution is None:
                return
            yield solution
    finally:
        runner.stop()


class _Runner:
    """A child process that does some work on a puzzle and sends the results, or the error."""

    def __init__(
        self, work: Work, puzzle: Puzzle, settings: Settings, siblings: Sequence["_Runner"] = ()
    ) -> None:
        load_solvers()  # once here, instead of once in every fork
        self.settings = settings
        # No limits in the child: the parent keeps them.
        limits = settings.limits._replace(timeout=None, stop=None)
        args = work, puzzle, replace(settings, limits=limits)
        self._child: Child = Child(_run, args, [runner._child for runner in siblings], True)

    @property
    def connection(self) -> Connection:
        return self._child.connection

    def receive(self) -> Any:
        """Return the next result of the child; raise it if it is an error."""
        try:
            return self.connection.recv()
        except EOFError:
            self._child.process.join()
            code = self._child.process.exitcode
            return SolverDiedError(f"{self.settings.engine} died (exit code {code})")

    def stop(self) -> None:
        self._child.stop()


def _outcome(puzzle: Puzzle, settings: Settings) -> Iterator[Outcome]:
    yield decide(puzzle, settings)


def _solutions(puzzle: Puzzle, settings: Settings) -> Iterator[Grid | None]:
    """Yield the solutions, then None."""
    with open_search(puzzle, settings, Budget(settings.limits)) as search:
        yield from search
    yield None


def _run(connection: Connection, work: Work, puzzle: Puzzle, settings: Settings) -> None:
    try:
        for result in work(puzzle, settings):
            connection.send(result)
    except (SatdokuError, LimitReachedError) as error:
        connection.send(error)
    except MemoryError:
        connection.send(SolverError(f"{settings.engine} ran out of memory"))


def _first_finish(puzzle: Puzzle, runners: Sequence[_Runner], budget: Budget) -> Outcome:
    waiting = {runner.connection: runner for runner in runners}
    undecided: Outcome | None = None
    failure: SatdokuError = SolverError("a portfolio needs at least one solver")
    while waiting:
        ready: list[Any] = wait(list(waiting), at_most(budget.seconds_to_wait))
        for connection in ready:
            result: Outcome | SatdokuError = waiting.pop(connection).receive()
            if isinstance(result, SatdokuError):
                failure = result
            elif result.verdict is not Verdict.UNDECIDED:
                return result
            else:
                undecided = result
        try:
            budget.require()
        except LimitReachedError as limit:
            names = "+".join(runner.settings.engine for runner in runners)
            statistics = Statistics(names, "", budget.seconds, {})
            return Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit), statistics=statistics)
    if undecided is None:
        raise failure
    return undecided
