"""How many clauses a formula will have, roughly, told before any of them is made.

Making them takes a minute for each hundred million; this takes as long as reading the puzzle.
"""

from collections.abc import Iterable

from satdoku.encoding.at_most_one import Method, template
from satdoku.encoding.encode import Encoding
from satdoku.encoding.size import rules_size
from satdoku.encoding.variables import variable_count
from satdoku.errors import TooLargeError
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.puzzle import Puzzle

MOST_CLAUSES = 1_000_000_000
"""More than any solver takes in, and a file of twenty gigabytes or more."""


def estimate_clauses(puzzle: Puzzle, encoding: Encoding, method: Method = Method.PAIRWISE) -> int:
    """About how many clauses the formula of a puzzle has, within a quarter.

    >>> from satdoku.puzzle.geometry import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> estimate_clauses(Puzzle(Grid.empty(Geometry(15, 15))), Encoding.EXTENDED) // 10**9
    4
    """
    if encoding is Encoding.REDUCED:
        return _estimate_reduced(puzzle, method)
    if puzzle.is_classic:
        return rules_size(puzzle.geometry, encoding, method).clauses + len(puzzle.givens)
    return _estimate_full(puzzle, encoding, method)


def require_possible(
    puzzle: Puzzle, encoding: Encoding, method: Method, are_givens_soft: bool = False
) -> None:
    """Refuses formulas of billions of clauses, with a hint at what would do instead.

    Soft givens settle nothing, so that the hint cannot be to reduce the formula by them.
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
    """Refuses formulas of native constraints that would be as large as billions of clauses."""
    terms = count_terms(puzzle)
    # Nearly all clauses have two literals.
    if terms > 2 * MOST_CLAUSES:
        size = terms * _bytes_a_term(puzzle)
        raise _too_large(puzzle, f"{_round(terms)} terms", size, [])


def count_terms(puzzle: Puzzle) -> int:
    """How many variables the native constraints of a puzzle have, each counted where it stands."""
    constraints, size = puzzle.constraints, puzzle.geometry.size
    in_units = sum(len(unit.cells) for unit in constraints.units)
    in_pairs = 2 * count_pairs(puzzle)
    excluded = sum(size - allowed.digits.bit_count() for allowed in constraints.allowed)
    in_cells = puzzle.geometry.cell_count
    return (in_cells + in_units) * size + in_pairs + excluded + len(puzzle.givens)


def _too_large(puzzle: Puzzle, count: str, size: int, hints: Iterable[str]) -> TooLargeError:
    board = f"{puzzle.geometry.size}x{puzzle.geometry.size} board"
    return TooLargeError(
        f"the formula of this {board} would have about {count} "
        f"and take {size / 1e9:,.0f} GB{''.join(hints)}"
    )


def _estimate_full(puzzle: Puzzle, encoding: Encoding, method: Method) -> int:
    """The number of clauses for a puzzle with any rules; `rules_size` is for classic ones only."""
    constraints = puzzle.constraints
    size, cells = puzzle.geometry.size, puzzle.geometry.cell_count
    clauses = cells + len(puzzle.givens)
    if encoding is not Encoding.MINIMAL:
        clauses += cells * _at_most_one(method, size)
    for unit in constraints.units:
        clauses += size * _at_most_one(method, len(unit.cells))
        if encoding is Encoding.EXTENDED and constraints.has_every_digit(unit):
            clauses += size
    return clauses + count_pairs(puzzle)


def _estimate_reduced(puzzle: Puzzle, method: Method) -> int:
    """The number of clauses if the missing digits of each unit have equally many candidates."""
    constraints = puzzle.constraints
    missing = find_missing(puzzle)
    candidates_in = [0] * len(constraints.units)
    candidates = at_most_one = 0
    for cell, mask in find_candidates(puzzle, missing):
        count = mask.bit_count()
        candidates += count
        at_most_one += _at_most_one(method, count)
        for unit in constraints.units_of[cell]:
            candidates_in[unit] += count
    for count, digits in zip(candidates_in, missing, strict=True):
        groups = digits.bit_count()
        if groups:
            # Rounded up, as more candidates than the mean cost more pairs than fewer save.
            at_most_one += groups * _at_most_one(method, -(-count // groups))
    # Every other variable is excluded by a clause of its own.
    has_candidate = candidates + len(puzzle.givens)
    excluded = variable_count(puzzle.geometry) - has_candidate
    share_of_pairs = candidates / variable_count(puzzle.geometry)
    return len(puzzle.givens) + excluded + at_most_one + int(count_pairs(puzzle) * share_of_pairs)


def _at_most_one(method: Method, count: int) -> int:
    if method in (Method.PAIRWISE, Method.TEXTBOOK):
        return count * (count - 1) // 2
    return len(template(method, count).clauses)


def count_pairs(puzzle: Puzzle) -> int:
    """How many pairs of candidates further rules exclude, each a clause."""
    pairs = puzzle.constraints.pairs
    # Most pairs share one tuple of masks with others of their rule.
    count_of = {pair.excludes: sum(map(int.bit_count, pair.excludes)) for pair in pairs}
    return sum(count_of[pair.excludes] for pair in pairs)


def _bytes_a_clause(puzzle: Puzzle) -> int:
    """The length of a clause with two literals: a sign, digits and a space each, and ` 0`."""
    return 2 * (len(str(variable_count(puzzle.geometry))) + 2) + 2


def _bytes_a_term(puzzle: Puzzle) -> int:
    """The length of a term, as ` +1 x12`, with as many digits as the highest variable has."""
    return len(" +1 x") + len(str(variable_count(puzzle.geometry)))


def _round(count: int) -> str:
    if count >= 1_000_000_000:
        return f"{count / 1e9:,.1f} billion"
    return f"{count / 1e6:,.0f} million"
