"""Locked candidates, subsets and fish in words."""

from satdoku.explaining.board import candidates_of
from satdoku.explaining.step import Step, Technique
from satdoku.explaining.words.names import Names, join
from satdoku.puzzle.geometry import Unit

_NAKED = {Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD}
_HIDDEN = {Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD}


def describe_locked(names: Names, step: Step) -> str:
    """A truth whose members all exclude the same."""
    truth = step.truths[0]
    placements = names.board.placements
    members = candidates_of(truth.members & step.before)
    cells = [placements[member].cell for member in members]
    so = f"so {names.without(step.excludes)}"
    if truth.unit is None:
        digits = names.digits((placements[m].digit for m in members), "or")
        cell = names.cell(truth.cell)
        return f"{cell} can only be {digits}, each of which excludes the same; {so}"
    shared = _shared_unit(names, [*cells, *(placements[e].cell for e in step.excludes)])
    where = f", all in {shared}" if shared is not None else ", each of which excludes the same"
    # English says both of two, and all of three.
    if shared is not None and len(cells) == 2:
        where = f", both in {shared}"
    digit = names.digit(truth.digit)
    return f"in {truth.unit}, {digit} can only be in {names.cells(cells, 'or')}{where}; {so}"


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
    # What is left is a fish: in some rows a digit has places in as many columns only, or the other
    # way round. The truths of the step are those of the rows; the columns follow from their cells.
    geometry = names.board.puzzle.geometry
    is_of_rows = units[0].kind == "row"
    lines = sorted({geometry.column_of(c) if is_of_rows else geometry.row_of(c) for c in cells})
    crossing = ("columns " if is_of_rows else "rows ") + join([str(line + 1) for line in lines])
    return (
        f"in {names.units(units)}, {names.digits(digits)} can only be in {crossing}, "
        f"at {names.cells(cells)}, which so have {names.digits(digits)} there and nowhere "
        f"else; {so}"
    )
