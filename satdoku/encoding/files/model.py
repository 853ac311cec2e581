"""Checking a solver's answer against its formula, and naming the rule that it breaks."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from satdoku.encoding.encode import encode
from satdoku.encoding.files.answer import SolverAnswer
from satdoku.encoding.files.header import blocks_solution, read_encoding
from satdoku.encoding.files.opb import constraint_lines, native_constraints
from satdoku.encoding.files.read import Formula, Linear
from satdoku.encoding.files.write import WcnfReader
from satdoku.encoding.variables import Clause, decode, placement, variable_count, variable_name
from satdoku.errors import DimacsError, SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


def read_model(
    answer: SolverAnswer,
    cnf: Formula,
    puzzle: Puzzle,
    source: str,
    require_time: Callable[[], None] = lambda: None,
) -> Grid:
    """The grid of an answer that satisfies the formula and settles every cell.

    The formula is read once, clause by clause. Naming a broken rule may take long on large boards;
    `require_time` is called on the way and may raise what it likes.
    """
    highest = max(max(answer.true, default=0), -min(answer.false, default=0))
    if highest > cnf.variables:
        raise DimacsError(
            f"the answer has variable {highest}, but the formula only {cnf.variables}", source
        )
    geometry = puzzle.geometry
    # Before the formula: an answer that is cut off may violate clauses only for what it lacks.
    open_cell = _find_open_cell(answer, geometry)
    if open_cell is not None:
        ending = "" if answer.is_complete else "; it seems to be cut off"
        place = geometry.name_of(open_cell)
        raise DimacsError(f"the answer settles no digit for {place}{ending}", source)
    violated = find_violated(cnf, answer, geometry)
    if violated is not None:
        raise DimacsError(
            f"the answer violates {violated.place} of the formula, {violated.text} "
            f"({describe_clause(cnf, violated.clause, puzzle, require_time)})",
            source,
        )
    try:
        return decode(geometry, answer.true)
    except SolverError as error:
        raise DimacsError(str(error), source) from None


def find_dropped(
    answer: SolverAnswer, formula: WcnfReader, puzzle: Puzzle, grid: Grid, source: str
) -> dict[int, int]:
    """The givens that the grid of an answer does not keep; to be asked after `read_model`.

    A solver that says another cost than the soft clauses have is wrong about one of the two.
    """
    cost = formula.cost(set(answer.true))
    if answer.cost not in (None, cost):
        raise DimacsError(
            f"the solver says that its answer costs {answer.cost}, but it costs {cost}", source
        )
    return {cell: digit for cell, digit in puzzle.givens.items() if grid.digits[cell] != digit}


class Violated(NamedTuple):
    """A clause or a constraint that is false, and where it stands: `the clause on line 5`."""

    clause: Clause | Linear
    place: str

    @property
    def text(self) -> str:
        """As it stands in the file."""
        if isinstance(self.clause, Linear):
            return str(self.clause)
        return f"{' '.join(map(str, self.clause))} 0"


def find_violated(cnf: Formula, answer: SolverAnswer, geometry: Geometry) -> Violated | None:
    """The first clause all of whose literals are false, or the first constraint that is broken.

    A variable of a cell is false when it is not said to be true; an auxiliary only when said so.
    """
    true = set(answer.true)
    cells = variable_count(geometry)
    false_auxiliaries = {-literal for literal in answer.false if -literal > cells}

    def is_false(literal: int) -> bool:
        if literal < 0:
            return -literal in true
        return literal in false_auxiliaries or (literal <= cells and literal not in true)

    for clause, line in cnf.numbered_clauses():
        if isinstance(clause, Linear):
            if clause.is_broken(is_false):
                return Violated(clause, f"the constraint on line {line}")
        elif all(map(is_false, clause)):
            return Violated(clause, f"the clause on line {line}")
    return None


def describe_clause(
    cnf: Formula,
    clause: Clause | Linear,
    puzzle: Puzzle,
    require_time: Callable[[], None] = lambda: None,
) -> str:
    """The rule that a clause or a constraint states, in words."""
    if isinstance(clause, Linear):
        return _describe_linear(cnf, clause, puzzle, require_time)
    how = read_encoding(cnf)
    wanted = set(clause)
    if how is not None:
        # The formula is made again, as only --annotate writes the reasons beside its clauses.
        for group in encode(puzzle, *how):
            require_time()
            if any(wanted == set(candidate) for candidate in group.clauses):
                return str(group.reason)
    # No rule says it. The clause that blocks a solution denies its digits; in a formula that blocks
    # none, such a clause is somebody else's.
    if blocks_solution(cnf) and all(literal < 0 for literal in clause):
        return "the blocked solution"
    return _spell_out(clause, puzzle.geometry)


def _describe_linear(
    formula: Formula, constraint: Linear, puzzle: Puzzle, require_time: Callable[[], None]
) -> str:
    text = str(constraint)
    for native in native_constraints(puzzle):
        require_time()
        if text in constraint_lines(native):
            return str(native.reason)
    return "the blocked solution" if blocks_solution(formula) else "no rule of this puzzle"


def _find_open_cell(answer: SolverAnswer, geometry: Geometry) -> int | None:
    """The first cell in which no digit is true."""
    highest = variable_count(geometry)
    settled = {placement(geometry, number).cell for number in answer.true if number <= highest}
    return next((cell for cell in range(geometry.cell_count) if cell not in settled), None)


def _spell_out(clause: Sequence[int], geometry: Geometry) -> str:
    names = []
    for literal in clause:
        number = abs(literal)
        is_cell = number <= variable_count(geometry)
        name = variable_name(geometry, number) if is_cell else f"variable {number}"
        names.append(name if literal > 0 else f"not {name}")
    return " or ".join(names)
