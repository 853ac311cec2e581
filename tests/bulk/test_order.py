"""The order of cells agrees with counting their candidates one by one."""

from random import Random

import pytest

from satdoku.bulk import order as module
from satdoku.bulk.order import CellOrder
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from tests.boards import random_puzzle
from tests.bulk.candidates import SHAPES, boards_of, open_in


def digits_by_cell(grid: Grid) -> list[list[int]]:
    digits: list[list[int]] = [[] for _ in grid.digits]
    for cell, digit in sorted(open_in(grid)):
        digits[cell].append(digit)
    return digits


def sort_one_by_one(grid: Grid, few: int) -> tuple[list[list[int]], bool]:
    """The open digits of the cells, those with most candidates first, and if pairs are few."""
    geometry, digits = grid.geometry, digits_by_cell(grid)
    cells = [cell for cell in range(geometry.cell_count) if digits[cell]]
    pairs = sum(len(digits[cell]) <= 2 for cell in cells)
    pairs_are_few = pairs <= few < len(cells)

    def rank(cell: int) -> tuple[int, int, int]:
        around = sum(len(digits[peer]) for peer in geometry.peers_of(cell))
        return -len(digits[cell]), around if pairs_are_few else 0, -cell

    return [digits[cell] for cell in sorted(cells, key=rank)], pairs_are_few


@pytest.mark.parametrize("geometry", [s for s in SHAPES if 3 < s.size <= 9], ids=str)
def test_cells_come_in_the_order_of_their_candidates(
    geometry: Geometry, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, kinds = CellOrder(geometry), set()
    for few in (0, 2, 10):
        monkeypatch.setattr(module, "FEW_PAIRS", few)
        for grid in [*boards_of(geometry), random_puzzle(Random(3), geometry, 0.2, 0.3).grid]:
            expected, pairs_are_few = sort_one_by_one(grid, few)
            assert order.sort(digits_by_cell(grid)) == expected
            kinds.add(pairs_are_few)
    assert kinds == {False, True}


def test_large_cells_do_not_overflow_their_bytes() -> None:
    geometry = Geometry(3, 5)
    cells = [[cell] * 15 for cell in range(geometry.cell_count)]
    assert len(CellOrder(geometry).sort(cells)) == geometry.cell_count
