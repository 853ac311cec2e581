"""Which digits the givens leave open, as bit masks.

Bit d of a mask stands for digit d; bit 0 is never set.
"""

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.puzzle.grid import EMPTY, Grid


class Missing(NamedTuple):
    """The digits that no given puts into a row, column or box, by the number of the unit."""

    rows: list[int]
    columns: list[int]
    boxes: list[int]


def find_missing(grid: Grid) -> Missing:
    """The digits that each unit still lacks."""
    geometry = grid.geometry
    size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
    every = (2 << size) - 2
    rows, columns, boxes = [every] * size, [every] * size, [every] * size
    for row, digits in enumerate(grid.rows):
        band = row // box_rows * box_rows
        for column, digit in enumerate(digits):
            if digit != EMPTY:
                other = ~(1 << digit)
                rows[row] &= other
                columns[column] &= other
                boxes[band + column // box_columns] &= other
    return Missing(rows, columns, boxes)


def find_candidates(grid: Grid, missing: Missing) -> Iterator[tuple[int, int]]:
    """Every empty cell with the mask of the digits that its row, column and box all lack."""
    geometry = grid.geometry
    size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
    rows, columns, boxes = missing
    for row, digits in enumerate(grid.rows):
        band, first = row // box_rows * box_rows, row * size
        for column, digit in enumerate(digits):
            if digit == EMPTY:
                mask = rows[row] & columns[column] & boxes[band + column // box_columns]
                yield first + column, mask


def digits_of(mask: int) -> list[int]:
    """The digits whose bits are set, in order.

    >>> digits_of(0b1010)
    [1, 3]
    """
    digits = []
    while mask:
        lowest = mask & -mask
        digits.append(lowest.bit_length() - 1)
        mask ^= lowest
    return digits
