"""What a formula means, found with a SAT solver and nothing of `satdoku.solving`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pysat.solvers import Solver

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import encode
from satdoku.encoding.variables import blocking_clause, decode
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

Clause = tuple[int, ...]


def clauses_of_grid(
    grid: Grid, encoding: Encoding, at_most_one: Method = Method.PAIRWISE
) -> list[Clause]:
    groups = encode(Puzzle(grid), encoding, at_most_one)
    return [clause for group in groups for clause in group.clauses]


def models_of_grid(
    grid: Grid, encoding: Encoding, at_most_one: Method = Method.PAIRWISE
) -> Iterator[Grid]:
    """The grids of a formula's models, each once."""
    with Solver("glucose4", bootstrap_with=clauses_of_grid(grid, encoding, at_most_one)) as solver:
        while solver.solve():
            solution = decode(grid.geometry, solver.get_model())
            yield solution
            blocking = blocking_clause(solution, Puzzle(grid))
            if not blocking:
                return
            solver.add_clause(blocking)


def propagate(clauses: Sequence[Clause]) -> set[int] | None:
    """The literals that unit propagation derives; None is a contradiction."""
    clauses_with = defaultdict(list)
    for clause in clauses:
        for literal in clause:
            clauses_with[literal].append(clause)
    true: set[int] = set()
    waiting = [clause[0] for clause in clauses if len(clause) == 1]
    while waiting:
        literal = waiting.pop()
        if -literal in true:
            return None
        if literal not in true:
            true.add(literal)
            waiting += units_among(clauses_with[-literal], true)
    return true


def units_among(clauses: Iterable[Clause], true: set[int]) -> Iterator[int]:
    """What clauses with all literals but one false, or all of them, force."""
    for clause in clauses:
        if true.isdisjoint(clause):
            rest = [literal for literal in clause if -literal not in true]
            if len(rest) < 2:
                # Of a clause that is false any literal contradicts what is true.
                yield rest[0] if rest else clause[0]
