"""Which combinations of digits are left to some cells: what people write beside a cage."""

from collections.abc import Mapping

from satdoku.puzzle.constraints import Sets


def possible_sets(constraint: Sets, masks: Mapping[int, int]) -> list[int]:
    """The sets that the cells can hold with the digits that each of them has left."""
    cells = sorted(constraint.cells, key=lambda cell: masks[cell].bit_count())
    return [each for each in constraint.sets if _can_hold([masks[c] for c in cells], each)]


def _can_hold(masks: list[int], digits: int) -> bool:
    """Whether each digit can go to a cell of its own, as many digits as cells."""
    if not masks:
        return True
    first, rest = masks[0] & digits, masks[1:]
    while first:
        digit = first & -first
        if _can_hold(rest, digits ^ digit):
            return True
        first ^= digit
    return False
