"""Puzzles of 9x9 with fewer givens than deleting leads to.

Deleting ends with 21 givens in one case of 250 and with 20 hardly ever. From a minimal puzzle the
search goes on by exchanging givens:

- Two givens are taken away, which leaves some solutions. A digit that stands in its cell in only
  one of them makes that one the solution: it is a single given for two.
- Where there is no such digit, one given is exchanged for another in the same way, and what has
  become redundant is deleted.

All solutions that are left must be known for that, so the search passes over what leaves too many.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.encoding.decode import decode
from satdoku.encoding.variables import placement
from satdoku.generating.draft import Draft, add_orbits
from satdoku.generating.request import Minimality, Request
from satdoku.minimizing.deletion import delete_redundant
from satdoku.minimizing.rule_solver import RuleSolver
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Symmetry

# With more givens wanted, deleting alone gets there often enough.
MOST_GIVENS = 21

# Of the pairs of givens that are taken away, nine in ten leave more solutions than this.
MOST_SOLUTIONS = 120

# Exchanges in all, those that led nowhere among them; then the search begins anew from another
# grid. The number was not tuned.
MOST_STEPS = 4000


class _State(NamedTuple):
    """A minimal puzzle as literals, with the literals of its solution."""

    givens: tuple[int, ...]
    solution: tuple[int, ...]


def is_few(request: Request) -> bool:
    """Whether so few givens are wanted, and nothing that exchanges would spoil."""
    return (
        request.givens is not None
        and request.givens[1] <= MOST_GIVENS
        and request.geometry.size == 9
        and request.is_classic
        and request.symmetry is Symmetry.NONE
        and request.solution is None
        and request.technique is None
        and request.patience is None
    )


def draft_few_givens(
    request: Request, rules: RuleSolver, start: Grid, chance: Chance
) -> Draft | None:
    """One search from a full grid; None where it gets stuck."""
    low, high = request.givens or (0, MOST_GIVENS)
    all_literals = rules.literals(start)
    state = _minimize(rules, all_literals, all_literals, chance)
    steps = 0
    while len(state.givens) > high and steps < MOST_STEPS:
        steps += 1
        state = _exchange(rules, state, 2, chance) or _exchange(rules, state, 1, chance) or state
    cells = tuple(sorted(placement(rules.geometry, given).cell for given in state.givens))
    solution = decode(rules.geometry, state.solution)
    if low <= len(cells) <= high:
        return Draft(solution, cells, is_minimal=True)
    if len(cells) > high or request.minimality is not Minimality.NONE:
        return None
    orbits = Symmetry.NONE.orbits(rules.geometry)
    more = add_orbits(cells, orbits, low, high, chance)
    return None if more is None else Draft(solution, more)


def _exchange(rules: RuleSolver, state: _State, count: int, chance: Chance) -> _State | None:
    """Takes `count` givens away and puts one in their place; None where these cannot be."""
    order = chance.shuffled(state.givens)
    kept, taken = order[count:], order[:count]
    found = rules.find_all(kept, MOST_SOLUTIONS + 1)
    if len(found) > MOST_SOLUTIONS:
        return None
    occurrences = Counter(literal for solution in found for literal in solution)
    once = sorted(
        literal for literal, number in occurrences.items() if number == 1 and literal not in taken
    )
    if not once:
        return None
    new = chance.choose(once)
    solution = next(literals for literals in found if new in literals)
    return _minimize(rules, [*kept, new], solution, chance)


def _minimize(
    rules: RuleSolver, givens: Sequence[int], solution: Sequence[int], chance: Chance
) -> _State:
    """The state after redundant givens were deleted, in a random order."""
    cells = [(placement(rules.geometry, given).cell,) for given in givens]
    kept = delete_redundant(rules, decode(rules.geometry, solution), chance.shuffled(cells)).cells
    return _State(tuple(solution[cell] for cell in kept), tuple(solution))
