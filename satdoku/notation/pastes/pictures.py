"""Boards whose symbols are pictures: fruit, suits of cards, dice, digits in braille.

n kinds of picture on an n x n board are the digits, in the order of their code points unless the
user gives another order; a further kind is the empty cell. The answer is given in the same
pictures. A text in which the signs are ambiguous is refused.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.errors import FormatError, count_of
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import plain
from satdoku.notation.pastes.undressing import (
    EMPTY_SIGNS,
    is_shortcoded,
    pictured_in,
    without_colours,
    without_markup,
)
from satdoku.notation.spelling import decide_geometry, has_boxes
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle

_SMALLEST = 4
_BLANK = "."
_BLANKS = "._-*?xX0"
# Variation selectors, which select a drawing of the character before and are no signs.
_SELECTORS = "\ufe0e\ufe0f"
_JOINED = re.compile("[\u200d\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\u20e3]")
_LABEL = re.compile(r"\s*(?:[A-Za-z]{1,3} ?)?(?:[0-9]{1,2}|[A-Z])(?:[.:)]\s*|\s*\||\s+)(?=\S)")
_BORDER = re.compile(r"[\s|+:=-]*")
_DICE = "\u2680\u2681\u2682\u2683\u2684\u2685"
_BRAILLE = "\u2801\u2803\u2809\u2819\u2811\u280b\u281b\u2813\u280a"
_NUMBER_SIGN = "\u283c"
_PICTURED = {"So", "Sm", "Sc", "Sk", "Po"}
_MEND = "write the cells as digits, with a dot for each empty one"


class Pictured(NamedTuple):
    """A puzzle, the picture for each of its digits, and the separator of two cells."""

    puzzle: Puzzle
    pictures: tuple[str, ...]
    between: str = ""

    def write(self, grid: Grid) -> str:
        """Return the rows of a full grid in these pictures."""
        rows = (self.between.join(self.pictures[digit - 1] for digit in row) for row in grid.rows)
        return "".join(f"{row}\n" for row in rows)


def read_pictures(lines: Sequence[str], hints: Hints, source: str) -> Pictured | None:
    """Return the board of pictures in a text; None if there is none.

    A FormatError if the board is ambiguous.
    """
    text = without_colours("\n".join(lines))
    if text.isascii() and not is_shortcoded(text):
        return None
    try:
        _refuse_names(text)
        shown = without_markup(text).replace(_NUMBER_SIGN, "")
        rows = _whole([row for row in map(_row_of, shown.split("\n")) if len(row) >= _SMALLEST])
        kinds = {cell for row in rows for cell in row if cell != _BLANK}
        is_drawn = kinds - EMPTY_SIGNS or len(kinds) > 2
        if len(rows) < _SMALLEST or len(kinds) < 2 or not is_drawn:
            return None
        if _JOINED.search(shown):
            raise FormatError(f"some of these pictures are made of several characters; {_MEND}")
        return _read(rows, hints, shown)
    except FormatError as error:
        raise FormatError(error.message, source, 1, 1) from None


def _refuse_names(text: str) -> None:
    """Refuse names such as `:apple:` if there are more than two, as they are symbols then."""
    names = pictured_in(text) if is_shortcoded(text) else ()
    if len(names) > 2:
        raise FormatError(f"{len(names)} names of pictures stand in place of digits; {_MEND}")


def _whole(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows; a board on one line is split into rows."""
    size = round(len(rows[0]) ** 0.5) if len(rows) == 1 else 0
    if size < _SMALLEST or size * size != len(rows[0]):
        return rows
    return [rows[0][start : start + size] for start in range(0, size * size, size)]


def _row_of(line: str) -> list[str]:
    """Return the cells of a line of pictures and blanks; empty for any other line.

    Between bars or tabs, an empty field is a blank too.
    """
    line = "".join(sign for sign in plain(line) if sign not in _SELECTORS)
    if _BORDER.fullmatch(line) and re.search("--|==", line):
        return []
    line = _LABEL.sub("", line, count=1)
    fields = [line]
    for separator in "|\t":
        if separator in line:
            bare = line.strip(" ")
            bare = bare[separator == "|" and bare.startswith("|") :]
            fields = bare.removesuffix(separator).split(separator)
    cells = [
        cell
        for field in fields
        for cell in re.findall(r"[^\s,;]", field) or [_BLANK] * (len(fields) > 1)
    ]
    is_row = all(cell in _BLANKS or _is_picture(cell) for cell in cells)
    return [_BLANK if cell in _BLANKS else cell for cell in cells] if is_row else []


def _is_picture(sign: str) -> bool:
    is_number = unicodedata.numeric(sign, -1) in range(10)
    return not sign.isascii() and unicodedata.category(sign) in _PICTURED and not is_number


def _read(rows: Sequence[Sequence[str]], hints: Hints, text: str) -> Pictured:
    size = hints.size or len(rows[0])
    if {*map(len, rows)} != {size} or len(rows) != size:
        counts = ", ".join(str(len(row)) for row in rows[:12])
        raise FormatError(f"a board of pictures with rows of {counts} cells is not square; {_MEND}")
    if hints.geometry is None and not has_boxes(size):
        raise FormatError(f"{size} rows of {size} pictures have no boxes; {_MEND}")
    counts_of = Counter(cell for row in rows for cell in row)
    symbols = _symbols_of(counts_of, size, hints)
    geometry = decide_geometry(size, hints.geometry)
    digits = tuple(
        symbols.index(cell) + 1 if cell in symbols else EMPTY for row in rows for cell in row
    )
    between = " " if any(f"{a} {b}" in text for a in symbols for b in symbols) else ""
    # The answer has the pictures as in the text, with variation selectors.
    drawn = {
        match[0] for match in re.finditer(f"[{re.escape(''.join(symbols))}][{_SELECTORS}]", text)
    }
    pictures = tuple(next((d for d in sorted(drawn) if d[0] == s), s) for s in symbols)
    return Pictured(Puzzle(Grid(geometry, digits), symbols=tuple(symbols)), pictures, between)


def _symbols_of(counts: Counter[str], size: int, hints: Hints) -> str:
    """Return the pictures that are digits, in order."""
    kinds = [kind for kind in counts if kind != _BLANK]
    named = "" if hints.alphabet is None or hints.alphabet.is_numbers else hints.alphabet.name
    # There is one more kind of picture than digits if the empty cell has no usual sign.
    further = 0 if counts[_BLANK] else 1
    for series in filter(None, (named, _DICE[:size], _BRAILLE[:size])):
        if len(series) == size and sum(kind not in series for kind in kinds) <= further:
            return series
    blank = _blank_of(kinds, counts, size) if counts[_BLANK] == 0 else ""
    symbols = sorted(kind for kind in kinds if kind != blank)
    if len(symbols) != size:
        raise FormatError(
            f"{count_of(len(symbols), 'kind')} of picture found on a board of {size}x{size}, "
            f"expected {size} beside one for empty cells; {_MEND}"
        )
    return "".join(symbols)


def _blank_of(kinds: Sequence[str], counts: Counter[str], size: int) -> str:
    """Return the sign for an empty cell.

    It is more frequent than any digit can be, or the only sign that is usual for blanks.
    """
    usual = [kind for kind in kinds if kind in EMPTY_SIGNS]
    often = [kind for kind in kinds if counts[kind] > size]
    found = often if len(often) == 1 else usual
    if len(found) != 1 or (usual and found[0] not in usual):
        if len(kinds) == size and not often:
            return ""  # a full board
        raise FormatError(f"it is not clear which of these pictures is an empty cell; {_MEND}")
    return found[0]
