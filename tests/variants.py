"""Puzzles with rules beyond the classic ones, to test with.

`ours` are in `tests/data/variants.json`: made by thinning out solutions while they stay unique.
`published` reads a folder of published puzzles in a plain reading, one JSON file each: set
SATDOKU_VARIANTS to the folder. They belong to their authors and are not part of satdoku.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.candidates import Candidates
from satdoku.puzzle.rules.cell_lists import read_cell
from satdoku.puzzle.rules.regions import read_regions
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.rule import Rule

_SYMBOLS = ".123456789ABCDEFG"
_DIAGONALS = {"+": "/", "-": "\\"}


class Variant(NamedTuple):
    """A puzzle and its only solution."""

    name: str
    puzzle: Puzzle
    solution: Grid


def ours() -> Iterator[Variant]:
    """The puzzles that we made."""
    path = Path(__file__).parent / "data" / "variants.json"
    for number, each in enumerate(json.loads(path.read_text())):
        rows, columns = map(int, each["box"].split("x"))
        geometry = Geometry(rows, columns)
        rules = [read_rule(text, geometry) for text in each["rules"]]
        names = " ".join(rule.name for rule in rules)
        puzzle = Puzzle(_read(each["puzzle"], geometry)).with_rules(rules)
        yield Variant(f"{number} {names} {geometry}", puzzle, _read(each["solution"], geometry))


def published() -> Iterator[Variant]:
    """The puzzles of the folder that SATDOKU_VARIANTS names; none without it."""
    folder = os.environ.get("SATDOKU_VARIANTS")
    for path in sorted(Path(folder).glob("*.json")) if folder else ():
        yield read_published(json.loads(path.read_text()))


def read_published(content: dict[str, Any]) -> Variant:
    """A puzzle in the plain reading: size, regions, grid, candidates, rules by working names."""
    reading = content["reading"]
    geometry = Geometry.of_size(reading["size"])
    rules: list[Rule] = [read_regions("".join(reading["regions"]), geometry)]
    for rule in reading["rules"]:
        which = f":{_DIAGONALS[rule['which']]}" if "which" in rule else ""
        rules.append(read_rule(rule["rule"] + which, geometry))
    sets = {read_cell(name, geometry): digits for name, digits in reading["candidates"].items()}
    if sets:
        rules.append(Candidates.of(sets))
    puzzle = Puzzle(_read("".join(reading["grid"]), geometry), content["title"]).with_rules(rules)
    return Variant(content["id"], puzzle, _read(content["solution"], geometry))


def _read(text: str, geometry: Geometry) -> Grid:
    return Grid(geometry, tuple(map(_SYMBOLS.index, text)))
