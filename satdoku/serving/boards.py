"""Puzzles and boards as the JSON objects of the API, in and out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.notation.rule_entries import read_rule_entries, write_rule_entries
from satdoku.picture.picture import Picture
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.drawn import Shade

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


def written_entries(puzzle: Puzzle) -> dict[str, Any]:
    """The rules of a puzzle as a JSON file has them."""
    return write_rule_entries(puzzle)


def marks_object(picture: Picture, own_shades: int) -> dict[str, Any]:
    """What a picture points out: cells, candidates, arrows, and shades behind the rules' own."""
    shades = [list(shade.cells) for shade in picture.drawn_as(Shade)][own_shades:]
    found: dict[str, Any] = {
        "cells": {cell: why.value for cell, why in picture.cells.items()},
        "places": [[*place, why.value] for place, why in picture.places.items()],
        "arrows": [[*arrow.start, *arrow.end, int(arrow.is_strong)] for arrow in picture.arrows],
        "shades": shades,
    }
    return {name: value for name, value in found.items() if value}


class BoardChanges:
    """Boards one after the other, each told by what is new since the one before it.

    A board with all its candidates has a thousand numbers, and a step changes few of them.
    """

    def __init__(self) -> None:
        self._digits: Sequence[int] = ()
        self._candidates: Mapping[int, Sequence[int]] = {}

    def to(self, picture: Picture) -> dict[str, Any]:
        """The cells that have another content now: a digit, or the list of their candidates."""
        before, known = self._digits, self._candidates
        self._digits, self._candidates = picture.digits, picture.small_digits
        return {
            str(cell): content
            for cell, content in self._contents()
            if not before or content != (before[cell] or list(known.get(cell, ())))
        }

    def _contents(self) -> Iterator[tuple[int, int | list[int]]]:
        for cell, digit in enumerate(self._digits):
            yield cell, digit or list(self._candidates.get(cell, ()))
