"""Arrows and rings, and what they leave alone; lines around cells, and what they enclose."""

from dataclasses import replace
from itertools import pairwise
from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from satdoku.picture.figure import (
    Circle,
    Group,
    Path,
    Rect,
    Shape,
    Text,
    arrow_lines,
    bends,
    draw,
    outline_of,
)
from satdoku.picture.picture import Arrow, Emphasis, Picture, Place, picture_of
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid

# Straight down the first column the arrow would run through a large 5.
START, END = Place(0, 1), Place(72, 1)
PICTURE = replace(
    picture_of(Puzzle(read_grid("." * 36 + "5" + "." * 44))),
    places={START: Emphasis.OFF, END: Emphasis.USED, Place(40, 9): Emphasis.PLACED},
    arrows=(Arrow(START, END),),
    candidates={0: (1,), 72: (1,), 40: (9,)},
)


def shapes_of(picture: Picture) -> list[Shape]:
    """All shapes, those in groups too, where these are neither moved nor scaled."""
    waiting: list[Shape] = list(draw(picture).shapes)
    found: list[Shape] = []
    while waiting:
        shape = waiting.pop(0)
        if isinstance(shape, Group):
            waiting = [*shape.shapes, *waiting]
        else:
            found.append(shape)
    return found


def test_an_arrow_goes_round_large_digits() -> None:
    shapes = shapes_of(PICTURE)
    (five,) = (shape for shape in shapes if isinstance(shape, Text) and shape.text == "5")
    (arrow,) = (shape for shape in shapes if isinstance(shape, Path) and shape.paint == "strong")
    points = arrow.lines[0]
    assert min(hypot(x - five.x, y - (five.y - five.size / 3)) for x, y in points) > five.size / 2


def test_an_arrow_goes_round_candidates_that_a_step_marks() -> None:
    board = picture_of(Puzzle(read_grid("." * 81)))
    first, between, last = Place(0, 1), Place(9, 1), Place(18, 1)
    arrow = replace(board, arrows=(Arrow(first, last),))
    ring = 0.5 * 0.82 / 3  # its radius, in sides of a cell; candidates leave 0.09 free on each side
    near = []
    for places in ({}, {between: Emphasis.USED}):
        [[line, _]] = arrow_lines(replace(arrow, places=places))
        middle = (0.09 + 0.82 / 6, 1.09 + 0.82 / 6)
        near.append(min(hypot(x - middle[0], y - middle[1]) for x, y in line))
    assert near[0] < ring < near[1]


def test_arrows_on_a_page_bend_as_on_paper_and_end_at_their_candidates() -> None:
    near = Arrow(Place(0, 1), Place(0, 2))
    shown, hidden = arrow_lines(replace(PICTURE, arrows=(Arrow(START, END), near)))
    assert hidden == []
    line, tip = shown
    # In sides of a cell: from the first cell to the last one of the column, around the 5.
    assert 0 < line[0][0] < 1
    assert 0 < line[0][1] < 1
    assert 8 < line[-1][1] < 9
    assert tip[0] == line[-1]
    assert min(hypot(x - 0.5, y - 4.5) for x, y in line) > 0.3


def test_rings_stay_within_their_cells_and_tell_on_from_off() -> None:
    shapes = shapes_of(PICTURE)
    rings = [shape for shape in shapes if isinstance(shape, Circle)]
    assert sorted(ring.paint for ring in rings) == ["ring", "ring", "ring", "ring-off"]
    board = max(
        shape.width for shape in shapes if isinstance(shape, Rect) and shape.paint == "thick"
    )
    corner = next(shape for shape in shapes if isinstance(shape, Rect) and shape.paint == "thick")
    cell = board / 9
    for ring in rings:
        for at, first in ((ring.x, corner.x), (ring.y, corner.y)):
            inside = (at - first) % cell
            assert ring.radius < inside < cell - ring.radius


def test_bends_begin_and_end_where_they_should() -> None:
    for curve in bends((0.0, 0.0), (60.0, 0.0), 10.0):
        assert (curve[0], curve[-1]) == ((0.0, 0.0), (60.0, 0.0))
        assert max(abs(y) for _, y in curve) <= 10.0


Line = tuple[tuple[float, float], ...]


def area(line: Line) -> float:
    """What a closed line encloses, by the shoelace formula; holes count against it."""
    pairs = pairwise(line)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs) / 2


@given(cells=st.sets(st.integers(0, 35)))
def test_it_encloses_as_much_as_there_are_cells(cells: set[int]) -> None:
    lines = list(outline_of(cells, 6, 0.0))
    assert sum(map(area, lines)) == len(cells)
    assert all(line[0] == line[-1] for line in lines)


@given(cells=st.sets(st.integers(0, 35), min_size=1))
def test_moved_inside_it_encloses_less(cells: set[int]) -> None:
    assert sum(map(area, outline_of(cells, 6, 0.1))) < len(cells)


def test_cells_that_only_touch_have_a_line_each() -> None:
    assert len(list(outline_of({0, 7}, 6, 0.1))) == 2
    assert len(list(outline_of({0, 1}, 6, 0.1))) == 1


def test_candidates_stand_below_the_sums_of_cages() -> None:
    puzzle = Puzzle.from_line("." * 81, rules=["killer:10=r1c1-3"])
    texts = [
        shape
        for shape in shapes_of(replace(picture_of(puzzle), candidates={0: (1, 2, 9)}))
        if isinstance(shape, Text)
    ]
    (total,) = (text for text in texts if text.paint == "sign")
    small = [text for text in texts if text.paint == "small"]
    assert len(small) == 3
    # The y of a text is that of its base line, so digits reach up from there by their height.
    assert all(text.y - 0.75 * text.size > total.y for text in small)


def test_numbers_of_one_and_of_two_characters_are_of_one_size() -> None:
    puzzle = Puzzle.from_line("1 16 " + ". " * 254)
    texts = [shape for shape in shapes_of(picture_of(puzzle)) if isinstance(shape, Text)]
    assert len({text.size for text in texts if text.paint == "given"}) == 1
