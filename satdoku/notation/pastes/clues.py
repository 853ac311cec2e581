"""Pasted lists: of givens with their cells, as in `r1c3=9`, and boards anywhere in JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from satdoku.errors import RuleError, quote
from satdoku.notation.pastes.tables import flat_board, is_solution_of
from satdoku.notation.record import PUZZLE_NAMES

_SIDE = 9
# Fewer are a remark about a board, and 17 are the fewest that make a puzzle.
_FEWEST = 8

# `r1c3=9`, `Row 1, column 3: 9`, `{"r": 1, "c": 3, "v": 9}`: what names a row, a column, a digit.
_ROW_AND_COLUMN = re.compile(
    r"\br(?:ow)?\W{0,4}([0-9])\W{0,8}c(?:ol(?:umn)?)?\W{0,4}([0-9])"
    r"(?:\W{1,6}|\W{0,8}(?:is|v|val|value|n|num|number|d|digit|given)\W{1,4})([1-9])(?![0-9])",
    re.IGNORECASE,
)
# `A3=9`: rows are letters, as most of those who write about Sudoku have it.
_LETTER = re.compile(r"\b([A-I])([1-9])\"?(?:\s*(?:=|:|->|is|\s)\s*)\"?([1-9])\b", re.IGNORECASE)
# `(1,3)=9`, `grid[0][2] = 9`.
_BRACKETS = re.compile(
    r"[(\[]\s*([0-9])(?:\s*,\s*|\s+|\]\s*\[)([0-9])\s*[)\]]\s*(?:=|:|->|is)*\s*([1-9])\b"
)
# `x_1_3 = 9`, `cell_1_3_9`.
_JOINED = re.compile(r"[A-Za-z]_?([0-9])_([0-9])\s*(?:_|=|:)\s*([1-9])\b")
# `given(1,3,9)`, `[1, 3, 9]`, and three numbers on a line.
_TRIPLE = re.compile(r"[(\[{]\s*([0-9])\s*,\s*([0-9])\s*,\s*([1-9])\s*[)\]}]")
_LINE = re.compile(
    r"^[ \t]*([0-9])[ \t,;:]*([0-9])[ \t,;:=]*([1-9])[ \t,;]*(?:0[ \t]*)?$", re.MULTILINE
)
# `9 at row 1, column 3`, `9 in r1c3`.
_DIGIT_FIRST = re.compile(
    r"\b([1-9])\s+(?:at|in|on)\s+r(?:ow)?\W{0,4}([0-9])\W{0,8}(?:and\s+)?"
    r"c(?:ol(?:umn)?)?\W{0,4}([0-9])\b",
    re.IGNORECASE,
)
_CERTAIN = (_DIGIT_FIRST, _ROW_AND_COLUMN, _LETTER, _BRACKETS, _JOINED)
_PATTERNS = (*_CERTAIN, _TRIPLE, _LINE)


def read_clues(lines: Sequence[str]) -> list[str]:
    """A list of givens with their cells, and nothing else that has digits."""
    text = "\n".join(lines)
    for pattern in _PATTERNS:
        found = [match.groups() for match in pattern.finditer(text)]
        if pattern is _DIGIT_FIRST:
            found = [(row, column, digit) for digit, row, column in found]
        if len(found) >= _FEWEST and not re.search("[0-9]", pattern.sub("", text)):
            if pattern in _CERTAIN:
                _refuse_repeated([(row, column) for row, column, _ in found])
            return _board_of(found, pattern is _LETTER)
    return []


def _refuse_repeated(places: Sequence[tuple[str, str]]) -> None:
    """Refuses a list that names a cell twice; its digits alone might be those of a board."""
    (place, count), *_ = Counter(places).most_common(1)
    if count > 1:
        raise RuleError(f"this list of givens has the cell {','.join(place)} {count} times")


def _board_of(clues: Sequence[Sequence[str]], has_letters: bool) -> list[str]:
    places = [(_number(row), int(column)) for row, column, _ in clues]
    least, most = (pick(map(pick, places)) for pick in (min, max))
    # Counted from 0 or from 1: the numbers have to show which.
    is_clear = has_letters or (least == 0) != (most == _SIDE)
    start = 0 if least == 0 else 1
    # Of a smaller board none is that large.
    is_large = max(most, *(int(digit) for *_, digit in clues)) > 6
    if not is_clear or not is_large or len({*places}) != len(places):
        return []
    cells = ["."] * _SIDE**2
    for (row, column), (*_, digit) in zip(places, clues, strict=True):
        cells[(row - start) * _SIDE + column - start] = digit
    return flat_board(cells)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else ord(text.upper()) - ord("A") + 1


# Keys of objects that change what a solution is; whoever has them has another puzzle.
_RULES = re.compile(
    r"cages?|killer\w*|thermo\w*|arrows?|(?:non)?cons\w*|anti\w*|kropki\w*|(?:extra)?regions?|"
    r"diagonal\S*|lines?|constraints?|whispers?|palindromes?|sandwich\w*|jigsaw",
    re.IGNORECASE,
)


def read_json(lines: Sequence[str]) -> list[str]:
    """The board in JSON, wherever it is; RuleError where rules stand beside it.

    Of several boards, that under a name which puzzles have; a solution is none.
    """
    try:
        value = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return []
    found = list(_boards_in(value, ""))
    named = [entry for entry in found if entry[0].lower() in PUZZLE_NAMES] or found
    boards = list(dict.fromkeys(tuple(cells) for _, cells in named))
    puzzles = [
        board for board in boards if not any(is_solution_of(board, other) for other in boards)
    ]
    if len(puzzles) != 1:
        return []
    _refuse_rules(value)
    return flat_board(puzzles[0])


def _boards_in(value: Any, key: str) -> Iterator[tuple[str, list[str]]]:
    """The boards of 9x9 in a value, each with the last key on the way to it."""
    cells = _cells_in(value)
    if flat_board(cells) and len(cells) == _SIDE**2:
        yield key, cells
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _boards_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _boards_in(inner, key)


def _cells_in(value: Any) -> list[str]:
    """The texts of cells that a list of rows, of all cells, or a text may be."""
    if isinstance(value, str):
        return list("".join(value.split()))
    if not isinstance(value, list):
        return []
    rows = [row if isinstance(row, list | str) else [row] for row in value]
    if any(isinstance(cell, list | dict) for row in rows for cell in row):
        return []
    if {*map(len, rows)} not in ({1}, {len(rows)}):
        return []
    # Text in lists is a digit, or nothing, or a space.
    return [
        "." if cell in (None, False) else str(cell).strip() or "." for row in rows for cell in row
    ]


def _refuse_rules(value: Any) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if inner and _RULES.fullmatch(key):
                raise RuleError(f"this JSON has {quote(key)} beside its board, which is not read")
            _refuse_rules(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_rules(inner)
