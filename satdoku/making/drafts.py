"""Choose the cells of a full grid that are given, before the puzzle is proven and judged.

The usual method deletes givens of a full grid in a random order.

For a mask, the cells of the givens are fixed. With few cells, hardly any full grid has a unique
solution: of random ones 17 % with 36 cells of 81, 2 % with 30, and none of 240 with 28. So the
digits in these cells are changed, a few at a time, as long as the number of solutions does not
grow.

A third method makes puzzles with provably the fewest givens. Up to 6x6 no puzzle with the same
solution has fewer givens. On larger boards that cannot be proven in reasonable time: for a single
9x9 grid it takes hours to show that 16 givens are not enough. There, a larger puzzle is made first;
the result has the fewest givens of all puzzles with one solution within the larger one. The larger
puzzle is reported as `within`, so that others can repeat the proof.

`making/minimizer.py` finds how few givens are enough. That number is a fact, but which of several
smallest sets it finds depends on the solver. So the cells are then tried in a random order: a cell
is given if there is a smallest set with this cell and all cells given before, but without the cells
rejected before. That leads to the same set with every solver.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import placement, variable
from satdoku.errors import count_of
from satdoku.lanes.bank import draw_grid
from satdoku.lanes.library import find_library
from satdoku.making.full_grid import Chance, seed_words
from satdoku.making.minimizer import (
    Deletion,
    Necessity,
    delete_groups,
    delete_many,
    delete_redundant,
    find_fewest,
    find_needs,
    find_smallest_difference,
)
from satdoku.making.request import Minimality, Request
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.symmetry import Orbit, Symmetry, symmetries_of
from satdoku.puzzle.value import value
from satdoku.solving.assumptions import RuleSolver, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget, LimitReachedError


@value(frozen=True)
class Draft:
    """A full grid and the cells that are given; see `Generated` for the other fields."""

    solution: Grid
    cells: tuple[int, ...]
    symmetry: Symmetry = Symmetry.NONE
    is_minimal: bool = False
    undecided: int = 0
    within: tuple[int, ...] = ()
    is_by_deletion: bool = False

    @property
    def grid(self) -> Grid:
        """Return the board with the givens alone."""
        return self.grid_of(self.cells)

    def grid_of(self, cells: Iterable[int]) -> Grid:
        """Return the board with the digits of these cells alone."""
        digits = [EMPTY] * len(self.solution.digits)
        for cell in cells:
            digits[cell] = self.solution.digits[cell]
        return Grid(self.solution.geometry, tuple(digits))


def add_orbits(
    cells: Sequence[int], orbits: Sequence[Orbit], low: int, high: int, chance: Chance
) -> tuple[int, ...] | None:
    """Return the cells with further orbits, `low` to `high` cells in all; None if that fails."""
    chosen = set(cells)
    for orbit in chance.shuffled([orbit for orbit in orbits if orbit[0] not in chosen]):
        if len(chosen) >= low:
            break
        if len(chosen) + len(orbit) <= high:
            chosen.update(orbit)
    return tuple(sorted(chosen)) if low <= len(chosen) <= high else None


def draft_by_deletion(
    request: Request, rules: RuleSolver, propagator: RuleSolver | None, grid: Grid, chance: Chance
) -> Draft | None:
    """Try once to make a puzzle with this solution; None if it is not as requested.

    With a `propagator`, a given is deleted only if unit propagation still fills the board without
    it.
    """
    symmetry = request.symmetry or chance.choose(symmetries_of(request.geometry))
    orbits = chance.shuffled(symmetry.orbits(request.geometry))
    low, high = request.givens or (0, request.geometry.cell_count)
    enough = _choose_enough(request, chance)
    if propagator is None:
        deletion = delete_redundant(rules, grid, orbits, enough, request.most_tests)
    else:
        deletion = _delete_while_filled(request, rules, propagator, grid, orbits, enough)
    if request.minimality is Minimality.NONE:
        cells = add_orbits(deletion.cells, orbits, low, high, chance)
        return None if cells is None else Draft(grid, cells, symmetry, is_by_deletion=True)
    if not low <= len(deletion.cells) <= high:
        return None
    is_minimal = propagator is None and _is_minimal(request, rules, grid, symmetry, deletion)
    if request.minimality is Minimality.GIVENS and not (is_minimal or deletion.undecided):
        return None
    undecided = len(deletion.undecided)
    return Draft(grid, deletion.cells, symmetry, is_minimal, undecided, is_by_deletion=True)


def draft_many(request: Request, indexes: Sequence[int]) -> "list[tuple[Draft, bool] | None]":
    """Return the first drafts of `draft_by_deletion` for these numbers, from the compiled library.

    Each draft comes with a flag: whether a solver checked it too. None if the draft is not as
    requested, or too hard for the library; the list is empty without the library, or if it does not
    support the request.
    """
    library = find_library() if _is_for_library(request) else None
    if library is None or request.symmetry is None:
        return []
    orbits = request.symmetry.orbits(request.geometry)
    drawn = [draw_grid(library, seed_words(request.seed, index), len(orbits)) for index in indexes]
    if None in drawn:
        return []  # the seed is too long for the library
    pairs = [pair for pair in drawn if pair is not None]
    grids = [Grid(request.geometry, tuple(digits)) for digits, _ in pairs]
    # The last orbit is tested first.
    orders = [[orbits[number] for number in reversed(order)] for _, order in pairs]
    low, high = request.givens or (0, request.geometry.cell_count)
    enough = low if request.minimality is Minimality.NONE else 0
    found = delete_many([digits for digits, _ in pairs], orders, enough)
    is_minimal = request.minimality is not Minimality.NONE and request.symmetry is Symmetry.NONE
    drafts: list[tuple[Draft, bool] | None] = []
    for grid, each in zip(grids, found, strict=True):
        if each is None or bytes(grid.digits) != each.solution:
            drafts.append(None)
            continue
        cells = each.deletion.cells
        draft = Draft(grid, cells, request.symmetry, is_minimal, is_by_deletion=True)
        drafts.append((draft, each.is_compared) if low <= len(cells) <= high else None)
    return drafts


def _is_for_library(request: Request) -> bool:
    """Whether the first draft needs only a grid and an order, on a board for the library."""
    is_plain = request == Request(
        request.board, request.seed, request.givens, request.minimality, request.symmetry
    )
    if not is_plain or not request.is_classic or request.geometry != Geometry():
        return False
    if request.minimality is Minimality.NONE:
        # For a range of givens, the number at which deletion stops is drawn for each puzzle.
        return request.givens is not None and request.givens[0] == request.givens[1]
    return request.minimality is Minimality.ORBITS or request.symmetry is Symmetry.NONE


def _choose_enough(request: Request, chance: Chance) -> int:
    """Return the number of givens at which deletion stops; 0 deletes as many as possible."""
    if request.minimality is not Minimality.NONE:
        return 0
    if request.givens is None:
        return request.geometry.cell_count
    low, high = request.givens
    return low + chance.below(high - low + 1)


def _delete_while_filled(
    request: Request,
    rules: RuleSolver,
    propagator: RuleSolver,
    grid: Grid,
    orbits: Sequence[Orbit],
    enough: int,
) -> Deletion:
    def test(kept: Sequence[int], deleted: Sequence[int]) -> Necessity:
        return Necessity.REDUNDANT if propagator.fills(kept) else Necessity.NEEDED

    literal_of = rules.literals(grid)
    return delete_groups(literal_of, orbits, test, enough, request.most_tests, rules.watch)


def _is_minimal(
    request: Request, rules: RuleSolver, grid: Grid, symmetry: Symmetry, deletion: Deletion
) -> bool:
    """Whether no given is redundant; tested only if the request depends on it."""
    if deletion.undecided:
        return False
    if symmetry is Symmetry.NONE:
        return True
    if request.minimality is not Minimality.GIVENS:
        return False
    needs = find_needs(rules, grid, deletion.cells)
    return all(need is Necessity.NEEDED for need in needs.values())


# Solutions are counted up to this number. Above it the digits are changed freely, until the number
# can be counted: only then can a decrease be seen.
MOST_SOLUTIONS = 64

# Steps after which a climb counts as stuck. Most masks of 28 cells take less than a hundred.
MOST_STEPS = 2000

# Most digits that one step changes. Not tuned.
MOST_CHANGES = 3


def draft_by_mask(
    rules: RuleSolver, mask: Sequence[int], start: Grid, chance: Chance
) -> Draft | None:
    """Climb once from the full grid's digits in these cells; None if the climb gets stuck."""
    literal_of = {cell: literal for cell, literal in enumerate(rules.literals(start))}
    givens = [literal_of[cell] for cell in mask]
    count = len(rules.find_all(givens, MOST_SOLUTIONS))
    for _ in range(MOST_STEPS):
        if count == 1:
            break
        changed = _change(rules, givens, chance)
        new_count = len(rules.find_all(changed, count + 1))
        if new_count <= count:
            givens, count = changed, new_count
    if count > 1:
        return None
    rules.decide(givens, is_patient=True)
    return Draft(rules.solution(), tuple(mask))


def _change(rules: RuleSolver, givens: Sequence[int], chance: Chance) -> list[int]:
    """Return the givens with digits changed in up to three cells, such that a solution exists."""
    size = rules.geometry.size
    count = 1 + chance.below(min(MOST_CHANGES, len(givens)))
    order = chance.shuffled(givens)
    kept = order[count:]
    for old in order[:count]:
        cell = placement(rules.geometry, old).cell
        for digit in chance.shuffled(range(1, size + 1)):
            literal = variable(rules.geometry, cell, digit)
            if rules.decide([*kept, literal]) is Status.SATISFIABLE:
                kept.append(literal)
                break
    return sorted(kept)


# Most cells to choose the givens from. The fewest of all 36 cells of 6x6 are proved in some tenths
# of a second. With 49 cells of 9x9 it takes ten seconds, so on larger boards a puzzle with this
# many givens is made first.
MOST_CELLS = 36


def draft_fewest(rules: RuleSolver, grid: Grid, chance: Chance) -> Draft:
    """Return the puzzle with the fewest givens for this solution; LimitReachedError at a limit."""
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
    """Chooses one of the sets of `count` cells that are enough; `sets` has the indices of cells."""

    def __init__(self, rules: RuleSolver, grid: Grid, cells: Sequence[int], count: int) -> None:
        self._rules = rules
        literals = rules.literals(grid)
        self._literals = [literals[cell] for cell in cells]
        self._place_of = {literal: place for place, literal in enumerate(self._literals)}
        self._cells = cells
        self.sets = SmallestHittingSets(len(cells), rules.budget or Budget())
        self.sets.at_least = count

    def meet(self, difference: Iterable[int]) -> None:
        """Add that every set contains one of these givens, which are literals."""
        self.sets.add(sorted(map(self._place_of.__getitem__, difference)))

    def choose(self, other: int, order: Sequence[int], known: Sequence[int]) -> tuple[int, ...]:
        """Return the set found by trying the cells in this order; `known` is one of the sets.

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
        """Return a set that is enough, with the cells `wanted` and without the cells `left`, or
        None.
        """
        while (chosen := self.sets.smallest_with(wanted, left)) is not None:
            literals = [self._literals[place] for place in chosen]
            # With unlimited patience, since UNKNOWN would be taken for a proof.
            status = self._rules.decide([other, *literals], is_patient=True)
            if status is Status.UNSATISFIABLE:
                return set(chosen)
            self.meet(find_smallest_difference(self._rules, other, self._place_of))
        return None


# 9x9 puzzles with fewer givens than deletion finds
#
# Deletion ends with 21 givens in one case of some 400, with 20 hardly ever. From a minimal puzzle
# the search continues by exchanging givens for others of the same full grid:
#
# - Two givens are removed and one is added, for all pairs of givens and all cells.
# - If none of these puzzles has one solution, two givens are exchanged for two others, which gives
#   another puzzle with as many givens, and the search continues from there.
#
# Hardly any of these exchanges gives one solution. Known differences refute nearly all others, see
# `Differences`; each of the rest adds a new difference. Of 462 puzzles with 20 givens that were met
# in 20 grids, 12 led to one with 19, each in another grid, after 500 differences.
#
# Which differences are learned depends on a solver's verdicts, not on its models; so the search is
# the same with every solver.
#
# A difference is a set of cells whose digits in the full grid can be exchanged for others, with all
# other cells unchanged. A puzzle whose givens are digits of the grid has one solution if and only
# if it has a given in each difference. So a known difference without a given refutes a puzzle
# without a solver.
#
# There are far too many differences to know all. Useful ones are found during the search: each
# puzzle with another solution yields one.

# If more givens are allowed than this, deletion alone succeeds often enough.
MOST_GIVENS = 21

# Exchanges of two givens for two others that are tried; about one in a hundred leads to a new
# puzzle. If none does, the search restarts with another grid. Not tuned.
MOST_TRIES = 3000

# Puzzles per grid after which the search gives up; most grids are given up after 10 to 200. The
# search slows down with the number of known differences.
MOST_PUZZLES = 1000


def is_few(request: Request) -> bool:
    """Whether so few givens are wanted that exchanges are needed, and no wish rules them out."""
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
    """Run one local search for a puzzle of this grid with few givens; None if it gets stuck."""
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
    """Return these givens without redundant ones, which are deleted in a random order."""
    return delete_redundant(rules, grid, [(cell,) for cell in chance.shuffled(cells)]).cells


class Exchanges:
    """Searches a full grid for few cells whose digits determine it."""

    def __init__(self, rules: RuleSolver, grid: Grid, chance: Chance) -> None:
        self._rules = rules
        self._grid = grid
        self._chance = chance
        self._literals = rules.literals(grid)
        self.differences = Differences(len(grid.digits))
        self._seen: set[frozenset[int]] = set()

    def find(self, most: int, most_puzzles: int = MOST_PUZZLES) -> Sequence[int] | None:
        """Return at most `most` cells that are enough; None if no exchange gives fewer."""
        cells = range(len(self._literals))
        givens: Sequence[int] = _delete(self._rules, self._grid, cells, self._chance)
        for number in range(1, most_puzzles + 1):
            if len(givens) <= most:
                return givens
            tried = f"the last of {number} tried in this grid has {len(givens)}"
            self._rules.watch(f"no puzzle of {count_of(most, 'given')} yet: {tried}")
            found = self._find_fewer(givens) or self._find_others(givens)
            if found is None:
                return None
            givens = found
        return None

    def _find_fewer(self, givens: Sequence[int]) -> list[int] | None:
        """Return a set with one given fewer, by deleting one or by exchanging two for one."""
        order = self._chance.shuffled(givens)
        for deleted in order:
            kept = [cell for cell in order if cell != deleted]
            if self._is_enough(kept):
                return kept
        # Each given is now the only given in some known difference: removing any given leaves some
        # differences unmet.
        for pair in combinations(order, 2):
            kept = [cell for cell in order if cell not in pair]
            for new in self.differences.meeting_all(self.differences.unmet(kept)):
                if self._is_enough([*kept, new]):
                    return [*kept, new]
        return None

    def _find_others(self, givens: Sequence[int]) -> list[int] | None:
        """Return the givens with two of them exchanged for others, a set not tried before."""
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
        """Return two other cells that meet all known differences that the kept givens miss."""
        differences = self.differences
        unmet = differences.unmet(kept)
        for one in self._chance.shuffled(differences.first(unmet)):
            rest = unmet & ~differences.met_by[one]
            others = [cell for cell in differences.meeting_all(rest) if cell not in taken]
            if one not in taken and others:
                return one, self._chance.choose(others)
        return None

    def _is_enough(self, givens: Sequence[int]) -> bool:
        """Whether there is no other solution; if there is one, learn a difference."""
        if self.differences.unmet(givens):
            return False
        with self._rules.excluding(self._grid) as other:
            question = [other.literal, *(self._literals[cell] for cell in givens)]
            if self._rules.decide(question) is Status.UNSATISFIABLE:
                return True
            self.differences.add(self._find_difference(question, givens))
        return False

    def _find_difference(self, question: list[int], givens: Sequence[int]) -> list[int]:
        """Return a minimal difference that contains none of these givens.

        The other solution is made to agree with the grid in as many cells as possible: first in all
        cells of a digit together, because differences of few digits are small, and small
        differences refute more.
        """
        open_cells = self._chance.shuffled(sorted(set(range(len(self._literals))) - set(givens)))
        digits = self._chance.shuffled(range(1, self._grid.geometry.size + 1))
        by_digit = [[c for c in open_cells if self._grid.digits[c] == digit] for digit in digits]
        differing = [cell for cells in self._agree(question, by_digit) for cell in cells]
        groups = [[cell] for cell in self._chance.shuffled(differing)]
        return [cell for cells in self._agree(question, groups) for cell in cells]

    def _agree(self, question: list[int], groups: Sequence[list[int]]) -> list[list[int]]:
        """Add to the query each group of cells in which another solution can agree; return the
        rest.
        """

        def differs(rest: Sequence[list[int]], cells: list[int]) -> Sequence[list[int]] | None:
            literals = [self._literals[cell] for cell in cells]
            if self._rules.decide([*question, *literals]) is not Status.SATISFIABLE:
                return None
            question.extend(literals)
            return rest

        return shrink(reversed(groups), differs)


class Differences:
    """The known differences of a full grid.

    A set of differences is an integer with a bit for each, so that one integer operation applies a
    given to all of them.
    """

    def __init__(self, cell_count: int) -> None:
        self._cells: list[tuple[int, ...]] = []
        # For each cell, the differences that contain it, as a mask.
        self.met_by = [0] * cell_count

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, cells: Iterable[int]) -> None:
        """Add a difference."""
        self._cells.append(tuple(cells))
        bit = 1 << (len(self._cells) - 1)
        for cell in self._cells[-1]:
            self.met_by[cell] |= bit

    def unmet(self, givens: Iterable[int]) -> int:
        """Return the differences that contain none of these cells."""
        met = 0
        for cell in givens:
            met |= self.met_by[cell]
        return ((1 << len(self._cells)) - 1) & ~met

    def first(self, differences: int) -> tuple[int, ...]:
        """Return the cells of the oldest difference in this set."""
        return self._cells[(differences & -differences).bit_length() - 1]

    def meeting_all(self, differences: int) -> list[int]:
        """Return the cells that are in every difference of this set, which is not empty."""
        return [cell for cell in self.first(differences) if not differences & ~self.met_by[cell]]
