"""The formula of a small classic board inside a solver with native at-most-one constraints.

Nearly every puzzle is one, and a solver needs less time for it than a loop that makes its formula.
So candidates are sifted, and groups are put together as bytes (`encoding/small/`). A program that
checks one ordinary 9x9 puzzle after the other is twice as fast by it; a command for one puzzle,
most of whose time goes into starting, is not. Nothing is kept from one puzzle to the next, so
answers depend on the puzzle only, and threads share nothing that changes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from satdoku.deducing.layout import ByteLayout, Sifted
from satdoku.deducing.sifter import Sifter
from satdoku.encoding.small.formula import FormulaBuilder
from satdoku.encoding.small.unit_tables import supports
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_Adder = Callable[[Sequence[int]], object]


class _Tools(NamedTuple):
    """What is worked out for a geometry and serves all its boards; nothing in it ever changes."""

    layout: ByteLayout
    sifter: Sifter
    formulas: FormulaBuilder


def sift(puzzle: Puzzle) -> Sifted | None:
    """What is left of a puzzle; None where it is not small and classic, or its givens clash.

    Givens that clash have no variables, so the small formula could not show that they do.
    """
    if not (puzzle.is_classic and supports(puzzle.geometry)):
        return None
    return _tools(puzzle.geometry).sifter.sift(bytes(puzzle.grid.digits))


class SiftedFormula:
    """The formula of a small classic puzzle in a solver; `sifted` is what `sift` says of it.

    Only candidates that sifting leaves open have variables. It stands in for the formulas of
    `loading.py`, as it is one of the kind `Loaded`.
    """

    def __init__(
        self, geometry: Geometry, sifted: Sifted, add_clause: _Adder, add_at_most_one: _Adder
    ) -> None:
        tools = _tools(geometry)
        self._layout = tools.layout
        self._known = sifted.known
        self._formula = tools.formulas.build(sifted)
        # An empty deque runs through these hundreds of calls faster than a loop of Python does.
        deque(map(add_clause, self._formula.clauses), maxlen=0)
        deque(map(add_at_most_one, self._formula.exclusive), maxlen=0)

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

    def _place_of(self, number: int) -> int:
        [place] = self._formula.true_places([number])
        return place


@cache
def _tools(geometry: Geometry) -> _Tools:
    layout = ByteLayout(geometry)
    return _Tools(layout, Sifter(layout), FormulaBuilder(layout))
