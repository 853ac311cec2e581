"""What the givens leave open, numbered densely.

A large board with a third of its cells empty has tens of thousands of open candidates among
millions of variables. Here only the open ones get numbers, 1..n in the order of their cells;
`variable` leads back to the numbering of `variables.py`.
"""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.puzzle.candidates import digits_of, find_candidates, find_missing
from satdoku.puzzle.grid import Grid


class OpenGroup(NamedTuple):
    """Open candidates of which exactly one holds: those of a cell, or of a digit in a unit.

    No member at all means that the puzzle has no solution.
    """

    kind: str
    number: int
    digit: int
    members: Sequence[int]


class OpenBoard:
    """The open candidates of a grid; they get their numbers while `groups` is read."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.missing = find_missing(grid)
        self._cells: list[int] = []
        self._digits: list[int] = []

    def __len__(self) -> int:
        """How many candidates are numbered."""
        return len(self._cells)

    def count_candidates(self) -> int:
        """How many candidates there are, without numbering them."""
        return sum(mask.bit_count() for _, mask in find_candidates(self.grid, self.missing))

    def placement(self, number: int) -> Placement:
        """The cell and digit of an open candidate."""
        return Placement(self._cells[number - 1], self._digits[number - 1])

    def variable(self, number: int) -> int:
        """The candidate's number among all candidates of the board."""
        return self._cells[number - 1] * self.grid.geometry.size + self._digits[number - 1]

    def groups(self) -> Iterator[OpenGroup]:
        """For every empty cell its candidates; for every missing digit of a unit its places."""
        geometry = self.grid.geometry
        size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
        # Lists for all missing digits from the start: one without a place must not get lost.
        in_rows, in_columns, in_boxes = (
            [{digit: list[int]() for digit in digits_of(mask)} for mask in masks]
            for masks in self.missing
        )
        first = len(self._cells) + 1
        for cell, mask in find_candidates(self.grid, self.missing):
            row, column = divmod(cell, size)
            in_row, in_column = in_rows[row], in_columns[column]
            in_box = in_boxes[row // box_rows * box_rows + column // box_columns]
            digits = digits_of(mask)
            for number, digit in enumerate(digits, first):
                in_row[digit].append(number)
                in_column[digit].append(number)
                in_box[digit].append(number)
            self._digits += digits
            self._cells += repeat(cell, len(digits))
            yield OpenGroup("cell", cell, 0, range(first, first + len(digits)))
            first += len(digits)
        for kind, units in (("row", in_rows), ("column", in_columns), ("box", in_boxes)):
            for number, places in enumerate(units):
                for digit, members in places.items():
                    yield OpenGroup(kind, number, digit, members)
