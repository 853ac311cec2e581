"""Exclusions by what a digit leaves the partner of its cell, as two cells are compared by a rule.

If two cells are compared, such as by a dot between them, a digit of one cell may leave the other,
its *partner*, a single digit. There are two kinds of steps:

All digits of a cell, or all places of a digit in a unit, exclude the same candidate, either
themselves or by the digits that they leave their partners:

    r6c8 is 2, 4 or 8; a dot says that r5c8 is half or twice as much, and it is not 1
    with 2 or 8 in r6c8, r5c8 would be 4: so one of them is 4, and r1c8 is not

A candidate, and the digit that it needs in its partner, leave a third cell no digit, or a digit no
place in a unit:

    r9c4 and r9c5 have the ratio 2: 3 in one of them needs 6 in the other; r9c7 is 3 or 6
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.board import MOST_KINDS, Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.compared import (
    by_rules,
    pairs_across,
    pairs_between,
    pairs_that_exclude,
    partners_of,
    tell_pairs,
)
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import constraints_of
from satdoku.puzzle.rules.rule import Rule

# The most partners of the places of a digit: with more, it is no single thought. What a cell says
# about others, such as the first cell of a numbered room, is one thought.
_MOST_PARTNERS = 3


class _Forced(NamedTuple):
    """What a candidate leaves a partner of its cell: the partner's truth, and its last digit."""

    partner: Truth
    candidate: int


@lru_cache(maxsize=MOST_KINDS)
def _partners_of(geometry: Geometry, rules: tuple[Rule, ...]) -> dict[int, list[int]]:
    """Return for each cell the cells with which a rule compares it."""
    found: dict[int, dict[int, None]] = {}
    for pair in constraints_of(geometry, rules).pairs:
        # Rules that only let two cells differ, such as those of chess moves, compare nothing.
        if any(mask & ~(1 << digit) for digit, mask in enumerate(pair.excludes)):
            found.setdefault(pair.first, {})[pair.second] = None
            found.setdefault(pair.second, {})[pair.first] = None
    return {cell: list(others) for cell, others in found.items()}


class _Partners:
    """What candidates leave the partners of their cells in a position."""

    def __init__(self, position: Position) -> None:
        self._position = position
        puzzle = position.board.puzzle
        self._beside = _partners_of(puzzle.geometry, puzzle.rules)
        self._cells = {t.cell: t for t in position.open_truths if t.unit is None}
        self._forced: dict[int, list[_Forced]] = {}

    def forced_by(self, candidate: int) -> list[_Forced]:
        """Return the partners to which a candidate leaves one of several digits."""
        known = self._forced.get(candidate)
        if known is None:
            board, left = self._position.board, self._position.left
            known = self._forced[candidate] = []
            for cell in self._beside.get(board.placements[candidate].cell, ()):
                truth = self._cells.get(cell)
                members = 0 if truth is None else truth.members & left
                kept = members & ~board.links[candidate]
                if truth is not None and kept != members and kept and not kept & (kept - 1):
                    known.append(_Forced(truth, kept.bit_length() - 1))
        return known

    def every(self) -> Iterator[Finding]:
        """Yield the steps of each truth, those with the same partners as one."""
        for truth in self._position.open_truths:
            seen = set()
            for candidate in candidates_of(self._common(truth)):
                partners = self._needed(truth, candidate)
                key = tuple(sorted(partner.number for partner in partners))
                is_short = truth.unit is None or len(partners) <= _MOST_PARTNERS
                if partners and is_short and key not in seen:
                    seen.add(key)
                    excludes = tuple(candidates_of(self._common(truth, key)))
                    truths = (truth, *sorted(partners, key=lambda each: each.number))
                    yield Finding(Technique.PARTNERS, truths, excludes=excludes)

    def every_needed(self) -> Iterator[Finding]:
        """Yield exclusions from a cell whose digits need one in a partner that leaves no others."""
        left, links = self._position.left & ~self._position.placed, self._position.board.links
        truths = self._position.open_truths
        found: dict[tuple[int, int, int], list[int]] = {}
        for candidate in candidates_of(left):
            for partner, digit in self.forced_by(candidate):
                kept = left & ~(links[candidate] | links[digit])
                here = 1 << candidate | 1 << digit
                for truth in truths:
                    # If `digit` excluded all members by itself, the truth alone would exclude it.
                    if not truth.members & (kept | here) and truth.members & left & ~links[digit]:
                        cell = self._position.board.placements[candidate].cell
                        key = cell, partner.number, truth.number
                        found.setdefault(key, []).append(candidate)
        every = self._position.board.truths
        for (_, partner_number, number), candidates in found.items():
            pair = every[partner_number], every[number]
            yield Finding(Technique.NEEDED, pair, excludes=tuple(candidates))

    def _common(self, truth: Truth, partners: Sequence[int] | None = None) -> int:
        """Return the candidates that all members of a truth exclude, by these partners or any."""
        board, left = self._position.board, self._position.left
        common = left & ~self._position.placed
        for member in candidates_of(truth.members & left):
            gone = board.links[member]
            for forced in self.forced_by(member):
                if partners is None or forced.partner.number in partners:
                    gone |= board.links[forced.candidate]
            common &= gone
            if not common:
                break
        return common

    def _needed(self, truth: Truth, candidate: int) -> list[Truth]:
        """Return partners by which the members of a truth exclude a candidate, as few as seen."""
        links = self._position.board.links
        found: dict[int, Truth] = {}
        for member in candidates_of(truth.members & self._position.left):
            if not links[member] >> candidate & 1:
                able = [
                    forced.partner
                    for forced in self.forced_by(member)
                    if links[forced.candidate] >> candidate & 1
                ]
                if not any(partner.number in found for partner in able):
                    found[able[0].number] = able[0]
        return list(found.values())


def _every(around: Around) -> Iterator[Finding]:
    if around.position.board.pairs:
        partners = _Partners(around.position)
        yield from partners.every()
        yield from partners.every_needed()


def _find(around: Around) -> Finding | None:
    """Return the step with the fewest partners, and of these that of the smallest truths."""
    left = around.position.left

    def ease(finding: Finding) -> tuple[int, int, int]:
        members = sum((truth.members & left).bit_count() for truth in finding.truths)
        return len(finding.truths), members, finding.truths[0].number

    return min(_every(around), key=ease, default=None)


def _tell(names: Names, step: Deduction) -> str:
    """Return the rules, and what digits leave the partners of their cells."""
    if step.technique is Technique.NEEDED:
        return _tell_needed(names, step)
    board, before = names.board, step.before
    stem = step.truths[0]
    members = candidates_of(stem.members & before)
    if stem.unit is None:
        mask = mask_of(board.placements[member].digit for member in members)
        told = [f"{names.cell(stem.cell)} {names.may_be(mask)}"]
    else:
        cells = names.cells((board.placements[member].cell for member in members), "or")
        told = [f"in {stem.unit}, {names.digit(stem.digit)} can only be in {cells}"]
    of_forced: dict[tuple[int, ...], list[int]] = {}
    for member in members:
        of_forced.setdefault(_forced_in(board, member, step), []).append(member)
    which = "either way" if len(members) == 2 else "in each case"
    if one := _one_of(names, stem, of_forced):
        told, of_forced, which = [f"{told[0]}, so {one}"], {}, "so"
    direct = of_forced.pop((), [])
    if here := _unit_of_direct(names, step, direct, of_forced):
        digit = names.digit(board.placements[direct[0]].digit)
        told = [f"with {digit} in {names.cell(stem.cell)}, {here} has its {digit}"]
        [(forced, some)] = of_forced.items()
        told.append(f"with any other digit there, {_would_be(names, step, some, forced)}")
        direct, of_forced, which = [], {}, "either way"
    for forced, some in of_forced.items():
        told.append(f"with {_in_cells(names, some)}, {_would_be(names, step, some, forced)}")
    if direct and of_forced:
        told += _tell_direct(names, step, direct)
    said = tell_pairs(names, pairs_across(names, step))
    rules = f"{'; '.join(said)}: " if said else ""
    return f"{rules}{'; '.join(told)}; {which} {names.without(step.excludes)}"


# The most digits of a cell to list that leave others the same.
_MOST_LISTED = 3


def _unit_of_direct(
    names: Names,
    step: Deduction,
    direct: Sequence[int],
    of_forced: Mapping[tuple[int, ...], Sequence[int]],
) -> str:
    """Return the unit in which one digit of a cell excludes all, if many others force the same."""
    stem, placements = step.truths[0], names.board.placements
    if stem.unit or len(direct) != 1 or len(of_forced) != 1:
        return ""
    [some] = of_forced.values()
    gone = [placements[each] for each in step.excludes]
    if len(some) <= _MOST_LISTED or any(p.digit != placements[direct[0]].digit for p in gone):
        return ""
    units = names.board.puzzle.constraints.units
    cells = {stem.cell, *(place.cell for place in gone)}
    return next((str(unit) for unit in units if cells <= {*unit.cells}), "")


def _in_cells(names: Names, members: Sequence[int]) -> str:
    """Return candidates as text, `2 or 3 in r1c1`."""
    places = [names.board.placements[member] for member in members]
    digits = names.digits([place.digit for place in places], "or")
    return f"{digits} in {names.cells([place.cell for place in places], 'or')}"


def _tell_direct(names: Names, step: Deduction, members: Sequence[int]) -> Iterator[str]:
    """Yield why members of the first truth exclude all themselves, if that is not seen at once."""
    said = tell_pairs(names, pairs_that_exclude(names, step.excludes, mask_of(members)))
    if said or len(members) > 1:
        why = f" ({'; '.join(said)})" if said else ""
        yield f"with {_in_cells(names, members)}, {names.without(step.excludes)} at once{why}"


def _one_of(names: Names, stem: Truth, of_forced: Mapping[tuple[int, ...], Sequence[int]]) -> str:
    """Say that one of several cells has a digit, if each digit of the first truth's cell says so.

    `of_forced` has these digits by what they force; those that force nothing are the digit itself.
    """
    placements = names.board.placements
    places = [placements[each] for forced in of_forced for each in forced]
    places += [placements[member] for member in of_forced.get((), ())]
    if stem.unit is not None or len(places) < 3 or len({place.digit for place in places}) > 1:
        return ""
    cells = names.cells(place.cell for place in places)
    return f"one of {cells} is {names.digit(places[0].digit)}"


def _tell_needed(names: Names, step: Deduction) -> str:
    """Return the rules, and what the excluded digits of a cell need in its partner."""
    board, (partner, truth) = names.board, step.truths
    has = names.may_be(board.digits_in(step.before)[partner.cell]).removeprefix("is ")
    # By what they leave the partner, and whether the relation alone would leave it more.
    leaving: dict[tuple[int, bool], list[int]] = {}
    for candidate in step.excludes:
        forced = candidates_of(partner.members & step.before & ~board.links[candidate])
        is_several = partners_of(names, candidate, partner.cell).bit_count() > 1
        leaving.setdefault((forced[0], is_several), []).append(candidate)
    told: list[str] = []
    for (forced_one, is_several), some in leaving.items():
        whose = names.digit(board.placements[forced_one].digit)
        who = names.digits([board.placements[each].digit for each in some], "or")
        who += "" if told else f" in {names.cell(board.placements[some[0]].cell)}"
        if is_several:
            told.append(f"{who} leaves {names.cell(partner.cell)} ({has}) only {whose}")
        else:
            there = "" if told else f" in {names.cell(partner.cell)}"
            told.append(f"{who} needs {whose}{there}")
    said = tell_pairs(names, pairs_between(names, step))
    nothing = names.nothing_left(truth).replace(" has no ", " would have no ", 1)
    masks = board.digits_in(truth.members & step.before)
    if truth.unit is None:
        left = f", which {names.may_be(masks[truth.cell])},"
        nothing = nothing.replace(" would", f"{left} would", 1)
    else:
        nothing += f", which is only left in {names.cells(masks)}"
    return f"{'; '.join(said)}: {join(told)}; then {nothing}; so {names.without(step.excludes)}"


def _forced_in(board: Board, member: int, step: Deduction) -> tuple[int, ...]:
    """Return what a member of the step's first truth forces, if it does not exclude all itself."""
    gone, links = mask_of(step.excludes), board.links
    if not gone & ~links[member]:
        return ()
    cell = board.placements[member].cell
    kept = [t.members & step.before & ~links[member] for t in step.truths[1:] if t.cell != cell]
    last = [each.bit_length() - 1 for each in kept if each and not each & (each - 1)]
    return tuple(each for each in last if gone & links[each] & ~links[member])


def _would_be(names: Names, step: Deduction, members: Sequence[int], forced: Sequence[int]) -> str:
    """Return what members of the first truth leave their partners, and which rules then exclude.

    A partner to which the relation alone would leave several digits is told with those it has.
    """
    board, told = names.board, []
    left = board.digits_in(step.before)
    for candidate in forced:
        cell, digit = board.placements[candidate]
        is_several = any(partners_of(names, each, cell).bit_count() > 1 for each in members)
        has = f" ({names.may_be(left[cell]).removeprefix('is ')})" if is_several else ""
        gone = mask_of(step.excludes) & board.links[candidate]
        for member in members:
            gone &= ~board.links[member]
        why = by_rules(names, 1 << candidate, gone)
        told.append(f"{names.cell(cell)}{has} would be {names.digit(digit)}{why}")
    return " and ".join(told)


ELSEWHERE: dict[Technique, tuple[str, ...]] = {Technique.PARTNERS: (), Technique.NEEDED: ()}
SEARCH = Search(ELSEWHERE, Level.BASIC, _find, _every, _tell)
