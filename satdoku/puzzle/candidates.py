"""Which digits the givens leave open, as bit masks.

Bit d of a mask stands for digit d; bit 0 is never set.
"""

from collections.abc import Iterator

from satdoku.puzzle.grid import EMPTY, Grid


def find_candidates(grid: Grid) -> dict[int, int]:
    """The digits that no given peer excludes, for every empty cell."""
    geometry = grid.geometry
    size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
    rows, columns, boxes = [0] * size, [0] * size, [0] * size
    empty = []
    for row, digits in enumerate(grid.rows):
        band = row // box_rows * box_rows
        for column, digit in enumerate(digits):
            box = band + column // box_columns
            if digit == EMPTY:
                empty.append((row * size + column, row, column, box))
            else:
                bit = 1 << digit
                rows[row] |= bit
                columns[column] |= bit
                boxes[box] |= bit
    every = (2 << size) - 2
    return {
        cell: every & ~(rows[row] | columns[column] | boxes[box])
        for cell, row, column, box in empty
    }


def digits_of(mask: int) -> Iterator[int]:
    """The digits whose bits are set, in order.

    >>> list(digits_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
