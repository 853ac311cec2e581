"""Puzzles and boards as the JSON objects of the API, in and out."""

from collections.abc import Mapping
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.notation.rule_entries import read_rule_entries
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

# A side of 36: with larger boards nobody can work on a page. A puzzle of 25x25 has a given and a
# rule for each cell at most; a rule that names all cells of 36x36 has some 9,000 characters.
_MOST_DIGITS = 36
_MOST_RULES, _LONGEST_RULE = 700, 10_000


def read_puzzle(value: object) -> Puzzle:
    """The puzzle of an object such as {"box": [3, 3], "cells": [5, 3, 0, ...], "rules": []}."""
    if not isinstance(value, Mapping):
        raise SatdokuError("the entry 'puzzle' is an object with 'box' and 'cells'")
    geometry = read_box(value.get("box", [3, 3]))
    puzzle = Puzzle(Grid(geometry, read_digits(value.get("cells"), "cells")))
    rules = value.get("rules", [])
    if not isinstance(rules, list) or len(rules) > _MOST_RULES:
        raise SatdokuError(f"the entry 'rules' is a list of at most {_MOST_RULES}")
    if any(len(str(rule)) > _LONGEST_RULE for rule in rules):
        raise SatdokuError(f"a rule has at most {_LONGEST_RULE:,} characters")
    return puzzle.with_rules(read_rule_entries({"rules": rules}, geometry))


def read_box(value: object) -> Geometry:
    """The board whose boxes have so many rows and columns."""
    is_pair = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not (isinstance(value, list) and is_pair and min(value) > 0):
        raise SatdokuError("the entry 'box' is two numbers, such as [3, 3]")
    rows, columns = value
    if rows * columns > _MOST_DIGITS:
        raise SatdokuError(f"boards here have at most {_MOST_DIGITS}x{_MOST_DIGITS} cells")
    return Geometry(rows, columns)


def read_digits(value: object, name: str) -> tuple[int, ...]:
    """The digits of a board, 0 for an empty cell."""
    if not isinstance(value, list) or not all(type(digit) is int for digit in value):
        raise SatdokuError(f"the entry {name!r} is a list of numbers, 0 for an empty cell")
    return tuple(value)


def puzzle_entries(puzzle: Puzzle) -> dict[str, Any]:
    """The same of a puzzle: what `read_puzzle` reads, and its name."""
    geometry = puzzle.geometry
    return {
        "box": [geometry.box_rows, geometry.box_columns],
        "cells": list(puzzle.grid.digits),
        "rules": puzzle.rule_texts,
        "name": puzzle.name,
    }
