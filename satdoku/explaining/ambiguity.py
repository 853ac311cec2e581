"""What is left open by a puzzle with several solutions, and the fewest clues that settle it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from satdoku.explaining.board import Board
from satdoku.explaining.formula import Asker
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.hitting_sets import Bound, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched

# On nearly empty boards nobody can prove the fewest clues: after seconds the bounds hardly move any
# more. Counted in conflicts, the answer is the same on every machine.
_MOST_CONFLICTS_FOR_CLUES = 100_000


@dataclass(frozen=True)
class OtherSolution:
    """A solution that differs from the first in some cells.

    When `is_proven`, no solution is nearer, or farther, whichever was asked for.
    """

    grid: Grid
    cells: tuple[int, ...]
    is_proven: bool


@dataclass(frozen=True)
class Clues:
    """Cells that, filled as in the first solution, leave no other.

    At least `at_least` cells are needed for that; when `is_proven`, there is no smaller set.
    """

    cells: tuple[int, ...]
    at_least: int
    is_proven: bool


def find_nearest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """The solution that differs from the first in the fewest cells; None at an early limit."""
    return _find_extreme(board, first, budget, watch, sign=-1)


def find_farthest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """The solution that differs from the first in the most cells; None at an early limit."""
    return _find_extreme(board, first, budget, watch, sign=1)


def _find_extreme(
    board: Board, first: Grid, budget: Budget, watch: Watch, sign: int
) -> OtherSolution | None:
    """The solution that differs from the first in the fewest cells (`sign` -1), or in the most (1).

    The literals of the first solution times `sign` stand for the cells that differ, or for those
    that are equal; as few as can be are to hold. Every solution found sets the bound for the next
    question, until there is none.
    """
    best: Grid | None = None
    is_proven = False
    try:
        with Asker(board, budget) as asker:
            same = asker.literals_of(first)
            other = asker.require_other_than(same.values())
            unwanted = [sign * literal for literal in same.values()]
            # So the first answers are near to what is looked for, and few bounds have to be tried.
            asker.session.suggest([-literal for literal in unwanted])
            best = asker.solution([other])
            bound: Bound | None = None
            words = "the nearest" if sign < 0 else "the farthest"
            while best is not None and (count := _count(first, best, same, sign)):
                watch(f"{words} so far differs in {len(first.differences(best))} cells")
                # Made for the first bound: all that follow are lower, and it has them too.
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
    """The fewest digits of a solution that exclude all others; None at an early limit.

    Each other solution differs in some cells, of which one must be among the clues. So the clues
    are a smallest hitting set of all such differences, which are found as they are needed. That
    takes only so many conflicts, after which the best found so far is not proven.
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
    """Clues from above, and a bound from below, until they meet."""

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
        # Nearly the same solutions differ in few cells, which says more.
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
        """Adds clues until no other solution is left, and every difference met to the sets."""
        place_of = {cell: place for place, cell in enumerate(cells)}
        clues = list(clues)
        while (found := asker.solution([other, *(same[cell] for cell in clues)])) is not None:
            difference = self._shrink(asker, same, other, found)
            hitting.add([place_of[cell] for cell in difference])
            self._differences.update(difference)
            # The cell that most differences met so far have in common.
            clues.append(min(difference, key=lambda cell: (-self._differences[cell], cell)))

        def settles(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [same[clue] for clue in clues if clue in rest]
            return None if asker.has_solution([other, *kept]) else rest

        # From the last one on: the first come from a smallest hitting set, in which none is idle.
        return shrink(reversed(clues), settles)

    def _shrink(self, asker: Asker, same: dict[int, int], other: int, found: Grid) -> list[int]:
        """A difference within this one that contains no smaller one."""

        def differs(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [literal for cell, literal in same.items() if cell not in rest]
            smaller = asker.solution([other, *kept])
            return None if smaller is None else self._first.differences(smaller)

        return shrink(reversed(self._first.differences(found)), differs)
