"""The last resort where cages, arrows and the like take part: what a solver finds out alone.

Cases are told along candidates, of which such truths say too little. So where no other technique
leads on, a solver is asked about a candidate with all truths, and names those that exclude it.
"""

from collections.abc import Sequence

from satdoku.encoding.files.status import Status
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import SOLVER, Formula
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.limits import Budget

# Among so many candidates that can be excluded, the one with the fewest truths is taken: more take
# longer and find hardly fewer.
_TRIED = 12


class WiderSearch:
    """Looks for a candidate that all truths together exclude, and for few of them that do."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        board = position.board
        truths = (*board.truths, *board.wider)
        self._formula = Formula(board, SOLVER, truths, budget)
        self._truth_of = {self._formula.selector(truth): truth for truth in truths}
        # Candidates that some solution has are not asked about again.
        self._possible = 0

    def find(self) -> Finding | None:
        """The exclusion that rests on the fewest truths among those that are found first."""
        position = self._position
        left = position.left & ~position.placed & ~position.board.givens
        found: list[tuple[int, int, tuple[Truth, ...]]] = []
        for candidate in candidates_of(left & ~self._possible):
            if not self._possible >> candidate & 1:
                truths = self._excluding(candidate)
                if truths:
                    found.append((len(truths), candidate, truths))
            if len(found) == _TRIED:
                break
        if not found:
            return None
        _, candidate, truths = min(found, key=lambda each: each[:2])
        return Finding(Technique.SEARCH, self._fewer(candidate, truths), excludes=(candidate,))

    def close(self) -> None:
        self._formula.close()

    def _excluding(self, candidate: int) -> tuple[Truth, ...]:
        """Truths that exclude a candidate, in the order of the board; none where it may hold."""
        if not self._is_excluded(candidate, list(self._truth_of)):
            self._possible |= mask_of(n for n in self._formula.session.model() if n > 0)
            return ()
        core = set(self._formula.session.core())
        return tuple(truth for selector, truth in self._truth_of.items() if selector in core)

    def _fewer(self, candidate: int, truths: Sequence[Truth]) -> tuple[Truth, ...]:
        """The truths without those that are not needed."""
        needed = list(truths)
        for truth in truths:
            others = [each for each in needed if each is not truth]
            if self._is_excluded(candidate, list(map(self._formula.selector, others))):
                needed = others
        return tuple(needed)

    def _is_excluded(self, candidate: int, selectors: Sequence[int]) -> bool:
        position = self._position
        gone = position.board.every_candidate & ~position.left
        placed = position.placed | position.board.givens
        facts = [-each for each in candidates_of(gone & ~placed)] + candidates_of(placed)
        status = self._formula.session.solve(
            self._budget, assumptions=[*facts, *selectors, candidate]
        )
        return status is Status.UNSATISFIABLE
