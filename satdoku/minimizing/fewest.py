"""The fewest givens of a puzzle that leave it one solution, with a proof that fewer do not.

Every other solution of the board differs from the right one in some givens; at least one of these
must be kept, or the other solution comes in. So:

1. Choose as few givens as possible that meet all differences known so far.
2. If the choice has another solution, its difference is a new one to meet. Go on with 1.
3. If it has none, it is an answer, and no smaller one exists: not even the known differences can be
   met with fewer.

While this goes on, the size of the choice is a lower bound. (This is the method of implicit hitting
sets.) Differences are made as small as possible first: small ones say more.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.files.status import Status
from satdoku.minimizing.deletion import Need, delete_redundant, find_needs
from satdoku.minimizing.other_solutions import find_smallest_difference
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.hitting_sets import SmallestHittingSets
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError

# The upper bound is the best of so many minimal sets, at a millisecond each. It is needed only
# where time runs out.
_MINIMAL_SETS = 3


class Fewest(NamedTuple):
    """The best set of givens found: no set of fewer than `lower` cells is enough."""

    cells: tuple[int, ...]
    lower: int
    reason: str = ""
    """Why the search ended early; empty when it did not."""

    @property
    def upper(self) -> int:
        return len(self.cells)

    @property
    def is_proven(self) -> bool:
        """Whether no smaller set exists."""
        return self.lower == self.upper


OnBounds = Callable[[int, int], None]


def find_fewest(
    rules: RuleSolver,
    solution: Grid,
    cells: Sequence[int],
    on_bounds: OnBounds = lambda lower, upper: None,
    differences: list[frozenset[int]] | None = None,
) -> Fewest:
    """The fewest of these given cells; `on_bounds` is called with each better bound.

    `differences` takes up all that were met on the way, each as a set of literals.

    The budget of `rules` ends the search with the bounds known by then. Which of several smallest
    sets is found may depend on the solver; their size does not.
    """
    best = Fewest(tuple(cells), 0)
    try:
        for found in _improve(rules, solution, cells, [] if differences is None else differences):
            if found != best:
                on_bounds(found.lower, found.upper)
            best = found
    except LimitReachedError as reached:
        best = best._replace(reason=str(reached))
    return best


def _improve(
    rules: RuleSolver, solution: Grid, cells: Sequence[int], met: list[frozenset[int]]
) -> Iterator[Fewest]:
    """Better and better bounds, the last of them proven."""
    best = tuple(cells)
    for attempt in range(_MINIMAL_SETS):
        order = [(cell,) for cell in Chance("fewest", attempt).shuffled(cells)]
        best = min(best, delete_redundant(rules, solution, order).cells, key=len)
        yield Fewest(best, 0)
    literal_of = rules.literals(solution)
    place_of = {literal_of[cell]: place for place, cell in enumerate(cells)}
    differences = SmallestHittingSets(len(cells), rules.budget or Budget())
    with differences, rules.excluding(solution) as other:
        for cell, need in find_needs(rules, solution, cells).items():
            if need is Need.NEEDED:
                met.append(frozenset([literal_of[cell]]))
                differences.add([place_of[literal_of[cell]]])
        while True:
            chosen = differences.smallest() or []
            yield Fewest(best, len(chosen))
            if len(chosen) == len(best):
                return
            question = [other.literal, *(literal_of[cells[place]] for place in chosen)]
            # Patient, since what ends without an answer would be taken for a proof.
            if rules.decide(question, is_patient=True) is Status.UNSATISFIABLE:
                yield Fewest(tuple(sorted(cells[place] for place in chosen)), len(chosen))
                return
            met.append(find_smallest_difference(rules, other.literal, place_of))
            differences.add(sorted(place_of[literal] for literal in met[-1]))
