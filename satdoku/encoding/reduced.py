"""Only what the givens leave open; the rest becomes unit clauses.

Variables keep their numbers and every one of them occurs, so a model decodes like any other and
no variable is left to a solver's whim. Two equal givens in a unit keep the clause between them:
without it a full wrong grid would be satisfiable.
"""

from collections.abc import Iterator

from satdoku.encoding.constraint import AtLeastOne, AtMostOne, Constraint, Reason, Rule
from satdoku.encoding.open_board import OpenBoard, OpenGroup
from satdoku.encoding.rules import digits_in, givens_hold, places_of, share_line
from satdoku.encoding.variables import variable
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes


def open_rules(grid: Grid) -> Iterator[Constraint]:
    """The rules among the open candidates, the givens, and what follows from them directly."""
    yield from givens_hold(grid)
    yield from _clashes(grid)
    yield from _settled(grid)
    board = OpenBoard(grid)
    geometry = grid.geometry
    in_line = share_line(geometry)
    units = {(unit.kind, unit.number): unit for unit in geometry.units}
    said: set[frozenset[int]] = set()
    for group in board.groups():
        unit = units.get((group.kind, group.number))
        literals = tuple(map(board.variable, group.members))
        clause = literals or _all_places(grid, group, unit)
        members = frozenset(clause)
        if members in said:
            continue
        said.add(members)
        has, once = _reasons(grid, group, unit)
        yield AtLeastOne(has, clause)
        yield AtMostOne(once, literals, in_line if group.kind == "box" else None)


def _reasons(grid: Grid, group: OpenGroup, unit: Unit | None) -> tuple[Reason, Reason]:
    if unit is None:
        return (
            Reason(Rule.CELL_HAS_DIGIT, grid.geometry, cell=group.number),
            Reason(Rule.CELL_ONCE, grid.geometry, cell=group.number),
        )
    return (
        Reason(Rule.UNIT_HAS_DIGIT, grid.geometry, group.digit, unit=unit),
        Reason(Rule.UNIT_ONCE, grid.geometry, group.digit, unit=unit),
    )


def _all_places(grid: Grid, group: OpenGroup, unit: Unit | None) -> tuple[int, ...]:
    """The full clause where nothing is open: many readers of DIMACS refuse an empty one."""
    if unit is None:
        return digits_in(grid.geometry, group.number)
    return places_of(grid.geometry, group.digit, unit)


def _clashes(grid: Grid) -> Iterator[Constraint]:
    geometry = grid.geometry
    for clash in find_clashes(grid):
        reason = Reason(Rule.UNIT_ONCE, geometry, clash.digit, unit=clash.unit)
        pair = tuple(-variable(geometry, cell, clash.digit) for cell in (clash.first, clash.second))
        yield AtLeastOne(reason, pair)


def _settled(grid: Grid) -> Iterator[Constraint]:
    """A unit clause for every candidate that the givens exclude."""
    candidates = dict(find_candidates(grid, find_missing(grid)))
    for cell, given in enumerate(grid.digits):
        still = 1 << given if given else candidates[cell]
        reason = Reason(Rule.SETTLED, grid.geometry, cell=cell)
        for digit in range(1, grid.geometry.size + 1):
            if not still >> digit & 1:
                yield AtLeastOne(reason, (-variable(grid.geometry, cell, digit),))
