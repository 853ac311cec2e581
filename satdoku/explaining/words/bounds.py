"""What the cells of a sum come to, and what that leaves for each of them, in words."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import Total, differing, digits_of, mask_of

# Where a sum takes candidates from some of its cells, it is told for each of these what the others
# come to. Nobody reads more of that than this.
_MOST_TOLD = 4

# A side of a sum with more cells than this is not listed a second time.
_MOST_CELLS_NAMED = 6


class _Bound(NamedTuple):
    """The least or the most that a cell counts for, and what the others come to."""

    is_least: bool
    bound: int
    others: int


class Summed:
    """The cells of a sum with what their digits count for, and the digits that they have left."""

    def __init__(self, names: Names, total: Total, masks: Mapping[int, int]) -> None:
        self._names = names
        self._total = total
        self._masks = masks
        self._worths = dict(zip(total.cells, total.worths, strict=True))
        self._differ = differing(names.board.puzzle.constraints)

    def tell(self, step: Step) -> str:
        """Why candidates go, as far as what the cells come to tells it; empty where it does not."""
        gone = self._names.board.digits_in(mask_of(step.excludes))
        if not gone.keys() <= self._worths.keys() or not all(map(_is_even, self._total.worths)):
            return ""
        # What is taken off stands on the other side: the circle of an arrow.
        off = [cell for cell, worths in self._worths.items() if worths[-1] < worths[1]]
        sides = [[cell for cell in self._worths if cell not in off], off]
        if not all(sides):
            return self._tell_each(gone)
        is_told = all(self._bounds_of(c, d) for c, mask in gone.items() for d in digits_of(mask))
        return join([self._come_to(side) for side in sides]) if is_told else ""

    def _tell_each(self, gone: Mapping[int, int]) -> str:
        """What each cell is at least or at most, those together of which the same is said."""
        cells_with: dict[_Bound, dict[int, None]] = {}
        for cell, mask in gone.items():
            for digit in digits_of(mask):
                bound = self._bounds_of(cell, digit)
                if bound is None:
                    return ""
                cells_with.setdefault(bound, {})[cell] = None
        told = list(map(self._tell_bound, cells_with, cells_with.values()))
        return join(told) if len(told) <= _MOST_TOLD else ""

    def _tell_bound(self, bound: _Bound, cells: Mapping[int, None]) -> str:
        least, other = ("least", "most") if bound.is_least else ("most", "least")
        verb = "is" if len(cells) == 1 else "are each"
        if any(self._worths[cell][2] - self._worths[cell][1] != 1 for cell in cells):
            verb = "counts for" if len(cells) == 1 else "each count for"
        others = "the others" if len(self._worths) > 2 else "the other"
        come = "come" if len(self._worths) > 2 else "comes"
        return (
            f"{self._names.cells(cells)} {verb} at {least} {bound.bound} "
            f"({others} {come} to at {other} {bound.others})"
        )

    def _bounds_of(self, cell: int, digit: int) -> _Bound | None:
        """Why a digit counts for too little in its cell, or for too much; None where it may go."""
        rest = [other for other in self._worths if other != cell]
        low, high = self._extremes(rest)
        worth = self._worths[cell][digit]
        if worth + high < self._total.low:
            return _Bound(True, self._total.low - high, high)
        if worth + low > self._total.high:
            return _Bound(False, self._total.high - low, low)
        return None

    def _come_to(self, cells: Sequence[int]) -> str:
        """The least and the most that the cells on one side of a sum come to."""
        low, high = self._extremes(cells)
        if self._worths[cells[0]][-1] < self._worths[cells[0]][1]:
            low, high = -high, -low
        named = (
            self._names.cells(cells) if len(cells) <= _MOST_CELLS_NAMED else f"{len(cells)} cells"
        )
        verb = "is" if len(cells) == 1 else "come to"
        return f"{named} {verb} {low if low == high else f'{low} to {high}'}"

    def _extremes(self, cells: Sequence[int]) -> tuple[int, int]:
        """What cells come to at least and at most, where those that all differ are one part."""
        parts: list[list[int]] = []
        for cell in cells:
            for part in parts:
                is_alike = self._worths[part[0]] == self._worths[cell]
                if is_alike and self._differ[cell].issuperset(part):
                    part.append(cell)
                    break
            else:
                parts.append([cell])
        low, high = 0, 0
        for part in parts:
            masks, worths = [self._masks[cell] for cell in part], self._worths[part[0]]
            low += _least(masks, worths)
            high -= _least(masks, [-worth for worth in worths])
        return low, high


def _is_even(worths: Sequence[int]) -> bool:
    """Whether each digit counts for so much more, or less, than the one before it."""
    between = {other - one for one, other in pairwise(worths[1:])}
    return len(between) == 1 and between != {0}


def _least(masks: Sequence[int], worths: Sequence[int]) -> int:
    """The least that cells come to of which no two hold the same digit.

    Digits are taken from the cheapest on, each that finds a cell when those before move over. So
    the digits that are taken are the cheapest together as well.
    """
    cell_of: dict[int, int] = {}

    def find_cell(digit: int, tried: set[int]) -> bool:
        for cell, mask in enumerate(masks):
            if mask >> digit & 1 and cell not in tried:
                tried.add(cell)
                other = next((d for d, c in cell_of.items() if c == cell), None)
                if other is None or find_cell(other, tried):
                    cell_of[digit] = cell
                    return True
        return False

    every = 0
    for mask in masks:
        every |= mask
    for digit in sorted(digits_of(every), key=lambda each: worths[each]):
        if len(cell_of) < len(masks):
            find_cell(digit, set())
    return sum(worths[digit] for digit in cell_of)
