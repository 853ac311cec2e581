"""Steps that follow from a cage, an arrow, or another wider truth, in words."""

from satdoku.explaining.board import candidates_of
from satdoku.explaining.combinations import possible_sets
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names, join
from satdoku.puzzle.constraints import Sets, Wider, digits_of

# More combinations than this are a table.
_MOST_SETS = 6


def describe_wider(names: Names, step: Step, constraint: Wider) -> str:
    """What the truth says, what is left of it, and what that excludes."""
    so = f"so {names.without(step.excludes)}"
    (truth,) = step.truths
    if isinstance(constraint, Sets):
        masks = dict.fromkeys(constraint.cells, 0)
        placements = names.board.placements
        known = step.before | names.board.givens
        for member in candidates_of(truth.members & known):
            cell, digit = placements[member]
            masks[cell] |= 1 << digit
        for cell in constraint.cells:
            masks[cell] |= 1 << names.board.puzzle.grid.digits[cell] & ~1
        possible = possible_sets(constraint, masks)
        if 0 < len(possible) <= _MOST_SETS:
            words = ["".join(map(names.digit, digits_of(mask))) for mask in possible]
            return f"{constraint.sentence}: only {join(words, 'or')}; {so}"
    return f"{constraint.sentence}; with what is left of its cells, {so}"
