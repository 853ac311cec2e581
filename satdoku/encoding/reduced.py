"""Only what the givens leave open; the rest becomes unit clauses.

Variables keep their numbers and every one of them occurs, so a model decodes like any other and
no variable is left to a solver's whim. Two clashing givens keep the clause between them: without it
a full wrong grid would be satisfiable.
"""

from collections.abc import Iterator, Mapping

from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    Constraint,
    NeverBoth,
    Reason,
    Why,
)
from satdoku.encoding.open_board import OpenBoard, OpenGroup
from satdoku.encoding.rules import digits_in, givens_hold, places_of, share_earlier_unit
from satdoku.encoding.variables import Auxiliaries, variable
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle


def open_rules(puzzle: Puzzle, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """The rules among the open candidates, the givens, and what follows from them directly."""
    yield from givens_hold(puzzle)
    yield from _clashes(puzzle)
    board = OpenBoard(puzzle)
    yield from _settled(puzzle, board.candidates)
    constraints = puzzle.constraints
    is_said = {
        unit: share_earlier_unit(constraints, index) for index, unit in enumerate(constraints.units)
    }
    # Whether a group of these candidates was stated with "at least one" already.
    said: dict[frozenset[int], bool] = {}
    for group in board.groups():
        literals = tuple(map(board.variable, group.members))
        # Two groups may have the same candidates, such as a row and a box of which the same cells
        # are open; each set of them is stated once.
        clause = literals or _all_places(puzzle, group)
        members = frozenset(clause)
        if said.get(members, False) or (members in said and not group.has_one):
            continue
        # Met without "at least one" before, the set gets only that clause now.
        is_new = members not in said
        said[members] = group.has_one
        has, once = _reasons(puzzle, group)
        if group.has_one:
            yield AtLeastOne(has, clause)
        if is_new:
            yield AtMostOne(once, literals, is_said[group.unit] if group.unit else None)
    geometry = puzzle.geometry
    for pair, numbers in board.pairs():
        names = geometry.name_of(pair.first), geometry.name_of(pair.second)
        yield NeverBoth(
            Reason(Why.PAIR, geometry, text=pair.sentence.format(*names)),
            tuple((board.variable(one), board.variable(other)) for one, other in numbers),
        )
    if constraints.wider:
        # Imported here: most puzzles have no such rules.
        from satdoku.encoding.wider.write import wider_rules

        yield from wider_rules(puzzle, auxiliaries, board.candidates)


def _reasons(puzzle: Puzzle, group: OpenGroup) -> tuple[Reason, Reason]:
    if group.unit is None:
        return (
            Reason(Why.CELL_HAS_DIGIT, puzzle.geometry, cell=group.cell),
            Reason(Why.CELL_ONCE, puzzle.geometry, cell=group.cell),
        )
    return (
        Reason(Why.UNIT_HAS_DIGIT, puzzle.geometry, group.digit, unit=group.unit),
        Reason(Why.UNIT_ONCE, puzzle.geometry, group.digit, unit=group.unit),
    )


def _all_places(puzzle: Puzzle, group: OpenGroup) -> tuple[int, ...]:
    """The full clause where nothing is open: many readers of DIMACS refuse an empty one."""
    if group.unit is None:
        return digits_in(puzzle.geometry, group.cell)
    return places_of(puzzle.geometry, group.digit, group.unit)


def _clashes(puzzle: Puzzle) -> Iterator[Constraint]:
    """A clause that clashing givens break."""
    geometry = puzzle.geometry
    for clash in find_clashes(puzzle):
        # What is wrong with a single given, `_settled` says.
        if len(clash.cells) > 1:
            reason = Reason(Why.CLASH, geometry, text=str(clash))
            placed = zip(clash.cells, clash.digits, strict=True)
            yield AtLeastOne(reason, tuple(-variable(geometry, *each) for each in placed))


def _settled(puzzle: Puzzle, candidates: Mapping[int, int]) -> Iterator[Constraint]:
    """A unit clause for every candidate that the givens, or a rule on its own, exclude."""
    geometry = puzzle.geometry
    forbidden = _forbidden_givens(puzzle)
    for cell, given in enumerate(puzzle.grid.digits):
        # A given that a rule forbids keeps no candidate: its own clause contradicts these.
        still = 1 << given if given and cell not in forbidden else candidates.get(cell, 0)
        reason = Reason(Why.SETTLED, geometry, cell=cell)
        for digit in range(1, geometry.size + 1):
            if not still >> digit & 1:
                yield AtLeastOne(reason, (-variable(geometry, cell, digit),))


def _forbidden_givens(puzzle: Puzzle) -> set[int]:
    """The given cells whose digit a rule on its own forbids there, such as 4 in an odd cell."""
    digits = puzzle.grid.digits
    return {
        allowed.cell
        for allowed in puzzle.constraints.allowed
        if digits[allowed.cell] and not allowed.digits >> digits[allowed.cell] & 1
    }
