"""The size of a formula, computed before the formula is made.

Making a hundred million clauses takes a minute; counting them from the statements of the encoding
(`encode.py`) takes as long as reading the puzzle.
"""

from collections.abc import Iterable
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import may_vary, template
from satdoku.encoding.encode import (
    FormulaSize,
    RuleSizes,
    statements_of,
    wider_rules,
    write_clauses,
)
from satdoku.encoding.variables import Auxiliaries, variable_count
from satdoku.errors import TooLargeError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing

MOST_CLAUSES = 1_000_000_000
"""Most clauses of a formula: more than any solver can load; a file of twenty gigabytes and more."""


def rules_size(geometry: Geometry, encoding: Encoding, method: Method) -> FormulaSize:
    """Return the numbers of variables and clauses of the rules without any givens.

    >>> rules_size(Geometry(3, 3), Encoding.MINIMAL, Method.PAIRWISE)
    FormulaSize(variables=729, clauses=7371)
    """
    return _size(RuleSizes.of_classic(geometry), encoding, method)


def rules_auxiliaries_may_vary(geometry: Geometry, encoding: Encoding, method: Method) -> bool:
    """Whether a solution of the rules alone may have several models; see `auxiliaries_may_vary`."""
    amounts = RuleSizes.of_classic(geometry)
    # Each digit is somewhere in every unit, but not in every segment. Only triads has at-most-one
    # groups other than units: the cells of a segment, as many as a box is wide or high.
    return any(
        may_vary(method, length, may_be_none=length < geometry.size)
        for statement in statements_of(encoding, geometry)
        for length in statement.measure(amounts).at_most_one
    )


def _size(amounts: RuleSizes, encoding: Encoding, method: Method) -> FormulaSize:
    geometry = amounts.geometry
    variables, clauses = variable_count(geometry), 0
    # Methods without auxiliaries state pairs, and all but the textbook method skip repeated pairs.
    skips_pairs = method is not Method.TEXTBOOK and not _cost(method, geometry.size).auxiliaries
    for statement in statements_of(encoding, geometry):
        stated = statement.measure(amounts)
        variables += stated.auxiliaries
        clauses += stated.clauses
        for length, count in stated.at_most_one.items():
            cost = _cost(method, length)
            clauses += count * cost.clauses
            variables += count * cost.auxiliaries
        if skips_pairs:
            clauses -= stated.told_twice
    return FormulaSize(variables, clauses)


def estimate_clauses(puzzle: Puzzle, encoding: Encoding, method: Method = Method.PAIRWISE) -> int:
    """Estimate the number of clauses of a puzzle's formula, within a quarter.

    >>> from satdoku.puzzle.grid import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> estimate_clauses(Puzzle(Grid.empty(Geometry(15, 15))), Encoding.EXTENDED) // 10**9
    4
    """
    return _count_wider(puzzle, method) + estimate_narrow(puzzle, encoding, method)


def estimate_narrow(puzzle: Puzzle, encoding: Encoding, method: Method = Method.PAIRWISE) -> int:
    """Estimate the number of clauses without those of wider constraints, by arithmetic."""
    if encoding is Encoding.REDUCED:
        return _estimate_reduced(puzzle, method)
    given = len(puzzle.givens) + _count_excluded(puzzle) + puzzle.constraints.count_pairs()
    return _size(RuleSizes.of(puzzle), encoding, method).clauses + given


def require_possible(
    puzzle: Puzzle, encoding: Encoding, method: Method, are_givens_soft: bool = False
) -> None:
    """Raise an error for a formula of billions of clauses, with a hint at smaller formulas.

    Soft givens settle no variables, so with them the hint is never the reduced encoding.
    """
    count = estimate_clauses(puzzle, encoding, method)
    if count <= MOST_CLAUSES:
        return
    others = [(f"--at-most-one {Method.PRODUCT.value}", encoding, Method.PRODUCT)]
    if not are_givens_soft:
        others.insert(0, (f"--encoding {Encoding.REDUCED.value}", Encoding.REDUCED, method))
    hints = [
        f"; {words} would make about {_round(possible)}"
        for words, other_encoding, other_method in others
        if (possible := estimate_clauses(puzzle, other_encoding, other_method)) <= MOST_CLAUSES
    ]
    raise _too_large(puzzle, f"{_round(count)} clauses", count * _bytes_a_clause(puzzle), hints)


def require_possible_natively(puzzle: Puzzle) -> None:
    """Raise an error if native constraints would be as long as billions of clauses."""
    terms = count_terms(puzzle)
    # A limit in terms: nearly all clauses have two literals.
    if terms > 2 * MOST_CLAUSES:
        size = terms * _bytes_a_term(puzzle)
        raise _too_large(puzzle, f"{_round(terms)} terms", size, [])


def count_terms(puzzle: Puzzle) -> int:
    """Return the number of terms in the native constraints of a puzzle."""
    constraints, size = puzzle.constraints, puzzle.geometry.size
    in_units = sum(len(unit.cells) for unit in constraints.units)
    in_pairs = 2 * puzzle.constraints.count_pairs()
    in_cells = puzzle.geometry.cell_count
    return (in_cells + in_units) * size + in_pairs + _count_excluded(puzzle) + len(puzzle.givens)


def _too_large(puzzle: Puzzle, count: str, size: int, hints: Iterable[str]) -> TooLargeError:
    board = f"{puzzle.geometry.size}x{puzzle.geometry.size} board"
    return TooLargeError(
        f"the formula of this {board} would have about {count} "
        f"and take {size / 1e9:,.0f} GB{''.join(hints)}"
    )


def _estimate_reduced(puzzle: Puzzle, method: Method) -> int:
    """Estimate the clauses on the assumption that missing digits of a unit have equally many
    places.
    """
    constraints = puzzle.constraints
    missing = find_missing(puzzle)
    candidates_in = [0] * len(constraints.units)
    candidates = at_most_one = 0
    for cell, mask in find_candidates(puzzle, missing):
        count = mask.bit_count()
        candidates += count
        at_most_one += _cost(method, count).clauses
        for unit in constraints.units_of[cell]:
            candidates_in[unit] += count
    for count, digits in zip(candidates_in, missing, strict=True):
        groups = digits.bit_count()
        if groups:
            # Rounded up: groups longer than the mean cost more pairs than shorter ones save.
            at_most_one += groups * _cost(method, -(-count // groups)).clauses
    # All other variables are excluded by unit clauses.
    has_candidate = candidates + len(puzzle.givens)
    excluded = variable_count(puzzle.geometry) - has_candidate
    share_of_pairs = candidates / variable_count(puzzle.geometry)
    return (
        len(puzzle.givens)
        + excluded
        + at_most_one
        + int(puzzle.constraints.count_pairs() * share_of_pairs)
    )


class _Cost(NamedTuple):
    clauses: int
    auxiliaries: int


def _cost(method: Method, count: int) -> _Cost:
    """Return the cost of at-most-one over this many literals."""
    # On a board of 1000 rows there are too many pairs to make them only to count them.
    if method in (Method.PAIRWISE, Method.TEXTBOOK):
        return _Cost(count * (count - 1) // 2, 0)
    pattern = template(method, count)
    return _Cost(len(pattern.clauses), pattern.auxiliaries)


def _count_wider(puzzle: Puzzle, method: Method) -> int:
    """Count the clauses of wider constraints with all candidates open, by writing them."""
    if not puzzle.constraints.wider:
        return 0
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    rules = wider_rules(puzzle, auxiliaries)
    return sum(len(write_clauses(rule, method, auxiliaries)) for rule in rules)


def _count_excluded(puzzle: Puzzle) -> int:
    """Return how many candidates rules exclude by themselves, repetitions included."""
    size = puzzle.geometry.size
    return sum(size - allowed.digits.bit_count() for allowed in puzzle.constraints.allowed)


def _bytes_a_clause(puzzle: Puzzle) -> int:
    """Return the bytes of a two-literal clause: sign, number and space each, and the final 0."""
    return 2 * (len(str(variable_count(puzzle.geometry))) + 2) + 2


def _bytes_a_term(puzzle: Puzzle) -> int:
    """Return the bytes of a term such as ` +1 x12`, with as many digits as the highest variable."""
    return len(" +1 x") + len(str(variable_count(puzzle.geometry)))


def _round(count: int) -> str:
    if count >= 1_000_000_000:
        return f"{count / 1e9:,.1f} billion"
    return f"{count / 1e6:,.0f} million"
