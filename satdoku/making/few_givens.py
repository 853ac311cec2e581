"""Puzzles of 9x9 with fewer givens than deleting leads to.

Deleting ends with 21 givens in one case of some 400, with 20 hardly ever. From a minimal puzzle the
search goes on by exchanging givens for others of the same full grid:

- Two givens are taken away and one is put in their place, for all pairs of givens and all cells.
- Where none of that leaves one solution, two givens are exchanged for two others, which leads to
  another puzzle with as many givens, and the search goes on from there.

Hardly any of these exchanges is a puzzle with one solution. Nearly all others are refuted by known
differences, see `Differences`; every further one teaches a new one. Of 462 puzzles with 20 givens
that were met in 20 grids, 12 led to one with 19, each in another grid, after 500 differences.

Which differences are learned follows from what a solver decides, and not from its models; so the
search takes the same way with every solver.

A difference is a set of cells whose digits in the full grid can be exchanged for others, all other
cells staying as they are. A puzzle whose givens are digits of the grid has no other solution
exactly when it has a given in each difference. So a known difference without any refutes a puzzle
without a solver.

There are far too many of them to know all. Those that matter are found on the way: each puzzle that
turns out to have another solution shows one.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from satdoku.encoding.choices import Status
from satdoku.errors import count_of
from satdoku.making.deletion import delete_redundant
from satdoku.making.drafts import Draft, add_orbits
from satdoku.making.full_grid import Chance
from satdoku.making.request import Minimality, Request
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Symmetry
from satdoku.solving.assumptions.hitting_sets import shrink
from satdoku.solving.assumptions.rule_solver import RuleSolver

# With more givens wanted, deleting alone gets there often enough.
MOST_GIVENS = 21

# So many exchanges of two givens for two others are tried, of which about one in a hundred leads to
# a new puzzle. When none does, the search begins anew from another grid. The number was not tuned.
MOST_TRIES = 3000

# Most grids are left after 10 to 200 puzzles. One with very many must not hold up the search, which
# goes slower the more differences are known.
MOST_PUZZLES = 1000


def is_few(request: Request) -> bool:
    """Whether so few givens are wanted, and nothing that exchanges would spoil."""
    return (
        request.givens is not None
        and request.givens[1] <= MOST_GIVENS
        and request.geometry.size == 9
        and request.is_classic
        and request.symmetry is Symmetry.NONE
        and request.technique is None
        and request.patience is None
    )


def draft_few_givens(
    request: Request, rules: RuleSolver, grid: Grid, chance: Chance
) -> Draft | None:
    """One search among the puzzles of a full grid; None where it gets stuck."""
    low, high = request.givens or (0, MOST_GIVENS)
    cells = Exchanges(rules, grid, chance).find(high)
    if cells is None:
        return None
    cells = _delete(rules, grid, cells, chance)
    if low <= len(cells):
        return Draft(grid, cells, is_minimal=True)
    if request.minimality is not Minimality.NONE:
        return None
    more = add_orbits(cells, Symmetry.NONE.orbits(rules.geometry), low, high, chance)
    return None if more is None else Draft(grid, more)


def _delete(rules: RuleSolver, grid: Grid, cells: Sequence[int], chance: Chance) -> tuple[int, ...]:
    """What is left of these givens when redundant ones are deleted, in a random order."""
    return delete_redundant(rules, grid, [(cell,) for cell in chance.shuffled(cells)]).cells


class Exchanges:
    """Looks for few cells of a full grid whose givens leave no other solution."""

    def __init__(self, rules: RuleSolver, grid: Grid, chance: Chance) -> None:
        self._rules = rules
        self._grid = grid
        self._chance = chance
        self._literals = rules.literals(grid)
        self.differences = Differences(len(grid.digits))
        self._seen: set[frozenset[int]] = set()

    def find(self, most: int, most_puzzles: int = MOST_PUZZLES) -> Sequence[int] | None:
        """Cells that are enough, `most` or fewer; None where no exchange leads on."""
        cells = range(len(self._literals))
        givens: Sequence[int] = _delete(self._rules, self._grid, cells, self._chance)
        for number in range(1, most_puzzles + 1):
            if len(givens) <= most:
                return givens
            self._rules.watch(f"puzzle {number} of this grid has {count_of(len(givens), 'given')}")
            found = self._find_fewer(givens) or self._find_others(givens)
            if found is None:
                return None
            givens = found
        return None

    def _find_fewer(self, givens: Sequence[int]) -> list[int] | None:
        """One given fewer, by deleting one or by exchanging two for one."""
        order = self._chance.shuffled(givens)
        for deleted in order:
            kept = [cell for cell in order if cell != deleted]
            if self._is_enough(kept):
                return kept
        # From here on a difference is known for each given that no other one meets, so whatever is
        # taken away leaves some unmet.
        for pair in combinations(order, 2):
            kept = [cell for cell in order if cell not in pair]
            for new in self.differences.meeting_all(self.differences.unmet(kept)):
                if self._is_enough([*kept, new]):
                    return [*kept, new]
        return None

    def _find_others(self, givens: Sequence[int]) -> list[int] | None:
        """Two givens exchanged for two others, in a way that was not seen before."""
        for _ in range(MOST_TRIES):
            order = self._chance.shuffled(givens)
            others = self._choose_two(order[2:], order[:2])
            if others is None:
                continue
            found = [*order[2:], *others]
            if frozenset(found) not in self._seen and self._is_enough(found):
                self._seen.add(frozenset(found))
                return found
        return None

    def _choose_two(self, kept: Sequence[int], taken: Sequence[int]) -> tuple[int, int] | None:
        """Two other cells that meet all known differences which the kept ones do not meet."""
        differences = self.differences
        unmet = differences.unmet(kept)
        for one in self._chance.shuffled(differences.first(unmet)):
            rest = unmet & ~differences.met_by[one]
            others = [cell for cell in differences.meeting_all(rest) if cell not in taken]
            if one not in taken and others:
                return one, self._chance.choose(others)
        return None

    def _is_enough(self, givens: Sequence[int]) -> bool:
        """Whether there is no other solution; where there is one, a difference is learned."""
        if self.differences.unmet(givens):
            return False
        with self._rules.excluding(self._grid) as other:
            question = [other.literal, *(self._literals[cell] for cell in givens)]
            if self._rules.decide(question) is Status.UNSATISFIABLE:
                return True
            self.differences.add(self._find_difference(question, givens))
        return False

    def _find_difference(self, question: list[int], givens: Sequence[int]) -> list[int]:
        """A difference without these givens, none of whose parts is one.

        Another solution is made to agree with the grid in as many cells as possible: first in all
        cells of a digit together, because differences of few digits are small, and small ones
        refute more.
        """
        open_cells = self._chance.shuffled(sorted(set(range(len(self._literals))) - set(givens)))
        digits = self._chance.shuffled(range(1, self._grid.geometry.size + 1))
        by_digit = [[c for c in open_cells if self._grid.digits[c] == digit] for digit in digits]
        differing = [cell for cells in self._agree(question, by_digit) for cell in cells]
        groups = [[cell] for cell in self._chance.shuffled(differing)]
        return [cell for cells in self._agree(question, groups) for cell in cells]

    def _agree(self, question: list[int], groups: Sequence[list[int]]) -> list[list[int]]:
        """Adds to the question what another solution can agree with; the groups that it cannot."""

        def differs(rest: Sequence[list[int]], cells: list[int]) -> Sequence[list[int]] | None:
            literals = [self._literals[cell] for cell in cells]
            if self._rules.decide([*question, *literals]) is not Status.SATISFIABLE:
                return None
            question.extend(literals)
            return rest

        return shrink(reversed(groups), differs)


class Differences:
    """The known differences of a full grid.

    A set of them is an integer with a bit for each; so what a given rules out is one operation on
    integers for all differences together.
    """

    def __init__(self, cell_count: int) -> None:
        self._cells: list[tuple[int, ...]] = []
        # For each cell, the differences that a given in it meets.
        self.met_by = [0] * cell_count

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, cells: Iterable[int]) -> None:
        """Notes a difference."""
        self._cells.append(tuple(cells))
        bit = 1 << (len(self._cells) - 1)
        for cell in self._cells[-1]:
            self.met_by[cell] |= bit

    def unmet(self, givens: Iterable[int]) -> int:
        """The differences in which none of these cells lies."""
        met = 0
        for cell in givens:
            met |= self.met_by[cell]
        return ((1 << len(self._cells)) - 1) & ~met

    def first(self, differences: int) -> tuple[int, ...]:
        """The cells of the one of these that has been known for longest."""
        return self._cells[(differences & -differences).bit_length() - 1]

    def meeting_all(self, differences: int) -> list[int]:
        """The cells that lie in each of these; there must be one at least."""
        return [cell for cell in self.first(differences) if not differences & ~self.met_by[cell]]
