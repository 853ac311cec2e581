"""One right grid of any shape, known without search."""

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid


def pattern_digit(geometry: Geometry, cell: int) -> int:
    """The digit of a cell in the pattern: each row is the one above, moved on by a box.

    Every band starts one further, so that columns are right too.
    """
    row, column = divmod(cell, geometry.size)
    shift = row % geometry.box_rows * geometry.box_columns + row // geometry.box_rows
    return (column + shift) % geometry.size + 1


def pattern_grid(geometry: Geometry) -> Grid:
    """The pattern as a full grid.

    >>> pattern_grid(Geometry(2, 2)).rows
    [(1, 2, 3, 4), (3, 4, 1, 2), (2, 3, 4, 1), (4, 1, 2, 3)]
    """
    cells = range(geometry.cell_count)
    return Grid(geometry, tuple(pattern_digit(geometry, cell) for cell in cells))
