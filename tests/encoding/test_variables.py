import pytest

from satdoku.encoding.variables import (
    Auxiliaries,
    Placement,
    placement,
    variable,
    variable_count,
    variable_name,
)
from satdoku.puzzle.geometry import Geometry
from tests.boards import SHAPES

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_variables_count_from_one_without_gaps_and_lead_back(geometry: Geometry) -> None:
    numbers = []
    for cell in range(geometry.cell_count):
        for digit in range(1, geometry.size + 1):
            number = variable(geometry, cell, digit)
            assert placement(geometry, number) == Placement(cell, digit)
            numbers.append(number)
    assert numbers == list(range(1, variable_count(geometry) + 1))


def test_the_9x9_board_has_the_documented_numbers() -> None:
    geometry = Geometry()
    assert variable_count(geometry) == 729
    assert variable(geometry, 0, 1) == 1
    assert variable(geometry, 80, 9) == 729
    assert variable_name(geometry, 5) == "r1c1=5"
    assert variable_name(geometry, 729) == "r9c9=9"


def test_auxiliaries_lie_above_and_are_handed_out_once() -> None:
    auxiliaries = Auxiliaries(64)
    assert list(auxiliaries.take(3)) == [65, 66, 67]
    assert list(auxiliaries.take(0)) == []
    assert list(auxiliaries.take(1)) == [68]
    assert auxiliaries.highest == 68
