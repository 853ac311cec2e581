"""Which cells of a full grid are given, before the puzzle is proven and judged.

The usual way is to delete givens of a full grid in a random order. The other one is for a mask, the
cells that are to be given. With few cells, hardly any full grid has only one solution when no other
cells are given: of random ones 17 % with 36 cells of 81, 2 % with 30, and none of 240 with 28. So
digits are changed where they stand, a few at a time, as long as the number of solutions does not
grow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satdoku.encoding.files.status import Status
from satdoku.encoding.variables import placement, variable
from satdoku.generating.request import Minimality, Request
from satdoku.minimizing.deletion import Deletion, Need, delete_groups, delete_redundant, find_needs
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.symmetry import Orbit, Symmetry
from satdoku.solving.assumptions.rule_solver import RuleSolver


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
        chosen = set(cells)
        return Grid(
            self.solution.geometry,
            tuple(
                digit if cell in chosen else EMPTY
                for cell, digit in enumerate(self.solution.digits)
            ),
        )


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
    def test(kept: Sequence[int], deleted: Sequence[int]) -> Need:
        return Need.REDUNDANT if propagator.fills(kept) else Need.NEEDED

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
    return all(need is Need.NEEDED for need in needs.values())


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
