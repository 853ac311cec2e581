"""Wider constraints in formulas whose candidates all have their number, and what they say there."""

from collections.abc import Callable, Iterator, Mapping

from satdoku.encoding.constraint import AtMostOne, Clauses, Reason, Why
from satdoku.encoding.meanings import Meaning, Notes
from satdoku.encoding.variables import TRUE, Auxiliaries, Clause, variable, variable_count
from satdoku.encoding.wider.write import kit_for, write_all
from satdoku.puzzle.constraints import Either, Machine, Wider
from satdoku.puzzle.puzzle import Puzzle


def wider_rules(
    puzzle: Puzzle, auxiliaries: Auxiliaries, candidates: Mapping[int, int] | None = None
) -> Iterator[Clauses | AtMostOne]:
    """All wider constraints; `candidates` has the digits of empty cells, if givens are settled."""
    geometry = puzzle.geometry
    literal = _literals(puzzle, candidates)
    kit = kit_for(puzzle.constraints, literal, auxiliaries, geometry.size, Notes())
    for constraint, clauses, exclusive in write_all(puzzle.constraints, kit):
        reason = Reason(Why.WIDER, geometry, text=constraint.sentence)
        kept = tuple(filter(None, clauses))
        if len(kept) < len(clauses):
            kept += tuple(_contradiction(puzzle, constraint))
        yield Clauses(reason, kept)
        for literals in exclusive:
            yield AtMostOne(reason, literals)


def meanings_of(puzzle: Puzzle) -> dict[int, Meaning]:
    """What the auxiliaries of a full formula say, by their numbers.

    They are numbered as `wider_rules` numbers them, where at most one is said by pairs.
    """
    if not puzzle.constraints.wider:
        return {}
    notes = Notes(_numbers_of(puzzle))
    auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
    literal, size = _literals(puzzle, None), puzzle.geometry.size
    kit = kit_for(puzzle.constraints, literal, auxiliaries, size, notes)
    for _ in write_all(puzzle.constraints, kit):
        pass
    return notes.meanings


def _numbers_of(puzzle: Puzzle) -> dict[Wider, int]:
    """What meanings call machines and choices: by their place among those of all rules."""
    numbers: dict[Wider, int] = {}
    machines: list[Machine] = []
    for place, rule in enumerate(puzzle.rules):
        for each in rule.constraints(puzzle.geometry):
            if isinstance(each, Either):
                numbers.setdefault(each, place)
                inner = (c for choice in each.choices for c in choice)
                machines += (c for c in inner if isinstance(c, Machine))
            elif isinstance(each, Machine):
                machines.append(each)
    for number, machine in enumerate(machines):
        numbers.setdefault(machine, number)
    return numbers


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
