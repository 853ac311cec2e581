"""Wings, and what must not be left if there is one solution: loops and boards of two digits a cell.

A wing is cells of a unit with a digit more than they are, and a cell with two of these digits.
"""

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import and_, or_

from satdoku.puzzle.constraints import digits_of
from satdoku.rating.sheet import CELLS_OF, PEERS, UNITS, UNITS_OF, Move, Sheet, seen_by_all

# For so many cells. Of four and five cells these are the least: it is 0.1 more for each digit that
# the largest cell is nearer to having three. XY-wings (4.2) are three cells with two digits each.
_WINGS = {3: 4.4, 4: 5.5, 5: 6.2, 6: 6.6, 7: 7.5}


def wings(sheet: Sheet, size: int) -> Iterator[Move]:
    """Cells of a unit with a digit more than they are, and a cell with two of these digits.

    If these share no place of one digit, the other is in either of them.
    """
    for cells, digits, most in _almost_locked(sheet, size - 1):
        number = _WINGS[size]
        if size == 3 and most == 2:
            number = 4.2
        elif size in (4, 5):
            number += (size - 3 - abs(3 - most)) / 10
        for pair in sheet.pairs:
            if not sheet.digits[pair] & ~digits and not cells >> pair & 1:
                for gone in _gone_by_wing(sheet, pair, cells, digits):
                    yield Move(number, gone)


def _gone_by_wing(sheet: Sheet, pair: int, cells: int, digits: int) -> Iterator[int]:
    """What `pair`, a cell with two digits, excludes together with `cells`, an almost locked set."""
    here = [sheet.places[digit] & cells for digit in range(9)]
    shared = [d for d in digits_of(sheet.digits[pair]) if not here[d] & ~PEERS[pair]]
    gone = 0
    if len(shared) == 2:
        # Whichever of its two digits `pair` holds, the cells of the set hold the other one and all
        # their further digits.
        for digit in digits_of(digits & ~sheet.digits[pair]):
            gone |= sheet.candidates(1 << digit, seen_by_all(here[digit]) & ~cells)
    for outer in digits_of(sheet.digits[pair]):
        if any(digit != outer for digit in shared):
            ends = seen_by_all(here[outer]) & PEERS[pair] & ~cells
            gone |= sheet.candidates(1 << outer, ends)
    if gone:
        yield gone


def _almost_locked(sheet: Sheet, size: int) -> Iterator[tuple[int, int, int]]:
    """Cells of a unit, their digits, and how many digits the largest cell has."""
    seen = set()
    for listed in CELLS_OF:
        narrow = [c for c in listed if 1 < sheet.digits[c].bit_count() <= size + 1]
        for chosen in combinations(narrow, size):
            digits = reduce(or_, [sheet.digits[cell] for cell in chosen])
            cells = sum(1 << cell for cell in chosen)
            if digits.bit_count() == size + 1 and cells not in seen:
                seen.add(cells)
                yield cells, digits, max(sheet.digits[cell].bit_count() for cell in chosen)


# Loops of four cells; what is added for so many cells, and for more.
_LOOP, _LONGER, _LONGEST = 4.5, {4: 0.0, 6: 0.1, 8: 0.2}, 0.5
# Boards on which all cells have two digits but for some candidates: "bivalue universal graves".
_BUG = 5.6
# Longer loops are hardly ever met, and there are ever more ways to follow.
_MOST_CELLS = 10


def loops(sheet: Sheet) -> Iterator[Move]:
    """Loops of cells with the same two digits, but for one or two cells that have others too."""
    seen = set()
    for start in sheet.pairs:
        pair = sheet.digits[start]
        for loop in _loops_through(sheet, start, pair):
            cells = sum(1 << cell for cell in loop)
            if cells not in seen:
                seen.add(cells)
                longer = _LONGER.get(len(loop), _LONGEST)
                wide = [cell for cell in loop if sheet.digits[cell] != pair]
                yield from _broken(sheet, pair, wide, _LOOP + longer)


def _loops_through(sheet: Sheet, start: int, pair: int) -> Iterator[tuple[int, ...]]:
    """Closed ways over cells with both digits in which no unit has two neighbours twice."""
    able = reduce(and_, [sheet.places[digit] for digit in digits_of(pair)])
    # Each entry: the cells so far, the units that two of them are in, and what the wide ones have.
    waiting: list[tuple[tuple[int, ...], int, int]] = [((start,), 0, 0)]
    while waiting:
        path, used, extra = waiting.pop()
        last = path[-1]
        for unit in UNITS_OF[last]:
            if used >> unit & 1:
                continue
            if len(path) > 3 and UNITS[unit] >> start & 1 and _is_even(path):
                yield path
            for cell in (
                digits_of(able & UNITS[unit] & PEERS[last]) if len(path) < _MOST_CELLS else ()
            ):
                more = sheet.digits[cell] & ~pair
                wide = sum(1 for c in (*path, cell) if sheet.digits[c] != pair)
                is_few = wide <= 2 or (extra | more).bit_count() == 1
                if cell not in path and is_few:
                    waiting.append(((*path, cell), used | 1 << unit, extra | more))


def _is_even(path: tuple[int, ...]) -> bool:
    """Whether each unit has none of the cells, or one of each half of them."""
    halves = [sum(1 << cell for cell in path[half::2]) for half in (0, 1)]
    return all((u & halves[0]).bit_count() == (u & halves[1]).bit_count() <= 1 for u in UNITS)


def _broken(sheet: Sheet, pair: int, wide: list[int], number: float) -> Iterator[Move]:
    """Some wide cell has another digit than the two: what follows from that."""
    cells = sum(1 << cell for cell in wide)
    extra = reduce(or_, [sheet.digits[cell] & ~pair for cell in wide], 0)
    if len(wide) == 1:
        yield from _move(number, sheet.candidates(pair, cells))
    elif extra.bit_count() == 1:
        yield from _move(number, sheet.candidates(extra, seen_by_all(cells)))
    elif len(wide) == 2:
        yield from _locked_in(sheet, pair, cells, number)
        for size, gone in _joined(sheet, cells, extra):
            yield from _move(number + (size - 1) / 10, gone)


def _locked_in(sheet: Sheet, pair: int, cells: int, number: float) -> Iterator[Move]:
    """One of the digits has no other place in a unit, so the cells do not have the other one."""
    for unit in UNITS:
        if cells & ~unit:
            continue
        for digit in digits_of(pair):
            if not sheet.places[digit] & unit & ~cells:
                yield from _move(number, sheet.candidates(pair & ~(1 << digit), cells))


def _joined(sheet: Sheet, cells: int, extra: int) -> Iterator[tuple[int, int]]:
    """Cells that have one of some digits, joined to others as if they were one: naked sets."""
    for unit in UNITS:
        if cells & ~unit:
            continue
        others = [c for c in digits_of(unit & ~cells) if sheet.digits[c]]
        for size in range(2, 5):
            for chosen in combinations(others, size - 1):
                digits = reduce(or_, [sheet.digits[cell] for cell in chosen], extra)
                if digits.bit_count() == size:
                    left = unit & ~cells & ~sum(1 << cell for cell in chosen)
                    yield size, sheet.candidates(digits, left)


def _move(number: float, gone: int) -> Iterator[Move]:
    if gone:
        yield Move(number, gone)


def two_everywhere(sheet: Sheet) -> Iterator[Move]:
    """All cells have two digits and all digits two places, but for some candidates."""
    wide = [cell for cell, digits in enumerate(sheet.digits) if digits.bit_count() > 2]
    cells = sum(1 << cell for cell in wide)
    extras = {cell: _extra(sheet, cell, cells) for cell in wide}
    if not wide or not all(extras.values()) or not _is_left(sheet, extras):
        return
    extra = reduce(or_, extras.values())
    if len(wide) == 1:
        yield from _move(_BUG, sheet.candidates(sheet.digits[wide[0]] & ~extra, cells))
        return
    if extra.bit_count() == 1:
        yield from _move(_BUG + 0.1, sheet.candidates(extra, seen_by_all(cells)))
        return
    if len(wide) == 2:
        yield from _locked_in_common(sheet, wide, extras)
    for size, gone in _joined(sheet, cells, extra):
        yield from _move(_BUG + size / 10, gone)


def _locked_in_common(sheet: Sheet, wide: list[int], extras: dict[int, int]) -> Iterator[Move]:
    """One of two cells has a digit that both have, if not as an extra, so the other has its extra.

    So what is neither goes from both.
    """
    cells = sum(1 << cell for cell in wide)
    common = sheet.digits[wide[0]] & sheet.digits[wide[1]] & ~extras[wide[0]] & ~extras[wide[1]]
    for unit in UNITS:
        for digit in digits_of(common) if not cells & ~unit else ():
            gone = 0
            for cell in wide:
                rest = sheet.digits[cell] & ~extras[cell] & ~(1 << digit)
                gone |= sheet.candidates(rest, 1 << cell)
            yield from _move(_BUG + 0.1, gone)


def _extra(sheet: Sheet, cell: int, wide: int) -> int:
    """The digits of a cell that have not two places in a unit with no other wide cell for them."""
    found = 0
    for digit in digits_of(sheet.digits[cell]):
        for number in UNITS_OF[cell]:
            here = sheet.places[digit] & UNITS[number]
            if here.bit_count() != 2 and here & wide == 1 << cell:
                found |= 1 << digit
    return found


def _is_left(sheet: Sheet, extras: dict[int, int]) -> bool:
    """Whether without these every cell has two digits, and every digit none or two places."""
    gone = 0
    for cell, digits in extras.items():
        gone |= sheet.candidates(digits, 1 << cell)
    left = sheet.after(Move(0, gone))
    return all(d.bit_count() in (0, 2) for d in left.digits) and all(
        (cells & unit).bit_count() in (0, 2) for cells in left.places for unit in UNITS
    )
