"""Verdicts, with a solver that stays loaded from one question of a worker to the next."""

from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.kept import KeptPuzzle, keep
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within


def decide(puzzle: Puzzle, budget: Budget) -> tuple[Outcome, KeptPuzzle | None]:
    """Return the verdict, and the puzzle with its kept solver where it has one."""
    kept = None
    try:
        # Classic boards are decided as fast by the usual way.
        kept = None if puzzle.is_classic else keep(puzzle, budget)
        outcome = None if kept is None else kept.outcome()
        if outcome is None:
            outcome = check_within(puzzle, budget)
    except LimitReachedError as limit:
        outcome = Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit))
    return outcome, kept
