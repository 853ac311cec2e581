"""A puzzle's formula inside a solver, in one of two numberings, and models read back from it.

Nearly every puzzle is small and classic, and a solver with native at-most-one constraints needs
less time for it than a loop that makes its formula. So its candidates are sifted, and groups are
put together as bytes (`encoding/small_formula.py`). A program that checks one ordinary 9x9 puzzle
after the other is twice as fast by it; a command for one puzzle, most of whose time goes into
starting, is not. Nothing is kept from one puzzle to the next, so answers depend on the puzzle only,
and threads share nothing that changes. All other formulas are made in `formulas.py`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.deducing.layout import ByteLayout, Sifted
    from satdoku.deducing.sifter import Sifter
    from satdoku.encoding.small_formula import FormulaBuilder


class Receiver(Protocol):
    """Where a formula goes: a python-sat session or an external solver's file."""

    @property
    def add_clause(self) -> Callable[[Sequence[int]], object]: ...

    @property
    def add_at_most_one(self) -> Callable[[Sequence[int]], object]: ...

    def suggest(self, literals: Sequence[int]) -> None: ...


class Loaded(Protocol):
    """A formula that a solver has, and what its variables mean."""

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        """The grid of a model, and the open cells' literals that make it this grid."""
        ...

    def cell_of(self, literal: int) -> int:
        """The cell that a literal puts a digit into."""
        ...

    def literals_of(self, solution: Grid) -> list[int]:
        """The open cells' literals that make a known solution."""
        ...


def load(
    puzzle: Puzzle,
    settings: Settings,
    receiver: Receiver,
    budget: Budget,
    candidates: Mapping[int, int] | None = None,
) -> Loaded:
    """Gives a solver the formula of a puzzle.

    `candidates` are masks of the digits left to each empty cell, where more is known of them than
    the givens say; the encoding `reduced` uses it.
    """
    is_open = settings.encoding is Encoding.REDUCED and not settings.command
    is_small = is_open and settings.is_native and candidates is None
    sifted = sift(puzzle) if is_small else None
    formula: Loaded
    if sifted is not None:
        budget.require()
        send = receiver.add_clause, receiver.add_at_most_one
        formula = SiftedFormula(puzzle.geometry, sifted, *send)
    else:
        # Imported here: small classic boards need nothing of it.
        from satdoku.solving.formulas import FullFormula, OpenFormula

        if not is_open:
            return FullFormula(puzzle, settings, receiver, budget)
        formula = OpenFormula(puzzle, settings, receiver, budget, candidates)
    if puzzle.is_classic and _is_nearly_empty(puzzle.grid):
        from satdoku.puzzle.symmetry import pattern_grid

        receiver.suggest(formula.literals_of(pattern_grid(puzzle.geometry)))
    return formula


def _is_nearly_empty(grid: Grid) -> bool:
    """Whether a known grid is worth trying first.

    It takes an empty 100x100 board from more than 30 s to 0.1 s of search; with 2 % of givens it
    already costs time.
    """
    givens = len(grid.digits) - grid.digits.count(EMPTY)
    return givens * 100 <= len(grid.digits)


_Adder = Callable[[Sequence[int]], object]


class _Tools(NamedTuple):
    """What is worked out for a geometry and serves all its boards; nothing in it ever changes."""

    layout: "ByteLayout"
    sifter: "Sifter"
    formulas: "FormulaBuilder"


def sift(puzzle: Puzzle) -> "Sifted | None":
    """What is left of a puzzle; None where it is not small and classic, or its givens clash.

    Givens that clash have no variables, so the small formula could not show that they do.
    """
    if not puzzle.is_classic:
        return None
    # Imported here: other puzzles need nothing of it.
    from satdoku.encoding.small_formula import supports

    if not supports(puzzle.geometry):
        return None
    return _tools(puzzle.geometry).sifter.sift(bytes(puzzle.grid.digits))


class SiftedFormula:
    """The formula of a small classic puzzle in a solver; `sifted` is what `sift` says of it.

    Only candidates that sifting leaves open have variables. It stands in for the formulas of
    `loading.py`, as it is one of the kind `Loaded`.
    """

    def __init__(
        self, geometry: Geometry, sifted: "Sifted", add_clause: _Adder, add_at_most_one: _Adder
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
    # Imported here: puzzles with other rules need nothing of it.
    from satdoku.deducing.layout import ByteLayout
    from satdoku.deducing.sifter import Sifter
    from satdoku.encoding.small_formula import FormulaBuilder

    layout = ByteLayout(geometry)
    return _Tools(layout, Sifter(layout), FormulaBuilder(layout))
