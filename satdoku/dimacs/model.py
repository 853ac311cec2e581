"""Checking a solver's answer against its formula, and naming the rule that it breaks."""

from collections.abc import Sequence

from satdoku.dimacs.answer import SolverAnswer
from satdoku.dimacs.header import read_encoding
from satdoku.dimacs.read import Cnf
from satdoku.encoding.constraint import Clause
from satdoku.encoding.decode import decode
from satdoku.encoding.encode import encode
from satdoku.encoding.variables import placement, variable_count, variable_name
from satdoku.errors import DimacsError, SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


def read_model(answer: SolverAnswer, cnf: Cnf, puzzle: Puzzle, source: str) -> Grid:
    """The grid of an answer that satisfies the formula and settles every cell."""
    highest = max(map(abs, answer.literals), default=0)
    if highest > cnf.variables:
        raise DimacsError(
            f"the answer has variable {highest}, but the formula only {cnf.variables}", source
        )
    geometry = puzzle.geometry
    open_cell = _find_open_cell(answer, geometry)
    if open_cell is not None:
        ending = "" if answer.is_complete else "; it seems to be cut off"
        place = geometry.name_of(open_cell)
        raise DimacsError(f"the answer settles no digit for {place}{ending}", source)
    violated = find_violated(cnf, _complete(answer, geometry))
    if violated is not None:
        clause = cnf.clauses[violated]
        number = f"clause {violated + 1}"
        place = f"the clause on line {cnf.lines[violated]}" if cnf.lines else number
        raise DimacsError(
            f"the answer violates {place} of the formula, "
            f"{' '.join(map(str, clause))} 0 ({describe_clause(cnf, clause, puzzle)})",
            source,
        )
    try:
        return decode(geometry, answer.literals)
    except SolverError as error:
        raise DimacsError(str(error), source) from None


def find_violated(cnf: Cnf, literals: set[int]) -> int | None:
    """The first clause all of whose literals are false."""
    for index, clause in enumerate(cnf.clauses):
        if literals.isdisjoint(clause) and all(-literal in literals for literal in clause):
            return index
    return None


def describe_clause(cnf: Cnf, clause: Clause, puzzle: Puzzle) -> str:
    """The rule that a clause states, in words."""
    how = read_encoding(cnf)
    wanted = set(clause)
    if how is not None:
        for group in encode(puzzle, *how):
            if any(wanted == set(candidate) for candidate in group.clauses):
                return str(group.reason)
    if all(literal < 0 for literal in clause) and len(clause) > 2:
        return "the blocked solution"
    return _spell_out(clause, puzzle.geometry)


def _find_open_cell(answer: SolverAnswer, geometry: Geometry) -> int | None:
    """The first cell in which no digit is true."""
    highest = variable_count(geometry)
    settled = {placement(geometry, n).cell for n in answer.literals if 0 < n <= highest}
    return next((cell for cell in range(geometry.cell_count) if cell not in settled), None)


def _complete(answer: SolverAnswer, geometry: Geometry) -> set[int]:
    """The literals, and the negations of all cell variables that are not among them."""
    literals = set(answer.literals)
    cells = range(1, variable_count(geometry) + 1)
    return literals | {-number for number in cells if number not in literals}


def _spell_out(clause: Sequence[int], geometry: Geometry) -> str:
    names = []
    for literal in clause:
        number = abs(literal)
        is_cell = number <= variable_count(geometry)
        name = variable_name(geometry, number) if is_cell else f"variable {number}"
        names.append(name if literal > 0 else f"not {name}")
    return " or ".join(names)
