"""Boards for the terminal keep their shape, whatever is marked or coloured."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.drawings import board_width
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.picture.picture import Border, Emphasis, Picture, picture_of
from satdoku.picture.text import frame, render_candidates, render_picture, render_side_by_side
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.rules.registry import read_rule
from tests.each import for_each
from tests.strategies import grids

SQUARE = Geometry(2, 2)
FIRST = Grid(SQUARE, (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
SECOND = Grid(SQUARE, (1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3))
PUZZLE = Puzzle(FIRST.with_digits(dict.fromkeys((9, 11, 13, 15), 0)))


MARKED = FIRST.differences(SECOND)


def both(puzzle: Puzzle = PUZZLE) -> list[Picture]:
    return [picture_of(puzzle, grid, marked=MARKED) for grid in (FIRST, SECOND)]


def without_colour(text: str) -> str:
    return re.sub("\033\\[[0-9]+m", "", text)


def test_a_puzzle_is_drawn_with_its_boxes() -> None:
    assert render_picture(picture_of(PUZZLE)) == (
        "+-----+-----+\n"
        "| 1 2 | 3 4 |\n"
        "| 3 4 | 1 2 |\n"
        "+-----+-----+\n"
        "| 2 . | 4 . |\n"
        "| 4 . | 2 . |\n"
        "+-----+-----+\n"
    )


def test_marked_cells_have_a_star_and_nothing_moves() -> None:
    lines = render_picture(picture_of(PUZZLE, FIRST, marked={9, 11})).split("\n")
    assert lines[4] == "| 2 1*| 4 3*|"
    assert lines[5] == "| 4 3 | 2 1 |"


def test_givens_are_bold_and_found_digits_plain() -> None:
    line = render_picture(picture_of(PUZZLE, FIRST), has_style=True).split("\n")[4]
    assert line == "| \033[1m2\033[0m 1 | \033[1m4\033[0m 3 |"


def test_two_solutions_stand_side_by_side_with_their_differences() -> None:
    lines = render_side_by_side(both(), width=29).split("\n")
    assert lines[4] == "| 2 1*| 4 3*|   | 2 3*| 4 1*|"
    assert lines[1] == "| 1 2 | 3 4 |   | 1 2 | 3 4 |"


def test_two_solutions_stand_one_above_the_other_where_it_is_narrow() -> None:
    text = render_side_by_side(both(), width=28)
    above, below = text.rstrip("\n").split("\n\n")
    assert above == render_picture(both()[0]).rstrip()
    assert below == render_picture(both()[1]).rstrip()


@given(grid=grids(), marks=st.sets(st.integers(0, 15)), symbols=st.sampled_from([None, "1"]))
def test_all_lines_are_equally_wide_and_colour_changes_nothing_else(
    grid: Grid, marks: set[int], symbols: str | None
) -> None:
    spelling = Spelling(Alphabet(symbols) if symbols else None)
    picture = picture_of(Puzzle(grid), None, spelling, marks)
    plain = render_picture(picture)
    widths = {len(line) for line in plain.splitlines()}
    digit_width = 1 if symbols or max(grid.digits) < 10 else 2
    assert widths == {board_width(grid.geometry, digit_width)}
    coloured = render_picture(picture, has_style=True)
    assert without_colour(coloured) == plain
    assert plain.count("*") == len(marks)


@for_each("shape", [(1, 3), (3, 1), (2, 3), (3, 2), (4, 4)])
def test_every_box_shape_has_its_borders(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    lines = render_picture(picture_of(Puzzle(Grid.empty(geometry)))).splitlines()
    borders = [number for number, line in enumerate(lines) if line.startswith("+")]
    assert borders == list(range(0, len(lines), geometry.box_rows + 1))
    assert {lines[0].count("+")} == {geometry.size // geometry.box_columns + 1}


def test_regions_have_borders_and_other_rules_stand_below() -> None:
    rules = [
        read_rule(text, SQUARE) for text in ("regions:AABB/ABBC/ADCC/DDDC", "anti-king", "odd:r1c1")
    ]
    drawn = render_picture(picture_of(Puzzle(Grid.empty(SQUARE)).with_rules(rules))).splitlines()
    assert drawn[2] == "│   ┌───┘   ┌───┤"
    assert drawn[-2:] == [
        "anti-king: no two cells a king's move apart hold the same digit",
        "odd: r1c1 holds an odd digit",
    ]


def test_two_solutions_of_a_jigsaw_stand_side_by_side_where_there_is_room() -> None:
    puzzle = PUZZLE.with_rules([read_rule("regions:AABB/ABBC/ADCC/DDDC", SQUARE)])
    wide = render_side_by_side(both(puzzle), width=40).splitlines()
    assert {len(line) for line in wide} == {17 + 3 + 17}
    narrow = render_side_by_side(both(puzzle), width=36).splitlines()
    assert len(narrow) == 2 * len(wide) + 1


def test_without_boxes_and_regions_only_the_border_is_drawn() -> None:
    puzzle = Puzzle(Grid.empty(SQUARE), rules=(Rows(), Columns()))
    drawn = render_picture(picture_of(puzzle)).splitlines()
    assert drawn[0] == "┌───────────────┐"
    assert drawn[2] == "│               │"


def test_candidates_stand_within_the_borders_that_the_puzzle_has() -> None:
    digits = [[1, 2], *[[3]] * 15]
    boxed = render_candidates(PUZZLE, digits).splitlines()
    assert boxed[:2] == ["+-------+-------+", "| 12 3  | 3  3  |"]
    jigsaw = PUZZLE.with_rules([read_rule("regions:AABB/ABBC/ADCC/DDDC", SQUARE)])
    assert render_candidates(jigsaw, digits).splitlines()[:3] == [
        "┌─────────┬─────────┐",
        "│ 12   3  │ 3    3  │",
        "│    ┌────┘    ┌────┤",
    ]
    assert render_candidates(jigsaw, digits, is_ascii=True).isascii()


CELLS = list("1.3.2.4.3.1.4.2.")
REGIONS = [0, 0, 1, 1, 0, 1, 1, 2, 0, 3, 2, 2, 3, 3, 3, 2]


def bordered(geometry: Geometry, regions: Sequence[int], marked: Iterable[int] = ()) -> Picture:
    """An empty board with a border around each region; -1 is no region."""
    cells_of = [
        tuple(cell for cell, each in enumerate(regions) if each == number)
        for number in sorted(set(regions) - {-1})
    ]
    drawn = tuple(map(Border, cells_of))
    empty = replace(picture_of(Puzzle(Grid.empty(geometry))), drawn=drawn)
    return replace(empty, cells=dict.fromkeys(marked, Emphasis.DIFFERENT))


def test_a_line_runs_wherever_two_regions_meet() -> None:
    assert frame(bordered(SQUARE, REGIONS), CELLS, 1, False) == [
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
    assert frame(bordered(SQUARE, REGIONS), CELLS, 1, True)[:3] == [
        "+-------+-------+",
        "| 1   . | 3   . |",
        "|   +---+   +---+",
    ]


def test_a_marked_cell_has_a_star_and_nothing_moves() -> None:
    plain = frame(bordered(SQUARE, REGIONS), CELLS, 1, False)
    marked = frame(bordered(SQUARE, REGIONS, marked=[5]), CELLS, 1, False)
    assert marked[3] == "│ 2 │ .*  4 │ . │"
    assert [line for n, line in enumerate(marked) if n != 3] == [
        line for n, line in enumerate(plain) if n != 3
    ]


@pytest.mark.parametrize("is_ascii", [False, True])
def test_every_line_is_as_wide_as_the_board(is_ascii: bool) -> None:
    rng = Random(1)
    for width in (1, 2):
        regions = [rng.randrange(-1, 6) for _ in range(36)]
        picture = bordered(Geometry(2, 3), regions)
        lines = frame(picture, ["x" * width] * 36, width, is_ascii)
        assert len(lines) == 13
        assert {len(line) for line in lines} == {6 * (width + 3) + 1}


def test_lines_end_where_no_line_goes_on() -> None:
    """Around a region within another one, corners are corners and the rest is empty."""
    regions = [0] * 16
    regions[5] = 1
    lines = frame(bordered(SQUARE, regions), CELLS, 1, False)
    assert lines[2] == "│   ┌───┐       │"
    assert lines[4] == "│   └───┘       │"
