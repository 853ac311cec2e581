from itertools import combinations

import pytest

from satdoku.encoding.rules import share_earlier_unit
from satdoku.encoding.variables import variable
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import constraints_of
from satdoku.puzzle.rules.classic import CLASSIC
from tests.boards import SHAPES

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_pairs_are_said_exactly_when_an_earlier_unit_has_both_cells(geometry: Geometry) -> None:
    constraints = constraints_of(geometry, CLASSIC)
    for index, unit in enumerate(constraints.units):
        is_said = share_earlier_unit(constraints, index)
        for first, second in combinations(unit.cells, 2):
            expected = any({first, second} <= set(u.cells) for u in constraints.units[:index])
            for digit in (1, geometry.size):
                pair = variable(geometry, first, digit), variable(geometry, second, digit)
                assert (is_said is not None and is_said(*pair)) == expected
