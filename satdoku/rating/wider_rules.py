"""What rules about several cells exclude, where it is known which of the cells differ.

A solver fills the cells of a rule, or of several together, until each candidate is part of a way to
do so or excluded (`explaining/techniques/wider.py`); it gets as long as it takes, so that no
answer depends on how hard a question was. Explanations tell steps of the same truths.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.prover import WrongStepError, adds_up
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.wider import (
    ScopeSolver,
    TruthScope,
    is_small,
    pairs_of,
    with_units,
)
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.further import TOGETHER
from satdoku.solving.limits import Budget


class WiderRules:
    """The wider rules of a puzzle on a position, which only ever loses candidates."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        board = build_board(puzzle, budget)
        for truth in board.wider:
            # What a rating rests on is proved as steps are.
            if truth.implied is not None and not adds_up(puzzle, truth.implied):
                raise WrongStepError(f"a sum does not add up: {truth.implied.total.sentence}")
        self._size = puzzle.geometry.size
        self._position = Position(board)
        self._solver = ScopeSolver(self._position, budget, patience=None)
        self._alone = [TruthScope((truth,)) for truth in board.wider if truth.members]
        self._units = list(with_units(board))
        self._pairs = [TruthScope(pair) for pair in pairs_of(board)]

    def find(self, left: Sequence[int], steps: int) -> set[int]:
        """What is excluded of the candidates that are left of the puzzle.

        A call finds some of it. Whoever wants all of it calls again until nothing is found.
        """
        self._lead_on(left)
        position, before = self._position, self._position.left
        self._exclude(self._alone)
        if position.left == before and steps >= TOGETHER:
            small = [pair for pair in self._pairs if is_small(position, pair)]
            self._exclude([*self._units, *small], at_most=1)
        gone = (position.board.placements[n] for n in candidates_of(before & ~position.left))
        return {self._candidate(each) for each in gone}.intersection(left)

    def close(self) -> None:
        self._solver.close()

    def _exclude(self, scopes: Iterable[TruthScope], at_most: int | None = None) -> None:
        """Excludes what scopes do, small ones first, until `at_most` have excluded something."""
        position = self._position
        for scope in sorted(scopes, key=lambda s: (s.members & position.left).bit_count()):
            excluded = self._solver.excluded(scope) or self._solver.excluded(scope, True)
            if excluded:
                excludes = tuple(candidates_of(excluded))
                position.apply(Finding(Technique.TOGETHER, scope.truths, excludes=excludes))
                if at_most is not None:
                    at_most -= 1
            if at_most == 0:
                return

    def _lead_on(self, left: Sequence[int]) -> None:
        """Takes over which candidates are gone since the last time, and which cells are settled."""
        position = self._position
        number_of = position.board.number_of
        here = {n: self._candidate(placement) for placement, n in number_of.items()}
        known = set(left)
        gone = mask_of(n for n, candidate in here.items() if candidate not in known)
        excludes = tuple(candidates_of(gone & position.left))
        position.apply(Finding(Technique.TOGETHER, (), excludes=excludes))
        in_cell = Counter(candidate // self._size for candidate in left)
        for n, candidate in here.items():
            is_placed = (position.placed | position.board.givens) >> n & 1
            if candidate in known and in_cell[candidate // self._size] == 1 and not is_placed:
                position.apply(Finding(Technique.NAKED_SINGLE, (), n))

    def _candidate(self, placement: Placement) -> int:
        """The number of a candidate among those of all cells."""
        return placement.cell * self._size + placement.digit - 1
