"""A puzzle in processes of its own: several solvers race, or one that nothing else can stop."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from satdoku.errors import SatdokuError, SolverError
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.decide import decide
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.search import Search
from satdoku.solving.session import load_solvers
from satdoku.solving.settings import Settings
from satdoku.solving.verdict import Outcome, Statistics, Verdict

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_SECONDS_TO_DIE = 1.0

Work = Callable[[Puzzle, Settings], Iterator[Any]]
"""What a process sends back, piece by piece."""


def race(puzzle: Puzzle, entrants: Sequence[Settings], limits: Limits) -> Outcome:
    """The first decided outcome among several settings; the others are stopped."""
    budget = Budget(limits)
    runners: list[_Runner] = []
    try:
        runners += (_Runner(_outcome, puzzle, settings) for settings in entrants)
        return _first_finish(puzzle, runners, budget)
    finally:
        for runner in runners:
            runner.stop()


def find_solutions_apart(puzzle: Puzzle, settings: Settings) -> Iterator[Grid]:
    """The solutions one after the other, by a solver that nothing but its death stops."""
    budget = Budget(settings.limits)
    runner = _Runner(_solutions, puzzle, settings)
    try:
        while True:
            if not runner.connection.poll(budget.seconds_left):
                budget.require()
            solution = runner.receive()
            if isinstance(solution, SatdokuError):
                raise solution
            if solution is None:
                return
            yield solution
    finally:
        runner.stop()


class _Runner:
    """A process that does some work on a puzzle and sends the results, or the error."""

    def __init__(self, work: Work, puzzle: Puzzle, settings: Settings) -> None:
        import multiprocessing

        load_solvers()  # here once, instead of in every fork
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else None)
        self.settings = settings
        self.connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_run, args=(theirs, work, puzzle, settings), daemon=True
        )
        self._process.start()
        theirs.close()

    def receive(self) -> Any:
        """The next result; an error is one too."""
        try:
            return self.connection.recv()
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            return SolverError(f"{self.settings.engine} died (exit code {code})")

    def stop(self) -> None:
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(_SECONDS_TO_DIE)
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self.connection.close()
        self._process.close()


def _outcome(puzzle: Puzzle, settings: Settings) -> Iterator[Outcome]:
    yield decide(puzzle, settings)


def _solutions(puzzle: Puzzle, settings: Settings) -> Iterator[Grid | None]:
    """With None behind the last one."""
    with Search(puzzle, settings, Budget(settings.limits)) as search:
        yield from search
    yield None


def _run(connection: "Connection", work: Work, puzzle: Puzzle, settings: Settings) -> None:
    import signal

    # Ctrl-C reaches the whole group; the parent decides what it means. Ignoring it is not enough,
    # as python-sat installs a handler of its own while it solves.
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        for result in work(puzzle, settings):
            connection.send(result)
    except SatdokuError as error:
        connection.send(error)
    except MemoryError:
        connection.send(SolverError(f"{settings.engine} ran out of memory"))


def _first_finish(puzzle: Puzzle, runners: Sequence[_Runner], budget: Budget) -> Outcome:
    from multiprocessing.connection import wait

    waiting = {runner.connection: runner for runner in runners}
    undecided: Outcome | None = None
    failure: SatdokuError = SolverError("a portfolio needs at least one solver")
    while waiting:
        left = budget.seconds_left
        ready = wait(list(waiting), None if left is None else max(0.0, left))
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
