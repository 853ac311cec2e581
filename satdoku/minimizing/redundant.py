"""Which givens of a puzzle are redundant, each for itself."""

from collections.abc import Sequence

from satdoku.minimizing.deletion import Need, uniqueness_test
from satdoku.minimizing.rule_solver import RuleSolver
from satdoku.puzzle.grid import Grid


def find_needs(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> dict[int, Need]:
    """For each given cell of a puzzle with one solution: can this given alone be deleted?

    Two givens may each be redundant and yet not both: deleting one can make the other needed.
    """
    literal_of = rules.literals(solution)
    # All cells are tested one by one, for which no grid has to be excluded.
    test = uniqueness_test(rules, other=0)
    literals = [literal_of[cell] for cell in cells]
    return {
        cell: test([*literals[:place], *literals[place + 1 :]], [literals[place]])
        for place, cell in enumerate(cells)
    }
