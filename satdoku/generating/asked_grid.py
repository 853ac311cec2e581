"""Random full grids of boards with any rules, by asking a solver cell after cell.

The cells come in a random order; each gets the first digit, in a random order of digits, with
which the board can still be filled. Only yes and no are used, so the grid does not depend on the
solver. It is random, but not all grids are equally likely.
"""

from satdoku.encoding.decode import decode
from satdoku.encoding.files.status import Status
from satdoku.encoding.variables import variable
from satdoku.errors import SatdokuError
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.solving.assumptions.rule_solver import RuleSolver


def asked_grid(rules: RuleSolver, chance: Chance) -> Grid:
    """A random full grid that keeps the rules."""
    geometry = rules.geometry
    if rules.decide([], is_patient=True) is Status.UNSATISFIABLE:
        raise SatdokuError("no grid keeps these rules")
    digits = range(1, geometry.size + 1)
    chosen: list[int] = []
    for cell in chance.shuffled(range(geometry.cell_count)):
        *others, last = chance.shuffled(digits)
        for digit in others:
            literal = variable(geometry, cell, digit)
            if rules.decide([*chosen, literal], is_patient=True) is Status.SATISFIABLE:
                break
        else:
            # All other digits were refused, so this one is right without a question.
            literal = variable(geometry, cell, last)
        chosen.append(literal)
    return decode(geometry, chosen)
