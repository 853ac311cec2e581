"""Load a puzzle's formula into a solver, in one of two numberings, and read models back.

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
    """The target of a formula: a python-sat session or an external solver's file."""

    @property
    def add_clause(self) -> Callable[[Sequence[int]], object]: ...

    @property
    def add_at_most_one(self) -> Callable[[Sequence[int]], object]: ...

    def add_at_most(self, literals: Sequence[int], most: int) -> None: ...

    def suggest(self, literals: Sequence[int]) -> None: ...


class Loaded(Protocol):
    """A formula in a solver, and the meaning of its variables."""

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        """Return the grid of a model, and the literals of its open cells."""
        ...

    def cell_of(self, literal: int) -> int:
        """Return the cell that a literal fills."""
        ...

    def literals_of(self, solution: Grid) -> list[int]:
        """Return the open cells' literals of a known solution."""
        ...

    def add_implied(self) -> None:
        """Add redundant clauses that follow from several constraints, for a long search."""
        ...


def load(
    puzzle: Puzzle,
    settings: Settings,
    receiver: Receiver,
    budget: Budget,
    candidates: Mapping[int, int] | None = None,
) -> Loaded:
    """Load the formula of a puzzle into a solver.

    `candidates` are masks of the digits left in each empty cell, if more than the givens is known;
    only the encoding `reduced` uses them.
    """
    is_open = settings.encoding is Encoding.REDUCED and not settings.command
    is_small = is_open and settings.is_native and candidates is None
    formula: Loaded | None = None
    if is_small and puzzle.is_classic:
        # Imported late: puzzles with other rules do not need it.
        from satdoku.solving.sifted import load_sifted

        budget.require()
        formula = load_sifted(puzzle, receiver)
    if formula is None:
        # Imported late: small classic boards do not need it.
        from satdoku.solving.formulas import FullFormula, OpenFormula

        if not is_open:
            return FullFormula(puzzle, settings, receiver, budget)
        formula = OpenFormula(puzzle, settings, receiver, budget, candidates)
    if puzzle.is_classic and _is_nearly_empty(puzzle.grid):
        from satdoku.puzzle.symmetry import pattern_grid

        receiver.suggest(formula.literals_of(pattern_grid(puzzle.geometry)))
    return formula


def _is_nearly_empty(grid: Grid) -> bool:
    """Whether a known grid is worth suggesting first.

    This reduces an empty 100x100 board from more than 30 s to 0.1 s of search; with 2 % of givens
    it already costs time.
    """
    givens = len(grid.digits) - grid.digits.count(EMPTY)
    return givens * 100 <= len(grid.digits)
