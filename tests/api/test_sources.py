from random import Random
from typing import Any

import pytest

import satdoku
from satdoku import Geometry, Outcome, SatdokuError
from tests.boards import USUAL_SHAPES, full_grid
from tests.crossing import crossed
from tests.each import for_each

numpy: Any = pytest.importorskip("numpy")

SHAPES = [*USUAL_SHAPES, Geometry(4, 4)]


def boards_of(geometry: Geometry, count: int) -> list[Any]:
    """Boards with a few digits missing."""
    chance = Random(5)
    boards = []
    for _ in range(count):
        digits = list(full_grid(chance, geometry).digits)
        for cell in chance.sample(range(len(digits)), len(digits) // 4):
            digits[cell] = 0
        boards.append(digits)
    return boards


@crossed(2, geometry=SHAPES, kind=["int64", "uint8", "int8"])
def test_arrays_of_numbers_are_read_as_lists_are(geometry: Geometry, kind: str) -> None:
    boards = boards_of(geometry, 3)
    expected = [satdoku.parse(board, box=geometry) for board in boards]
    size = geometry.size
    array = numpy.array(boards, kind)
    for shaped in (array, array.reshape(3, size, size), array[::-1][::-1]):
        found = list(satdoku.check_many(shaped, box=geometry))
        assert all(isinstance(answer, Outcome) for answer in found)
        assert [answer.puzzle for answer in found if isinstance(answer, Outcome)] == expected
        assert [str(each) for each in satdoku.solve_many(shaped, box=geometry)] == [
            str(each) for each in satdoku.solve_many(boards, box=geometry)
        ]


@pytest.mark.parametrize("wrong", [-1, 5, 300])
def test_a_number_that_is_no_digit_is_told(wrong: int) -> None:
    array = numpy.zeros((2, 16), "int16")
    array[1, 6] = wrong
    first, second = satdoku.check_many(array)
    assert isinstance(first, Outcome)
    assert str(second) == f"puzzles[1]:1:7: '{wrong}' is not a digit 1-4 or a blank"


def test_arrays_of_texts_and_objects_are_read() -> None:
    lines = ["1.....2..3.....4", "." * 16]
    for array in (numpy.array(lines), numpy.array(lines, object)):
        assert len([a for a in satdoku.check_many(array) if isinstance(a, Outcome)]) == 2
    characters = numpy.array([list(line) for line in lines])
    assert len([a for a in satdoku.check_many(characters) if isinstance(a, Outcome)]) == 2


@for_each("shape", [(2, 80), (2, 9, 8), (2, 25), (3, 1, 1), (2, 2, 2, 2), ()])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(SatdokuError, match="an array of"):
        satdoku.check_many(numpy.zeros(shape, int))


def test_a_box_has_to_fit() -> None:
    with pytest.raises(SatdokuError, match="no boards with boxes of 2x3 in its rows"):
        satdoku.check_many(numpy.zeros((2, 81), int), box=Geometry(2, 3))


@for_each("geometry", SHAPES)
def test_arrays_of_floats_are_read_as_one_board_of_floats_is(geometry: Geometry) -> None:
    boards = boards_of(geometry, 2)
    expected = [satdoku.parse(board, box=geometry) for board in boards]
    size = geometry.size
    array = numpy.array(boards, "float64")
    array[array == 0] = numpy.nan
    for shaped in (array, array.reshape(2, size, size), array.reshape(2, size, size).tolist()):
        found = list(satdoku.check_many(shaped, box=geometry))
        assert [answer.puzzle for answer in found if isinstance(answer, Outcome)] == expected
