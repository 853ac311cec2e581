"""Sentences for sums and counts: the bounds of the whole, and what follows for each cell."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import (
    Total,
    differing,
    digits_of,
    mask_of,
)

# The most cells for which the bound of the other cells of the sum is named.
MOST_TOLD = 4

# The most different digits of a count to name.
MOST_COUNTED = 3

# The most cells of a sum's side to list again; of more cells the ends are named.
_MOST_CELLS_NAMED = 6


class _Bound(NamedTuple):
    """The bound of a cell in a sum, and the bound of the other cells that implies it."""

    is_least: bool
    bound: int
    others: int


class Summed:
    """The cells of a sum, with the worths of their digits and the digits left in them."""

    def __init__(self, names: Names, total: Total, masks: Mapping[int, int]) -> None:
        self._names = names
        self._total = total
        self._masks = masks
        self._worths = dict(zip(total.cells, total.worths, strict=True))
        self._differ = differing(names.board.puzzle.constraints)

    def tell(self, excludes: Sequence[int]) -> str:
        """Return the reason for exclusions by the bounds of a sum; empty if there is none."""
        gone = self._names.board.digits_in(mask_of(excludes))
        if not gone.keys() <= self._worths.keys() or not all(map(is_even, self._total.worths)):
            return ""
        # Cells that count negatively, such as the circle of an arrow, are the other side.
        off = [cell for cell, worths in self._worths.items() if worths[-1] < worths[1]]
        sides = [[cell for cell in self._worths if cell not in off], off]
        if not all(sides):
            return self._tell_each(gone)
        bounds = [self._bounds_of(c, d) for c, mask in gone.items() for d in digits_of(mask)]
        if not all(bounds):
            return ""
        told = self._tell_beside(sides, gone)
        if told:
            return told
        needed = {(c in off, b.is_least) for c, b in self._bounds_by_cell(gone)}
        if any(is_least for _, is_least in needed) or (len(off) > 1 and needed == {(True, False)}):
            return "; ".join(self._tell_side(sides, *each) for each in sorted(needed))
        # Excluded digits make the arrow's cells too large, or its circle too small.
        told = join([self._come_to(side, end) for side, end in zip(sides, (0, 1), strict=True)])
        return f"{told}{self._tell_more(sides[0], gone)}"

    def split(self, excludes: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the exclusions that follow from bounds of the sum, and all others."""
        placements, bound = self._names.board.placements, list[int]()
        if all(map(is_even, self._total.worths)):
            bound = [c for c in excludes if placements[c].cell in self._worths]
            bound = [c for c in bound if self._bounds_of(*placements[c])]
        return bound, [c for c in excludes if c not in bound]

    def _tell_more(self, side: Sequence[int], gone: Mapping[int, int]) -> str:
        """Return what a side would come to, at least, with excluded digits; empty if few cells."""
        names = self._names
        if len(side) <= MOST_TOLD or not gone.keys() <= {*side}:
            return ""
        sums = [
            self._worths[cell][digit] + self._extremes([c for c in side if c != cell])[0]
            for cell, mask in gone.items()
            for digit in digits_of(mask)
        ]
        cells_with: dict[int, list[int]] = {}
        for cell, mask in gone.items():
            cells_with.setdefault(mask, []).append(cell)
        digits = [
            f"{names.digits(digits_of(mask), 'or')} in {names.cells(cells, 'or')}"
            for mask, cells in cells_with.items()
        ]
        which = join(digits, "or") if len(digits) <= MOST_COUNTED else "an excluded digit"
        return f", but with {which} its cells would come to at least {min(sums)}"

    def _tell_beside(self, sides: Sequence[Sequence[int]], gone: Mapping[int, int]) -> str:
        """Return a bound for each cell of two sides with the same sum, and its reason.

        The reason is the bound of the other side, and that of the other cells on its own side.

        Empty for other sums, and if each side is a single cell.
        """
        steps = {worths[2] - worths[1] for worths in self._worths.values()}
        if self._total.low or self._total.high or steps != {1, -1}:
            return ""
        cells_with: dict[str, list[int]] = {}
        for cell, bound in dict.fromkeys(self._bounds_by_cell(gone)):
            sign = 1 if cell in sides[0] else -1
            here, there = sides[::sign]
            rest = [other for other in here if other != cell]
            if not rest and len(gone) == 1:
                return ""
            # A cell of the other side counts negatively.
            is_least = bound.is_least is (sign > 0)
            reasons = [self._come_to(there, 0 if is_least else 1)]
            if rest:
                low, high = self._extremes(rest)
                low, high = (low, high) if sign > 0 else (-high, -low)
                come = "come to at" if len(rest) > 1 else "is at"
                end = f"most {high}" if is_least else f"least {low}"
                reasons.append(f"the other{'s' * (len(rest) > 1)} {come} {end}")
            at = f"at {'least' if is_least else 'most'} {sign * bound.bound}"
            cells_with.setdefault(f"{at} ({join(reasons)})", []).append(cell)
        if len(cells_with) > MOST_TOLD:
            return ""
        return join(
            [
                f"{self._names.cells(cells)} {'is' if len(cells) == 1 else 'are each'} {text}"
                for text, cells in cells_with.items()
            ]
        )

    def _bounds_by_cell(self, gone: Mapping[int, int]) -> Iterator[tuple[int, _Bound]]:
        for cell, mask in gone.items():
            for bound in (self._bounds_of(cell, digit) for digit in digits_of(mask)):
                if bound is not None:
                    yield cell, bound

    def _tell_side(self, sides: Sequence[Sequence[int]], is_off: bool, is_least: bool) -> str:
        """Return the bound of the other side of a sum, and the bound of this side that follows."""
        here, there = sides[is_off], sides[not is_off]
        low, high = self._extremes(there)
        # The sums of both sides, one of them negative, add up to at least `low` and at most `high`
        # of the total.
        bound = self._total.low - high if is_least else self._total.high - low
        is_low = is_least is not is_off
        told = self._come_to(there, 0 if is_low else 1)
        at = f"at {'least' if is_low else 'most'} {-bound if is_off else bound}"
        return f"{told}, so {self._side(here)} {at}"

    def _side(self, cells: Sequence[int]) -> str:
        """Return the cells of a side with their verb: `r1c1 and r1c2 come to`."""
        counts = [abs(self._worths[cell][2] - self._worths[cell][1]) for cell in cells]
        if len(cells) == 1:
            # The middle of a sequence counts twice.
            times = {1: "", 2: "twice "}.get(counts[0], f"{counts[0]} times ")
            return f"{times}{self._names.cell(cells[0])} is"
        if sorted(counts) == [10**place for place in range(len(cells))]:
            # The digits of a pill, the tens before the ones.
            pill = sorted(
                cells, key=lambda each: -abs(self._worths[each][2] - self._worths[each][1])
            )
            return f"the number in {','.join(map(self._names.cell, pill))} is"
        if len(cells) <= _MOST_CELLS_NAMED:
            return f"{self._names.cells(cells)} come to"
        first, last = self._names.cell(cells[0]), self._names.cell(cells[-1])
        return f"the {len(cells)} cells from {first} to {last} come to"

    def _tell_each(self, gone: Mapping[int, int]) -> str:
        """Return the bounds of each cell as text, cells with the same bound together."""
        cells_with: dict[_Bound, dict[int, None]] = {}
        for cell, mask in gone.items():
            for digit in digits_of(mask):
                bound = self._bounds_of(cell, digit)
                if bound is None:
                    return ""
                cells_with.setdefault(bound, {})[cell] = None
        told = list(map(self._tell_bound, cells_with, cells_with.values()))
        return join(told) if len(told) <= MOST_TOLD else ""

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

    def tell_conflict(self) -> str:
        """Return the bounds that show that the sum cannot be reached; empty if they do not."""
        if not all(map(is_even, self._total.worths)):
            return ""
        off = [cell for cell, worths in self._worths.items() if worths[-1] < worths[1]]
        on = [cell for cell in self._worths if cell not in off]
        low, high = self._extremes(list(self._worths))
        if self._total.low <= high and low <= self._total.high:
            return ""
        is_over = low > self._total.high
        sides = ((on, 0 if is_over else 1), (off, 1 if is_over else 0))
        is_exact = self._total.low == self._total.high
        if is_exact and on and off and self._total.low:
            return self._tell_difference(on, off, is_over)
        told = join([self._come_to(side, end) for side, end in sides if side], "but")
        return f"{told}, not {self._total.low}" if is_exact and not off else told

    def _tell_difference(self, on: Sequence[int], off: Sequence[int], is_over: bool) -> str:
        """Return what one side comes to, and that this is not as much more than the other."""
        told, other = self._come_to(on, 0 if is_over else 1), self._come_to(off, int(is_over))
        total = self._total.low
        more = f"{abs(total)} {'more' if total > 0 else 'less'}"
        cells = self._names.cells(off)
        return f"{told}, not to {more} than {cells}, which {other.removeprefix(f'{cells} ')}"

    def tell_too_few(self) -> str:
        """Return the cells that can hold a counted digit, if these are too few; else empty."""
        digits = {d for w in self._worths.values() for d, worth in enumerate(w) if d and worth}
        able = [
            c for c, w in self._worths.items() if any(self._masks[c] >> d & w[d] for d in digits)
        ]
        high = self._extremes(able)[1]
        if high >= self._total.low or not able or len(digits) > MOST_COUNTED:
            return ""
        at_once = f", at most {high} of them at once" if high < len(able) else ""
        return f"only {self._names.cells(able)} can be {self._names.digits(digits, 'or')}{at_once}"

    def _bounds_of(self, cell: int, digit: int) -> _Bound | None:
        """Return the bound that a digit in its cell violates; None if it violates none."""
        rest = [other for other in self._worths if other != cell]
        low, high = self._extremes(rest)
        worth = self._worths[cell][digit]
        if worth + high < self._total.low:
            return _Bound(True, self._total.low - high, high)
        if worth + low > self._total.high:
            return _Bound(False, self._total.high - low, low)
        return None

    def _come_to(self, cells: Sequence[int], end: int | None = None) -> str:
        """Return the bounds of one side of a sum: least (0), most (1), or both (None)."""
        low, high = self._extremes(cells)
        if self._worths[cells[0]][-1] < self._worths[cells[0]][1]:
            low, high = -high, -low
        both = f"{low} to {high}", f"at least {low}", f"at most {high}"
        amount = str(low) if low == high else both[0 if end is None else end + 1]
        return f"{self._side(cells)} {amount}"

    def _extremes(self, cells: Sequence[int]) -> tuple[int, int]:
        """Return the best bounds of the sum of cells; cells that all differ are bounded together.

        Groups of such cells are formed in two ways: cell by cell, and in the fullest units first.
        """
        units = self._names.board.puzzle.constraints.units_of
        shared = Counter(unit for cell in cells for unit in units[cell])
        fullest = sorted(cells, key=lambda c: -max((shared[u] for u in units[c]), default=0))
        lows, highs = zip(*map(self._extremes_in_turn, (cells, fullest)), strict=True)
        return max(lows), min(highs)

    def _extremes_in_turn(self, cells: Sequence[int]) -> tuple[int, int]:
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


def sum_of_sides(names: Names, total: Total, masks: Mapping[int, int]) -> str:
    """Return why a sum, or a count, cannot be reached; empty if bounds do not show it."""
    summed = Summed(names, total, masks)
    return summed.tell_too_few() if counts(total) else summed.tell_conflict()


def counts(total: Total) -> bool:
    """Whether a sum counts the cells with certain digits."""
    return all({*worths[1:]} == {0, 1} for worths in total.worths)


def is_even(worths: Sequence[int]) -> bool:
    """Whether the worths of successive digits have a constant difference other than 0."""
    between = {other - one for one, other in pairwise(worths[1:])}
    return len(between) == 1 and between != {0}


def _least(masks: Sequence[int], worths: Sequence[int]) -> int:
    """Return the least sum of cells no two of which hold the same digit.

    Take digits from the cheapest on, each if it extends the matching of digits to cells by an
    augmenting path. The digits taken are then the cheapest together (a matroid).
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
