"""What the user says about a text that the text itself may not show.

The names of all formats stand here too, for who lists them and needs none of them: `formats.py` has
the formats, and a test compares the two.
"""

import re
from collections.abc import Iterable

from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import ZEROS, Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.value import value

# `re` compiles these when they are met, as most puzzles have no such rule.
_FROM_ZERO = r"digits:0-(\d{1,2})"
_FROM_ONE_DIGIT = r"digits:([2-9])-([3-9])"


def alphabet_of_rules(rules: Iterable[object]) -> Alphabet | None:
    """The digits of a puzzle that has a rule such as `digits:0-8`; None without such a rule."""
    for rule in rules:
        text = rule.strip() if isinstance(rule, str) else ""
        if re.fullmatch(_FROM_ZERO, text):
            return ZEROS
        found = re.fullmatch(_FROM_ONE_DIGIT, text)
        if found is not None and found[1] < found[2]:
            return Alphabet("".join(map(str, range(int(found[1]), int(found[2]) + 1))))
    return None


@value(frozen=True)
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
        if self.alphabet is None and self.rules:
            # A frozen value is completed here and nowhere else.
            object.__setattr__(self, "alphabet", alphabet_of_rules(self.rules))
        if self.geometry is not None and self.alphabet is not None:
            self.alphabet.require_size(self.geometry.size)

    @property
    def tell_cells(self) -> bool:
        """Whether they say which cells a text has; further rules do not, but those of digits."""
        return self.alphabet is not None or self != Hints(rules=self.rules)

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


FORMAT_NAMES = (
    *("line", "rows", "grid", "candidates", "csv", "jigsaw", "json", "sdk", "sdm"),
    *("ss", "euler", "fpuzzles", "iss", "link:iss", "link:sudokupad", "link:fpuzzles"),
)

PASTE = "paste"
"""The name for what was copied with other text around it (`pastes/`): read, but never written."""

READABLE = (*FORMAT_NAMES, PASTE)
"""The names of what can be read: all formats, and what was copied with other text around it."""
