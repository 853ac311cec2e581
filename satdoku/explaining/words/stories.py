"""Sentences of nets, whips and cases: what follows from a supposition, line by line."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.board import AREAS, LINES, Board, candidates_of, linked_to_all
from satdoku.explaining.step import Deduction, Placed, Story
from satdoku.explaining.words.names import Names, capital
from satdoku.puzzle.constraints import mask_of

_INDENT = "  "

# The most placements to tell in one line.
_MOST_IN_LINE = 8


class Told(NamedTuple):
    """A story, and all the suppositions that its words refute.

    `held` is the mask of the candidates that hold in the stories around it. `targets` are the
    pairs of targets of an exocet, whose cells hold different digits. `under` names what is
    supposed, where the lines above say it in other words.
    """

    supposed: list[int]
    story: Story
    held: int = 0
    targets: Sequence[tuple[int, int]] = ()
    under: str = ""


def describe_stories(names: Names, step: Deduction) -> str:
    """Return the stories of a step, each told once for all candidates that it refutes."""
    told: list[str] = []
    every = list(_grouped(names.board, step.stories, step.before))
    for some in every:
        if some.story.depth == 0 and len(some.story.items) <= _MOST_IN_LINE:
            told.append(f"were {_either(names, some)}, {_in_a_line(names, some)}")
        else:
            told.append("\n".join(_in_lines(names, some, step.before, bool(told))))
    if len(every) > 1 and told[0].startswith("suppose"):
        fail = [names.candidate(each) for some in every for each in some.supposed]
        told[0] = f"{join(fail)} fail, as shown one after the other. {capital(told[0])}"
    return f".\n{_INDENT}".join([told[0], *map(capital, told[1:])])


def _grouped(board: Board, stories: Sequence[Story], left: int, off: int = 0) -> Iterator[Told]:
    """Yield as few of the stories as are enough to refute the suppositions of all of them.

    `left` are the candidates left before the step; `off` are excluded around the stories.
    """
    waiting = list(stories)
    while waiting:
        first = waiting[0].suppose
        best, teller = [first], waiting[0]
        for story in waiting if len(waiting) > 1 else ():
            fits = [s.suppose for s in waiting if refutes(board, story, s.suppose, left, off)]
            if first in fits and story.suppose in fits and len(fits) > len(best):
                best, teller = fits, story
        waiting = [story for story in waiting if story.suppose not in best]
        yield Told(best, teller)
        if off:
            # Cases may need the exclusions of the cases before them.
            off |= mask_of(best)


def refutes(board: Board, story: Story, suppose: int, left: int, off: int) -> bool:
    """Whether the words of a story also refute another supposition.

    `left` and `off` are as in `_grouped`. What the supposition decides itself is no part of words.
    """
    off |= board.links[suppose]
    decided = off | 1 << suppose
    for item in story.items:
        new = item.suppose if isinstance(item, Story) else item.candidate
        if decided >> new & 1:
            return False
        if isinstance(item, Story):
            if not refutes(board, item, new, left, off):
                return False
            off |= 1 << new
        elif item.truth.members & left & ~off & ~(1 << new):
            return False
        else:
            off |= board.links[new]
    return not story.dead_end.members & left & ~off


def _in_lines(names: Names, some: Told, left: int, is_further: bool) -> Iterator[str]:
    """Yield the lines of a story with cases or with many placements, the last without full stop."""
    supposed = f"suppose {_either(names, some)}"
    if is_further:
        supposed = f"now {supposed} instead"
    if some.story.depth:
        one = "this" if len(some.supposed) == 1 else "one of these"
        supposed += f"; the lines below hold only with {one}"
    yield f"{supposed}."
    yield from tell_lines(names, some, left, 0, _INDENT)
    yield _INDENT + _falls(names, some)


def tell_lines(names: Names, some: Told, left: int, off: int, indent: str) -> Iterator[str]:
    """Yield lines for the placements of a story and for its cases."""
    links = names.board.links
    off |= linked_to_all(mask_of(some.supposed), links, names.board.every_candidate)
    held = _held(some)
    placed: list[Placed] = []
    then = "Then"
    items, end = _up_to_clash(names, some)
    for are_cases, group in groupby(items, lambda item: isinstance(item, Story)):
        if are_cases:
            if placed:
                yield from _then(names, placed, indent, then)
            cases = [item for item in group if isinstance(item, Story)]
            yield from _cases(names, cases, some, left, off, held, indent)
            off |= mask_of(case.suppose for case in cases)
            placed = []
            # A reader has to know that the last case no longer holds.
            then = f"Back under {some.under or _either(names, some)}:"
        else:
            placed = [item for item in group if isinstance(item, Placed)]
            for item in placed:
                off |= links[item.candidate]
                held |= 1 << item.candidate
    yield from _then(names, placed, indent, then, end)


def _cases(
    names: Names, cases: Sequence[Story], around: Told, left: int, off: int, held: int, indent: str
) -> Iterator[str]:
    """Yield the lines of cases of the story `around`, between which nothing is placed."""
    for each in _grouped(names.board, cases, left, off):
        some = each._replace(held=held, targets=around.targets)
        supposed = f"{indent}Suppose also {_either(names, some)}"
        if some.story.depth == 0:
            # A case without further cases is one line.
            yield f"{supposed}: {_in_a_line(names, some)}."
        else:
            one = "this" if len(some.supposed) == 1 else "one of these"
            yield f"{supposed}; the lines set in below hold only with {one} as well."
            yield from tell_lines(names, some, left, off, indent + _INDENT)
            yield f"{indent}{_falls(names, some)}."
        off |= mask_of(some.supposed)


def _in_a_line(names: Names, some: Told) -> str:
    """Return in a line what each of some suppositions leads to, and that they are excluded."""
    way = ("then", "then either way", "then in each case")[min(len(some.supposed), 3) - 1]
    return f"{way} {what_follows(names, some)}; so {names.without(some.supposed)}"


def what_follows(names: Names, some: Told) -> str:
    """Return the placements of a story without cases, and its contradiction."""
    items, end = _up_to_clash(names, some)
    placed = [item for item in items if isinstance(item, Placed)]
    told = [*_list(names, placed), end]
    return " and ".join(told) if len(told) < 3 else f"{', '.join(told[:-1])}, and {told[-1]}"


def has_cases(names: Names, some: Told) -> bool:
    """Whether a story has cases before its first contradiction."""
    return any(isinstance(item, Story) for item in _up_to_clash(names, some)[0])


def _then(
    names: Names, placed: Sequence[Placed], indent: str, then: str, end: str = ""
) -> Iterator[str]:
    """Yield the lines of placements that follow from each other, with the contradiction `end`.

    The first line begins with `then`.
    """
    told = _list(names, placed)
    lines = [told[n : n + _MOST_IN_LINE] for n in range(0, len(told), _MOST_IN_LINE)] or [[]]
    for line in lines[:-1]:
        yield f"{indent}{then} {', '.join(line)}."
        then = "Then"
    last = [*([", ".join(lines[-1])] if lines[-1] else []), *([end] if end else [])]
    yield f"{indent}{then} {', and '.join(last)}."


def _list(names: Names, placed: Sequence[Placed]) -> list[str]:
    return [f"{names.candidate(item.candidate)} ({names.only(item.truth)})" for item in placed]


def _either(names: Names, some: Told) -> str:
    return join([names.candidate(candidate) for candidate in some.supposed], "or")


def _falls(names: Names, some: Told) -> str:
    """Say which suppositions the contradiction before excludes."""
    if len(some.supposed) == 1:
        which = f"the supposition {_either(names, some)} fails"
    else:
        which = f"{'both' if len(some.supposed) == 2 else 'all'} suppositions fail"
    return f"So {which}: {names.without(some.supposed)}"


def _held(some: Told) -> int:
    """Return the mask of the candidates that hold at the beginning of a story.

    With several suppositions, none of them is known to hold.
    """
    return some.held | (1 << some.supposed[0] if len(some.supposed) == 1 else 0)


def _up_to_clash(names: Names, some: Told) -> tuple[Sequence[Placed | Story], str]:
    """Return the items of a story up to its contradiction, and the contradiction as text.

    The first two candidates that hold and exclude each other are seen before the truth that the
    story leaves without a member. What holds around the story is not placed again.
    """
    held, links = _held(some), names.board.links
    items: list[Placed | Story] = []
    for item in some.story.items:
        if isinstance(item, Placed):
            if held >> item.candidate & 1:
                continue
            both = _both_in_cell(names, items[-1], item) if items else ""
            if both:
                return items[:-1], both
            clash = held & links[item.candidate]
            text = _clash(names, clash, item.candidate) if clash else ""
            text = text or _clash_of_targets(names, held, item.candidate, some.targets)
            if text:
                return [*items, item], text
            held |= 1 << item.candidate
        items.append(item)
    return items, names.nothing_left(some.story.dead_end)


def _both_in_cell(names: Names, before: Placed | Story, item: Placed) -> str:
    """Say that two digits have their last place in one unit each in the same cell.

    Empty unless that is so before the first of them is placed.
    """
    if isinstance(before, Story):
        return ""
    (cell, one), (other_cell, two) = (
        names.board.placements[each.candidate] for each in (before, item)
    )
    units = [each.truth.unit for each in (before, item)]
    lost = names.board.links[before.candidate] & item.truth.members
    if cell != other_cell or None in units or lost & ~(1 << item.candidate):
        return ""
    one_in, two_in = names.digit(one), names.digit(two)
    has = f"has both its {one_in} and its {two_in}"
    if units[0] != units[1]:
        has = f"has its {one_in} and {units[1]} its {two_in}"
    return f"{units[0]} {has} only in {names.cell(cell)}"


def _clash(names: Names, held: int, candidate: int) -> str:
    """Say that a cell would have two digits, or two cells of a unit the same digit.

    Empty if a rule alone keeps the candidate from those that are `held`.
    """
    placements, units_of = names.board.placements, names.board.puzzle.constraints.units_of
    cell, digit = placements[candidate]
    others = [placements[each] for each in candidates_of(held)]
    for other in others:
        if other.cell == cell:
            return f"{names.cell(cell)} would have to be both {names.digits((other.digit, digit))}"
    for other in others:
        shared = sorted({*units_of[cell]} & {*units_of[other.cell]})
        if other.digit == digit and shared:
            unit = names.board.puzzle.constraints.units[shared[0]]
            both = f"{names.cells((cell, other.cell))} would both be {names.digit(digit)}"
            return both if unit.kind in (*LINES, *AREAS) else f"{both}, in {unit}"
    return ""


def _clash_of_targets(
    names: Names, held: int, candidate: int, targets: Sequence[tuple[int, int]]
) -> str:
    """Say that both targets of an exocet would hold the same digit; empty if none would."""
    cell, digit = names.board.placements[candidate]
    holding = [
        other
        for other, same in map(names.board.placements.__getitem__, candidates_of(held))
        if same == digit
    ]
    for pair in targets:
        if cell in pair and sum(pair) - cell in holding:
            return f"both targets, {names.cells(pair)}, would be {names.digit(digit)}"
    return ""
