"""The solvers that the puzzles of one board are made with."""

from satdoku.encoding.encode import Encoding
from satdoku.generating.request import Request, WantedTechnique
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions.rule_solver import RuleSolver, is_large
from satdoku.solving.limits import Budget

# Propagation alone is a little faster there than in the solver that decides.
_PROPAGATING_SOLVER = "glucose4"

_ENCODINGS = {
    WantedTechnique.SINGLES: Encoding.EXTENDED,
    WantedTechnique.NAKED_SINGLES: Encoding.EFFICIENT,
}


class BoardSolvers:
    """`rules` decides about a board; `propagator`, where a technique is wanted, fills it."""

    def __init__(
        self, board: Puzzle, request: Request, solver: str | None, budget: Budget | None
    ) -> None:
        self.board = board
        self._is_patient = request.conflicts_a_given is None
        self.rules = RuleSolver(board, solver, budget, request.conflicts_a_given)
        self.propagator: RuleSolver | None = None
        if request.technique is not None:
            encoding = _ENCODINGS[request.technique]
            propagating = None if is_large(board.geometry) else _PROPAGATING_SOLVER
            self.propagator = RuleSolver(board, propagating, budget, encoding=encoding)

    def begin_puzzle(self, budget: Budget | None) -> None:
        """Where patience is limited, what was learned before must not decide how far it gets."""
        self.rules.budget = budget
        if self.propagator is not None:
            self.propagator.budget = budget
        if not self._is_patient:
            self.rules.start_again()

    def close(self) -> None:
        self.rules.close()
        if self.propagator is not None:
            self.propagator.close()
