"""What a few truths exclude together, found out exactly: cages with cages, a line with its row.

A *scope* is some truths that are looked at together, with the links between their candidates. A
solver fills them in some way that the links allow, again and again, until each candidate is either
part of a way to fill them, or excluded. The ways are kept: as long as nothing has gone of one, it
still shows what it showed. So after a step only few questions are asked again.
"""

from collections.abc import Sequence

from satdoku.encoding.files.status import Status
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import SOLVER, Formula
from satdoku.explaining.position import Position
from satdoku.solving.limits import Budget

# A question about a few truths takes a handful of conflicts. Where it takes more than this, as for
# sums of nine cells and more, nobody could follow the answer.
_PATIENCE = 200

# What a question costs of a budget, compared with looking at a truth.
_QUESTION = 50


class Scope:
    """Some truths, the ways to fill them that are known, and what was left when nothing went.

    What they exclude is looked for within them, or beyond them: in what their members exclude.
    """

    def __init__(self, truths: Sequence[Truth]) -> None:
        self.truths = tuple(truths)
        self.members = 0
        for truth in truths:
            self.members |= truth.members
        self.ways: list[int] = []
        self.looked_at = {False: 0, True: 0}


class ScopeSolver:
    """A solver with the links of a board, that is told what goes as a position is led on."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._formula = Formula(position.board, SOLVER)
        self._known = 0

    def excluded(self, scope: Scope, is_beyond: bool = False) -> int:
        """What no way to fill a scope goes together with, within it or beyond it, as a mask."""
        position = self._position
        left = position.left
        here = scope.members & left
        if scope.looked_at[is_beyond] == here:
            return 0
        self._learn()
        holding = position.placed | position.board.givens
        asked = here & ~holding
        if is_beyond:
            # Links lead to all that could be excluded.
            near = 0
            for candidate in candidates_of(asked):
                near |= position.board.links[candidate]
            asked = near & left & ~holding & ~here
        scope.ways = [way for way in scope.ways if not way & ~(left | holding)]
        for way in scope.ways:
            asked &= ~self._fitting(way)
        excluded = self._ask(scope, asked)
        if not excluded:
            scope.looked_at[is_beyond] = here
        return excluded

    def is_broken(self, truth: Truth) -> bool:
        """Whether a truth cannot hold with what is left, as is seen at once."""
        self._learn()
        return self._formula.session.propagate([self._formula.selector(truth)]) is None

    def close(self) -> None:
        self._formula.close()

    def _learn(self) -> None:
        """Tells the solver what has gone or was placed since it was told last."""
        position = self._position
        gone = position.board.every_candidate & ~position.left
        settled = (gone | position.placed) & ~self._known
        if settled:
            self._known |= settled
            for candidate in candidates_of(settled):
                is_placed = position.placed >> candidate & 1
                self._formula.session.add_clause([candidate if is_placed else -candidate])

    def _ask(self, scope: Scope, asked: int) -> int:
        """Those of some candidates that are part of no way to fill a scope."""
        selectors = list(map(self._formula.selector, scope.truths))
        excluded = 0
        while asked:
            lowest = asked & -asked
            asked ^= lowest
            answer = self._answer(selectors, lowest.bit_length() - 1)
            if answer is _NO:
                excluded |= lowest
            elif answer is Status.SATISFIABLE:
                model = self._formula.session.model()
                way = sum(1 << c for c in candidates_of(scope.members) if model[c - 1] > 0)
                scope.ways.append(way)
                asked &= ~self._fitting(way)
        return excluded

    def _answer(self, selectors: Sequence[int], candidate: int) -> Status:
        self._budget.work(_QUESTION)
        return self._formula.session.solve(self._budget, _PATIENCE, [*selectors, candidate])

    def _fitting(self, way: int) -> int:
        """The candidates that nothing of a way to fill a scope excludes."""
        links, excluded = self._position.board.links, 0
        for candidate in candidates_of(way):
            excluded |= links[candidate]
        return ~excluded


_NO = Status.UNSATISFIABLE
