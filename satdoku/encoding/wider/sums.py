"""What cells are worth together.

A sum is said by literals "worth v or more". Each cell is an amount with such literals, and amounts
are added two by two, which others call a totalizer, until two sums are left to be compared. Cells
of which no two hold the same digit are added in another way, by the presence of each digit: nine
amounts that are nothing or the digit. That knows that three cells of a row do not sum to 5, and is
what makes sums fast. Digits count there by how far they are from the middle one, so that bounds
follow before it is known which digits are present: four cells of which none is known are worth no
less than 1 to 4, as each of these is below the middle, where 5 counts nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import Total, mask_of

# Two cells are added as fast digit by digit of each cell.
_LEAST_CLIQUE = 3

Worths = tuple[int, ...]


class Amount(NamedTuple):
    """A number that depends on digits: its values in order, and a literal "so much or more" each.

    The literal of the lowest value is TRUE, and `beyond`, that it is more than the highest, -TRUE.
    `tables` say what each digit of which cell counts, for notes; without these they are empty.
    With notes the literals of both bounds may be variables, which clauses of their own fix.
    """

    values: Sequence[int]
    literals: Sequence[int]
    tables: tuple[tuple[int, Worths], ...]
    beyond: int = -TRUE

    def at_least(self, value: int) -> int:
        """The literal that says: the amount is this or more."""
        place = bisect_left(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond

    def after(self, value: int) -> int:
        """The literal that says: the amount is more than this."""
        place = bisect_right(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond


class _Part(NamedTuple):
    """Amounts that are added, and the least and most that they come to together.

    `base` is what is to be added to that, always.
    """

    amounts: tuple[Amount, ...]
    least: int
    most: int
    base: int = 0


def write_total(total: Total, kit: Kit) -> None:
    """The digits are worth so much together."""
    parts = list(_parts(total, kit))
    base = sum(part.base for part in parts)
    low, high = total.low - base, total.high - base
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


def _parts(total: Total, kit: Kit) -> Iterator[_Part]:
    """Each group of cells that differ and count alike as one part, every other cell as another."""
    for worths, cells in _alike(total, kit):
        if len(cells) < _LEAST_CLIQUE:
            for cell in cells:
                amount = _amount_of_cell(cell, worths, kit)
                yield _Part((amount,), amount.values[0], amount.values[-1])
        else:
            # Each digit counts for what it is more or less than the middle one. So the sum rises
            # above its least with each low digit that is absent, and with each high one that is
            # present. Counted from 0, it would only rise with digits that are present.
            middle = sorted(worths[1:])[kit.size // 2]
            shifted = (0, *(worth - middle for worth in worths[1:]))
            # The least and the most that so many different digits sum to.
            ordered = sorted(shifted[1:])
            least, most = sum(ordered[: len(cells)]), sum(ordered[-len(cells) :])
            amounts = _amounts_of_digits(cells, shifted, kit)
            kit.add_counted(frozenset(cells))
            yield _Part(amounts, least, most, middle * len(cells))


def _alike(total: Total, kit: Kit) -> Iterator[tuple[Worths, list[int]]]:
    """The cells in groups that count alike and of which no two hold the same digit."""
    alike: dict[Worths, list[int]] = {}
    for cell, worths in zip(total.cells, total.worths, strict=True):
        alike.setdefault(worths, []).append(cell)
    for worths, cells in alike.items():
        for group in _groups_that_differ(cells, kit):
            yield worths, group


def _groups_that_differ(cells: list[int], kit: Kit) -> Iterator[list[int]]:
    """The cells in groups of which no two hold the same digit."""
    left = list(cells)
    # The largest first: the fewer the groups, the closer the bounds of what they are worth. In the
    # order of a line that goes through three rows a row would lose cells to the box before it.
    inside = [unit.intersection(left) for unit in kit.units] if len(left) >= _LEAST_CLIQUE else []
    while inside:
        largest = max(inside, key=len)
        if len(largest) < _LEAST_CLIQUE:
            break
        yield sorted(largest)
        for cell in largest:
            left.remove(cell)
        inside = [others - largest for others in inside if len(others) >= _LEAST_CLIQUE]
    # What differs for other reasons, such as moves.
    groups: list[list[int]] = []
    for cell in left:
        for group in groups:
            if kit.differ[cell].issuperset(group):
                group.append(cell)
                break
        else:
            groups.append([cell])
    yield from groups


def _amount_of_cell(cell: int, worths: Worths, kit: Kit) -> Amount:
    # A cell without open digits is told elsewhere; here it needs some value.
    values, masks = _steps(worths, tuple(kit.open_digits(cell) or [1]))
    literals = [TRUE, *(kit.within(cell, mask) for mask in masks)]
    return Amount(values, literals, ((cell, worths),) if kit.notes else ())


# Most cells of a puzzle count alike and have the same digits open.
@lru_cache(maxsize=512)
def _steps(worths: Worths, digits: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """What these digits count for, in order, and for each but the least the digits worth as much or
    more, as a mask."""
    values = sorted({worths[digit] for digit in digits})
    counting = range(1, len(worths))
    return values, [mask_of(d for d in counting if worths[d] >= v) for v in values[1:]]


def _amounts_of_digits(cells: Sequence[int], worths: Worths, kit: Kit) -> tuple[Amount, ...]:
    """For each digit what it counts if it is in the cells, and else nothing."""
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


def _add_up(amounts: Sequence[Amount], low: int, high: int, kit: Kit) -> None:
    """The amounts are `low` to `high` together."""
    if len(amounts) == 1:
        kit.add(amounts[0].at_least(low))
        kit.add(-amounts[0].at_least(high + 1))
        return
    # The last two sums are compared and not added: of what they come to, only two bounds matter.
    middle = len(amounts) // 2
    halves = amounts[:middle], amounts[middle:]
    ranges = [_range(half) for half in halves]
    sums = []
    for half, other in zip(halves, reversed(ranges), strict=True):
        room = _range(half) if kit.notes is not None else (low - other[1], high - other[0])
        sums.append(_sum(half, room, kit))
    one, another = sums
    for place, value in enumerate(one.values):
        # The total is too high with `value` or more here and more than `high - value` there, and
        # too low with `value` or less here and less than `low - value` there.
        if high - value < another.values[-1]:
            kit.add(-one.literals[place], -another.at_least(high - value + 1))
        kit.add(_next(one, place), another.at_least(low - value))


def _sum(amounts: Sequence[Amount], room: tuple[int, int], kit: Kit) -> Amount:
    """The sum of amounts, told as far as it lies in its room: what a total leaves to it.

    Beyond that the total is wrong, however far: halves that lead there exclude each other.
    """
    if len(amounts) == 1:
        return amounts[0]
    middle = len(amounts) // 2
    halves = amounts[:middle], amounts[middle:]
    (low, high), (other_low, other_high) = map(_range, halves)
    first = _sum(halves[0], (room[0] - other_high, room[1] - other_low), kit)
    second = _sum(halves[1], (room[0] - high, room[1] - low), kit)
    sums = {one + other for one in first.values for other in second.values}
    values = sorted(each for each in sums if room[0] <= each <= room[1])
    tables = _added(first.tables, second.tables)
    if not values:  # the rest of the constraint cannot be kept
        kit.add()
        return Amount((room[0],), (TRUE,), tables)
    literals = [kit.worth(tables, value) for value in values[1:]]
    has_bounds = first.beyond != -TRUE or second.beyond != -TRUE
    least = kit.worth(tables, values[0]) if has_bounds else TRUE
    beyond = kit.worth(tables, values[-1] + 1) if has_bounds else -TRUE
    literals.insert(0, least)
    result = Amount(values, literals, tables, beyond)
    # Not every sum is reached by steps of both halves, so that more includes less by itself.
    for less, more in pairwise(literals):
        kit.add(-more, less)
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
                kit.add(_next(first, place), _next(second, other_place), -above)
    return result


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


def _next(amount: Amount, place: int) -> int:
    """The literal that the amount is more than the value at a place."""
    return amount.literals[place + 1] if place + 1 < len(amount.values) else amount.beyond
