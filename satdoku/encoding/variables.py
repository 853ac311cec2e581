"""The numbering of boolean variables: which variable is which digit in which cell.

Cell c (from 0, row by row) holding digit d (from 1) is variable c * N + d:

    4x4:  cell 0 -> 1..4    cell 1 -> 5..8    ...    cell 15 -> 61..64
    9x9:  cell 0 -> 1..9    cell 1 -> 10..18  ...    cell 80 -> 721..729

Auxiliary variables are above N * N * N; `decode` ignores them in a model. `meanings.py` tells what
they mean.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle

Clause = tuple[int, ...]
"""Literals (variables and negated variables) of which at least one is true."""

TRUE = 1 << 62
"""A literal that is always true, such as a given; its negation never is. Not used in formulas."""


class Placement(NamedTuple):
    """A digit in a cell: the meaning of a cell variable that is true."""

    cell: int
    digit: int


def variable(geometry: Geometry, cell: int, digit: int) -> int:
    """Return the variable that is true if `cell` holds `digit`.

    >>> variable(Geometry(2, 2), cell=15, digit=4)
    64
    """
    return cell * geometry.size + digit


def placement(geometry: Geometry, number: int) -> Placement:
    """Return the cell and digit of a cell variable.

    >>> placement(Geometry(2, 2), 64)
    Placement(cell=15, digit=4)
    """
    cell, digit = divmod(number - 1, geometry.size)
    return Placement(cell, digit + 1)


def variable_count(geometry: Geometry) -> int:
    """Return the number of cell variables, which is also the highest of them."""
    return geometry.cell_count * geometry.size


def variable_name(geometry: Geometry, number: int) -> str:
    """Return a cell variable as text.

    >>> variable_name(Geometry(2, 2), 64)
    'r4c4=4'
    """
    cell, digit = placement(geometry, number)
    return f"{geometry.name_of(cell)}={digit}"


class Auxiliaries:
    """Allocates auxiliary variables, above those of the cells."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def take(self, count: int) -> range:
        """Allocate the next `count` unused variables."""
        first = self.highest + 1
        self.highest += count
        return range(first, first + count)


def decode(geometry: Geometry, model: Iterable[int]) -> Grid:
    """Return the grid of a model's true cell variables; auxiliaries are ignored.

    A cell without a true variable stays empty; two digits in one cell are an error.
    """
    digits = [EMPTY] * geometry.cell_count
    highest = variable_count(geometry)
    for literal in model:
        # Negative literals are false variables, higher ones are auxiliaries.
        if 0 < literal <= highest:
            cell, digit = placement(geometry, literal)
            if digits[cell] not in (EMPTY, digit):
                raise SolverError(
                    f"the model has both {digits[cell]} and {digit} in {geometry.name_of(cell)}"
                )
            digits[cell] = digit
    return Grid(geometry, tuple(digits))


def blocking_clause(solution: Grid, puzzle: "Puzzle") -> tuple[int, ...]:
    """Return the clause that only `solution` violates: some open cell must differ.

    If no cell is open, the clause covers all cells and contradicts the givens.
    """
    geometry = solution.geometry
    return tuple(
        -variable(geometry, cell, digit)
        for cell, digit in enumerate(solution.digits)
        if puzzle.grid.digits[cell] == EMPTY or puzzle.grid.is_full
    )
