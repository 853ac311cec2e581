"""In which cells other grids differ from a full one, as far as that is known.

A difference is a set of cells whose digits in the full grid can be exchanged for others, all other
cells staying as they are. A puzzle whose givens are digits of the grid has no other solution
exactly when it has a given in each difference. So a known difference without any refutes a puzzle
without a solver.

There are far too many of them to know all. Those that matter are found on the way: each puzzle that
turns out to have another solution shows one.
"""

from collections.abc import Iterable


class Differences:
    """The known differences of a full grid.

    A set of them is an integer with a bit for each; so what a given rules out is one operation on
    integers for all differences together.
    """

    def __init__(self, cell_count: int) -> None:
        self._cells: list[tuple[int, ...]] = []
        # For each cell, the differences that a given in it meets.
        self.met_by = [0] * cell_count

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, cells: Iterable[int]) -> None:
        """Notes a difference."""
        self._cells.append(tuple(cells))
        bit = 1 << (len(self._cells) - 1)
        for cell in self._cells[-1]:
            self.met_by[cell] |= bit

    def unmet(self, givens: Iterable[int]) -> int:
        """The differences in which none of these cells lies."""
        met = 0
        for cell in givens:
            met |= self.met_by[cell]
        return ((1 << len(self._cells)) - 1) & ~met

    def first(self, differences: int) -> tuple[int, ...]:
        """The cells of the one of these that has been known for longest."""
        return self._cells[(differences & -differences).bit_length() - 1]

    def meeting_all(self, differences: int) -> list[int]:
        """The cells that lie in each of these; there must be one at least."""
        return [cell for cell in self.first(differences) if not differences & ~self.met_by[cell]]
