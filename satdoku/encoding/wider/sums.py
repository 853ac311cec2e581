"""Sums of cells.

A sum is stated by literals "worth v or more". Each cell is an amount with such literals, and
amounts are added in pairs (a totalizer) until two sums are left, which are compared. Cells that
must differ form one amount (see below), which knows that three cells of a row do not sum to 5; that
makes sums fast. If their sets of digits are too many, or if meanings of variables are noted, they
are added by the presence of each digit: nine amounts that are 0 or the digit. Digits then count by
their distance from the middle one, so that bounds propagate before it is known which digits are
present: four unknown cells are worth at least 1 to 4, as each of these is below the middle, where 5
counts 0.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, pairwise
from math import comb, gcd
from typing import TYPE_CHECKING, NamedTuple

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Constraints, Sets, Total, digits_of, mask_of
from satdoku.puzzle.grid import Unit, groups_that_differ

if TYPE_CHECKING:
    from satdoku.encoding.meanings import Tables

# Amounts: the worth of a cell, or of cells that differ, as literals "so much or more"
#
# Cells that all differ are worth the sum of the digits present in them. A few facts about these
# bound the sum tightly: if 9 is absent and 2 is present, three cells are worth at most 17. So
# clauses state the consequences of up to three such facts (prime implicates), and the digits of a
# group are rarely added one by one.

Worths = tuple[int, ...]

# Four facts are rarely known before the rest is, and there are five times as many combinations.
_MOST_FACTS = 3

# On 9x9, cells that differ have at most 126 sets of digits. On 16x16 eight cells have 12,870, and
# finding their bounds would take seconds.
_MOST_SETS = 126


class Amount(NamedTuple):
    """A number that depends on digits: its values in order, and a literal "so much or more" each.

    The literal of the lowest value is TRUE; `beyond`, "more than the highest", is -TRUE. `tables`
    has the worth of each digit of each cell for notes; empty without notes. With notes, both of
    these literals may be variables that unit clauses fix.
    """

    values: Sequence[int]
    literals: Sequence[int]
    tables: tuple[tuple[int, Worths], ...] = ()
    beyond: int = -TRUE

    def at_least(self, value: int) -> int:
        """Return the literal of "the amount is this or more"."""
        place = bisect_left(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond

    def after(self, value: int) -> int:
        """Return the literal of "the amount is more than this"."""
        place = bisect_right(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond

    def next(self, place: int) -> int:
        """Return the literal of "the amount is more than the value at this index"."""
        return self.literals[place + 1] if place + 1 < len(self.values) else self.beyond


def amount_of_cell(cell: int, worths: Worths, kit: Kit) -> Amount:
    """Return the worth of a cell, for the digits that are open in it."""
    # A cell without open digits is reported elsewhere; here it needs some value.
    values, masks = _steps(worths, tuple(kit.open_digits(cell) or [1]))
    literals = [TRUE, *(kit.within(cell, mask) for mask in masks)]
    return Amount(values, literals, ((cell, worths),) if kit.notes else ())


# Most cells of a puzzle have the same worths and the same open digits.
@lru_cache(maxsize=512)
def _steps(worths: Worths, digits: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return the values of these digits in order, and a mask for each but the lowest value.

    The mask has the digits worth as much or more.
    """
    values = sorted({worths[digit] for digit in digits})
    counting = range(1, len(worths))
    return values, [mask_of(d for d in counting if worths[d] >= v) for v in values[1:]]


def amounts_of_digits(cells: Sequence[int], worths: Worths, kit: Kit) -> tuple[Amount, ...]:
    """Return for each digit an amount: its worth if it is in the cells, else 0."""
    amounts = []
    for digit in range(1, kit.size + 1):
        is_present = kit.present(frozenset(cells), digit)
        worth = worths[digit]
        table = tuple(worth if each == digit else 0 for each in range(len(worths)))
        tables = tuple((cell, table) for cell in cells)
        if worth > 0:
            amounts.append(Amount((0, worth), (TRUE, is_present), tables))
        elif worth < 0:
            amounts.append(Amount((worth, 0), (TRUE, -is_present), tables))
    return tuple(amounts) or (Amount((0,), (TRUE,), ()),)


def is_one_amount(worths: Worths, count: int) -> bool:
    """Whether this many cells that differ become one amount: few sets, distinct worths.

    If many digits have the same worth, as when one digit is counted, adding them is cheap.
    """
    size = len(worths) - 1
    return comb(size, count) <= _MOST_SETS and len(set(worths[1:])) == size


def amount_of_group(
    cells: Sequence[int], worths: Worths, room: tuple[int, int], kit: Kit
) -> Amount:
    """Return the worth of cells that all differ, for the values within `room`."""
    count = len(cells)
    values = [v for v in _sums(worths, count) if room[0] <= v <= room[1]]
    if not values:  # the rest of the constraint is unsatisfiable
        kit.add()
        return Amount((room[0],), (TRUE,))
    amount = Amount(values, [TRUE, *(kit.fresh() for _ in values[1:])])
    for less, more in pairwise(amount.literals):
        kit.add(-more, less)
    absent = {}
    for digit in range(1, kit.size + 1):
        absent[digit] = -kit.present(frozenset(cells), digit)
        absent[-digit] = -absent[digit]
    # Digits, tens and subtracted digits have the same limits once they are normalised to start at 0
    # in steps of 1. The lower bound is found like the upper one, with negated worths.
    low, high = min(worths[1:]), max(worths[1:])
    scale = gcd(*(worth - low for worth in worths[1:])) or 1
    for facts, most in limits(tuple((worth - low) // scale for worth in worths[1:]), count):
        most = low * count + scale * most
        if most < values[-1]:
            kit.add(*[absent[fact] for fact in facts], -amount.after(most))
    for facts, most in limits(tuple((high - worth) // scale for worth in worths[1:]), count):
        least = high * count - scale * most
        if least > values[0]:
            kit.add(*[absent[fact] for fact in facts], amount.at_least(least))
    return amount


@lru_cache(maxsize=128)
def _sums(worths: Worths, count: int) -> list[int]:
    """Return all possible sums of so many different digits, in order."""
    return sorted({sum(each) for each in combinations(worths[1:], count)})


@lru_cache(maxsize=128)
def limits(worths: tuple[int, ...], count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return upper bounds on the sum of so many different digits, each with facts that imply it.

    No two digits have the same worth, and the first entry is that of digit 1. A fact is a present
    digit, or (negative) an absent one. Each set of facts is minimal, and for any set of digits some
    of these facts give its exact sum.

    >>> limits((1, 2, 3), 2)
    (((), 5), ((-3,), 3), ((-2,), 4), ((1,), 4), ((1, 2), 3))
    """
    end = len(worths) + 1
    if worths[0] > worths[-1]:
        # Most worths rise or fall evenly, so lower bounds are the upper ones mirrored.
        return tuple(
            (tuple(end - fact if fact > 0 else -end - fact for fact in facts), most)
            for facts, most in limits(worths[::-1], count)
        )
    found = list(_limits_by_few_facts(worths, count))
    by_worth: dict[int, list[tuple[int, ...]]] = {}
    for few, most in found:
        by_worth.setdefault(most, []).append(few)
    every = range(1, end)
    for digits in combinations(every, count):
        worth = sum(worths[digit - 1] for digit in digits)
        facts = {digit if digit in digits else -digit for digit in every}
        if not any(facts.issuperset(few) for few in by_worth.get(worth, ())):
            found.append((digits, worth))
    return tuple(found)


def _limits_by_few_facts(
    worths: tuple[int, ...], count: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    every = range(1, len(worths) + 1)
    best_first = sorted(every, key=lambda digit: -worths[digit - 1])
    choices = {frozenset[int](): best_first[:count]}
    most = {frozenset[int](): sum(sorted(worths)[-count:])}
    yield (), most[frozenset()]
    for _ in range(_MOST_FACTS):
        # Only a fact that the best digits violate lowers the bound.
        longer = {
            facts | {-digit if digit in digits else digit}
            for facts, digits in choices.items()
            for digit in every
            if digit not in facts and -digit not in facts
        }
        chosen = {facts: _best(best_first, count, facts) for facts in longer}
        choices = {facts: digits for facts, digits in chosen.items() if len(digits) == count}
        for facts, digits in choices.items():
            most[facts] = sum(worths[digit - 1] for digit in digits)
        for facts in sorted(choices, key=sorted):
            # If a subset of the facts was not reached, that subset gives the same bound.
            if all(most[facts] < most.get(facts - {each}, most[facts] + 1) for each in facts):
                yield tuple(sorted(facts)), most[facts]


def _best(best_first: Sequence[int], count: int, facts: frozenset[int]) -> list[int]:
    """Return the best digits under these facts; too few or too many if there are none."""
    present = [fact for fact in facts if fact > 0]
    others = [d for d in best_first if d not in facts and -d not in facts]
    return present + others[: max(0, count - len(present))]


# For two cells, adding the digits of each cell is as fast.
_LEAST_CLIQUE = 3

Group = tuple[Worths, Sequence[int]]
"""Cells that all differ, and the worth of each digit there."""


class _Part(NamedTuple):
    """Amounts to add, and the least and most of their sum.

    `base` is a constant to add. Instead of amounts there may be a group that is one amount as a
    whole.
    """

    amounts: tuple[Amount, ...]
    least: int
    most: int
    base: int = 0
    group: Group | None = None


def write(total: Total, kit: Kit) -> None:
    """Add that the digits have this sum."""
    write_groups(list(_alike(total, kit)), total.low, total.high, kit)


def write_groups(
    groups: Iterable[Group], low: int, high: int, kit: Kit, known: "Fixed | None" = None
) -> None:
    """Add that the digits of all groups have this sum; a cell may be in several groups.

    With notes, `known` has the sum if no rule states it.
    """
    parts = [part for worths, cells in groups for part in _parts(worths, cells, kit)]
    base = sum(part.base for part in parts)
    low, high = low - base, high - base
    least = sum(part.least for part in parts)
    most = sum(part.most for part in parts)
    amounts = []
    for part in parts:
        # The values possible for this part, given the least and most of all others.
        room = part.least, part.most
        if kit.notes is None:
            room = (
                max(part.least, low - (most - part.most)),
                min(part.most, high - (least - part.least)),
            )
        if part.group:
            worths, cells = part.group
            amounts.append(amount_of_group(cells, worths, room, kit))
            continue
        amount = _sum(part.amounts, room, kit)
        amounts.append(amount if kit.notes is None else _with_bounds(amount, kit))
    _add_up(amounts, low, high, kit, known and _restated(known, amounts, low, kit))


def _with_bounds(amount: Amount, kit: Kit) -> Amount:
    """Return the amount with variables for "at least its least" and "more than its most".

    A unit clause fixes each of them. These bounds follow from the cells being different; so a
    checker needs that argument for these two clauses only, and for no clause of a sum.
    """
    if len(amount.tables) < _LEAST_CLIQUE:
        return amount
    least = kit.worth(amount.tables, amount.values[0])
    beyond = kit.worth(amount.tables, amount.values[-1] + 1)
    kit.add(least)
    kit.add(-beyond)
    return amount._replace(literals=[least, *amount.literals[1:]], beyond=beyond)


def _parts(worths: Worths, cells: Sequence[int], kit: Kit) -> Iterator[_Part]:
    """Yield a group as one part, or each of its cells as a part if that is as good."""
    ordered, count = sorted(worths[1:]), len(cells)
    # The least and the most sum of so many different digits.
    least, most = sum(ordered[:count]), sum(ordered[-count:])
    if kit.notes is None and count > 1 and is_one_amount(worths, count):
        kit.add_counted(frozenset(cells))
        yield _Part((), least, most, group=(worths, cells))
    elif count < _LEAST_CLIQUE:
        for cell in cells:
            amount = amount_of_cell(cell, worths, kit)
            yield _Part((amount,), amount.values[0], amount.values[-1])
    else:
        # Each digit counts by its distance from the middle one. So the lower bound of the sum rises
        # with each low digit that is absent, and with each high one that is present. Counted from
        # 0, it would rise only with present digits.
        middle = ordered[kit.size // 2]
        shifted = (0, *(worth - middle for worth in worths[1:]))
        amounts = amounts_of_digits(cells, shifted, kit)
        kit.add_counted(frozenset(cells))
        base = middle * count
        yield _Part(amounts, least - base, most - base, base)


def _alike(total: Total, kit: Kit) -> Iterator[Group]:
    """Yield the cells in groups with the same worths whose cells all differ."""
    alike: dict[Worths, list[int]] = {}
    for cell, worths in zip(total.cells, total.worths, strict=True):
        alike.setdefault(worths, []).append(cell)
    for worths, cells in alike.items():
        for group in groups_that_differ(
            cells, kit.units, lambda c, rest: kit.differ[c].issuperset(rest)
        ):
            yield worths, group


class Fixed(NamedTuple):
    """Two literals that unit clauses fix: a sum has its value or more, but not more than it."""

    least: int
    beyond: int


_STATED = Fixed(TRUE, -TRUE)
"""The literals of a sum that a rule states."""


def _restated(known: Fixed, amounts: Sequence[Amount], total: int, kit: Kit) -> Fixed:
    """Return the literals of a known sum for the tables of its amounts, which may be shifted."""
    fixed = _fix(reduce(_added, (each.tables for each in amounts)), total, kit)
    kit.add(-known.least, fixed.least)
    kit.add(known.beyond, -fixed.beyond)
    return fixed


def _fix(tables: "Tables", total: int, kit: Kit) -> Fixed:
    return Fixed(kit.worth(tables, total), kit.worth(tables, total + 1))


def _add_up(
    amounts: Sequence[Amount], low: int, high: int, kit: Kit, known: Fixed | None = None
) -> None:
    """Add that the sum of the amounts is from `low` to `high`."""
    least, beyond = known or _STATED
    if len(amounts) == 1:
        kit.add(amounts[0].at_least(low), -least)
        kit.add(-amounts[0].at_least(high + 1), beyond)
        return
    # The last two sums are compared, not added: only two bounds of the total matter.
    halves = _halves(amounts)
    ranges = [_range(half) for half in halves]
    rooms = [(low - other[1], high - other[0]) for other in reversed(ranges)]
    if kit.notes is not None:
        rooms = ranges
    one = _sum(halves[0], rooms[0], kit)
    if low == high and kit.notes is None and len(halves[1]) > 1:
        # With a fixed total each half determines the other, so they share variables.
        _sum(halves[1], rooms[1], kit, (one, low))
        return
    another = _sum(halves[1], rooms[1], kit)
    for place, value in enumerate(one.values):
        # The total is too high with `value` or more here and more than `high - value` there, and
        # too low with `value` or less here and less than `low - value` there.
        if high - value < another.values[-1]:
            kit.add(-one.literals[place], -another.at_least(high - value + 1), beyond)
        kit.add(one.next(place), another.at_least(low - value), -least)


def _halves(amounts: Sequence[Amount]) -> tuple[Sequence[Amount], Sequence[Amount]]:
    middle = len(amounts) // 2
    return amounts[:middle], amounts[middle:]


def _sum(
    amounts: Sequence[Amount],
    room: tuple[int, int],
    kit: Kit,
    opposite: tuple[Amount, int] | None = None,
) -> Amount:
    """Return the sum of amounts, with literals for the values within its room.

    The room is what the total leaves for this sum. Outside of it the total is violated, so values
    of the two halves that lead there exclude each other. `opposite` is another amount and the total
    of both: the literals are then those of the total minus that amount. Not used for single
    amounts.
    """
    if len(amounts) == 1:
        return amounts[0]
    halves = _halves(amounts)
    (low, high), (other_low, other_high) = map(_range, halves)
    first = _sum(halves[0], (room[0] - other_high, room[1] - other_low), kit)
    second = _sum(halves[1], (room[0] - high, room[1] - low), kit)
    sums = {one + other for one in first.values for other in second.values}
    values = sorted(each for each in sums if room[0] <= each <= room[1])
    tables = _added(first.tables, second.tables)
    if not values:  # the rest of the constraint is unsatisfiable
        kit.add()
        return Amount((room[0],), (TRUE,), tables)
    has_bounds = first.beyond != -TRUE or second.beyond != -TRUE
    if opposite:
        result = _lacking(values, *opposite, kit)
    else:
        literals = [kit.worth(tables, value) for value in values[1:]]
        least = kit.worth(tables, values[0]) if has_bounds else TRUE
        beyond = kit.worth(tables, values[-1] + 1) if has_bounds else -TRUE
        result = Amount(values, [least, *literals], tables, beyond)
        # Gaps in the steps of both halves may leave "more implies less" unstated.
        for less, more in pairwise(result.literals):
            kit.add(-more, less)
    _link(first, second, result, kit)
    return result


def _link(first: Amount, second: Amount, result: Amount, kit: Kit) -> None:
    """Add that the result equals the sum of both amounts."""
    values, has_bounds = result.values, result.beyond != -TRUE
    for place, one in enumerate(first.values):
        for other_place, other in enumerate(second.values):
            total = one + other
            if total > values[0] or has_bounds:
                kit.add(
                    -first.literals[place], -second.literals[other_place], result.at_least(total)
                )
            if total < values[-1] or has_bounds:
                # Below all values `above` is TRUE: the clause then says that the two amounts are
                # not both this low.
                above = result.after(total)
                kit.add(first.next(place), second.next(other_place), -above)


def _lacking(values: Sequence[int], one: Amount, total: int, kit: Kit) -> Amount:
    """Return the total minus an amount, and state that this difference is one of the values."""
    lacked = {total - value for value in values}
    for place, value in enumerate(one.values):
        if value not in lacked:
            kit.add(-one.literals[place], one.next(place))
    return Amount(values, [TRUE, *(-one.after(total - value) for value in values[1:])])


def _added(
    one: Iterable[tuple[int, Worths]], other: Iterable[tuple[int, Worths]]
) -> tuple[tuple[int, Worths], ...]:
    """Return the tables of the sum of two amounts."""
    tables = dict(one)
    for cell, table in other:
        known = tables.get(cell)
        tables[cell] = table if known is None else tuple(map(int.__add__, known, table))
    return tuple(sorted(tables.items()))


def _range(amounts: Sequence[Amount]) -> tuple[int, int]:
    return sum(each.values[0] for each in amounts), sum(each.values[-1] for each in amounts)


# Redundant constraints on units with several cages or sums, for searches that take long.
#
# Solvers do not learn these facts, and easy puzzles are solved before they pay off. They do not
# change the solutions.

# A sum of several lines may become tight only once the last one is added. With 20 to 50, hard
# little killers take a third of the conflicts that they take with 0 to 10.
_SLACK = 20

# 32 sums have 500 pairs, each of which takes a tenth of a millisecond to bound.
_MOST_SUMS = 32

# Two for each box. The clauses of sums of more groups are too many to help a search.
_MOST_GROUPS = 18


def write_implied(constraints: Constraints, kit: Kit) -> None:
    """Add what wider constraints imply together with the units that have every digit.

    With notes, add only what follows step by step, each step from one constraint or from sums.
    """
    full = [unit for unit in constraints.units if constraints.has_every_digit(unit)]
    # Lines of consecutive digits, which are sets too, gain nothing.
    cages = [
        frozenset(each.cells)
        for each in constraints.wider
        if isinstance(each, Sets) and len({sum(digits_of(mask)) for mask in each.sets}) == 1
    ]
    if cages and kit.notes is None:
        for unit in full:
            _write_places(unit, cages, kit)
    layouts = list(_layouts(full))
    for worths, sums in _known_sums(constraints).items():
        fixed: dict[Tables, Fixed] = {}
        for joint in _joint_sums(sums, worths, layouts):
            groups = [(worths, group) for group in joint.groups]
            known = None if kit.notes is None else _derive(joint, worths, fixed, kit)
            write_groups(groups, joint.total, joint.total, kit, known)


def may_have_joint_sums(constraints: Constraints) -> bool:
    """Whether constraints have several sums that can be added up."""
    return bool(_known_sums(constraints))


def _known_sums(constraints: Constraints) -> dict[Worths, list["_Known"]]:
    """Return the known sums of digits with the same worths, if there are neither few nor many."""
    by_worths: dict[Worths, list[_Known]] = {}
    for total in constraints.wider:
        if isinstance(total, Total) and total.low == total.high and len({*total.worths}) == 1:
            by_worths.setdefault(total.worths[0], []).append(_Known(total.cells, total.low))
    full = [unit for unit in constraints.units if constraints.has_every_digit(unit)]
    placed = {unit.cells for layout in _layouts(full) for unit in layout}
    for worths, sums in by_worths.items():
        # The sum of a long diagonal is known too, as it holds every digit.
        sums += (_Known(unit.cells, sum(worths[1:])) for unit in full if unit.cells not in placed)
    return {
        worths: sums
        for worths, sums in by_worths.items()
        if 1 < len(sums) <= _MOST_SUMS and is_one_amount(worths, 1)
    }


def _derive(joint: "_Joint", worths: Worths, fixed: "dict[Tables, Fixed]", kit: Kit) -> Fixed:
    """Return the literals of a joint sum, which follow from those of its parts.

    `fixed` has the literals of earlier sums.
    """
    tables = tuple(
        (cell, tuple(times * worth for worth in worths))
        for cell, times in sorted(joint.counts.items())
    )
    if tables not in fixed:
        made = fixed[tables] = _fix(tables, joint.total, kit)
        known = [_derive(part, worths, fixed, kit) for part in joint.parts]
        kit.add(made.least, *(-part.least for part in known))
        kit.add(-made.beyond, *(part.beyond for part in known))
    return fixed[tables]


def _write_places(unit: Unit, cages: Iterable[frozenset[int]], kit: Kit) -> None:
    """Add that each digit of a unit is in one of the cages, as far as they lie in the unit, or in
    another cell of the unit.

    If a cage holds a digit, its neighbours in the unit then lose that digit by propagation.
    """
    left = set(unit.cells)
    parts = []
    for cage in cages:
        part = cage & left
        if len(part) > 1:
            left -= part
            parts.append(part)
            _write_split(cage, part, kit)
    if parts:
        for digit in range(1, kit.size + 1):
            places = [kit.present(part, digit) for part in parts]
            places += [kit.literal(cell, digit) for cell in sorted(left)]
            kit.add(*places)
            kit.add_at_most_one(places)


def _write_split(cage: frozenset[int], part: frozenset[int], kit: Kit) -> None:
    """Add that each digit of a cage is in this part of it or in the rest."""
    rest = cage - part
    if not rest:
        return
    for digit in range(1, kit.size + 1):
        whole, here, there = (kit.present(cells, digit) for cells in (cage, part, rest))
        kit.add(-here, whole)
        kit.add(-there, whole)
        kit.add(-whole, here, there)
    kit.add_counted(part)


class _Known(NamedTuple):
    """Cells whose sum is known."""

    cells: Sequence[int]
    total: int


class _Joint(NamedTuple):
    """Several sums added up, cell by cell, in groups of cells that all differ.

    A cell in several of the sums is in as many groups. `score` tells how tightly the total binds
    the groups: the total range of all of them by themselves, less their range under the total. If
    it is below zero, the total says next to nothing. `parts` are the two sums added up, if any.
    """

    counts: Counter[int]
    total: int
    groups: Sequence[Sequence[int]]
    score: int
    parts: "tuple[_Joint, ...]" = ()


def _joint_sums(
    sums: Sequence[_Known], worths: Worths, layouts: Sequence[Sequence[Unit]]
) -> Iterator[_Joint]:
    """Yield sums of sums, in pairs while the result is at most `_SLACK` looser than its parts.

    For example, some long diagonals together need more nines than their boxes have; this refutes
    them at once, where each diagonal alone says nothing. With their neighbours, diagonals fill
    boxes, and the sum of the few cells outside of these remains.
    """
    known = [_joint(Counter(each.cells), each.total, worths, layouts) for each in sums]
    left = [each for each in known if each]
    # Keyed by the places of both, so that each pair is added once.
    gains: dict[tuple[int, int], tuple[int, _Joint]] = {}
    gone: set[int] = set()
    fresh = list(combinations(range(len(left)), 2))
    while True:
        for one, other in fresh:
            first, second = left[one], left[other]
            both = _joint(first.counts + second.counts, first.total + second.total, worths, layouts)
            if both and both.score > first.score + second.score - _SLACK:
                gains[one, other] = both.score - first.score - second.score, both
        if not gains:
            return
        best = max(gains, key=lambda pair: (gains[pair][0], pair))
        joint = gains[best][1]._replace(parts=tuple(left[place] for place in best))
        yield joint
        gone.update(best)
        gains = {pair: gain for pair, gain in gains.items() if gone.isdisjoint(pair)}
        fresh = [(place, len(left)) for place in range(len(left)) if place not in gone]
        left.append(joint)


def _joint(
    counts: Counter[int], total: int, worths: Worths, layouts: Sequence[Sequence[Unit]]
) -> _Joint | None:
    """Return the sum of cells with these multiplicities, grouped by the units that bind it most."""
    ordered, best = sorted(worths[1:]), None
    for layout in layouts:
        groups = [group for unit in layout for group in _layers(unit.cells, counts)]
        sizes = [len(group) for group in groups]
        if len(groups) > _MOST_GROUPS or not all(is_one_amount(worths, n) for n in {*sizes}):
            continue
        least = sum(sum(ordered[:size]) for size in sizes)
        most = sum(sum(ordered[-size:]) for size in sizes)
        open_ones = sum(size < len(ordered) for size in sizes)
        score = most - least - min(total - least, most - total) * open_ones
        if best is None or score > best.score:
            best = _Joint(counts, total, groups, score)
    return best


def _layers(cells: Iterable[int], counts: Counter[int]) -> Iterator[list[int]]:
    """Yield the cells that count at least once, those that count twice or more, and so on."""
    times = 1
    while layer := [cell for cell in cells if counts[cell] >= times]:
        yield layer
        times += 1


def _layouts(full: Iterable[Unit]) -> Iterator[Sequence[Unit]]:
    """Yield the disjoint units of each kind: rows, columns, boxes or regions."""
    by_kind: dict[str, list[Unit]] = {}
    for unit in full:
        by_kind.setdefault(unit.kind, []).append(unit)
    for units in by_kind.values():
        # They then cover the board, so that no cell of a sum is left out.
        if len({cell for unit in units for cell in unit.cells}) == len(units[0].cells) ** 2:
            yield units
