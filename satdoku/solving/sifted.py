"""Sift the candidates of small classic boards, and load the formula of the remaining candidates.

Nearly every puzzle is small and classic, and a solver with native at-most-one constraints solves it
in less time than a Python loop takes to make its formula. So its candidates are sifted, and groups
are built as bytes (`encoding/small_formula.py`). This doubles the speed of a program that checks
many ordinary 9x9 puzzles, but not of a command for one puzzle, most of whose time is start-up. No
state is kept between puzzles, so answers depend on the puzzle only, and threads share no mutable
state.
"""

from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from satdoku.deducing.sifter import ByteLayout, Sifted, Sifter
from satdoku.encoding.small_formula import FormulaBuilder, FormulaTuning, supports
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.session import Receiver


class SmallBoards(NamedTuple):
    """The immutable tables of a geometry, shared by all its boards."""

    layout: ByteLayout
    sifter: Sifter
    formulas: FormulaBuilder


@cache
def small_boards(geometry: Geometry, tuning: FormulaTuning | None = None) -> SmallBoards:
    """Return the tables of a geometry that `supports` accepts; they are cached."""
    layout = ByteLayout(geometry)
    return SmallBoards(layout, Sifter(layout), FormulaBuilder(layout, tuning))


def load_sifted(puzzle: Puzzle, receiver: Receiver) -> "SiftedFormula | None":
    """Load the formula of a small classic puzzle; None for other puzzles, or if givens clash.

    Givens have no variables, so the small formula could not show that they clash.
    """
    if not supports(puzzle.geometry):
        return None
    sifted = small_boards(puzzle.geometry).sifter.sift(bytes(puzzle.grid.digits))
    return None if sifted is None else SiftedFormula(puzzle.geometry, sifted, receiver)


class SiftedFormula:
    """The formula of a small classic puzzle in a solver.

    Only candidates that sifting leaves open have variables. Implements `Loaded`, like the formulas
    of `formulas.py`.
    """

    def __init__(self, geometry: Geometry, sifted: Sifted, receiver: Receiver) -> None:
        boards = small_boards(geometry)
        self._layout = boards.layout
        self._known = sifted.known
        self._formula = boards.formulas.build(sifted)
        # A deque consumes the iterator faster than a Python loop does; there are hundreds of calls.
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
        """No-op: rows, columns and boxes have been sifted."""

    def _place_of(self, number: int) -> int:
        [place] = self._formula.true_places([number])
        return place
