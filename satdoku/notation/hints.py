"""What the user says about a text that the text itself may not show.

The names of all formats are listed here too, for code that needs only names: `formats.py` has the
formats, and a test compares the two.
"""

import re
from collections.abc import Iterable
from math import isqrt

from satdoku.notation.spelling import ZEROS, Alphabet, Spelling
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.value import value

# `re` compiles these on first use, as most puzzles have no such rule. Each accepts all spellings of
# the rule: if one is missed here, the board is read with other digits, or cut off.
_DIGITS = r"\s*digits\s*:\s*(\d{1,3})\s*-\s*(\d{1,3})\s*"
_REGIONS = r"\s*regions\s*:"


def alphabet_of_rules(rules: Iterable[str]) -> Alphabet | None:
    """Return the digits that a rule such as `digits:0-8` defines; None without such a rule.

    >>> alphabet_of_rules(["anti-king", "Digits: 2-5"]), alphabet_of_rules(["digits:1-4"])
    (Alphabet(name='2345'), None)
    """
    for rule in rules:
        found = re.fullmatch(_DIGITS, rule, re.IGNORECASE)
        first, last = map(int, found.groups()) if found else (1, 1)
        if first == 0:
            return ZEROS
        if 1 < first < last <= 9:
            return Alphabet("".join(map(str, range(first, last + 1))))
    return None


def geometry_of_rules(rules: Iterable[str]) -> Geometry | None:
    """Return a board of the size of the regions among the rules; its boxes are the usual ones.

    The regions replace the boxes later. None without regions.

    >>> geometry_of_rules(["odd:r1c1", "regions:AAABB/AABBB/CCCCC/DDDDD/EEEEE"])
    Geometry(box_rows=1, box_columns=5)
    """
    for rule in rules:
        found = re.match(_REGIONS, rule, re.IGNORECASE)
        cells = re.sub(r"[/\s]", "", rule[found.end() :]) if found else ""
        size = isqrt(len(cells))
        # If the number of cells is no square, a symbol is missing; reading the rule reports that.
        if size and size * size == len(cells):
            return Geometry.of_size(size)
    return None


@value(frozen=True)
class Hints:
    """The options `--box`, `--alphabet`, `--rule`, and those that name columns, for reading.

    A column is a key of JSON objects, a name in the CSV header, or a number counted from 1, as
    `cut` and `awk` count; names take precedence over numbers. `rules_column` has the rules of each
    puzzle, if that column is not called `rules`; NO_COLUMN means that no column has rules. `rules`
    are further rules of every puzzle, as `--rule` takes them.
    """

    geometry: Geometry | None = None
    alphabet: Alphabet | None = None
    column: str | None = None
    solution_column: str | None = None
    rules_column: str | None = None
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The class is frozen, so fields are completed like this.
        if self.alphabet is None and self.rules:
            object.__setattr__(self, "alphabet", alphabet_of_rules(self.rules))
        if self.geometry is None and self.rules:
            object.__setattr__(self, "geometry", geometry_of_rules(self.rules))
        if self.geometry is not None and self.alphabet is not None:
            self.alphabet.require_size(self.geometry.size)

    @property
    def tell_cells(self) -> bool:
        """Whether options or rules (digits, regions) define which cells a text has."""
        is_told = self.geometry is not None or self.alphabet is not None
        return is_told or self != Hints(rules=self.rules)

    @property
    def spelling(self) -> Spelling:
        """Return the spelling of boards for a user who reads with these hints."""
        return Spelling(self.alphabet)

    @property
    def size(self) -> int | None:
        """Return the number of digits if boxes or a spelled-out alphabet define it, else None."""
        if self.geometry is not None:
            return self.geometry.size
        return self.alphabet.fixed_size if self.alphabet is not None else None


NO_COLUMN = "none"
"""The value of `rules_column` that stands for no column."""

FORMAT_NAMES = (
    *("line", "rows", "grid", "candidates", "csv", "jigsaw", "board", "json", "sdk", "sdm"),
    *("ss", "euler", "fpuzzles", "iss", "link:iss", "link:sudokupad", "link:fpuzzles"),
    "link:sudokumaker",
)

PASTE = "paste"
"""The format for boards copied with other text around them (`pastes/`): read, never written."""

READABLE = (*FORMAT_NAMES, PASTE)
"""The names of everything that can be read: all formats and pastes."""
