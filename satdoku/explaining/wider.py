"""What cages, arrows and other wider truths exclude by themselves."""

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import SOLVER, Formula
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import Sets
from satdoku.solving.limits import Budget


class WiderTruths:
    """Looks for candidates that no way to keep a single wider truth has.

    A solver knows each of them behind a selector, with the links of the board. A truth is looked
    at again when something has gone of its members.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._formula: Formula | None = None
        self._seen: dict[int, int] = {}

    def find(self) -> Finding | None:
        """The first truth that excludes something: small ones first, as people look at them."""
        position = self._position
        truths = sorted(position.board.wider, key=lambda t: (t.members & position.left).bit_count())
        for truth in truths:
            left = truth.members & position.left
            if self._seen.get(truth.number) == left or not left:
                continue
            excludes = self._excluded_by(truth, left)
            if excludes:
                return Finding(self._technique(truth), (truth,), excludes=tuple(excludes))
            self._seen[truth.number] = left
        return None

    def _technique(self, truth: Truth) -> Technique:
        if truth.wider not in self._position.board.puzzle.constraints.wider:
            return Technique.RULE_OF_45
        return Technique.SUM if isinstance(truth.wider, Sets) else Technique.BOUNDS

    def find_broken(self) -> Truth | None:
        """A truth that cannot hold with the candidates that are left, seen at once."""
        position = self._position
        for truth in position.board.wider:
            facts = self._facts_about(truth, truth.members & position.left)
            if self._asked().session.propagate(facts) is None:
                return truth
        return None

    def close(self) -> None:
        if self._formula is not None:
            self._formula.close()

    def _asked(self) -> Formula:
        """The solver, made when it is first needed."""
        if self._formula is None:
            board = self._position.board
            self._formula = Formula(board.root or board, SOLVER)
        return self._formula

    def _facts_about(self, truth: Truth, left: int) -> list[int]:
        """What is to be assumed so that a truth holds with these of its candidates."""
        placed = self._position.placed | self._position.board.givens
        gone = truth.members & ~left & ~placed
        return [
            self._asked().selector(truth),
            *(-candidate for candidate in candidates_of(gone)),
            *candidates_of(truth.members & placed),
        ]

    def _excluded_by(self, truth: Truth, left: int) -> list[int]:
        """The candidates of a truth that contradict it where only these are left."""
        self._budget.work(len(truth.listed))
        facts, session = self._facts_about(truth, left), self._asked().session
        return [
            candidate
            for candidate in candidates_of(left & ~self._position.placed)
            if session.propagate([*facts, candidate]) is None
        ]
