"""Steps that follow from cages, arrows and other wider truths, and from lines, in words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import prod

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.lines import Line, told_line
from satdoku.explaining.step import Step, Technique
from satdoku.explaining.words.names import Names, join
from satdoku.puzzle.constraints import (
    Machine,
    Sets,
    Total,
    Wider,
    differing,
    digits_of,
)

# More combinations than this are a table.
_MOST_SETS = 6

# So many fillings of the open cells are gone through in search of those that are left; a cage of
# four cells with six digits each has 1296.
_MOST_FILLINGS = 2000

# Where a sum takes candidates from some of its cells, what the others come to is told for each of
# these. That is done for so many of them, and in sums of so many cells; nobody follows more.
_MOST_BOUNDS = 3
_MOST_SUMMED = 7

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
    line = told_line(names.board, step)
    if line is not None:
        return f"{_told_along(names, line, step)}; {so}"
    (truth,) = step.truths
    told_alone = _told(names, truth, step, False)
    is_beyond = not any(truth.members >> candidate & 1 for candidate in step.excludes)
    return f"{told_alone}; {'whichever way that is, ' if is_beyond else ''}{so}"


def _told_along(names: Names, line: Line, step: Step) -> str:
    """What a line says, and what that leaves of the cells that lose something."""
    gone = sum(1 << candidate for candidate in step.excludes)
    told = []
    for truth, possible in zip(line.truths, line.possible(names.board, step.before), strict=True):
        if truth.members & gone:
            digits = [names.board.placements[c].digit for c in candidates_of(possible)]
            first, last = digits[0], digits[-1]
            if len(digits) > 2 and len(digits) == last - first + 1:
                left = f"{names.digit(first)} to {names.digit(last)}"
            elif len(digits) <= _MOST_DIGITS:
                left = names.digits(digits, "or")
            else:
                continue
            told.append(f"{names.cell(truth.cell)} is {left}")
    says = line.rule.sentence(names.board.puzzle.geometry)
    return f"{says}: {join(told)}" if told else says


def _told_together(names: Names, step: Step) -> Iterator[str]:
    """What several truths say: rules first, then cells, then the digits of a unit at once."""
    yield from (_told(names, truth, step, True) for truth in step.truths if truth.wider)
    others = [truth for truth in step.truths if truth.wider is None]
    for truth in others:
        if truth.unit is None:
            yield from names.left_in_cells(truth, step.before)
    for unit, truths in groupby((t for t in others if t.unit), key=lambda truth: truth.unit):
        yield f"{unit} needs {names.digits(truth.digit for truth in truths)}"


def _told(names: Names, truth: Truth, step: Step, is_short: bool) -> str:
    """What a truth says, and which combinations or which candidates are left of it."""
    constraint = truth.wider
    assert constraint is not None
    if len(constraint.cells) == 1:
        # What such a sum leaves is what it says.
        return constraint.sentence
    masks = _masks_of(names, truth, step.before)
    left = _sets_left(names, constraint, masks) or _fillings_left(names, constraint, masks)
    if is_short:
        return f"{constraint.sentence} ({left})" if left else constraint.sentence
    left = left or _bounds(names, constraint, masks, step)
    return f"{constraint.sentence}: {left}" if left else constraint.sentence


def _masks_of(names: Names, truth: Truth, before: int) -> dict[int, int]:
    """The digits that each cell of a wider truth has left, givens among them."""
    assert truth.wider is not None
    board = names.board
    digits = board.puzzle.grid.digits
    masks = {cell: 1 << digits[cell] & ~1 for cell in truth.wider.cells}
    for member in candidates_of(truth.members & (before | board.givens)):
        cell, digit = board.placements[member]
        masks[cell] |= 1 << digit
    return masks


def _sets_left(names: Names, constraint: Wider, masks: Mapping[int, int]) -> str:
    """The combinations that the cells of a cage can hold with the digits that they have left."""
    if not isinstance(constraint, Sets):
        return ""
    cells = sorted(constraint.cells, key=lambda cell: masks[cell].bit_count())
    possible = [each for each in constraint.sets if _can_hold([masks[c] for c in cells], each)]
    return _only(names, [digits_of(each) for each in possible])


def _only(names: Names, ways: Sequence[Sequence[int]]) -> str:
    """A few lists of digits as people write them beside a cage; none where they are many."""
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
    """The ways to fill the open cells, in their order, where there are few."""
    cells = list(masks)
    if prod(mask.bit_count() for mask in masks.values()) > _MOST_FILLINGS:
        return ""
    differ = differing(names.board.puzzle.constraints)
    kept = [
        filling
        for filling in _every_filling(cells, masks, differ)
        if _is_kept(constraint, dict(zip(cells, filling, strict=True)))
    ]
    is_open = [place for place, cell in enumerate(cells) if masks[cell] & (masks[cell] - 1)]
    ways = sorted({tuple(filling[place] for place in is_open) for filling in kept})
    only = _only(names, ways)
    here = ",".join(names.cell(cells[place]) for place in is_open)
    return only and f"{here} {'is' if len(is_open) == 1 else 'are'} {only}"


def _every_filling(
    cells: Sequence[int], masks: Mapping[int, int], differ: Sequence[frozenset[int]]
) -> Iterator[tuple[int, ...]]:
    """All ways to fill cells in which no two that see each other hold the same digit."""

    def extend(filling: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(filling) == len(cells):
            yield filling
            return
        cell = cells[len(filling)]
        taken = [d for c, d in zip(cells, filling, strict=False) if c in differ[cell]]
        for digit in digits_of(masks[cell]):
            if digit not in taken:
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


def _bounds(names: Names, constraint: Wider, masks: Mapping[int, int], step: Step) -> str:
    """What the cells of a sum come to at least and at most: its two sides, or some without one."""
    if not isinstance(constraint, Total) or len(masks) > _MOST_SUMMED:
        return ""
    placements = names.board.placements
    worths = dict(zip(constraint.cells, constraint.worths, strict=True))
    # What is taken off stands on the other side: the circle of an arrow.
    taken_off = [cell for cell in worths if worths[cell][-1] < 0]
    sides = [[cell for cell in worths if cell not in taken_off], taken_off]
    if not all(sides):
        hit = dict.fromkeys(placements[candidate].cell for candidate in step.excludes)
        sides = [[each for each in worths if each != cell] for cell in hit]
        if len(hit) > _MOST_BOUNDS or not all(sides):
            return ""
    return join([_come_to(names, side, worths, masks) for side in sides])


def _come_to(
    names: Names,
    cells: Sequence[int],
    worths: Mapping[int, Sequence[int]],
    masks: Mapping[int, int],
) -> str:
    """The least and the most that cells on one side of a sum come to."""
    differ = differing(names.board.puzzle.constraints)
    sign = -1 if worths[cells[0]][-1] < 0 else 1
    low, high = (
        # The most is the least of what is counted the other way.
        way
        * _least(
            {c: [(d, way * sign * worths[c][d]) for d in digits_of(masks[c])] for c in cells},
            differ,
            {},
        )
        for way in (1, -1)
    )
    verb = "is" if len(cells) == 1 else "come to"
    return f"{names.cells(cells)} {verb} {low if low == high else f'{low} to {high}'}"


def _least(
    values: Mapping[int, Sequence[tuple[int, int]]],
    differ: Sequence[frozenset[int]],
    taken: Mapping[int, int],
    best: int = 1 << 30,
) -> int:
    """The least that cells come to, each with the worths of its digits; `taken` are those set."""
    if not values:
        return 0
    (cell, worths), *rest = values.items()
    # What the others come to at least if they need not differ.
    at_least = sum(min(worth for _, worth in each) for _, each in rest)
    for digit, worth in sorted(worths, key=lambda each: each[1]):
        if worth + at_least >= best:
            break
        if all(taken[other] != digit for other in differ[cell] & taken.keys()):
            found = _least(dict(rest), differ, {**taken, cell: digit}, best - worth)
            best = min(best, worth + found)
    return best
