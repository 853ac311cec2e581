"""A Sudoku as it was set: the givens, and what its author wrote beside them."""

from dataclasses import dataclass

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid


@dataclass(frozen=True)
class Puzzle:
    """The givens of a Sudoku, with its name and comment where the source had them.

    The rules are those of classic Sudoku; variant rules will become a further field here, their
    meaning will go to `judge.py` and their clauses to `encoding/rules.py`.
    """

    grid: Grid
    name: str = ""
    comment: str = ""

    @property
    def geometry(self) -> Geometry:
        return self.grid.geometry

    @property
    def is_classic(self) -> bool:
        """Whether its only rules are those of classic Sudoku: rows, columns and boxes."""
        return True

    @property
    def givens(self) -> dict[int, int]:
        """The digit of every given cell."""
        return self.grid.givens
