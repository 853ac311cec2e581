"""Wider constraints in formulas whose candidates all have their number."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from satdoku.encoding.constraint import AtMostOne, Clause, Clauses, Constraint, Reason, Why
from satdoku.encoding.variables import Auxiliaries, variable, variable_count
from satdoku.encoding.wider.kit import TRUE, Claim, Kit
from satdoku.encoding.wider.write import write
from satdoku.puzzle.constraints import Constraints, Wider, differing
from satdoku.puzzle.puzzle import Puzzle


def wider_rules(
    puzzle: Puzzle, auxiliaries: Auxiliaries, candidates: Mapping[int, int] | None = None
) -> Iterator[Constraint]:
    """All wider constraints; `candidates` has the digits of empty cells, if givens are settled."""
    geometry = puzzle.geometry
    literal = _literals(puzzle, candidates)
    for constraint, clauses, exclusive in write_all(
        puzzle.constraints, literal, auxiliaries, geometry.size, {}
    ):
        reason = Reason(Why.WIDER, geometry, text=constraint.sentence)
        kept = tuple(filter(None, clauses))
        if len(kept) < len(clauses):
            kept += tuple(_contradiction(puzzle, constraint))
        yield Clauses(reason, kept)
        for literals in exclusive:
            yield AtMostOne(reason, literals)


def write_all(
    constraints: Constraints,
    literal: Callable[[int, int], int],
    auxiliaries: Auxiliaries,
    size: int,
    claims: dict[int, Claim] | None = None,
) -> Iterator[tuple[Wider, Sequence[Clause], Sequence[Clause]]]:
    """Each wider constraint with its clauses, and with literals of which at most one holds.

    A clause without literals means that the constraint cannot be kept.
    """
    kit = Kit(literal, auxiliaries, size, differing(constraints), claims)
    for constraint in constraints.wider:
        write(constraint, kit)
        yield (constraint, *kit.take())


def claims_of(puzzle: Puzzle) -> dict[int, Claim]:
    """What the auxiliaries of a full formula say, by their numbers; those of machines say nothing.

    They are numbered as `wider_rules` numbers them, where at most one is said by pairs.
    """
    claims: dict[int, Claim] = {}
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    literal = _literals(puzzle, None)
    size = puzzle.geometry.size
    for _ in write_all(puzzle.constraints, literal, auxiliaries, size, claims):
        pass
    return claims


def _literals(puzzle: Puzzle, candidates: Mapping[int, int] | None) -> Callable[[int, int], int]:
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    if candidates is None:
        return lambda cell, digit: variable(geometry, cell, digit)

    def literal(cell: int, digit: int) -> int:
        if digits[cell]:
            return TRUE if digits[cell] == digit else -TRUE
        is_open = candidates[cell] >> digit & 1
        return variable(geometry, cell, digit) if is_open else -TRUE

    return literal


def _contradiction(puzzle: Puzzle, constraint: Wider) -> Iterator[Clause]:
    """Clauses that cannot hold together with the givens and a digit in each cell.

    Many readers of DIMACS refuse a clause without literals.
    """
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    cell = next((cell for cell in constraint.cells if not digits[cell]), None)
    if cell is not None:
        for digit in range(1, geometry.size + 1):
            yield (-variable(geometry, cell, digit),)
    else:
        yield tuple(-variable(geometry, each, digits[each]) for each in constraint.cells)
