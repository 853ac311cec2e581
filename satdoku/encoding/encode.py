"""A puzzle as a stream of clauses, in the encoding of one's choice."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    ClauseGroup,
    Clauses,
    Constraint,
    Why,
    clauses_of,
    may_vary,
)
from satdoku.encoding.rules import cells_are_allowed, givens_hold, open_rules, pairs_are_kept
from satdoku.encoding.statements import (
    CELLS_HAVE_DIGITS,
    CELLS_HAVE_ONE_DIGIT,
    SEGMENTS,
    UNITS_HAVE_DIGITS,
    UNITS_HAVE_DIGITS_ONCE,
    Statement,
    has_segments,
)
from satdoku.encoding.variables import Auxiliaries, Clause, variable_count
from satdoku.encoding.wider.full import wider_rules
from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Either, HiddenRegions
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle


class _Meaning(NamedTuple):
    description: str
    statements: tuple[Statement, ...]


def description_of(encoding: Encoding) -> str:
    """What an encoding states, in a clause."""
    return _MEANINGS[encoding].description


_EXTENDED = (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, UNITS_HAVE_DIGITS, UNITS_HAVE_DIGITS_ONCE)

_MEANINGS = {
    Encoding.MINIMAL: _Meaning(
        "a digit in every cell, none twice in a row, column or box",
        (CELLS_HAVE_DIGITS, UNITS_HAVE_DIGITS_ONCE),
    ),
    Encoding.EFFICIENT: _Meaning(
        "minimal, and at most one digit in a cell (also called natural)",
        (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, UNITS_HAVE_DIGITS_ONCE),
    ),
    Encoding.EXTENDED: _Meaning(
        "efficient, and each digit somewhere in each row, column and box", _EXTENDED
    ),
    Encoding.TRIADS: _Meaning(
        "extended through the segments in which boxes meet rows and columns",
        (CELLS_HAVE_DIGITS, CELLS_HAVE_ONE_DIGIT, SEGMENTS),
    ),
    # Where there are givens, `open_rules` says the same of what they leave open.
    Encoding.REDUCED: _Meaning(
        "extended over what the givens leave open; the rest is unit clauses", _EXTENDED
    ),
}


def statements_of(encoding: Encoding, geometry: Geometry) -> tuple[Statement, ...]:
    """What an encoding says of rows, columns, boxes and further units."""
    # Where a box is a row or a column it meets no line in a segment, and triads are as extended.
    if encoding is Encoding.TRIADS and not has_segments(geometry):
        encoding = Encoding.EXTENDED
    if encoding not in _MEANINGS:
        raise SatdokuError(f"nothing says what the encoding {encoding.value} states")
    return _MEANINGS[encoding].statements


class FormulaSize(NamedTuple):
    """The two numbers of a DIMACS header."""

    variables: int
    clauses: int


def constraints(
    puzzle: Puzzle, encoding: Encoding, auxiliaries: Auxiliaries
) -> Iterator[Constraint]:
    """What the encoding says of a puzzle, before at-most-one becomes clauses."""
    require_known_rules(puzzle, encoding)
    if encoding is Encoding.REDUCED:
        return open_rules(puzzle, auxiliaries)
    return _full_rules(puzzle, encoding, auxiliaries)


def require_known_rules(puzzle: Puzzle, encoding: Encoding) -> None:
    """Refuses an encoding that is made for rows, columns and boxes where there are other rules."""
    if encoding is Encoding.TRIADS and not puzzle.is_classic:
        names = dict.fromkeys(rule.name for rule in puzzle.further_rules)
        raise SatdokuError(
            f"the encoding {encoding.value} is for rows, columns and boxes alone; "
            f"this puzzle has {', '.join(names) or 'fewer rules'}"
        )


def encode(
    puzzle: Puzzle,
    encoding: Encoding = Encoding.EXTENDED,
    at_most_one: Method = Method.PAIRWISE,
) -> Iterator[ClauseGroup]:
    """The clauses of a puzzle, constraint by constraint; none comes twice, but in textbooks."""
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    for constraint in constraints(puzzle, encoding, auxiliaries):
        clauses = write_clauses(constraint, at_most_one, auxiliaries)
        if clauses:
            yield ClauseGroup(constraint.reason, clauses)


def write_clauses(
    constraint: Constraint, at_most_one: Method, auxiliaries: Auxiliaries
) -> list[Clause]:
    """The clauses of one constraint; none where others say it already."""
    if isinstance(constraint, AtLeastOne):
        return [constraint.literals]
    if isinstance(constraint, AtMostOne):
        return clauses_of(at_most_one, constraint.literals, auxiliaries, constraint.is_said)
    if isinstance(constraint, Clauses):
        return list(constraint.clauses)
    return [(-one, -other) for one, other in constraint.pairs]


def exclusive_literals(constraint: Constraint) -> Clause | None:
    """The literals of which at most one holds, where that is what a constraint says."""
    return constraint.literals if isinstance(constraint, AtMostOne) else None


def measure(
    puzzle: Puzzle,
    encoding: Encoding,
    at_most_one: Method = Method.PAIRWISE,
    require_time: Callable[[], None] = lambda: None,
) -> FormulaSize:
    """How many variables and clauses the formula has, found by encoding it.

    `require_time` is called for each group of clauses and may raise what it likes.
    """
    variables, clauses = variable_count(puzzle.geometry), 0
    for group in encode(puzzle, encoding, at_most_one):
        require_time()
        clauses += len(group.clauses)
        # Auxiliary variables are numbered as they are made, behind those of the cells, so the
        # highest number that occurs is how many there are.
        variables = max(variables, *(max(map(abs, clause)) for clause in group.clauses))
    return FormulaSize(variables, clauses)


def auxiliaries_may_vary(puzzle: Puzzle, encoding: Encoding, at_most_one: Method) -> bool:
    """Whether a solution may have several models, alike but for auxiliary variables."""
    if any(
        isinstance(constraint, Either | HiddenRegions) for constraint in puzzle.constraints.wider
    ):
        return True
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    return any(
        isinstance(constraint, AtMostOne)
        and may_vary(at_most_one, len(constraint.literals), _may_be_none(constraint))
        for constraint in constraints(puzzle, encoding, auxiliaries)
    )


def _may_be_none(constraint: AtMostOne) -> bool:
    """Whether in a solution none of the literals may hold.

    A digit need not stand in a segment, nor in a unit of fewer cells than there are digits.
    """
    reason = constraint.reason
    is_short = reason.unit is not None and len(reason.unit.cells) < reason.geometry.size
    return is_short or reason.why is Why.SEGMENT_ONCE


def _full_rules(
    puzzle: Puzzle, encoding: Encoding, auxiliaries: Auxiliaries
) -> Iterator[Constraint]:
    geometry, constraints = puzzle.geometry, puzzle.constraints
    if geometry.size > 1:  # otherwise having a digit says the same
        yield from givens_hold(puzzle)
    yield from cells_are_allowed(constraints)
    for statement in statements_of(encoding, geometry):
        yield from statement.write(puzzle, auxiliaries)
    yield from pairs_are_kept(constraints)
    if constraints.wider:
        yield from wider_rules(puzzle, auxiliaries)
