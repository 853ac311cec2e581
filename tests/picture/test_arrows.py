"""Arrows and rings: what they leave alone."""

from dataclasses import replace
from math import hypot

from satdoku.picture.arrows import bends
from satdoku.picture.figure import draw
from satdoku.picture.making import picture_of
from satdoku.picture.picture import Arrow, Emphasis, Picture, Place
from satdoku.picture.shapes import Circle, Group, Path, Rect, Shape, Text
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
