"""What cells are worth together.

A sum is said by literals "worth v or more". Each cell is an amount with such literals, and amounts
are added two by two, which others call a totalizer, until two sums are left to be compared. Cells
of which no two hold the same digit are one amount (`amounts.py`), which knows that three cells of a
row do not sum to 5; that is what makes sums fast. Where their sets of digits are too many, or what
variables say is noted, they are added by the presence of each digit: nine amounts that are nothing
or the digit. Digits count there by how far they are from the middle one, so that bounds follow
before it is known which digits are present: four cells of which none is known are worth no less
than 1 to 4, as each of these is below the middle, where 5 counts nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.amounts import (
    Amount,
    Worths,
    amount_of_cell,
    amount_of_group,
    amounts_of_digits,
    is_one_amount,
)
from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import Total
from satdoku.puzzle.geometry import groups_that_differ

# Two cells are added as fast digit by digit of each cell.
_LEAST_CLIQUE = 3

Group = tuple[Worths, Sequence[int]]
"""Cells of which no two hold the same digit, and what each digit counts there."""


class _Part(NamedTuple):
    """Amounts that are added, and the least and most that they come to together.

    `base` is what is to be added to that, always. Instead of amounts there may be a group that is
    one amount as a whole.
    """

    amounts: tuple[Amount, ...]
    least: int
    most: int
    base: int = 0
    group: Group | None = None


def write_total(total: Total, kit: Kit) -> None:
    """The digits are worth so much together."""
    write_groups(list(_alike(total, kit)), total.low, total.high, kit)


def write_groups(groups: Iterable[Group], low: int, high: int, kit: Kit) -> None:
    """The digits of groups are worth so much together; a cell may be in several."""
    parts = [part for worths, cells in groups for part in _parts(worths, cells, kit)]
    base = sum(part.base for part in parts)
    low, high = low - base, high - base
    least = sum(part.least for part in parts)
    most = sum(part.most for part in parts)
    amounts = []
    for part in parts:
        # Between which amounts this part has to lie, given the least and most of all others.
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
    _add_up(amounts, low, high, kit)


def _with_bounds(amount: Amount, kit: Kit) -> Amount:
    """The same amount with variables for "not below its least" and "above its most".

    A clause of its own sets each of them. That the amount has these bounds follows from its cells
    being different; so only these two clauses have to be checked by that, and no clause of a sum.
    """
    if len(amount.tables) < _LEAST_CLIQUE:
        return amount
    least = kit.worth(amount.tables, amount.values[0])
    beyond = kit.worth(amount.tables, amount.values[-1] + 1)
    kit.add(least)
    kit.add(-beyond)
    return amount._replace(literals=[least, *amount.literals[1:]], beyond=beyond)


def _parts(worths: Worths, cells: Sequence[int], kit: Kit) -> Iterator[_Part]:
    """A group as one part; where there is no gain in that, each cell as another."""
    ordered, count = sorted(worths[1:]), len(cells)
    # The least and the most that so many different digits sum to.
    least, most = sum(ordered[:count]), sum(ordered[-count:])
    if kit.notes is None and count > 1 and is_one_amount(worths, count):
        kit.add_counted(frozenset(cells))
        yield _Part((), least, most, group=(worths, cells))
    elif count < _LEAST_CLIQUE:
        for cell in cells:
            amount = amount_of_cell(cell, worths, kit)
            yield _Part((amount,), amount.values[0], amount.values[-1])
    else:
        # Each digit counts for what it is more or less than the middle one. So the sum rises
        # above its least with each low digit that is absent, and with each high one that is
        # present. Counted from 0, it would only rise with digits that are present.
        middle = ordered[kit.size // 2]
        shifted = (0, *(worth - middle for worth in worths[1:]))
        amounts = amounts_of_digits(cells, shifted, kit)
        kit.add_counted(frozenset(cells))
        base = middle * count
        yield _Part(amounts, least - base, most - base, base)


def _alike(total: Total, kit: Kit) -> Iterator[Group]:
    """The cells in groups that count alike and of which no two hold the same digit."""
    alike: dict[Worths, list[int]] = {}
    for cell, worths in zip(total.cells, total.worths, strict=True):
        alike.setdefault(worths, []).append(cell)
    for worths, cells in alike.items():
        for group in groups_that_differ(
            cells, kit.units, lambda c, rest: kit.differ[c].issuperset(rest)
        ):
            yield worths, group


def _add_up(amounts: Sequence[Amount], low: int, high: int, kit: Kit) -> None:
    """The amounts are `low` to `high` together."""
    if len(amounts) == 1:
        kit.add(amounts[0].at_least(low))
        kit.add(-amounts[0].at_least(high + 1))
        return
    # The last two sums are compared and not added: of what they come to, only two bounds matter.
    halves = _halves(amounts)
    ranges = [_range(half) for half in halves]
    rooms = [(low - other[1], high - other[0]) for other in reversed(ranges)]
    if kit.notes is not None:
        rooms = ranges
    one = _sum(halves[0], rooms[0], kit)
    if low == high and kit.notes is None and len(halves[1]) > 1:
        # What one comes to says what the other does, so they share their variables.
        _sum(halves[1], rooms[1], kit, (one, low))
        return
    another = _sum(halves[1], rooms[1], kit)
    for place, value in enumerate(one.values):
        # The total is too high with `value` or more here and more than `high - value` there, and
        # too low with `value` or less here and less than `low - value` there.
        if high - value < another.values[-1]:
            kit.add(-one.literals[place], -another.at_least(high - value + 1))
        kit.add(one.next(place), another.at_least(low - value))


def _halves(amounts: Sequence[Amount]) -> tuple[Sequence[Amount], Sequence[Amount]]:
    middle = len(amounts) // 2
    return amounts[:middle], amounts[middle:]


def _sum(
    amounts: Sequence[Amount],
    room: tuple[int, int],
    kit: Kit,
    opposite: tuple[Amount, int] | None = None,
) -> Amount:
    """The sum of amounts, with literals for the values within its room.

    The room is what the total leaves to this sum. Outside of it the total is broken, so values of
    the two halves that lead there exclude each other. With `opposite`, another amount and the total
    of both, the literals are those of what that one lacks; nobody asks that of a single amount.
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
    if not values:  # the rest of the constraint cannot be kept
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
        # Not every sum is reached by steps of both halves, so that more includes less by itself.
        for less, more in pairwise(result.literals):
            kit.add(-more, less)
    _link(first, second, result, kit)
    return result


def _link(first: Amount, second: Amount, result: Amount, kit: Kit) -> None:
    """The result is no less and no more than both amounts together."""
    values, has_bounds = result.values, result.beyond != -TRUE
    for place, one in enumerate(first.values):
        for other_place, other in enumerate(second.values):
            total = one + other
            if total > values[0] or has_bounds:
                kit.add(
                    -first.literals[place], -second.literals[other_place], result.at_least(total)
                )
            if total < values[-1] or has_bounds:
                # Below all values `above` is TRUE: then the clause says that the two amounts are
                # not both as low as that.
                above = result.after(total)
                kit.add(first.next(place), second.next(other_place), -above)


def _lacking(values: Sequence[int], one: Amount, total: int, kit: Kit) -> Amount:
    """What an amount lacks of a total, as an amount of these values; it has to be one of them."""
    lacked = {total - value for value in values}
    for place, value in enumerate(one.values):
        if value not in lacked:
            kit.add(-one.literals[place], one.next(place))
    return Amount(values, [TRUE, *(-one.after(total - value) for value in values[1:])])


def _added(
    one: Iterable[tuple[int, Worths]], other: Iterable[tuple[int, Worths]]
) -> tuple[tuple[int, Worths], ...]:
    """What two amounts count for together."""
    tables = dict(one)
    for cell, table in other:
        known = tables.get(cell)
        tables[cell] = table if known is None else tuple(map(int.__add__, known, table))
    return tuple(sorted(tables.items()))


def _range(amounts: Sequence[Amount]) -> tuple[int, int]:
    return sum(each.values[0] for each in amounts), sum(each.values[-1] for each in amounts)
