"""The last resort where cages, arrows and the like take part: what a solver finds out alone.

Cases are told along candidates, of which such truths say too little. So where no other technique
leads on, a solver is asked about candidates with all truths, and names those that exclude one.
"""

from collections.abc import Mapping, Sequence

from satdoku.encoding.choices import Status
from satdoku.explaining.board import candidates_of
from satdoku.explaining.formula import Asker, BoardFormula
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.assumptions.hitting_sets import shrink
from satdoku.solving.limits import Budget

# It learns most from question to question of the solvers tried, and takes the links as they are.
SOLVER = "gluecard4"

# How many conflicts a question may take: first all candidates are asked about that are excluded
# soon, since what they leave makes the others easier. A hard question costs as much as all these.
_PATIENCE = (1, 20, 200, 2000, None)

# Among so many candidates that can be excluded, the one with the fewest truths is taken: more take
# longer and find hardly fewer.
_TRIED = 12

# A core of more truths than this is not made smaller one by one: nobody could follow it anyway.
_LARGE = 60


class WiderSearch:
    """Looks for a candidate that all truths together exclude, and for few of them that do.

    `possible` are candidates known to stand in some solution.
    """

    def __init__(self, position: Position, budget: Budget, possible: int = 0) -> None:
        self._position = position
        self._budget = budget
        board = position.board
        truths = (*board.truths, *board.wider)
        self._formula = BoardFormula(board, SOLVER, truths, budget)
        self._truth_of = {self._formula.selector(truth): truth for truth in truths}
        # To assume a hundred truths takes ten times as long as to ask where all of them hold. So
        # that is asked first, and which of them are needed only where the answer is no.
        self._whole = Asker(board, budget, SOLVER)
        self._possible = possible
        # The place in the list of patiences that the last question came to.
        self._reached = 0

    def find(self) -> Finding | None:
        """What the fewest truths exclude, among what is found with the fewest conflicts."""
        self._formula.learn(self._position.left, self._position.placed)
        self._whole.learn(self._position.left, self._position.placed)
        # What takes long once is seldom followed by what is found at once.
        first = max(0, self._reached - 1)
        for self._reached in range(first, len(_PATIENCE)):
            patience = _PATIENCE[self._reached]
            found = self._excluded(patience)
            if found:
                return self._finding(found, patience)
        return None

    def _finding(self, found: Mapping[int, list[int]], patience: int | None) -> Finding:
        """The exclusions that the smallest of some cores allows."""
        size, candidate = min((len(core), each) for each, core in found.items())
        core = found[candidate]
        if size <= _LARGE:
            core = shrink(core, lambda rest, _: self._core(candidate, rest, patience))
        also = {each for each in found if self._core(each, core, patience) is not None}
        truths = tuple(self._truth_of[selector] for selector in core)
        return Finding(Technique.SEARCH, truths, excludes=tuple(sorted({candidate, *also})))

    def close(self) -> None:
        self._formula.close()
        self._whole.close()

    def _excluded(self, patience: int | None) -> dict[int, list[int]]:
        """Candidates that are excluded within so many conflicts, each with the selectors needed."""
        position = self._position
        found: dict[int, list[int]] = {}
        for candidate in candidates_of(position.left & ~position.placed & ~position.board.givens):
            if not self._possible >> candidate & 1 and self._is_excluded(candidate, patience):
                core = self._core(candidate, list(self._truth_of), None)
                assert core is not None, "all truths exclude it"
                found[candidate] = core
            if len(found) == _TRIED:
                break
        return found

    def _is_excluded(self, candidate: int, patience: int | None) -> bool:
        """Whether all truths exclude a candidate, found out within so many conflicts."""
        session = self._whole.session
        status = session.solve(self._budget, patience, [candidate])
        if status is Status.SATISFIABLE:
            # What some solution has is not asked about again.
            self._possible |= mask_of(self._whole.placed())
        return status is Status.UNSATISFIABLE

    def _core(
        self, candidate: int, selectors: Sequence[int], patience: int | None
    ) -> list[int] | None:
        """Those of some truths that exclude a candidate; None where that is not found out."""
        session = self._formula.session
        if session.solve(self._budget, patience, [*selectors, candidate]) is Status.UNSATISFIABLE:
            named = set(session.core())
            return [selector for selector in selectors if selector in named]
        return None
