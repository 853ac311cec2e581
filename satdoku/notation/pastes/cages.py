"""Killers and jigsaws as people type them.

Cages come in a list, by letters, or in JSON; letters of regions come below a grid. They are read
into an object with a puzzle and its rules, as for `rule_entries.py`. A text that looks like cages
is refused if any part of it is not understood, as its board would be another puzzle.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from satdoku.errors import RuleError, quote
from satdoku.notation.cells import read_row
from satdoku.notation.line_kind import is_border, is_sentence, names_rule, plain
from satdoku.notation.spelling import has_boxes, is_blank, shows_regions

_Cage = tuple[int | None, list[tuple[int, int]]]
"""The sum of a cage (None without one), and its cells as rows and columns from 1."""

_CELL = re.compile(r"\b[rR]([0-9]{1,2})(?:-([0-9]{1,2}))?[cC]([0-9]{1,2})(?:-([0-9]{1,2}))?\b")
# Words around the sum and the cells of a cage; a number in brackets counts the cells.
_WORDS = re.compile(
    r"\b(?:killer|cages?|sums?|total|in|of|is|to|cells?|at|with|and)\b", re.IGNORECASE
)
_COUNT = re.compile(r"\(\s*([0-9])\s*(?:cells?)?\s*\)")
_SIGNS = re.compile(r"[\s=:+,;.\"'|()\[\]\-*#]*")
_SUM = re.compile(r"(?<![0-9])[0-9]{1,2}(?![0-9])")
# The beginning of the next cage in a list on one line: `6 in r1c1-3, 5 in r1-2c4`.
_NEXT = re.compile(r"[,;]\s*(?=[0-9]{1,2}\s*(?:in|=|:|\([0-9]\)))")
_HEAD = re.compile(r"(?i)\W*(?:(?:killer|cages?|sums?|cells?|total|rules?)\W*){1,4}")
_LETTER_SUM = re.compile(r"(?<![A-Za-z0-9])([A-Za-z])\s*[=:]\s*([0-9]{1,2})(?![0-9A-Za-z])")
_SIZES = (4, 6, 8, 9)
_FEWEST = 2

_RULES = "give them by --rule killer:6=r1c1-3, or in a file by --rules"
MEND = f"this looks like cages, but not all of it is understood; {_RULES}"


def looks_caged(lines: Sequence[str]) -> bool:
    """Whether some lines are cages: a sum beside cells, several cells with signs between them."""
    found = [line for line in lines if _may_be_cage(line)]
    letters = _LETTER_SUM.findall("\n".join(lines))
    return bool(found) or (
        len(letters) > _FEWEST and len({name for name, _ in letters}) == len(letters)
    )


def may_be_beside(line: str, size: int) -> bool:
    """Whether a line below a board of that size may begin its cages, or the letters of regions."""
    letters = re.fullmatch(r"[A-Za-z]+", "".join(read_row(plain(line)).tokens))
    is_row = letters is not None and len(letters[0]) == size and not is_sentence(line)
    is_head = _HEAD.fullmatch(line.strip()) is not None
    return _may_be_cage(line) or is_row or is_head or len(_LETTER_SUM.findall(line)) > _FEWEST


def _may_be_cage(line: str) -> bool:
    """Whether a line has more cells than numbers; a list of givens has as many."""
    cells = sum(len(_cells_of(match)) for match in _CELL.finditer(line))
    return 0 < len(_SUM.findall(_CELL.sub("", line))) < cells


def read_cages(lines: Sequence[str]) -> list[str]:
    """Return the puzzle of a text with cages, as a JSON text in a list; empty without cages.

    A RuleError if there are cages, and some text is not understood.
    """
    text = "\n".join(lines).strip()
    if text.startswith("{"):
        return _read_json(text)
    if not looks_caged(lines):
        return []
    try:
        return _read_text(lines)
    except RuleError:
        # Rules as `--rule` takes them are reported with their place by the caller.
        if any(map(names_rule, lines)):
            return []
        raise


def _read_text(lines: Sequence[str]) -> list[str]:
    shown = [line.strip() for line in map(plain, lines)]
    shown = [line for line in shown if line and not is_border(line) and not line.startswith("#")]
    cages = [] if any(map(_CELL.search, shown)) else _by_letters(shown)
    rows: list[list[str]] = []
    if not cages:
        listed = [line for line in shown if _CELL.search(line)]
        cages = list(chain.from_iterable(map(_listed, listed)))
        rows = _rows_among([line for line in shown if line not in listed])
    return _puzzle_of(cages, rows)


def read_regions_below(lines: Sequence[str]) -> list[str]:
    """Return a jigsaw as JSON: rows of cells, and below them as many rows of region letters."""
    shown = [line for line in map(str.strip, map(plain, lines)) if line and not is_border(line)]
    rows = ["".join(read_row(line).tokens) for line in shown if not is_sentence(line)]
    size = len(rows) // 2
    if len(rows) != 2 * size or size < _SIZES[0] or {*map(len, rows)} != {size}:
        return []
    cells, regions = rows[:size], rows[size:]
    if shows_regions("".join(cells), size * size) and not _are_cells(regions, size):
        return []
    if not _are_cells(cells, size):
        cells, regions = regions, cells
    if not _are_cells(cells, size) or not shows_regions("".join(regions), size * size):
        return []
    return [json.dumps({"puzzle": "".join(cells), "regions": regions})]


def _are_cells(rows: Sequence[str], size: int) -> bool:
    cells = "".join(rows)
    is_number = all(is_blank(cell) or (cell.isdecimal() and int(cell) <= size) for cell in cells)
    return is_number and any(map(is_blank, cells))


def _listed(line: str) -> Iterator[_Cage]:
    """Yield the cages of a line: `6: r1c1 r1c2`, `r1c1+r1c2=6`, `6(2) R1C1 R1C2`, `6 in r1c1-2`."""
    parts = _NEXT.split(_HEAD.sub("", line, count=1) if _HEAD.match(line) else line)
    for part in parts:
        cells = [cell for match in _CELL.finditer(part) for cell in _cells_of(match)]
        rest = _CELL.sub("", part)
        count = _COUNT.search(rest)
        rest = _WORDS.sub("", _COUNT.sub("", rest))
        sums = _SUM.findall(rest)
        is_read = len(sums) == 1 and _SIGNS.fullmatch(_SUM.sub("", rest)) and cells
        if not is_read or (count and int(count[1]) != len(cells)):
            raise RuleError(_not_understood(part))
        yield int(sums[0]), cells


def _not_understood(text: str) -> str:
    return f"this looks like cages, but {quote(text.strip(), 40)} is not understood; {_RULES}"


def _cells_of(match: "re.Match[str]") -> list[tuple[int, int]]:
    """Return the cells of `r1c1`, `r1-2c4` or `r1c3-1`."""
    first, last, left, right = (int(number) if number else 0 for number in match.groups())
    rows, columns = _between(first, last or first), _between(left, right or left)
    return [(row, column) for row in rows for column in columns]


def _between(one: int, other: int) -> range:
    """Return the numbers of a range, cut off after the first that is on no board."""
    return range(min(one, other), min(max(one, other), _SIZES[-1] + 1) + 1)


def _by_letters(lines: Sequence[str]) -> list[_Cage]:
    """Return the cages of a grid of letters with a sum for each letter below or above it."""
    found = [_LETTER_SUM.findall(line) for line in lines]
    beside = [_LETTER_SUM.sub("", line) for line, sums in zip(lines, found, strict=True) if sums]
    listed = list(chain.from_iterable(found))
    sums = {name: int(total) for name, total in listed}
    drawn = [line for line, s in zip(lines, found, strict=True) if not (s or _HEAD.fullmatch(line))]
    rows = ["".join(read_row(line).tokens) for line in drawn]
    # A blank is a cell in no cage; any other sign has its sum.
    names = {name for name in "".join(rows) if not is_blank(name) or name in sums}
    is_square = {*map(len, rows)} == {len(rows)}
    if not is_square or names != sums.keys() or len(sums) != len(listed):
        raise RuleError(MEND)
    if not all(map(_SIGNS.fullmatch, beside)):
        raise RuleError(MEND)
    places: dict[str, list[tuple[int, int]]] = {name: [] for name in sums}
    for row, line in enumerate(rows, 1):
        for column, name in enumerate(line, 1):
            if name in places:
                places[name].append((row, column))
    return [(total, places[name]) for name, total in sums.items()]


def _rows_among(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of the board beside cages; lines of words are headings."""
    rows: list[list[str]] = []
    for line in lines:
        row = read_row(line)
        cells = row.cells(row.size) or ()
        if len(cells) >= _SIZES[0] and all(is_blank(cell) or cell.isdecimal() for cell in cells):
            rows.append(list(cells))
        elif not _HEAD.fullmatch(line):
            raise RuleError(_not_understood(line))
    if len(rows) == 1 and round(len(rows[0]) ** 0.5) ** 2 == len(rows[0]):
        size = round(len(rows[0]) ** 0.5)
        rows = [rows[0][start : start + size] for start in range(0, size * size, size)]
    return rows


def _puzzle_of(cages: Sequence[_Cage], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the object with the board and a rule for each cage; without rows, an empty board.

    Without rows the cages give the size: they fill the board, or one has a cell in the last row of
    9x9.
    """
    places = Counter(chain.from_iterable(cells for _, cells in cages))
    size = len(rows)
    if not rows:
        size = max((max(place) for place in places), default=0)
        if len(places) != size * size and size != _SIZES[-1]:
            told = "these cages do not say how large the board is"
            raise RuleError(f"{told}; put its rows above them, or {_RULES}")
        rows = [["."] * size for _ in range(size)]
    is_fit = all(1 <= number <= size for place in places for number in place)
    if not is_fit or not has_boxes(size) or {*map(len, rows)} != {size} or max(places.values()) > 1:
        raise RuleError(MEND)
    rules = [
        {"killer": ("" if total is None else f"{total}=") + _names(cells)} for total, cells in cages
    ]
    given = [[0 if is_blank(cell) else int(cell) for cell in row] for row in rows]
    return [json.dumps({"puzzle": given, "rules": rules})]


def _names(cells: Sequence[tuple[int, int]]) -> str:
    return ",".join(f"r{row}c{column}" for row, column in cells)


def _read_json(text: str) -> list[str]:
    """Return the puzzle of `{"cages": [{"sum": 6, "cells": ["r1c1", [0, 1]]}]}`, as JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    key = next((key for key in value if key.lower() in ("cages", "killer", "killercages")), None)
    if key is None or not isinstance(value[key], list) or not value[key]:
        return []
    others = {name: each for name, each in value.items() if name != key and each}
    boards = [each for each in others.values() if _is_board(each)]
    known = {"size", "type", "name", "title", "author", "comment", "difficulty"}
    if len(boards) > 1 or any(not _is_board(others[n]) and n.lower() not in known for n in others):
        raise RuleError(MEND)
    cages = [_cage_of(each) for each in value[key]]
    if len({type(cell) for each in value[key] for cell in each.get("cells", ())}) > 1:
        raise RuleError(MEND)
    numbers = {number for _, cells in cages for place in cells for number in place}
    # Lists count rows and columns from 0 if any is 0, and from 1 only if one is the last.
    board = (
        [["." if c in (None, "") else str(c) for c in row] for row in boards[0]] if boards else []
    )
    size = value.get("size") if type(value.get("size")) is int else len(board)
    if 0 in numbers:
        cages = [(total, [(r + 1, c + 1) for r, c in cells]) for total, cells in cages]
    elif "r" not in str(value[key][0]).lower().replace("sum", "") and max(numbers) != (size or 9):
        raise RuleError(MEND)
    if size and not board and 1 < size <= 9:
        board = [["."] * size for _ in range(size)]
    return _puzzle_of(cages, board)


def _is_board(value: Any) -> bool:
    if not isinstance(value, list) or len(value) not in _SIZES:
        return False
    return all(isinstance(row, list | str) and len(row) == len(value) for row in value)


def _cage_of(value: Any) -> _Cage:
    entries = {key.lower(): each for key, each in value.items()} if isinstance(value, dict) else {}
    total = next((entries[n] for n in ("sum", "value", "total", "target") if n in entries), None)
    cells = entries.get("cells", entries.get("positions"))
    total = int(total) if isinstance(total, str) and total.isdecimal() else total
    if not isinstance(cells, list) or not (total is None or type(total) is int) or not cells:
        raise RuleError(MEND)
    return total, [place for cell in cells for place in _place_of(cell)]


def _place_of(cell: Any) -> list[tuple[int, int]]:
    if isinstance(cell, str) and (match := _CELL.fullmatch(cell.strip())):
        return _cells_of(match)
    if isinstance(cell, dict):
        named = {key.lower()[:1]: each for key, each in cell.items()}
        cell = [named.get("r"), named.get("c")]
    if not isinstance(cell, list) or [*map(type, cell)] != [int, int]:
        raise RuleError(MEND)
    return [(cell[0], cell[1])]
