"""Small classic boards with their candidates sifted, and the formula of what is left in a solver.

Nearly every puzzle is small and classic, and a solver with native at-most-one constraints needs
less time for it than a loop that makes its formula. So its candidates are sifted, and groups are
put together as bytes (`encoding/small_formula.py`). A program that checks one ordinary 9x9 puzzle
after the other is twice as fast by it; a command for one puzzle, most of whose time goes into
starting, is not. Nothing is kept from one puzzle to the next, so answers depend on the puzzle only,
and threads share nothing that changes.
"""

from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from satdoku.deducing.sifter import ByteLayout, Sifted, Sifter
from satdoku.encoding.small_formula import FormulaBuilder, FormulaTuning, supports
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.loading import Receiver


class SmallBoards(NamedTuple):
    """What is worked out for a geometry and serves all its boards; nothing in it ever changes."""

    layout: ByteLayout
    sifter: Sifter
    formulas: FormulaBuilder


@cache
def small_boards(geometry: Geometry, tuning: FormulaTuning | None = None) -> SmallBoards:
    """What serves the boards of a geometry, of those that `supports` names."""
    layout = ByteLayout(geometry)
    return SmallBoards(layout, Sifter(layout), FormulaBuilder(layout, tuning))


def load_sifted(puzzle: Puzzle, receiver: Receiver) -> "SiftedFormula | None":
    """Gives a solver the formula of a classic puzzle; None where it is not small, or givens clash.

    Givens that clash have no variables, so the small formula could not show that they do.
    """
    if not supports(puzzle.geometry):
        return None
    sifted = small_boards(puzzle.geometry).sifter.sift(bytes(puzzle.grid.digits))
    return None if sifted is None else SiftedFormula(puzzle.geometry, sifted, receiver)


class SiftedFormula:
    """The formula of a small classic puzzle in a solver.

    Only candidates that sifting leaves open have variables. It stands in for the formulas of
    `formulas.py`, as it is one of the kind `Loaded`.
    """

    def __init__(self, geometry: Geometry, sifted: Sifted, receiver: Receiver) -> None:
        boards = small_boards(geometry)
        self._layout = boards.layout
        self._known = sifted.known
        self._formula = boards.formulas.build(sifted)
        # An empty deque runs through these hundreds of calls faster than a loop of Python does.
        deque(map(receiver.add_clause, self._formula.clauses), maxlen=0)
        deque(map(receiver.add_at_most_one, self._formula.exclusive), maxlen=0)

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        true = self._formula.numbers.intersection(model)
        digits = self._layout.fill(self._known, self._formula.true_places(true))
        return Grid(self._layout.geometry, tuple(digits)), list(true)

    def cell_of(self, literal: int) -> int:
        return self._layout.candidate_at[self._place_of(literal)][0]

    def literals_of(self, solution: Grid) -> list[int]:
        return [
            number
            for number in sorted({number for group in self._formula.clauses for number in group})
            for cell, digit in [self._layout.candidate_at[self._place_of(number)]]
            if solution.digits[cell] == digit
        ]

    def add_implied(self) -> None:
        """Nothing: rows, columns and boxes have been sifted."""

    def _place_of(self, number: int) -> int:
        [place] = self._formula.true_places([number])
        return place
