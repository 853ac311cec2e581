"""The check of every step: a solver must find it right, from the truths that the step names."""

from satdoku.dimacs.status import Status
from satdoku.errors import SatdokuError
from satdoku.explaining.asking import SOLVER
from satdoku.explaining.board import Board, Truth
from satdoku.explaining.formula import Formula
from satdoku.explaining.step import Step
from satdoku.puzzle.grid import Grid
from satdoku.solving.limits import Budget


class WrongStepError(SatdokuError):
    """A step that does not follow from what it names: a bug of ours, never the user's fault."""


class Prover:
    """A solver that knows the links of a board and the steps that it found right so far."""

    def __init__(self, board: Board, budget: Budget) -> None:
        self._board = board
        self._budget = budget
        self._formula = Formula(board, SOLVER)
        self._solution: Grid | None = None

    def assume_only(self, solution: Grid) -> None:
        """Lets steps rest on it that this is the only solution."""
        self._solution = solution

    def require(self, step: Step) -> None:
        """Raises WrongStepError unless the step follows from its truths and earlier steps."""
        for truth in step.truths:
            if truth.swapped and not self._holds(truth):
                raise WrongStepError(
                    f"this is a bug, please report it: the {step.technique.value} assumes what is "
                    "not so"
                )
        session = self._formula.session
        selectors = [self._formula.selector(truth) for truth in step.truths]
        literals = [-candidate for candidate in step.excludes]
        if step.places is not None:
            literals.append(step.places)
        for literal in literals:
            if not self._follows(literal, selectors):
                name = self._board.name_of(abs(literal), "=" if literal > 0 else "!=")
                raise WrongStepError(
                    f"this is a bug, please report it: the {step.technique.value} for {name} "
                    f"does not follow from what it names"
                )
        for literal in literals:
            session.add_clause([literal])

    def _holds(self, truth: Truth) -> bool:
        """Whether the only solution has another digit in some cell of a rectangle."""
        if self._solution is None or truth.unit is None:
            return False
        return any(self._solution.digits[cell] not in truth.swapped for cell in truth.unit.cells)

    def _follows(self, literal: int, selectors: list[int]) -> bool:
        """Whether there is no model in which the opposite of a literal holds."""
        session, assumptions = self._formula.session, [-literal, *selectors]
        # Nearly all steps are proved without any search, and then a fifth of the time will do.
        if session.propagate(assumptions) is None:
            return True
        return session.solve(self._budget, assumptions=assumptions) is Status.UNSATISFIABLE

    def close(self) -> None:
        self._formula.close()
