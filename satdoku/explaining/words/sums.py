"""Steps that follow from cages, arrows and other wider truths, and from lines, in words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, permutations
from math import prod

from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.needed import needed_pairs
from satdoku.explaining.step import Step, Technique
from satdoku.explaining.techniques.lines import Line, is_told_along, told_line
from satdoku.explaining.words.bounds import Summed
from satdoku.explaining.words.machines import tell_needed
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.pairs import pairs_among, pairs_that_exclude, tell_pairs
from satdoku.puzzle.constraints import (
    Machine,
    Sets,
    Some,
    Total,
    Wider,
    differing,
    digits_of,
    mask_of,
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
