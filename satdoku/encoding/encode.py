"""A puzzle as a stream of clauses, in the encoding of one's choice."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from satdoku.encoding.at_most_one import Method, clauses_of
from satdoku.encoding.constraint import AtLeastOne, ClauseGroup, Constraint
from satdoku.encoding.reduced import open_rules
from satdoku.encoding.rules import (
    cells_have_digits,
    cells_have_one_digit,
    givens_hold,
    units_have_digits,
    units_have_digits_once,
)
from satdoku.encoding.triads import segment_rules
from satdoku.encoding.variables import Auxiliaries, variable_count
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid


class Encoding(Enum):
    """Which rules are stated; the value is the name in options."""

    MINIMAL = "minimal"
    EFFICIENT = "efficient"
    EXTENDED = "extended"
    TRIADS = "triads"
    REDUCED = "reduced"

    @property
    def description(self) -> str:
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    Encoding.MINIMAL: "a digit in every cell, none twice in a row, column or box",
    Encoding.EFFICIENT: "minimal, and at most one digit in a cell (also called natural)",
    Encoding.EXTENDED: "efficient, and each digit somewhere in each row, column and box",
    Encoding.TRIADS: "extended through the segments in which boxes meet rows and columns",
    Encoding.REDUCED: "extended over what the givens leave open; the rest is unit clauses",
}


class FormulaSize(NamedTuple):
    """The two numbers of a DIMACS header."""

    variables: int
    clauses: int


def constraints(grid: Grid, encoding: Encoding, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """What the encoding says of a grid's givens, before at-most-one becomes clauses."""
    if encoding is Encoding.REDUCED:
        return open_rules(grid)
    return _full_rules(grid, encoding, auxiliaries)


def encode(
    grid: Grid,
    encoding: Encoding = Encoding.EXTENDED,
    at_most_one: Method = Method.PAIRWISE,
) -> Iterator[ClauseGroup]:
    """The clauses of a puzzle, constraint by constraint; no clause comes twice."""
    auxiliaries = Auxiliaries(variable_count(grid.geometry))
    for constraint in constraints(grid, encoding, auxiliaries):
        if isinstance(constraint, AtLeastOne):
            yield ClauseGroup(constraint.reason, [constraint.literals])
        else:
            clauses = clauses_of(at_most_one, constraint, auxiliaries)
            if clauses:
                yield ClauseGroup(constraint.reason, clauses)


def measure(grid: Grid, encoding: Encoding, at_most_one: Method = Method.PAIRWISE) -> FormulaSize:
    """How many variables and clauses the formula has, found by encoding it."""
    variables, clauses = variable_count(grid.geometry), 0
    for group in encode(grid, encoding, at_most_one):
        clauses += len(group.clauses)
        variables = max(variables, *(max(map(abs, clause)) for clause in group.clauses))
    return FormulaSize(variables, clauses)


def _full_rules(grid: Grid, encoding: Encoding, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    geometry = grid.geometry
    if geometry.size > 1:  # otherwise having a digit says the same
        yield from givens_hold(grid)
    yield from cells_have_digits(geometry)
    if encoding is not Encoding.MINIMAL:
        yield from cells_have_one_digit(geometry)
    if encoding is Encoding.TRIADS and has_segments(geometry):
        yield from segment_rules(geometry, auxiliaries)
        return
    if encoding in (Encoding.EXTENDED, Encoding.TRIADS):
        yield from units_have_digits(geometry)
    yield from units_have_digits_once(geometry)


def has_segments(geometry: Geometry) -> bool:
    """Whether boxes meet lines in more than a cell and in less than the whole line."""
    return geometry.box_rows > 1 and geometry.box_columns > 1
