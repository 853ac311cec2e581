"""Colouring: if two candidates of one colour exclude each other, all of the other colour hold.

A truth with two members left joins them: one holds, the other does not. So all candidates joined by
such truths get one of two colours, and all of one colour hold or all of the other. A candidate that
both colours exclude is explained more shortly by a chain. But if two of one colour exclude each
other, the whole colour is excluded at once, where a chain would exclude one candidate.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names

# The most truths of a step: a person with two pencils may colour more, but larger steps are hard to
# check.
_MOST_TRUTHS = 16

_Joined = Mapping[int, Sequence[tuple[int, Truth]]]


def find_colouring(position: Position) -> Finding | None:
    """Return the colour with a clash over the fewest truths, and all its exclusions."""
    joined = defaultdict(list)
    for truth in position.open_truths:
        members = truth.members & position.left
        if members.bit_count() == 2:
            one, other = candidates_of(members)
            joined[one].append((other, truth))
            joined[other].append((one, truth))
    links = position.board.links
    clashing = [start for mask in _colours(joined) for start in _clashing(mask, links)]
    found = (_clash_from(start, joined, links) for start in clashing)
    clash = min(filter(None, found), key=lambda clash: len(clash.between), default=None)
    if clash is None or len(clash.between) > _MOST_TRUTHS:
        return None
    return _told(position, clash)


def _colours(joined: _Joined) -> Iterator[int]:
    """Yield both colours, as masks, of each set of joined candidates."""
    seen = 0
    for start in joined:
        if not seen >> start & 1:
            colours = [1 << start, 0]
            waiting = [(start, 0)]
            for here, colour in waiting:
                for there, _ in joined[here]:
                    if not (colours[0] | colours[1]) >> there & 1:
                        colours[1 - colour] |= 1 << there
                        waiting.append((there, 1 - colour))
            seen |= colours[0] | colours[1]
            yield from colours


def _clashing(colour: int, links: Sequence[int]) -> list[int]:
    """Return the candidates of a colour that exclude another candidate of the same colour."""
    return [each for each in candidates_of(colour) if links[each] & colour]


class _Clash(NamedTuple):
    """The truths between two candidates of a colour that exclude each other, and joined ones.

    Each of the `others` is joined to an earlier truth.
    """

    between: list[Truth]
    others: list[Truth]


def _clash_from(start: int, joined: _Joined, links: Sequence[int]) -> _Clash | None:
    """Return the nearest clash of a candidate with another of its colour."""
    came_from: dict[int, tuple[int, Truth] | None] = {start: None}
    colour = {start: 0}
    clash: int | None = None
    waiting = [start]
    for here in waiting:
        for there, truth in joined[here]:
            if there not in came_from:
                came_from[there] = here, truth
                colour[there] = 1 - colour[here]
                waiting.append(there)
                if clash is None and not colour[there] and links[start] >> there & 1:
                    clash = there
    if clash is None:
        return None
    between: list[Truth] = []
    before = came_from[clash]
    while before is not None:
        between.append(before[1])
        before = came_from[before[0]]
    every = [before[1] for before in came_from.values() if before is not None]
    return _Clash(between, [truth for truth in every if truth not in between])


def _told(position: Position, clash: _Clash) -> Finding:
    """Return a step with the truths of a clash, and those others that add exclusions."""
    links, left = position.board.links, position.left

    def excluded(truths: Sequence[Truth]) -> int | None:
        return excluded_by([truth.members for truth in truths], links, left)

    truths = [*clash.between, *clash.others][:_MOST_TRUTHS]
    every = excluded(truths)
    assert every is not None, "there is one choice only"
    for truth in reversed(truths[len(clash.between) :]):
        fewer = [other for other in truths if other is not truth]
        beside = reduce(or_, [other.members for other in fewer])
        # A truth that joins others is kept.
        if truth.members & left & ~beside and excluded(fewer) == every:
            truths = fewer
    digits = {
        position.board.placements[member].digit
        for truth in truths
        for member in candidates_of(truth.members & left)
    }
    name = Technique.COLOURING if len(digits) == 1 else Technique.MEDUSA
    return Finding(name, tuple(truths), excludes=tuple(candidates_of(every)))


def _every(around: Around) -> Iterator[Finding]:
    """Yield the colour with a clash, then all exclusions by the colours of each digit."""
    position = around.position
    found = find_colouring(position)
    if found is not None:
        yield found
    of_digit: dict[int, list[Truth]] = {}
    for truth in position.open_truths:
        if truth.unit is not None and (truth.members & position.left).bit_count() == 2:
            of_digit.setdefault(truth.digit, []).append(truth)
    for truths in of_digit.values():
        joined = list(_joined_truths(truths))
        for some in [*joined, truths] if len(joined) > 1 else joined:
            masks = [truth.members for truth in some]
            excluded = excluded_by(masks, position.board.links, position.left)
            if excluded:
                gone = tuple(candidates_of(excluded))
                yield Finding(Technique.COLOURING, tuple(some), excludes=gone)


def _joined_truths(truths: Sequence[Truth]) -> Iterator[list[Truth]]:
    """Yield each set of truths whose candidates are joined."""
    rest = list(truths)
    while rest:
        some, members = [rest[0]], rest[0].members
        for _ in rest:
            more = [t for t in rest if t.members & members and t not in some]
            some += more
            members |= reduce(or_, [t.members for t in more], 0)
        rest = [truth for truth in rest if truth not in some]
        yield some


def _tell(names: Names, step: Deduction) -> str:
    """Return a sentence with the candidates of both colours, and why something is excluded."""
    links, so = names.board.links, f"so {names.without(step.excludes)}"
    colours = [colours_of(some, step.before, links) for some in _joined_truths(step.truths)]
    groups = [f"{_listed(names, one)} red, {_listed(names, other)} blue" for one, other in colours]
    told = (
        f"colour {'; and as a second group '.join(groups)}. Each is joined to one of the other "
        f"colour, as the last two candidates of a cell or of a digit in a unit, so "
    )
    if len(colours) > 1:
        return f"{told}in each group all of one colour hold; whichever these are, {so}"
    told += "all the red ones hold or all the blue ones"
    wrong = colours[0][0]
    if _clashing(wrong, links):
        clash = _not_both(names, *clash_of(wrong, links))
        return f"{told}. But {clash}, so the blue ones hold; {so}"
    return f"{told}; either way {so}"


def _listed(names: Names, colour: int) -> str:
    return join(list(map(names.candidate, candidates_of(colour))))


def _not_both(names: Names, one: int, other: int) -> str:
    """Say that two candidates exclude each other."""
    (cell, digit), (cell_2, digit_2) = (names.board.placements[each] for each in (one, other))
    if cell == cell_2:
        return f"{names.cell(cell)} cannot be both {names.digits((digit, digit_2))}"
    if digit == digit_2:
        return f"{names.cells((cell, cell_2))} cannot both be {names.digit(digit)}"
    return f"{names.candidate(one)} and {names.candidate(other)} exclude each other"


def colours_of(truths: Sequence[Truth], left: int, links: Sequence[int]) -> tuple[int, int]:
    """Return the candidates of both colours, as masks; only the first colour may have a clash."""
    members = [truth.members & left for truth in truths]
    one, other = members[0] & -members[0], 0
    for _ in truths:
        for pair in members:
            if pair & one:
                other |= pair & ~one
            elif pair & other:
                one |= pair & ~other
    return (one, other) if _clashing(one, links) else (other, one)


def clash_of(colour: int, links: Sequence[int]) -> tuple[int, int]:
    """Return the first two candidates of a colour that exclude each other."""
    first = _clashing(colour, links)[0]
    return first, candidates_of(links[first] & colour)[0]


SEARCH = Search(
    {
        Technique.COLOURING: ("HoDoKu 0500", "HoDoKu 0501", "HoDoKu 0502", "HoDoKu 0503"),
        Technique.MEDUSA: (),
    },
    Level.PATTERNS,
    # In explanations, the search for chains calls `find_colouring` itself.
    None,
    _every,
    _tell,
)
