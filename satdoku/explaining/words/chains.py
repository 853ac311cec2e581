"""Sentences for chains: link by link, or as a pattern by its parts; and names of chains."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import reduce
from itertools import pairwise
from operator import or_

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import AREAS, LINES, Board, Truth, candidates_of, linked_to_all
from satdoku.explaining.step import Deduction, Strong, Technique, petals_of
from satdoku.explaining.words.compared import by_rules, is_seen
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Unit


def describe_chain(names: Names, step: Deduction) -> str:
    """Return the sentence of a chain from its first end to its last, one of which holds."""
    chain, is_closed = _up_to_contradiction(step)
    # A contradiction shows that the beginning holds after all.
    first, last = chain[0].off, chain[0].off if is_closed else chain[-1].on
    fins = _fins_of(chain, step.before)
    links, off = [f"then {_reached(names, chain[0], step.before, fins, fins)}"], first | fins
    for before, link in pairwise(chain):
        links.append(_linked(names, before, link, step.before, off, fins))
        off |= link.off
    if is_closed:
        links[-1] = _contradiction(names, step._replace(chain=chain), off)
    begin = join([_is_not(names, first), *_fins_not(names, fins)])
    so, way = _either(names, first, last), "in each case" if fins & ~last else "either way"
    if fins & ~last:
        so = f"{so}, or {_fin_is(names, fins & ~last)}"
    told = _results(names, step, first | last | fins, way)
    return f"if {begin}, {', '.join(links)}. So {so}{told}"


def _fins_of(chain: Sequence[Strong], left: int) -> int:
    """Return the fins of a chain; what its beginning supposes to be off is no fin."""
    return reduce(or_, (link.fins(left) for link in chain)) & ~chain[0].off


def _up_to_contradiction(step: Deduction) -> tuple[tuple[Strong, ...], bool]:
    """Return a chain up to the first end that it has shown to be off, and whether there is one."""
    for count in range(2, len(step.chain) + 1):
        chain = step.chain[:count]
        off = reduce(or_, (link.off for link in chain), _fins_of(chain, step.before))
        if not chain[-1].on & ~off:
            return chain, True
    return step.chain, False


def _contradiction(names: Names, step: Deduction, off: int) -> str:
    """Say with which contradiction a chain ends; `off` are the candidates that it has excluded."""
    before, link = step.chain[-2:]
    left = step.before & ~off
    short = _seen_by_end(names, step, left) or _too_few(names, link.truths, left)
    then = f"and {short}" if short else f"then {_reached(names, link, step.before)}"
    why = by_rules(names, before.on, link.off)
    return f"so {_is_not(names, link.off)}{why}, {then}: a contradiction"


def _seen_by_end(names: Names, step: Deduction, left: int) -> str:
    """Say which line of the last link has its digit only where an end of the chain is seen."""
    placements = names.board.placements
    for truth in step.chain[-1].truths if len(step.chain[-1].truths) > 1 else ():
        places = [placements[each] for each in candidates_of(truth.members & left)]
        for link in step.chain[:-1] if truth.unit is not None and places else ():
            end = placements[link.on.bit_length() - 1]
            is_one = not link.on & (link.on - 1) and end.digit == truth.digit
            if is_one and all(is_seen(names, end, place) for place in places):
                cells = names.cells((place.cell for place in places), "or")
                sees = "which sees" if len(places) == 1 else "which see"
                where = f"only in {cells}, {sees} {names.candidate(link.on.bit_length() - 1)}"
                return f"{truth.unit} then has its {names.digit(truth.digit)} {where}"
    return ""


# Of a cell that loses more digits than this by a rule, only the one that is left is named.
_MOST_LOST = 3


def _linked(names: Names, before: Strong, link: Strong, left: int, off: int, fins: int) -> str:
    """Say that the end of a link is off by the end of the link before, and so the other end on."""
    # The end between two links is named, as a person does not see it at once.
    why = by_rules(names, before.on, link.off)
    if why and link.off.bit_count() > _MOST_LOST and _is_of_cell(link):
        return f"so {_end(names, link.on)}{why}"
    return f"so {_is_not(names, link.off)}{why}, then {_reached(names, link, left, off, fins)}"


def _is_of_cell(link: Strong) -> bool:
    return len(link.truths) == 1 and link.truths[0].unit is None


# What excludes the candidates that not all ends of a chain exclude.


def _results(names: Names, step: Deduction, holds: int, way: str = "either way") -> str:
    """Return the exclusions of a chain with their reasons.

    At least one candidate of `holds` holds; `way` says whichever that is, unless it is empty.
    """
    gone, links = mask_of(step.excludes), names.board.links
    common = linked_to_all(holds, links, gone)
    told = _seen(names, holds, common, way) if common else ""
    reasons: dict[str, int] = {}
    for candidate in candidates_of(gone & ~common):
        reason = _neighbours(names, step, candidate) or _shortage(names, step, candidate)
        reasons[reason] = reasons.get(reason, 0) | 1 << candidate
    others = [
        said.format(
            supposed=_supposed(names, candidates_of(c)), gone=names.without(candidates_of(c))
        )
        for said, c in reasons.items()
    ]
    # What follows from the closed chain is said in one sentence.
    around = [said for said in others if said.startswith("if ")]
    others = [said for said in others if not said.startswith("if ")]
    others.sort(key=lambda said: said.startswith("If "))
    closed = [f"{_closes(names, step)}{'; '.join(around)}"] if around else []
    return ". ".join([told, *closed, *others])


def _supposed(names: Names, candidates: Sequence[int]) -> str:
    way = ("then", "then either way", "then in each case")[min(len(candidates), 3) - 1]
    return f"{join([names.candidate(each) for each in candidates], 'or')}, {way}"


def _seen(names: Names, holds: int, gone: int, way: str) -> str:
    """Say that cells see all that may hold, or are filled by it, so that they lose candidates.

    The text follows the sentence that says what may hold, or, if `way` is empty, the last case.
    """
    without, placements = names.without(candidates_of(gone)), names.board.placements
    held, lost = ([placements[each] for each in candidates_of(mask)] for mask in (holds, gone))
    cells, digits = {each.cell for each in held}, {each.digit for each in held}
    begin = "; " if way else ". In each case "
    if not all(is_seen(names, each, place) for each in held for place in lost):
        way = way and f" {way}"
        return f"{begin}{_by_rules_too(names, holds, gone)}, so {without}{way}"
    if len(cells) == 1:
        return f", so {without}"
    if len(digits) == 1:
        see = "sees" if len(lost) == 1 else "see"
        what = "both" if len(cells) == 2 else "all of these"
        what = what if way else names.one(digits.pop())
        why = by_rules(names, holds, gone)
        return f"{begin}{names.cells(p.cell for p in lost)} {see} {what}{why}, so {without}"
    if {place.cell for place in lost} == cells:
        return f"{begin}{names.cells(cells)} see each other, so {without}"
    if way and len(held) > _MOST_ENDS:
        return f". {'. '.join(_each_way(names, held, place) for place in lost)}; so {without}"
    told = []
    for cell, digit in lost:
        own = sorted({each.digit for each in held if each.cell == cell})
        sees = f"sees {names.cells(cells - {cell}) if way else names.one(digit)}"
        if own and not way:
            sees += f" or is itself {names.digits(own, 'or')}"
        told.append(f"{names.cell(cell)} {sees}")
    return f"{begin}{join(told)}, so {without}{' ' + way if way else ''}"


def _each_way(names: Names, held: Sequence[Placement], lost: Placement) -> str:
    """Say why a cell does not hold a digit: both if one of the candidates `held` is in that cell,
    and if another one of them holds.
    """
    cell = names.cell(lost.cell)
    own = {place.digit for place in held if place.cell == lost.cell}
    others = [names.board.number_of[place] for place in held if place.cell != lost.cell]
    sees = ("it", "both", "all of these")[min(len(others), 3) - 1]
    own_is = f"{cell}{'=' if len(own) == 1 else ' is '}{names.digits(own, 'or')}"
    return (
        f"If {own_is}, it is not {names.digit(lost.digit)}; otherwise "
        f"{_end(names, mask_of(others))}, and {cell} sees {sees}"
    )


# Of more candidates, one of which holds, those of a cell are named with it.
_MOST_ENDS = 2


def _by_rules_too(names: Names, holds: int, gone: int) -> str:
    """Say which cells are seen by those that lose candidates, and what rules say of the others."""
    placements = names.board.placements
    held = [placements[each] for each in candidates_of(holds)]
    seeing: dict[tuple[int, ...], list[int]] = {}
    for candidate in candidates_of(gone):
        place = placements[candidate]
        by_rule = {each.cell for each in held if not is_seen(names, each, place)}
        seen = {each.cell for each in held} - by_rule - {place.cell}
        seeing.setdefault(tuple(sorted(seen)), []).append(place.cell)
    told = [
        f"{names.cells(cells)} {'sees' if len(set(cells)) == 1 else 'see'} {names.cells(seen)}"
        for seen, cells in seeing.items()
        if seen
    ]
    rules, own = by_rules(names, holds, gone)[2:-1], _own(names, holds, gone)
    return ", and ".join([*told, f"{own}: {rules}" if own else rules])


def _own(names: Names, holds: int, gone: int) -> str:
    """Say which cells lose a digit by holding one that may hold, or else beside it.

    Empty if there are several such digits.
    """
    placements = names.board.placements
    held, lost = ([placements[each] for each in candidates_of(mask)] for mask in (holds, gone))
    digits, cells = {each.digit for each in held}, {each.cell for each in held}
    own = [place for place in lost if place.cell in cells]
    if not own or len(digits) > 1 or len({place.digit for place in own}) > 1:
        return ""
    here = names.cells(place.cell for place in own)
    are, themselves = ("is", "itself") if len(own) == 1 else ("are", "themselves")
    return (
        f"{here} {are} {names.digit(digits.pop())} {themselves} or cannot be "
        f"{names.digit(own[0].digit)} beside it"
    )


def _closes(names: Names, step: Deduction) -> str:
    """Say which link closes a loop, as the beginning of what follows from it."""
    last, first = step.chain[-1].on, step.chain[0].off
    back = f"{_is_not(names, first)}{by_rules(names, last, first)}, which starts it again"
    return f"The chain is a loop: {_end(names, last)} also means that {back}. So "


def _neighbours(names: Names, step: Deduction, candidate: int) -> str:
    """Say that one of two ends within a chain holds, both of which exclude the candidate.

    These are the ends of a part of the chain; if the chain closes to a loop, the part may run from
    its last link to its first. Empty if there is no such part, or if a link has fins.
    """
    chain, links = step.chain, names.board.links
    if step.technique is Technique.DEATH_BLOSSOM or any(link.fins(step.before) for link in chain):
        return ""
    closes = is_loop(names.board, chain)
    parts = [
        (chain[begin].off, chain[end].on, begin > end)
        for begin in range(len(chain))
        for end in range(len(chain))
        if (begin <= end or closes) and links[candidate] & chain[begin].off == chain[begin].off
    ]
    parts = [part for part in parts if links[candidate] & part[1] == part[1]]
    if not parts:
        return ""
    off, on, is_around = min(parts, key=lambda part: (part[2], (part[0] | part[1]).bit_count()))
    placements = [names.board.placements[each] for each in candidates_of(off | on)]
    is_alike = 1 in (len({p.cell for p in placements}), len({p.digit for p in placements}))
    one = _end(names, off | on) if is_alike else _either(names, off, on)
    one += by_rules(names, off | on, 1 << candidate)
    shared, outer = _digits_at_ends(names, step)
    if is_around and step.technique in _TWO_SETS and len(shared) == len(outer) == 1:
        digit = outer.pop()
        return (
            f"The {names.digit(digit)}s of both sets see each other as well, so only one set holds "
            f"{names.one(digit)}, and the other holds all its other digits. So {one}, so {{gone}}"
        )
    if is_around and step.technique not in _IN_TURN:
        return f"if {_is_not(names, off)}, it leads round to {_end(names, on)}: {one}, so {{gone}}"
    return f"By the same chain, {one}, so {{gone}}"


def _shortage(names: Names, step: Deduction, candidate: int) -> str:
    """Say what would follow from a candidate, up to what it would leave too few digits."""
    sets = [link.truths for link in step.chain if len(link.truths) > 1]
    sets += [(truth,) for truth in step.truths]
    forced = _needed(names, sets, candidate, step.before, _forced(names, sets, candidate, step))
    told, left = list[str](), step.before & ~names.board.links[candidate]
    for link in forced:
        told.append(_reached(names, link, left))
        left &= ~linked_to_all(link.on, names.board.links)
    short = _short(names, sets, left)
    if not short:
        return "{gone}, since these cells and units could not all be filled otherwise"
    told = [*told, short]
    then = " and ".join(told) if len(told) < 3 else f"{', '.join(told[:-1])}, and {told[-1]}"
    return f"If {{supposed}} {then}; so {{gone}}"


def _forced(
    names: Names, sets: Sequence[Sequence[Truth]], candidate: int, step: Deduction
) -> list[Strong]:
    """Return what follows from a candidate by some truths or sets of truths, until one is short.

    Of each result, `on` are the candidates one of which holds.
    """
    links = names.board.links
    left = step.before & ~links[candidate]
    forced: list[Strong] = []
    while not _short(names, sets, left):
        found = [
            Strong(0, places, tuple(truths))
            for truths in sets
            for places in _places(names.board, truths, left)
            if linked_to_all(places, links, left)
        ]
        if not found:
            break
        # Single candidates are easier to see than groups.
        forced.append(min(found, key=lambda link: link.on.bit_count()))
        left &= ~linked_to_all(forced[-1].on, links)
    return forced


def _needed(
    names: Names,
    sets: Sequence[Sequence[Truth]],
    candidate: int,
    before: int,
    forced: Sequence[Strong],
) -> Sequence[Strong]:
    """Return those of some results that leave too few digits without the others."""

    def is_enough(some: Sequence[Strong]) -> bool:
        left = before & ~names.board.links[candidate]
        for link in some:
            if link.on not in _places(names.board, link.truths, left):
                return False
            left &= ~linked_to_all(link.on, names.board.links)
        return bool(_short(names, sets, left))

    for link in forced[::-1]:
        fewer = [each for each in forced if each is not link]
        forced = fewer if is_enough(fewer) else forced
    return forced


def _places(board: Board, truths: Sequence[Truth], left: int) -> list[int]:
    """Return masks of candidates left, one of each mask holding by a truth or by a set of truths.

    A set has as many cells as digits left, or as many lines one way as the other for a digit.
    """
    members = reduce(or_, (truth.members for truth in truths)) & left
    if len(truths) == 1:
        return [members]
    parts = _parts(board, truths, members)
    return list(parts.values()) if len(parts) == len(truths) else []


def _parts(board: Board, truths: Sequence[Truth], members: int) -> dict[int, int]:
    """Return the members of a set by their digits, or of lines by the lines that cross these."""
    parts: dict[int, int] = {}
    for candidate in candidates_of(members):
        cell, part = board.placements[candidate]
        if truths[0].unit is not None:
            part = _crossing(board, truths[0].unit)(cell)
        parts[part] = parts.get(part, 0) | 1 << candidate
    return parts


def _crossing(board: Board, unit: Unit) -> Callable[[int], int]:
    """Return the function from a cell to the number of its line that crosses a line."""
    geometry = board.puzzle.geometry
    return geometry.column_of if unit.kind == "row" else geometry.row_of


def _short(names: Names, sets: Iterable[Sequence[Truth]], left: int) -> str:
    """Say which of some sets of truths has too few digits or places left; empty if none has."""
    return next(filter(None, (_too_few(names, truths, left) for truths in sets)), "")


def _too_few(names: Names, truths: Sequence[Truth], left: int) -> str:
    """Say that a set of truths has too few digits or places left; empty if it has enough."""
    empty = next((truth for truth in truths if not truth.members & left), None)
    if empty is not None:
        return names.nothing_left(empty)
    members = reduce(or_, (truth.members for truth in truths)) & left
    parts = sorted(_parts(names.board, truths, members))
    if len(parts) >= len(truths) or len(truths) == 1:
        return ""
    units = [truth.unit for truth in truths if truth.unit is not None]
    if not units:
        digits = f"digit{'s' * (len(parts) > 1)} {names.digits(parts)}"
        return f"{names.cells(truth.cell for truth in truths)} have only the {digits} left"
    kind = "column" if units[0].kind == "row" else "row"
    where = f"{kind}{'s' * (len(parts) > 1)} {join([str(line + 1) for line in parts])}"
    return f"{names.units(units)} have their {names.digit(truths[0].digit)}s only in {where}"


def _fins(names: Names, fins: int) -> str:
    """Return the names of fins: `the fin r1c1=5`, or `the fins r1c1=5 and r2c2=3`."""
    listed = [names.candidate(candidate) for candidate in candidates_of(fins)]
    return f"the {'fin' if len(listed) == 1 else 'fins'} {join(listed)}"


def _fins_not(names: Names, fins: int) -> Iterator[str]:
    """Say digit by digit that fins do not hold: `neither of the fins r1c1 and r2c2 is 5`."""
    by_digit = _fins_by_digit(names, fins)
    places = {cell for cells in by_digit.values() for cell in cells}
    if len(places) == 1 < len(by_digit):
        none = f"neither {names.digits(by_digit, 'nor')}"
        if len(by_digit) > 2:
            none = f"not {names.digits(by_digit, 'or')}"
        yield f"the fin {names.cells(places)} is {none}"
        return
    for digit, cells in by_digit.items():
        if len(cells) == 1:
            yield f"the fin {names.cells(cells)} is not {names.digit(digit)}"
        else:
            none = "neither" if len(cells) == 2 else "none"
            yield f"{none} of the fins {names.cells(cells)} is {names.digit(digit)}"


def _fin_is(names: Names, fins: int) -> str:
    """Say that a fin holds: `the fin r1c1 is 5`, `one of the fins r1c1 and r2c2 is 5`."""
    by_digit = _fins_by_digit(names, fins)
    places = {cell for cells in by_digit.values() for cell in cells}
    if len(places) == 1:
        return f"the fin {names.cells(places)} is {names.digits(by_digit, 'or')}"
    if len(by_digit) > 1:
        return f"one of {_fins(names, fins)} holds"
    ((digit, cells),) = by_digit.items()
    which = "the fin" if len(cells) == 1 else "one of the fins"
    return f"{which} {names.cells(cells)} is {names.digit(digit)}"


def _fins_by_digit(names: Names, fins: int) -> dict[int, list[int]]:
    cells_of: dict[int, list[int]] = {}
    for cell, digit in map(names.board.placements.__getitem__, candidates_of(fins)):
        cells_of.setdefault(digit, []).append(cell)
    return cells_of


def _either(names: Names, first: int, last: int) -> str:
    """Say that one of two ends holds: `r1c1=5 or r2c2=3`, or in one cell `r1c1 is 5 or 3`."""
    placements = [names.board.placements[c] for c in candidates_of(first | last)]
    if len(placements) == 2 and placements[0].cell == placements[1].cell:
        digits = names.digits((placement.digit for placement in placements), "or")
        return f"{names.cell(placements[0].cell)} is {digits}"
    # A chain that ends where it began shows that this end holds, unless a fin does.
    if first & last and len({placement.digit for placement in placements}) == 1:
        return _end(names, first | last)
    both = [_end(names, first)] + [_end(names, last)] * bool(last & ~first)
    return (", or " if " " in "".join(both) else " or ").join(both)


def _blossom(names: Names, step: Deduction) -> str:
    """Return the sentence of a blossom: each member of the stem excludes the same by a petal."""
    stem, holds = step.truths[0], 0
    # Members with the same petal are told together.
    members_by: dict[str, list[str]] = {}
    for member, petal in petals_of(step, names.board.links):
        holds |= 1 << member if petal is None else petal.on
        if petal is None:
            seen = linked_to_all(1 << member, names.board.links, mask_of(step.excludes))
            then = f"then {names.without(candidates_of(seen))} at once"
        else:
            stem_end = Strong(0, 1 << member, ())
            then = _linked(names, stem_end, petal, step.before, 0, -1)
            then = f"then {then.removeprefix('so ').replace(', then ', ', so ', 1)}"
        members_by.setdefault(then, []).append(names.candidate(member))
    cases = [f"if {join(some, 'or')}, {then}" for then, some in members_by.items()]
    if stem.unit is None:
        digits = join(_digits_of(names, [stem], step.before), "or")
        where = f"{names.cell(stem.cell)} can only be {digits}"
    else:
        left = candidates_of(stem.members & step.before)
        cells = names.cells((names.board.placements[member].cell for member in left), "or")
        where = f"in {stem.unit}, {names.digit(stem.digit)} can only be in {cells}"
    return f"{where}: {'; '.join(cases)}{_results(names, step, holds, '')}"


def describe_wing(names: Names, step: Deduction) -> str:
    """Return the sentence of a pattern by its parts; empty if it is worded as a chain."""
    if step.technique is Technique.XY_WING:
        return _xy_wing(names, step)
    if step.technique is Technique.REMOTE_PAIR:
        return _remote_pair(names, step)
    if step.technique is Technique.DEATH_BLOSSOM:
        return _blossom(names, step)
    if step.technique in _TWO_SETS:
        return _two_sets(names, step)
    return ""


# Patterns whose sentence does not follow their chain from end to end.
_IN_TURN = {Technique.XY_WING, Technique.REMOTE_PAIR}
_TWO_SETS = {Technique.XYZ_WING, Technique.WXYZ_WING, Technique.ALS_XZ, Technique.SUE_DE_COQ}


def _xy_wing(names: Names, step: Deduction) -> str:
    """Return the sentence of an XY-wing: each digit of the pivot leaves a wing the other digit."""
    # The chain may run from either wing to the other; the pivot is its middle link.
    one, pivot, other = (link.truths[0] for link in step.chain)
    wings = [_cell(names, truth, step.before) for truth in (one, other)]
    cases = [
        f"if the pivot is {_digit(names, reached)}, then {_end(names, wing)}"
        for reached, wing in (
            (step.chain[0].on, step.chain[0].off),
            (step.chain[1].on, step.chain[2].on),
        )
    ]
    return (
        f"pivot {_cell(names, pivot, step.before)}, wings {join(wings)}: {', and '.join(cases)}"
        f"{_results(names, step, step.chain[0].off | step.chain[2].on)}"
    )


def _remote_pair(names: Names, step: Deduction) -> str:
    cells = [names.cell(link.truths[0].cell) for link in step.chain]
    digits = _digits_of(names, [link.truths[0] for link in step.chain], step.before)
    return (
        f"{join(cells)} can only be {join(digits, 'or')}, each seeing the next, so they hold these "
        f"in turn, and {cells[0]} and {cells[-1]} have one each"
        f"{_results(names, step, step.chain[0].off | step.chain[-1].on)}"
    )


def _two_sets(names: Names, step: Deduction) -> str:
    """Return the sentence of two almost locked sets, only one of which can have a common digit."""
    placements = names.board.placements
    one, other = step.chain
    shared, outer = _digits_at_ends(names, step)
    # With more digits at an end, the sentence would have to say which belongs to which set.
    if len(shared) > 1 or len(outer) > 1:
        return ""
    one_set, other_set = (_set(names, link.truths, step.before) for link in step.chain)
    ends = [{placements[c].cell for c in candidates_of(end)} for end in (one.off, other.on)]
    # The sets may share cells.
    some = [ends[0] | ends[1]] if ends[0] & ends[1] else ends
    where = ", or else in ".join(names.cells(cells, "or") for cells in some)
    digit = shared.pop()
    return (
        f"{one_set}, while {other_set}. The {names.digit(digit)}s of both sets see each other, so "
        f"only one set holds {names.one(digit)}, and the other holds all its other digits. So "
        f"{names.digits(outer)} is in {where}{_results(names, step, one.off | other.on)}"
    )


def _digits_at_ends(names: Names, step: Deduction) -> tuple[set[int], set[int]]:
    """Return the digits at the ends between a chain's first two links, and at its outer ends."""
    first, second, last = step.chain[0], step.chain[1], step.chain[-1]
    pairs = (first.on, second.off), (first.off, last.on)
    placements = names.board.placements
    shared, outer = (
        {placements[c].digit for e in each for c in candidates_of(e)} for each in pairs
    )
    return shared, outer


def _set(names: Names, truths: Sequence[Truth], before: int) -> str:
    cells = names.cells(truth.cell for truth in truths)
    digits = _digits_of(names, truths, before)
    if len(truths) == 1:
        return f"{cells} holds one of {join(digits)}"
    return f"{cells} hold {len(truths)} of the {len(digits)} digits {join(digits)}"


def _digits_of(names: Names, truths: Sequence[Truth], before: int) -> list[str]:
    placements = names.board.placements
    found = {placements[c].digit for truth in truths for c in candidates_of(truth.members & before)}
    return [names.digit(digit) for digit in sorted(found)]


def _cell(names: Names, truth: Truth, before: int) -> str:
    return f"{names.cell(truth.cell)} ({' or '.join(_digits_of(names, [truth], before))})"


def _digit(names: Names, end: int) -> str:
    return names.digit(names.board.placements[end.bit_length() - 1].digit)


def _is_not(names: Names, end: int) -> str:
    """Say that no candidate of an end holds: `r1c1 is not 5`, `neither r1c1 nor r1c2 is 5`."""
    placements = names.board.placements
    candidates = candidates_of(end)
    digits = {placements[c].digit for c in candidates}
    cells = {placements[c].cell for c in candidates}
    if len(cells) == 1:
        return f"{names.cells(cells)} is not {names.digits(digits, 'or')}"
    digit = names.digits(digits, "or")
    if len(cells) == 2:
        return f"neither {' nor '.join(map(names.cell, sorted(cells)))} is {digit}"
    return f"none of {names.cells(cells)} is {digit}"


def _reached(names: Names, link: Strong, before: int, off: int = 0, fins: int = -1) -> str:
    """Return the end that a strong link leads to, with the reason.

    Candidates that the chain has supposed to be `off`, some of them as `fins`, are not named again.
    """
    # An end that is off as a whole shows that the beginning of the chain holds after all.
    on = link.on & ~off or link.on
    end, fins = _end(names, on), (link.fins(before) | link.on & ~on) & fins
    but = f" without {_fins(names, fins)}" if fins else ""
    if len(link.truths) == 1:
        return f"{end} ({names.only(link.truths[0], bool(on & (on - 1)))}{but})"
    units = [truth.unit for truth in link.truths if truth.unit is not None]
    if units:
        return f"{end} ({_fish_left(names, link, units, before, on)}{but})"
    cells = {truth.cell for truth in link.truths}
    digits = _digits_of(names, link.truths, before & ~link.off)
    held = {names.board.placements[c].cell for c in candidates_of(on)}
    only = f", {_digit(names, on)} only in {names.cells(held)}" if held < cells else ""
    return f"{end} ({names.cells(cells)} then have only {join(digits)} left{only}{but})"


def _fish_left(names: Names, link: Strong, units: Sequence[Unit], before: int, on: int) -> str:
    """Name the lines of the fish that is left without the candidates that are off."""
    kind, crossing = "column" if units[0].kind == "row" else "row", _crossing(names.board, units[0])
    members = reduce(or_, (truth.members for truth in link.truths)) & before & ~link.off
    lines = {crossing(names.board.placements[each].cell) for each in candidates_of(members)}
    digit, base = names.digit(link.truths[0].digit), names.units(units)
    if len(lines) != len(units):
        return f"{base} then have {digit} in {len(units)} {kind}s only"
    where = join([str(line + 1) for line in sorted(lines)])
    held = {names.board.placements[each].cell for each in candidates_of(on)}
    reached = {crossing(cell) for cell in held}
    has = f"these {kind}s have their {digit}s in {base}"
    if len(reached) == 1:
        numbers = [str((unit.number or 0) + 1) for unit in units]
        line = reached.pop()
        has = f"{kind} {line + 1} has its {digit} in {units[0].kind} {join(numbers, 'or')}"
        others = {c for unit in units for c in unit.cells if crossing(c) == line} - held
        left = {names.board.placements[each].cell for each in candidates_of(members)}
        if others and len(units) == 2 and (told := _by_one_place(names, units, left, others)):
            near, place, far = told
            return (
                f"{near} then has {digit} only in {place}, so {far} has it in {names.cells(held)}"
            )
        if others:
            why = _why_not_here(names, others, link.truths[0].digit, before)
            has += f"; {why}, so it is in {names.cells(held, 'or')}"
    fish = _FISH_OF.get(len(units), "fish")
    return f"{fish}: {base} then have {digit} only in {kind}s {where}, so {has}"


def _by_one_place(
    names: Names, units: Sequence[Unit], left: Set[int], others: Set[int]
) -> tuple[str, str, str] | None:
    """Of two lines, return one with a single place left, that place, and the other line, which
    cannot have its digit there.

    Return None if neither line has a single place left, or if it is one of `others`.
    """
    near, far = sorted(units, key=lambda unit: others.isdisjoint(unit.cells))
    places = set(near.cells) & left
    if len(places) != 1 or places & others:
        return None
    return names.units([near]), names.cells(places), names.units([far])


def _why_not_here(names: Names, cells: Iterable[int], digit: int, before: int) -> str:
    """Say of cells that they cannot be a digit, or that the chain has said that they are not."""
    placements = map(names.board.placements.__getitem__, candidates_of(before))
    said = {place.cell for place in placements if place.digit == digit} & set(cells)
    told = []
    for some, is_said in ((set(cells) - said, False), (said, True)):
        verb = "are" if len(some) > 1 else "is"
        how = f", as said, {verb} not" if is_said else " cannot be"
        told += [f"{names.cells(some)}{how} {names.digit(digit)}"] if some else []
    return join(told)


_FISH_OF = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def _end(names: Names, end: int) -> str:
    """Return an end as text: `r1c1=5`, or `one of r1c1 and r1c2 is 5`."""
    placements = names.board.placements
    candidates = candidates_of(end)
    digits = {placements[c].digit for c in candidates}
    if len(candidates) == 1:
        return names.candidate(candidates[0])
    if len({placements[c].cell for c in candidates}) == 1:
        return f"{names.cell(placements[candidates[0]].cell)} is {names.digits(digits, 'or')}"
    if len(digits) > 1:
        return join([names.candidate(candidate) for candidate in candidates], "or")
    cells = names.cells(placements[c].cell for c in candidates)
    return f"one of {cells} is {names.digits(digits)}"


# The names that players give chains, by their digits, their length and their links.

# Names of chains by their links: one letter for the digit of a line, two for the digits of a cell,
# in the order in which the chain meets the digits. Chains are looked up in both directions.
WINGS = {
    "ab b ba": Technique.W_WING,
    "ab b a": Technique.M_WING,
    "ab b c": Technique.M3_WING,
    "a ab b": Technique.S_WING,
    "a b a": Technique.L_WING,
    "a a b": Technique.L2_WING,
    "a b c": Technique.L3_WING,
    "a a ab": Technique.H1_WING,
    "a ab ba": Technique.H2_WING,
    "a b b a": Technique.IW_WING,
}


def name_chain(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """Return the name of a chain, by its digits, its length and its links."""
    if any(link.fins(left) for link in chain):
        return Technique.FINNED_CHAIN
    ends = [mask for link in chain for mask in (link.off, link.on)]
    # A link of several truths is a set of cells or lines; any other is a cell, or a digit in a
    # unit.
    if any(len(link.truths) > 1 for link in chain):
        return _name_with_sets(board, left, chain)
    is_grouped = any(mask & (mask - 1) for mask in ends)
    digits = {board.placements[c].digit for mask in ends for c in candidates_of(mask)}
    if len(digits) == 1:
        if len(chain) == 2:
            return _name_of_two_links(board, chain, is_grouped)
        return Technique.GROUPED_X_CHAIN if is_grouped else Technique.X_CHAIN
    kinds = "".join("V" if link.truths[0].unit is None else "L" for link in chain)
    if is_grouped:
        return Technique.GROUPED_CHAIN
    if "L" not in kinds:
        is_remote = len(digits) == 2 and _holds_in_turn(board, left, chain)
        return Technique.REMOTE_PAIR if is_remote else _name_through_cells(len(chain))
    if len(chain) > 3 and is_loop(board, chain):
        return Technique.LOOP
    # The search may find the chain from either end, and forums write chains both ways, too.
    back = tuple(Strong(link.on, link.off, link.truths) for link in reversed(chain))
    named = (WINGS.get(_letters(board, links)) for links in (chain, back))
    other = Technique.H3_WING if len(chain) == 3 else Technique.CHAIN
    return next(filter(None, named), other)


def _letters(board: Board, chain: tuple[Strong, ...]) -> str:
    """Return the digits of each link as letters, assigned in the order in which digits are met."""
    letters: dict[int, str] = {}
    words = []
    for link in chain:
        digits = [board.placements[end.bit_length() - 1].digit for end in (link.off, link.on)]
        for digit in digits:
            letters.setdefault(digit, chr(ord("a") + len(letters)))
        words.append("".join(letters[digit] for digit in dict.fromkeys(digits)))
    return " ".join(words)


def _name_through_cells(length: int) -> Technique:
    return Technique.XY_WING if length == 3 else Technique.XY_CHAIN


def _holds_in_turn(board: Board, left: int, chain: tuple[Strong, ...]) -> bool:
    """Whether cells with the same two digits differ from the next, whichever digit they hold.

    A rule may forbid two cells the same digit for one of the two digits only.
    """
    members = [candidates_of(link.truths[0].members & left) for link in chain]
    return len(chain) % 2 == 0 and all(
        board.links[one] >> other & 1
        for cell, following in pairwise(members)
        for one, other in zip(cell, following, strict=True)
    )


def is_loop(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether the two ends exclude each other, so that exactly one of them holds."""
    end = chain[-1].on
    return all(not end & ~board.links[start] for start in candidates_of(chain[0].off))


def _name_of_two_links(board: Board, chain: tuple[Strong, ...], is_grouped: bool) -> Technique:
    kinds = [link.truths[0].unit.kind for link in chain if link.truths[0].unit is not None]
    is_of_lines = set(kinds) <= set(LINES)
    if is_grouped and kinds[0] == kinds[1] and is_of_lines:
        return _name_with_fins(board, chain, kinds[0])
    if is_grouped:
        is_empty = any(_is_area(link) and not _is_single(link) for link in chain)
        return Technique.EMPTY_RECTANGLE if is_empty else Technique.GROUPED_X_CHAIN
    if set(kinds) == set(LINES):
        return Technique.TWO_STRING_KITE
    if kinds[0] == kinds[1] and is_of_lines:
        return Technique.SKYSCRAPER
    # Links in a box and a line, or in two boxes, have no further name.
    return Technique.TURBOT_FISH


def _is_area(link: Strong) -> bool:
    """Whether a link is in a box or a region."""
    unit = link.truths[0].unit
    return unit is not None and unit.kind in AREAS


def _is_single(link: Strong) -> bool:
    """Whether both ends are single candidates."""
    return not link.off & (link.off - 1) and not link.on & (link.on - 1)


def _name_with_fins(board: Board, chain: tuple[Strong, ...], kind: str) -> Technique:
    """Return the name of a chain of two links with fins: an X-wing with fins, or a sashimi one."""
    geometry = board.puzzle.geometry
    crossing = geometry.column_of if kind == "row" else geometry.row_of
    start, end = (
        {crossing(board.placements[c].cell) for c in candidates_of(mask)}
        for mask in (chain[0].off, chain[-1].on)
    )
    # If the ends share a line, the X-wing has all its corners; else one is missing (sashimi).
    return Technique.FINNED_X_WING if start & end else Technique.SASHIMI_X_WING


def _name_with_sets(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """Return the name of a chain through almost locked sets of cells or of lines."""
    truths = [truth for link in chain for truth in link.truths]
    if any(link.truths[0].unit for link in chain if len(link.truths) > 1):
        return Technique.FISH_CHAIN
    if any(truth.unit is not None for truth in truths) or len(chain) not in (2, 3):
        return Technique.ALS_W_WING if _is_w_wing(board, chain) else Technique.ALS_CHAIN
    if len(chain) == 3:
        return Technique.ALS_XY_WING
    if is_loop(board, chain) and _is_at_crossing(board, chain):
        return Technique.SUE_DE_COQ
    digits = {board.placements[c].digit for t in truths for c in candidates_of(t.members & left)}
    # If there are as many digits as cells, players see a pivot and wings, not two sets.
    if len(digits) == len(truths):
        named = {3: Technique.XYZ_WING, 4: Technique.WXYZ_WING}
        return named.get(len(truths), Technique.ALS_XZ)
    return Technique.ALS_XZ


def _is_w_wing(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether two sets of cells have the same two digits at their ends, one linked by a unit.

    Such a chain is a W-wing with sets in place of one cell or both.
    """
    if [link.truths[0].unit is None for link in chain] != [True, False, True]:
        return False
    outer, inner = (
        {board.placements[c].digit for mask in ends for c in candidates_of(mask)}
        for ends in ((chain[0].off, chain[2].on), (chain[1].off, chain[1].on))
    )
    return len(outer) == len(inner) == 1 and outer != inner


def _is_at_crossing(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether one of two sets has several cells in the unit of the other."""
    constraints = board.puzzle.constraints
    one, other = ([truth.cell for truth in link.truths] for link in chain)
    for cells, others in ((one, other), (other, one)):
        shared = set.intersection(*(set(constraints.units_of[cell]) for cell in others))
        if any(len(set(cells) & set(constraints.units[unit].cells)) > 1 for unit in shared):
            return True
    return False
