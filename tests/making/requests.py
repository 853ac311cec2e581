"""Requests that many tests make."""

from typing import Any

from satdoku.making.generator import Generated, Generator
from satdoku.making.request import Request
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule


def request(geometry: Geometry | None = None, *rules: str, **wishes: Any) -> Request:
    """A request for a board with further rules by name; 9x9 where no shape is given."""
    geometry = geometry or Geometry()
    board = Puzzle(Grid.empty(geometry))
    if rules:
        board = board.with_rules([read_rule(rule, geometry) for rule in rules])
    return Request(board, **wishes)


def make(wanted: Request, count: int = 1, solver: str = "cadical153") -> list[Generated]:
    with Generator(wanted, solver) as generator:
        return [generator.make(index) for index in range(count)]
