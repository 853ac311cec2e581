"""Which boards there are, against plain definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import FormatError
from satdoku.notation.spelling import (
    FEWEST_CELLS,
    agreed_geometry,
    count_fault,
    decide_geometry,
    has_boxes,
    nearest_size,
    size_of_count,
)
from satdoku.puzzle.grid import Geometry
from tests.each import for_each

SIZES_WITH_BOXES = [
    size for size in range(1, 200) if any(rows * (size // rows) == size for rows in range(2, size))
]


@for_each("size", range(1, 200))
def test_a_board_has_boxes_unless_they_are_lines(size: int) -> None:
    assert has_boxes(size) == (size in SIZES_WITH_BOXES)


def test_no_board_with_boxes_has_fewer_cells() -> None:
    assert min(SIZES_WITH_BOXES) ** 2 == FEWEST_CELLS


@for_each("count", [*range(0, 400), 624, 625, 626])
def test_the_number_of_cells_tells_the_size(count: int) -> None:
    sizes = [size for size in SIZES_WITH_BOXES if size * size == count]
    assert size_of_count(count) == (sizes[0] if sizes else None)


def test_a_wanted_size_needs_no_boxes_but_the_right_count() -> None:
    assert size_of_count(49) is None
    assert size_of_count(49, 7) == 7
    assert size_of_count(1, 1) == 1
    assert size_of_count(81, 7) is None
    assert size_of_count(50, 7) is None


@given(st.integers(700, 30_000))
def test_of_large_boards_none_is_nearer(count: int) -> None:
    nearest = min(SIZES_WITH_BOXES, key=lambda size: abs(size * size - count))
    assert nearest_size(count, None) == nearest


@for_each("size", [4, 6, 8, 9, 12, 16])
def test_a_row_too_few_or_too_many_is_a_damaged_board(size: int) -> None:
    for count in (size * size - size, size * size - 1, size * size + 1, size * size + size):
        # 72 cells are eight rows of 9x9 rather than nine of 8x8.
        assert nearest_size(count, None) == (9 if 72 <= count <= 90 else size)


@for_each("count", [0, 3, 11, 28, 49, 100, 120])
def test_anything_else_is_a_part_of_the_usual_board(count: int) -> None:
    assert nearest_size(count, None) == 9


def test_a_wanted_size_is_the_nearest() -> None:
    assert nearest_size(17, 9) == 9


def test_a_wrong_count_is_told_beside_the_right_one() -> None:
    assert count_fault(80, 9) == "80 cells found, expected 81 for 9x9"
    assert count_fault(1, 4) == "1 cell found, expected 16 for 4x4"


def test_the_box_shape_is_the_wanted_the_shown_or_the_usual_one() -> None:
    assert decide_geometry(6, None) == Geometry(2, 3)
    assert decide_geometry(6, Geometry(3, 2)) == Geometry(3, 2)
    assert decide_geometry(6, None, Geometry(3, 2)) == Geometry(3, 2)
    assert decide_geometry(6, Geometry(3, 2), Geometry(3, 2)) == Geometry(3, 2)
    assert decide_geometry(7, Geometry(1, 7)) == Geometry(1, 7)


@pytest.mark.parametrize(
    ("size", "wanted", "shown", "message"),
    [
        (9, Geometry(2, 3), None, "a board of 9x9 found, but boxes of 2x3 make 6x6"),
        (6, Geometry(2, 3), Geometry(3, 2), "the text shows boxes of 3x2, but --box says 2x3"),
        (7, None, None, "a board of 7x7 has no boxes .* use --box 1x7"),
    ],
)
def test_a_box_shape_that_cannot_be_is_refused(
    size: int, wanted: Geometry | None, shown: Geometry | None, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        decide_geometry(size, wanted, shown)


def test_box_shapes_agree_where_one_is_not_said() -> None:
    assert agreed_geometry(None, None) is None
    assert agreed_geometry(None, Geometry(3, 2)) == Geometry(3, 2)
    assert agreed_geometry(Geometry(3, 2), None) == Geometry(3, 2)
