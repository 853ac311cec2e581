"""The fewest givens that leave a puzzle one solution, with a proof; all minimal sets; witnesses.

Every other solution of the board differs from the right one in some givens; at least one of these
must be kept, or the other solution comes in. So:

1. Choose as few givens as possible that meet all differences known so far.
2. If the choice has another solution, its difference is a new one to meet. Go on with 1.
3. If it has none, it is an answer, and no smaller one exists: not even the known differences can be
   met with fewer.

While this goes on, the size of the choice is a lower bound. (This is the method of implicit hitting
sets.) Differences are made as small as possible first: small ones say more.

All minimal sets of givens, which are enough for one solution and have no redundant one, are found
in a similar way, and differences tell too why each given is needed: by the solution that it
excludes. A map remembers which sets of givens are decided: whatever contains a minimal set is
enough, and whatever is contained in a set with another solution is not. Round by round a set that
the map does not know is tested. If it is enough, it is made minimal and reported; if not, it is
made as large as possible. Either way the map learns, until it knows all sets.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.making.deletion import Necessity, delete_redundant, find_needs
from satdoku.making.full_grid import Chance
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions.hitting_sets import HittingSets, SmallestHittingSets, shrink
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
            if need is Necessity.NEEDED:
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


# It tries large sets first when told to: those teach more when they are not enough.
_MAP_SOLVER = "minisat22"


def find_all_minimal(
    rules: RuleSolver, solution: Grid, cells: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Every minimal subset of these given cells, as soon as it is found.

    The order may depend on the solver; the sets do not. LimitReachedError when the budget of
    `rules` ends before all are known.
    """
    literal_of = rules.literals(solution)
    cell_of = {literal_of[cell]: cell for cell in cells}
    place_of = {cell: place for place, cell in enumerate(cells)}
    known = HittingSets(len(cells), rules.budget or Budget(), _MAP_SOLVER)
    with known, rules.excluding(solution) as other:
        known.prefer_many()
        while (chosen := known.any()) is not None:
            literals = [literal_of[cells[place]] for place in chosen]
            # Patient, since what ends without an answer has no solution to learn from.
            if rules.decide([other.literal, *literals], is_patient=True) is Status.UNSATISFIABLE:
                # What the proof did not use is redundant at once.
                core = set(rules.core())
                enough = [(cell_of[literal],) for literal in literals if literal in core]
                minimal = delete_redundant(rules, solution, enough).cells
                known.exclude(place_of[cell] for cell in minimal)
                yield minimal
            else:
                difference = find_smallest_difference(rules, other.literal, cell_of)
                known.add(place_of[cell_of[literal]] for literal in difference)


def find_smallest_difference(
    rules: RuleSolver, other: int, givens: Collection[int]
) -> frozenset[int]:
    """Givens in which another solution differs, as few as can be without changing further ones.

    To be called after a question with the literal `other` that was answered yes; the solution found
    there is changed, given after given, to agree with as many as possible. `givens` are literals.
    """

    def differing() -> list[int]:
        return sorted(set(givens).difference(rules.solution_literals()))

    def differs(rest: Sequence[int], given: int) -> list[int] | None:
        agreed = sorted(set(givens).difference(rest, [given]))
        is_enough = rules.decide([other, *agreed, given]) is Status.SATISFIABLE
        return differing() if is_enough else None

    return frozenset(shrink(reversed(differing()), differs))


def find_witnesses(rules: RuleSolver, puzzle: Puzzle, cells: Sequence[int]) -> dict[int, Grid]:
    """For each of these cells a solution that appears when its given is deleted from the puzzle.

    The puzzle has one solution; a cell without an entry is redundant.
    """
    literal_of = dict(zip(puzzle.givens, rules.literals(puzzle.grid), strict=True))
    witnesses = {}
    for cell in cells:
        rest = [literal for given, literal in literal_of.items() if given != cell]
        if rules.decide([-literal_of[cell], *rest]) is Status.SATISFIABLE:
            fewer = puzzle.with_grid(puzzle.grid.with_digits({cell: 0}))
            witnesses[cell] = require_solution(rules.solution(), fewer)
    return witnesses
