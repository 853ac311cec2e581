"""A board inside a solver: the links always hold, and truths where a question assumes them."""

from collections.abc import Iterable, Sequence

from satdoku.encoding.constraint import Clause
from satdoku.encoding.variables import Auxiliaries
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.puzzle.constraints import Wider
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
        self._first = len(board.placements)
        self._own = len(board.truths) + len(board.wider)
        self.highest = self._first - 1 + self._own
        # Truths that are not of the board, and those that are, once the solver has them.
        self._others: dict[int, int] = {}
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
        if truth.number >= self._own:
            # Behind those of the board the variables of wider truths begin.
            if truth.number not in self._others:
                self._others[truth.number] = self.fresh()
            selector = self._others[truth.number]
        if selector not in self._known:
            self._known.add(selector)
            if truth.wider is None:
                self.session.add_clause([*truth.listed, -selector])
            else:
                self.session.add_clauses(self._clauses_of(truth, truth.wider, selector))
        return selector

    def fresh(self) -> int:
        """A variable that nobody uses yet."""
        self.highest += 1
        return self.highest

    def _clauses_of(self, truth: Truth, constraint: Wider, selector: int) -> list[Clause]:
        """What a wider truth says where its selector holds, also that its cells have digits."""
        # Imported here: most puzzles have no rules that need it.
        from satdoku.encoding.wider.guarded import guarded_clauses

        board = self.board
        given = {board.placements[n].cell: n for n in candidates_of(board.givens)}
        numbers: dict[tuple[int, int], int] = {
            (board.placements[n].cell, board.placements[n].digit): n
            for n in (*truth.listed, *given.values())
        }
        auxiliaries = Auxiliaries(self.highest)
        clauses = guarded_clauses(board.puzzle, constraint, numbers, selector, auxiliaries)
        self.highest = auxiliaries.highest
        return clauses

    def truths_of(self, literals: Iterable[int]) -> list[Truth]:
        """The truths whose selectors are among some literals, in the order of the board."""
        return [
            self.board.truths[literal - self._first]
            for literal in sorted(literals)
            if self._first <= literal < self._first + len(self.board.truths)
        ]

    def close(self) -> None:
        self.session.close()


def _pairs(group: Sequence[int]) -> list[list[int]]:
    return [[-one, -other] for n, one in enumerate(group) for other in group[:n]]
