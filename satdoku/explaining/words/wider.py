"""Sentences for steps that follow from cages, arrows and other wider truths, and from lines."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, groupby, pairwise, permutations
from math import comb, prod
from operator import and_, or_
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.encoding.wider.machines import live_states
from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.step import Deduction
from satdoku.explaining.supposing import needed_pairs
from satdoku.explaining.techniques.compared import equal_cells
from satdoku.explaining.techniques.wider import Line, is_told_along, told_line
from satdoku.explaining.words.compared import (
    pairs_among,
    pairs_that_exclude,
    partners_of,
    tell_lacking,
    tell_needs_along,
    tell_pairs,
)
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import (
    Allowed,
    Either,
    Enclosed,
    Machine,
    Pair,
    Sets,
    Some,
    Total,
    Wider,
    differing,
    digits_of,
    every_digit,
    mask_of,
)
from satdoku.puzzle.rules.reasons import can_fill
from satdoku.puzzle.rules.rule import lowest_of

# Sentences for sums: the bounds of the whole, and the bounds that follow for each cell.

# The most cells for which the bound of the other cells of the sum is named.
_MOST_TOLD = 4

# The most different digits of a count to name.
_MOST_COUNTED = 3

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
        if not gone.keys() <= self._worths.keys() or not all(map(_is_even, self._total.worths)):
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

    def _tell_more(self, side: Sequence[int], gone: Mapping[int, int]) -> str:
        """Return what a side would come to, at least, with excluded digits; empty if few cells."""
        names = self._names
        if len(side) <= _MOST_TOLD or not gone.keys() <= {*side}:
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
        which = join(digits, "or") if len(digits) <= _MOST_COUNTED else "an excluded digit"
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
        if len(cells_with) > _MOST_TOLD:
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

    def tell_conflict(self) -> str:
        """Return the bounds that show that the sum cannot be reached; empty if they do not."""
        if not all(map(_is_even, self._total.worths)):
            return ""
        off = [cell for cell, worths in self._worths.items() if worths[-1] < worths[1]]
        on = [cell for cell in self._worths if cell not in off]
        low, high = self._extremes(list(self._worths))
        if self._total.low <= high and low <= self._total.high:
            return ""
        is_over = low > self._total.high
        sides = ((on, 0 if is_over else 1), (off, 1 if is_over else 0))
        told = join([self._come_to(side, end) for side, end in sides if side], "but")
        is_exact = self._total.low == self._total.high and not off
        return f"{told}, not {self._total.low}" if is_exact else told

    def tell_too_few(self) -> str:
        """Return the cells that can hold a counted digit, if these are too few; else empty."""
        digits = {d for w in self._worths.values() for d, worth in enumerate(w) if d and worth}
        able = [
            c for c, w in self._worths.items() if any(self._masks[c] >> d & w[d] for d in digits)
        ]
        high = self._extremes(able)[1]
        if high >= self._total.low or not able or len(digits) > _MOST_COUNTED:
            return ""
        at_once = f", at most {high} of them at once" if high < len(able) else ""
        return f"only {self._names.cells(able)} can be {self._names.digits(digits, 'or')}{at_once}"

    def tell_other_side(self, cells: Collection[int]) -> str:
        """Say what the side without these cells comes to; empty if the sum has one side."""
        off = {cell for cell, worths in self._worths.items() if worths[-1] < worths[1]}
        on = self._worths.keys() - off
        if not off or not on or not all(map(_is_even, self._total.worths)):
            return ""
        sides = [there for here, there in ((on, off), (off, on)) if here.issuperset(cells)]
        return self._come_to([c for c in self._worths if c in sides[0]]) if sides else ""

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


def _is_even(worths: Sequence[int]) -> bool:
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


# Sentences for lines that a machine reads: which cells' candidates a step rests on.

# The most cells of a machine's line whose candidates are named; nobody keeps more in mind.
_MOST_CELLS_OF_MACHINES = 4


def tell_needed(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Return the candidates of the cells that a machine step rests on; empty for too many.

    The step rests on a cell if the exclusions would not follow with all digits in it. The machine
    ignores that cells must differ; the result is empty if exclusions rest on that.
    """
    gone = [names.board.placements[candidate] for candidate in step.excludes]
    is_within = {cell for cell, _ in gone} <= set(machine.cells)
    if not is_within or len(set(machine.cells)) < len(machine.cells):
        return ""

    def excludes_all(assumed: Mapping[int, int]) -> bool:
        possible = _possible(machine, assumed)
        return not any(possible.get(cell, 0) >> digit & 1 for cell, digit in gone)

    assumed = dict(masks)
    if not excludes_all(assumed):
        return ""
    every = every_digit(names.board.puzzle.geometry.size)
    needed = []
    for cell in machine.cells:
        wider = {**assumed, cell: every}
        if excludes_all(wider):
            assumed = wider
        else:
            needed.append(cell)
    # Cells that still have all digits are not named.
    needed = [cell for cell in needed if masks[cell] != every]
    if len(needed) > _MOST_CELLS_OF_MACHINES:
        return ""
    return join([f"{names.cell(c)} {names.may_be(masks[c])}" for c in needed]) if needed else ""


def _possible(machine: Machine, masks: Mapping[int, int]) -> dict[int, int]:
    """Return, for each cell, the digits with which the machine can accept the line."""
    digits = [digits_of(masks[cell]) for cell in machine.cells]
    live = live_states(machine, digits)
    return {
        cell: mask_of(d for d in digits[n] if any(layer[s][d] in live[n + 1] for s in live[n]))
        for n, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True))
    }


# The most cells of a line of neighbours whose candidates are named.
_MOST_NEEDED = 4


def _needed_along(names: Names, line: Line, step: Deduction) -> list[Truth]:
    """Return the cells of a line whose candidates the step rests on; empty for too many."""
    board, gone = names.board, mask_of(step.excludes)
    left, needed = step.before, []
    for truth in line.truths:
        wider = left | truth.members
        if sum(line.possible(board, wider)) & gone:
            needed.append(truth)
        else:
            left = wider
    return needed if len(needed) <= _MOST_NEEDED else []


# Sentences for clues whose cases are sets of digits: the first X digits, or enclosed digits


def tell_cases(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Return the remaining cases of a clue as text; empty if they cannot be listed."""
    differ = differing(names.board.puzzle.constraints)
    cells = machine.cells
    if machine.cases_are_of_different and any(
        other not in differ[cell] for cell in cells for other in cells if other != cell
    ):
        return ""
    if isinstance(machine.by_cases, Enclosed):
        return _tell_enclosed(names, machine.by_cases, masks)
    return _tell_first(names, machine, masks, step) if isinstance(machine.by_cases, Either) else ""


def _first_digits(either: Either) -> dict[int, Sets | None] | None:
    """Return the sets of digits behind each first digit; None if the cases are of another kind.

    A first digit with nothing behind it has None.
    """
    found: dict[int, Sets | None] = {}
    for begins, *rest in either.choices:
        if not isinstance(begins, Allowed) or begins.digits.bit_count() != 1 or len(rest) > 1:
            return None
        behind = rest[0] if rest else None
        if isinstance(behind, Allowed):
            singles = tuple(1 << digit for digit in digits_of(behind.digits))
            behind = Sets((behind.cell,), singles, "")
        if not isinstance(behind, Sets | None):
            return None
        found[begins.digits.bit_length() - 1] = behind
    return found


def _tell_first(names: Names, machine: Machine, masks: Mapping[int, int], step: Deduction) -> str:
    """Say which digits cannot come first, and which ways are left for the others."""
    assert isinstance(machine.by_cases, Either), "asked before"
    behind = _first_digits(machine.by_cases)
    if not behind:
        return ""
    first = machine.cells[0]
    ways = [
        [digit, *rest]
        for digit, sets in behind.items()
        if masks[first] >> digit & 1
        for rest in ([[]] if sets is None else _kept_sets(sets, masks))
    ]
    told = _tell_bounds(names, behind, masks[first])
    is_beside = any(names.board.placements[c].cell != first for c in step.excludes)
    if 0 < len(ways) <= (_MOST_WAYS if is_beside or not told else _MOST_SETS):
        told += _tell_ways(names, machine.cells, ways)
        told += _tell_misfits(names, machine.cells, ways, step)
    elif not told or is_beside:
        told.append(f"none of the {len(ways)} combinations that are left allows what is excluded")
    return "; ".join(told)


def _tell_misfits(
    names: Names, cells: Sequence[int], ways: Sequence[Sequence[int]], step: Deduction
) -> Iterator[str]:
    """Yield which excluded digits, in cells behind the first, fit none of the ways, if few."""
    places = {cell: place for place, cell in enumerate(cells)}
    gone: dict[int, int] = {}
    for cell, digit in (names.board.placements[candidate] for candidate in step.excludes):
        place = places.get(cell, 0)
        if place and any(digit in way[1:] and place < len(way) for way in ways):
            gone[cell] = gone.get(cell, 0) | 1 << digit
    cells_with: dict[int, list[int]] = {}
    for cell, mask in gone.items():
        cells_with.setdefault(mask, []).append(cell)
    if 0 < len(cells_with) <= _MOST_RESTS:
        for mask, alike in cells_with.items():
            here = f"{names.digits(digits_of(mask), 'or')} in {names.cells(alike, 'or')}"
            yield f"with {here} none of them fits"


def _tell_ways(names: Names, cells: Sequence[int], ways: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield for each first digit what the cells behind it hold, and in which order."""
    for first, each in groupby(ways, key=lambda way: way[0]):
        sets = [way[1:] for way in each]
        here, count = f"with {names.digit(first)} in {names.cell(cells[0])}", len(sets[0])
        behind = ",".join(map(names.cell, cells[1 : count + 1]))
        if count:
            only = _only(names, sets, len(sets))
            yield f"{here}, {behind} {'is' if count == 1 else 'are'} {only}" + (
                ", in any order" if count > 1 else ""
            )
        else:
            yield f"{names.cell(cells[0])} is {names.digit(first)}"


def _kept_sets(sets: Sets, masks: Mapping[int, int]) -> list[list[int]]:
    """Return the sets that the cells can hold with the digits left in them."""
    cells = sorted((masks[cell] for cell in sets.cells), key=int.bit_count)
    return [digits_of(each) for each in sets.sets if can_fill(cells, each)]


def _tell_bounds(names: Names, behind: Mapping[int, Sets | None], mask: int) -> list[str]:
    """Say which first digits, nearest to a possible one, have sums too low or too high."""
    geometry = names.board.puzzle.geometry
    lowest = lowest_of(names.board.puzzle.rules)
    numbers = range(lowest, lowest + geometry.size)
    digit, sets = next(iter(behind.items()))
    rest = digits_of(sets.sets[0]) if sets else []
    total = sum(each + lowest - 1 for each in (digit, *rest))
    low, high = "", ""
    for digit in digits_of(mask):
        number = digit + lowest - 1
        others = [other for other in numbers if other != number]
        if not 1 < number <= len(numbers):
            continue
        least = number + sum(others[: number - 1])
        most = number + sum(others[len(others) - number + 1 :])
        said = f"{number} digits that begin with {number} come to at"
        if most < total:
            low = f"{said} most {most}"
        elif least > total and not high:
            high = f"{said} least {least}"
    return [each for each in (low, high) if each]


def _tell_enclosed(names: Names, enclosed: Enclosed, masks: Mapping[int, int]) -> str:
    """Say which digits can lie between the ends, and where the ends can be."""
    cells, size = enclosed.cells, len(enclosed.cells)
    ends = (1, size)
    found: dict[tuple[int, int], list[int]] = {}
    for one, other in combinations(range(size), 2):
        here, there = masks[cells[one]], masks[cells[other]]
        if not any(here >> a & 1 and there >> b & 1 for a, b in (ends, ends[::-1])):
            continue
        inside = [masks[cell] for cell in cells[one + 1 : other]]
        outside = [masks[cell] for cell in (*cells[:one], *cells[other + 1 :])]
        rest = every_digit(size) & ~(1 << ends[0] | 1 << ends[1])
        kept = [
            each
            for each in enclosed.sets
            if each.bit_count() == len(inside)
            and can_fill(sorted(inside, key=int.bit_count), each)
            and can_fill(sorted(outside, key=int.bit_count), rest & ~each)
        ]
        if kept:
            found[one, other] = kept
    different = {digits for kept in found.values() for digits in kept}
    sets = sorted(different, key=lambda each: (each.bit_count(), digits_of(each)))
    told = []
    if sets and len(sets) <= _MOST_SETS:
        only = _only(names, [digits_of(each) for each in sets if each])
        nothing = "nothing between them" if 0 in sets else ""
        told.append(" or ".join(each for each in (only, nothing) if each))
    low, high = (names.digit(end) for end in ends)
    if 0 < len(found) <= _MOST_ENDS:
        places = [f"{names.cell(cells[a])} and {names.cell(cells[b])}" for a, b in found]
        told.append(f"{low} and {high} are in {join(places, 'or')}")
    elif found:
        apart = {other - one for one, other in found}
        told.append(f"{low} and {high} are {names.spans(apart)} apart")
    return "; ".join(told)


# Of how many excluded digits of a clue each has its reason told, rather than the clue's cases.
_FEW_GONE = 4


# The most places of the two ends to list.
_MOST_ENDS = 3


# The most combinations to list.
_MOST_SETS = 6

# The most ways of a clue with a first digit to list: only its first cells matter.
_MOST_WAYS = 12

# The most fillings of the open cells to enumerate in search of possible ones; a cage of four cells
# with six digits each has 1296.
_MOST_FILLINGS = 2000

# The largest digit of one character; lists of larger ones need separators.
_MOST_ONE_SIGN = 9


# Says what excludes placements, by filled cells and earlier steps.
WhyNot = Callable[[Sequence[Placement]], str]

# Says why a rule alone excludes candidates, by what it needs in its cells; empty if that is long.
Because = Callable[[Truth, Sequence[int]], str]


def describe_wider(names: Names, step: Deduction, why_not: WhyNot, because: Because) -> str:
    """Return the sentence of a step with rules: truths, their members, exclusions."""
    if step.places is not None:
        return _settled(names, step, why_not, because)
    result = names.result(step.excludes, step.before)
    so = f"so {result}"
    if is_told_along(step):
        line = told_line(names.board, step)
        return f"{_told_along(names, line, step)}; {_so_along(names, line, step) or so}"
    if all(truth.wider for truth in step.truths) and step.size > 1:
        told = "; ".join(_told_clue(names, step))
        return f"{told}{_tell_seen(names, step, told)}; {so}"
    truth = step.truths[0]
    own = tuple(c for c in step.excludes if truth.members >> c & 1)
    if own and len(own) < len(step.excludes):
        return _carried_over(names, step, own, because)
    reason = "" if own else because(truth, step.excludes)
    if reason:
        return f"{names.truth(truth)}: {reason}{_tell_seen(names, step, reason)}; {so}"
    alone = _told_alone(names, truth, step, because)
    if own:
        return f"{alone}; {so}"
    seen = _tell_seen(names, step, alone)
    return f"{alone}{seen}; {'so' if seen else 'whichever way that is,'} {result}"


# The most groups of cells that lose a digit to the same cells of a rule.
_MOST_SEEN = 2


def _tell_seen(names: Names, step: Deduction, reason: str) -> str:
    """Say which cells of a rule are seen by those that lose a digit to them; empty if that is long.

    If the reason ends with these cells, they are not named again.
    """
    board, members = names.board, reduce(or_, (truth.members for truth in step.truths))
    rules = [truth.wider for truth in step.truths if truth.wider]
    if mask_of(step.excludes) & members:
        return ""
    by_seen: dict[tuple[int, ...], dict[int, None]] = {}
    for candidate in step.excludes:
        cell, digit = board.placements[candidate]
        against = candidates_of(board.links[candidate] & members & step.before)
        if any(board.placements[each].digit != digit for each in against):
            return ""
        by_seen.setdefault(tuple(board.placements[c].cell for c in against), {})[cell] = None
    # A single cell, whose digit the reason gives, is seen at once.
    by_seen = {cells: seeing for cells, seeing in by_seen.items() if len(cells) > 1}
    if len(by_seen) > _MOST_SEEN:
        return ""
    told = []
    for cells, seeing in by_seen.items():
        see = "sees" if len(seeing) == 1 else "see"
        these = "both" if len(cells) == 2 else "all"
        # "These" are the cells that the reason names last.
        _, listed, rest = reason.rpartition(names.cells(cells, "or"))
        others = [names.cell(cell) for rule in rules for cell in rule.cells]
        is_named = len(by_seen) == 1 and bool(listed) and not any(c in rest for c in others)
        shared = _units_of(names, cells, [*seeing])
        if shared and len(by_seen) == 1:
            where = f"{these} in {shared}"
            return f", {where}" if is_named else f"; {names.cells(cells)} are {where}"
        seen = f"{these} of these" if is_named else names.cells(cells)
        told.append(f"{names.cells(seeing)} {see} {seen}")
    return f"; {' and '.join(told)}" if told else ""


def _units_of(names: Names, cells: Sequence[int], seeing: Sequence[int]) -> str:
    """Return the unit, or two, of these cells that contain all others; empty if there are none."""
    constraints = names.board.puzzle.constraints
    shared = set.intersection(*(set(constraints.units_of[cell]) for cell in cells))
    units = [constraints.units[place] for place in sorted(shared)]
    for some in (*([unit] for unit in units), *map(list, combinations(units, 2))):
        if all(any(cell in unit.cells for unit in some) for cell in seeing):
            return join([str(unit) for unit in some])
    return ""


def _carried_over(names: Names, step: Deduction, own: tuple[int, ...], because: Because) -> str:
    """Say what a rule excludes from its cells, and so from cells that are equal to these."""
    truth, *equal = step.truths
    alone = _told_alone(names, truth, step._replace(truths=(truth,), excludes=own), because)
    here = {other.cell for other in equal}
    groups = [group for group in equal_cells(names.board) if here.issuperset(group)]
    said = [f"{names.cells(group)} are equal" for group in groups]
    carried = [candidate for candidate in step.excludes if candidate not in own]
    so = f"so {names.result(own, step.before)}"
    return f"{alone}; {so}; {' and '.join(said)}, so {names.result(carried, step.before)}"


def _settled(names: Names, step: Deduction, why_not: WhyNot, because: Because) -> str:
    """Say why a rule leaves a cell a single digit."""
    board, placed = names.board, step.places or 0
    cell = board.placements[placed].cell
    others = [
        candidate
        for candidate in candidates_of(step.truths[0].members & step.before)
        if board.placements[candidate].cell == cell and candidate != placed
    ]
    gone = step._replace(places=None, excludes=tuple(others))
    alone = _told_alone(names, step.truths[0], gone, because, cell)
    alone = "; ".join([alone, *_tell_lost(names, step, why_not)])
    result = f"{names.cell(cell)} is {names.digit(board.placements[placed].digit)}"
    return alone if alone.endswith(f" {result}") else f"{alone}; so {names.candidate(placed)}"


def _tell_lost(names: Names, step: Deduction, why_not: WhyNot) -> Iterator[str]:
    """Say which digits of a cage's combinations its settled cell lost before, and to what."""
    truth = step.truths[0]
    if not isinstance(truth.wider, Sets):
        return
    masks = masks_of(names, truth, step.before)
    kept = _sets_kept(truth.wider, masks)
    cell = names.board.placements[step.places or 0].cell
    lacking = digits_of(reduce(or_, kept, 0) & ~masks[cell])
    if 0 < len(lacking) <= _MOST_RESTS and len(kept) <= _MOST_SETS:
        reasons = why_not([Placement(cell, each) for each in lacking])
        yield f"{names.cell(cell)} cannot be {names.digits(lacking, 'or')}" + (
            f" ({reasons})" if reasons else ""
        )


def _told_clue(names: Names, step: Deduction) -> Iterator[str]:
    """Yield the sentence of a clue with several digits, and the cells that can hold them."""
    places: dict[tuple[int, ...], dict[int, None]] = {}
    cells: set[int] = set()
    for truth in step.truths:
        if not isinstance(truth.wider, Some):
            continue
        cells.update(truth.wider.cells)
        masks = masks_of(names, truth, step.before)
        able = tuple(cell for cell, digits in truth.wider.choices if masks[cell] & digits)
        if len(able) < len(truth.wider.choices):
            digits = digits_of(reduce(or_, (each for _, each in truth.wider.choices)))
            places.setdefault(able, {}).update(dict.fromkeys(digits))
    each = ", one in each cell" if len(cells) == len(step.truths) else ""
    yield f"{step.truths[0].wider.sentence if step.truths[0].wider else ''}{each}"
    for able, found in places.items():
        where = f"can only be in {names.cells(able, 'or')}" if able else "can be in none of them"
        yield f"{names.digits(found)} {where}"


def _told_along(names: Names, line: Line, step: Deduction) -> str:
    """Return the sentence of a line, or of the two cells that are compared."""
    members = sum(truth.members for truth in line.truths) & step.before
    pairs = pairs_that_exclude(names, step.excludes, members)
    needs = tell_needs_along(names, step, pairs)
    if line.rule is not None:
        sentence = line.rule.sentence(names.board.puzzle.geometry)
        if needs:
            return f"{sentence}: {needs}"
        masks = names.board.digits_in(step.before)
        cells = [truth.cell for truth in _needed_along(names, line, step)]
        left = [f"{names.cell(cell)} {names.may_be(masks[cell])}" for cell in cells]
        return f"{sentence}, and {join(left)}" if left else sentence
    said = tell_pairs(names, pairs)
    if needs and any(": " in each for each in said):
        # Clues with the pairs that follow from them, one after the other.
        return "; ".join([*said, needs])
    told = " and ".join(said)
    return (
        f"{told}: {needs}" if needs else ", and ".join([told, *_lacking_along(names, step, pairs)])
    )


# The most rounds of exclusions along a line to tell one after the other.
_MOST_ROUNDS = 3


def _so_along(names: Names, line: Line, step: Deduction) -> str:
    """Return the exclusions along a line in the order in which they follow from each other.

    Empty unless a cell, whose digits are told, first loses some of them.
    """
    links, left, gone = names.board.links, step.before, list(step.excludes)
    named = line.truths if line.rule is None else _needed_along(names, line, step)
    told: list[str] = []
    while gone and len(told) < _MOST_ROUNDS:
        cells = [truth.members & left for truth in line.truths]
        now = [each for each in gone if any(c and links[each] & c == c for c in cells)]
        if not now:
            return ""
        if not told and not any(t.members & mask_of(now) for t in named):
            return ""
        told.append(f"so {names.result(now, left)}")
        left &= ~mask_of(now)
        gone = [each for each in gone if each not in now]
    return "; ".join(told) if not gone and len(told) > 1 else ""


def _lacking_along(names: Names, step: Deduction, pairs: Sequence[Pair]) -> list[str]:
    """Return what two cells cannot be, or, if shorter, what they can."""
    lacking = tell_lacking(names, step, pairs)
    masks = names.board.digits_in(step.before)
    left = [f"{names.cell(t.cell)} {names.may_be(masks[t.cell])}" for t in step.truths]
    return left if sum(map(len, left)) < sum(map(len, lacking)) else lacking


def tell_together(names: Names, step: Deduction) -> Iterator[str]:
    """Yield the sentences of several truths: rules, then cells, then digits in units."""
    for truth in step.truths:
        if truth.wider is not None:
            left = ways_left(names, truth.wider, masks_of(names, truth, step.before))
            yield f"{truth.wider.sentence} ({left})" if left else truth.wider.sentence
    others = [truth for truth in step.truths if truth.wider is None]
    cells_with: dict[int, list[int]] = {}
    masks = names.board.digits_in(step.before)
    for truth in others:
        if truth.unit is None:
            cells_with.setdefault(masks.get(truth.cell, 0), []).append(truth.cell)
    for mask, cells in cells_with.items():
        yield f"{names.cells(cells)} {names.may_be(mask, len(cells))}"
    for unit, truths in groupby((t for t in others if t.unit), key=lambda truth: truth.unit):
        yield f"{unit} needs {names.digits(truth.digit for truth in truths)}"
    pairs = pairs_among(names, cells_of(names, step), step.before)
    yield from tell_pairs(names, needed_pairs(names.board, step, pairs) if pairs else [])


def cells_of(names: Names, step: Deduction) -> set[int]:
    """Return the cells of a step's rules and cell truths, and those that lose candidates."""
    cells = {names.board.placements[candidate].cell for candidate in step.excludes}
    for truth in step.truths:
        if truth.wider is not None:
            cells.update(truth.wider.cells)
        elif truth.unit is None:
            cells.add(truth.cell)
    return cells


def _told_alone(
    names: Names, truth: Truth, step: Deduction, because: Because, cell: int | None = None
) -> str:
    """Return the sentence of a rule with its remaining ways, or the bounds of its cells.

    `cell` is one that is left a single digit.

    If these do not explain the exclusions, sentences about pairs of its cells are added.
    """
    constraint = truth.wider
    assert constraint is not None
    if len(constraint.cells) == 1:
        # The sentence of such a sum is its result.
        return constraint.sentence
    masks = masks_of(names, truth, step.before)
    left = ways_left(names, constraint, masks)
    left += _place_in_ways(names, constraint, masks, step, cell) if left else ""
    is_told = isinstance(constraint, Sets) and not _may_hold(names, constraint, masks, step)
    if not left and isinstance(constraint, Total):
        left = Summed(names, constraint, masks).tell(step.excludes)
        is_told = bool(left)
    if isinstance(constraint, Sets):
        kept = _sets_kept(constraint, masks) if left else list(constraint.sets)
        rests = _tell_rests(names, constraint, step, kept)
        left = "; ".join(each for each in (left, rests) if each)
    if not left and isinstance(constraint, Machine):
        is_many = len(step.excludes) > _FEW_GONE
        left = tell_cases(names, constraint, masks, step) if is_many else ""
        left = left or because(truth, step.excludes)
        left = left or tell_cases(names, constraint, masks, step)
        left = left or tell_needed(names, constraint, masks, step)
        is_told = bool(left)
    left = left or _tell_remainders(names, constraint, step)
    if not left:
        left = because(truth, step.excludes)
        is_told = bool(left)
    told = f"{constraint.sentence}: {left}" if left else constraint.sentence
    if is_told:
        return told
    pairs = tell_pairs(names, pairs_among(names, cells_of(names, step), step.before))
    other = _other_of_two(names, constraint, masks) if isinstance(constraint, Some) else ""
    return "; ".join([told, *pairs]) + (other if len(pairs) == 1 else "")


def _other_of_two(names: Names, some: Some, masks: Mapping[int, int]) -> str:
    """Return what the other of two cells is if one has the digit; empty if a rule does not say."""
    able = [(cell, masks[cell] & digits) for cell, digits in some.choices if masks[cell] & digits]
    digits = reduce(or_, (mask for _, mask in able), 0)
    if len(able) != 2 or digits.bit_count() != 1:
        return ""
    digit, number_of = digits.bit_length() - 1, names.board.number_of
    others = {
        partners_of(names, number_of[Placement(cell, digit)], other) & ~digits
        for (cell, _), (other, _) in (able, able[::-1])
    }
    if len(others) > 1 or not 0 < max(others).bit_count() <= _MOST_COUNTED:
        return ""
    return f", so one of them is {names.digit(digit)} and the other {_or(names, max(others))}"


def ways_left(
    names: Names, constraint: Wider, masks: Mapping[int, int], said: Collection[int] = ()
) -> str:
    """Return the sets of digits left for the cells, or the ways to fill them; empty if many.

    Of the filled cells, those whose digits were said before are not named again.
    """
    if isinstance(constraint, Either):
        constraint = _as_some(constraint) or constraint
    if isinstance(constraint, Some):
        return _places_left(names, constraint, masks)
    if isinstance(constraint, Total) and counts(constraint):
        return _counted_left(names, constraint, masks)
    return combinations_left(names, constraint, masks) or _fillings_left(
        names, constraint, masks, said
    )


def _as_some(either: Either) -> Some | None:
    """Return a choice between digits of several cells as such; None if it is another choice."""
    found: dict[int, int] = {}
    for first, *others in either.choices:
        if others or not isinstance(first, Allowed) or first.cell in found:
            return None
        found[first.cell] = first.digits
    return Some(tuple(found.items()), either.sentence)


def _places_left(names: Names, some: Some, masks: Mapping[int, int]) -> str:
    """Return the cells that can still hold a digit that one of several cells must hold."""
    if len({digits for _, digits in some.choices}) > 1:
        return _choices_left(names, some, masks)
    able = [cell for cell, digits in some.choices if masks[cell] & digits]
    if not able:
        return "none of them can"
    wanted = some.choices[0][1]
    kept = wanted & reduce(or_, (masks[cell] for cell in able))
    if len(able) == len(some.choices) and kept == wanted:
        return ""
    others = _required_twice(names, some)
    where = f"besides {names.cells(others, 'or')}, " if others else ""
    if kept != wanted:
        left = f"{_or(names, kept)} {'is' if kept.bit_count() == 1 else 'are'} left"
        is_told = ", ".join(map(names.digit, digits_of(wanted))) in some.sentence
        of_these = "" if is_told else f"of {names.digits(digits_of(wanted))} "
        return f"{where}{of_these}only {left}, in {names.cells(able, 'or')}"
    return f"{where}only {names.cells(able, 'or')} can be {_or(names, kept)}"


def _or(names: Names, mask: int) -> str:
    return names.digits(digits_of(mask), "or")


def _choices_left(names: Names, some: Some, masks: Mapping[int, int]) -> str:
    """Return which cells cannot hold what a choice wants, and what the others leave."""
    lost = [(cell, digits) for cell, digits in some.choices if not masks[cell] & digits]
    left = [(cell, digits) for cell, digits in some.choices if masks[cell] & digits]
    if not lost or not left:
        return ""
    kept = [f"{names.cell(cell)} {names.may_be(digits)}" for cell, digits in left]
    return f"{choices_lost(names, lost, masks)}, so {join(kept, 'or')}"


def choices_lost(names: Names, choices: Sequence[tuple[int, int]], masks: Mapping[int, int]) -> str:
    """Return that each of these cells can hold none of its digits, or which digits it can."""
    told = []
    for cell, digits in choices:
        is_shorter = 0 < masks[cell].bit_count() < min(digits.bit_count(), _MOST_COUNTED)
        be = names.may_be(masks[cell]) if is_shorter else f"cannot be {_or(names, digits)}"
        told.append(f"{names.cell(cell)} {be}")
    return join(told)


def _required_twice(names: Names, some: Some) -> set[int]:
    """Return the other cells of a clue that requires a digit more than once.

    Such a clue is stated once for each choice of as many of its cells.
    """
    alike = [
        wider
        for wider in names.board.puzzle.constraints.wider
        if isinstance(wider, Some)
        and wider.sentence == some.sentence
        and {digits for _, digits in wider.choices} == {some.choices[0][1]}
    ]
    cells = {cell for wider in alike for cell in wider.cells}
    is_clue = len(alike) == comb(len(cells), len(some.cells))
    return cells - {*some.cells} if is_clue else set()


def _counted_left(names: Names, counted: Total, masks: Mapping[int, int]) -> str:
    """Return the cells that can hold a counted digit, if they are just as many as needed."""
    worths = dict(zip(counted.cells, counted.worths, strict=True))
    able = [c for c in counted.cells if any(worths[c][digit] for digit in digits_of(masks[c]))]
    digits = sorted({d for each in counted.worths for d, worth in enumerate(each) if d and worth})
    be = f" be {names.digits(digits, 'or')}" if len(digits) <= _MOST_COUNTED else ""
    if len(able) == counted.low < len(counted.cells):
        return f"only {names.cells(able)} can{be}"
    sure = [c for c in able if all(worths[c][digit] for digit in digits_of(masks[c]))]
    if sure and len(sure) == counted.high:
        if be:
            verb = "is" if len(sure) == 1 else "are"
            return f"{names.cells(sure)} {verb} {be.removeprefix(' be ')} already"
        return f"{names.cells(sure)} {'does' if len(sure) == 1 else 'do'} so already"
    return ""


def masks_of(names: Names, truth: Truth, before: int) -> dict[int, int]:
    """Return the digits left in each cell of a rule, as a mask; for a given that digit alone."""
    assert truth.wider is not None
    board = names.board
    digits = board.puzzle.grid.digits
    given = {cell: 1 << digits[cell] & ~1 for cell in truth.wider.cells}
    return given | board.digits_in(truth.members & (before | board.givens))


def combinations_left(names: Names, constraint: Wider, masks: Mapping[int, int]) -> str:
    """Return as text the combinations that a cage can hold with the digits left in its cells."""
    if not isinstance(constraint, Sets):
        return ""
    return _only(names, [digits_of(each) for each in _sets_kept(constraint, masks)])


def _sets_kept(constraint: Sets, masks: Mapping[int, int]) -> list[int]:
    """Return the combinations of a cage that its cells can hold, as masks."""
    in_turn = sorted((masks[cell] for cell in constraint.cells), key=int.bit_count)
    return [each for each in constraint.sets if can_fill(in_turn, each)]


# The most excluded digits of a cage whose rests (the digits for the other cells) are named, and the
# most sets of such a rest.
_MOST_RESTS, _MOST_SETS_OF_REST = 3, 4


def _tell_rests(names: Names, cage: Sets, step: Deduction, sets: Sequence[int]) -> str:
    """Say which digits the other cells of a cage would need beside each excluded digit, and lack.

    Digits in none of the sets need no such reason.
    """
    every = reduce(or_, sets, 0)
    placements = [names.board.placements[candidate] for candidate in step.excludes]
    gone = [(cell, digit) for cell, digit in placements if every >> digit & 1]
    if not {cell for cell, _ in gone} <= {*cage.cells}:
        return ""
    masks = masks_of(names, step.truths[0], step.before)
    if needed := _needed_in_few(names, {c: masks[c] for c in cage.cells}, sets, gone):
        return needed
    # By the reason why the others cannot hold a rest, the digits that need it, and their cells.
    ways: dict[str, dict[tuple[int, str], list[int]]] = {}
    for cell, digit in gone:
        rests = [each ^ 1 << digit for each in sets if each >> digit & 1]
        others = {c: masks[c] for c in cage.cells if c != cell}
        needed, why = _tell_rest(names, others, rests)
        if not needed:
            return ""
        ways.setdefault(why, {}).setdefault((digit, needed), []).append(cell)
    if sum(map(len, ways.values())) > _MOST_RESTS:
        return ""
    told = []
    for why, by_digit in ways.items():
        who, with_each = "the other" + "s" * (len(cage.cells) > 2), []
        for (digit, needed), cells in by_digit.items():
            here = f"{names.digit(digit)} in {names.cells(cells, 'or')}"
            with_each.append(f"with {here} {who} would {needed}")
            who = "they"
        told.append(f"{join(with_each)}{why}")
    return "; ".join(told)


# The most digits of a cage, left in as many of its cells, to look for.
_MOST_TOGETHER = 3


def _needed_in_few(
    names: Names, masks: Mapping[int, int], sets: Sequence[int], gone: Sequence[tuple[int, int]]
) -> str:
    """Say which digits every combination has that only as many cells can hold.

    Empty unless this excludes all that is gone.
    """
    cells, digits = {cell for cell, _ in gone}, mask_of(digit for _, digit in gone)
    common = digits_of(reduce(and_, sets) & ~digits) if gone and sets else []
    for count in range(1, _MOST_TOGETHER + 1):
        for some in combinations(common, count):
            able = [cell for cell, mask in masks.items() if mask & mask_of(some)]
            if len(able) == count and cells <= {*able}:
                has = names.one(some[0]) if count == 1 else names.digits(some)
                return f"each combination has {has}, which only {names.cells(able)} can be"
    return ""


def _tell_rest(names: Names, others: Mapping[int, int], rests: Sequence[int]) -> tuple[str, str]:
    """Return what some cells would be, as they need one of some sets, and why they cannot be it.

    Empty if that is long, or if the digits left in the cells allow one of the sets.
    """
    in_turn = sorted(others.values(), key=int.bit_count)
    if any(can_fill(in_turn, rest) for rest in rests):
        return "", ""
    listed = [_only(names, [digits_of(rest)]).removeprefix("only ") for rest in rests]
    if len(rests) > _MOST_SETS_OF_REST:
        able = reduce(or_, others.values())
        lacking = _or(names, _lacked_by_all(rests, able))
        return (f"need {lacking}", f", but none of them can be {lacking}") if lacking else ("", "")
    why = _why_no_rest(names, others, rests)
    if why:
        return f"be {join(listed, 'or')}", why
    each = [
        f"{text} ({_why_no_rest(names, others, [rest]).removeprefix(', but ')})"
        for text, rest in zip(listed, rests, strict=True)
    ]
    return f"be {join(each, 'or')}", ""


def _lacked_by_all(rests: Sequence[int], able: int) -> int:
    """Return digits, one of which each set has, that are not among those of a mask; 0 if none."""
    lacking = [rest & ~able for rest in rests]
    if not all(lacking):
        return 0
    common = reduce(and_, lacking)
    return common & -common or reduce(or_, [each & -each for each in lacking])


def _why_no_rest(names: Names, others: Mapping[int, int], rests: Sequence[int]) -> str:
    """Return why some cells can hold none of these sets of digits; empty without a single reason.

    For one set there always is a reason: too few digits for some of the cells (Hall's theorem).
    """
    if len(others) == 1:
        return ", which it cannot be"
    lacking = _lacked_by_all(rests, reduce(or_, others.values()))
    if lacking:
        return f", but none of them can be {_or(names, lacking)}"
    every = reduce(or_, rests)
    empty = [cell for cell, mask in others.items() if not mask & every]
    if empty:
        none = "neither" if every.bit_count() == 2 else "none of these"
        return f", but {names.cell(empty[0])} can be {none}"
    for few in range(2, len(others) if len(rests) == 1 else 0):
        for cells in combinations(others, few):
            left = reduce(or_, (others[cell] for cell in cells)) & every
            if left.bit_count() < few:
                if few == 2:
                    return f", but {names.cells(cells)} would both be {_or(names, left)}"
                return f", but of these {names.cells(cells)} can be only {_or(names, left)}"
    return ""


# Most cells of a sum of which each is told what it can be.
_MOST_OTHERS = 4


def _tell_remainders(names: Names, constraint: Wider, step: Deduction) -> str:
    """Say what the other cells of a plain sum would have to sum to beside each excluded digit."""
    gone = names.board.digits_in(mask_of(step.excludes))
    if not gone.keys() <= {*constraint.cells} or not 0 < len(gone) <= _MOST_RESTS:
        return ""
    more = lowest_of(names.board.puzzle.rules) - 1
    if isinstance(constraint, Sets):
        amounts = {sum(digit + more for digit in digits_of(each)) for each in constraint.sets}
        steps = {1}
    elif isinstance(constraint, Total):
        # Convert the bounds to a sum in which the worth of each digit is its number.
        amounts = {constraint.low, constraint.high}
        amounts = {each - sum(w[1] - 1 - more for w in constraint.worths) for each in amounts}
        steps = {w[2] - w[1] if _is_even(w) else 0 for w in constraint.worths}
    else:
        return ""
    if len(amounts) != 1 or steps != {1}:
        return ""
    if len(step.excludes) == 1 and len(constraint.cells) <= _MOST_OTHERS:
        return _tell_remainder(names, constraint, step, max(amounts) - more)
    cells_with: dict[int, list[int]] = {}
    for cell, mask in gone.items():
        cells_with.setdefault(mask, []).append(cell)
    told = []
    for mask, cells in cells_with.items():
        here = f"with {names.digits(digits_of(mask), 'or')} in {names.cells(cells, 'or')}"
        rests = [str(max(amounts) - digit - more) for digit in digits_of(mask)]
        told.append(f"{here} the others would come to {join(rests, 'or')}, which they cannot")
    return join(told)


def _tell_remainder(names: Names, rule: Wider, step: Deduction, total: int) -> str:
    """Say what the other cells of a sum would come to beside an excluded digit, and can be."""
    (candidate,) = step.excludes
    cell, digit = names.board.placements[candidate]
    masks = masks_of(names, step.truths[0], step.before & ~names.board.links[candidate])
    cells_with: dict[int, list[int]] = {}
    for other in rule.cells:
        if other != cell:
            cells_with.setdefault(masks[other], []).append(other)
    can = [f"{names.cells(c)} {names.may_be(mask, len(c))}" for mask, c in cells_with.items()]
    here = f"with {names.digit(digit)} in {names.cell(cell)}"
    return f"{here} the others would come to {total - digit}, but {join(can)}"


def _may_hold(names: Names, cage: Sets, masks: Mapping[int, int], step: Deduction) -> bool:
    """Whether the combinations alone would allow a candidate that the step excludes."""
    for cell, digit in (names.board.placements[candidate] for candidate in step.excludes):
        others = [masks[other] for other in cage.cells if other != cell]
        rest = (each ^ 1 << digit for each in cage.sets if each >> digit & 1)
        if cell not in masks or any(can_fill(others, each) for each in rest):
            return True
    return False


def _only(names: Names, ways: Sequence[Sequence[int]], most: int = _MOST_SETS) -> str:
    """Return sets as people write them beside a cage, `only 124 or 235`; empty if many."""
    if not 0 < len(ways) <= most:
        return ""
    between = "" if names.board.puzzle.geometry.size <= _MOST_ONE_SIGN else "-"
    return f"only {join([between.join(map(names.digit, way)) for way in ways], 'or')}"


def _fillings_left(
    names: Names, constraint: Wider, masks: Mapping[int, int], said: Collection[int]
) -> str:
    """Return the ways to fill the open cells if few, in the order of the cells if that matters."""
    cells, ways = _ways_to_fill(names, constraint, masks)
    here = ",".join(map(names.cell, cells))
    before = _tell_filled(names, constraint, masks, said) if ways and cells else ""
    if len(cells) == 1 and len(ways) == 1:
        return f"{before}{here} is {names.digits(next(iter(ways)))}"
    # If all orders of each set of digits are among the ways, the sets are enough.
    combinations = {tuple(sorted(way)) for way in ways}
    is_any_order = len(ways) > 1 and all(
        other in ways for way in combinations for other in permutations(way)
    )
    only = _only(names, sorted(combinations if is_any_order else ways))
    order = ", in any order" if is_any_order and len({*next(iter(ways))}) > 1 else ""
    return only and f"{before}{here} {'is' if len(cells) == 1 else 'are'} {only}{order}"


def _ways_to_fill(
    names: Names, constraint: Wider, masks: Mapping[int, int]
) -> tuple[list[int], set[tuple[int, ...]]]:
    """Return the open cells of a sum or machine, and the ways to fill them; none if very many."""
    cells = list(masks)
    if prod(mask.bit_count() for mask in masks.values()) > _MOST_FILLINGS:
        return [], set()
    kept = [
        filling
        for filling in _every_filling(names, masks)
        if _is_kept(constraint, dict(zip(cells, filling, strict=True)))
    ]
    is_open = [place for place, cell in enumerate(cells) if masks[cell] & (masks[cell] - 1)]
    ways = {tuple(filling[place] for place in is_open) for filling in kept}
    return [cells[place] for place in is_open], ways


# From how many cells on the place of a digit is named in the ways to fill them, and of how many
# excluded digits at most.
_FEWEST_IN_WAYS, _MOST_GONE = 3, 3


def _place_in_ways(
    names: Names, constraint: Wider, masks: Mapping[int, int], step: Deduction, cell: int | None
) -> str:
    """Return what the ways to fill many cells have in common: `, each with 1 in r4c9`."""
    is_sum = isinstance(constraint, Total) and not counts(constraint)
    is_of_ways = is_sum or isinstance(constraint, Machine)
    cells, ways = _ways_to_fill(names, constraint, masks) if is_of_ways else ([], {()})
    if not 1 < len(ways) <= _MOST_SETS or len(cells) < _FEWEST_IN_WAYS:
        return ""
    if cell is not None:
        digits = {way[cells.index(cell)] for way in ways} if cell in cells else set()
        return f", each with {names.digits(digits)} in {names.cell(cell)}" * (len(digits) == 1)
    gone = names.board.digits_in(mask_of(step.excludes))
    if len(step.excludes) > _MOST_GONE or not gone.keys() <= {*cells}:
        return ""
    told = [f"{names.digits(digits_of(m), 'or')} in {names.cell(c)}" for c, m in gone.items()]
    return f", none with {join(told, 'or')}"


def _tell_filled(
    names: Names, constraint: Wider, masks: Mapping[int, int], said: Collection[int]
) -> str:
    """Return what is in the filled cells of a sum or machine, as the beginning of a sentence.

    Of many cells of a sum only their sum is named, or what they leave for the open ones.
    """
    filled = {c: digits_of(mask)[0] for c, mask in masks.items() if mask.bit_count() == 1}
    untold = [cell for cell in filled if cell not in said]
    if not untold:
        return ""
    if len(untold) <= _MOST_TOLD:
        told = [f"{names.cell(cell)}={names.digit(filled[cell])}" for cell in untold]
        return f"with {join(told)}, "
    if isinstance(constraint, Machine):
        between = "" if names.board.puzzle.geometry.size <= _MOST_ONE_SIGN else "-"
        return f"with {between.join(map(names.digit, filled.values()))} in its filled cells, "
    if not isinstance(constraint, Total):
        return ""
    worths = dict(zip(constraint.cells, constraint.worths, strict=True))
    total = sum(worths[cell][digit] for cell, digit in filled.items())
    if len({*constraint.worths}) == 1:
        return f"with {total} in its filled cells, "
    kinds = {worths[cell] for cell in worths if cell not in filled}
    least = lowest_of(names.board.puzzle.rules)
    for sign in (1, -1):
        is_plain = {tuple(each[1:3]) for each in kinds} == {(sign * least, sign * (least + 1))}
        if is_plain and constraint.low == constraint.high:
            return f"with {sign * (constraint.low - total)} left by its filled cells, "
    return ""


def _every_filling(names: Names, masks: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to fill cells that units and pair constraints allow."""
    constraints = names.board.puzzle.constraints
    differ = differing(constraints)
    cells = list(masks)
    # The masks of digits that a digit in an earlier cell excludes from a later one.
    said = [
        (one, other, excludes)
        for pair in constraints.pairs
        if pair.first in masks and pair.second in masks
        for one, other, excludes in pair.both_ways()
    ]

    def extend(filling: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(filling) == len(cells):
            yield filling
            return
        cell, known = cells[len(filling)], dict(zip(cells, filling, strict=False))
        allowed = masks[cell]
        for other in differ[cell] & known.keys():
            allowed &= ~(1 << known[other])
        for one, other, excludes in said:
            if other == cell and one in known:
                allowed &= ~excludes[known[one]]
        for digit in digits_of(allowed):
            yield from extend((*filling, digit))

    return extend(())


def _is_kept(constraint: Wider, digits: Mapping[int, int]) -> bool:
    """Whether a filling satisfies a sum or a machine; False for all other constraints."""
    if isinstance(constraint, Total):
        cells = zip(constraint.cells, constraint.worths, strict=True)
        worth = sum(worths[digits[cell]] for cell, worths in cells)
        return constraint.low <= worth <= constraint.high
    if isinstance(constraint, Machine):
        state = 0
        for cell, layer in zip(constraint.cells, constraint.layers, strict=True):
            state = layer[state][digits[cell]]
            if state < 0:
                return False
        return True
    return False
