"""A puzzle's formula inside a solver, in one of two numberings, and models read back from it.

Small classic boards are sifted first, in `sifted.py`. All other formulas are made in `formulas.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.solvers import Settings


class Receiver(Protocol):
    """Where a formula goes: a python-sat session or an external solver's file."""

    @property
    def add_clause(self) -> Callable[[Sequence[int]], object]: ...

    @property
    def add_at_most_one(self) -> Callable[[Sequence[int]], object]: ...

    def add_at_most(self, literals: Sequence[int], most: int) -> None: ...

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

    def add_implied(self) -> None:
        """Adds what follows from several constraints together, for a search that proves long."""
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
    formula: Loaded | None = None
    if is_small and puzzle.is_classic:
        # Imported here: puzzles with other rules need nothing of it.
        from satdoku.solving.sifted import load_sifted

        budget.require()
        formula = load_sifted(puzzle, receiver)
    if formula is None:
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
