"""Why a clue about a line cannot be kept with the digits that are left in its cells.

Each function looks at less than the whole clue, and returns a text only if that suffices to show
that no digits fit; otherwise the text is empty.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satdoku.errors import join
from satdoku.puzzle.constraints import Masks, digits_of, every_digit, mask_of
from satdoku.puzzle.grid import Geometry

# The most sets of digits to list, and the most cases to tell.
_MOST_SETS, _MOST_CASES = 4, 3

# The most orders of digits to look at: those of nine cells with all digits are some 20,000.
_MOST_ORDERS = 6000

# The largest number of one character; lists of larger ones need separators.
_MOST_ONE_SIGN = 9


class Line(NamedTuple):
    """The cells of a line with the digits left in them, as masks.

    `lowest` is the number of the first digit, and `are_different` whether all cells differ. Brief
    reasons name no digits of cells.
    """

    geometry: Geometry
    cells: Sequence[int]
    masks: Sequence[int]
    lowest: int
    are_different: bool
    is_brief: bool

    def name(self, place: int) -> str:
        return self.geometry.name_of(self.cells[place])

    def names(self, places: Iterable[int], last: str = "and") -> str:
        # Cells are named in the order of the board, as in all other lists of cells.
        cells = sorted(self.cells[place] for place in places)
        return join([self.geometry.name_of(cell) for cell in cells], last)

    def number(self, digit: int) -> int:
        return digit + self.lowest - 1

    def numbers(self, mask: int, last: str = "and") -> str:
        return join([str(self.number(digit)) for digit in digits_of(mask)] or ["none"], last)

    def sets(self, masks: Iterable[int]) -> str:
        """Return sets of digits as people write them: `28, 37 or 46`."""
        between = "" if self.number(self.geometry.size) <= _MOST_ONE_SIGN else "-"
        found = sorted(map(digits_of, masks), key=lambda each: (len(each), each))
        return join([between.join(str(self.number(d)) for d in each) for each in found], "or")

    def total(self, mask: int) -> int:
        return sum(map(self.number, digits_of(mask)))

    def places_of(self, digit: int) -> list[int]:
        return [place for place, mask in enumerate(self.masks) if mask >> digit & 1]


# Digits that are greater than all before them


def why_not_seen(line: Line, count: int) -> str:
    """Return why the digits seen in a line, each greater than all before, cannot be so many."""
    for are_different in (False, True)[: 1 + line.are_different]:
        seen = _seen_in(line, are_different)
        counts = {each.bit_count() for each in seen}
        if seen and count not in counts:
            return (
                _tell_seen_briefly(counts, count)
                if line.is_brief
                else _tell_seen(line, seen, count)
            )
    return _tell_seen_briefly(set(), count) if line.is_brief else ""


def _tell_seen_briefly(counts: set[int], count: int) -> str:
    digits = f"{count} digits" if count > 1 else "one digit"
    if counts and max(counts) < count:
        return f"fewer than {digits} would be seen"
    if counts and min(counts) > count:
        return f"more than {digits} would be seen"
    return f"the digits seen would not be {count}"


def _seen_in(line: Line, are_different: bool) -> set[int]:
    """Return the possible sets of digits seen; empty if there are too many orders of digits."""
    # The digits before a cell, of which only the highest counts if digits may stand twice.
    states = {(0, 0)}
    for mask in line.masks:
        after = set()
        for before, seen in states:
            for digit in digits_of(mask & ~before if are_different else mask):
                bit = 1 << digit
                is_seen = bit > before and line.number(digit) > 0
                behind = before | bit if are_different else max(before, bit)
                after.add((behind, seen | bit if is_seen else seen))
        states = after
        if len(states) > _MOST_ORDERS:
            return set()
    return {seen for _, seen in states}


def _tell_seen(line: Line, seen: set[int], count: int) -> str:
    every, sure = 0, -1
    for each in seen:
        every, sure = every | each, sure & each
    fewest, most = min(seen, key=int.bit_count), max(seen, key=int.bit_count)
    if every.bit_count() < count:
        return f"only {line.numbers(every)} can be seen"
    if sure.bit_count() > count:
        are = "are both" if sure.bit_count() == 2 else "are all"
        return f"the digits {line.sets([sure])} {are} seen"
    if len(seen) <= _MOST_SETS:
        return f"the digits seen would be {line.sets(seen)}, not {count} of them"
    if most.bit_count() < count:
        return f"at most {most.bit_count()} digits would be seen, such as {line.numbers(most)}"
    if fewest.bit_count() > count:
        return f"at least {fewest.bit_count()} digits would be seen, such as {line.numbers(fewest)}"
    return ""


# The first digit behind a greater one


def why_not_hidden(line: Line, digit: int) -> str:
    """Return why a digit cannot be the first of a line behind a greater one."""
    number = line.number(digit)
    rising, behind = _rising(line), [place for place in line.places_of(digit) if place]
    end, greater = len(rising), every_digit(line.geometry.size) & -2 << digit
    places = [place for place in behind if place <= end]
    hidden = _first_hidden(line) if line.is_brief and line.are_different else 0
    if hidden and not hidden >> digit & 1:
        if hidden.bit_count() > _MOST_CASES:
            return "another digit would be the first behind a greater one"
        return f"the first digit behind a greater one would be {line.numbers(hidden, 'or')}"
    if line.is_brief:
        return f"{number} would not be the first digit behind a greater one"
    if line.masks[0] == 1 << digit:
        return f"{number} would be the first of all, with no digit before it"
    if not line.are_different or any(rising[place - 1] & greater for place in places):
        return ""
    told = [_tell_end(line, end, number, places)] if places != behind or not places else []
    lacking = [place for place in places if not line.masks[place - 1] & greater]
    if lacking:
        before = line.names([place - 1 for place in lacking], "or")
        cannot = "which it cannot" if len(lacking) == 1 else "which they cannot"
        told.append(f"{before}, before {number}, would be greater than {number}, {cannot}")
    for place in (each for each in places if each not in lacking):
        rise = line.numbers(line.masks[place - 1] & greater, "or")
        here = f"with {number} in {line.name(place)}"
        told.append(f"{here}, the digits before it would rise to {rise}, which they cannot")
    return "; ".join(told) if len(told) <= _MOST_CASES else ""


def _first_hidden(line: Line) -> int:
    """Return all digits that can be the first behind a greater one; 0 if they are not known.

    Before it the digits rise, so the last of them is the highest.
    """
    hidden, lasts = 0, line.masks[0]
    for mask in line.masks[1:]:
        if not lasts:
            break
        hidden |= mask & mask_of(range(1, lasts.bit_length() - 1))
        lasts = mask & ~(2 * (lasts & -lasts) - 1)
    # In a line without a hidden digit all rise.
    return 0 if lasts else hidden


def _tell_end(line: Line, end: int, number: int, places: Sequence[int]) -> str:
    """Return where digits can rise no longer, so that a number stands there at the latest."""
    if end == len(line.cells):
        return f"no cell behind the first can be {number}"
    if end == 1 and places:
        return f"{line.name(1)} cannot be greater than {line.name(0)}, so it would be {number}"
    if end == 1:
        less = f"{line.name(1)} would be less than {line.name(0)}"
        return f"{less}, so it would be the first hidden digit, which must be {number}"
    rise = f"the digits rise at most up to {line.name(end - 1)}, so {number} would be in"
    if places:
        return f"{rise} {line.names(places, 'or')}"
    if end < _MOST_CASES:
        return f"{rise} {line.names(range(1, end + 1), 'or')}, which cannot be {number}"
    return f"{rise} {line.name(end)} or before, where it has no place"


def _rising(line: Line) -> list[int]:
    """Return the digits that rising digits reach in each cell, up to where they cannot rise."""
    found = [line.masks[0]]
    for mask in line.masks[1:]:
        least = found[-1] & -found[-1]
        reached = mask & ~(2 * least - 1)
        if not reached:
            break
        found.append(reached)
    return found


# The place that the first digit says


def why_not_at_place(line: Line, digit: int) -> str:
    """Return why a digit cannot stand at the place that the first digit says; empty if it can."""
    firsts = digits_of(line.masks[0])
    places = [line.number(first) - 1 for first in firsts]
    inside = [place for place in places if 0 <= place < len(line.cells)]
    # At the first place of all stands the first digit itself, 1.
    able = [place for place in inside if line.masks[place] >> digit & 1]
    if any(place or line.number(digit) == 1 for place in able):
        return ""
    number, here = line.number(digit), line.names([0])
    if len(firsts) > _MOST_SETS or len(inside) < len(places):
        return f"{number} can be at no place that {here} says"
    if inside == [0]:
        return f"{here} is 1, so it would be {number} itself"
    where = line.names(inside, "or")
    return f"{number} would be in {where}, as {here} is {line.numbers(line.masks[0], 'or')}"


# The place of a line among others, read as numbers


class Read(NamedTuple):
    """A line that is read as a number: its name, and its cells with the digits left in them."""

    name: str
    cells: Sequence[int]
    masks: Sequence[int]


def why_not_ranked(own: Read, others: Iterable[Read], number: int, may_tie: bool) -> str:
    """Return why a line cannot have a place among all lines, counted from 1 for the lowest.

    Four lines begin with each digit.
    """
    if own.masks[0].bit_count() != 1:
        return ""
    first, place = own.masks[0].bit_length() - 1, (number - 1) % 4
    rivals = [each for each in others if each.masks[0] >> first & 1]
    sure = [
        each for each in rivals if each.masks[0] == 1 << first and _is_lower(own, each, may_tie)
    ]
    if len(sure) > place:
        verb = "is" if len(sure) == 1 else "are"
        least = number - place + len(sure)
        return (
            f"{join([each.name for each in sure])} {verb} lower, so its place is at least {least}"
        )
    able = [each for each in rivals if _can_be_lower(own, each)]
    if len(able) < place:
        which = f"only {join([each.name for each in able])}" if able else "none"
        most = number - place + len(able)
        alike = "of the lines that begin with the same digit"
        return f"{alike} {which} can be lower, so its place is at most {most}"
    return ""


def _can_be_lower(own: Read, other: Read) -> bool:
    """Whether another line may be lower, as far as two cells at a time tell."""
    for one, two, here, there in zip(own.cells, other.cells, own.masks, other.masks, strict=True):
        if one == two:
            continue
        if (there & -there).bit_length() < here.bit_length():
            return True
        if not here & there:
            return False
    return False


def _is_lower(own: Read, other: Read, may_tie: bool) -> bool:
    """Whether another line is lower in any case."""
    for one, two, here, there in zip(own.cells, other.cells, own.masks, other.masks, strict=True):
        if one == two:
            continue
        if there.bit_length() > (here & -here).bit_length():
            return False
        if not here & there:
            return True
    return not may_tie


# Sums between the lowest and the highest digit, and of the first X digits


def why_not_between(line: Line, total: int, sets: Masks) -> str:
    """Return why none of the sets, of this total, can lie between the ends of a line.

    The line holds every digit once.
    """
    size = line.geometry.size
    lows, highs = line.places_of(1), line.places_of(size)
    apart = {each.bit_count() + 1 for each in sets}
    ends = [(a, b) for a in lows for b in highs if abs(a - b) in apart]
    low, high = line.number(1), line.number(size)
    if not sets:
        return f"different digits between {low} and {high} cannot sum to {total}"
    if line.is_brief and ends:
        return f"what can lie between {low} and {high} would not sum to {total}"
    if not ends:
        return _tell_apart(line, apart)
    told = []
    for a, b in ends:
        inside = range(min(a, b) + 1, max(a, b))
        outside = [n for n in range(len(line.cells)) if n not in (a, b, *inside)]
        able = [each for each in sets if each.bit_count() == len(inside)]
        rest = every_digit(size) & ~(1 << 1 | 1 << size)
        reason = _why_not_filled(line, inside, able, total, outside, rest)
        if not reason:
            return ""
        told.append(f"with {low} in {line.name(a)} and {high} in {line.name(b)}, {reason}")
    return "; ".join(told) if len(told) <= _MOST_CASES else ""


def _tell_apart(line: Line, apart: set[int]) -> str:
    """Return where the ends of a line would be; they cannot be so far apart."""
    size = line.geometry.size
    spans = [str(each) for each in sorted(apart)]
    is_range = len(spans) > 2 and max(apart) - min(apart) < len(spans)
    far = f"{spans[0]} to {spans[-1]}" if is_range else join(spans, "or")
    for end, other in () if line.is_brief else ((1, size), (size, 1)):
        places = line.places_of(end)
        if len(places) == 1:
            there = [n for n in range(len(line.cells)) if abs(n - places[0]) in apart]
            if len(line.places_of(other)) == 1 or not there:
                break
            number = line.number(other)
            where = f"in {line.names(there, 'or')}"
            cannot = "which cannot be" if len(there) > 1 else "which is not"
            away = "beside it" if apart == {1} else f"{far} cells away"
            return f"{number} would be {away}, {where}, {cannot} {number}"
    beside = "side by side" if apart == {1} else f"{far} cells apart"
    return f"{line.number(1)} and {line.number(size)} would be {beside}, which they cannot"


def why_not_first(line: Line, total: int, behind: dict[int, Masks]) -> str:
    """Return why no X of a line fits the sum of the first X digits.

    `behind` has for each first digit the sets of digits behind it that give the sum.
    """
    firsts = digits_of(line.masks[0])
    size = line.geometry.size
    told: dict[str, list[int]] = {}
    for digit in firsts:
        number = line.number(digit)
        inside = range(1, max(number, 1))
        sets = behind.get(digit, ())
        if sets:
            outside = range(max(number, 1), len(line.cells))
            rest = every_digit(size) & ~(1 << digit)
            reason = _why_not_filled(line, inside, sets, total - number, outside, rest)
        else:
            reason = _why_no_sum(line, number, total)
        if not reason:
            return ""
        told.setdefault(reason, []).append(digit)
    if line.is_brief:
        return f"no X fits the sum {total}"
    if len(told) > _MOST_CASES:
        return ""
    if len(firsts) == 1:
        return next(iter(told))
    return "; ".join(
        f"with {line.numbers(mask_of(digits), 'or')} in {line.name(0)}, {reason}"
        for reason, digits in told.items()
    )


def _why_no_sum(line: Line, first: int, total: int) -> str:
    """Return why no digits behind a first number, as many as it says, give a sum."""
    others = [number for number in map(line.number, range(1, line.geometry.size + 1))]
    others = [number for number in others if number != first]
    least = first + sum(others[: first - 1])
    most = first + sum(others[len(others) - first + 1 :])
    if first < 2:
        return f"the sum would be {first}, not {total}"
    digits = f"{first} digits with {first} among them"
    if least <= total <= most:
        return f"{digits} cannot sum to {total}"
    bound = f"most {most}" if most < total else f"least {least}"
    return f"{digits} come to at {bound}, not {total}"


def _why_not_filled(
    line: Line,
    inside: Sequence[int],
    sets: Iterable[int],
    total: int,
    outside: Sequence[int],
    rest: int,
) -> str:
    """Return why the places inside cannot hold one of the sets, and those outside the rest.

    `rest` are the digits that both hold together.
    """
    here = sorted((line.masks[place] for place in inside), key=int.bit_count)
    able = [each for each in sets if can_fill(here, each)]
    if not able:
        would = f"{_these(line, inside)} would hold" if inside else ""
        listed = list(sets)
        if would and len(listed) <= _MOST_SETS:
            it = "it" if len(inside) == 1 else "they"
            return f"{would} {line.sets(listed)}, which {it} cannot"
        return f"{_these(line, inside)} cannot come to {total}" if inside else ""
    others = sorted((line.masks[place] for place in outside), key=int.bit_count)
    if any(can_fill(others, rest & ~each) for each in able) or len(able) > _MOST_SETS:
        return ""
    held = f"{_these(line, inside)} would hold {line.sets(able)}" if inside else ""
    # A digit that is not inside in any case, and has no place outside.
    homeless = [
        digit
        for digit in digits_of(rest & ~mask_of(d for each in able for d in digits_of(each)))
        if not any(mask >> digit & 1 for mask in others)
    ]
    if homeless:
        lost = f"{line.number(homeless[0])} would have no place"
        return f"{held}, and {lost}" if held else lost
    rests = line.sets(rest & ~each for each in able)
    return f"{held}, and {_these(line, outside)} could not hold {rests}, the rest" if held else ""


def _these(line: Line, places: Sequence[int]) -> str:
    """Name cells that follow a digit or another cell, with which they would be read."""
    return f"{'the cells ' if len(places) > 1 else ''}{line.names(places)}"


def can_fill(masks: Sequence[int], digits: int) -> bool:
    """Whether these digits can fill the cells that have these masks left, one each.

    It takes least time if cells with few digits left come first.
    """
    if digits.bit_count() != len(masks):
        return False
    if not masks:
        return True
    first, rest = masks[0] & digits, masks[1:]
    while first:
        digit = first & -first
        if can_fill(rest, digits ^ digit):
            return True
        first ^= digit
    return False
