"""Which boolean variable stands for which digit in which cell.

Cell c (from 0, row by row) holding digit d (from 1) is variable c * N + d:

    4x4:  cell 0 -> 1..4    cell 1 -> 5..8    ...    cell 15 -> 61..64
    9x9:  cell 0 -> 1..9    cell 1 -> 10..18  ...    cell 80 -> 721..729

Auxiliary variables lie above N * N * N; `decode` ignores them on the way back from a model. What
they say is in `meanings.py`.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle

Clause = tuple[int, ...]
"""Literals, variables and negated ones, of which one holds."""

TRUE = 1 << 62
"""A literal that always holds, such as a given; its negation never does. No formula has it."""


class Placement(NamedTuple):
    """A digit in a cell: what a cell variable says when it is true."""

    cell: int
    digit: int


def variable(geometry: Geometry, cell: int, digit: int) -> int:
    """The variable that is true when `cell` holds `digit`.

    >>> variable(Geometry(2, 2), cell=15, digit=4)
    64
    """
    return cell * geometry.size + digit


def placement(geometry: Geometry, number: int) -> Placement:
    """The cell and digit that a cell variable stands for.

    >>> placement(Geometry(2, 2), 64)
    Placement(cell=15, digit=4)
    """
    cell, digit = divmod(number - 1, geometry.size)
    return Placement(cell, digit + 1)


def variable_count(geometry: Geometry) -> int:
    """How many cell variables there are: the highest of them."""
    return geometry.cell_count * geometry.size


def variable_name(geometry: Geometry, number: int) -> str:
    """A cell variable in words.

    >>> variable_name(Geometry(2, 2), 64)
    'r4c4=4'
    """
    cell, digit = placement(geometry, number)
    return f"{geometry.name_of(cell)}={digit}"


class Auxiliaries:
    """Hands out variables above those of the cells."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def take(self, count: int) -> range:
        """The next `count` variables that nobody uses yet."""
        first = self.highest + 1
        self.highest += count
        return range(first, first + count)


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


def blocking_clause(solution: Grid, puzzle: "Puzzle") -> tuple[int, ...]:
    """The clause that only `solution` violates: some open cell must differ.

    Where no cell is open, it speaks of all cells and contradicts the givens.
    """
    geometry = solution.geometry
    return tuple(
        -variable(geometry, cell, digit)
        for cell, digit in enumerate(solution.digits)
        if puzzle.grid.digits[cell] == EMPTY or puzzle.grid.is_full
    )
