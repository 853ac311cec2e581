"""Boards to exchange, all of them ours."""

import json
from typing import Any

from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.notation.samples import LINE, ROWS

GRID = Grid(Geometry(3, 3), tuple(int(cell) if cell != "." else 0 for cell in LINE))


def fpuzzles_board(**more: Any) -> dict[str, Any]:
    """The board of the samples as f-puzzles has it, and whatever else is said of it."""
    grid = [[{} if c == "." else {"value": int(c), "given": True} for c in row] for row in ROWS]
    return {"size": 9, "grid": grid, **more}


def empty_board(size: int = 9, **more: Any) -> dict[str, Any]:
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **more}


def link_of(board: object) -> str:
    return "https://f-puzzles.com/?load=" + pack(json.dumps(board))


KNIGHT = Puzzle(GRID).with_rules([read_rule("anti-knight", Geometry(3, 3))])
KNIGHT_LINK = link_of(fpuzzles_board(antiknight=True))

BOMB = pack("a" * 4_300_000)
"""Four thousand characters that stand for four million."""
