import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.pattern import pattern_digit, pattern_grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES


@pytest.mark.parametrize("geometry", [*SHAPES, Geometry(5, 2), Geometry(4, 6)], ids=str)
def test_the_pattern_is_a_right_grid_of_any_shape(geometry: Geometry) -> None:
    grid = pattern_grid(geometry)
    assert not find_fault(grid, Puzzle(Grid.empty(geometry)))
    assert grid.digits[-1] == pattern_digit(geometry, geometry.cell_count - 1)
