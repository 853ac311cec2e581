"""What cages, arrows and other wider truths exclude: each alone, and two of them together."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.scopes import ScopeSolver, TruthScope
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import Sets
from satdoku.solving.limits import Budget

# Two truths on more open cells than this have more ways to be kept than a person goes through.
_MOST_OPEN_CELLS = 12
_PAIR = 2

# A unit and the rules that meet it are followed through so many truths: the digits of a row, say,
# and three cages.
_MOST_TRUTHS = 12


class WiderTruths:
    """Looks for candidates that no way to keep a wider truth goes together with.

    They lie within the truth, or beyond it: where every way to fill a cage has a 1 in row 2, no
    other cell of that row has one.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._solver = ScopeSolver(position, budget)
        self._alone = [TruthScope((truth,)) for truth in position.board.wider if truth.members]
        self._stated = frozenset(position.board.puzzle.constraints.wider)
        self._pairs: list[TruthScope] | None = None
        self._units: list[TruthScope] | None = None

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
            self._pairs = [TruthScope(pair) for pair in _near(self._position.board)]
        small = [pair for pair in self._pairs if self._is_small(pair)]
        return self._find_in(small, False) or self._find_in(small, True)

    def find_in_units(self) -> Finding | None:
        """What a unit excludes with the rules that meet it, by few truths of all these."""
        if self._units is None:
            self._units = list(_with_units(self._position.board))
        return self._find_in(self._units, False)

    def find_broken(self) -> Truth | None:
        """A truth that cannot hold with the candidates that are left, seen at once."""
        broken = (each.truths[0] for each in self._alone if self._solver.is_broken(each))
        return next(broken, None)

    def close(self) -> None:
        self._solver.close()

    def _find_in(self, scopes: Sequence[TruthScope], is_beyond: bool) -> Finding | None:
        left = self._position.left
        for scope in sorted(scopes, key=lambda each: (each.members & left).bit_count()):
            excluded, truths = self._solver.excluded(scope, is_beyond), scope.truths
            if excluded:
                if len(truths) > _PAIR:
                    truths, excluded = self._solver.smallest(scope, excluded)
                if len(truths) > _MOST_TRUTHS:
                    # It is looked at again when something has gone of it.
                    scope.looked_at[is_beyond] = scope.members & left
                    continue
                excludes = tuple(candidates_of(excluded))
                return Finding(self._technique(truths), truths, excludes=excludes)
        return None

    def _technique(self, truths: Sequence[Truth]) -> Technique:
        if len(truths) > 1:
            return Technique.TOGETHER
        if truths[0].wider not in self._stated:
            return Technique.RULE_OF_45
        return Technique.SUM if isinstance(truths[0].wider, Sets) else Technique.BOUNDS

    def _is_small(self, scope: TruthScope) -> bool:
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


def _with_units(board: Board) -> Iterator[TruthScope]:
    """Each unit that has every digit, with the wider truths of which it has two cells and more."""
    constraints = board.puzzle.constraints
    for unit in constraints.units:
        cells = set(unit.cells)
        meeting = [
            truth
            for truth in board.wider
            if truth.members and truth.wider and len(cells.intersection(truth.wider.cells)) > 1
        ]
        if meeting and constraints.has_every_digit(unit):
            own = (
                t for t in board.open_truths if t.unit is unit or (not t.unit and t.cell in cells)
            )
            yield TruthScope((*meeting, *own))
