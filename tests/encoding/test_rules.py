from itertools import combinations

import pytest

from satdoku.encoding.rules import distinct_units, share_line
from satdoku.encoding.variables import variable
from satdoku.puzzle.geometry import Geometry
from tests.boards import SHAPES

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_pairs_share_a_line_exactly_when_their_cells_do(geometry: Geometry) -> None:
    is_in_line = share_line(geometry)
    for first, second in combinations(range(geometry.cell_count), 2):
        expected = geometry.row_of(first) == geometry.row_of(second) or geometry.column_of(
            first
        ) == geometry.column_of(second)
        for digit in (1, geometry.size):
            pair = variable(geometry, first, digit), variable(geometry, second, digit)
            assert is_in_line(*pair) == expected


@shapes
def test_no_two_units_have_the_same_cells(geometry: Geometry) -> None:
    units = distinct_units(geometry)
    assert len({frozenset(unit.cells) for unit in units}) == len(units)
    every = {frozenset(unit.cells) for unit in geometry.units if len(unit.cells) > 1}
    assert {frozenset(unit.cells) for unit in units} == every
