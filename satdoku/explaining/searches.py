"""Searches: where no story can be told, a solver excludes what keeps a truth from being settled.

Puzzles with very few givens, which rules such as non-consecutive allow, begin with steps that rest
on nearly all truths of the board. Such a step is proved like any other, but nobody could follow its
cases. So few of them are made: each leaves as little as can be of the narrowest truth, and mostly
places a digit by that, from which easier steps lead on.
"""

from satdoku.explaining.board import Truth
from satdoku.explaining.core_solver import CoreSolver
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Technique

# A core becomes smaller when it is asked about alone, and after so many times hardly any more.
_TRIMMINGS = 4


def find_by_search(solver: CoreSolver) -> Finding | None:
    """What a solver excludes of the narrowest truth that it excludes anything of."""
    every = solver.by_width(solver.position.open_truths)
    for narrowest in every:
        rests_on: dict[int, Truth] = {}
        excluded = []
        for candidate in solver.to_ask_about(narrowest.members):
            core = _trimmed(solver, candidate, every)
            if core is not None:
                excluded.append(candidate)
                rests_on |= {truth.number: truth for truth in core}
        if excluded:
            truths = tuple(rests_on[number] for number in sorted(rests_on))
            return Finding(Technique.SEARCH, truths, excludes=tuple(excluded))
    return None


def _trimmed(solver: CoreSolver, candidate: int, every: list[Truth]) -> list[Truth] | None:
    """Truths that exclude a candidate; None where nothing does."""
    found = solver.search(candidate, every)
    if found is None:
        solver.note_model()
        return None
    for _ in range(_TRIMMINGS):
        found = solver.search(candidate, found) or found
    return found
