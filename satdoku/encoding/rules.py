"""What the rules of a puzzle ask, as constraints over its variables.

Nothing here knows a rule by name: rules state units, pairs of cells and allowed digits
(`puzzle/constraints.py`), and each of these three shapes becomes constraints in one place.
"""

from collections.abc import Callable, Iterator

from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    Constraint,
    NeverBoth,
    Reason,
    Why,
)
from satdoku.encoding.variables import variable
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.puzzle import Puzzle


def givens_hold(puzzle: Puzzle) -> Iterator[Constraint]:
    """Every given keeps its digit."""
    for cell, digit in puzzle.givens.items():
        reason = Reason(Why.GIVEN, puzzle.geometry, digit, cell)
        yield AtLeastOne(reason, (variable(puzzle.geometry, cell, digit),))


def cells_have_digits(geometry: Geometry) -> Iterator[Constraint]:
    """Every cell has a digit."""
    for cell in range(geometry.cell_count):
        reason = Reason(Why.CELL_HAS_DIGIT, geometry, cell=cell)
        yield AtLeastOne(reason, digits_in(geometry, cell))


def cells_have_one_digit(geometry: Geometry) -> Iterator[Constraint]:
    """No cell has two digits."""
    for cell in range(geometry.cell_count):
        reason = Reason(Why.CELL_ONCE, geometry, cell=cell)
        yield AtMostOne(reason, digits_in(geometry, cell))


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
        names = geometry.name_of(pair.first), geometry.name_of(pair.second)
        yield NeverBoth(
            Reason(Why.PAIR, geometry, text=pair.sentence.format(*names)),
            tuple(
                (variable(geometry, pair.first, digit), variable(geometry, pair.second, other))
                for digit, other in pair.digit_pairs()
            ),
        )


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
