"""Puzzles whose givens stand in chosen cells.

With few cells, hardly any full grid has only one solution when no other cells are given: of random
ones 17 % with 36 cells of 81, 2 % with 30, and none of 240 with 28. So digits are changed where
they stand, a few at a time, as long as the number of solutions does not grow.
"""

from collections.abc import Sequence

from satdoku.encoding.files.status import Status
from satdoku.encoding.variables import placement, variable
from satdoku.generating.draft import Draft
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.rule_solver import RuleSolver

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
