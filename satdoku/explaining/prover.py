"""The check of every step: a solver must find it right, from the truths that the step names."""

from satdoku.dimacs.status import Status
from satdoku.errors import SatdokuError
from satdoku.explaining.asking import SOLVER
from satdoku.explaining.board import Board
from satdoku.explaining.formula import Formula
from satdoku.explaining.step import Step
from satdoku.solving.limits import Budget


class WrongStepError(SatdokuError):
    """A step that does not follow from what it names: a bug of ours, never the user's fault."""


class Prover:
    """A solver that knows the links of a board and the steps that it found right so far."""

    def __init__(self, board: Board, budget: Budget) -> None:
        self._board = board
        self._budget = budget
        self._formula = Formula(board, SOLVER)

    def require(self, step: Step) -> None:
        """Raises WrongStepError unless the step follows from its truths and earlier steps."""
        session = self._formula.session
        selectors = [self._formula.selector(truth) for truth in step.truths]
        literals = [-candidate for candidate in step.excludes]
        if step.places is not None:
            literals.append(step.places)
        for literal in literals:
            # The step is right when its opposite has no model.
            if session.solve(self._budget, assumptions=[-literal, *selectors]) is not (
                Status.UNSATISFIABLE
            ):
                name = self._board.name_of(abs(literal), "=" if literal > 0 else "!=")
                raise WrongStepError(
                    f"this is a bug, please report it: the {step.technique.value} for {name} "
                    f"does not follow from what it names"
                )
        for literal in literals:
            session.add_clause([literal])

    def close(self) -> None:
        self._formula.close()
