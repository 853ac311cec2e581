"""All minimal sets of givens: enough for one solution, and none of them redundant.

A map remembers which sets of givens are decided: whatever contains a minimal set is enough, and
whatever is contained in a set with another solution is not. Round by round a set that the map does
not know is tested. If it is enough, it is made minimal and reported; if not, it is made as large as
possible. Either way the map learns, until it knows all sets.
"""

from collections.abc import Iterator, Sequence

from satdoku.encoding.files.status import Status
from satdoku.minimizing.deletion import delete_redundant
from satdoku.minimizing.other_solutions import find_smallest_difference
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.hitting_sets import HittingSets
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.limits import Budget

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
