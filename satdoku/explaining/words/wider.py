"""Steps that follow from cages, arrows and other wider truths, and from lines, in words."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from math import prod
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.encoding.wider.machines import live_states
from satdoku.errors import join
from satdoku.explaining.board import Block, Truth, candidates_of
from satdoku.explaining.needed import needed_pairs
from satdoku.explaining.step import Step, Technique
from satdoku.explaining.techniques.wider import Line, PairsAlong, is_told_along, told_line
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import (
    Machine,
    Masks,
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
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.rule import Rule

# What the cells of a sum come to, and what that leaves for each of them, in words.

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


# Which cells of a line that is read in order have lost what matters to a step, in words.

# What more cells than this have left nobody keeps in mind beside a line.
_MOST_CELLS_OF_MACHINES = 4


def tell_needed(names: Names, machine: Machine, masks: Mapping[int, int], step: Step) -> str:
    """What is left of the cells that take part in excluding something; empty for too many.

    A cell takes part where more would be possible if it had all digits. Whether digits may repeat
    is left out here, so what rests on that is not told.
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
    # What a cell loses it has left before.
    needed = [cell for cell in needed if masks[cell] != every]
    if len(needed) > _MOST_CELLS_OF_MACHINES:
        return ""
    return join([f"{names.cell(c)} {names.may_be(masks[c])}" for c in needed]) if needed else ""


def _possible(machine: Machine, masks: Mapping[int, int]) -> dict[int, int]:
    """The digits of each cell with which a machine reads its line to the end."""
    digits = [digits_of(masks[cell]) for cell in machine.cells]
    live = live_states(machine, digits)
    return {
        cell: mask_of(d for d in digits[n] if any(layer[s][d] in live[n + 1] for s in live[n]))
        for n, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True))
    }


# What rules say of one cell, or of two at a time, in words: dots, odd cells, moves of chess.

# So many pairs are named one by one; of more, or of more along a line, the rule is named.
_MOST_PAIRS, _MOST_ALONG = 4, 2


def pairs_among(names: Names, cells: Collection[int], left: int) -> list[Pair]:
    """What is said of two of these cells, where that excludes anything of what is left of them."""
    masks = names.board.digits_in(left)
    here = masks.keys() & set(cells)
    return [
        pair
        for pair in names.board.puzzle.constraints.pairs
        if pair.first in here
        and pair.second in here
        and _excludes(pair.excludes, masks[pair.first], masks[pair.second])
    ]


def pairs_that_exclude(names: Names, excludes: Collection[int], members: int) -> list[Pair]:
    """What is said of two cells and excludes some candidates, beside others of which one holds."""
    holding, gone = map(names.board.digits_in, (members, mask_of(excludes)))
    return [
        pair
        for pair in names.board.puzzle.constraints.pairs
        if any(
            _excludes(masks, holding.get(one, 0), gone.get(other, 0))
            for one, other, masks in pair.both_ways()
        )
    ]


def tell_pairs(names: Names, pairs: Collection[Pair]) -> list[str]:
    """What pairs say, each by itself; of many the rule that they come from."""
    geometry = names.board.puzzle.geometry
    told: dict[str, None] = {}
    for rule in names.board.puzzle.rules if pairs else ():
        said = _said_by(rule, geometry)
        own = [pair for pair in pairs if (pair.first, pair.second, pair.sentence) in said]
        if len(own) > (_MOST_ALONG if isinstance(rule, PairsAlong) else _MOST_PAIRS):
            told[rule.sentence(geometry)] = None
        else:
            cells = ((pair.sentence, map(names.cell, pair[:2])) for pair in own)
            told |= dict.fromkeys(sentence.format(*both) for sentence, both in cells)
    return list(told)


def say_pair(names: Names, pair: Pair) -> str:
    """Return the sentence of a pair with the names of its cells."""
    return pair.sentence.format(*map(names.cell, pair[:2]))


def tell_block(names: Names, block: Block, digits: Sequence[int]) -> str:
    """Return what a pair says and what its filled cell holds: all that the block rests on."""
    assert block.pair is not None, "what two cells of a unit exclude takes no sentence"
    holds = f"{names.cell(block.cell)} is {names.digit(digits[block.cell])}"
    return f"{say_pair(names, block.pair)}, and {holds}"


def said_of_cell(names: Names, place: Placement) -> str:
    """Return the sentence of the rule by which a cell never holds a digit, open for its name.

    Empty where no rule about this cell alone says so.
    """
    for allowed in names.board.puzzle.constraints.allowed:
        if allowed.cell == place.cell and not allowed.digits >> place.digit & 1:
            return allowed.sentence
    return ""


def _excludes(masks: Masks, digits: int, others: int) -> bool:
    """Whether some of these digits exclude some of the others."""
    return any(masks[digit] & others for digit in digits_of(digits))


@lru_cache(maxsize=1024)
def _said_by(rule: Rule, geometry: Geometry) -> frozenset[tuple[int, int, str]]:
    """The cells of the pairs that a rule states, with what it says of them."""
    return frozenset(
        (each.first, each.second, each.sentence)
        for each in rule.constraints(geometry)
        if isinstance(each, Pair)
    )


# More combinations than this are a table.
_MOST_SETS = 6

# So many fillings of the open cells are gone through in search of those that are left; a cage of
# four cells with six digits each has 1296.
_MOST_FILLINGS = 2000

# Of a cell of a line that has more digits left than this, and no range of them, what goes is told.
_MOST_DIGITS = 4

# Digits from 10 on have two signs, so that a list of them needs something between.
_MOST_ONE_SIGN = 9


def describe_wider(names: Names, step: Step) -> str:
    """What the truths say, what is left of them, and what that excludes."""
    so = f"so {names.without(step.excludes)}"
    if step.technique is Technique.TOGETHER:
        told = dict.fromkeys(_told_together(names, step))
        return f"{'; '.join(told)}; taken together, {so}"
    if is_told_along(step):
        return f"{_told_along(names, told_line(names.board, step), step)}; {so}"
    (truth,) = step.truths
    is_beyond = not any(truth.members >> candidate & 1 for candidate in step.excludes)
    alone = _told_alone(names, truth, step)
    return f"{alone}; {'whichever way that is, ' if is_beyond else ''}{so}"


def _told_along(names: Names, line: Line, step: Step) -> str:
    """What a line says, and what that leaves of the cells that lose something."""
    gone = sum(1 << candidate for candidate in step.excludes)
    told = []
    for truth, possible in zip(line.truths, line.possible(names.board, step.before), strict=True):
        if truth.members & gone:
            digits = mask_of(names.board.placements[c].digit for c in candidates_of(possible))
            words = names.may_be(digits)
            if digits.bit_count() <= _MOST_DIGITS or " to " in words:
                told.append(f"{names.cell(truth.cell)} {words}")
    if line.rule is None:
        members = sum(truth.members for truth in line.truths) & step.before
        pairs = pairs_that_exclude(names, step.excludes, members)
        said = " and ".join(tell_pairs(names, pairs))
    else:
        said = line.rule.sentence(names.board.puzzle.geometry)
    return f"{said}: {join(told)}" if told else said


def _told_together(names: Names, step: Step) -> Iterator[str]:
    """What several truths say: rules first, then cells, then the digits of a unit at once."""
    for truth in step.truths:
        if truth.wider is not None:
            left = _ways_left(names, truth.wider, _masks_of(names, truth, step.before))
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
    pairs = pairs_among(names, _cells_of(names, step), step.before)
    yield from tell_pairs(names, needed_pairs(names.board, step, pairs) if pairs else [])


def _cells_of(names: Names, step: Step) -> set[int]:
    """The cells of the rules and cells that a step rests on, and those that lose candidates."""
    cells = {names.board.placements[candidate].cell for candidate in step.excludes}
    for truth in step.truths:
        if truth.wider is not None:
            cells.update(truth.wider.cells)
        elif truth.unit is None:
            cells.add(truth.cell)
    return cells


def _told_alone(names: Names, truth: Truth, step: Step) -> str:
    """What a rule says, and what is left of it: its ways, or the bounds of its cells.

    Where none of that tells why something goes, what is said of two of its cells takes part.
    """
    constraint = truth.wider
    assert constraint is not None
    if len(constraint.cells) == 1:
        # What such a sum leaves is what it says.
        return constraint.sentence
    masks = _masks_of(names, truth, step.before)
    left = _ways_left(names, constraint, masks)
    is_told = isinstance(constraint, Sets) and not _may_hold(names, constraint, masks, step)
    if not left and isinstance(constraint, Total):
        left = Summed(names, constraint, masks).tell(step)
        is_told = bool(left)
    if not left and isinstance(constraint, Machine):
        left = tell_needed(names, constraint, masks, step)
        is_told = bool(left)
    told = f"{constraint.sentence}: {left}" if left else constraint.sentence
    if is_told:
        return told
    pairs = pairs_among(names, _cells_of(names, step), step.before)
    return "; ".join([told, *tell_pairs(names, pairs)])


def _ways_left(names: Names, constraint: Wider, masks: Mapping[int, int]) -> str:
    """The sets of digits that are left to the cells, or the ways to fill them; empty if many."""
    if isinstance(constraint, Some):
        return _places_left(names, constraint, masks)
    return _sets_left(names, constraint, masks) or _fillings_left(names, constraint, masks)


def _places_left(names: Names, some: Some, masks: Mapping[int, int]) -> str:
    """The cells that can still hold what one of several has to."""
    able = [cell for cell, digits in some.choices if masks[cell] & digits]
    if not able:
        return "none of them can"
    return f"only {names.cells(able, 'or')} can" if len(able) < len(some.choices) else ""


def _masks_of(names: Names, truth: Truth, before: int) -> dict[int, int]:
    """The digits that each cell of a wider truth has left, givens among them."""
    assert truth.wider is not None
    board = names.board
    digits = board.puzzle.grid.digits
    given = {cell: 1 << digits[cell] & ~1 for cell in truth.wider.cells}
    return given | board.digits_in(truth.members & (before | board.givens))


def _sets_left(names: Names, constraint: Wider, masks: Mapping[int, int]) -> str:
    """The combinations that the cells of a cage can hold with the digits that they have left."""
    if not isinstance(constraint, Sets):
        return ""
    cells = sorted(constraint.cells, key=lambda cell: masks[cell].bit_count())
    possible = [each for each in constraint.sets if _can_hold([masks[c] for c in cells], each)]
    return _only(names, [digits_of(each) for each in possible])


def _may_hold(names: Names, cage: Sets, masks: Mapping[int, int], step: Step) -> bool:
    """Whether combinations alone leave a candidate that a step excludes."""
    for cell, digit in (names.board.placements[candidate] for candidate in step.excludes):
        others = [masks[other] for other in cage.cells if other != cell]
        rest = (each ^ 1 << digit for each in cage.sets if each >> digit & 1)
        if cell not in masks or any(_can_hold(others, each) for each in rest):
            return True
    return False


def _only(names: Names, ways: Sequence[Sequence[int]]) -> str:
    """`only 124 or 235`: digits as people write them beside a cage; empty where there are many."""
    if not 0 < len(ways) <= _MOST_SETS:
        return ""
    between = "" if names.board.puzzle.geometry.size <= _MOST_ONE_SIGN else "-"
    return f"only {join([between.join(map(names.digit, way)) for way in ways], 'or')}"


def _can_hold(masks: Sequence[int], digits: int) -> bool:
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


def _fillings_left(names: Names, constraint: Wider, masks: Mapping[int, int]) -> str:
    """The ways to fill the open cells where there are few; in their order, where that matters."""
    cells = list(masks)
    if prod(mask.bit_count() for mask in masks.values()) > _MOST_FILLINGS:
        return ""
    kept = [
        filling
        for filling in _every_filling(names, masks)
        if _is_kept(constraint, dict(zip(cells, filling, strict=True)))
    ]
    is_open = [place for place, cell in enumerate(cells) if masks[cell] & (masks[cell] - 1)]
    ways = {tuple(filling[place] for place in is_open) for filling in kept}
    here = ",".join(names.cell(cells[place]) for place in is_open)
    filled = _sum_of_filled(constraint, masks)
    before = f"with {filled} in its filled cells, " if filled else ""
    if len(is_open) == 1 and len(ways) == 1:
        return f"{before}{here} is {names.digits(next(iter(ways)))}"
    # Digits without their order say it all where each order of them is among the ways.
    combinations = {tuple(sorted(way)) for way in ways}
    is_any_order = len(ways) > 1 and all(
        other in ways for way in combinations for other in permutations(way)
    )
    only = _only(names, sorted(combinations if is_any_order else ways))
    order = ", in any order" if is_any_order else ""
    return only and f"{before}{here} {'is' if len(is_open) == 1 else 'are'} {only}{order}"


def _sum_of_filled(constraint: Wider, masks: Mapping[int, int]) -> int:
    """What the filled cells of a sum come to, where its cells just count; else nothing."""
    if not isinstance(constraint, Total) or len(set(constraint.worths)) > 1:
        return 0
    filled = (digits_of(masks[cell]) for cell in constraint.cells)
    return sum(constraint.worths[0][digits[0]] for digits in filled if len(digits) == 1)


def _every_filling(names: Names, masks: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """All ways to fill cells that units and what is said of two cells allow."""
    constraints = names.board.puzzle.constraints
    differ = differing(constraints)
    cells = list(masks)
    # What a digit of an earlier cell excludes from a later one.
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
    """Whether a filling keeps a constraint; what has no words of its own is not gone through."""
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
