"""Cells are sorted by weights; that the order is a good one is for benchmarks to show."""

from random import Random

from satdoku.encoding.small_formula import CellOrder
from satdoku.puzzle.grid import Geometry, Grid
from tests.boards import random_puzzle
from tests.each import for_each
from tests.encoding.small_boards import SHAPES, Candidate, boards_of, open_in, sift_givens


def order_of(grid: Grid, few_pairs: int) -> list[list[Candidate]]:
    cells: list[list[Candidate]] = [[] for _ in grid.digits]
    for cell, digit in open_in(grid):
        cells[cell].append((cell, digit))
    return CellOrder(grid.geometry, few_pairs).sort(cells, sift_givens(grid).open)


def excluded_by(grid: Grid, cell: int) -> int:
    """How many candidates those of a cell exclude, themselves among them."""
    left = open_in(grid)
    return sum(
        (other, digit) in left
        for at, digit in left
        if at == cell
        for other in [cell, *grid.geometry.peers_of(cell)]
    )


@for_each("geometry", SHAPES)
@for_each("few_pairs", [0, 2, 10])
def test_every_cell_with_candidates_is_there_once(geometry: Geometry, few_pairs: int) -> None:
    for grid in [*boards_of(geometry), random_puzzle(Random(3), geometry, 0.2, 0.3).grid]:
        cells = sorted(cell for cell, *_ in (found[0] for found in order_of(grid, few_pairs)))
        assert cells == sorted({cell for cell, _ in open_in(grid)})


@for_each("geometry", SHAPES[:-1])
def test_what_a_cell_excludes_is_weighed_against_its_candidates(geometry: Geometry) -> None:
    for grid in boards_of(geometry):
        in_order = order_of(grid, few_pairs=geometry.cell_count)
        weights = [excluded_by(grid, found[0][0]) - 12 * len(found) for found in in_order]
        assert weights == sorted(weights)


def test_where_many_cells_have_two_candidates_only_their_number_counts() -> None:
    for grid in boards_of(Geometry()):
        lengths = list(map(len, order_of(grid, few_pairs=-1)))
        assert lengths == sorted(lengths, reverse=True)


def test_large_cells_do_not_overflow_their_bytes() -> None:
    empty = Grid.empty(Geometry(3, 5))
    assert len(order_of(empty, few_pairs=2)) == empty.geometry.cell_count
