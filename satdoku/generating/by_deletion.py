"""Puzzles made from a full grid by deleting givens in a random order."""

from collections.abc import Sequence

from satdoku.generating.draft import Draft, add_orbits
from satdoku.generating.request import Minimality, Request
from satdoku.minimizing.deletion import Deletion, Need, delete_groups, delete_redundant
from satdoku.minimizing.redundant import find_needs
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Orbit, Symmetry
from satdoku.solving.assumptions.rule_solver import RuleSolver


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
