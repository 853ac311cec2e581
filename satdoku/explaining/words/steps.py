"""Every step of a way as a sentence, in one of three wordings; nets and cases line by line.

Chains may be written as forums do, in a notation that is called Eureka:

    (4)r1c6=(4)r2c6-(2)r2c6=(2)r2c8-(2=8)r1c9 => r1c6<>8

An equals sign is a strong link, a minus a weak one. Two digits of the same cell share one pair of
brackets, and cells of a row or a column are written together: `r1c46`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import (
    AREAS,
    LINES,
    Block,
    Sight,
    Truth,
    candidates_of,
    sight_of,
)
from satdoku.explaining.step import GRAVES, Deduction, Technique, Way
from satdoku.explaining.techniques.search import telling
from satdoku.explaining.techniques.strong_links import every_fins
from satdoku.explaining.techniques.wider import is_told_along
from satdoku.explaining.trace import digits_after, named_exclusions
from satdoku.explaining.words.chains import describe_chain, describe_wing
from satdoku.explaining.words.compared import (
    WITHOUT_WORDS,
    by_unit_alone,
    describe_equal,
    describe_neighbours,
    pairs_that_exclude,
    partners_of,
    rules_of_pairs,
    said_of_cell,
    say_pair,
    say_pairs,
    tell_block,
    tell_index_cases,
    tell_needs,
    tell_pairs,
    tell_twice,
)
from satdoku.explaining.words.headings import heading_of
from satdoku.explaining.words.names import Names, capital, name_beside, shorten
from satdoku.explaining.words.stories import describe_stories
from satdoku.explaining.words.supposed import Reasons, describe_together
from satdoku.explaining.words.wider import describe_wider
from satdoku.puzzle.constraints import Pair, digits_of, mask_of
from satdoku.puzzle.grid import Unit
from satdoku.puzzle.rules.outside import NumberedRoom

# Sentences for singles, locked candidates, subsets, fish and rectangles.
#
# The sentence of a single says which digit or cell is needed, and what blocks all others.

_LOCKED = {Technique.LOCKED_PAIR, Technique.LOCKED_TRIPLE}
_NAKED = {Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD} | _LOCKED
_HIDDEN = {Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD}

_FINNED = {
    Technique.FINNED_SWORDFISH,
    Technique.SASHIMI_SWORDFISH,
    Technique.FINNED_JELLYFISH,
    Technique.SASHIMI_JELLYFISH,
}
_LINES_OF = {True: "rows", False: "columns"}


def describe_locked(names: Names, step: Deduction) -> str:
    """Return the sentence of a truth whose members exclude the same, by units or pair rules."""
    truth = step.truths[0]
    placements = names.board.placements
    members = candidates_of(truth.members & step.before)
    cells = [placements[member].cell for member in members]
    if truth.unit is None:
        so = f"so {names.result(step.excludes, step.before)}"
        return "; ".join([*_told_of_cell(names, step), so])
    told = f"in {truth.unit}, {names.digit(truth.digit)} can only be in {names.cells(cells, 'or')}"
    alike = [placements[c].cell for c in step.excludes if placements[c].digit == truth.digit]
    others = [c for c in step.excludes if placements[c].digit != truth.digit]
    seen = [cell for cell in alike if _shared_unit(names, [*cells, cell]) is not None]
    shared = _shared_unit(names, [*cells, *seen]) if seen else None
    # "Both" for two cells, "all" for more.
    both = "both" if len(cells) == 2 else "all"
    if shared is not None:
        told += f", {both} in {shared}"
        alike = [cell for cell in alike if cell not in seen]
    if alike:
        each = "each of which sees" if shared is None else "and each sees"
        told += f", {each} {_how_seen(names, step, cells, alike)}"
    if others:
        first = [candidate for candidate in step.excludes if candidate not in others]
        told += f"; so {names.without(first)}" if first else ""
        told += f"; {_taken(names, step, others, cells)}; so {names.without(others)}"
        return told
    return f"{told}; so {names.without(step.excludes)}"


def _how_seen(names: Names, step: Deduction, cells: Sequence[int], gone: Sequence[int]) -> str:
    """Return the cells that all of some others see, each with how, unless by usual units alone."""
    ways: dict[tuple[str, ...], list[int]] = {}
    for cell in gone:
        each = tuple(_way_seen(names, step, other, cell, cells) for other in cells)
        ways.setdefault(each, []).append(cell)
    told: list[str] = []
    for each, seeing in ways.items():
        by_way: dict[str, list[int]] = {}
        for way, other in zip(each, cells, strict=True):
            by_way.setdefault(way, []).append(other)
        usual = [way for way in by_way if way.startswith(_USUAL)]
        listed = by_way if len(ways) <= _MOST_WAYS else [way for way in by_way if way not in usual]
        how = [f"{names.cells(by_way[way])} {way}" if way[0] != "(" else way[1:] for way in listed]
        brackets = (
            f" ({', '.join(how)})" if how and (by_way.keys() - usual or len(by_way) > 1) else ""
        )
        # Last without brackets: these would be read with all cells before them.
        told.insert(len(told) if not brackets else 0, f"{names.cells(seeing)}{brackets}")
    return join(told)


# How the ways begin in which cells see each other at a glance.
_USUAL = tuple(f"in {kind} " for kind in (*LINES, *AREAS))

# With more excluded cells than this, told in different ways, the usual ways are left out.
_MOST_WAYS = 2


def _way_seen(names: Names, step: Deduction, cell: int, gone: int, cells: Collection[int]) -> str:
    """Return how a cell sees another: `in box 1`, `a knight's move away`, or a rule in brackets.

    Of several units, the one with the most of `cells` is named.
    """

    def rank(unit: Unit) -> tuple[bool, int]:
        return unit.kind in (*LINES, *AREAS), len({*cells}.intersection(unit.cells))

    units = _shared_units(names, [cell, gone])
    if units:
        return f"in {max(units, key=rank)}"
    digit = step.truths[0].digit
    one, other = (names.board.number_of[Placement(each, digit)] for each in (cell, gone))
    pairs = pairs_that_exclude(names, [other], 1 << one)
    apart = re.search(r"^\{\} and \{\} .*, (.*) apart$", pairs[0].sentence) if pairs else None
    return f"{apart[1]} away" if apart else f"({'; '.join(tell_pairs(names, pairs))}"


def _taken(names: Names, step: Deduction, others: Sequence[int], places: Sequence[int]) -> str:
    """Say which other digits would leave a digit none of its places, by a rule about pairs."""
    truth, cells_with = step.truths[0], dict[int, list[int]]()
    for cell, mask in names.board.digits_in(mask_of(others)).items():
        cells_with.setdefault(mask, []).append(cell)
    who = " or ".join(
        f"{names.cells(cells, 'or')} is {names.digits(digits_of(mask), 'or')}"
        for mask, cells in cells_with.items()
    )
    digit = names.digit(truth.digit)
    # That a place with another digit is not this one goes without saying.
    alone = next(iter(cells_with.values())) if len(cells_with) == 1 else []
    left = [cell for cell in places if [cell] != alone]
    if len(left) == 1:
        cannot = f"{names.cell(left[0])} cannot be {digit}"
    elif len(left) == 2:
        cannot = f"neither {names.cell(left[0])} nor {names.cell(left[1])} can be {digit}"
    else:
        cannot = f"none of {names.cells(left)} can be {digit}"
    pairs = pairs_that_exclude(names, others, truth.members & step.before)
    is_worded = not all(pair.sentence.endswith(WITHOUT_WORDS) for pair in pairs)
    if pairs and not is_worded and len(cells_with) == 1:
        clash = names.digits(digits_of(next(iter(cells_with))), "or")
        why = f" (the pairs of digits that they may hold have no {clash} beside a {digit})"
    else:
        said = tell_pairs(names, pairs)
        why = f" ({'; '.join(said)})" if said else ""
    return f"if {who}, {cannot}{why}, and {truth.unit} would have no place for {digit}"


def _told_of_cell(names: Names, step: Deduction) -> Iterator[str]:
    """Yield the relations of a cell to others, and what each excluded digit would need there.

    If the list of needs would be long, yield the digits left in the cell instead, if it has lost
    some.
    """
    members = step.truths[0].members & step.before
    cases = tell_index_cases(names, step)
    if cases:
        yield cases
        return
    pairs = tell_pairs(names, pairs_that_exclude(names, step.excludes, members))
    needs = tell_needs(names, step)
    if needs:
        yield f"{'; '.join(pairs)}{', ' if needs.startswith('but ') else ': '}{needs}"
        return
    twice = tell_twice(names, step)
    if twice:
        yield f"{'; '.join(pairs)}, but {twice}"
        return
    placements, cell = names.board.placements, step.truths[0].cell
    digits = [placements[m].digit for m in candidates_of(step.truths[0].members & step.before)]
    by_digit = _told_of_rooms(names, step, digits)
    if by_digit:
        yield by_digit
        return
    # What no digit of the cell allows goes whatever is left in it.
    rests = any(partners_of(names, candidate, cell) for candidate in step.excludes)
    if rests and len(digits) < names.board.puzzle.geometry.size:
        yield f"{names.cell(cell)} {names.may_be(mask_of(digits))}"
    yield from pairs
    if all(": if " in each or each.startswith("if ") for each in pairs):
        for other, digit in by_unit_alone(names, step):
            unit = _shared_units(names, [cell, other])[0]
            here = f"if {names.cell(cell)} is {names.digit(digit)}"
            yield f"{here}, {unit} has its {names.digit(digit)}"


# The most digits of a first cell to go through one after the other.
_MOST_FIRST = 3


def _told_of_rooms(names: Names, step: Deduction, digits: Sequence[int]) -> str:
    """Return numbered rooms, and for each digit of a cell where that puts their digits.

    Empty if another rule takes part, or if the cell has many digits left.
    """
    cell, members = step.truths[0].cell, step.truths[0].members & step.before
    pairs = pairs_that_exclude(names, step.excludes, members)
    rules = rules_of_pairs(names, pairs)
    is_of_rooms = all(isinstance(rule, NumberedRoom) for rule in rules)
    if not rules or not is_of_rooms or not 1 < len(digits) <= _MOST_FIRST:
        return ""
    in_units = by_unit_alone(names, step)
    cases = []
    for digit in digits:
        here = f"if {names.cell(cell)} is {names.digit(digit)}, "
        said = [say_pair(names, p) for p in pairs if p.first == cell and p.excludes[digit]]
        units = dict.fromkeys(_shared_units(names, [cell, c])[0] for c, d in in_units if d == digit)
        told = [each.removeprefix(here) for each in said]
        if units:
            has = "has its" if len(units) == 1 else "have their"
            told.append(f"{join(list(map(str, units)))} {has} {names.digit(digit)}")
        if told:
            cases.append(f"{here}{join(told)}")
    others = [f"{say_pair(names, p)}, which it is not" for p in pairs if p.second == cell]
    geometry = names.board.puzzle.geometry
    left = f"{names.cell(cell)} {names.may_be(mask_of(digits))}"
    rooms = "; ".join(rule.sentence(geometry) for rule in rules)
    return f"{rooms}: {'; '.join([left, *cases, *others])}"


def _shared_units(names: Names, cells: Iterable[int]) -> list[Unit]:
    """Return the units that contain all the cells: rows, then columns, then boxes."""
    constraints = names.board.puzzle.constraints
    shared = set.intersection(*(set(constraints.units_of[cell]) for cell in cells))
    return [constraints.units[place] for place in sorted(shared)]


def _shared_unit(names: Names, cells: Iterable[int]) -> Unit | None:
    """Return the first unit that contains all the cells, or None."""
    return next(iter(_shared_units(names, cells)), None)


def _partly(names: Names, step: Deduction, members: Sequence[int], shared: Sequence[Unit]) -> str:
    """Say which digits of a set lie in a further unit from which something is excluded."""
    placements = names.board.placements
    # By the places of digits and the reason why others see them, the digits, and these others.
    told: dict[tuple[tuple[int, ...], str], tuple[dict[int, None], dict[int, None]]] = {}
    for cell, digit in (placements[candidate] for candidate in step.excludes):
        if not any(cell in unit.cells for unit in shared):
            held = sorted({placements[m].cell for m in members if placements[m].digit == digit})
            unit = _shared_unit(names, [cell, *held])
            why = f"also in {unit}" if unit else "seen by "
            digits, cells = told.setdefault((tuple(held), why), ({}, {}))
            digits[digit] = cells[cell] = None
    whole, text = {placements[member].cell for member in members}, ""
    for (places, why), (digits, cells) in told.items():
        both = "both" if len(places) == 2 else "all"
        if {*places} == whole and why.endswith(" "):
            text += f"; {names.cells(cells)} {'sees' if len(cells) == 1 else 'see'} {both} of them"
            continue
        seeing = names.cells(cells) if why.endswith(" ") else ""
        verb = "is" if len(digits) == 1 else "are"
        text += (
            f"; {names.digits(digits)} {verb} in {names.cells(places, 'or')}, {both} {why}{seeing}"
        )
    return text


def _used_units(names: Names, step: Deduction, units: Sequence[Unit]) -> list[Unit]:
    """Return few of these units, in which a set of cells lies, that have what the step excludes."""
    gone = {names.board.placements[candidate].cell for candidate in step.excludes}
    used: list[Unit] = []
    for unit in units:
        here = gone.intersection(unit.cells)
        if here:
            used.append(unit)
            gone -= here
    return used or list(units)


def _named_units(names: Names, step: Deduction, units: Sequence[Unit]) -> Iterator[str]:
    """Yield the names of units; after one that is no row, column or area, cells excluded there."""
    gone = {names.board.placements[candidate].cell for candidate in step.excludes}
    for unit in units:
        here = gone.intersection(unit.cells)
        gone -= here
        is_usual = unit.kind in (*LINES, *AREAS) or unit is units[0]
        yield str(unit) if is_usual or not here else f"{unit} with {names.cells(here)}"


def describe_rectangle(names: Names, step: Deduction) -> str:
    """Return the sentence of a rectangle: its cells cannot hold only digits to be swapped."""
    truth, *beside = step.truths
    assert truth.unit is not None
    others = join(names.left(truth, step.before), "or")
    so = names.without(step.excludes)
    if step.technique in GRAVES:
        text = (
            f"without {others} every open cell would have two candidates, and every unit two "
            f"places for each of its digits, and there would be two solutions or none; assuming "
            f"that there is one, {others} holds"
        )
    else:
        text = (
            f"were only {names.digits(truth.swapped)} in {names.cells(truth.unit.cells)}, they "
            f"could be swapped, and there would be two solutions; assuming that there is one, "
            f"{others} holds"
        )
    known = [f"{names.truth(t)} ({join(names.left(t, step.before), 'or')})" for t in beside]
    return f"{text}, while {join(known)}; so {so}" if known else f"{text}, so {so}"


def describe_subset(names: Names, step: Deduction) -> str:
    """Return the sentence of a pair, a triple, a quad, or a fish."""
    placements = names.board.placements
    members = [m for t in step.truths for m in candidates_of(t.members & step.before)]
    cells = {placements[member].cell for member in members}
    digits = {placements[member].digit for member in members}
    so = f"so {names.without(step.excludes)}"
    units = [truth.unit for truth in step.truths if truth.unit is not None]
    is_set = step.technique is Technique.HALL_SET
    if step.technique in _NAKED or (is_set and not units):
        shared = _used_units(names, step, _shared_units(names, cells))
        where = f"in {join(list(_named_units(names, step, shared)))}, " if shared else ""
        here = f"{where}{names.cells(cells)}"
        if any(unit.number is None for unit in shared):
            # The name of such a unit ends with a cell, which would be read with those of the set.
            here = f"{names.cells(cells)}, {where}"
        return (
            f"{here.rstrip()} can only be {names.digits(digits, 'or')}, "
            f"so they take {'both' if len(digits) == 2 else 'all'} of these digits"
            f"{_partly(names, step, members, shared)}; {so}"
        )
    if len(set(units)) == 1 and len(units) == len(step.truths) == len(cells):
        return (
            f"in {units[0]}, {names.digits(digits)} can only be in {names.cells(cells)}, "
            f"so nothing else fits there; {so}"
        )
    kinds = {unit.kind for unit in units}
    if len(units) == len(step.truths) and len(digits) == 1 and kinds <= set(LINES):
        return f"{_fish(names, step, units, cells, names.digits(digits))}; {so}"
    # Any other set of truths is worded by listing the truths.
    known = [f"{names.truth(t)} ({join(names.left(t, step.before), 'or')})" for t in step.truths]
    return f"whichever of these holds in {join(known)}, {so}"


def _fish(
    names: Names, step: Deduction, units: Sequence[Unit], cells: Collection[int], digit: str
) -> str:
    """Return the sentence of a fish: rows in which a digit has places in few columns, or converse.

    The truths of the step are the rows; the columns follow from their cells.
    """
    geometry = names.board.puzzle.geometry
    is_of_rows = units[0].kind == "row"
    line_of = geometry.column_of if is_of_rows else geometry.row_of
    fins = _fins(names, step)
    lines = sorted({line_of(cell) for cell in cells if cell not in fins})
    crossing = ("columns " if is_of_rows else "rows ") + join([str(line + 1) for line in lines])
    only = f"in {names.units(units)}, {digit} can only be in {crossing}"
    if not fins:
        return (
            f"{only}, at {names.cells(cells)}, so these {crossing.split()[0]} have their {digit}s "
            f"in {names.units(units)}"
        )
    fin, one = ("fin", "it") if len(fins) == 1 else ("fins", "one of them")
    return (
        f"{only}, apart from the {fin} {names.cells(fins)}; so {one} is {digit}, or each of these "
        f"{crossing.split()[0]} has its {digit} in one of these {_LINES_OF[is_of_rows]}"
    )


def _fins(names: Names, step: Deduction) -> set[int]:
    if step.technique not in _FINNED:
        return set()
    every = list(every_fins(names.board, step.before, step.truths))
    gone = mask_of(step.excludes)
    # Prefer a choice of fins that explains all exclusions of the step.
    found = next((fins for fins in every if not gone & ~fins.excludes), every[0])
    return {names.board.placements[fin].cell for fin in candidates_of(found.fins)}


# How the reason of a rule about cells by themselves begins, such as that they are odd.
_RULE_FOR = "the rule for "


class SingleWords:
    """The sentences of singles, and of truths with no member left.

    `exclusions` has, for each excluded candidate, the number of the step that excludes it.
    """

    def __init__(self, names: Names, sight: Sight, exclusions: Mapping[int, int]) -> None:
        self._names = names
        self._sight = sight
        self._exclusions = exclusions

    def describe(self, step: Deduction, digits: Sequence[int]) -> str:
        """Return the sentence of a step that places a candidate; `digits` are those before it."""
        names, truth = self._names, step.truths[0]
        cell, digit = names.board.placements[step.places or 0]  # a single always places one
        if step.technique is Technique.FULL_HOUSE:
            here = f"{names.cell(cell)} is the last empty cell of {truth.unit}"
            return f"{here}, so it is {names.digit(digit)}"
        if truth.unit is None:
            reasons = self._why_only_digit(truth, Placement(cell, digit), digits)
            return f"{names.cell(cell)} can only be {names.digit(digit)}{reasons}"
        return (
            f"{truth.unit} still needs {names.one(digit)}; "
            f"{self._why_only_place(truth, Placement(cell, digit), digits)}"
        )

    def nothing_left(self, truth: Truth, digits: Sequence[int]) -> str:
        """Return the reason why a truth has no member left."""
        names = self._names
        if truth.wider is not None:
            return names.nothing_left(truth)
        if truth.unit is None:
            return f"{names.nothing_left(truth)}{self._why_only_digit(truth, None, digits)}"
        reasons = self._reasons(self._sight.missing(truth, digits), digits)
        if not reasons:
            return f"{names.nothing_left(truth)}, since all its cells are filled"
        verb = "leave" if self._is_many(reasons) else "leaves"
        return f"{names.nothing_left(truth)}: {join(reasons)} {verb} none"

    def why_not(self, places: Sequence[Placement], digits: Sequence[int]) -> str:
        """Return what excludes these placements, as a list of cells and steps."""
        return join(self._reasons(places, digits))

    def _why_only_place(self, truth: Truth, holds: Placement, digits: Sequence[int]) -> str:
        here = self._names.cell(holds.cell)
        reasons = self._reasons(self._sight.missing(truth, digits, holds), digits)
        if not reasons:
            return f"all its other cells are filled, so it goes into {here}"
        told = join(reasons)
        if len(reasons) == 2 and " and " in "".join(reasons):
            # A comma parts the cells of the first reason from the steps of the second.
            told = f"{reasons[0]}, and {reasons[1]},"
        return f"{told} {'leave' if self._is_many(reasons) else 'leaves'} only {here}"

    @staticmethod
    def _is_many(reasons: Sequence[str]) -> bool:
        # The verb is plural if there are several reasons, or one that names several cells or steps
        # outside of brackets.
        first = reasons[0].partition(" (")[0]
        is_rule = first.startswith(_RULE_FOR)
        return len(reasons) > 1 or (" and " in first and not is_rule) or first.startswith("steps")

    def _reasons(self, places: Sequence[Placement], digits: Sequence[int]) -> list[str]:
        """Return what excludes these placements: filled cells first, then steps and rules."""
        names = self._names
        blocking, unblocked = self._sight.cover(digits, places)
        reasons = list(self._tell_blocking(blocking, digits))
        steps, by_rule = self._sort_out(unblocked)
        if steps:
            reasons.append(_name_steps(steps))
        # Exclusions by a rule alone, such as of a 4 from an odd cell.
        cells_by: defaultdict[str, list[int]] = defaultdict(list)
        for place in by_rule:
            cells_by[said_of_cell(names, place)].append(place.cell)
        # Of what was excluded before the first step, such as by a player's marks, nothing is known.
        cells_by.pop("", None)
        for sentence, cells in cells_by.items():
            said = sentence.format("it" if len(cells) == 1 else "each")
            reasons.append(f"{_RULE_FOR}{names.cells(cells)} ({said})")
        return reasons

    def _tell_blocking(self, blocking: Sequence[Block], digits: Sequence[int]) -> Iterator[str]:
        """Yield filled cells by their digits, then those of which rules say something."""
        names = self._names
        said_of: defaultdict[int, list[Pair]] = defaultdict(list)
        for block in blocking:
            if block.pair is not None:
                said_of[block.cell].append(block.pair)
        # Cells with the same digit are one reason: "the 7s in r7c7 and r6c2".
        cells_with: defaultdict[int, list[int]] = defaultdict(list)
        for block in blocking:
            if block.cell not in said_of:
                cells_with[digits[block.cell]].append(block.cell)
        for digit, cells in cells_with.items():
            noun = names.digit(digit) if len(cells) == 1 else f"{names.digit(digit)}s"
            yield f"the {noun} in {names.cells(cells)}"
        for cell, pairs in said_of.items():
            here = f"the {names.digit(digits[cell])} in {names.cell(cell)}"
            yield f"{here} ({'; '.join(say_pairs(names, pairs))})"

    def _sort_out(self, places: Sequence[Placement]) -> tuple[dict[int, int], list[Placement]]:
        """Return the digits that steps exclude, by step, and the placements that rules exclude.

        The digits are masks, by the step's number.
        """
        steps: defaultdict[int, int] = defaultdict(int)
        by_rule = []
        for place in places:
            candidate = self._names.board.number_of.get(place)
            number = None if candidate is None else self._exclusions.get(candidate)
            if number is None:
                by_rule.append(place)
            else:
                steps[number] |= 1 << place.digit
        return steps, by_rule

    def _why_only_digit(self, truth: Truth, holds: Placement | None, digits: Sequence[int]) -> str:
        """Return what excludes all other digits from a cell; empty if there are no others."""
        names = self._names
        others = self._sight.missing(truth, digits, holds)
        blocking, unblocked = self._sight.cover(digits, others)
        steps, by_rule = self._sort_out(unblocked)
        seen = [digits[block.cell] for block in blocking if block.pair is None]
        told = [tell_block(names, block, digits) for block in blocking if block.pair is not None]
        told += dict.fromkeys(
            said_of_cell(names, place).format(names.cell(place.cell)) for place in by_rule
        )
        reasons = [f"it sees {names.digits(seen)}"] if seen else []
        if steps:
            # In the order of the steps.
            excluded = names.digits([d for n in sorted(steps) for d in digits_of(steps[n])])
            verb = "excludes" if len(steps) == 1 else "exclude"
            reasons.append(f"{_name_steps(steps)} {verb} {excluded}")
        # Sentences of rules are separated by semicolons, as they may contain "and".
        text = "; ".join([*([", and ".join(reasons)] if reasons else []), *told])
        return f": {text}" if text else ""


def _name_steps(numbers: Collection[int]) -> str:
    noun = "step" if len(numbers) == 1 else "steps"
    return f"{noun} {join([str(number) for number in sorted(numbers)])}"


class Wording(Enum):
    """The wording of a step, by its length.

    `brief` is the result and the technique, `usual` a sentence with the reasons, `full` adds the
    truths and the steps that the step rests on.
    """

    BRIEF = "brief"
    USUAL = "usual"
    FULL = "full"


class Teller:
    """The sentences of a way; with `is_eureka`, chains are in Eureka notation, as in forums."""

    def __init__(self, way: Way, unequal: str = "≠", is_eureka: bool = False) -> None:
        self._way = way
        self._is_eureka = is_eureka
        self._names = Names(way.board, unequal)
        self._singles = SingleWords(self._names, sight_of(way.board.puzzle), named_exclusions(way))

    def tell(self, wording: Wording = Wording.USUAL) -> Iterator[str]:
        """Yield one text for each step; stories with cases have several lines."""
        # Singles name filled cells, so the board is filled step by step.
        digits = digits_after(self._way, 0)
        for step in self._way.steps:
            yield self.word(step, digits, wording)
            if step.places is not None:
                cell, digit = self._way.board.placements[step.places]
                digits[cell] = digit

    def tell_last(self) -> str:
        """Return the text of the last step of the way."""
        last = len(self._way.steps)
        return self.word(self._way.steps[-1], digits_after(self._way, last - 1), Wording.USUAL)

    def dead_end(self) -> str:
        """Return the sentence of the truth that the steps leave no member; empty without one."""
        if self._way.dead_end is None:
            return ""
        digits = digits_after(self._way, len(self._way.steps))
        return capital(self._singles.nothing_left(self._way.dead_end, digits)) + "."

    def result_of(self, step: Deduction) -> str:
        """Return the result of a step: `r4c5=7`, or `r1c5≠3/8`."""
        if step.places is not None:
            return self._names.candidate(step.places)
        return self._names.without(step.excludes)

    def word(self, step: Deduction, digits: Sequence[int], wording: Wording) -> str:
        """Return the text of a step; `digits` are the board's digits before the step."""
        name = heading_of(self._names, step)
        if wording is Wording.BRIEF:
            return f"{self.result_of(step)} ({name})"
        text = f"{capital(name)}: {self.sentence(step, digits)}."
        if wording is Wording.FULL:
            text += f"\n  Rests on: {list_of_truths(self._names, step)}"
            if step.rests_on:
                noun = "step" if len(step.rests_on) == 1 else "steps"
                text += f"; after {noun} {join([str(number) for number in step.rests_on])}"
            text += "."
        return shorten(name_beside(self._names, text))

    def sentence(self, step: Deduction, digits: Sequence[int]) -> str:
        """Return the sentence of a step, without its name, its capital and its full stop."""
        if step.places is not None and step.truths[0].wider is None:
            return self._singles.describe(step, digits)
        if step.technique in telling():
            return telling()[step.technique](self._names, step)
        if step.stories:
            return describe_stories(self._names, step)
        if step.chain:
            told = write_eureka(self._names, step) if self._is_eureka else ""
            told = told or describe_wing(self._names, step)
            return told or describe_chain(self._names, step)
        if step.technique is Technique.SEARCH:
            return describe_search(self._names, step)
        if step.assumes_unique:
            return describe_rectangle(self._names, step)
        return self._of_truths(step, digits)

    def _of_truths(self, step: Deduction, digits: Sequence[int]) -> str:
        """Return the sentence of a step without a chain or a story."""
        if step.technique in _DESCRIBED:
            return _DESCRIBED[step.technique](self._names, step)
        if step.technique is Technique.TOGETHER:
            return describe_together(self._names, step)
        if step.truths[0].wider or is_told_along(step):
            because = Reasons(self._names, step.before).because
            return describe_wider(
                self._names, step, lambda p: self._singles.why_not(p, digits), because
            )
        # A single truth is worded as locked candidates, several truths as a set.
        describe = describe_locked if step.size == 1 else describe_subset
        return describe(self._names, step)


def describe_search(names: Names, step: Deduction) -> str:
    """Return the sentence of a search, whose cases are too many to be told."""
    supposed = join([names.candidate(candidate) for candidate in step.excludes], "or")
    return (
        f"a solver has tried all that could follow from {supposed}, and nothing is left, in more "
        f"cases than can be told here ({step.size} cells and units); "
        f"so {names.without(step.excludes)}"
    )


def list_of_truths(names: Names, step: Deduction) -> str:
    """Return the truths of a step as text, each with its remaining members."""
    return "; ".join(
        f"{names.truth(truth)} ({join(names.left(truth, step.before), 'or')})"
        for truth in step.truths
    )


def write_eureka(names: Names, step: Deduction) -> str:
    """Return a chain in Eureka notation with its exclusions; empty unless the step is one chain."""
    # Forums have no single way to write parallel petals, or fins.
    if not step.chain or step.technique in (Technique.DEATH_BLOSSOM, Technique.FINNED_CHAIN):
        return ""
    links = []
    for link in step.chain:
        off, on = _digits(names, link.off), _digits(names, link.on)
        cells = {truth.cell for truth in link.truths}
        # Both ends are in the same cells only if the link is of cells.
        if all(truth.unit is None for truth in link.truths):
            links.append(f"({off}={on}){_cells(names, cells)}")
        else:
            ends = (_cells(names, _cells_of(names, end)) for end in (link.off, link.on))
            links.append("=".join(f"({d}){c}" for d, c in zip((off, on), ends, strict=True)))
    placements = names.board.placements
    gone: dict[int, list[int]] = {}
    for cell, digit in (placements[candidate] for candidate in step.excludes):
        gone.setdefault(digit, []).append(cell)
    excluded = ", ".join(f"{_cells(names, c)}<>{names.digit(d)}" for d, c in sorted(gone.items()))
    return f"{'-'.join(links)} => {excluded}"


def _digits(names: Names, end: int) -> str:
    placements = names.board.placements
    return "".join(map(names.digit, sorted({placements[c].digit for c in candidates_of(end)})))


def _cells_of(names: Names, end: int) -> set[int]:
    return {names.board.placements[candidate].cell for candidate in candidates_of(end)}


def _cells(names: Names, cells: Iterable[int]) -> str:
    """Return cells as text, those of a row or a column together: `r1c46`, `r25c3`."""
    board = names.board.puzzle.geometry
    if not board.is_plain:
        return ",".join(map(board.name_of, sorted(set(cells))))
    places = sorted({divmod(cell, board.size) for cell in cells})
    rows, columns = ({place[side] + 1 for place in places} for side in (0, 1))
    # Above 9, adjacent numbers could not be told apart.
    if board.size < 10 and len(places) == len(rows) * len(columns):
        row, column = ("".join(map(str, sorted(numbers))) for numbers in (rows, columns))
        return f"r{row}c{column}"
    return ",".join(f"r{row + 1}c{column + 1}" for row, column in places)


_DESCRIBED = {
    Technique.EQUAL: describe_equal,
    Technique.NEIGHBOURS: describe_neighbours,
}
