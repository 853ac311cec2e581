"""Puzzles with several solutions: how they differ, and the fewest digits that leave one."""

from collections import Counter
from collections.abc import Sequence

from satdoku.explaining.board import Board
from satdoku.explaining.prover import Asker
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.value import value
from satdoku.solving.assumptions import Bound, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched

# Conflict limit of the search for the fewest clues. On nearly empty boards they cannot be proven:
# after seconds the bounds hardly move. A limit in conflicts gives the same answer on every machine.
_MOST_CONFLICTS_FOR_CLUES = 100_000


@value(frozen=True)
class OtherSolution:
    """A solution that differs from the first in some cells.

    If `is_proven`, none differs in fewer cells (or in more, if the farthest was requested).
    """

    grid: Grid
    cells: tuple[int, ...]
    is_proven: bool


@value(frozen=True)
class Clues:
    """Cells that exclude all other solutions when filled as in the first one.

    `at_least` is a lower bound on the number of cells; if `is_proven`, there is no smaller set.
    """

    cells: tuple[int, ...]
    at_least: int
    is_proven: bool


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
    return None if best is None else OtherSolution(best, first.differences(best), is_proven)


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
    return Clues(tuple(sorted(search.best)), search.at_least, is_proven)


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
