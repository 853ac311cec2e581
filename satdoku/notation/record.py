"""What stands between a text and its puzzles: records, and what the user says beyond the text."""

from dataclasses import dataclass
from typing import NamedTuple

from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry


class Record(NamedTuple):
    """The raw text of one puzzle, cut out of a file but not yet understood.

    `line` and `column` say where the text begins, counted from 1; `name` comes from a header above
    the puzzle, such as `Grid 01`.
    """

    line: int
    text: str
    name: str = ""
    column: int = 1


@dataclass(frozen=True)
class Hints:
    """What the user says beyond the text: `--box`, `--alphabet`, `--column`, `--solution-column`.

    A column is the name in the CSV header, or its number counted from 1, as `cut` and `awk` count;
    a name wins over a number.
    """

    geometry: Geometry | None = None
    alphabet: Alphabet | None = None
    column: str | None = None
    solution_column: str | None = None

    def __post_init__(self) -> None:
        if self.geometry is not None and self.alphabet is not None:
            self.alphabet.require_size(self.geometry.size)

    @property
    def size(self) -> int | None:
        """The number of digits, where the user decided it: by boxes or by spelling the alphabet."""
        if self.geometry is not None:
            return self.geometry.size
        return self.alphabet.fixed_size if self.alphabet is not None else None
