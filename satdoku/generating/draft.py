"""Which cells of a full grid are given, before the puzzle is proven and judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.symmetry import Orbit, Symmetry


@dataclass(frozen=True)
class Draft:
    """A full grid and the cells that are given; see `Generated` for the rest."""

    solution: Grid
    cells: tuple[int, ...]
    symmetry: Symmetry = Symmetry.NONE
    is_minimal: bool = False
    undecided: int = 0
    within: tuple[int, ...] = ()
    is_by_deletion: bool = False

    @property
    def grid(self) -> Grid:
        """The givens."""
        return self.grid_of(self.cells)

    def grid_of(self, cells: Iterable[int]) -> Grid:
        """The digits of these cells alone."""
        chosen = set(cells)
        return Grid(
            self.solution.geometry,
            tuple(
                digit if cell in chosen else EMPTY
                for cell, digit in enumerate(self.solution.digits)
            ),
        )


def add_orbits(
    cells: Sequence[int], orbits: Sequence[Orbit], low: int, high: int, chance: Chance
) -> tuple[int, ...] | None:
    """Cells with further orbits, so that there are `low` to `high`; None where that fails."""
    chosen = set(cells)
    for orbit in chance.shuffled([orbit for orbit in orbits if orbit[0] not in chosen]):
        if len(chosen) >= low:
            break
        if len(chosen) + len(orbit) <= high:
            chosen.update(orbit)
    return tuple(sorted(chosen)) if low <= len(chosen) <= high else None
