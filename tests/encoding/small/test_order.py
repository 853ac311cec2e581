"""Sorting cells loses none of them; that the order is a good one is for benchmarks to show."""

from random import Random

import pytest

from satdoku.encoding.small.order import CellOrder
from satdoku.puzzle.geometry import Geometry
from tests.boards import random_puzzle
from tests.encoding.small.candidates import SHAPES, boards_of, open_in


@pytest.mark.parametrize("geometry", SHAPES, ids=str)
@pytest.mark.parametrize("few_pairs", [0, 2, 10])
def test_every_cell_with_candidates_is_there_once(geometry: Geometry, few_pairs: int) -> None:
    order = CellOrder(geometry, few_pairs)
    for grid in [*boards_of(geometry), random_puzzle(Random(3), geometry, 0.2, 0.3).grid]:
        cells: list[list[tuple[int, int]]] = [[] for _ in grid.digits]
        for cell, digit in open_in(grid):
            cells[cell].append((cell, digit))
        assert sorted(order.sort(cells)) == sorted(filter(None, cells))


def test_large_cells_do_not_overflow_their_bytes() -> None:
    geometry = Geometry(3, 5)
    cells = [[cell] * 15 for cell in range(geometry.cell_count)]
    assert sorted(CellOrder(geometry).sort(cells)) == cells
