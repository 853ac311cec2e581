"""Solve boards above 25x25 with several methods in turn, the cheapest first.

Many of these boards are easy for the solver that is best on small boards, so it comes first here
too. If it fails, each of the other methods decides boards on which the rest fail:

- pruning decides boards with one solution, or none, if that follows from counting digits and
  places, which solvers do not do;
- local search finds a solution of boards with thousands of them, on which solvers take too long;
- CaDiCaL in its stable mode finds a solution where local search gets stuck;
- gluecard4 is the best of them at proving that there is no other solution.

Each works for a while; after the last one they start again, for twice as long. Turns are limited by
moves and conflicts, not seconds, so that a board always gets the same answer. With a second core,
CaDiCaL works at the same time as local search; its reply is still used second.
"""

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from typing import NamedTuple

from satdoku.batch.run import available_processors
from satdoku.deducing.prune import prune
from satdoku.encoding.choices import Status
from satdoku.errors import SatdokuError, TooLargeError
from satdoku.lanes.library import find_library
from satdoku.processes import Child, at_most
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large.walk import MOST_NEIGHBOURS, LocalSearch, Neighbours, count_neighbours
from satdoku.solving.limits import Budget, Watch, unwatched
from satdoku.solving.session import Closable, Session, load
from satdoku.solving.solvers import (
    AUTOMATIC,
    LOCAL_SEARCH,
    PATIENCE,
    STABLE_CADICAL,
    STAGES,
    Settings,
    find_solver,
)

# A solver that takes turns with other methods on a board, and blocks the solutions that they found.
#
# A call that should not be interrupted runs in a child process. Otherwise a solver searches in
# slices of 50 milliseconds, between which limits and Ctrl-C are checked. Slices harm CaDiCaL: each
# call restarts its schedule of restarts and phase changes. It solved the published 64x64-1 within
# 36,000 to 65,000 conflicts in one go, three times out of three; in slices of one or three seconds
# it failed four of five times, with up to 178,000 conflicts.


class Engine(NamedTuple):
    """A solver with its own parameters; unless `is_sliced`, its search is not interrupted."""

    solver: str
    parameters: Mapping[str, int] = {}
    is_sliced: bool = True


class ContenderQuestion(NamedTuple):
    """A request for a solution other than the known ones, with a limit on conflicts."""

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
        """Load the formula; `candidates`, if given, has the remaining candidates of each empty
        cell.
        """
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
        """Search for a solution other than the known ones; UNKNOWN after `patience` conflicts."""
        for solution in known[self._excluded :]:
            literals = self._literals_of(solution)
            self._session.add_clause([-literal for literal in literals])
        self._excluded = len(known)
        if known and not self.has_found(known[-1]):
            # By default most solvers try all digits as false first. From a known solution they find
            # others sooner.
            self._session.suggest(self._literals_of(known[-1]))
        return self._session.solve(budget, patience)

    def solution(self) -> Grid:
        """Return the solution that `find` found."""
        self._own, self._own_literals = self._formula.read(self._session.model())
        return self._own

    def has_found(self, solution: Grid) -> bool:
        """Whether this is the last solution that the contender itself found."""
        return self._own is solution

    def _literals_of(self, solution: Grid) -> Sequence[int]:
        """Return the literals of a solution; those of the contender's own solution are cached."""
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
    """A request to a child process, and its pending reply."""

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
            # The child died, usually because memory ran out. Other methods may still find the
            # answer.
            return Reply(Status.UNKNOWN)

    def stop(self) -> None:
        """End the process, whether or not it has replied."""
        self._child.stop()


def ask_apart(question: ContenderQuestion, budget: Budget) -> Reply:
    """Send a request to a child process, which ends with the budget or on Ctrl-C.

    A process that may not start children, as in a race or under Dask, answers the request itself.
    """
    if multiprocessing.current_process().daemon:
        return ask_here(question, budget)
    asked = Asked(question)
    try:
        return asked.wait(budget)
    finally:
        asked.stop()


def has_idle_core() -> bool:
    """Whether an idle core is likely, so that a second process slows nothing down.

    Runs, races and Dask usually have as many workers as there are cores.
    """
    return multiprocessing.parent_process() is None and available_processors() > 1


def ask_here(question: ContenderQuestion, budget: Budget) -> Reply:
    """Answer a request in this process; in slices only if there are limits."""
    engine = question.engine._replace(is_sliced=budget.can_end_early)
    with contend(question.puzzle, engine, budget, question.candidates) as contender:
        status = contender.find(question.known, budget, question.patience)
        solution = contender.solution() if status is Status.SATISFIABLE else None
        return Reply(status, solution, contender.counters())


def _answer(connection: Connection, question: ContenderQuestion) -> None:
    try:
        # No limits here: the parent keeps them, and ends this process.
        reply = ask_here(question, Budget())
    except (SatdokuError, MemoryError):
        reply = Reply(Status.UNKNOWN)
    connection.send(reply)


# The methods for a large board, and their shared state


class Rung(Enum):
    """A method of the ladder; the value is its name in statistics and progress reports."""

    FIRST_SOLVER = STAGES[0]
    PRUNING = "pruning"
    LOCAL_SEARCH = "local search"
    STABLE_CADICAL = "stable CaDiCaL"
    PROVER = STAGES[1]


_SOLVER_OF = {Rung.FIRST_SOLVER: STAGES[0], Rung.PROVER: STAGES[1]}


class TurnLengths(NamedTuple):
    """The length of the first turn of each rung, in moves of local search or conflicts of a solver.

    Local search and CaDiCaL, which work at the same time on two cores, take about equally long, 15
    to 30 seconds at 64x64. The published 64x64-1 needed up to 110,000 conflicts. The prover gets a
    tenth: nearly all boards that reach it have several solutions, and it is the slowest at finding
    them.
    """

    first_solver: int = PATIENCE
    moves: int = 1_500_000
    stable: int = 120_000
    prover: int = 10_000


USUAL_TURNS = TurnLengths()


# In its stable mode CaDiCaL is tuned for satisfiable formulas: few restarts, and phases of the
# largest assignment so far without a conflict. This makes it 2 to 4 times as fast on these boards.
_STABLE = {"stabilizeonly": 1}

# Compiled moves in place of one Python move: they are 20 to 30 times as fast.
_COMPILED_FOR_PLAIN = 16

# Turns of local search before it restarts at random. At 81x81 it reached a board without conflict
# after 0.5 to 65 million moves, so frequent restarts find nothing there.
_TURNS_A_SEARCH = 3

# Tabu tenures of successive local searches, as a share of the cells in conflict. The better one
# depends on the board: 0.6 is quicker at 64x64, 0.5 at 81x81.
_FORBIDDEN_SHARES = (0.5, 0.6)

UNKNOWN = Reply(Status.UNKNOWN)

# Turns after this many doublings, which take hours, are not doubled: solvers count in 32 bits.
_MOST_DOUBLINGS = 10


class Rungs:
    """The methods; each replies with a further solution, with "there is none", or with UNKNOWN.

    `known` are the solutions that were found already.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget, seed: int, pace: TurnLengths) -> None:
        self.puzzle = puzzle
        self._budget = budget
        self._seed = seed
        self._pace = pace
        self._candidates: Mapping[int, int] | None = None
        self._is_pruned = False
        self._neighbours: Neighbours | None = None
        self._search: LocalSearch | None = None
        self._ahead: Asked | None = None
        self._contenders: dict[Rung, Contender] = {}
        self._counted: Counter[str] = Counter()

    @property
    def is_settled(self) -> bool:
        """Whether pruning has decided that there is no solution, or only one."""
        if not self._is_pruned:
            return False
        return self._candidates is None or all(
            mask & (mask - 1) == 0 for mask in self._candidates.values()
        )

    def take_turn(self, rung: Rung, known: Sequence[Grid], turn: int) -> Reply:
        """Run a turn of a rung; each turn of a rung is twice as long as the one before."""
        if rung is Rung.LOCAL_SEARCH:
            return self._search_locally(turn)
        if rung is Rung.STABLE_CADICAL:
            return self._ask_stable_cadical(known, turn)
        patience = self._pace.prover if rung is Rung.PROVER else self._pace.first_solver
        return self._ask(rung, known, _double(patience, turn))

    def ask_first_solver(self, known: Sequence[Grid]) -> Reply:
        """Ask the solver that is fastest on easy boards.

        If another method found the last solution, a new solver starts near it: on three boards of
        64x64 this took one conflict. The old solver, with its learned clauses, found nothing within
        10,000.
        """
        contender = self._contenders.get(Rung.FIRST_SOLVER)
        if known and contender is not None and not contender.has_found(known[-1]):
            self._counted.update(contender.counters())
            contender.close()
            del self._contenders[Rung.FIRST_SOLVER]
        return self._ask(Rung.FIRST_SOLVER, known, self._pace.first_solver)

    def prune(self, known: Sequence[Grid]) -> Reply:
        """Prune, which decides a board if each cell has one digit left, or some cell has none."""
        if not self._is_pruned:
            self._candidates = prune(self.puzzle, pause=self._budget.require)
            self._is_pruned = True
        if not self.is_settled:
            return UNKNOWN
        if self._candidates is None or known:
            return Reply(Status.UNSATISFIABLE)
        return Reply(Status.SATISFIABLE, self._with_settled({}))

    def can_search_locally(self) -> bool:
        """Whether a board is small enough for lists of neighbours."""
        if self._candidates is None:
            return False
        return count_neighbours(self.puzzle, self._candidates) <= MOST_NEIGHBOURS

    def _search_locally(self, turn: int) -> Reply:
        """Continue local search, or restart it at random."""
        if self._search is None or turn % _TURNS_A_SEARCH == 0:
            self._search = self._begin_search(turn)
        search = self._search
        first = self._pace.moves * (_COMPILED_FOR_PLAIN if search.is_compiled else 1)
        before = search.moves
        try:
            digits = search.search(_double(first, turn), self._budget)
        finally:
            self._counted["moves"] += search.moves - before
        if digits is None:
            return UNKNOWN
        self.drop_work_ahead()
        return Reply(Status.SATISFIABLE, self._with_settled(digits))

    def _begin_search(self, turn: int) -> LocalSearch:
        assert self._candidates is not None
        if self._neighbours is None:
            self._neighbours = Neighbours(self.puzzle, self._candidates)
        share = _FORBIDDEN_SHARES[turn // _TURNS_A_SEARCH % len(_FORBIDDEN_SHARES)]
        seed = f"{self._seed} {turn}"
        return LocalSearch(self._neighbours, seed, share, find_library())

    def work_ahead(self, known: Sequence[Grid], turn: int) -> None:
        """Start CaDiCaL's turn early in a child process, if there is an idle core.

        The reply is used when the turn comes, so only the time of the answer changes.
        """
        if has_idle_core():
            self._ahead = Asked(self._stable_question(known, turn))

    def drop_work_ahead(self) -> None:
        """Stop the turn that was started early."""
        if self._ahead is not None:
            self._ahead.stop()
            self._ahead = None

    def _ask_stable_cadical(self, known: Sequence[Grid], turn: int) -> Reply:
        """Ask CaDiCaL in its stable mode, a new solver with another seed each turn."""
        try:
            if self._ahead is not None:
                reply = self._ahead.wait(self._budget)
                self.drop_work_ahead()
            else:
                reply = ask_apart(self._stable_question(known, turn), self._budget)
        except TooLargeError:
            # Unlike the other rungs, its formula has a clause for each pair of candidates that
            # exclude each other.
            return UNKNOWN
        self._counted.update(reply.counters)
        return reply

    def _stable_question(self, known: Sequence[Grid], turn: int) -> ContenderQuestion:
        engine = Engine("cadical195", {**_STABLE, "seed": self._seed + turn})
        patience = _double(self._pace.stable, turn)
        return ContenderQuestion(self.puzzle, engine, self._candidates, known, patience)

    def counters(self) -> dict[str, int]:
        """Return the counters of all solvers, summed up."""
        total = self._counted.copy()
        for contender in self._contenders.values():
            total.update(contender.counters())
        return dict(total)

    def close(self) -> None:
        self.drop_work_ahead()
        for contender in self._contenders.values():
            contender.close()

    def _ask(self, rung: Rung, known: Sequence[Grid], patience: int | None) -> Reply:
        """Ask a solver that keeps its learned clauses until its next turn."""
        if rung not in self._contenders:
            engine = Engine(_SOLVER_OF[rung])
            self._contenders[rung] = Contender(self.puzzle, engine, self._budget, self._candidates)
        contender = self._contenders[rung]
        status = contender.find(known, self._budget, patience)
        is_found = status is Status.SATISFIABLE
        return Reply(status, contender.solution() if is_found else None)

    def _with_settled(self, digits: Mapping[int, int]) -> Grid:
        """Return a full grid from the digits found and the digits that pruning settled."""
        assert self._candidates is not None
        settled = {
            cell: mask.bit_length() - 1
            for cell, mask in self._candidates.items()
            if mask & (mask - 1) == 0
        }
        return self.puzzle.grid.with_digits({**settled, **digits})


def _double(length: int, turn: int) -> int:
    """Return the length of turn number `turn`: `length` for turn 0, and twice as much for each
    next.
    """
    return length << min(turn, _MOST_DOUBLINGS)


Turn = tuple[Rung, Callable[[], Reply]]

METHODS = {
    AUTOMATIC: (Rung.LOCAL_SEARCH, Rung.STABLE_CADICAL, Rung.PROVER),
    # The two ladders that race in a portfolio, each on its own core.
    LOCAL_SEARCH: (Rung.LOCAL_SEARCH, Rung.PROVER),
    STABLE_CADICAL: (Rung.STABLE_CADICAL, Rung.PROVER),
}
"""For each name of a ladder, the rungs after the first solver and pruning."""


class Ladder(Closable):
    """Finds the solutions of a large board one after another, each by the first rung that finds
    one.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        settings: Settings,
        budget: Budget,
        watch: Watch = unwatched,
        pace: TurnLengths = USUAL_TURNS,
    ) -> None:
        """Start; `watch` is called with the name of each rung when its turn starts."""
        self.puzzle = puzzle
        self._deciders: list[str] = []
        self._settings = settings
        self._watch = watch
        self._known: list[Grid] = []
        self._is_finished = False
        self._rungs = Rungs(puzzle, budget, settings.seed, pace)

    @property
    def method(self) -> str:
        """Return the rungs that gave answers, in order.

        Often one rung finds the first solution, and another decides whether there is a second.
        """
        return ", ".join(dict.fromkeys(self._deciders))

    def next_solution(self) -> Grid | None:
        """Return a solution that was not returned before, or None if there is no other.

        Raise LimitReachedError if the budget ends first.
        """
        if self._is_finished:
            return None
        reply = self._climb()
        if reply.solution is None:
            self._is_finished = True
            return None
        require_solution(reply.solution, self.puzzle)
        self._known.append(reply.solution)
        # A full grid has no open cell that could differ.
        self._is_finished = EMPTY not in self.puzzle.grid.digits
        return reply.solution

    def counters(self) -> dict[str, int]:
        """Return the counters of the solvers, and the moves of local search."""
        return self._rungs.counters()

    def __iter__(self) -> Iterator[Grid]:
        while (solution := self.next_solution()) is not None:
            yield solution

    def close(self) -> None:
        self._rungs.close()

    def _climb(self) -> Reply:
        """Return the first reply, of one rung after another, that is not UNKNOWN."""
        for rung, work in self._turns():
            self._watch(rung.value)
            reply = work()
            if reply.status is not Status.UNKNOWN:
                self._deciders.append(rung.value)
                return reply
        raise AssertionError("turns do not end")

    def _turns(self) -> Iterator[Turn]:
        """Yield the rungs in the order in which they work on one request."""
        rungs, known = self._rungs, self._known
        if not rungs.is_settled:
            yield Rung.FIRST_SOLVER, partial(rungs.ask_first_solver, known)
        yield Rung.PRUNING, partial(rungs.prune, known)
        methods = self._methods()
        for turn in count():
            if {Rung.LOCAL_SEARCH, Rung.STABLE_CADICAL} <= set(methods):
                rungs.work_ahead(known, turn)
            for rung in methods:
                yield rung, partial(rungs.take_turn, rung, known, turn)

    def _methods(self) -> list[Rung]:
        """Return the rungs that take turns after the first solver and pruning."""
        methods = METHODS[self._settings.solver]
        if self._settings.limits.conflicts is not None:
            # With a limit on conflicts, the only solver is the first, which stops exactly there.
            methods = (Rung.LOCAL_SEARCH, Rung.FIRST_SOLVER)
        # Local search cannot block solutions, so it searches for the first one only. It supports
        # units and pairs only.
        can_walk = (
            not self._known
            and not self.puzzle.constraints.wider
            and self._rungs.can_search_locally()
        )
        return [rung for rung in methods if rung is not Rung.LOCAL_SEARCH or can_walk]
