"""Puzzles with provably the fewest givens.

Up to 6x6 no puzzle with the same solution has fewer givens. On larger boards nobody can prove that
in reasonable time: for a single grid of 9x9 it takes hours to see that 16 givens are not enough.
There, a larger puzzle is made first; of all puzzles with one solution that lie within it, none has
fewer givens than the one that is made. The larger puzzle is told as `within`, so that whoever wants
to can prove it again.

`minimizing/fewest.py` finds how few givens are enough. That number is a fact; which of several
smallest sets it finds depends on the solver. So the cells are then gone through in a random order,
and each is given for which a smallest set exists that has it and those given before, and none of
those passed over. That leads to the same set with every solver.
"""

from collections.abc import Iterable, Sequence

from satdoku.encoding.files.status import Status
from satdoku.generating.drafts import Draft
from satdoku.minimizing.deletion import delete_redundant
from satdoku.minimizing.fewest import find_fewest
from satdoku.minimizing.other_solutions import find_smallest_difference
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.hitting_sets import SmallestHittingSets
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError

# Of all 36 cells of a 6x6 board the fewest are proved in a few tenths of a second. Of 49 cells of
# 9x9 it takes ten seconds, so there so many givens are left to choose from.
MOST_CELLS = 36


def draft_fewest(rules: RuleSolver, grid: Grid, chance: Chance) -> Draft:
    """The puzzle with the fewest givens for this solution; LimitReachedError where time ends."""
    within: Sequence[int] = range(rules.geometry.cell_count)
    if len(within) > MOST_CELLS:
        groups = [(cell,) for cell in chance.shuffled(within)]
        within = delete_redundant(rules, grid, groups, MOST_CELLS).cells
    differences: list[frozenset[int]] = []
    fewest = find_fewest(rules, grid, within, differences=differences)
    if not fewest.is_proven:
        raise LimitReachedError(fewest.reason)
    choice = _Choice(rules, grid, within, fewest.lower)
    for difference in differences:
        choice.meet(difference)
    with choice.sets, rules.excluding(grid) as other:
        cells = choice.choose(other.literal, chance.shuffled(within), fewest.cells)
    return Draft(grid, cells, is_minimal=True, within=tuple(within))


class _Choice:
    """Chooses among all sets of `count` cells that are enough; `sets` know the cells by places."""

    def __init__(self, rules: RuleSolver, grid: Grid, cells: Sequence[int], count: int) -> None:
        self._rules = rules
        literals = rules.literals(grid)
        self._literals = [literals[cell] for cell in cells]
        self._place_of = {literal: place for place, literal in enumerate(self._literals)}
        self._cells = cells
        self.sets = SmallestHittingSets(len(cells), rules.budget or Budget())
        self.sets.at_least = count

    def meet(self, difference: Iterable[int]) -> None:
        """Every set has one of these givens, told by their literals."""
        self.sets.add(sorted(map(self._place_of.__getitem__, difference)))

    def choose(self, other: int, order: Sequence[int], known: Sequence[int]) -> tuple[int, ...]:
        """The set that this order leads to; `known` is one of the sets.

        `other` is the literal that excludes the solution.
        """
        place_of = {cell: place for place, cell in enumerate(self._cells)}
        best = {place_of[cell] for cell in known}
        wanted, left = list[int](), list[int]()
        for place in map(place_of.__getitem__, order):
            found = best if place in best else self._find(other, [*wanted, place], left)
            best = best if found is None else found
            (left if found is None else wanted).append(place)
        return tuple(sorted(self._cells[place] for place in best))

    def _find(self, other: int, wanted: Sequence[int], left: Sequence[int]) -> set[int] | None:
        """A set that is enough, has the wanted cells and lacks the left ones, if there is one."""
        while (chosen := self.sets.smallest_with(wanted, left)) is not None:
            literals = [self._literals[place] for place in chosen]
            # Patient, since what ends without an answer would be taken for a proof.
            status = self._rules.decide([other, *literals], is_patient=True)
            if status is Status.UNSATISFIABLE:
                return set(chosen)
            self.meet(find_smallest_difference(self._rules, other, self._place_of))
        return None
