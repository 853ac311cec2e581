"""How large the formula is that a solver is given."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.loading import load
from satdoku.solving.settings import Settings


class LoadedSize(NamedTuple):
    """The size of a formula in a solver; `natives` are at-most-one constraints, no clauses."""

    variables: int
    clauses: int
    natives: int


def measure_formula(puzzle: Puzzle, settings: Settings, budget: Budget) -> LoadedSize:
    """The size of the formula that a solver with these settings gets; no solver is asked.

    >>> from satdoku.puzzle.geometry import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> empty = Puzzle(Grid.empty(Geometry(2, 2)))
    >>> settings = Settings("cadical195", "extended")
    >>> measure_formula(empty, settings, Budget(settings.limits))
    LoadedSize(variables=64, clauses=384, natives=0)
    """
    counter = _Counter()
    load(puzzle, settings, counter, budget)
    return LoadedSize(counter.variables, counter.clauses, counter.natives)


class _Counter:
    """Takes a formula as a solver does, and keeps only its size."""

    def __init__(self) -> None:
        self.variables = self.clauses = self.natives = 0

    def add_clause(self, literals: Sequence[int]) -> None:
        self.clauses += 1
        self._see(literals)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        self.natives += 1
        self._see(literals)

    def suggest(self, literals: Sequence[int]) -> None:
        """A hint is no part of the formula."""

    def _see(self, literals: Sequence[int]) -> None:
        self.variables = max(self.variables, *map(abs, literals), 0)
