"""What drawings on paper and screen are made of; `paint` is a name in `palette.PAINTS`.

Lengths are in units of the board, from the top left corner on; y grows downwards. At the end are
lines that take some reckoning: bent arrows, and the outline of any cells.

Text is cut into lines by the mean width of letters, since no font is at hand.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from math import hypot
from typing import NamedTuple

# What no XML file may contain, however it is escaped, and halves of pairs, which no file can hold.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    """A text as any kind of drawing can hold it; names of puzzles may contain what none can."""
    return _UNWRITABLE.sub("\ufffd", text)


class Rect(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float
    paint: str


class Circle(NamedTuple):
    """A circle by its centre."""

    x: float
    y: float
    radius: float
    paint: str


class Path(NamedTuple):
    """Lines from point to point, several of them if they are apart; filled if the paint says so."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    paint: str


class Text(NamedTuple):
    """A text whose middle, or whose beginning unless `is_centred`, is at x, its base line at y."""

    x: float
    y: float
    text: str
    size: float
    paint: str
    is_centred: bool = True


class Group(NamedTuple):
    """Shapes that belong together, moved and then scaled; `name` is an id without blanks.

    The names of groups in a group that `is_board` begin with its own, since boards have the same
    cells.
    """

    name: str
    shapes: "Sequence[Shape]"
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    is_board: bool = False


Shape = Rect | Circle | Path | Text | Group


class Figure(NamedTuple):
    """A whole drawing with its size, a title and a description for who cannot see it."""

    width: float
    height: float
    shapes: Sequence[Shape]
    title: str = ""
    description: str = ""


LEADING = 1.35
"""The distance of two lines of text, in units of their size."""

# The mean width of a letter, in units of its size: that of Verdana, the widest of the usual fonts.
_LETTER = 0.6
# However narrow the board, a line has room for a word.
_FEWEST_LETTERS = 10


def lines_of(text: str, width: float, size: float) -> list[str]:
    """A text cut into lines that fit into a width."""
    return textwrap.wrap(text, max(_FEWEST_LETTERS, int(width / (_LETTER * size))))


def paragraph(lines: Sequence[str], x: float, y: float, size: float, paint: str) -> Iterator[Text]:
    """Lines of text below each other, from y on."""
    for number, line in enumerate(lines, 1):
        yield Text(x, y + number * LEADING * size, line, size, paint, is_centred=False)


Point = tuple[float, float]
Points = tuple[Point, ...]

# How far a bend leads off the straight line, as a part of its length; the smallest comes first.
_BENDS = (0.12, 0.25, 0.4)


def bends(first: Point, last: Point, furthest: float) -> Iterator[Points]:
    """Curves from one point to another, on both sides, none of which is bent further than that."""
    length = hypot(last[0] - first[0], last[1] - first[1])
    along = (last[0] - first[0]) / length, (last[1] - first[1]) / length
    for part in _BENDS:
        for side in (1, -1):
            bend = side * min(part * length, furthest)
            middle = (
                (first[0] + last[0]) / 2 - bend * along[1],
                (first[1] + last[1]) / 2 + bend * along[0],
            )
            yield _curve(first, middle, last)


def _curve(first: Point, middle: Point, last: Point) -> Points:
    """A bend as short straight lines, which every renderer can draw."""
    points = []
    # Eight lines look round at this size.
    for n in range(9):
        t = n / 8
        weights = ((1 - t) ** 2, 2 * t * (1 - t), t**2)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (first, middle, last), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (first, middle, last), strict=True)),
            )
        )
    return tuple(points)


def tip(behind: Point, at: Point) -> Points:
    """The triangle at the end of an arrow that comes from `behind`."""
    length = hypot(at[0] - behind[0], at[1] - behind[1]) or 1.0
    x, y = (at[0] - behind[0]) / length, (at[1] - behind[1]) / length
    # In units of the board, in which the square of a candidate has 14.
    long, half = 6.0, 2.6
    return (
        at,
        (at[0] - long * x - half * y, at[1] - long * y + half * x),
        (at[0] - long * x + half * y, at[1] - long * y - half * x),
        at,
    )


def outline_of(cells: AbstractSet[int], size: int, inset: float) -> Iterator[tuple[Point, ...]]:
    """Closed lines around the cells, in units of a cell; cells that only touch have their own.

    >>> [len(line) for line in outline_of({0, 1, 2}, 4, 0.1)]
    [5]
    """
    following = _edges(cells, size)
    while following:
        start = min(following)
        line = [start]
        here = following.pop(start)
        while here != start:
            line.append(here)
            here = following.pop(here)
        corners = [_inside(corner, inset) for corner in line if _turns(corner)]
        yield (*corners, corners[0])


# A point between cells, the direction in which the line comes to it, and that in which it leaves.
# The cells are always to the right of the line.
_Way = tuple[int, int]
_Corner = tuple[int, int, _Way, _Way]

# For each side of a cell: where the neighbour beyond it is, at which corner of the cell the side
# begins when the cell is walked around clockwise, and which way it runs (x, y).
_SIDES: tuple[tuple[_Way, _Way, _Way], ...] = (
    ((0, -1), (0, 0), (1, 0)),
    ((1, 0), (1, 0), (0, 1)),
    ((0, 1), (1, 1), (-1, 0)),
    ((-1, 0), (0, 1), (0, -1)),
)


def _edges(cells: AbstractSet[int], size: int) -> dict[_Corner, _Corner]:
    """For each corner of the line the one that follows."""
    inside = {(cell % size, cell // size) for cell in cells}
    sides = {
        (x + start[0], y + start[1], way)
        for x, y in inside
        for beyond, start, way in _SIDES
        if (x + beyond[0], y + beyond[1]) not in inside
    }
    following: dict[_Corner, _Corner] = {}
    for start_x, start_y, way in sides:
        x, y = start_x + way[0], start_y + way[1]
        turn = _turn(sides, x, y, way)
        after = _turn(sides, x + turn[0], y + turn[1], turn)
        following[x, y, way, turn] = (x + turn[0], y + turn[1], turn, after)
    return following


def _turn(sides: AbstractSet[tuple[int, int, _Way]], x: int, y: int, way: _Way) -> _Way:
    """Where the line goes on; to the right first, since cells that touch at a corner are apart."""
    right, left = (-way[1], way[0]), (way[1], -way[0])
    return next(turn for turn in (right, way, left) if (x, y, turn) in sides)


def _turns(corner: _Corner) -> bool:
    return corner[2] != corner[3]


def _inside(corner: _Corner, inset: float) -> Point:
    """Where a corner is drawn: `inset` away from both lines that meet in it, to the cells' side."""
    x, y, coming, leaving = corner
    right = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}
    return (
        x + inset * (right[coming][0] + right[leaving][0]),
        y + inset * (right[coming][1] + right[leaving][1]),
    )
