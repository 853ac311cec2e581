"""The rules of Sudoku as constraints, rule by rule.

A further rule is a function here that yields constraints, and its meaning in `puzzle/judge.py`.
"""

from collections.abc import Callable, Iterator

from satdoku.encoding.constraint import AtLeastOne, AtMostOne, Constraint, Reason, Rule
from satdoku.encoding.variables import variable
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.grid import Grid


def givens_hold(grid: Grid) -> Iterator[Constraint]:
    """Every given keeps its digit."""
    for cell, digit in grid.givens.items():
        reason = Reason(Rule.GIVEN, grid.geometry, digit, cell)
        yield AtLeastOne(reason, (variable(grid.geometry, cell, digit),))


def cells_have_digits(geometry: Geometry) -> Iterator[Constraint]:
    """Every cell has a digit."""
    for cell in range(geometry.cell_count):
        reason = Reason(Rule.CELL_HAS_DIGIT, geometry, cell=cell)
        yield AtLeastOne(reason, digits_in(geometry, cell))


def cells_have_one_digit(geometry: Geometry) -> Iterator[Constraint]:
    """No cell has two digits."""
    for cell in range(geometry.cell_count):
        reason = Reason(Rule.CELL_ONCE, geometry, cell=cell)
        yield AtMostOne(reason, digits_in(geometry, cell))


def units_have_digits(geometry: Geometry) -> Iterator[Constraint]:
    """Every digit stands somewhere in every row, column and box."""
    for unit in distinct_units(geometry):
        for digit in range(1, geometry.size + 1):
            reason = Reason(Rule.UNIT_HAS_DIGIT, geometry, digit, unit=unit)
            yield AtLeastOne(reason, places_of(geometry, digit, unit))


def units_have_digits_once(geometry: Geometry) -> Iterator[Constraint]:
    """No digit stands twice in a row, column or box."""
    in_line = share_line(geometry)
    for unit in distinct_units(geometry):
        is_said = in_line if unit.kind == "box" else None
        for digit in range(1, geometry.size + 1):
            reason = Reason(Rule.UNIT_ONCE, geometry, digit, unit=unit)
            yield AtMostOne(reason, places_of(geometry, digit, unit), is_said)


def digits_in(geometry: Geometry, cell: int) -> tuple[int, ...]:
    """The variables of a cell, one for each digit."""
    return tuple(variable(geometry, cell, digit) for digit in range(1, geometry.size + 1))


def places_of(geometry: Geometry, digit: int, unit: Unit) -> tuple[int, ...]:
    """The variables of a digit in a unit, one for each cell."""
    return tuple(variable(geometry, cell, digit) for cell in unit.cells)


def distinct_units(geometry: Geometry) -> tuple[Unit, ...]:
    """The units, without boxes that are rows or columns, and without lines that are cells."""
    if geometry.size == 1:
        return ()
    if 1 in (geometry.box_rows, geometry.box_columns):
        return geometry.rows + geometry.columns
    return geometry.units


def share_line(geometry: Geometry) -> Callable[[int, int], bool]:
    """Tells whether two cell variables lie in one row or column, whose pairs the lines exclude.

    The textbook encodings state these pairs twice: 1,458 of them on 9x9.
    """
    size = geometry.size

    def in_line(first: int, second: int) -> bool:
        one, other = (first - 1) // size, (second - 1) // size
        return one // size == other // size or (one - other) % size == 0

    return in_line
