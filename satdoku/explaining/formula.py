"""A board inside a solver: the links always hold, and truths where a question assumes them."""

from collections.abc import Iterable, Sequence

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import Can, find_solver


class Formula:
    """A session with the links of a board, and each of its truths behind a selector.

    A selector is a variable that is assumed where its truth is to hold. Candidates are variables
    by their own numbers. The solver gets to know `truths` at the start, others when their selectors
    are asked for first.
    """

    def __init__(
        self, board: Board, solver: str, truths: Iterable[Truth] = (), budget: Budget | None = None
    ) -> None:
        budget = budget or Budget()
        info = find_solver(solver)
        self.board = board
        self.session = Session(info, with_assumptions=True)
        self.highest = len(board.placements) - 1 + len(board.truths)
        self._first = len(board.placements)
        self._known: set[int] = set()
        for truth in truths:
            self.selector(truth)
        # Most boards are small: what is done for each group is half of the time to load one.
        add_at_most_one = self.session.add_at_most_one
        is_native = Can.NATIVE in info.can
        for group in board.groups:
            if is_native:
                add_at_most_one(group)
            else:
                # A clause for each pair: on 16x16 that takes longer than anybody waits for an end.
                budget.work(len(group) * len(group))
                self.session.add_clauses(_pairs(group))
        for first, second in board.pairs:
            self.session.add_clause([-first, -second])
        for given in candidates_of(board.givens):
            self.session.add_clause([given])

    def selector(self, truth: Truth) -> int:
        """The variable that makes a truth hold."""
        selector = self._first + truth.number
        if selector not in self._known:
            self._known.add(selector)
            self.session.add_clause([*truth.listed, -selector])
        return selector

    def truths_of(self, literals: Iterable[int]) -> list[Truth]:
        """The truths whose selectors are among some literals, in the order of the board."""
        return [
            self.board.truths[literal - self._first]
            for literal in sorted(literals)
            if literal >= self._first
        ]

    def close(self) -> None:
        self.session.close()


def _pairs(group: Sequence[int]) -> list[list[int]]:
    return [[-one, -other] for n, one in enumerate(group) for other in group[:n]]
