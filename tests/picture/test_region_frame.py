from random import Random

import pytest

from satdoku.picture.region_frame import draw_regions, region_board_width
from satdoku.puzzle.geometry import Geometry

SQUARE = Geometry(2, 2)
CELLS = list("1.3.2.4.3.1.4.2.")
REGIONS = [0, 0, 1, 1, 0, 1, 1, 2, 0, 3, 2, 2, 3, 3, 3, 2]


def test_a_line_runs_wherever_two_regions_meet() -> None:
    assert draw_regions(SQUARE, REGIONS, CELLS, 1) == [
        "┌───────┬───────┐",
        "│ 1   . │ 3   . │",
        "│   ┌───┘   ┌───┤",
        "│ 2 │ .   4 │ . │",
        "│   ├───┬───┘   │",
        "│ 3 │ . │ 1   . │",
        "├───┘   └───┐   │",
        "│ 4   .   2 │ . │",
        "└───────────┴───┘",
    ]


def test_plain_characters_serve_where_there_are_no_others() -> None:
    assert draw_regions(SQUARE, REGIONS, CELLS, 1, is_ascii=True)[:3] == [
        "+-------+-------+",
        "| 1   . | 3   . |",
        "|   +---+   +---+",
    ]


def test_a_marked_cell_has_a_star_and_nothing_moves() -> None:
    plain = draw_regions(SQUARE, REGIONS, CELLS, 1)
    marked = draw_regions(SQUARE, REGIONS, CELLS, 1, marked={5})
    assert marked[3] == "│ 2 │ .*  4 │ . │"
    assert [line for n, line in enumerate(marked) if n != 3] == [
        line for n, line in enumerate(plain) if n != 3
    ]


@pytest.mark.parametrize("is_ascii", [False, True])
def test_every_line_is_as_wide_as_the_board(is_ascii: bool) -> None:
    rng = Random(1)
    for width in (1, 2):
        regions = [rng.randrange(-1, 6) for _ in range(36)]
        lines = draw_regions(Geometry(2, 3), regions, ["x" * width] * 36, width, (), is_ascii)
        assert len(lines) == 13
        assert {len(line) for line in lines} == {region_board_width(Geometry(2, 3), width)}


def test_lines_end_where_no_line_goes_on() -> None:
    """Around a region within another one, corners are corners and the rest is empty."""
    regions = [0] * 16
    regions[5] = 1
    lines = draw_regions(SQUARE, regions, CELLS, 1)
    assert lines[2] == "│   ┌───┐       │"
    assert lines[4] == "│   └───┘       │"
