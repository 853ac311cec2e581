"""The smallest set of givens that clash: which of them are enough to exclude every grid."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError
from satdoku.explaining.asking import Asker
from satdoku.explaining.board import build_board
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions.hitting_sets import SmallestHittingSets
from satdoku.solving.assumptions.shrink import shrink
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched


class SmallestClash(NamedTuple):
    """Cells whose givens have no solution together, while any of them may go.

    When `is_proven`, no smaller set clashes; else every one has `at_least` so many givens.
    """

    cells: tuple[int, ...]
    is_proven: bool
    at_least: int


def find_smallest_clash(
    puzzle: Puzzle, budget: Budget, watch: Watch = unwatched
) -> SmallestClash | None:
    """The fewest givens that exclude every grid; None where the limit comes before any set.

    The puzzle must have no solution. Sets of givens are found with a solver, and the choice among
    them is a smallest hitting set: of all that must be dropped to get a solution, each clashing set
    keeps one.
    """
    direct = [clash.cells for clash in find_clashes(puzzle)]
    if direct:
        return SmallestClash(min(direct, key=lambda c: (len(c), c)), True, min(map(len, direct)))
    cells = sorted(puzzle.givens)
    best: list[int] | None = None
    at_least = 1
    try:
        board = build_board(puzzle.with_grid(Grid.empty(puzzle.geometry)), budget)
        with Asker(board, budget) as asker:
            givens = _Givens(asker, puzzle, cells)
            best = givens.minimal()
            with SmallestHittingSets(len(cells), budget) as hitting:
                while at_least < len(best):
                    chosen = hitting.smallest()
                    at_least = hitting.at_least
                    watch(f"the smallest clash has {at_least} to {len(best)} givens")
                    if chosen is None:
                        break
                    # No smaller set has a given of everything that must be dropped to get a
                    # solution. So if this one clashes, it is the smallest.
                    if not givens.have_solution(chosen):
                        best = chosen
                        break
                    hitting.add(givens.to_drop(chosen))
    except LimitReachedError:
        if best is None:
            return None
        return SmallestClash(tuple(cells[n] for n in best), False, at_least)
    return SmallestClash(tuple(cells[n] for n in best), True, len(best))


class _Givens:
    """The givens of a puzzle by their places in a list, as assumptions about an empty board."""

    def __init__(self, asker: Asker, puzzle: Puzzle, cells: Sequence[int]) -> None:
        self._asker = asker
        self._literals = [
            asker.board.number_of[Placement(cell, puzzle.grid.digits[cell])] for cell in cells
        ]
        self._place_of = {literal: place for place, literal in enumerate(self._literals)}

    def have_solution(self, places: Sequence[int]) -> bool:
        return self._asker.has_solution([self._literals[place] for place in places])

    def minimal(self) -> list[int]:
        """Givens that clash while none of them is dropped; not the fewest, but found at once."""
        if self.have_solution(range(len(self._literals))):
            raise SatdokuError("the puzzle has a solution, so its givens do not clash")

        def clash(rest: Sequence[int], _: int) -> Sequence[int] | None:
            return None if self.have_solution(rest) else self._core()

        # The solver names givens that are enough to clash, mostly far fewer than all.
        return sorted(shrink(self._core(), clash))

    def to_drop(self, kept: Sequence[int]) -> list[int]:
        """Givens that have to go, all of them, so that a solution keeps the others.

        The last question was about `kept`, and had a solution.
        """
        keep = self._kept_by_model()

        def may_stay(_: Sequence[int], place: int) -> Sequence[int] | None:
            if not self.have_solution([*sorted(keep), place]):
                return None
            keep.update(self._kept_by_model())
            return self._all_but(keep)

        return shrink(reversed(self._all_but(keep)), may_stay)

    def _all_but(self, keep: set[int]) -> list[int]:
        return [place for place in range(len(self._literals)) if place not in keep]

    def _core(self) -> list[int]:
        return sorted(self._place_of[literal] for literal in self._asker.session.core())

    def _kept_by_model(self) -> set[int]:
        model = set(self._asker.session.model())
        return {place for literal, place in self._place_of.items() if literal in model}
