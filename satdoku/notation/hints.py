"""What the user says about a text that the text itself may not show.

The names of all formats stand here too, for who lists them and needs none of them: `formats.py` has
the formats, and a test compares the two.
"""

import re
from collections.abc import Iterable
from math import isqrt

from satdoku.notation.spelling import ZEROS, Alphabet, Spelling
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.value import value

# `re` compiles these when they are met, as most puzzles have no such rule. Each takes whatever the
# rule itself reads: a board whose rule is missed here would be read with other digits, or cut off.
_DIGITS = r"\s*digits\s*:\s*(\d{1,3})\s*-\s*(\d{1,3})\s*"
_REGIONS = r"\s*regions\s*:"


def alphabet_of_rules(rules: Iterable[str]) -> Alphabet | None:
    """The digits of a puzzle that has a rule such as `digits:0-8`; None without such a rule.

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
    """A board as large as the regions among rules say, with the usual boxes, which they replace.

    >>> geometry_of_rules(["odd:r1c1", "regions:AAABB/AABBB/CCCCC/DDDDD/EEEEE"])
    Geometry(box_rows=1, box_columns=5)
    """
    for rule in rules:
        found = re.match(_REGIONS, rule, re.IGNORECASE)
        cells = re.sub(r"[/\s]", "", rule[found.end() :]) if found else ""
        size = isqrt(len(cells))
        # Of another number of cells a letter is missing, which is told where the rule is read.
        if size and size * size == len(cells):
            return Geometry.of_size(size)
    return None


@value(frozen=True)
class Hints:
    """The options `--box`, `--alphabet`, `--rule`, and those that name columns, for reading.

    A column is a key of JSON objects, or the name in the CSV header, or its number counted from 1,
    as `cut` and `awk` count; a name wins over a number. `rules_column` has the rules of each
    puzzle, where it is not called `rules`; NO_COLUMN leaves whatever is called so alone. `rules`
    are further rules of every puzzle, as `--rule` takes them.
    """

    geometry: Geometry | None = None
    alphabet: Alphabet | None = None
    column: str | None = None
    solution_column: str | None = None
    rules_column: str | None = None
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A frozen value is completed here and nowhere else.
        if self.alphabet is None and self.rules:
            object.__setattr__(self, "alphabet", alphabet_of_rules(self.rules))
        if self.geometry is None and self.rules:
            object.__setattr__(self, "geometry", geometry_of_rules(self.rules))
        if self.geometry is not None and self.alphabet is not None:
            self.alphabet.require_size(self.geometry.size)

    @property
    def tell_cells(self) -> bool:
        """Whether they say which cells a text has; of rules, digits and regions do."""
        is_told = self.geometry is not None or self.alphabet is not None
        return is_told or self != Hints(rules=self.rules)

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


NO_COLUMN = "none"
"""The name of no column, for `rules_column`."""

FORMAT_NAMES = (
    *("line", "rows", "grid", "candidates", "csv", "jigsaw", "json", "sdk", "sdm"),
    *("ss", "euler", "fpuzzles", "iss", "link:iss", "link:sudokupad", "link:fpuzzles"),
)

PASTE = "paste"
"""The name for what was copied with other text around it (`pastes/`): read, but never written."""

READABLE = (*FORMAT_NAMES, PASTE)
"""The names of what can be read: all formats, and what was copied with other text around it."""
