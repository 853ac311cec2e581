"""Frames around boards of any shape."""

from satdoku.notation.drawings.frame import board_width, draw_board
from satdoku.puzzle.geometry import Geometry
from tests.each import for_each


def test_boxes_are_framed() -> None:
    assert draw_board(Geometry(2, 2), list("1234341221434321"), 1) == [
        "+-----+-----+",
        "| 1 2 | 3 4 |",
        "| 3 4 | 1 2 |",
        "+-----+-----+",
        "| 2 1 | 4 3 |",
        "| 4 3 | 2 1 |",
        "+-----+-----+",
    ]


def test_marked_cells_have_a_star_behind_them() -> None:
    lines = draw_board(Geometry(1, 2), ["1", "2", "2", "1"], 1, {0, 3})
    assert lines == ["+-----+", "| 1*2 |", "+-----+", "| 2 1*|", "+-----+"]


@for_each("shape", [(1, 3), (3, 1), (2, 3), (3, 2), (2, 5)])
@for_each("width", [1, 2, 3])
def test_a_board_is_as_wide_as_it_is_said_to_be(shape: tuple[int, int], width: int) -> None:
    geometry = Geometry(*shape)
    lines = draw_board(geometry, ["x" * width] * geometry.cell_count, width)
    assert {len(line) for line in lines} == {board_width(geometry, width)}
    assert len(lines) == geometry.size + geometry.size // geometry.box_rows + 1


def test_the_width_counts_what_is_seen() -> None:
    coloured = draw_board(Geometry(1, 2), ["\033[1m1\033[0m", "2", "2", "1"], 1)
    assert coloured[0] == "+-----+"
