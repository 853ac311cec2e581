"""A puzzle that was made, what is known of it, and whether it was made before.

Puzzle i of a seed is what it is, whether it is wanted or not. So the puzzles with the numbers 0, 1,
2, ... are looked at in this order, and each is kept that none before it was like. A number whose
puzzle is left out has none in the output; those behind it keep theirs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from math import comb

from satdoku.errors import SatdokuError
from satdoku.making.canonical import LARGEST_SIZE, canonical_form
from satdoku.making.request import Request
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import Shown


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


# Among a billion puzzles two have the same 128 bits with a chance of one in 10^21. With what Python
# needs around them they take about 100 bytes of memory a puzzle.
_BYTES_A_KEY = 16

# Of 4x4 there are few puzzles up to symmetry, and with many wishes few at all. When so many numbers
# in a row brought nothing new, and as many as puzzles were found, the search is given up.
_MOST_IN_VAIN = 1000


class Distinct(Enum):
    """When two puzzles count as the same."""

    EXACT = "exact"
    """They have the same givens and rules."""
    ISOMORPHIC = "isomorphic"
    """They are twins."""


def read_distinct(name: str) -> Distinct:
    """The way to compare puzzles that has this name."""
    try:
        return Distinct(name)
    except ValueError as error:
        raise SatdokuError(str(error)) from None


def require_distinguishable(request: Request, distinct: Distinct | None) -> None:
    """Refuses to look for twins where no canonical form tells them."""
    if distinct is not Distinct.ISOMORPHIC:
        return
    if not request.is_classic:
        raise SatdokuError("twins are known for rows, columns and boxes alone; other rules: exact")
    size = request.geometry.size
    if size > LARGEST_SIZE:
        most = f"{LARGEST_SIZE}x{LARGEST_SIZE}"
        raise SatdokuError(f"twins are known up to {most}, not on {size}x{size}; there: exact")


def key_of(puzzle: Puzzle, distinct: Distinct) -> bytes:
    """What two puzzles have in common exactly when they count as the same."""
    is_exact = distinct is Distinct.EXACT
    digits = puzzle.grid.digits if is_exact else canonical_form(puzzle).grid.digits
    text = f"{' '.join(map(str, digits))} {' '.join(puzzle.rule_texts)}"
    return blake2b(text.encode(), digest_size=_BYTES_A_KEY).digest()


class Seen:
    """The keys of all puzzles that were kept."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()
        self._in_vain = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._keys)

    def is_new(self, key: bytes) -> bool:
        """Whether no puzzle before had this key; it is known from now on."""
        if key in self._keys:
            self.left_out += 1
            self._in_vain += 1
            return False
        # Only what is left out in a row tells that little is left to find.
        self._keys.add(key)
        self._in_vain = 0
        return True

    @property
    def is_exhausted(self) -> bool:
        """Whether so much was left out in a row that probably nothing new will come."""
        return self._in_vain >= max(_MOST_IN_VAIN, len(self._keys))

    @property
    def sentence(self) -> str:
        """Why no more are looked for."""
        noun = "puzzle differs" if len(self) == 1 else "puzzles differ"
        return f"only {len(self):,} {noun}: the last {self._in_vain:,} were made before"


def keep_distinct(
    puzzles: Iterator[Generated], number: int, distinct: Distinct
) -> Iterator[Generated]:
    """The first `number` of these that differ; SatdokuError where no more seem to come."""
    seen = Seen()
    while len(seen) < number:
        made = next(puzzles)
        if seen.is_new(key_of(made.puzzle, distinct)):
            yield made
        elif seen.is_exhausted:
            raise SatdokuError(seen.sentence)
