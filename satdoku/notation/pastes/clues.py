"""Pasted lists: of givens with their cells, as in `r1c3=9`, and boards anywhere in JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from satdoku.errors import RuleError
from satdoku.notation.pastes.tables import flat_board, is_solution_of
from satdoku.notation.record import PUZZLE_NAMES
from satdoku.notation.rule_entries import refuse_rules_beside

_SIDE = 9
# Fewer are a remark about a board, and 17 are the fewest that make a puzzle.
_FEWEST = 8

# What names the number behind it. The x of `X[0][2] = 9` is no column, so two have to be named.
_ROW, _COLUMN = "row", "column"
_KINDS = dict.fromkeys(("r", "row", "y", "i"), _ROW)
_KINDS |= dict.fromkeys(("c", "col", "column", "x", "j"), _COLUMN)
# `A3`, where rows are letters, as most of those who write about Sudoku have it; `R1C3` has just C.
_LETTERED = re.compile(r"(?<![A-Za-z])([A-I])(?=[1-9])", re.IGNORECASE)
_LETTER_ABOVE = re.compile(r"^[ \t]*([A-I])(?=[:.)=])", re.IGNORECASE | re.MULTILINE)
_FEWEST_LETTERS = 4
# Lines of solvers' languages that give nothing, and the end of a clause in DIMACS.
_DECLARED = re.compile(r"^\s*(?:p cnf\b|\(declare|\(set-|param .*:=$).*$", re.MULTILINE)
_CLAUSES = re.compile(r"\s*(?:[0-9]+[ \t]+0[ \t]*(?:\n|$))+\s*")
# What stands before a digit that is given, and not before the third number of anything.
_GIVES = re.compile(r"[=:>]|is|at|in")


def read_clues(lines: Sequence[str]) -> list[str]:
    """A list of givens with their cells, and nothing else that has digits.

    Each given has three digits, and between them the same signs: `r1c3=9`, `(1, 3, 9)`, `A39`,
    `9 at row 1, column 3`, `(assert (= x13 9))`. A row may stand once before all of its cells.
    """
    text = _DECLARED.sub("", "\n".join(lines)).strip()
    if _CLAUSES.fullmatch(text):
        text = re.sub(r"[ \t]+0[ \t]*$", "", text, flags=re.MULTILINE)
    named = _with_rows(text)
    parts = re.split("([0-9])", _spread(named) or named)
    between, digits = parts[::2], parts[1::2]
    if len(digits) < 3 * _FEWEST or len(digits) % 3 or not _are_alike(between):
        return []
    kinds, is_certain = _kinds(between)
    row, column = (kinds.index(_ROW), kinds.index(_COLUMN)) if kinds else (0, 1)
    (digit,) = {0, 1, 2} - {row, column}
    found = [digits[n : n + 3] for n in range(0, len(digits), 3)]
    clues = [(each[row], each[column], each[digit]) for each in found]
    if any(cell == "0" for *_, cell in clues):
        return []
    if is_certain:
        _refuse_repeated([(clue[0], clue[1]) for clue in clues])
    elif not _are_in_order(clues):
        return []
    return _board_of(clues, named != text)


def _with_rows(text: str) -> str:
    """The text with `r1c3` for `A3`, and `r1` for the letter before a line of cells."""
    for pattern, behind in ((_LETTERED, "c"), (_LETTER_ABOVE, "")):
        if len({letter.upper() for letter in pattern.findall(text)}) >= _FEWEST_LETTERS:
            parts = pattern.split(text)
            parts[1::2] = [f"r{_number(letter)}{behind}" for letter in parts[1::2]]
            text = "".join(parts)
    return text


def _spread(text: str) -> str:
    """The text with the row before each of its cells, `R1: C3=9, C4=7`; nothing if it has none.

    So it is with a column before rows, and with a digit before cells.
    """
    lines = [re.split("([0-9])", line) for line in text.split("\n") if re.search("[0-9]", line)]
    leads = [parts[1] for parts in lines]
    # A lead, and pairs behind it; with one pair in each line nothing is left out.
    is_led = all(len(parts) % 4 == 3 for parts in lines) and any(len(parts) > 7 for parts in lines)
    if not is_led or len({*leads}) != len(leads) or len(leads) < _FEWEST_LETTERS:
        return ""
    return "\n".join(
        "".join([parts[0], parts[1], " ", _letters(parts[n]), *parts[n + 1 : n + 4]])
        for parts in lines
        for n in range(2, len(parts) - 3, 4)
    )


def _letters(text: str) -> str:
    return re.sub("[^A-Za-z]", "", text).lower()


def _signs(text: str) -> str:
    """What stands between two digits, without the spaces around it; an end of a line is one."""
    return re.sub(r"\s", "", text).lower() or ("\n" if "\n" in text else text[:1])


def _are_alike(between: Sequence[str]) -> bool:
    """Whether what stands between digits is the same in each three of them, and around them."""
    first, second = ({*map(_signs, between[n:-1:3])} for n in (1, 2))
    around = {*map(_signs, between[3:-1:3])}
    is_apart = "" not in around and not (first == second and first & around)
    has_words = len({*map(_letters, between[3:-1:3])}) == 1
    return len(first) == len(second) == 1 and is_apart and has_words


def _kinds(between: Sequence[str]) -> tuple[tuple[str | None, ...], bool]:
    """What the three numbers of a given are said to be, and whether anything says so."""
    words = [(re.findall("[a-z]+", text.lower()) or [""])[-1] for text in between[3:6]]
    # The head of a table names its columns.
    for names in (words, re.findall("[a-z]+", between[0].lower())[-3:]):
        kinds = tuple(map(_KINDS.get, names))
        if kinds.count(_ROW) == kinds.count(_COLUMN) == 1:
            return kinds, True
    return (), _GIVES.search(between[2].lower()) is not None


def _are_in_order(clues: Sequence[tuple[str, str, str]]) -> bool:
    """Whether givens are sorted by row or by column; the cells of a board are not."""
    orders = [[clue[n] for clue in clues] for n in (0, 1)]
    return any(order == sorted(order) and len({*order}) > 4 for order in orders)


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
    if value and all(isinstance(cell, dict) for cell in value):
        return _cells_of_objects(value)
    rows = [row if isinstance(row, list | str) else [row] for row in value]
    if any(isinstance(cell, list | dict) for row in rows for cell in row):
        return []
    if {*map(len, rows)} not in ({1}, {len(rows)}):
        return []
    # Text in lists is a digit, or nothing, or a space.
    return [
        "." if cell in (None, False) else str(cell).strip() or "." for row in rows for cell in row
    ]


# What objects call the row, the column and the digit of a cell.
_CELL_KEYS = (
    ("row", "r", "y"),
    ("column", "col", "c", "x"),
    ("value", "digit", "number", "val", "v", "given"),
)


def _cells_of_objects(objects: Sequence[dict[str, Any]]) -> list[str]:
    """The cells of 9x9 of which each is an object: `{"row": 0, "col": 4, "value": 7}`.

    Nothing where no row and no column is the first or the last, so that nobody knows from which
    number they are counted, or where a cell is there twice.
    """
    clues = []
    for each in objects:
        named = {name.lower(): value for name, value in each.items()}
        clues.append([next((named[n] for n in names if n in named), None) for names in _CELL_KEYS])
    places = [(row, column) for row, column, _ in clues]
    numbers = {number for place in places for number in place}
    lowest = 0 if 0 in numbers else 1
    is_known = {type(number) for number in numbers} == {int} and numbers & {0, _SIDE}
    if not is_known or not numbers <= {*range(lowest, lowest + _SIDE)}:
        return []
    digits = {place: digit for place, (*_, digit) in zip(places, clues, strict=True)}
    if len(digits) < len(places):
        return []
    sides = range(lowest, lowest + _SIDE)
    found = (digits.get((row, column)) for row in sides for column in sides)
    return ["." if digit in (None, False, "") else str(digit) for digit in found]


def _refuse_rules(value: Any) -> None:
    if isinstance(value, dict):
        refuse_rules_beside(value)
        for inner in value.values():
            _refuse_rules(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_rules(inner)
