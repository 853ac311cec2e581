"""Readings of a pasted text that no format fits, and its likely fault if no reading fits either."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, pairwise, product
from math import isqrt
from operator import itemgetter
from typing import Any

from satdoku.errors import FormatError, RuleError, count_of, quote
from satdoku.notation.line_kind import is_border
from satdoku.notation.pastes.undressing import (
    by_boxes,
    undress,
    with_dots,
    without_labels,
    without_prose,
)
from satdoku.notation.record import PUZZLE_NAMES
from satdoku.notation.rule_entries import RULE_COLUMNS, RULE_KEYS, refuse_rules_beside
from satdoku.notation.spelling import (
    NO_BOARD,
    has_boxes,
    is_blank,
    read_number,
    row_fault,
    size_of_count,
    speaks_of,
    speaks_of_no_board,
)
from satdoku.puzzle.grid import Geometry

# Pasted boards in rows: runs of cells, tables with empty fields, drawings with spaces for blanks.
#
# Ambiguities have to be resolved in exactly one way: how many columns a gap between boxes takes, or
# where a board begins whose blanks are spaces. If two ways fit, there is no board.

_RUN = re.compile(r"(?<![A-Za-z0-9.])[0-9.]+(?![A-Za-z0-9.])")
_WORD = re.compile(r"[A-Za-z]{3}")
_SIDE, _CELLS = 9, 81

_SEPARATORS = "\t|&;,"
_LEVEL = r"=[= ]+"
_RULE = re.compile(r"[\s|:+=-]*")
_SIZES = (9, 4, 6, 8, 10, 12, 16)
"""Sizes of boards that are pasted as tables; 9x9 is tried first."""


def flat_board(cells: Sequence[str]) -> list[str]:
    """Return the cells as a JSON list if they look like cells and their number is a board's."""
    size = size_of_count(len(cells))
    if size is None or isqrt(len(cells)) < 4:
        return []
    digits = [0 if is_blank(cell) else read_number(cell) for cell in cells]
    if not any(digits) or not all(digit is not None and digit <= size for digit in digits):
        return []
    # If a rule makes 0 a digit, other signs are still blanks.
    blanks = (0 if cell == "0" else None for cell in cells)
    return [json.dumps([digit or blank for digit, blank in zip(digits, blanks, strict=True)])]


# Runs of cells


def read_runs(lines: Sequence[str]) -> list[str]:
    """Read cells in runs of equal length, with any text between them.

    Nine lines of nine cells are rows. All 81 may also be on one line, or on wrapped lines.
    """
    # A text with one cell on each line, and brackets around rows, is a list in a program.
    if any(re.search(r"[\[\](){}]", line) and len(line.strip()) < 3 for line in lines):
        lines = [line for line in lines if len(line.strip()) > 3]
    rows = ((line, _RUN.findall(with_dots(line))) for line in lines)
    if _are_dotted(lines):
        return flat_board("".join(lines).replace(",", "."))
    # Lines with words and some numbers are a heading, or part of a program.
    shown = [runs for line, runs in rows if runs and (_is_even(runs) or not _WORD.search(line))]
    return _side_by_side(shown) or _in_a_stream(shown)


def _are_dotted(lines: Sequence[str]) -> bool:
    """Whether these are nine lines of nine digits and dots, some of them scanned as commas.

    Commas that separate cells have one cell between any two of them.
    """
    shown = [line.strip() for line in lines if line.strip()]
    is_square = len(shown) == _SIDE and all(re.fullmatch("[1-9.,]{9}", line) for line in shown)
    return is_square and any(re.search("[1-9][1-9]|[.,]{2}", line) for line in shown)


def _is_even(runs: Sequence[str]) -> bool:
    """Whether these runs of one length may be the cells of whole rows."""
    return len({*map(len, runs)}) == 1 and sum(map(len, runs)) >= _SIDE


def _side_by_side(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return nine rows of one board, or of a board with its solution to the right of it."""
    if len(rows) != _SIDE:
        return []
    if all(len(runs) == 2 and {*map(len, runs)} == {_SIDE} for runs in rows):
        left, right = ("".join(runs[side] for runs in rows) for side in (0, 1))
        return flat_board(left) if is_solution_of(right, left) else []
    return _in_a_stream(rows)


def _in_a_stream(rows: Sequence[Sequence[str]]) -> list[str]:
    counts = [sum(map(len, runs)) for runs in rows]
    # If two rows were joined, the line still has a whole number of rows.
    if sum(counts) == _CELLS and all(count % _SIDE == 0 for count in counts):
        counts = [_SIDE] * _SIDE
    # Rows of 8 and of 10 cells are a damaged board: only the last line may be shorter.
    if sum(counts) != _CELLS or len({*counts[:-1]}) > 1 or counts[-1] > counts[0]:
        return []
    lengths = {len(run) for runs in rows for run in runs}
    is_even = len(lengths) == 1 and _SIDE % min(lengths) in (0, _SIDE)
    is_broken = all(len(runs) == 1 for runs in rows) and len(rows) < _SIDE
    cells = "".join(map("".join, rows))
    # Cells without blanks have to be in rows: 27 givens with their cells are 81 digits as well.
    has_sense = len(rows) == _SIDE or any(map(is_blank, cells))
    return flat_board(cells) if has_sense and (is_even or is_broken) else []


def is_solution_of(solution: Sequence[str], puzzle: Sequence[str]) -> bool:
    """Whether a board is full, and has the digits of the other one, which is not full."""
    pairs = list(zip(solution, puzzle, strict=True))
    is_full = not any(is_blank(cell) for cell in solution)
    has_blanks = any(is_blank(given) for given in puzzle)
    return is_full and has_blanks and all(is_blank(given) or given == cell for cell, given in pairs)


# Tables


def read_table(lines: Sequence[str]) -> list[str]:
    """Read a table in which an empty field is an empty cell, with tabs, bars, commas or `&`.

    There may be empty columns and lines around it and between its boxes.
    """
    for separator in _SEPARATORS:
        rows = _fields_of(lines, separator)
        if len(rows) == 1:
            return flat_board([field or "." for field in rows[0]])
        for size in _SIZES:
            boards = _distinct(_tables_in(rows, size))
            if boards:
                return _only(boards)
    return []


def _distinct(boards: Iterable[Sequence[str]]) -> set[tuple[str, ...]]:
    """Return the different boards that a text may be."""
    return {tuple(cells) for cells in boards}


def _only(boards: Collection[Sequence[str]]) -> list[str]:
    """Return the board if there is exactly one; else an empty list."""
    return flat_board(*boards) if len(boards) == 1 else []


def _fields_of(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the fields of the lines that have the separator; with tabs, of all lines."""
    # Trailing tabs may be lost, so that a line of the table may have none.
    drawn = [line for line in lines if separator in line or (separator == "\t" and _is_bare(line))]
    if not any(separator in line for line in drawn):
        return []
    shown = [line.strip(" ") for line in drawn if not _RULE.fullmatch(line) or "-" not in line]
    if separator == "|":
        shown = _without_outer_bars(shown)
    rows = [[field.strip(" *`\"'") for field in with_dots(line).split(separator)] for line in shown]
    width = max(map(len, rows), default=0)
    # If empty cells have a sign of their own, no field was lost.
    has_sign = any(field and is_blank(field) for row in rows for field in row)
    if separator == "\t" and not has_sign and not any(line.endswith("\t") for line in shown):
        rows = [row + [""] * (width - len(row)) for row in rows]
    # Lines before the first row of cells, such as a header of words, are dropped.
    return list(dropwhile(lambda row: not all(map(_is_cell, row)), rows))


def _is_bare(line: str) -> bool:
    return len(line.strip()) == 1


def _is_cell(field: str) -> bool:
    return is_blank(field) or field.isdecimal()


def _without_outer_bars(lines: Sequence[str]) -> list[str]:
    bare = [line for line in lines if line.strip("| ")] or lines
    if all(line.startswith("|") for line in bare):
        lines = [line.removeprefix("|") for line in lines]
    # In `|5 | |`, where the last cell is empty, the last bar is needed.
    if all(line.endswith("|") for line in bare):
        lines = [line.removesuffix("|") for line in lines]
    return list(lines)


def _tables_in(rows: Sequence[Sequence[str]], size: int) -> Iterator[list[str]]:
    """Yield the boards of that size that remain without empty columns and lines."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or len(rows) < size or min(widths) < size:
        return
    box = Geometry.of_size(size)
    above = [not any(row) for row in rows]
    beside = [not any(column) for column in zip(*rows, strict=True)]
    for downs, acrosses in product(
        _places(above, size, box.box_rows), _places(beside, size, box.box_columns)
    ):
        yield [rows[down][across] for down in downs for across in acrosses]


def _places(are_empty: Sequence[bool], size: int, box: int) -> Iterator[list[int]]:
    """Yield the possible places of a board's rows or columns among others that are all empty."""
    for gap in (0, 1):
        wanted = [place + place // box * gap for place in range(size)]
        for start in range(len(are_empty) - wanted[-1]):
            places = [start + place for place in wanted]
            if all(is_empty for n, is_empty in enumerate(are_empty) if n not in places):
                yield places


# Drawings with spaces for blanks


def read_spaces(lines: Sequence[str]) -> list[str]:
    """Read a line for each row with spaces for blanks: close together, spaced, or between bars."""
    shown = [line for line in lines if line.strip()]
    if len(shown) == 1 and len(shown[0]) == _CELLS and re.fullmatch("[0-9 ]+", shown[0]):
        return flat_board(shown[0].replace(" ", ".")) if _touch(shown) else []
    drawn = [line for line in lines if not (is_border(line) or re.fullmatch(_LEVEL, line))]
    # Empty lines at the ends are no rows of the board; a line of spaces is a row.
    drawn = "\n".join(drawn).strip("\n").split("\n")
    # An empty line is an empty row, or is between two bands.
    boards = _distinct(_drawn_in(drawn)) or _distinct(_drawn_in(list(filter(str.strip, drawn))))
    return _only(boards)


def _touch(rows: Iterable[str]) -> bool:
    """Whether digits stand side by side somewhere; if not, spaces may separate them."""
    return any(re.search("[1-9][1-9]", row) for row in rows)


def _may_be_drawn(rows: Sequence[str]) -> bool:
    """Whether these are the rows of a small board, with only digits, bars and spaces."""
    size = len(rows)
    if not (4 <= size <= _SIDE and has_boxes(size)):
        return False
    return all(re.fullmatch(f"[ |1-{size}]*", row) for row in rows)


def _drawn_in(rows: Sequence[str]) -> Iterator[list[str]]:
    """Yield the boards whose rows these may be."""
    if not _may_be_drawn(rows):
        return
    size = len(rows)
    rows = [row.replace("||", "|") for row in rows]
    # Trailing spaces show that no spaces were lost, so all rows have to be equally long.
    if any(row.endswith(" ") for row in rows) and len({*map(len, rows)}) > 1:
        return
    width = max(len(row.rstrip()) for row in rows)
    padded = (row.ljust(width)[:width] for row in rows)
    columns = ["".join(column) for column in zip(*padded, strict=True)]
    bars = [n for n, column in enumerate(columns) if "|" in column]
    digits = {n for n, column in enumerate(columns) if re.search("[0-9]", column)}
    if not digits or any(columns[bar].strip("|") for bar in bars):
        return
    # If no row has a space at the first digit's place, the digits there are labels, or blanks were
    # lost.
    if not bars and " " not in columns[min(digits)]:
        return
    for places in _layouts(width, size):
        if digits <= {*places} and _fits(places, size, bars, digits, width, rows):
            cells = [row.ljust(places[-1] + 1)[place] for row in rows for place in places]
            yield [cell.strip() or "." for cell in cells]


def _layouts(width: int, size: int) -> Iterator[list[int]]:
    """Yield the possible columns: up to four characters apart, and more between boxes."""
    box = Geometry.of_size(size).box_columns
    for step, gap, start in product(range(1, 5), range(5), range(width)):
        places = [start + n * step + n // box * gap for n in range(size)]
        # If trailing spaces were lost, lines may be a column shorter.
        if places[-2] < width <= places[-1] + 2 + step:
            yield places


def _fits(
    places: Sequence[int],
    size: int,
    bars: Sequence[int],
    digits: set[int],
    width: int,
    rows: Sequence[str],
) -> bool:
    """Whether bars are in the middle between boxes; without bars, whether columns are certain."""
    box = Geometry.of_size(size).box_columns
    if bars:
        between = [(places[n - 1] + places[n]) / 2 for n in range(box, size, box)]
        inner = [bar for bar in bars if places[0] < bar < places[-1]]
        return inner == between
    neighbours = {*pairwise(places)}
    has_pair = any(
        row[left : left + 1].isdigit() and row[right : right + 1].isdigit()
        for row in rows
        for left, right in neighbours
    )
    fills_lines = places[0] == 0 and all(len(row) == places[-1] + 1 for row in rows)
    # Digits in every second column may be a spaced board whose blanks were lost.
    is_spaced = places[1] - places[0] == 1 and not _touch(rows)
    return has_pair and not is_spaced and (fills_lines or places[0] in digits)


# Pasted lists: givens with their cells, as in `r1c3=9`, and boards anywhere in JSON.

_SIDE_OF_CLUES = 9
_GEOMETRY = Geometry.of_size(_SIDE_OF_CLUES)
# Fewer givens are a remark about a board; a puzzle has at least 17.
_FEWEST = 8

# Meanings of the next number. Words for both have to occur, as the x of `X[0][2] = 9` alone is no
# column.
_ROW, _COLUMN = "row", "column"
_KINDS = dict.fromkeys(("r", "row", "y", "i"), _ROW)
_KINDS |= dict.fromkeys(("c", "col", "column", "x", "j"), _COLUMN)
# Letters of rows, as in `A3`: most texts about Sudoku letter rows. In `R1C3` only C matches.
_LETTERED = re.compile(r"(?<![A-Za-z])([A-I])(?=[1-9])", re.IGNORECASE)
_LETTER_ABOVE = re.compile(r"^[ \t]*([A-I])(?=[:.)=])", re.IGNORECASE | re.MULTILINE)
_FEWEST_LETTERS = 4
# Lines without givens in languages of solvers, and the end of a clause in DIMACS.
_DECLARED = re.compile(r"^\s*(?:p cnf\b|\(declare|\(set-|param .*:=$).*$", re.MULTILINE)
_CLAUSES = re.compile(r"\s*(?:[0-9]+[ \t]+0[ \t]*(?:\n|$))+\s*")
# Signs before the digit of a given, but not before the third number of other lists.
_GIVES = re.compile(r"[=:>]|is|at|in")


def read_clues(lines: Sequence[str]) -> list[str]:
    """Read a list of givens with their cells, and no other digits.

    Each given has three digits with the same signs between them: `r1c3=9`, `(1, 3, 9)`, `A39`, `9
    at row 1, column 3`, `(assert (= x13 9))`. A row may stand once before all of its cells.
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
    # If all cells of a board are listed, 0 is an empty one.
    if len(clues) != _SIDE_OF_CLUES**2 and any(cell == "0" for *_, cell in clues):
        return []
    if is_certain:
        _refuse_repeated([(clue[0], clue[1]) for clue in clues])
    elif not _are_in_order(clues):
        return []
    return _board_of(clues, named != text)


# A line of a long table for a cell without a digit; and a number (of the puzzle, or of the line)
# before the three numbers of a given: `(42, 1, 1, 5)`.
_NO_VALUE = re.compile(r"^\s*[0-9]\s*[,;\t]\s*[0-9]\s*[,;\t]\s*$(?!\n?\s*0)", re.MULTILINE)
_NUMBER_BEFORE = re.compile(
    r"((?:^|\()\s*)([0-9]{1,9})\s*[,;\t]\s*"
    r"(?=[0-9]\s*[,;\t]\s*[0-9]\s*[,;\t]\s*(?:[0-9]|NULL)\s*(?:\)|$))",
    re.MULTILINE | re.IGNORECASE,
)
_FEWEST_NUMBERED = 17


def _without_numbers(text: str) -> str:
    """Remove the number before each given if it is the same for all givens, or counts them."""
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
    """Read a board as screen readers say it: `Row 1 column 1 5 column 2 blank`, or digit first."""
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
    """Read digits at coordinates of a drawing, as in TikZ and SVG.

    Every row and every column needs a digit, as only these show where it is.
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
    """Whether a text has digits at coordinates of a drawing; its other numbers are no cells."""
    text = "\n".join(lines)
    return max(len(_NODE.findall(text)), len(_TEXT.findall(text))) >= _FEWEST


def _attribute(name: str, text: str) -> float:
    found = re.search(rf"\b{name}\s*=\s*[\"']?\s*{_COORDINATE}", text)
    return float(found[1]) if found else 0.0


def _steps(numbers: Sequence[float]) -> dict[float, int]:
    """Return the index of each of nine equally spaced numbers; empty for others."""
    ordered = sorted({*numbers})
    steps = [after - before for before, after in pairwise(ordered)]
    if len(ordered) != _SIDE_OF_CLUES or max(steps) > 1.5 * min(steps):
        return {}
    return {number: place for place, number in enumerate(ordered)}


_NAMED_CANDIDATES = re.compile(r"[\"']([A-I])([1-9])[\"']\s*:\s*[\"']([1-9]{1,9})[\"']")


def read_named_candidates(lines: Sequence[str]) -> list[str]:
    """Read the candidates of all cells by name, `{'A1': '5', 'A2': '347', ...}`."""
    found = _NAMED_CANDIDATES.findall("\n".join(lines))
    cells = {(row, column): digits for row, column, digits in found}
    if len(found) != _SIDE_OF_CLUES**2 or len(cells) != len(found):
        return []
    ordered = [cells[row, column] for row in "ABCDEFGHI" for column in "123456789"]
    return ["".join(d if d in cell else "." for cell in ordered for d in "123456789")]


def _with_rows(text: str) -> str:
    """Return the text with `r1c3` for `A3`, and `r1` for the letter before a line of cells."""
    for pattern, behind in ((_LETTERED, "c"), (_LETTER_ABOVE, "")):
        if len({letter.upper() for letter in pattern.findall(text)}) >= _FEWEST_LETTERS:
            parts = pattern.split(text)
            parts[1::2] = [f"r{_number(letter)}{behind}" for letter in parts[1::2]]
            text = "".join(parts)
    return text


def _spread(text: str) -> str:
    """Return `R1: C3=9, C4=7` with the row before each of its cells; empty for other texts.

    The same is done for a column before rows, and for a digit before cells.
    """
    lines = [re.split("([0-9])", line) for line in text.split("\n") if re.search("[0-9]", line)]
    leads = [parts[1] for parts in lines]
    # Each line has a number and then pairs; if every line has one pair, no number is left out.
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
    """Return the signs between two digits, without spaces; a line end is a sign."""
    return re.sub(r"\s", "", text).lower() or ("\n" if "\n" in text else text[:1])


def _are_alike(between: Sequence[str]) -> bool:
    """Whether all givens have the same signs between their digits, and the same words around."""
    first, second = ({*map(_signs, between[n:-1:3])} for n in (1, 2))
    around = {*map(_signs, between[3:-1:3])}
    is_apart = "" not in around and not (first == second and first & around)
    has_words = len({*map(_letters, between[3:-1:3])}) == 1
    return len(first) == len(second) == 1 and is_apart and has_words


def _kinds(between: Sequence[str]) -> tuple[tuple[str | None, ...], bool]:
    """Return the meanings of the three numbers of a given, and whether the text states them."""
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
    """Refuse a list that names a cell twice; its digits alone might be those of a board."""
    (place, count), *_ = Counter(places).most_common(1)
    if count > 1:
        raise RuleError(f"this list of givens has the cell {','.join(place)} {count} times")


def _board_of(clues: Sequence[Sequence[str]], has_letters: bool) -> list[str]:
    places = [(_number(row), int(column)) for row, column, _ in clues]
    least, most = (pick(map(pick, places)) for pick in (min, max))
    # The numbers have to show whether they count from 0 or from 1.
    is_clear = has_letters or (least == 0) != (most == _SIDE_OF_CLUES)
    start = 0 if least == 0 else 1
    # A smaller board has no number above 6.
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
    """Read the board anywhere in a JSON value; a RuleError if rules stand beside it.

    Of several boards, the one under a usual name of puzzles is read; solutions do not count.
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


# Names of a list with the cells of a box or column, and of the list of all such lists.
_BY_BOXES = re.compile("box(es)?|blocks?|sub-?grids?|nonets?|regions?3x3|quadrants?")
_BY_COLUMNS = re.compile("col(umn)?s?")
# `"box1": [...], "box2": [...]`, and likewise for rows and columns.
_NUMBERED = re.compile("([a-z]+)[ _-]?([0-9])")


def _boards_in(value: Any, key: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the boards of 9x9 in a value, each with the innermost key above it."""
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
    """Return the key and its value, with nine rows, boxes or columns converted to a list of nine.

    Boxes may be lists of rows, or objects with their cells in a list; the nine may be entries of an
    object, each with its number.
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
    """Whether a value has three lists of three, unlike nine rows."""
    is_list = isinstance(value, list) and len(value) == 3
    return is_list and all(isinstance(row, list | str) and len(row) == 3 for row in value)


def _cells_of_value(value: Any) -> list[str]:
    """Return the texts of cells in a list of rows, a list of all cells, or a text."""
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
    # Texts in lists are a digit, empty, or a space.
    return [
        "." if cell in (None, False) else str(cell).strip() or "." for row in rows for cell in row
    ]


# Keys of objects for the row, the column and the digit of a cell.
_CELL_KEYS = (
    ("row", "r", "y"),
    ("column", "col", "c", "x"),
    ("value", "digit", "number", "val", "v", "given"),
)


# Keys of objects that mark a cell which the player may fill.
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
    """Return the digit of a cell that is an object; a digit that was entered does not count."""
    if not isinstance(cell, dict):
        return cell
    named = {name.lower(): value for name, value in cell.items()}
    digit = next((named[name] for name in _CELL_KEYS[2] if name in named), cell)
    is_given = next((named[name] for name in _GIVEN_KEYS if name in named), True)
    return digit if is_given is not False else None


def _cells_of_objects(objects: Sequence[dict[str, Any]]) -> list[str]:
    """Return the cells of 9x9 from objects: `{"row": 0, "col": 4, "value": 7}`.

    Empty if a cell is there twice, or if no row or column is the first or the last, so that it is
    unknown whether they count from 0 or 1.
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


Reading = Callable[[Sequence[str]], list[str]]
"""A function from the lines of a text to its boards, each as text in a usual format."""

# Words of other lengths are too often no board.
_USUAL_CELLS = 81
_CELL_SIGNS = "0-9" + re.escape(".*_?-")
# 81 cells without a neighbour that might be a further cell: in an address, in XML, in a list of
# games. A + before a digit marks it as found and not given (HoDoKu).
_BOARD = re.compile(rf"(?<![\w.+])(?:[.0-9]|\+[1-9]){{{_USUAL_CELLS}}}(?![\w.])")
_OTHER_CELLS = re.compile(rf"[{_CELL_SIGNS}]{{16,}}")  # the cells of the smallest usual board
# The parts of a saved cell: the digit, one or two lists of marks, whether it is open. The number of
# lists is not an alternation for each cell, which would backtrack for very long.
_MARKS = r"[0-9,-]*\|"
_SAVED = re.compile(rf"(?:[0-9]\|{_MARKS}[01]\|){{81}}|(?:[0-9]\|{_MARKS}{_MARKS}[01]\|){{81}}")
_STRING = re.compile(r"([\"'])(.*?)\1")
_NUMBER_OR_NONE = re.compile(r"\d+|[\"']([^\"']?)[\"']|\.|_")
# `int board[9][9] = {` declares the size of the board, and has no cells there.
_DECLARED_SIZES = re.compile(r"(?<=\w)(?:\[\d*\])+")

_USUAL_SIDE = 9
_CELL = re.compile(r"[0-9.*_?xX-]")
# With fewer or more rows, a text is probably no board of 9x9.
_NEAR_ROWS = range(_USUAL_SIDE - 2, _USUAL_SIDE + 4)
# The fewest givens of a puzzle.
_FEWEST_GIVENS = 17

# The message for a line of some words, or for the first line of a wrapped board.
_FEW = re.compile(r"(?:[1-6]?[0-9]|7[01]) cells? found, expected 81\b")

_NAMED_CELL = re.compile(r"\bcol(?:umn)? ?[0-9]|\br[0-9]c[0-9]", re.IGNORECASE)

# Letters that a scanner, or a person, confuses with digits.
_MISREAD = dict(
    zip(
        "lIi!OoQDSs$B&ZzGbqgTA\u0417\u0437\u0431\u041e\u043e\u0427\u0422",
        "1111000055588226699743360047",
        strict=True,
    )
)

# An entry with rules; `[]`, `{}`, `""` and null say that there are none.
_RULE_ENTRY = re.compile(
    rf"""["'](?:{"|".join(RULE_KEYS)})["']\s*:(?!\s*(?:\[\s*\]|\{{\s*\}}|""|''|null|None))""",
    re.IGNORECASE,
)
_RULE_COLUMN = re.compile(rf'"?(?:{"|".join(RULE_COLUMNS)})"?', re.IGNORECASE)


def names_rules(lines: Sequence[str]) -> bool:
    """Whether a text has rules beside its board, which readings of a paste would lose.

    >>> names_rules(['{"puzzle": "1...", "rules": ["diagonals"]}'])
    True
    >>> names_rules(["Rules: as usual", "1..."])
    False
    """
    text = "\n".join(lines)
    if _RULE_ENTRY.search(text):
        return True
    fields = (re.split("[,;\t]", line) for line in lines)
    return any(len(row) > 1 and any(map(_RULE_COLUMN.fullmatch, row)) for row in fields)


def read_words(lines: Sequence[str]) -> list[str]:
    """Read words of 81 cells anywhere in the text: `?bd=...`, `data="..."`, `:0000:x:...:`.

    Empty if another line has only cells, as it may be a puzzle of another size, or if damaged rows
    are beside them.
    """
    text = "\n".join(lines)
    beside = [line.strip() for line in lines if not _BOARD.search(line)]
    if any(_OTHER_CELLS.fullmatch(line) for line in beside) or _uneven_rows(beside):
        return []
    return [re.sub(r"\+[1-9]", ".", match[0]) for match in _BOARD.finditer(text)]


def read_saved(lines: Sequence[str]) -> list[str]:
    """Read a game saved by OpenSudoku: for each cell its digit, its marks, whether it is open."""
    found = [match[0].split("|")[:-1] for match in _SAVED.finditer("\n".join(lines))]
    width = len(found[0]) // _USUAL_CELLS if len(found) == 1 else 0
    # A digit that the player wrote into an open cell is not given.
    cells = zip(found[0][::width], found[0][width - 1 :: width], strict=True) if width else ()
    return flat_board(["." if is_open == "1" else digit for digit, is_open in cells])


def read_code(lines: Sequence[str]) -> list[str]:
    """Read a list in a program: numbers in brackets or braces, or a string for each row."""
    text = "\n".join(line.split("//")[0] for line in lines)
    strings = [match[2] for match in _STRING.finditer(text)]
    if len(strings) > 1 and {len(row) for row in strings} == {len(strings)}:
        return ["\n".join(row.replace(" ", ".") for row in strings)]
    text = _DECLARED_SIZES.sub("", text)
    groups = list(_groups(text))
    # The longest group with a board is taken, as text around the board may have brackets too.
    # Without an outer group, the groups are the rows of the board.
    boards = (_list_in(group) for group in sorted(groups, key=len, reverse=True))
    outer = ", ".join(_groups(text, deepest=1))
    return next(filter(None, boards), []) or _list_in(outer)


def _list_in(group: str) -> list[str]:
    """Return the board of a list; its rows (or else its lines) have to be equally long."""
    rows = re.findall(r"[\[{(][^\[{()}\]]*[)}\]]", group[1:])
    counts = list(filter(None, (len(_cell_signs_in(row)) for row in rows or group.split("\n"))))
    # A list that was wrapped has a shorter line at its end.
    is_even = len({*counts[:-1]}) < 2 and counts[-1:] <= counts[:1]
    return flat_board(_cell_signs_in(group)) if is_even else []


def _cell_signs_in(text: str) -> list[str]:
    """Return the cells of a list in a program; empty if it has words, as a function call has."""
    text = with_dots(text)
    if re.search("[A-Za-z]", text):
        return []
    found = [
        match[1] if match[1] is not None else match[0] for match in _NUMBER_OR_NONE.finditer(text)
    ]
    return [cell.strip() or "." for cell in found]


def _groups(text: str, deepest: int = 4) -> Iterator[str]:
    """Yield the text in brackets, also in nested ones down to some depth."""
    starts: list[int] = []
    for match in re.finditer(r"[\[{(\]})]", text):
        if match[0] in "[{(":
            starts.append(match.start())
        elif starts:
            start = starts.pop()
            if len(starts) < deepest:
                yield text[start : match.end()]


def read_cell_lines(lines: Sequence[str]) -> list[str]:
    """Read one cell a line; an empty line counts as a cell only if all are needed to make 81."""
    whole = [*lines[:_USUAL_CELLS], *filter(None, lines[_USUAL_CELLS:])]
    if len(whole) == _USUAL_CELLS and all(len(line.strip()) < 2 for line in whole):
        return flat_board([line.strip() or "." for line in whole])
    cells = [line.strip(" \t,;\"'") for line in lines if line.strip()]
    # Boards that people write cell by cell have no numbers of three digits.
    return flat_board(cells) if all(len(cell) <= 2 for cell in cells) else []


def read_wiki(lines: Sequence[str]) -> list[str]:
    """Read a MediaWiki table: rows begin with `|-`, cells follow `||` or are on their own lines."""
    if not any(line.lstrip().startswith("{|") for line in lines):
        return []
    rows: list[list[str]] = [[]]
    for line in map(str.strip, lines):
        if line.startswith("|-"):
            rows.append([])
        elif line.startswith("|") and not line.startswith(("|}", "|+")):
            # `| style="..." | 5` has its cell after the last single bar.
            fields = line[1:].split("||")
            rows[-1] += [field.rpartition("|")[2].strip(" '") or "." for field in fields]
    rows = list(filter(None, rows))
    is_even = len({*map(len, rows)}) == 1
    return flat_board([cell for row in rows for cell in row]) if is_even else []


def read_candidates(lines: Sequence[str]) -> list[str]:
    """Read a grid of pencil marks: 81 words of digits, some of them of several digits."""
    words = [word for line in lines for word in re.findall(r"[^\s|:+*'.,{}()\[\]-]+", line)]
    size = size_of_count(len(words))
    # Digits above 9 would run together; with one digit in each cell it is a board without marks.
    if size is None or size > 9 or max(map(len, words)) < 2:
        return []
    digits = "123456789"[:size]
    if not all(set(word) <= set(digits) and len(set(word)) == len(word) for word in words):
        return []
    return ["".join(d if d in word else "." for word in words for d in digits)]


def readings_of(lines: Sequence[str]) -> dict[str, Reading]:
    """Return the readings of a text that people may have written around a board, by name.

    A text that names rules has none, as no reading takes rules.
    """
    return {} if names_rules(lines) else READINGS


def whole_readings_of(lines: Sequence[str]) -> dict[str, Reading]:
    """Return the readings that are final if they find a board.

    Other readings would take the row and column numbers in a list of givens for cells.
    """
    return {} if names_rules(lines) else WHOLE_READINGS


WHOLE_READINGS: dict[str, Reading] = {
    "JSON": read_json,
    "a list of givens": read_clues,
    "cells as they are read aloud": read_spoken,
    "candidates by the names of cells": read_named_candidates,
    "a saved game": read_saved,
}
READINGS: dict[str, Reading] = {
    "words of 81 cells": read_words,
    "runs of cells": read_runs,
    "a list in a program": read_code,
    "a cell on each line": read_cell_lines,
    "a table": read_table,
    "a table of MediaWiki": read_wiki,
    "rows with spaces for blanks": read_spaces,
    "pencil marks": read_candidates,
}
"""All of these are tried; if two find different boards, both are rejected."""


def likely_fault(
    lines: Sequence[str], told: str, is_board: Callable[[list[str]], bool], source: str
) -> FormatError | None:
    """Return the likely fault of a board in these lines; None if nothing suggests a 9x9 board.

    `told` is the fault from their usual format; if it is about 9x9 too, it has the better place.
    `is_board` tells whether corrected lines could be read.
    """
    bare = undress(lines)
    bare = without_prose(bare) or bare
    bare = without_labels(bare) or bare
    if message := _misread(bare, is_board):
        return FormatError(message, source, *_place_of_misread(lines))
    message = _lost_blanks(bare)
    if not message and (not speaks_of(told, _USUAL_SIDE) or _FEW.match(told)):
        message = _uneven_rows(bare) or _no_board(lines, told)
    return FormatError(message, source, 1, 1) if message else None


def _no_board(lines: Sequence[str], told: str) -> str:
    """Return a message to report in place of `told` if no board is found; empty to keep `told`."""
    is_long = sum(map(len, lines)) > _USUAL_CELLS
    is_said = told == NO_BOARD or (is_long and speaks_of_no_board(told))
    if len(_NAMED_CELL.findall("\n".join(lines))) >= _FEWEST_GIVENS:
        return (
            "cells are named by row and column here, and it is not clear which digits they hold; "
            "write each given as r1c3=9"
        )
    if is_plotted(lines):
        return (
            "the digits of a drawing show no board, as some row or column of it has none; "
            "write the cells in rows, with a dot for each empty one"
        )
    return NO_BOARD if is_said else ""


def _misread(lines: list[str], is_board: Callable[[list[str]], bool]) -> str:
    """Return a message about letters in place of digits in a board with no other fault."""
    text = "\n".join(lines)
    letters = [sign for sign in _MISREAD if sign in text]
    mended = text.translate({ord(sign): digit for sign, digit in _MISREAD.items()})
    if not letters or re.search("[A-WYZa-wyz]", mended) or not is_board(mended.split("\n")):
        return ""
    names = ", ".join(f"{quote(sign)} for {_MISREAD[sign]}" for sign in letters)
    return f"this is a board if some signs were misread: {names}; correct them"


def _place_of_misread(lines: Sequence[str]) -> tuple[int, int]:
    """Return the line and the column of the first sign that is no digit, after sentences."""
    shown = without_prose(lines) or lines
    places = (
        (number, column)
        for number, line in enumerate(shown, 1)
        for column, sign in enumerate(line, 1)
        if sign in _MISREAD
    )
    return next(places, (1, 1))


def _lost_blanks(lines: Sequence[str]) -> str:
    """Return a message about lost blanks: only digits, and too few for a board."""
    text = "".join("".join(lines).split())
    count = len(text)
    if not re.fullmatch("[1-9|,;]+", text) or not _FEWEST_GIVENS <= count < _USUAL_CELLS:
        return ""
    found = sum(map(str.isdigit, text))
    return (
        f"{count_of(found, 'digit')} found, and nothing that shows which cells are empty; "
        "write a dot for each of those"
    )


def _uneven_rows(lines: Sequence[str]) -> str:
    """Return a message about rows, most of which have nine cells, or about 81 cells in all."""
    counts = [len(_CELL.findall(line)) for line in lines]
    # Lines of dashes are borders, and a few digits are no row.
    rows = [
        count
        for line, count in zip(lines, counts, strict=True)
        if count > _USUAL_SIDE // 2 and re.search("[0-9.]", line)
    ]
    usual = Counter(rows).most_common(1)[0] if rows else (0, 0)
    if len(rows) in _NEAR_ROWS and usual[0] == _USUAL_SIDE and usual[1] > len(rows) // 2:
        if len(rows) != _USUAL_SIDE:
            return f"{len(rows)} rows found, expected {_USUAL_SIDE} for {_USUAL_SIDE}x{_USUAL_SIDE}"
        odd = next((n for n, count in enumerate(rows, 1) if count != _USUAL_SIDE), 0)
        return row_fault(odd, rows[odd - 1], _USUAL_SIDE) if odd else ""
    total = sum(rows)
    if (
        abs(total - _USUAL_CELLS) <= _USUAL_SIDE
        and total != _USUAL_CELLS
        and 0 < len(rows) < _USUAL_SIDE
    ):
        expected = f"{_USUAL_CELLS} for {_USUAL_SIDE}x{_USUAL_SIDE}"
        return f"{count_of(total, 'cell')} found, expected {expected}"
    return ""
