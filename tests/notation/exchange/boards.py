"""Boards to exchange, all of them ours."""

import json
from functools import cache
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.rules.registry import RULES, read_rule, read_rules
from tests.notation.samples import LINE, ROWS
from tests.puzzle.rules.instances import every_grid

GRID = Grid(Geometry(3, 3), tuple(int(cell) if cell != "." else 0 for cell in LINE))


def fpuzzles_board(**more: Any) -> dict[str, Any]:
    """The board of the samples as f-puzzles has it, and whatever else is said of it."""
    grid = [[{} if c == "." else {"value": int(c), "given": True} for c in row] for row in ROWS]
    return {"size": 9, "grid": grid, **more}


def empty_board(size: int = 9, **more: Any) -> dict[str, Any]:
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **more}


def link_of(board: object) -> str:
    return "https://f-puzzles.com/?load=" + pack(json.dumps(board))


def with_example(name: str) -> Puzzle:
    """A board with a rule's own example, on the smallest board that it fits."""
    example = RULES[name].example
    text = f"{name}:{example}" if example else name
    for geometry in (Geometry(2, 2), Geometry(3, 3), RULES[name].example_board):
        try:
            rules = read_rules([text], geometry)
        except SatdokuError:
            continue
        return Puzzle(Grid.empty(geometry).with_digits({5: 1})).with_rules(rules)
    raise AssertionError(f"{name} fits no board")


KNIGHT = Puzzle(GRID).with_rules([read_rule("anti-knight", Geometry(3, 3))])
KNIGHT_LINK = link_of(fpuzzles_board(antiknight=True))


@cache
def bomb() -> str:
    """Two thousand characters that stand for a million."""
    return pack("a" * 1_100_000)


def agree(one: Puzzle, other: Puzzle) -> bool:
    """Whether the judge takes the same grids for solutions of both, of all that there are of 4x4.

    On larger boards, whether their rules are the same in words.
    """
    if one.geometry != other.geometry:
        return False
    is_same = sorted(one.rule_texts) == sorted(other.rule_texts)
    if one.geometry.size > 4 or (is_same and one.grid == other.grid):
        return is_same
    grids = every_grid((Rows(), Columns()))
    return [not find_fault(grid, one) for grid in grids] == [
        not find_fault(grid, other) for grid in grids
    ]
