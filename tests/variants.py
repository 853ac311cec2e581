"""Puzzles with rules beyond the classic ones, to test with.

`ours` are in `tests/data/variants.json`: made by thinning out solutions while they stay unique.
`published` reads a folder of published puzzles in a plain reading, one JSON file each: set
SATDOKU_VARIANTS to the folder. They belong to their authors and are not part of satdoku.
"""

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules

_SYMBOLS = ".123456789ABCDEFG"
_DIAGONALS = {"+": "/", "-": "\\"}


class Variant(NamedTuple):
    """A puzzle and its only solution."""

    name: str
    puzzle: Puzzle
    solution: Grid


@cache
def ours() -> tuple[Variant, ...]:
    """The puzzles that we made."""
    return tuple(_read_ours())


def _read_ours() -> Iterator[Variant]:
    path = Path(__file__).parent / "data" / "variants.json"
    for number, each in enumerate(json.loads(path.read_text())):
        geometry = Geometry.parse(each["box"])
        rules = read_rules(each["rules"], geometry)
        names = " ".join(rule.name for rule in rules)
        puzzle = Puzzle(_read(each["puzzle"], geometry)).with_rules(rules)
        yield Variant(f"{number} {names} {geometry}", puzzle, _read(each["solution"], geometry))


def published() -> Iterator[Variant]:
    """The puzzles of the folder that SATDOKU_VARIANTS names; none without it."""
    folder = os.environ.get("SATDOKU_VARIANTS")
    for path in sorted(Path(folder).glob("*.json")) if folder else ():
        content = json.loads(path.read_text())
        if "solution" in content or "solution" in content["expected"]:
            yield read_published(content)


def read_published(content: dict[str, Any]) -> Variant:
    """A puzzle in the plain reading: size, regions, grid, candidates, rules by working names."""
    reading = content["reading"]
    geometry, lowest = Geometry.of_size(reading["size"]), reading.get("lowest", 1)
    texts = ["regions:" + "".join(reading["regions"])]
    if lowest != 1:
        texts.append(f"digits:{lowest}-{lowest + geometry.size - 1}")
    for rule in reading["rules"]:
        texts += _texts_of(rule, reading["rules"])
    sets = [
        f"{name}={'/'.join(map(str, digits))}" for name, digits in reading["candidates"].items()
    ]
    if sets:
        texts.append(f"candidates:{','.join(sets)}")
    grid = _read("".join(reading["grid"]), geometry, lowest)
    puzzle = Puzzle(grid, content["title"]).with_rules(read_rules(texts, geometry))
    solution = content.get("solution") or content["expected"]["solution"]
    return Variant(content["id"], puzzle, _read(solution, geometry, lowest))


def _texts_of(rule: dict[str, Any], others: list[dict[str, Any]]) -> Iterator[str]:
    """A rule under a working name as texts of ours."""
    name, cells = rule["rule"], ",".join(rule.get("cells", ()))
    number = rule.get("value", rule.get("sum", rule.get("count")))
    if "which" in rule:
        yield f"{name}:{_DIAGONALS[rule['which']]}"
    elif name in ("minimum", "maximum"):
        yield from (f"greater:{','.join(reversed(pair))}" for pair in rule["pairs"])
    elif name.startswith("negative-"):
        edges = [",".join(each["cells"]) for each in others if each["rule"] in rule["marks"]]
        kind = name.replace("negative-", "no-")
        yield from ("/".join([f"{kind}:{value}", *edges]) for value in rule["values"])
    elif name in _ARGUMENTS:
        ours, argument = _ARGUMENTS[name]
        yield f"{ours}:{argument(rule)}"
    elif number is not None:
        yield f"{name}:{number}={cells}"
    else:
        yield f"{name}:{cells}" if cells else name


def _outside(key: str) -> Callable[[dict[str, Any]], str]:
    return lambda rule: f"{_line_of(rule['cells'])}={rule[key]}"


def _contents(rule: dict[str, Any]) -> str:
    return f"{'/'.join(map(str, rule['values']))}={','.join(rule['cells'])}"


_ARGUMENTS: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "sandwich": ("sandwich", _outside("sum")),
    "xsum": ("x-sum", _outside("sum")),
    "skyscraper": ("skyscraper", _outside("count")),
    "numbered-room": ("numbered-room", _outside("value")),
    "little-killer": ("sum", lambda rule: f"{rule['sum']}={','.join(rule['cells'])}"),
    "arrow": ("arrow", lambda rule: f"{','.join(rule['circle'])}={','.join(rule['cells'])}"),
    "clone": ("clone", lambda rule: f"{','.join(rule['cells'])}={','.join(rule['clone'])}"),
    "region-sum": ("region-sum", lambda rule: "/".join(map(",".join, rule["segments"]))),
    "quadruple": ("contain", _contents),
    "contain": ("contain", _contents),
    "contain-exact": ("contain-exact", _contents),
}


def _line_of(cells: list[str]) -> str:
    """The row or column that some cells are, in reading order."""
    (row, column), (last_row, last_column) = (cell[1:].split("c") for cell in (cells[0], cells[-1]))
    if row == last_row:
        return f"row{row}" + (".left" if int(column) > int(last_column) else "")
    return f"col{column}" + (".up" if int(row) > int(last_row) else "")


def _read(text: str, geometry: Geometry, lowest: int = 1) -> Grid:
    symbols = _SYMBOLS if lowest == 1 else "." + "0123456789ABCDEFG"[lowest:]
    return Grid(geometry, tuple(map(symbols.index, text)))
