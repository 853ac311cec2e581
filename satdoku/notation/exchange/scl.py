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
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.foreign import (
    ForeignBoard,
    add_looks,
    geometry_of,
    is_solution,
    looks_of,
)
from satdoku.notation.exchange.fpuzzles import fpuzzles_text, packed_text
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.puzzle import Publication, Puzzle
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.rule import write_rule

PROGRAM = "SudokuPad"

# Words for rules that SudokuPad itself understands, with our equivalent rules.
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
    # The text is JSON already: the short form has single quotes.
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
    """Whether a word is a number, or `true`, `false` or `null`, perhaps shortened."""
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
        raise RuleError(
            f"satdoku does not read a board of {len(cells)} rows with another number of columns"
        )
    words = _words(value)
    title, author, rules_text = (words.get(name, "") for name in _WORDS_OF_ALL)
    foreign.name = title
    foreign.publication = Publication(author, rules_text, PROGRAM, _drawings(value))
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
    # Beside a plain board, the rules in words only say that the usual rules apply.
    if words.get("rules") and (drawn or unread or foreign.rules):
        foreign.drawn.append("rules in words")
    return foreign


def _words(value: Entry) -> dict[str, str]:
    """Return title, author and rules, from `metadata` or cages without cells (`title: Tea`)."""
    metadata = value.get("metadata")
    told = metadata if isinstance(metadata, dict) else {}
    found = {key: _joined(text) for key, text in told.items()}
    for cage in value.get("cages") or []:
        if isinstance(cage, dict) and not cage.get("cells") and isinstance(cage.get("value"), str):
            key, colon, text = cage["value"].partition(":")
            if colon:
                found.setdefault(key.strip(), text.strip())
    return found


def _joined(text: Any) -> str:
    return "\n".join(map(str, text)) if isinstance(text, list) else str(text)


# The texts of a puzzle, in `metadata` or in cages without cells.
_WORDS_OF_ALL = ("title", "author", "rules")
_SOLUTION = "solution"


def _drawings(value: Entry) -> dict[str, Any]:
    """Return the parts that are kept unchanged: cages, drawings, and the looks of cells."""
    found = {key: each for key, each in value.items() if key not in _OF_THE_PUZZLE and each}
    metadata = found.pop("metadata", None)
    if isinstance(metadata, dict):
        rest = {key: each for key, each in metadata.items() if key not in _WORDS_OF_ALL}
        found |= {"metadata": rest} if rest else {}
    if isinstance(found.get("cages"), list):
        found["cages"] = [cage for cage in found["cages"] if not _is_word(cage)]
    cells = [cell for row in value["cells"] for cell in row]
    names = {name for cell in cells for name in cell} - {"value"}
    looks = looks_of(cells, sorted(names))
    return found | ({"cells": looks} if looks else {})


_OF_THE_PUZZLE = ("cells", "regions", "global")


def _is_word(cage: Any) -> bool:
    """Whether a cage has no cells, but only the title, the author or the rules."""
    if not isinstance(cage, dict) or cage.get("cells"):
        return False
    return str(cage.get("value")).partition(":")[0].strip() in _WORDS_OF_ALL


def _read_regions(foreign: ForeignBoard, regions: Any) -> None:
    if regions is None:
        return  # old boards without regions have boxes
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


def _write_scl(puzzle: Puzzle) -> str | None:
    """Return the packed text of a puzzle that was read from SudokuPad, with its drawings.

    None for puzzles of other programs, and if SudokuPad cannot express a rule.
    """
    about = puzzle.publication
    if about.program != PROGRAM:
        return None
    kept = dict(about.drawings)
    looks, metadata = kept.pop("cells", None), kept.pop("metadata", None)
    value = _bare_object(puzzle, kept.pop("cages", None))
    add_looks([cell for row in value["cells"] for cell in row], looks, _names_in(looks))
    words = zip(_WORDS_OF_ALL, (puzzle.name, about.author, about.rules_text), strict=True)
    told = dict(metadata) if isinstance(metadata, Mapping) else {}
    if _SOLUTION in told and not is_solution(told[_SOLUTION], puzzle):
        del told[_SOLUTION]
    value |= {"metadata": told | {name: text for name, text in words if text}}
    value |= {name: each for name, each in kept.items() if name not in value}
    # The text is read again as a check: a rule that SudokuPad cannot express is missing then.
    try:
        again = read_scl(value).puzzle()
    except SatdokuError:
        return None
    is_same = again.grid == puzzle.grid and {*again.rules} == {*puzzle.rules}
    return pack(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) if is_same else None


def _bare_object(puzzle: Puzzle, cages: object) -> dict[str, Any]:
    """Return the object of a puzzle without words and drawings, with the cages of its source."""
    geometry, size = puzzle.geometry, puzzle.geometry.size
    left = {write_rule(rule, geometry) for rule in puzzle.further_rules}
    named = [name for name, rules in _GLOBAL.items() if {*map(_text_of, rules)} <= left]
    cells = [{"value": digit} if digit else {} for digit in puzzle.grid.digits]
    return {
        "cells": [cells[start : start + size] for start in range(0, len(cells), size)],
        "regions": [[list(divmod(cell, size)) for cell in region] for region in _regions(puzzle)],
        "cages": list(_write_cages(puzzle, cages)),
        **({"global": named} if named else {}),
    }


def _text_of(rule: tuple[str, str]) -> str:
    name, argument = rule
    return f"{name}:{argument}" if argument else name


def _regions(puzzle: Puzzle) -> list[list[int]]:
    geometry = puzzle.geometry
    if puzzle.regions is None:
        return [list(unit.cells) for unit in geometry.boxes] if Boxes() in puzzle.rules else []
    found: dict[int, list[int]] = {}
    for cell, region in enumerate(puzzle.regions.region_of):
        found.setdefault(region, []).append(cell)
    found.pop(-1, None)
    return list(found.values())


def _write_cages(puzzle: Puzzle, cages: object) -> Iterator[dict[str, Any]]:
    """Yield the cages of the source whose rule is still there, and then the other cages."""
    geometry = puzzle.geometry
    left = [rule for rule in puzzle.further_rules if rule.name in ("killer", "extra-region")]
    for cage in cages if isinstance(cages, list) else []:
        foreign = ForeignBoard(PROGRAM, geometry)
        _read_cages(foreign, [cage])
        rules = [rule for rule, _ in foreign.rules]
        if not rules or rules[0] in left:
            yield cage
        left = [rule for rule in left if rule not in rules]
    for rule in left:
        total = rule.argument(geometry).partition("=")[0] if rule.name == "killer" else ""
        cells = [list(divmod(cell, geometry.size)) for cell in sorted(rule.cells(geometry))]
        yield {"cells": cells, "unique": True, **({"value": total} if total.isdecimal() else {})}


def _names_in(looks: object) -> set[str]:
    cells = looks.values() if isinstance(looks, Mapping) else ()
    return {name for cell in cells if isinstance(cell, Mapping) for name in cell} - {"value"}


def _sudokupad_text(puzzle: Puzzle) -> str:
    """Return the path of a link to SudokuPad, which takes boards of f-puzzles too."""
    own = _write_scl(puzzle)
    return f"scl{own}" if own else f"fpuzzles{packed_text(puzzle)}"


TEXTS: dict[str, Callable[[Puzzle], str]] = {
    "plain": fpuzzles_text,
    "packed": packed_text,
    "sudokupad": _sudokupad_text,
}
"""The functions that write what f-puzzles or SudokuPad opens: JSON, packed text, or a path."""
