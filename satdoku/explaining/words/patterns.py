"""Singles, locked candidates, subsets, fish and rectangles in words.

Of a single they say what is still needed, and what blocks everything else.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.kinds import Sight
from satdoku.explaining.step import Step, Technique
from satdoku.explaining.techniques.strong_links import find_fins
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.pairs import (
    pairs_that_exclude,
    said_of_cell,
    say_pair,
    tell_block,
    tell_pairs,
)
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.geometry import Unit

_NAKED = {Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD}
_HIDDEN = {Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD}

_FINNED = {Technique.FINNED_SWORDFISH, Technique.SASHIMI_SWORDFISH}
_LINES_OF = {True: "rows", False: "columns"}


def describe_locked(names: Names, step: Step) -> str:
    """A truth whose members all exclude the same, by units or by what is said of two cells."""
    truth = step.truths[0]
    placements = names.board.placements
    members = candidates_of(truth.members & step.before)
    cells = [placements[member].cell for member in members]
    so = f"so {names.without(step.excludes)}"
    if truth.unit is None:
        return "; ".join([*_told_of_cell(names, step), so])
    # Those that see all places of the digit in a unit; the others some rule keeps apart.
    seen = [
        placements[candidate].cell
        for candidate in step.excludes
        if placements[candidate].digit == truth.digit
        and _shared_unit(names, [*cells, placements[candidate].cell]) is not None
    ]
    others = [c for c in step.excludes if placements[c] not in [(s, truth.digit) for s in seen]]
    shared = _shared_unit(names, [*cells, *seen]) if seen else None
    # English says both of two, and all of three.
    both = "both" if len(cells) == 2 else "all"
    where = f"{both} in {shared}" if shared else "each of which excludes the same"
    told = f"in {truth.unit}, {names.digit(truth.digit)} can only be in {names.cells(cells, 'or')}"
    pairs = tell_pairs(names, pairs_that_exclude(names, others, truth.members & step.before))
    why = f" ({'; '.join(pairs)})" if pairs else ""
    return f"{told}, {where}{why}; {so}"


def _told_of_cell(names: Names, step: Step) -> Iterator[str]:
    """The digits of a cell, where it has lost some, and what is said of it and of others."""
    placements, cell = names.board.placements, step.truths[0].cell
    digits = [placements[m].digit for m in candidates_of(step.truths[0].members & step.before)]
    if len(digits) < names.board.puzzle.geometry.size:
        yield f"{names.cell(cell)} can only be {names.digits(digits, 'or')}"
    members = step.truths[0].members & step.before
    yield from tell_pairs(names, pairs_that_exclude(names, step.excludes, members))


def _shared_unit(names: Names, cells: list[int]) -> Unit | None:
    """The first unit that contains all the cells."""
    constraints = names.board.puzzle.constraints
    shared = set.intersection(*(set(constraints.units_of[cell]) for cell in cells))
    # Rows stand before columns, and columns before boxes; the first of them is named, as the words
    # must not depend on the order of a set.
    return constraints.units[min(shared)] if shared else None


def describe_rectangle(names: Names, step: Step) -> str:
    """Four cells that must not hold two digits only, since these could be swapped."""
    truth, *beside = step.truths
    assert truth.unit is not None
    others = join(names.left(truth, step.before), "or")
    so = names.without(step.excludes)
    if step.technique is Technique.BUG:
        return (
            f"without {others} every open cell would have two candidates, and every unit two "
            f"places for each of its digits, and there would be two solutions or none; assuming "
            f"that there is one, {others} holds, so {so}"
        )
    text = (
        f"were only {names.digits(truth.swapped)} in {names.cells(truth.unit.cells)}, they could "
        f"be swapped, and there would be two solutions; assuming that there is one, {others} holds"
    )
    known = [f"{names.truth(t)} ({join(names.left(t, step.before), 'or')})" for t in beside]
    return f"{text}, while {join(known)}; so {so}" if known else f"{text}, so {so}"


def describe_subset(names: Names, step: Step) -> str:
    """A pair, a triple, a quad, or a fish."""
    placements = names.board.placements
    members = [m for t in step.truths for m in candidates_of(t.members & step.before)]
    cells = {placements[member].cell for member in members}
    digits = {placements[member].digit for member in members}
    so = f"so {names.without(step.excludes)}"
    units = [truth.unit for truth in step.truths if truth.unit is not None]
    is_set = step.technique is Technique.HALL_SET
    if step.technique in _NAKED or (is_set and not units):
        shared = _shared_unit(names, list(cells))
        where = "" if shared is None else f"in {shared}, "
        return (
            f"{where}{names.cells(cells)} can only be {names.digits(digits, 'or')}, "
            f"so they take {'both' if len(digits) == 2 else 'all'} of these digits; {so}"
        )
    if step.technique in _HIDDEN or is_set:
        return (
            f"in {units[0]}, {names.digits(digits)} can only be in {names.cells(cells)}, "
            f"so nothing else fits there; {so}"
        )
    return f"{_fish(names, step, units, cells, names.digits(digits))}; {so}"


def _fish(
    names: Names, step: Step, units: Sequence[Unit], cells: Collection[int], digit: str
) -> str:
    """In some rows a digit has places in as many columns only, or the other way round.

    The truths of the step are those of the rows; the columns follow from their cells.
    """
    geometry = names.board.puzzle.geometry
    is_of_rows = units[0].kind == "row"
    line_of = geometry.column_of if is_of_rows else geometry.row_of
    fins = _fins(names, step)
    lines = sorted({line_of(cell) for cell in cells if cell not in fins})
    crossing = ("columns " if is_of_rows else "rows ") + join([str(line + 1) for line in lines])
    only = f"in {names.units(units)}, {digit} can only be in {crossing}"
    if not fins:
        return f"{only}, at {names.cells(cells)}, which so have {digit} there and nowhere else"
    fin, one = ("fin", "it") if len(fins) == 1 else ("fins", "one of them")
    return (
        f"{only}, apart from the {fin} {names.cells(fins)}; so {one} is {digit}, or each of these "
        f"{crossing.split()[0]} has its {digit} in one of these {_LINES_OF[is_of_rows]}"
    )


def _fins(names: Names, step: Step) -> set[int]:
    if step.technique not in _FINNED:
        return set()
    found = find_fins(names.board, step.before, step.truths)
    assert found is not None, "it has fins"
    return {names.board.placements[fin].cell for fin in candidates_of(found.fins)}


class SingleWords:
    """Sentences about singles, and about truths that nothing is left of.

    `exclusions` has for each candidate that a step excludes the number of that step.
    """

    def __init__(self, names: Names, sight: Sight, exclusions: Mapping[int, int]) -> None:
        self._names = names
        self._sight = sight
        self._exclusions = exclusions

    def describe(self, step: Step, digits: Sequence[int]) -> str:
        """The sentence for a step that places a candidate while the board holds `digits`."""
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
        """Why nothing is left of a truth."""
        names = self._names
        if truth.wider is not None:
            return names.nothing_left(truth)
        if truth.unit is None:
            return f"{names.nothing_left(truth)}{self._why_only_digit(truth, None, digits)}"
        reasons = self._reasons(self._sight.missing(truth, digits), digits)
        if not reasons:
            return f"{names.nothing_left(truth)}, since all its cells are filled"
        return f"{names.nothing_left(truth)}: {join(reasons)} leave none"

    def _why_only_place(self, truth: Truth, holds: Placement, digits: Sequence[int]) -> str:
        here = self._names.cell(holds.cell)
        reasons = self._reasons(self._sight.missing(truth, digits, holds), digits)
        if not reasons:
            return f"all its other cells are filled, so it goes into {here}"
        return f"{join(reasons)} {'leave' if self._is_many(reasons) else 'leaves'} only {here}"

    @staticmethod
    def _is_many(reasons: Sequence[str]) -> bool:
        # The verb is that of several where there are several reasons, or one that names several
        # cells or several steps; what stands in brackets does not count.
        first = reasons[0].partition(" (")[0]
        return len(reasons) > 1 or " and " in first or first.startswith("steps")

    def _reasons(self, places: Sequence[Placement], digits: Sequence[int]) -> list[str]:
        """What keeps a digit out of some cells: filled cells first, then steps and rules."""
        names = self._names
        blocking, unblocked = self._sight.cover(digits, places)
        # Cells with the same digit are one reason: "the 7s in r7c7 and r6c2".
        cells_with: defaultdict[int, list[int]] = defaultdict(list)
        said_of: defaultdict[int, list[str]] = defaultdict(list)
        for block in blocking:
            if block.pair is None:
                cells_with[digits[block.cell]].append(block.cell)
            else:
                said_of[block.cell].append(say_pair(names, block.pair))
        reasons = []
        for digit, cells in cells_with.items():
            noun = names.digit(digit) if len(cells) == 1 else f"{names.digit(digit)}s"
            reasons.append(f"the {noun} in {names.cells(cells)}")
        for cell, told in said_of.items():
            here = f"the {names.digit(digits[cell])} in {names.cell(cell)}"
            reasons.append(f"{here} ({'; '.join(told)})")
        steps, by_rule = self._sort_out(unblocked)
        if steps:
            reasons.append(_name_steps(steps))
        # Such as a 4 in an odd cell: no filled cell and no step keeps it out.
        cells_by: defaultdict[str, list[int]] = defaultdict(list)
        for place in by_rule:
            cells_by[said_of_cell(names, place)].append(place.cell)
        for sentence, cells in cells_by.items():
            said = sentence.format("it" if len(cells) == 1 else "each")
            reasons.append(f"what {names.cells(cells)} may hold ({said})")
        return reasons

    def _sort_out(self, places: Sequence[Placement]) -> tuple[dict[int, int], list[Placement]]:
        """Return the digits that steps exclude, with their steps, and what rules exclude.

        The digits are a mask for each step, by its number.
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
        """What excludes all other digits from a cell; empty where there are no others."""
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
            excluded = names.digits(digits_of(reduce(or_, steps.values())))
            verb = "excludes" if len(steps) == 1 else "exclude"
            reasons.append(f"{_name_steps(steps)} {verb} {excluded}")
        # What rules say are sentences of their own, with an "and" in them.
        text = "; ".join([*([join(reasons)] if reasons else []), *told])
        return f": {text}" if text else ""


def _name_steps(numbers: Collection[int]) -> str:
    noun = "step" if len(numbers) == 1 else "steps"
    return f"{noun} {join([str(number) for number in sorted(numbers)])}"
