"""Verdicts, with a solver that stays loaded from one question of a worker to the next."""

from satdoku.explaining.true_candidates import count_candidates
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.kept import KeptPuzzle, KeptSolvers
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within

_SOLVERS = KeptSolvers()


def keep(puzzle: Puzzle, budget: Budget) -> KeptPuzzle | None:
    """Return the puzzle with its kept solver; None if it has none.

    Raise LimitReachedError if the budget ends before all rules are stated.
    """
    try:
        return _SOLVERS.of(puzzle, budget)
    except MemoryError:
        _SOLVERS.close()
        raise


def decide(puzzle: Puzzle, budget: Budget) -> tuple[Outcome, KeptPuzzle | None]:
    """Return the verdict, and the puzzle with its kept solver where it has one."""
    kept = None
    try:
        kept = keep(puzzle, budget)
        outcome = None if kept is None else kept.outcome()
        if outcome is None:
            outcome = check_within(puzzle, budget)
    except LimitReachedError as limit:
        outcome = Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit))
    return outcome, kept


def count_each(
    puzzle: Puzzle, cap: int, budget: Budget, kept: KeptPuzzle | None
) -> tuple[list[dict[int, int]], bool]:
    """Return for each cell how many solutions have each digit, up to `cap`, and whether all do.

    Raise LimitReachedError if the budget ends first.
    """
    if kept is None:
        numbers, _, is_complete = count_candidates(puzzle, cap, budget)
    else:
        numbers, is_complete = kept.count_candidates(cap)
    budget.require()
    return numbers, is_complete
