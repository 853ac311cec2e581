"""Which givens of a puzzle are redundant, each for itself."""

from collections.abc import Sequence

from satdoku.minimizing.deletion import Need, UniquenessTest
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.rule_solver import RuleSolver


def find_needs(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> dict[int, Need]:
    """For each given cell of a puzzle with one solution: can this given alone be deleted?

    Two givens may each be redundant and yet not both: deleting one can make the other needed.
    """
    literal_of = rules.literals(solution)
    literals = [literal_of[cell] for cell in cells]
    needs = {}
    # All cells are tested one by one, for which no grid has to be excluded.
    with UniquenessTest(rules, solution, other=0) as test:
        for place in reversed(range(len(cells))):
            rest = [*literals[place + 1 :], *literals[:place]]
            needs[cells[place]] = test(rest, [literals[place]])
    return {cell: needs[cell] for cell in cells}
