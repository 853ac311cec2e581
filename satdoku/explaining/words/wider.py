"""Sentences for steps that follow from cages, arrows and other rules, alone or together."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, groupby
from operator import or_

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.step import Deduction
from satdoku.explaining.supposing import needed_pairs
from satdoku.explaining.techniques.compared import equal_cells
from satdoku.explaining.techniques.wider import Line, is_told_along, told_line
from satdoku.explaining.words.cases import needed_along, tell_cases, tell_needed
from satdoku.explaining.words.compared import (
    pairs_among,
    pairs_that_exclude,
    partners_of,
    tell_lacking,
    tell_needs_along,
    tell_pairs,
)
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.sums import MOST_COUNTED, Summed
from satdoku.explaining.words.ways import (
    MOST_RESTS,
    MOST_SETS,
    masks_of,
    may_hold,
    or_digits,
    place_in_ways,
    sets_kept,
    tell_remainders,
    tell_rests,
    ways_left,
)
from satdoku.puzzle.constraints import (
    Machine,
    Pair,
    Sets,
    Some,
    Total,
    digits_of,
    mask_of,
)

# Of how many excluded digits of a clue each has its reason told, rather than the clue's cases.
_FEW_GONE = 4

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
        return f"{_with_seen(names, step, told)}; {so}"
    truth = step.truths[0]
    own = tuple(c for c in step.excludes if truth.members >> c & 1)
    if own and len(own) < len(step.excludes):
        return _carried_over(names, step, own, because)
    reason = "" if own else because(truth, step.excludes)
    if reason:
        return f"{names.truth(truth)}: {_with_seen(names, step, reason)}; {so}"
    alone = _told_alone(names, truth, step, because)
    if own:
        return f"{alone}; {so}"
    told = _with_seen(names, step, alone)
    return f"{told}; {'so' if told != alone else 'whichever way that is,'} {result}"


# The most groups of cells that lose a digit to the same cells of a rule.
_MOST_SEEN = 2


def _with_seen(names: Names, step: Deduction, reason: str) -> str:
    """Add to a reason which cells of a rule are seen by those that lose a digit to them.

    The reason is unchanged if that is long. If it ends with these cells, they are not named again.
    """
    board, members = names.board, reduce(or_, (truth.members for truth in step.truths))
    rules = [truth.wider for truth in step.truths if truth.wider]
    if mask_of(step.excludes) & members:
        return reason
    by_seen: dict[tuple[int, ...], dict[int, None]] = {}
    for candidate in step.excludes:
        cell, digit = board.placements[candidate]
        against = candidates_of(board.links[candidate] & members & step.before)
        if any(board.placements[each].digit != digit for each in against):
            return reason
        by_seen.setdefault(tuple(board.placements[c].cell for c in against), {})[cell] = None
    # A single cell, whose digit the reason gives, is seen at once.
    by_seen = {cells: seeing for cells, seeing in by_seen.items() if len(cells) > 1}
    if len(by_seen) > _MOST_SEEN:
        return reason
    if len(by_seen) > 1 and (each_seen := _each_seen(names, by_seen, reason)):
        return each_seen
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
            return f"{reason}{f', {where}' if is_named else f'; {names.cells(cells)} are {where}'}"
        seen = f"{these} of these" if is_named else names.cells(cells)
        told.append(f"{names.cells(seeing)} {see} {seen}")
    return "; ".join([reason, *told])


def _each_seen(
    names: Names, by_seen: Mapping[tuple[int, ...], Mapping[int, None]], reason: str
) -> str:
    """Return a reason with the cells that see others behind these; empty if it does not name them.

    For example `3 is in r1c1 or r1c2, both seen by r1c5; 1 is in r2c1 or r3c1, both seen by r5c1`.
    """
    for cells, seeing in by_seen.items():
        parts = re.split(rf"( in {names.cells(cells, 'or')})(?: and |, |; |$)", reason)
        if len(parts) != 3:
            return ""
        both = "both" if len(cells) == 2 else "all"
        here = f"{parts[0]}{parts[1]}, {both} seen by {names.cells(seeing)}"
        reason = "; ".join(part for part in (here, parts[2]) if part)
    return reason


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


# The most digits of a settled cell to name that it loses.
_MOST_NAMED = 4


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
    digit = names.digit(board.placements[placed].digit)
    if alone.endswith(f" {names.cell(cell)} is {digit}"):
        return alone
    # These reasons speak of the other digits of the cell.
    is_of_others = re.search(rf"\bif {names.cell(cell)} is (?!not )| already$", alone)
    if is_of_others and len(others) <= _MOST_NAMED:
        return f"{alone}; so {names.without(others)}, which leaves only {digit}"
    return f"{alone}; so {names.candidate(placed)}"


def _tell_lost(names: Names, step: Deduction, why_not: WhyNot) -> Iterator[str]:
    """Say which digits of a cage's combinations its settled cell lost before, and to what."""
    truth = step.truths[0]
    if not isinstance(truth.wider, Sets):
        return
    masks = masks_of(names, truth, step.before)
    kept = sets_kept(truth.wider, masks)
    cell = names.board.placements[step.places or 0].cell
    lacking = digits_of(reduce(or_, kept, 0) & ~masks[cell])
    if 0 < len(lacking) <= MOST_RESTS and len(kept) <= MOST_SETS:
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
        cells = [truth.cell for truth in needed_along(names, line, step)]
        left = [f"{names.cell(cell)} {names.may_be(masks[cell])}" for cell in cells]
        return f"{sentence}, and {join(left)}" if left else sentence
    said = tell_pairs(names, pairs)
    if needs and any(": " in each for each in said):
        # Clues with the pairs that follow from them, one after the other.
        return "; ".join([*said, needs])
    if any(": " in each for each in said):
        return "; ".join([*said, *_lacking_along(names, step, pairs)])
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
    named = line.truths if line.rule is None else needed_along(names, line, step)
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
    left += place_in_ways(names, constraint, masks, step, cell) if left else ""
    is_told = isinstance(constraint, Sets) and not may_hold(names, constraint, masks, step)
    if not left and isinstance(constraint, Total):
        left = Summed(names, constraint, masks).tell(step.excludes)
        is_told = bool(left)
    if isinstance(constraint, Sets):
        kept = sets_kept(constraint, masks) if left else list(constraint.sets)
        rests = tell_rests(names, constraint, truth, step.before, step.excludes, kept)
        left = "; ".join(each for each in (left, rests) if each)
    if not left and isinstance(constraint, Machine):
        is_many = len(step.excludes) > _FEW_GONE
        left = tell_cases(names, constraint, masks, step) if is_many else ""
        left = left or because(truth, step.excludes)
        left = left or tell_cases(names, constraint, masks, step)
        left = left or tell_needed(names, constraint, masks, step)
        is_told = bool(left)
    left = left or tell_remainders(names, constraint, step)
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
    if len(others) > 1 or not 0 < max(others).bit_count() <= MOST_COUNTED:
        return ""
    return f", so one of them is {names.digit(digit)} and the other {or_digits(names, max(others))}"
