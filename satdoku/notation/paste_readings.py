"""Readings: how a pasted text may be understood when no format fits it as it stands."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from math import isqrt

from satdoku.notation.rule_entries import RULE_COLUMNS, RULE_KEYS
from satdoku.notation.sizes import size_of_count
from satdoku.notation.symbols import is_blank, read_number

Reading = Callable[[Sequence[str]], list[str]]
"""Takes the lines of a text; gives its boards, each as text in a usual format, or none."""

# Words of another number of characters are too often something else than a board.
_USUAL_CELLS = 81
_CELLS = "0-9" + re.escape(".*_?-")
# 81 cells with nothing beside them that might be a further cell: in an address, in XML, in a list
# of games. A sign + before a digit marks what was found and not given, as HoDoKu writes it.
_BOARD = re.compile(rf"(?<![\w.+])(?:[.0-9]|\+[1-9]){{{_USUAL_CELLS}}}(?![\w.])")
_OTHER_CELLS = re.compile(rf"[{_CELLS}]{{16,}}")  # the smallest board that people write has 16
_STRING = re.compile(r"([\"'])(.*?)\1")
_NUMBER_OR_NONE = re.compile(r"\d+|None|null|[\"']([^\"']?)[\"']|\.|_")
# `int board[9][9] = {` says how large the board is, and has no cells there.
_DECLARED_SIZES = re.compile(r"(?<=\w)(?:\[\d*\])+")
_EMPTY_WORDS = {"None", "null"}

# An entry that holds rules, and not `[]`, `{}`, `""` or null: those say that there are none.
_RULE_ENTRY = re.compile(
    rf"""["'](?:{"|".join(RULE_KEYS)})["']\s*:(?!\s*(?:\[\s*\]|\{{\s*\}}|""|''|null|None))""",
    re.IGNORECASE,
)
_RULE_COLUMN = re.compile(rf'"?(?:{"|".join(RULE_COLUMNS)})"?', re.IGNORECASE)


def names_rules(lines: Sequence[str]) -> bool:
    """Whether a text has rules beside its board, which the readings of a paste would lose.

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
    """Words of 81 cells wherever they stand: `?bd=...`, `data="..."`, `:0000:x:...:`.

    Nothing where a line beside them has cells alone: it may be a puzzle of another size.
    """
    text = "\n".join(lines)
    beside = (line.strip() for line in lines if not _BOARD.search(line))
    if any(_OTHER_CELLS.fullmatch(line) for line in beside):
        return []
    return [re.sub(r"\+[1-9]", ".", match[0]) for match in _BOARD.finditer(text)]


def read_code(lines: Sequence[str]) -> list[str]:
    """A list in a program: numbers in brackets or braces, or a string for each row."""
    text = "\n".join(line.split("//")[0] for line in lines)
    strings = [match[2] for match in _STRING.finditer(text)]
    if len(strings) > 1 and {len(row) for row in strings} == {len(strings)}:
        return ["\n".join(row.replace(" ", ".") for row in strings)]
    text = _DECLARED_SIZES.sub("", text)
    groups = list(_groups(text))
    # The longest is the board, as what surrounds it may have brackets too. Where nothing surrounds
    # it, the groups are its rows.
    longest = max(groups, key=len, default="")
    return _as_flat_list(_cells_in(longest)) or _as_flat_list(_cells_in(", ".join(groups)))


def _cells_in(text: str) -> list[str]:
    """The cells of a list in a program; none where it has words, as the call of a function has."""
    if re.search("[A-Za-z]", re.sub("None|null", "", text)):
        return []
    found = [
        "0" if match[0] in _EMPTY_WORDS else (match[1] if match[1] is not None else match[0])
        for match in _NUMBER_OR_NONE.finditer(text)
    ]
    return [cell.strip() or "." for cell in found]


def _groups(text: str) -> Iterator[str]:
    """What stands in brackets that are in no other brackets."""
    depth = start = 0
    for match in re.finditer(r"[\[{(\]})]", text):
        if match[0] in "[{(":
            start = match.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield text[start : match.end()]


def read_cell_lines(lines: Sequence[str]) -> list[str]:
    """One cell on each line; an empty line is no cell."""
    cells = [line.strip(" \t,;\"'") for line in lines if line.strip()]
    # No board that people write cell by cell has numbers of three places.
    return _as_flat_list(cells) if all(len(cell) <= 2 for cell in cells) else []


def read_table(lines: Sequence[str]) -> list[str]:
    """A table with bars, or with semicolons or tabs: an empty field is an empty cell.

    In MediaWiki a row begins with `|-`, and its cells stand behind `||` or on lines of their own.
    """
    if any(line.lstrip().startswith("{|") for line in lines):
        return _read_wiki(lines)
    rows = [_fields_of(line) for line in lines if line.strip() and not re.fullmatch(_RULE, line)]
    size = len(rows) if rows and {len(row) for row in rows} == {len(rows)} else 0
    if not size and len(rows) > 1 and {len(row) for row in rows} == {len(rows) - 1}:
        # One line too many is the header of a Markdown table, which is empty above a board.
        has_empty_header = not any(cell.strip() for cell in rows[0])
        rows, size = (rows[1:], len(rows) - 1) if has_empty_header else ([], 0)
    cells = [cell.strip(" *`\"'") or "." for row in rows for cell in row]
    return _as_flat_list(cells) if size else []


_RULE = re.compile(r"[\s|:+=-]*")


def _fields_of(line: str) -> list[str]:
    separator = next((each for each in "|;\t," if each in line), "\0")
    fields = line.strip(" ").split(separator)
    if separator == "|":
        fields = fields[1:] if not fields[0].strip() else fields
        fields = fields[:-1] if fields and not fields[-1].strip() else fields
    return fields


def _read_wiki(lines: Sequence[str]) -> list[str]:
    cells: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith("|") and not line.startswith(("|-", "|}", "|+")):
            # `| style="..." | 5` has its cell behind the last single bar.
            fields = line[1:].split("||")
            cells += [field.rpartition("|")[2].strip(" '") or "." for field in fields]
    return _as_flat_list(cells)


def read_spaces(lines: Sequence[str]) -> list[str]:
    """Nine lines of up to nine characters, where a space is a blank.

    Lines are as their writer left them, without the spaces at their ends.
    """
    shown = [line.replace("\t", "?") for line in _trim_ends(lines)]
    size = len(shown)
    width = max(map(len, shown), default=0)
    # Blanks at the ends of lines are gone. So the longest line may be one short of a row; a board
    # whose last two columns are empty is not told from lines of another width.
    is_square = 4 <= size <= 9 and size - 2 < width <= size
    if not is_square or not any(" " in line for line in shown):
        return []
    if not all(re.fullmatch(rf"[ {_CELLS}]*", line) for line in shown):
        return []
    return ["\n".join(line.ljust(size).replace(" ", ".") for line in shown)]


def read_wide_spaces(lines: Sequence[str]) -> list[str]:
    """Nine lines with a space between two cells, where a blank is a space as well."""
    shown = _trim_ends(lines)
    if any(line[1::2].strip() for line in shown):
        return []
    return read_spaces([line[::2].rstrip() for line in shown])


def _trim_ends(lines: Sequence[str]) -> list[str]:
    """The lines from the first to the last that are not empty."""
    shown = [n for n, line in enumerate(lines) if line.strip()]
    return [line.rstrip() for line in lines[shown[0] : shown[-1] + 1]] if shown else []


def read_candidates(lines: Sequence[str]) -> list[str]:
    """A grid of pencil marks: 81 words of digits, some of them of several digits."""
    words = [word for line in lines for word in re.findall(r"[^\s|:+*'.,-]+", line)]
    size = size_of_count(len(words))
    # Digits above 9 would run together; with one digit in each cell it is a board, and no marks.
    if size is None or size > 9 or max(map(len, words)) < 2:
        return []
    digits = "123456789"[:size]
    if not all(set(word) <= set(digits) and len(set(word)) == len(word) for word in words):
        return []
    return ["".join(d if d in word else "." for word in words for d in digits)]


def _as_flat_list(cells: Sequence[str]) -> list[str]:
    """The cells as a JSON list, if they are as many as a board has, and look like cells."""
    size = size_of_count(len(cells))
    if size is None or isqrt(len(cells)) < 4:
        return []
    digits = [0 if is_blank(cell) else read_number(cell) for cell in cells]
    if not all(digit is not None and digit <= size for digit in digits):
        return []
    return [json.dumps(digits)]


def readings_of(lines: Sequence[str]) -> dict[str, Reading]:
    """The readings of this text, by their names; none where it names rules, which none takes."""
    return {} if names_rules(lines) else READINGS


READINGS: dict[str, Reading] = {
    "words of 81 cells": read_words,
    "a list in a program": read_code,
    "a cell on each line": read_cell_lines,
    "a table": read_table,
    "rows with spaces for blanks": read_spaces,
    "spaced rows with spaces for blanks": read_wide_spaces,
    "pencil marks": read_candidates,
}
"""All of them are tried; where two find different boards, neither is believed."""
