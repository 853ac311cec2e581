"""Which cells of a full grid are given, before the puzzle is proven and judged.

The usual way is to delete givens of a full grid in a random order. Another one is for a mask, the
cells that are to be given. With few cells, hardly any full grid has only one solution when no other
cells are given: of random ones 17 % with 36 cells of 81, 2 % with 30, and none of 240 with 28. So
digits are changed where they stand, a few at a time, as long as the number of solutions does not
grow.

The third makes puzzles with provably the fewest givens. Up to 6x6 no puzzle with the same solution
has fewer givens. On larger boards nobody can prove that in reasonable time: for a single grid of
9x9 it takes hours to see that 16 givens are not enough. There, a larger puzzle is made first; of
all puzzles with one solution that lie within it, none has fewer givens than the one that is made.
The larger puzzle is told as `within`, so that whoever wants to can prove it again.

`making/fewest.py` finds how few givens are enough. That number is a fact; which of several
smallest sets it finds depends on the solver. So the cells are then gone through in a random order,
and each is given for which a smallest set exists that has it and those given before, and none of
those passed over. That leads to the same set with every solver.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import placement, variable
from satdoku.lanes.bank import draw_grid
from satdoku.lanes.library import find_library
from satdoku.making.deletion import (
    Deletion,
    Necessity,
    delete_groups,
    delete_many,
    delete_redundant,
    find_needs,
)
from satdoku.making.fewest import find_fewest, find_smallest_difference
from satdoku.making.full_grid import Chance, seed_words
from satdoku.making.request import Minimality, Request
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.symmetry import Orbit, Symmetry
from satdoku.solving.assumptions.hitting_sets import SmallestHittingSets
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError


@dataclass(frozen=True)
class Draft:
    """A full grid and the cells that are given; see `Generated` for the rest."""

    solution: Grid
    cells: tuple[int, ...]
    symmetry: Symmetry = Symmetry.NONE
    is_minimal: bool = False
    undecided: int = 0
    within: tuple[int, ...] = ()
    is_by_deletion: bool = False

    @property
    def grid(self) -> Grid:
        """The givens."""
        return self.grid_of(self.cells)

    def grid_of(self, cells: Iterable[int]) -> Grid:
        """The digits of these cells alone."""
        digits = [EMPTY] * len(self.solution.digits)
        for cell in cells:
            digits[cell] = self.solution.digits[cell]
        return Grid(self.solution.geometry, tuple(digits))


def add_orbits(
    cells: Sequence[int], orbits: Sequence[Orbit], low: int, high: int, chance: Chance
) -> tuple[int, ...] | None:
    """Cells with further orbits, so that there are `low` to `high`; None where that fails."""
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
    """One attempt at a puzzle with this solution; None where it is not as requested.

    With a `propagator` a given is deleted only while unit propagation still fills the board.
    """
    symmetry = request.symmetry or chance.choose(list(Symmetry))
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
    """What `draft_by_deletion` makes first for these numbers, side by side in the compiled library.

    Beside each draft stands whether a solver was asked about it too. None is where the draft is not
    as requested, or too much for the library; without the library, or where the request is not for
    it, the list is empty.
    """
    library = find_library() if _is_for_library(request) else None
    if library is None or request.symmetry is None:
        return []
    orbits = request.symmetry.orbits(request.geometry)
    drawn = [draw_grid(library, seed_words(request.seed, index), len(orbits)) for index in indexes]
    if None in drawn:
        return []  # the seed is too long for it
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
    """Whether the first draft rests on a grid and an order alone, on a board for the library."""
    is_plain = request == Request(
        request.board, request.seed, request.givens, request.minimality, request.symmetry
    )
    if not is_plain or not request.is_classic or request.geometry != Geometry():
        return False
    if request.minimality is Minimality.NONE:
        # Others delete down to a number that is drawn for each puzzle.
        return request.givens is not None and request.givens[0] == request.givens[1]
    return request.minimality is Minimality.ORBITS or request.symmetry is Symmetry.NONE


def _choose_enough(request: Request, chance: Chance) -> int:
    """The number of givens at which deleting stops; 0 is to go on as long as possible."""
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
    """Whether no given is redundant, as far as it is known or has to be found out."""
    if deletion.undecided:
        return False
    if symmetry is Symmetry.NONE:
        return True
    if request.minimality is not Minimality.GIVENS:
        return False
    needs = find_needs(rules, grid, deletion.cells)
    return all(need is Necessity.NEEDED for need in needs.values())


# Solutions are counted up to here. A start with more stays as it is until a change leaves at most
# this many: only from there on their number can be seen to fall.
MOST_SOLUTIONS = 64

# Most masks of 28 cells take less than a hundred steps. A climb that takes so many is stuck.
MOST_STEPS = 2000

# So many digits, or fewer, are changed at a time. The number was not tuned.
MOST_CHANGES = 3


def draft_by_mask(
    rules: RuleSolver, mask: Sequence[int], start: Grid, chance: Chance
) -> Draft | None:
    """One climb from the givens that a full grid has in these cells; None where it gets stuck."""
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
    """The givens with other digits, or the same, in up to three cells; a solution remains."""
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
