"""Puzzles with several solutions: how they differ, and the fewest digits that leave one."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Board
from satdoku.explaining.prover import SOLVER, Asker
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.value import value
from satdoku.solving.assumptions import Bound, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.session import Closable, Session
from satdoku.solving.solvers import find_solver

# Conflict limit of the search for the fewest clues. On nearly empty boards they cannot be proven:
# after seconds the bounds hardly move. A limit in conflicts gives the same answer on every machine.
_MOST_CONFLICTS_FOR_CLUES = 100_000

# If there are more solutions than this, or listing them takes more conflicts, they are compared
# with the first one only. To list and compare 100 takes a fifth of a second on 9x9.
_MOST_LISTED = 100
_MOST_CONFLICTS_TO_LIST = 10_000


@value(frozen=True)
class OtherSolution:
    """A solution, `grid`, that differs from another one in some cells.

    If `is_proven`, none differs from `one` in fewer cells (or in more, if the farthest was
    requested). If `is_of_all`, that holds for any two solutions.
    """

    one: Grid
    grid: Grid
    cells: tuple[int, ...]
    is_proven: bool
    is_of_all: bool = False


@value(frozen=True)
class Clues:
    """Cells that exclude all other solutions when filled as in this one.

    `at_least` is a lower bound on the number of cells; if `is_proven`, there is no smaller set. If
    `is_of_all`, both are true whichever solution the cells leave, otherwise only for this one.
    """

    solution: Grid
    cells: tuple[int, ...]
    at_least: int
    is_proven: bool
    is_of_all: bool = False


class Comparison(NamedTuple):
    """How the solutions of a puzzle differ; None for what a limit left unknown."""

    nearest: OtherSolution | None = None
    farthest: OtherSolution | None = None
    clues: Clues | None = None


def compare_solutions(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> Comparison:
    """Compare all solutions with each other, or if there are too many, with the first one."""
    listed = list_solutions(board, first, budget, watch)
    if not listed:
        nearest = find_nearest(board, first, budget, watch)
        farthest = find_farthest(board, first, budget, watch)
        return Comparison(nearest, farthest, find_fewest_clues(board, first, budget, watch))
    pairs = [(len(one.differences(other)), one, other) for one, other in combinations(listed, 2)]
    nearest, farthest = (
        OtherSolution(one, other, one.differences(other), is_proven=True, is_of_all=True)
        for _, one, other in (extreme(pairs, key=itemgetter(0)) for extreme in (min, max))
    )
    return Comparison(nearest, farthest, find_clues_among(listed, budget, watch))


def list_solutions(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> list[Grid]:
    """Return all solutions, beginning with the first; empty if there are too many to list."""
    listed = [first]
    try:
        with budget.part(_MOST_CONFLICTS_TO_LIST) as own, Asker(board, own) as asker:
            while len(listed) <= _MOST_LISTED:
                literals = asker.literals_of(listed[-1]).values()
                asker.session.add_clause([-literal for literal in literals])
                found = asker.solution()
                if found is None:
                    return listed
                listed.append(found)
                watch(f"{len(listed)} solutions are listed")
    except LimitReachedError:
        pass
    return []


def find_clues_among(
    solutions: Sequence[Grid], budget: Budget, watch: Watch = unwatched
) -> Clues | None:
    """Return the fewest digits that only one of these solutions has; None at an early limit.

    A set of cells leaves a solution if it has one of the cells in which each other one differs. So
    a solver is asked for a solution and such a set, with one cell more each time. The first
    solution is preferred.
    """
    first, *others = solutions
    cells = sorted({cell for other in others for cell in first.differences(other)})
    try:
        with _ClueFormula(solutions, cells) as formula:
            at_least = 1
            while (found := formula.choose(at_least, budget)) is None:
                at_least += 1
                watch(f"the fewest clues are {at_least} or more")
    except LimitReachedError:
        return None
    chosen, kept = found
    return Clues(chosen, kept, at_least, is_proven=True, is_of_all=True)


class _ClueFormula(Closable):
    """A solver for the choice of a solution, and of cells that leave it alone."""

    def __init__(self, solutions: Sequence[Grid], cells: Sequence[int]) -> None:
        self._solutions, self._cells = solutions, cells
        self._session = Session(find_solver(SOLVER), with_assumptions=True)
        number_of = {cell: number for number, cell in enumerate(cells, 1)}
        self._first = len(cells) + 1
        self._session.add_clause([*range(self._first, self._first + len(solutions))])
        for (place, one), (other_place, other) in combinations(enumerate(solutions), 2):
            differing = [number_of[cell] for cell in one.differences(other)]
            self._session.add_clause([-(self._first + place), *differing])
            self._session.add_clause([-(self._first + other_place), *differing])
        highest = self._first + len(solutions) - 1
        self._bound = Bound(self._session, range(1, self._first), len(cells), highest)

    def choose(self, most: int, budget: Budget) -> tuple[Grid, tuple[int, ...]] | None:
        """Return a solution, and up to `most` cells in which no other one has its digits."""
        bound = self._bound.at_most(most)
        for preferred in ([self._first], []):
            status = self._session.solve(budget, assumptions=[*bound, *preferred])
            if status is Status.SATISFIABLE:
                held = [literal for literal in self._session.model() if literal > 0]
                chosen = next(literal for literal in held if literal >= self._first)
                kept = [self._cells[number - 1] for number in held if number < self._first]
                return self._solutions[chosen - self._first], tuple(kept)
        return None

    def close(self) -> None:
        self._session.close()


def find_nearest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """Return the solution that differs least from the first; None if a limit is reached first."""
    return _find_extreme(board, first, budget, watch, sign=-1)


def find_farthest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """Return the solution that differs most from the first; None if a limit is reached first."""
    return _find_extreme(board, first, budget, watch, sign=1)


def _find_extreme(
    board: Board, first: Grid, budget: Budget, watch: Watch, sign: int
) -> OtherSolution | None:
    """Return the solution that differs in the fewest cells (`sign` -1), or in the most (1).

    The literals of the first solution, times `sign`, hold in the cells that differ, or in those
    that are equal; the search minimises how many hold. Each solution found gives the bound of the
    next query, until a query has none.
    """
    best: Grid | None = None
    is_proven = False
    try:
        with Asker(board, budget) as asker:
            same = asker.literals_of(first)
            other = asker.require_other_than(same.values())
            unwanted = [sign * literal for literal in same.values()]
            # With hints, the first answers are close to optimal, and few bounds have to be tried.
            asker.session.suggest([-literal for literal in unwanted])
            best = asker.solution([other])
            bound: Bound | None = None
            words = "the nearest" if sign < 0 else "the farthest"
            while best is not None and (count := _count(first, best, same, sign)):
                watch(f"{words} so far differs in {len(first.differences(best))} cells")
                # The counter is built for the first bound; it supports later ones, which are lower.
                if bound is None:
                    bound = asker.bound(unwanted, count)
                found = asker.solution([other, *bound.at_most(count - 1)])
                if found is None:
                    break
                best = found
            is_proven = True
    except LimitReachedError:
        pass
    if best is None:
        return None
    return OtherSolution(first, best, first.differences(best), is_proven)


def _count(first: Grid, other: Grid, same: dict[int, int], sign: int) -> int:
    differing = len(first.differences(other))
    return differing if sign < 0 else len(same) - differing


def find_fewest_clues(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> Clues | None:
    """Return the fewest digits of `first` that exclude all other solutions; None at an early limit.

    Each other solution differs in some cells, and one of these must be a clue. So the clues are a
    smallest hitting set of all these differences, which are found on demand (implicit hitting
    sets). At the conflict limit, the best set found is returned unproven.
    """
    search = _ClueSearch(first, watch)
    is_proven = False
    try:
        with budget.part(_MOST_CONFLICTS_FOR_CLUES) as own, Asker(board, own) as asker:
            is_proven = search.run(asker, own)
    except LimitReachedError:
        pass
    if search.best is None:
        return None
    # Without any given more there are several solutions, so one given is the fewest for all.
    is_of_all = len(search.best) == 1
    return Clues(first, tuple(sorted(search.best)), search.at_least, is_proven, is_of_all)


class _ClueSearch:
    """The search for the fewest clues: an upper and a lower bound, until they meet."""

    def __init__(self, first: Grid, watch: Watch) -> None:
        self._first = first
        self._watch = watch
        self._differences = Counter[int]()
        self.best: list[int] | None = None
        self.at_least = 0

    def run(self, asker: Asker, budget: Budget) -> bool:
        same = asker.literals_of(self._first)
        other = asker.require_other_than(same.values())
        cells = list(same)
        # Suggest the first solution: similar solutions differ in few cells, which makes stronger
        # sets.
        asker.session.suggest(list(same.values()))
        with SmallestHittingSets(len(cells), budget) as hitting:
            while True:
                chosen = hitting.smallest()
                self.at_least = hitting.at_least
                clues = [cells[place] for place in chosen or ()]
                if self.best is not None and self.at_least == len(self.best):
                    return True
                clues = self._complete(asker, same, other, clues, hitting, cells)
                if self.best is None or len(clues) < len(self.best):
                    self.best = clues
                self._watch(f"the fewest clues are {self.at_least} to {len(self.best)}")
                if len(clues) == self.at_least:
                    return True

    def _complete(
        self,
        asker: Asker,
        same: dict[int, int],
        other: int,
        clues: list[int],
        hitting: SmallestHittingSets,
        cells: Sequence[int],
    ) -> list[int]:
        """Extend these clues until they leave no other solution; record each difference."""
        place_of = {cell: place for place, cell in enumerate(cells)}
        clues = list(clues)
        while (found := asker.solution([other, *(same[cell] for cell in clues)])) is not None:
            difference = self._shrink(asker, same, other, found)
            hitting.add([place_of[cell] for cell in difference])
            self._differences.update(difference)
            # The cell in the most differences so far.
            clues.append(min(difference, key=lambda cell: (-self._differences[cell], cell)))

        def settles(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [same[clue] for clue in clues if clue in rest]
            return None if asker.has_solution([other, *kept]) else rest

        # Try to remove the last clues first: the first ones are a smallest hitting set, without
        # redundant cells.
        return shrink(reversed(clues), settles)

    def _shrink(self, asker: Asker, same: dict[int, int], other: int, found: Grid) -> list[int]:
        """Shrink the difference between `found` and the first solution to a minimal one."""

        def differs(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [literal for cell, literal in same.items() if cell not in rest]
            smaller = asker.solution([other, *kept])
            return None if smaller is None else self._first.differences(smaller)

        return shrink(reversed(self._first.differences(found)), differs)
