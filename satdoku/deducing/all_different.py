"""Exclude candidates of cells that must all hold different digits (all-different).

Give every cell a different digit: that is a matching. Now draw an arrow from a cell to every cell
whose digit it could take over. A cell can give up its digit only along a cycle of arrows, where
each cell takes over the digit of the next, or along a path that ends at an unused digit. So a
candidate that leads from one strongly connected component of this graph to another is in no
matching, and is excluded (J.-C. Regin, 1994). An example, with the matching in brackets:

    r1c1 [1]2      r1c1 and r1c2 can exchange their digits; r1c3 can take 2 from r1c2, but there
    r1c2 1[2]      is no way back: the arrow from r1c3 to r1c2 is on no cycle, and so 2 is
    r1c3  2[3]     excluded from r1c3, in which 3 remains.

The cells of a component keep only the digits of this component: as many as there are cells, which
is called a Hall set. Only the component of the unused digits may have more digits than cells, if
the unit has fewer cells than there are digits.

Sets of digits are bit masks, so one step of a search handles all digits of a cell at once.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class ImpossibleError(Exception):
    """There is no solution: a cell has no digit left, or a digit has no place in a unit."""


class Matching:
    """A matching of cells of one unit with different digits; it may be incomplete."""

    def __init__(self, size: int) -> None:
        # The digit of a cell as a mask; cells without a digit are missing.
        self.digit_of: dict[int, int] = {}
        # The cell to which a digit was last given. Only valid for digits in use.
        self.owner_of = [-1] * (size + 1)

    def give(self, cell: int, digit: int) -> None:
        """Give a cell a digit, as a mask with one bit."""
        self.digit_of[cell] = digit
        self.owner_of[digit.bit_length() - 1] = cell

    def complete(self, cells: Iterable[int], masks: Sequence[int]) -> int:
        """Match each of the cells to a digit in its mask, and return all these digits.

        Cells keep their digits if possible, so that a small change takes little work.
        """
        used = 0
        without = []
        digit_of = self.digit_of
        for cell in cells:
            digit = digit_of.get(cell, 0) & masks[cell]
            if digit:
                used |= digit
            else:
                without.append(cell)
        for cell in without:
            used |= self._find_digit(cell, masks, used)
        return used

    def _find_digit(self, start: int, masks: Sequence[int], used: int) -> int:
        """Match one more cell along an augmenting path, and return the newly used digit.

        The search is breadth first: each cell is visited from the one that wants its digit, until
        one can take an unused digit.
        """
        wanted_by: dict[int, int] = {}
        seen = 0
        queue = [start]
        for cell in queue:
            new = masks[cell] & ~seen
            unused = new & ~used
            if unused:
                found = unused & -unused
                self._pass_on(start, cell, found, wanted_by)
                return found
            seen |= new
            while new:
                digit = new & -new
                new ^= digit
                owner = self.owner_of[digit.bit_length() - 1]
                wanted_by[owner] = cell
                queue.append(owner)
        raise ImpossibleError

    def _pass_on(self, start: int, cell: int, digit: int, wanted_by: dict[int, int]) -> None:
        """Give a cell a digit, its former digit to the cell that wanted that, and so on."""
        while cell != start:
            former = self.digit_of[cell]
            self.give(cell, digit)
            cell, digit = wanted_by[cell], former
        self.give(start, digit)


class Component(NamedTuple):
    """Digits that only exchange places among themselves, with the cells that hold them.

    `outside` are the digits that its cells must lose. If it `is_hall_set`, there are as many digits
    as cells, and every digit is in one of the cells; otherwise some digits are unused.
    """

    digits: int
    outside: int
    is_hall_set: bool


def find_components(
    matching: Matching, masks: Sequence[int], used: int, unused: int
) -> list[Component]:
    """Return the components of the cells that hold the digits `used`, after `complete`.

    `unused` are the other digits that these cells may hold. The search follows arrows and keeps the
    components on its path (Purdom and Munro, 1968): an arrow back to one of them merges it with all
    components after it; when the last one has no arrow left, it is complete.
    """
    components: list[Component] = []
    owner_of = matching.owner_of
    complete = 0
    unvisited = used
    path: list[tuple[int, int]] = []
    if unused:
        # A cell may take an unused digit, and its own is then unused. So arrows lead from every
        # unused digit to digits in use and back: all of these are one component from the start.
        path.append((unused, used))
    while path or unvisited:
        if not path:
            digit = unvisited & -unvisited
            unvisited ^= digit
            path.append((digit, masks[owner_of[digit.bit_length() - 1]]))
        digits, reached = path[-1]
        ahead = reached & ~(digits | complete)
        if not ahead:
            path.pop()
            complete |= digits
            components.append(Component(digits, reached & ~digits, not digits & unused))
            continue
        back = ahead & ~unvisited
        if back:
            path.pop()
            # `back` are digits on the path: they and all later ones are on a cycle.
            while back:
                more_digits, more_reached = path.pop()
                digits |= more_digits
                reached |= more_reached
                back &= ~more_digits
            path.append((digits, reached))
        else:
            digit = ahead & -ahead
            unvisited ^= digit
            path.append((digit, masks[owner_of[digit.bit_length() - 1]]))
    return components
