"""What the user says about a text that the text itself may not show."""

from dataclasses import dataclass

from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry


@dataclass(frozen=True)
class Hints:
    """The options `--box`, `--alphabet`, `--column`, `--solution-column`, `--rule`, for reading.

    A column is a key of JSON objects, or the name in the CSV header, or its number counted from 1,
    as `cut` and `awk` count; a name wins over a number. `rules` are further rules of every puzzle,
    as `--rule` takes them.
    """

    geometry: Geometry | None = None
    alphabet: Alphabet | None = None
    column: str | None = None
    solution_column: str | None = None
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.geometry is not None and self.alphabet is not None:
            self.alphabet.require_size(self.geometry.size)

    @property
    def spelling(self) -> Spelling:
        """How to write boards for somebody who reads with these hints."""
        return Spelling(self.alphabet)

    @property
    def size(self) -> int | None:
        """The number of digits, where the user decided it: by boxes or by spelling the alphabet."""
        if self.geometry is not None:
            return self.geometry.size
        return self.alphabet.fixed_size if self.alphabet is not None else None
