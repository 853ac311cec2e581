"""Masks: which cells of a puzzle are to be given.

A mask is written with one character a cell: a dot, a zero, an underscore, a hyphen or an asterisk
stands for an empty cell, any other character for a given one. Spaces, line breaks and slashes
between rows are passed over.
"""

from collections.abc import Iterable

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit

_EMPTY = frozenset(".0_-*")

FEWEST_GIVENS = {9: 17, 4: 4}
"""The fewest givens of any classic puzzle with one solution, by the size of the board.

That 16 are not enough on 9x9 was shown by McGuire, Tugemann and Civario in 2012; on 4x4 a person
can try. What is published of other sizes was not checked here, so they are left out.
"""


def fewest_givens(geometry: Geometry) -> int:
    """A number of givens that no classic puzzle with one solution goes below.

    Two digits that are nowhere given could change places, so at most one is.
    """
    return FEWEST_GIVENS.get(geometry.size, geometry.size - 1)


def read_mask(text: str, geometry: Geometry) -> tuple[int, ...]:
    """The given cells of a mask.

    >>> read_mask("#... .#.. ..#. ...#", Geometry(2, 2))
    (0, 5, 10, 15)
    """
    symbols = "".join(text.replace("/", " ").split())
    if len(symbols) != geometry.cell_count:
        size = geometry.size
        raise SatdokuError(
            f"a mask for {size}x{size} has {geometry.cell_count} cells, not {len(symbols)}"
        )
    return tuple(cell for cell, symbol in enumerate(symbols) if symbol not in _EMPTY)


def find_reason_against(geometry: Geometry, cells: Iterable[int]) -> str:
    """Why no classic puzzle has its givens in these cells; empty where none of our reasons holds.

    A mask that passes may still be impossible.
    """
    given = frozenset(cells)
    fewest = fewest_givens(geometry)
    if len(given) < fewest:
        return f"{len(given)} givens are too few for one solution; at least {fewest} are needed"
    return _find_twin_lines(given, geometry.rows, geometry.box_rows) or _find_twin_lines(
        given, geometry.columns, geometry.box_columns
    )


def _find_twin_lines(given: frozenset[int], lines: tuple[Unit, ...], height: int) -> str:
    """Two empty lines in one band can change places, which makes a second solution."""
    for start in range(0, len(lines), height):
        empty = [line for line in lines[start : start + height] if given.isdisjoint(line.cells)]
        # One empty line is filled by what the others leave; two could do so in either order.
        if len(empty) > 1:
            return (
                f"{empty[0]} and {empty[1]} are both empty; "
                "they could change places, so there would be a second solution"
            )
    return ""
