"""What the givens leave open, numbered densely.

A large board with a third of its cells empty has tens of thousands of open candidates among
millions of variables. Here only the open ones get numbers, 1..n in the order of their cells;
`variables` leads back to the numbering of `variables.py`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.encoding.variables import Placement, placement
from satdoku.puzzle.candidates import digits_of, find_candidates
from satdoku.puzzle.grid import Grid


class OpenGroup(NamedTuple):
    """Open candidates of which exactly one holds: those of a cell, or of a digit in a unit."""

    kind: str
    number: int
    digit: int
    members: list[int]


class OpenBoard:
    """The open candidates of a grid and the groups of which exactly one member holds."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        size = grid.geometry.size
        self.candidates = find_candidates(grid)
        self.variables: list[int] = []
        for cell, mask in self.candidates.items():
            first = cell * size
            self.variables += [first + digit for digit in digits_of(mask)]

    def placement(self, number: int) -> Placement:
        """The cell and digit of an open candidate."""
        return placement(self.grid.geometry, self.variables[number - 1])

    def groups(self) -> Iterator[OpenGroup]:
        """For every empty cell its candidates, for every missing digit of a unit its places."""
        geometry = self.grid.geometry
        size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
        places: dict[str, list[list[int]]] = {
            kind: [[] for _ in range(size * size)] for kind in ("row", "column", "box")
        }
        in_rows, in_columns, in_boxes = places.values()
        number = 0
        for cell, mask in self.candidates.items():
            row, column = divmod(cell, size)
            box = row // box_rows * box_rows + column // box_columns
            first = number + 1
            for digit in digits_of(mask):
                number += 1
                in_rows[row * size + digit - 1].append(number)
                in_columns[column * size + digit - 1].append(number)
                in_boxes[box * size + digit - 1].append(number)
            yield OpenGroup("cell", cell, 0, list(range(first, number + 1)))
        given = self._given_digits()
        for kind, lists in places.items():
            for index, members in enumerate(lists):
                if members or index not in given[kind]:
                    yield OpenGroup(kind, index // size, index % size + 1, members)

    def _given_digits(self) -> dict[str, set[int]]:
        """The (unit, digit) pairs that the givens fill, as unit * size + digit - 1."""
        geometry = self.grid.geometry
        filled: dict[str, set[int]] = {"row": set(), "column": set(), "box": set()}
        for cell, digit in self.grid.givens.items():
            filled["row"].add(geometry.row_of(cell) * geometry.size + digit - 1)
            filled["column"].add(geometry.column_of(cell) * geometry.size + digit - 1)
            filled["box"].add(geometry.box_of(cell) * geometry.size + digit - 1)
        return filled
