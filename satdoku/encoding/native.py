"""The rules for formats that can say "exactly one" and "at most one" themselves.

There is one way to say them then: no encoding to choose, no auxiliary variables, and of an empty
board of N x N cells 4 N² constraints, where clauses are N⁴ and more.
"""

from collections.abc import Iterator

from satdoku.encoding.constraint import AtMostOne, ExactlyOne, NativeConstraint, Reason, Why
from satdoku.encoding.rules import (
    cells_are_allowed,
    digits_in,
    givens_hold,
    pairs_are_kept,
    places_of,
)
from satdoku.encoding.variables import Auxiliaries, variable_count
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle


def native_constraints(puzzle: Puzzle) -> Iterator[NativeConstraint]:
    """All that a puzzle asks: its givens, a digit in every cell, and its rules."""
    constraints = puzzle.constraints
    yield from givens_hold(puzzle)
    yield from cells_are_allowed(constraints)
    yield from _cells_have_one_digit(puzzle.geometry)
    yield from _units_have_digits_once(constraints)
    yield from pairs_are_kept(constraints)
    if constraints.wider:
        # Imported here: most puzzles have no such rules.
        from satdoku.encoding.wider.write import wider_rules

        yield from wider_rules(puzzle, Auxiliaries(variable_count(puzzle.geometry)))


def _cells_have_one_digit(geometry: Geometry) -> Iterator[NativeConstraint]:
    for cell in range(geometry.cell_count):
        reason = Reason(Why.CELL_EXACTLY_ONE, geometry, cell=cell)
        yield ExactlyOne(reason, digits_in(geometry, cell))


def _units_have_digits_once(constraints: Constraints) -> Iterator[NativeConstraint]:
    """Exactly once where a unit has as many cells as there are digits, else at most once."""
    geometry = constraints.geometry
    for unit in constraints.units:
        has_every_digit = constraints.has_every_digit(unit)
        for digit in range(1, geometry.size + 1):
            places = places_of(geometry, digit, unit)
            if has_every_digit:
                reason = Reason(Why.UNIT_EXACTLY_ONCE, geometry, digit, unit=unit)
                yield ExactlyOne(reason, places)
            else:
                yield AtMostOne(Reason(Why.UNIT_ONCE, geometry, digit, unit=unit), places)
