"""Boards above 25x25: several methods in turn, the cheapest first.

Many of these boards are easy for the solver that is best on small ones, so that begins, as it does
there. Where it does not get through, each of the others decides boards that stop all the rest:

- pruning decides boards with one solution, or none, where that follows from counting digits and
  places, which solvers do not see;
- local search finds a solution of boards with thousands of them, where solvers get lost;
- CaDiCaL in its stable mode finds one where local search gets stuck;
- gluecard4 is the best of them in proving that there is no other solution.

Each works for a while; after the last they begin again, for twice as long. How long is counted in
moves and conflicts, not seconds, so that a board gets the same answer whenever it is asked. Where
there is a second core, CaDiCaL works while local search does; what it says still comes second.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from satdoku.encoding.choices import Status
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large.contender import Reply
from satdoku.solving.large.rungs import USUAL_TURNS, Rung, Rungs, TurnLengths
from satdoku.solving.limits import Budget, Watch, unwatched
from satdoku.solving.session import Closable
from satdoku.solving.solvers import AUTOMATIC, LOCAL_SEARCH, STABLE_CADICAL, Settings

Turn = tuple[Rung, Callable[[], Reply]]

METHODS = {
    AUTOMATIC: (Rung.LOCAL_SEARCH, Rung.STABLE_CADICAL, Rung.PROVER),
    # These two race in a portfolio, each on its own core.
    LOCAL_SEARCH: (Rung.LOCAL_SEARCH, Rung.PROVER),
    STABLE_CADICAL: (Rung.STABLE_CADICAL, Rung.PROVER),
}
"""The rungs after the first solver and pruning, for each name of a ladder."""


class Ladder(Closable):
    """The solutions of a large board one after the other, each by the first rung that finds it."""

    def __init__(
        self,
        puzzle: Puzzle,
        settings: Settings,
        budget: Budget,
        watch: Watch = unwatched,
        pace: TurnLengths = USUAL_TURNS,
    ) -> None:
        """`watch` is called with the name of each rung whose turn begins."""
        self.puzzle = puzzle
        self._deciders: list[str] = []
        self._settings = settings
        self._watch = watch
        self._known: list[Grid] = []
        self._is_finished = False
        self._rungs = Rungs(puzzle, budget, settings.seed, pace)

    @property
    def method(self) -> str:
        """Which rungs gave answers so far, in their order; often one finds the first solution, and
        another shows whether there is a second.
        """
        return ", ".join(dict.fromkeys(self._deciders))

    def next_solution(self) -> Grid | None:
        """A solution that was not returned before, or None when there is no other.

        Raises LimitReachedError when the budget ends before either is known.
        """
        if self._is_finished:
            return None
        reply = self._climb()
        if reply.solution is None:
            self._is_finished = True
            return None
        require_solution(reply.solution, self.puzzle)
        self._known.append(reply.solution)
        # A full grid has nothing that could differ.
        self._is_finished = EMPTY not in self.puzzle.grid.digits
        return reply.solution

    def counters(self) -> dict[str, int]:
        """What solvers counted so far, and the moves of local search."""
        return self._rungs.counters()

    def __iter__(self) -> Iterator[Grid]:
        while (solution := self.next_solution()) is not None:
            yield solution

    def close(self) -> None:
        self._rungs.close()

    def _climb(self) -> Reply:
        """The first answer that is not UNKNOWN."""
        for rung, work in self._turns():
            self._watch(rung.value)
            reply = work()
            if reply.status is not Status.UNKNOWN:
                self._deciders.append(rung.value)
                return reply
        raise AssertionError("turns do not end")

    def _turns(self) -> Iterator[Turn]:
        """The rungs in the order in which they try to answer one question."""
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
        """The rungs that take turns where the first ones have not decided a board."""
        methods = METHODS[self._settings.solver]
        if self._settings.limits.conflicts is not None:
            # The first solver is the only one that stops exactly at a number of conflicts.
            methods = (Rung.LOCAL_SEARCH, Rung.FIRST_SOLVER)
        # Local search finds what it found before as likely as anything else.
        # It knows units and pairs only.
        can_walk = (
            not self._known
            and not self.puzzle.constraints.wider
            and self._rungs.can_search_locally()
        )
        return [rung for rung in methods if rung is not Rung.LOCAL_SEARCH or can_walk]
