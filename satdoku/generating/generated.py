"""A puzzle that was made, and what is known of it."""

from dataclasses import dataclass
from math import comb

from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.showing import Shown
from satdoku.puzzle.symmetry import Symmetry


@dataclass(frozen=True, repr=False)
class Generated(Shown):
    """A puzzle with one solution.

    `is_minimal` says that no given is redundant: it was proven for each. It is False where that is
    not so, and where it is not known. `undecided` is the number of givens that were kept because
    the patience ended before it was known whether they are redundant. `within` is there when the
    fewest givens were wanted: no puzzle within this one has fewer. `is_by_deletion` says that the
    givens of a full grid were deleted in a random order, and nothing else was done.
    """

    puzzle: Puzzle
    solution: Grid
    seed: str
    index: int
    symmetry: Symmetry
    is_minimal: bool
    undecided: int = 0
    within: Grid | None = None
    is_by_deletion: bool = True

    def __repr__(self) -> str:
        return f"<Generated {self.index} of seed {self.seed}: {self.puzzle!r}>"

    @property
    def givens(self) -> int:
        """How many givens the puzzle has."""
        return len(self.puzzle.givens)

    @property
    def weight(self) -> float | None:
        """How much this puzzle should count where all minimal puzzles should count alike.

        Deleting givens in a random order leads to a puzzle with k of n cells given with a chance
        of about 1 in (n over k), so puzzles with few givens come too often. The weight is (n over
        k), divided by that of a puzzle in which 3 cells of 10 are given: 1.0 for 24 givens on 9x9,
        2.28 for 25. Of puzzles that were made in another way, as those with few givens, it is not
        known, and None.
        """
        if not self.is_by_deletion:
            return None
        cells = self.puzzle.geometry.cell_count
        return comb(cells, self.givens) / comb(cells, cells * 3 // 10)
