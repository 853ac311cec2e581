"""What the rules of a puzzle ask, as constraints over its variables.

Nothing here knows a rule by name: rules state units, pairs of cells and allowed digits
(`puzzle/constraints.py`), and each of these three shapes becomes constraints in one place. What
rules state of more cells at once is in `wider/`.

The reduced encoding writes only what the givens leave open; the rest becomes unit clauses.
Variables keep their numbers and every one of them occurs, so a model decodes like any other and
no variable is left to a solver's whim. Two clashing givens keep the clause between them: without it
a full wrong grid would be satisfiable.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    Constraint,
    NeverBoth,
    Reason,
    Why,
)
from satdoku.encoding.open_board import OpenBoard, OpenGroup
from satdoku.encoding.variables import Auxiliaries, variable
from satdoku.puzzle.constraints import Constraints, Pair
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle

OfCell = TypeVar("OfCell")


def givens_hold(puzzle: Puzzle) -> Iterator[Constraint]:
    """Every given keeps its digit."""
    for cell, digit in puzzle.givens.items():
        reason = Reason(Why.GIVEN, puzzle.geometry, digit, cell)
        yield AtLeastOne(reason, (variable(puzzle.geometry, cell, digit),))


def cells_have_digits(geometry: Geometry) -> Iterator[Constraint]:
    """Every cell has a digit."""
    return of_each_cell(geometry, Why.CELL_HAS_DIGIT, AtLeastOne)


def cells_have_one_digit(geometry: Geometry) -> Iterator[Constraint]:
    """No cell has two digits."""
    return of_each_cell(geometry, Why.CELL_ONCE, AtMostOne)


def of_each_cell(
    geometry: Geometry, why: Why, kind: Callable[[Reason, tuple[int, ...]], OfCell]
) -> Iterator[OfCell]:
    """A constraint of this kind on the digits of each cell."""
    for cell in range(geometry.cell_count):
        yield kind(Reason(why, geometry, cell=cell), digits_in(geometry, cell))


def units_have_digits(constraints: Constraints) -> Iterator[Constraint]:
    """Every digit stands somewhere in every unit that has as many cells as there are digits."""
    geometry = constraints.geometry
    for unit in filter(constraints.has_every_digit, constraints.units):
        for digit in range(1, geometry.size + 1):
            reason = Reason(Why.UNIT_HAS_DIGIT, geometry, digit, unit=unit)
            yield AtLeastOne(reason, places_of(geometry, digit, unit))


def units_have_digits_once(constraints: Constraints) -> Iterator[Constraint]:
    """No digit stands twice in a unit."""
    geometry = constraints.geometry
    for index, unit in enumerate(constraints.units):
        is_said = share_earlier_unit(constraints, index)
        for digit in range(1, geometry.size + 1):
            reason = Reason(Why.UNIT_ONCE, geometry, digit, unit=unit)
            yield AtMostOne(reason, places_of(geometry, digit, unit), is_said)


def pairs_are_kept(constraints: Constraints) -> Iterator[Constraint]:
    """Two cells do not hold digits that a rule forbids them to hold together."""
    geometry = constraints.geometry
    for pair in constraints.pairs:
        yield NeverBoth(
            _reason_of_pair(geometry, pair),
            tuple(
                (variable(geometry, pair.first, digit), variable(geometry, pair.second, other))
                for digit, other in pair.digit_pairs()
            ),
        )


def _reason_of_pair(geometry: Geometry, pair: Pair) -> Reason:
    names = geometry.name_of(pair.first), geometry.name_of(pair.second)
    return Reason(Why.PAIR, geometry, text=pair.sentence.format(*names))


def cells_are_allowed(constraints: Constraints) -> Iterator[Constraint]:
    """No cell holds a digit that a rule forbids it."""
    geometry = constraints.geometry
    # Two rules may forbid a cell the same digit.
    said: set[int] = set()
    for allowed in constraints.allowed:
        sentence = allowed.sentence.format(geometry.name_of(allowed.cell))
        reason = Reason(Why.ALLOWED, geometry, text=sentence)
        for digit in range(1, geometry.size + 1):
            number = variable(geometry, allowed.cell, digit)
            if not allowed.digits >> digit & 1 and number not in said:
                said.add(number)
                yield AtLeastOne(reason, (-number,))


def digits_in(geometry: Geometry, cell: int) -> tuple[int, ...]:
    """The variables of a cell, one for each digit."""
    return tuple(variable(geometry, cell, digit) for digit in range(1, geometry.size + 1))


def places_of(geometry: Geometry, digit: int, unit: Unit) -> tuple[int, ...]:
    """The variables of a digit in a unit, one for each cell."""
    return tuple(variable(geometry, cell, digit) for cell in unit.cells)


def share_earlier_unit(constraints: Constraints, index: int) -> Callable[[int, int], bool] | None:
    """Tells whether two cell variables lie in a unit before this one, which excludes their pair.

    A box shares pairs of cells with rows and columns: textbook encodings state 1,458 clauses twice
    on 9x9. None where no two cells of the unit share an earlier one.
    """
    size, units_of = constraints.geometry.size, constraints.units_of
    earlier = [
        {unit for unit in units_of[cell] if unit < index} for cell in constraints.units[index].cells
    ]
    # Each earlier unit is that of one cell only, so no pair of cells shares one.
    if sum(map(len, earlier)) == len(set().union(*earlier)):
        return None

    def is_said(first: int, second: int) -> bool:
        # At least this unit is shared.
        shared = set(units_of[(first - 1) // size]).intersection(units_of[(second - 1) // size])
        return min(shared) < index

    return is_said


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
        yield NeverBoth(
            _reason_of_pair(geometry, pair),
            tuple((board.variable(one), board.variable(other)) for one, other in numbers),
        )
    if constraints.wider:
        # Imported here: few puzzles have such rules.
        from satdoku.encoding.wider.full import wider_rules

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
