"""Pasted lists: of givens with their cells, as in `r1c3=9`, and boards anywhere in JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from satdoku.errors import RuleError
from satdoku.notation.pastes.ordering import by_boxes
from satdoku.notation.pastes.tables import flat_board, is_solution_of
from satdoku.notation.record import PUZZLE_NAMES
from satdoku.notation.rule_entries import refuse_rules_beside
from satdoku.puzzle.geometry import Geometry

_SIDE_OF_CLUES = 9
_GEOMETRY = Geometry.of_size(_SIDE_OF_CLUES)
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
    text = _without_numbers(_NO_VALUE.sub(r"\g<0>0", _DECLARED.sub("", "\n".join(lines)).strip()))
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
    # With all cells of a board in the list, 0 is an empty one.
    if len(clues) != _SIDE_OF_CLUES**2 and any(cell == "0" for *_, cell in clues):
        return []
    if is_certain:
        _refuse_repeated([(clue[0], clue[1]) for clue in clues])
    elif not _are_in_order(clues):
        return []
    return _board_of(clues, named != text)


# A line of a long table that has no digit for its cell, and the number of a puzzle, or of the line,
# before the three of a given: `(42, 1, 1, 5)`.
_NO_VALUE = re.compile(r"^\s*[0-9]\s*[,;\t]\s*[0-9]\s*[,;\t]\s*$(?!\n?\s*0)", re.MULTILINE)
_NUMBER_BEFORE = re.compile(
    r"((?:^|\()\s*)([0-9]{1,9})\s*[,;\t]\s*"
    r"(?=[0-9]\s*[,;\t]\s*[0-9]\s*[,;\t]\s*(?:[0-9]|NULL)\s*(?:\)|$))",
    re.MULTILINE | re.IGNORECASE,
)
_FEWEST_NUMBERED = 17


def _without_numbers(text: str) -> str:
    """The text without a number before each given that is the same in all, or counts them."""
    numbers = [int(match[2]) for match in _NUMBER_BEFORE.finditer(text)]
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) < _FEWEST_NUMBERED or steps not in ({0}, {1}):
        return text
    return re.sub("NULL", "0", _NUMBER_BEFORE.sub(r"\1", text), flags=re.IGNORECASE)


_SAID_PLACE = r"\br(?:ow)? ?([0-9])\W{0,4}c(?:ol(?:umn)?)? ?([0-9])\b"
_SAID_COLUMN = r"(?:\br(?:ow)? ?([0-9])\W{0,4})?\bc(?:ol(?:umn)?)? ?([0-9])\b"
_SAID_CELL = r"([0-9.]|blank|empty|space|nothing|none|unfilled|no value)(?!\w)"
_BETWEEN_SAID = r"(?:\W|\b(?:is|has|value|digit|number|contains|given|cell|at|in)\b){1,12}?"
_SAID_BEFORE = re.compile(rf"(?<!\w){_SAID_CELL}{_BETWEEN_SAID}{_SAID_PLACE}", re.IGNORECASE)
_SAID_BEHIND = re.compile(rf"{_SAID_COLUMN}{_BETWEEN_SAID}{_SAID_CELL}", re.IGNORECASE)
_SAID_FIRST = re.compile(rf"[^\w.]*(?:cell\W*)?{_SAID_CELL}", re.IGNORECASE)


def read_spoken(lines: Sequence[str]) -> list[str]:
    """A board as a screen reader says it: `Row 1 column 1 5 column 2 blank`, or the digit first."""
    text = "\n".join(line for line in lines if re.search("[0-9]", line))
    columns = len(re.findall(r"\bc(?:ol(?:umn)?)? ?[0-9]\b|\br[0-9]c[0-9]\b", text, re.IGNORECASE))
    said: list[tuple[str, str, str]] = []
    if _SAID_FIRST.match(text):
        said = [(match[2], match[3], match[1]) for match in _SAID_BEFORE.finditer(text)]
    else:
        row = ""
        for match in _SAID_BEHIND.finditer(text):
            row = match[1] or row
            said.append((row, match[2], match[3]))
    # Each cell that is named has to be understood, or a digit would be lost.
    if len(said) != columns or not all(row for row, *_ in said):
        return []
    clues = [(row, column, cell if cell in "123456789" else "0") for row, column, cell in said]
    has_blanks = any(cell == "0" for *_, cell in clues)
    if len(clues) < 2 * _FEWEST or (has_blanks and len(clues) != _SIDE_OF_CLUES**2):
        return []
    _refuse_repeated([(row, column) for row, column, _ in clues])
    return _board_of(clues, has_letters=False)


_COORDINATE = r"(-?[0-9]{1,5}(?:\.[0-9]{0,6})?)"
_NODE = re.compile(
    rf"\bat\s*\(\s*{_COORDINATE}\s*,\s*{_COORDINATE}\s*\)\s*\{{[^0-9{{}}]{{0,30}}\{{?\s*([1-9])\s*\}}"
)
_TEXT = re.compile(
    r"<text\b([^<>]{0,500})>\s*(?:<tspan\b([^<>]{0,300})>\s*)?([1-9])\s*<", re.IGNORECASE
)
_TURNED = re.compile(r"scale\s*=\s*-|y\s*=\s*\{?-|scale\([^()]*-|rotate", re.IGNORECASE)


def read_plotted(lines: Sequence[str]) -> list[str]:
    """Digits at places of a drawing, as TikZ and SVG have them.

    Some have to stand in each row and in each column, as nothing else says where these are.
    """
    text = "\n".join(lines)
    nodes = [(float(x), -float(y), digit) for x, y, digit in _NODE.findall(text)]
    plotted = nodes or [
        (_attribute("x", own + inner), _attribute("y", own + inner), digit)
        for own, inner, digit in _TEXT.findall(text)
    ]
    columns, rows = (_steps([place[n] for place in plotted]) for n in (0, 1))
    if not columns or not rows or _TURNED.search(text):
        return []
    cells = {(rows[y], columns[x]): digit for x, y, digit in plotted}
    if len(cells) != len(plotted):
        return []
    sides = range(_SIDE_OF_CLUES)
    return flat_board([cells.get((row, column), ".") for row in sides for column in sides])


def is_plotted(lines: Sequence[str]) -> bool:
    """Whether a text has digits at places of a drawing; its other numbers are no cells."""
    text = "\n".join(lines)
    return max(len(_NODE.findall(text)), len(_TEXT.findall(text))) >= _FEWEST


def _attribute(name: str, text: str) -> float:
    found = re.search(rf"\b{name}\s*=\s*[\"']?\s*{_COORDINATE}", text)
    return float(found[1]) if found else 0.0


def _steps(numbers: Sequence[float]) -> dict[float, int]:
    """The place in order of each of nine numbers that are equally far from each other; or none."""
    ordered = sorted({*numbers})
    steps = [after - before for before, after in pairwise(ordered)]
    if len(ordered) != _SIDE_OF_CLUES or max(steps) > 1.5 * min(steps):
        return {}
    return {number: place for place, number in enumerate(ordered)}


_NAMED_CANDIDATES = re.compile(r"[\"']([A-I])([1-9])[\"']\s*:\s*[\"']([1-9]{1,9})[\"']")


def read_named_candidates(lines: Sequence[str]) -> list[str]:
    """The candidates of all cells by their names, `{'A1': '5', 'A2': '347', ...}`."""
    found = _NAMED_CANDIDATES.findall("\n".join(lines))
    cells = {(row, column): digits for row, column, digits in found}
    if len(found) != _SIDE_OF_CLUES**2 or len(cells) != len(found):
        return []
    ordered = [cells[row, column] for row in "ABCDEFGHI" for column in "123456789"]
    return ["".join(d if d in cell else "." for cell in ordered for d in "123456789")]


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
    is_clear = has_letters or (least == 0) != (most == _SIDE_OF_CLUES)
    start = 0 if least == 0 else 1
    # Of a smaller board none is that large.
    is_large = max(most, *(int(digit) for *_, digit in clues)) > 6
    is_clear = is_clear or len(clues) == _SIDE_OF_CLUES**2
    if not is_clear or not is_large or len({*places}) != len(places):
        return []
    cells = ["."] * _SIDE_OF_CLUES**2
    for (row, column), (*_, digit) in zip(places, clues, strict=True):
        cells[(row - start) * _SIDE_OF_CLUES + column - start] = digit if digit != "0" else "."
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


# Lists that hold the cells of a box, or of a column, under the name for all of them.
_BY_BOXES = re.compile("box(es)?|blocks?|sub-?grids?|nonets?|regions?3x3|quadrants?")
_BY_COLUMNS = re.compile("col(umn)?s?")
# `"box1": [...], "box2": [...]`, and the same for rows and columns.
_NUMBERED = re.compile("([a-z]+)[ _-]?([0-9])")


def _boards_in(value: Any, key: str) -> Iterator[tuple[str, list[str]]]:
    """The boards of 9x9 in a value, each with the last key on the way to it."""
    key, value = _with_lists(key.lower(), value)
    cells = _cells_of_value(value)
    if flat_board(cells) and len(cells) == _SIDE_OF_CLUES**2:
        if _BY_BOXES.fullmatch(key):
            cells = by_boxes(cells, _GEOMETRY)
        elif _BY_COLUMNS.fullmatch(key):
            cells = [
                cell for column in range(_SIDE_OF_CLUES) for cell in cells[column::_SIDE_OF_CLUES]
            ]
        yield key, cells
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _boards_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _boards_in(inner, key)


def _with_lists(key: str, value: Any) -> tuple[str, Any]:
    """The key and its value, as one list of nine where it was said in other ways.

    Boxes may be lists of rows, or objects that have their cells in a list; and the nine may be
    entries of an object, each with its number.
    """
    if isinstance(value, dict) and len(value) == _SIDE_OF_CLUES:
        names = [_NUMBERED.fullmatch(name.lower()) for name in value]
        if len({name[1] for name in names if name}) == 1 and all(names):
            numbers = [name[2] for name in names if name]
            ordered = sorted(zip(numbers, value.values(), strict=True), key=itemgetter(0))
            return names[0][1] if names[0] else key, [each for _, each in ordered]
    if not isinstance(value, list) or len(value) != _SIDE_OF_CLUES:
        return key, value
    if _BY_BOXES.fullmatch(key) and all(isinstance(each, dict) for each in value):
        value = [next((e for e in each.values() if isinstance(e, list)), None) for each in value]
    if all(map(_is_box, value)):
        return "boxes", [[cell for row in box for cell in row] for box in value]
    return key, value


def _is_box(value: Any) -> bool:
    """Whether a value has three lists of three, which nine rows have not."""
    is_list = isinstance(value, list) and len(value) == 3
    return is_list and all(isinstance(row, list | str) and len(row) == 3 for row in value)


def _cells_of_value(value: Any) -> list[str]:
    """The texts of cells that a list of rows, of all cells, or a text may be."""
    if isinstance(value, str):
        return list("".join(value.split()))
    if not isinstance(value, list):
        return []
    if value and all(isinstance(cell, dict) for cell in value):
        return _cells_of_objects(value)
    rows = [row if isinstance(row, list | str) else [row] for row in value]
    rows = [[_digit_of(cell) for cell in row] for row in rows]
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


# What objects say of a cell that the player may fill.
_GIVEN_KEYS = (
    "isgiven",
    "given",
    "fixed",
    "isfixed",
    "locked",
    "readonly",
    "prefilled",
    "isinitial",
)


def _digit_of(cell: Any) -> Any:
    """The digit of a cell that is an object; a digit that was entered is none."""
    if not isinstance(cell, dict):
        return cell
    named = {name.lower(): value for name, value in cell.items()}
    digit = next((named[name] for name in _CELL_KEYS[2] if name in named), cell)
    is_given = next((named[name] for name in _GIVEN_KEYS if name in named), True)
    return digit if is_given is not False else None


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
    is_known = {type(number) for number in numbers} == {int} and numbers & {0, _SIDE_OF_CLUES}
    if not is_known or not numbers <= {*range(lowest, lowest + _SIDE_OF_CLUES)}:
        return []
    digits = {place: digit for place, (*_, digit) in zip(places, clues, strict=True)}
    if len(digits) < len(places):
        return []
    sides = range(lowest, lowest + _SIDE_OF_CLUES)
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
