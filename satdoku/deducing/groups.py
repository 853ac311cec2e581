"""The candidates of a board, numbered from 0, and which of them belong together.

Candidate n is digit n % N + 1 in cell n // N. A *group* is candidates of which at most one is true
in a solution: those of a cell, or those of a digit in a unit.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from satdoku.puzzle.constraints import every_digit
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle

Group = tuple[int, ...]

Position = tuple[int, ...]
"""The open candidates of a puzzle, in order."""


class CandidateGroups:
    """The candidates of boards with the rules of one puzzle; its givens do not count."""

    def __init__(self, board: Puzzle) -> None:
        self._geometry = board.geometry
        self.size = board.geometry.size
        self.count = board.geometry.cell_count * self.size
        self._constraints = board.constraints
        self.cells: list[Group] = [
            tuple(range(first, first + self.size)) for first in range(0, self.count, self.size)
        ]
        self.hidden: list[Group] = []
        """Digits in units that hold every digit: each stands in one of these cells."""
        self._others: list[Group] = []
        self.crowding: list[tuple[Sequence[int], int]] = []
        """The cells of each unit, and how many of them have to be open for it to crowd out more
        than pairs do, which are refuted in one step: two sets of three where it holds every digit,
        as what is a set of cells there is one of digits from the other side; else one of three.
        """
        for unit in self._constraints.units:
            has_every = self._constraints.has_every_digit(unit)
            self.crowding.append((unit.cells, 6 if has_every else 4))
            for index in range(self.size):
                group = tuple(cell * self.size + index for cell in unit.cells)
                (self.hidden if has_every else self._others).append(group)

    @cached_property
    def full_groups(self) -> list[Group]:
        """The groups of which exactly one candidate is true."""
        return self.cells + self.hidden

    @cached_property
    def all_groups(self) -> list[Group]:
        """The groups of which at most one candidate is true, pairs of candidates among them."""
        return self.full_groups + self._others + list(self._pairs())

    def open_in(self, grid: Grid) -> list[int]:
        """The candidates that are open before anything is removed.

        In a cell with a given that is the given alone, in others every digit that rules allow.
        """
        size = self.size
        return [
            cell * size + index
            for cell, (digit, allowed) in enumerate(zip(grid.digits, self._allowed, strict=True))
            for index in (range(size) if digit == EMPTY else (digit - 1,))
            if allowed >> (index + 1) & 1
        ]

    def read_grid(self, position: Sequence[int]) -> Grid:
        """The grid of candidates, the last of each cell; cells without one are empty."""
        digits = [EMPTY] * (self.count // self.size)
        for candidate in position:
            digits[candidate // self.size] = candidate % self.size + 1
        return Grid(self._geometry, tuple(digits))

    @cached_property
    def _allowed(self) -> list[int]:
        """For each cell a mask of the digits that rules allow."""
        masks = [every_digit(self.size)] * (self.count // self.size)
        for allowed in self._constraints.allowed:
            masks[allowed.cell] &= allowed.digits
        return masks

    def _pairs(self) -> Iterator[Group]:
        """Two candidates in different cells that a rule forbids to be true together."""
        for pair in self._constraints.pairs:
            for digit, other in pair.digit_pairs():
                yield (pair.first * self.size + digit - 1, pair.second * self.size + other - 1)
