"""Leaving out puzzles that were made before.

Puzzle i of a seed is what it is, whether it is wanted or not. So the puzzles with the numbers 0, 1,
2, ... are looked at in this order, and each is kept that none before it was like. A number whose
puzzle is left out has none in the output; those behind it keep theirs.
"""

from collections.abc import Iterator
from enum import Enum
from hashlib import blake2b

from satdoku.errors import SatdokuError
from satdoku.generating.generated import Generated
from satdoku.generating.request import Request
from satdoku.puzzle.puzzle import Puzzle
from satdoku.twins.canonical import LARGEST_SIZE, canonical_form

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
