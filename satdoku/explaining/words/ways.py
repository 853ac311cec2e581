"""What the cells of a rule can still hold, in words: combinations, places and fillings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations
from math import comb, prod
from operator import and_, or_

from satdoku.errors import join, word_of
from satdoku.explaining.board import Truth
from satdoku.explaining.step import Deduction
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.sums import MOST_COUNTED, MOST_TOLD, counts, is_even
from satdoku.puzzle.constraints import (
    Allowed,
    Either,
    Machine,
    Sets,
    Some,
    Total,
    Wider,
    differing,
    digits_of,
    mask_of,
)
from satdoku.puzzle.rules.reasons import can_fill
from satdoku.puzzle.rules.rule import lowest_of

# The most combinations to list.
MOST_SETS = 6

# The most fillings of the open cells to enumerate in search of possible ones; a cage of four cells
# with six digits each has 1296.
_MOST_FILLINGS = 2000


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
    others = _required_twice(names, some)
    is_any = len(able) == len(some.choices)
    where = ""
    if others:
        count = "one" if len(others) == 1 else word_of(len(others))
        of = f"of the {word_of(len(others) + 1)} {or_digits(names, wanted)}s"
        where = f"{names.cells(others)} can be only {count} {of}"
        if is_any:
            return f"{where}, so another is in {names.cells(able, 'or')}"
        where += "; of the other cells "
    elif is_any and kept == wanted:
        return ""
    if kept != wanted:
        left = f"{or_digits(names, kept)} {'is' if kept.bit_count() == 1 else 'are'} left"
        listed = ", ".join(map(names.digit, digits_of(wanted))), or_digits(names, wanted)
        is_told = any(each in some.sentence for each in listed)
        of_these = "" if is_told else f"of {names.digits(digits_of(wanted))} "
        return f"{where}{of_these}only {left}, in {names.cells(able, 'or')}"
    return f"{where}only {names.cells(able, 'or')} can be {or_digits(names, kept)}"


def or_digits(names: Names, mask: int) -> str:
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
        is_shorter = 0 < masks[cell].bit_count() < min(digits.bit_count(), MOST_COUNTED)
        be = names.may_be(masks[cell]) if is_shorter else f"cannot be {or_digits(names, digits)}"
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
    be = f" be {names.digits(digits, 'or')}" if len(digits) <= MOST_COUNTED else ""
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
    return only_ways(names, [digits_of(each) for each in sets_kept(constraint, masks)])


def sets_kept(constraint: Sets, masks: Mapping[int, int]) -> list[int]:
    """Return the combinations of a cage that its cells can hold, as masks."""
    in_turn = sorted((masks[cell] for cell in constraint.cells), key=int.bit_count)
    return [each for each in constraint.sets if can_fill(in_turn, each)]


# The most excluded digits of a cage whose rests (the digits for the other cells) are named, and the
# most sets of such a rest.
MOST_RESTS, _MOST_SETS_OF_REST = 3, 4


def tell_rests(
    names: Names,
    cage: Sets,
    truth: Truth,
    left: int,
    excludes: Sequence[int],
    sets: Sequence[int],
) -> str:
    """Say which digits the other cells of a cage would need beside each excluded digit, and lack.

    Digits in none of the sets need no such reason.
    """
    every = reduce(or_, sets, 0)
    placements = [names.board.placements[candidate] for candidate in excludes]
    gone = [(cell, digit) for cell, digit in placements if every >> digit & 1]
    if not {cell for cell, _ in gone} <= {*cage.cells}:
        return ""
    masks = masks_of(names, truth, left)
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
    if sum(map(len, ways.values())) > MOST_RESTS:
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
    listed = [list_sets(names, [digits_of(rest)]) for rest in rests]
    if len(rests) > _MOST_SETS_OF_REST:
        lacked = _lacked_by_all(rests, reduce(or_, others.values()))
        if not lacked:
            return "", ""
        lacking = or_digits(names, lacked)
        return f"need {lacking}", f", but none of them can be {lacking}"
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
        return f", but none of them can be {or_digits(names, lacking)}"
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
                    return f", but {names.cells(cells)} would both be {or_digits(names, left)}"
                return f", but of these {names.cells(cells)} can be only {or_digits(names, left)}"
    return ""


# Most cells of a sum of which each is told what it can be.
_MOST_OTHERS = 4


def tell_remainders(names: Names, constraint: Wider, step: Deduction) -> str:
    """Say what the other cells of a plain sum would have to sum to beside each excluded digit."""
    gone = names.board.digits_in(mask_of(step.excludes))
    if not gone.keys() <= {*constraint.cells} or not 0 < len(gone) <= MOST_RESTS:
        return ""
    more = lowest_of(names.board.puzzle.rules) - 1
    if isinstance(constraint, Sets):
        amounts = {sum(digit + more for digit in digits_of(each)) for each in constraint.sets}
        steps = {1}
    elif isinstance(constraint, Total):
        # Convert the bounds to a sum in which the worth of each digit is its number.
        amounts = {constraint.low, constraint.high}
        amounts = {each - sum(w[1] - 1 - more for w in constraint.worths) for each in amounts}
        steps = {w[2] - w[1] if is_even(w) else 0 for w in constraint.worths}
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


def may_hold(names: Names, cage: Sets, masks: Mapping[int, int], step: Deduction) -> bool:
    """Whether the combinations alone would allow a candidate that the step excludes."""
    for cell, digit in (names.board.placements[candidate] for candidate in step.excludes):
        others = [masks[other] for other in cage.cells if other != cell]
        rest = (each ^ 1 << digit for each in cage.sets if each >> digit & 1)
        if cell not in masks or any(can_fill(others, each) for each in rest):
            return True
    return False


def only_ways(names: Names, ways: Sequence[Sequence[int]], most: int = MOST_SETS) -> str:
    """Return sets of digits as text, `only {1,2,4} or {2,3,5}`; empty if many."""
    return f"only {list_sets(names, ways)}" if 0 < len(ways) <= most else ""


def list_sets(names: Names, ways: Iterable[Iterable[int]]) -> str:
    """Return sets of digits as text, in braces unless each has one digit: `{1,2} or {3,4}`.

    Digits without braces are in the order of the cells.
    """
    told = [",".join(map(names.digit, way)) for way in ways]
    is_bare = all("," not in each for each in told)
    return join(told if is_bare else [f"{{{each}}}" for each in told], "or")


def in_order(names: Names, digits: Iterable[int]) -> str:
    """Return digits in the order of their cells, as one word."""
    is_short = all(len(names.digit(d)) == 1 for d in range(1, names.board.puzzle.geometry.size + 1))
    return ("" if is_short else "-").join(map(names.digit, digits))


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
    is_mixed = any(len({*way}) > 1 for way in ways)
    if is_any_order and is_mixed:
        only = only_ways(names, sorted(combinations))
        return only and f"{before}{here} are {only}"
    if not 0 < len(ways) <= MOST_SETS:
        return ""
    found = join([in_order(names, way) for way in sorted(ways)], "or")
    order = " in this order" if is_mixed else ""
    return f"{before}{here} {'is' if len(cells) == 1 else 'are'} only {found}{order}"


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


def place_in_ways(
    names: Names, constraint: Wider, masks: Mapping[int, int], step: Deduction, cell: int | None
) -> str:
    """Return what the ways to fill many cells have in common: `, each with 1 in r4c9`."""
    is_sum = isinstance(constraint, Total) and not counts(constraint)
    is_of_ways = is_sum or isinstance(constraint, Machine)
    cells, ways = _ways_to_fill(names, constraint, masks) if is_of_ways else ([], {()})
    if not 1 < len(ways) <= MOST_SETS or len(cells) < _FEWEST_IN_WAYS:
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
    if len(untold) <= MOST_TOLD:
        told = [f"{names.cell(cell)}={names.digit(filled[cell])}" for cell in untold]
        return f"with {join(told)}, "
    if isinstance(constraint, Machine):
        return f"with {in_order(names, filled.values())} in its filled cells, "
    if not isinstance(constraint, Total):
        return ""
    worths = dict(zip(constraint.cells, constraint.worths, strict=True))
    total = sum(worths[cell][digit] for cell, digit in filled.items())
    if len({*constraint.worths}) == 1:
        return f"with {total} in its filled cells, "
    if constraint.low == constraint.high != 0:
        return f"its filled cells make {total}, so "
    # The cells of the other side count negatively.
    parts = [
        sum(
            abs(worths[cell][digit])
            for cell, digit in filled.items()
            if (worths[cell][-1] < 0) is off
        )
        for off in (False, True)
    ]
    beside = f" on one side and {max(parts)} on the other" if all(parts) else ""
    return f"its filled cells make {min(parts) if beside else max(parts)}{beside}, so "


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
