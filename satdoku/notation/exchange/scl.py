"""Puzzles of SudokuPad: objects with parts that have a meaning and parts that are only drawn.

    {"cells": [[{"value": 5}, {}, ...], ...], "regions": [[[0, 0], [0, 1], ...], ...],
     "cages": [{"cells": [[0, 0], [0, 1]], "value": 9}, {"value": "title: Tea"}],
     "lines": [...], "overlays": [...], "metadata": {"title": "Tea", "rules": "..."}}

Cells are rows and columns from 0. Givens, regions, cages and a few rules of the whole board have a
meaning. Thermometers, arrows and dots are lines and shapes; their rules are stated in words.

In links, the text is shortened: `'` for quotes, letters for the usual keys, `t` and `f` for true
and false, and nothing at all in place of `{}`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of
from satdoku.puzzle.rules.arguments import write_cells

PROGRAM = "SudokuPad"

# The words that SudokuPad itself understands, with the rules of ours that say the same.
_GLOBAL = {
    "antiknight": (("anti-knight", ""),),
    "antiking": (("anti-king", ""),),
    "nonconsecutive": (("non-consecutive", ""),),
    "antixv": (("no-sum", "10"), ("no-sum", "5")),
}
_READ = ("cells", "regions", "cages", "global")
# The keys that are read, by their short forms.
_LONG_KEYS = {
    "ca": "cages", "ce": "cells", "a": "arrows", "o": "overlays", "u": "underlays", "v": "value",
    "l": "lines", "re": "regions", "t": "title", "te": "text",
}  # fmt: skip
_TOKEN = re.compile(r"'((?:[^'\\]|\\.)*)'|([^\s'{}\[\],:]+)|([{}\[\],:])", re.DOTALL)
_WORDS = {"t": "true", "f": "false"}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

Entry = Mapping[str, Any]


def unzip(text: str) -> Any:
    """Return the value of a shortened text; a ValueError if it is invalid."""
    # The text is JSON already: the short form has quotes of the other kind.
    if '"' in text:
        return json.loads(text)
    return _with_long_keys(json.loads(" ".join(_json_tokens(text))))


def _json_tokens(text: str) -> Iterator[str]:
    """Yield the text as JSON, token by token."""
    before = ""
    for match in _TOKEN.finditer(text):
        string, word, sign = match.groups()
        if sign is not None:
            # In a list, an empty place stands for an empty object.
            if before in ("[", ",") and sign in (",", "]"):
                yield "{}"
            yield sign
        elif string is not None:
            yield '"' + string.replace("\\'", "'").replace('"', '\\"') + '"'
        elif text[match.end() : match.end() + 1] == ":" or not _is_plain(word):
            yield json.dumps(word)
        else:
            yield _WORDS.get(word, word)
        before = sign or "word"


def _is_plain(word: str) -> bool:
    """Whether a word is a value of JSON, and no colour."""
    return word in ("true", "false", "null", *_WORDS) or _NUMBER.fullmatch(word) is not None


def _with_long_keys(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_long_keys(each) for each in value]
    if isinstance(value, dict):
        return {_LONG_KEYS.get(key, key): _with_long_keys(each) for key, each in value.items()}
    return value


def read_scl(value: Entry) -> ForeignBoard:
    """Return the contents of the object; a RuleError for a part that cannot be kept."""
    cells = value["cells"]
    foreign = ForeignBoard(PROGRAM, geometry_of(len(cells)))
    if any(len(row) != foreign.size for row in cells):
        raise RuleError(f"a board of {len(cells)} rows and other columns is not read")
    words = _words(value)
    foreign.name, foreign.comment = words.get("title", ""), words.get("author", "")
    for row, row_cells in enumerate(cells):
        for column, cell in enumerate(row_cells):
            if cell.get("value") not in (None, ""):
                foreign.add_digit(row, column, cell["value"])
    _read_regions(foreign, value.get("regions"))
    _read_global(foreign, value.get("global"))
    unread = _read_cages(foreign, value.get("cages") or [])
    # Unknown lists are reported like drawings: they may stand for rules.
    listed = {key: each for key, each in value.items() if key not in _READ and each}
    drawn = [f"{len(each)} {key}" for key, each in listed.items() if isinstance(each, list)]
    if drawn or unread:
        foreign.drawn.append(f"drawings ({', '.join([*drawn, *unread])})")
    # Beside a plain board, the words only say that the usual rules apply.
    if words.get("rules") and (drawn or unread or foreign.rules):
        foreign.drawn.append("rules in words")
    return foreign


def _words(value: Entry) -> dict[str, str]:
    """Return title, author and rules, from `metadata` or cages without cells (`title: Tea`)."""
    metadata = value.get("metadata")
    found = {key: str(text) for key, text in metadata.items()} if isinstance(metadata, dict) else {}
    for cage in value.get("cages") or []:
        if isinstance(cage, dict) and not cage.get("cells") and isinstance(cage.get("value"), str):
            key, colon, text = cage["value"].partition(":")
            if colon:
                found.setdefault(key.strip(), text.strip())
    return found


def _read_regions(foreign: ForeignBoard, regions: Any) -> None:
    if regions is None:
        return  # boards from before there were regions have boxes
    if not isinstance(regions, list):
        raise RuleError("the regions are not a list")
    names: list[object] = [None] * foreign.geometry.cell_count
    for number, region in enumerate(regions, 1):
        for cell in _cells(foreign, region, f"region {number}"):
            if names[cell] is not None:
                raise RuleError(f"{foreign.geometry.name_of(cell)} is in two regions")
            names[cell] = number
    foreign.set_regions(names)


def _read_global(foreign: ForeignBoard, named: Any) -> None:
    for name in named or []:
        if not isinstance(name, str) or name not in _GLOBAL:
            raise RuleError(f"this puzzle has {quote(str(name))}, which satdoku has no rule for")
        for rule, argument in _GLOBAL[name]:
            foreign.add_rule(rule, argument, name)


def _read_cages(foreign: ForeignBoard, cages: Any) -> list[str]:
    """Add the cages that have a meaning; return descriptions of those that are only drawn."""
    drawn = 0
    if not isinstance(cages, list) or not all(isinstance(cage, dict) for cage in cages):
        raise RuleError("the cages are not a list of objects")
    for number, cage in enumerate(cages, 1):
        if not cage.get("cells"):
            continue
        place = f"cage {number}"
        cells = _cells(foreign, cage["cells"], place)
        names = write_cells(cells, foreign.geometry)
        total = str(cage.get("value") or cage.get("sum") or "").strip()
        # If digits may repeat, or a value is no sum, a cage may mean anything.
        if total.isdecimal() and cage.get("unique") is not False:
            foreign.add_rule("killer", f"{total}={names}", place)
        elif cage.get("unique") and not total:
            foreign.add_rule("extra-region", names, place)
        else:
            drawn += 1
    return [f"{drawn} cages"] if drawn else []


def _cells(foreign: ForeignBoard, cells: Any, place: str) -> list[int]:
    """Return the numbers of cells that are named by row and column, from 0."""
    found = []
    for cell in cells if isinstance(cells, list) else [cells]:
        if not (isinstance(cell, list) and len(cell) == 2 and all(type(n) is int for n in cell)):
            raise RuleError(f"{place}: {quote(str(cell))} is not a row and a column")
        row, column = cell
        if not (0 <= row < foreign.size and 0 <= column < foreign.size):
            raise RuleError(f"{place}: {cell} is not on a board of {foreign.size}x{foreign.size}")
        found.append(row * foreign.size + column)
    return found
