"""From a model back to a grid."""

from collections.abc import Iterable

from satdoku.encoding.variables import placement, variable, variable_count
from satdoku.errors import SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle


def decode(geometry: Geometry, model: Iterable[int]) -> Grid:
    """The grid that a model's true cell variables describe; auxiliaries are ignored.

    A cell that the model leaves open stays empty; two digits in one are an error.
    """
    digits = [EMPTY] * geometry.cell_count
    highest = variable_count(geometry)
    for literal in model:
        # Negative literals say what does not hold, higher ones are auxiliaries.
        if 0 < literal <= highest:
            cell, digit = placement(geometry, literal)
            if digits[cell] not in (EMPTY, digit):
                raise SolverError(
                    f"the model has both {digits[cell]} and {digit} in {geometry.name_of(cell)}"
                )
            digits[cell] = digit
    return Grid(geometry, tuple(digits))


def blocking_clause(solution: Grid, puzzle: Puzzle) -> tuple[int, ...]:
    """The clause that only `solution` violates: some open cell must differ.

    Where no cell is open, it speaks of all cells and contradicts the givens.
    """
    geometry = solution.geometry
    return tuple(
        -variable(geometry, cell, digit)
        for cell, digit in enumerate(solution.digits)
        if puzzle.grid.digits[cell] == EMPTY or puzzle.grid.is_full
    )
