"""Which digits a cell cannot hold when the cells of a unit must all hold different digits.

Give every cell a digit of its own: that is a matching. Now draw an arrow from a cell to every cell
whose digit it could take over. A cell can give up its digit only along a circle of arrows, where
each takes over the digit of the next, or along a path that ends at a digit that nobody has. So a
candidate that leads from one strongly connected component of this graph to another is in no
matching at all, and can go (J.-C. Regin, 1994). An example, with the matching in brackets:

    r1c1 [1]2      r1c1 and r1c2 can exchange their digits; r1c3 can take 2 from r1c2, but there
    r1c2 1[2]      is no way back: the arrow from r1c3 to r1c2 is on no circle, and so 2 goes
    r1c3  2[3]     from r1c3, in which 3 remains.

The cells of a component have only the digits of this component left: as many as there are cells,
which is called a Hall set. One component may be larger in digits: that of the digits that nobody
has, where a unit has fewer cells than there are digits.

Sets of digits are bit masks, so one step of a search looks at all digits of a cell at once.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class ImpossibleError(Exception):
    """There is no solution: a cell has no digit left, or a unit has no place for one."""


class Matching:
    """Cells of one unit with a different digit for each, as far as one was found."""

    def __init__(self, size: int) -> None:
        # The digit of a cell as a mask; cells that have none yet are missing.
        self.digit_of: dict[int, int] = {}
        # The cell that a digit was given to last. Only true of digits that are in use.
        self.owner_of = [-1] * (size + 1)

    def give(self, cell: int, digit: int) -> None:
        """Gives a cell a digit, which is a mask with one bit."""
        self.digit_of[cell] = digit
        self.owner_of[digit.bit_length() - 1] = cell

    def complete(self, cells: Iterable[int], masks: Sequence[int]) -> int:
        """Gives each of the cells a digit that its mask allows; returns all these digits.

        Cells keep their digits where they can: after a small change little is left to do.
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
        """Finds a digit for a cell, for which others may have to take other ones.

        Cells are visited breadth first, each from the one that wants its digit. The first that can
        take an unused digit ends the search. Returns the digit that is used now and was not before.
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
        """Gives a cell a digit, its former digit to the cell that wanted that, and so on."""
        while cell != start:
            former = self.digit_of[cell]
            self.give(cell, digit)
            cell, digit = wanted_by[cell], former
        self.give(start, digit)


class Component(NamedTuple):
    """Digits that only exchange places among themselves, with the cells that hold them.

    `outside` are the digits that its cells must lose. When it `is_hall_set`, there are as many
    digits as cells, and every digit is in one of the cells; otherwise some digits are left over.
    """

    digits: int
    outside: int
    is_hall_set: bool


def find_components(
    matching: Matching, masks: Sequence[int], used: int, unused: int
) -> list[Component]:
    """The components of the cells that hold the digits `used`, after `complete`.

    `unused` are the other digits that these cells may hold.

    The search follows arrows and keeps the components on its path (Purdom and Munro, 1968): when an
    arrow leads back to one of them, it and all behind it become one; when the last one has no arrow
    left, it is complete.
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
            # `back` are digits on the path: they and all behind them are on a circle.
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
