"""What a cell, or cells that differ, are worth: literals that say so much or more.

Cells of which no two hold the same digit are worth what the digits are that are present there. Few
facts about these bound that closely: if 9 is absent and 2 is present, three cells are worth 17 at
the most. So clauses say what follows from up to three such facts, which others call prime
implicates, and the digits of a group are seldom added one by one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, gcd
from typing import NamedTuple

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import mask_of

Worths = tuple[int, ...]

# Four facts are seldom known before the rest is, and there are five times as many of them.
_MOST_FACTS = 3

# On 9x9 any cells that differ have at most 126 sets of digits. On 16x16 eight have 12,870, and to
# find what bounds these would take seconds.
_MOST_SETS = 126


class Amount(NamedTuple):
    """A number that depends on digits: its values in order, and a literal "so much or more" each.

    The literal of the lowest value is TRUE, and `beyond`, that it is more than the highest, -TRUE.
    `tables` say what each digit of which cell counts, for notes; without these they are empty.
    With notes the literals of both bounds may be variables, which clauses of their own fix.
    """

    values: Sequence[int]
    literals: Sequence[int]
    tables: tuple[tuple[int, Worths], ...] = ()
    beyond: int = -TRUE

    def at_least(self, value: int) -> int:
        """The literal that says: the amount is this or more."""
        place = bisect_left(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond

    def after(self, value: int) -> int:
        """The literal that says: the amount is more than this."""
        place = bisect_right(self.values, value)
        return self.literals[place] if place < len(self.values) else self.beyond

    def next(self, place: int) -> int:
        """The literal that says: the amount is more than the value at a place."""
        return self.literals[place + 1] if place + 1 < len(self.values) else self.beyond


def amount_of_cell(cell: int, worths: Worths, kit: Kit) -> Amount:
    """What a cell is worth by the digits that are open in it."""
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


def amounts_of_digits(cells: Sequence[int], worths: Worths, kit: Kit) -> tuple[Amount, ...]:
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


def is_one_amount(worths: Worths, count: int) -> bool:
    """Whether so many cells that differ are to be one amount: few sets, each digit worth another.

    (Where many digits are worth the same, as where one is counted, few are to be added.)
    """
    size = len(worths) - 1
    return comb(size, count) <= _MOST_SETS and len(set(worths[1:])) == size


def amount_of_group(
    cells: Sequence[int], worths: Worths, room: tuple[int, int], kit: Kit
) -> Amount:
    """What cells are worth of which no two hold the same digit, as far as it lies in its room."""
    count = len(cells)
    values = [v for v in _sums(worths, count) if room[0] <= v <= room[1]]
    if not values:  # the rest of the constraint cannot be kept
        kit.add()
        return Amount((room[0],), (TRUE,))
    amount = Amount(values, [TRUE, *(kit.fresh() for _ in values[1:])])
    for less, more in pairwise(amount.literals):
        kit.add(-more, less)
    absent = {}
    for digit in range(1, kit.size + 1):
        absent[digit] = -kit.present(frozenset(cells), digit)
        absent[-digit] = -absent[digit]
    # Digits, tens, and digits that are taken away have the same limits once they are counted from 0
    # in steps of 1. The least is found as the most is: of worths that are counted downwards.
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
    """All that so many different digits are worth together, in order."""
    return sorted({sum(each) for each in combinations(worths[1:], count)})


@lru_cache(maxsize=128)
def limits(worths: tuple[int, ...], count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """What so many different digits are worth at the most, by facts from which that follows.

    No two digits are worth the same, and the first entry is that of 1. A fact is a digit that is
    present, or (negative) one that is absent. None of the facts can be left out, and whatever the
    digits are, some of these facts say what they are worth.

    >>> limits((1, 2, 3), 2)
    (((), 5), ((-3,), 3), ((-2,), 4), ((1,), 4), ((1, 2), 3))
    """
    end = len(worths) + 1
    if worths[0] > worths[-1]:
        # Most worths rise or fall evenly, so that those from below are those from above mirrored.
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
        # Only a fact that the best digits break makes them worth less.
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
            # With fewer facts that were not reached here they are worth more anyway.
            if all(most[facts] < most.get(facts - {each}, most[facts] + 1) for each in facts):
                yield tuple(sorted(facts)), most[facts]


def _best(best_first: Sequence[int], count: int, facts: frozenset[int]) -> list[int]:
    """The best digits with which these facts hold; too few or too many where they cannot."""
    present = [fact for fact in facts if fact > 0]
    others = [d for d in best_first if d not in facts and -d not in facts]
    return present + others[: max(0, count - len(present))]
