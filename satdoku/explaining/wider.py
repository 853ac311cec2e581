"""What cages, arrows and other wider truths exclude: each alone, and two of them together."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.scopes import Scope, ScopeSolver
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import Sets
from satdoku.solving.limits import Budget

# Two truths on more open cells than this have more ways to be kept than a person goes through.
_MOST_OPEN_CELLS = 12


class WiderTruths:
    """Looks for candidates that no way to keep a wider truth goes together with.

    They lie within the truth, or beyond it: where every way to fill a cage has a 1 in row 2, no
    other cell of that row has one.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._solver = ScopeSolver(position, budget)
        self._alone = [Scope((truth,)) for truth in position.board.wider if truth.members]
        self._stated = frozenset(position.board.puzzle.constraints.wider)
        self._pairs: list[Scope] | None = None

    def find(self) -> Finding | None:
        """The first truth that excludes something of its own cells.

        Small ones come first, as people look at them.
        """
        return self._find_in(self._alone, False)

    def find_beyond(self) -> Finding | None:
        """The first truth that excludes something of other cells."""
        return self._find_in(self._alone, True)

    def find_together(self) -> Finding | None:
        """The first two truths that exclude something together."""
        if self._pairs is None:
            self._pairs = [Scope(pair) for pair in _near(self._position.board)]
        small = [pair for pair in self._pairs if self._is_small(pair)]
        return self._find_in(small, False) or self._find_in(small, True)

    def find_broken(self) -> Truth | None:
        """A truth that cannot hold with the candidates that are left, seen at once."""
        broken = (each.truths[0] for each in self._alone if self._solver.is_broken(each))
        return next(broken, None)

    def _find_in(self, scopes: Sequence[Scope], is_beyond: bool) -> Finding | None:
        left = self._position.left
        for scope in sorted(scopes, key=lambda each: (each.members & left).bit_count()):
            excluded = self._solver.excluded(scope, is_beyond)
            if excluded:
                technique = self._technique(scope.truths)
                return Finding(technique, scope.truths, excludes=tuple(candidates_of(excluded)))
        return None

    def _technique(self, truths: Sequence[Truth]) -> Technique:
        if len(truths) > 1:
            return Technique.TOGETHER
        if truths[0].wider not in self._stated:
            return Technique.RULE_OF_45
        return Technique.SUM if isinstance(truths[0].wider, Sets) else Technique.BOUNDS

    def _is_small(self, scope: Scope) -> bool:
        """Whether few cells of a scope are open."""
        position = self._position
        here = scope.members & position.left & ~position.placed
        cells = {position.board.placements[candidate].cell for candidate in candidates_of(here)}
        return len(cells) <= _MOST_OPEN_CELLS


def _near(board: Board) -> Iterator[tuple[Truth, Truth]]:
    """Each two wider truths that share a cell, or of which two cells and more see each other."""
    units_of = board.puzzle.constraints.units_of
    truths = [truth for truth in board.wider if truth.wider is not None and truth.members]
    cells = {truth.number: set(truth.wider.cells) for truth in truths if truth.wider is not None}
    for one, other in combinations(truths, 2):
        here, there = cells[one.number], cells[other.number]
        units = {unit for cell in there for unit in units_of[cell]}
        seen = sum(not units.isdisjoint(units_of[cell]) for cell in here)
        if seen > 1 or not here.isdisjoint(there):
            yield one, other
