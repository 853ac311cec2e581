"""Lines read as numbers: how many of those that begin with a digit are lower than one of them."""

from collections.abc import Sequence

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Ranked, every_digit


def write(constraint: Ranked, kit: Kit) -> None:
    """Add that the first line is greater than so many of the lines that begin with its digit."""
    line, *others = constraint.lines
    # A given cell has no candidates that the rule could have taken away.
    kit.add(kit.within(line[0], constraint.mask))
    lower = [_lower(other, line, constraint, kit) for other in others]
    below = constraint.below
    at_least = kit.counted((each for each in lower if each != -TRUE), below + 1)
    # Without so many lines, the clause is empty: there is no solution.
    kit.add(*at_least[below : below + 1])
    for more in at_least[below + 1 :]:
        kit.add(-more)


def _lower(other: Sequence[int], line: Sequence[int], constraint: Ranked, kit: Kit) -> int:
    """Return the literal of "the other line begins with the digit and is lower"."""
    # Whether it begins with the digit, and is equal to the line so far.
    alike = kit.within(other[0], constraint.mask)
    if alike == -TRUE:
        return -TRUE
    lower = kit.fresh()
    kit.add(-lower, alike)
    for here, there in zip(other[1:], line[1:], strict=True):
        if alike == -TRUE:
            return lower
        # Where lines cross, one cell is in both.
        if here != there:
            _compare(here, there, alike, lower, kit)
            alike = _still_alike(here, there, alike, kit)
    kit.add(-alike, -lower)
    if not constraint.may_tie:
        kit.add(-alike)
    return lower


def _compare(here: int, there: int, alike: int, lower: int, kit: Kit) -> None:
    """Add that of lines that are alike so far one is lower if its digit is the lower one."""
    for digit in range(1, kit.size):
        up_to = every_digit(digit)
        is_low, is_other_low = kit.within(here, up_to), kit.within(there, up_to)
        kit.add(-alike, -is_low, is_other_low, lower)
        kit.add(-alike, is_low, -is_other_low, -lower)


def _still_alike(here: int, there: int, alike: int, kit: Kit) -> int:
    """Return the literal of "they were alike, and these digits are equal"."""
    shared = set(kit.open_digits(here)).intersection(kit.open_digits(there))
    if not shared or here in kit.differ[there]:
        return -TRUE
    still = kit.fresh()
    kit.add(-still, alike)
    for digit in range(1, kit.size + 1):
        one, other = kit.literal(here, digit), kit.literal(there, digit)
        kit.add(-still, -one, other)
        kit.add(-still, one, -other)
        kit.add(-alike, -one, -other, still)
    return still
