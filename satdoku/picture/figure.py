"""Convert a picture into a figure: the positions of lines, digits, frames and arrows."""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from math import ceil, hypot, sqrt
from typing import NamedTuple

from satdoku.picture.picture import (
    Arrow,
    Cage,
    Dot,
    Emphasis,
    Line,
    Mark,
    Outside,
    Picture,
    Place,
    Shade,
    Shaft,
    Stroke,
    describe,
)
from satdoku.picture.qr import MARGIN, qr_code
from satdoku.puzzle.grid import Geometry

# Elements of drawings on paper and screen: shapes and their colours.
#
# The `paint` of a shape is a name in `PAINTS`, whose colours are names in `LIGHT` and `DARK`.
# Lengths are in units of the board, from the top left corner; y grows downwards. Text is wrapped by
# the mean width of letters, because no font metrics are available.
#
# No meaning depends on colour alone: givens are bold, and every kind of highlight has its own
# frame, ring or stroke. A test computes that each text has a contrast of at least 4.5 to 1 with
# every background on which it may be drawn.

# Characters that are not allowed in XML even when escaped, and lone surrogates, which no file can
# hold.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    """Return the text without characters that some drawing format cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)


class Rect(NamedTuple):
    """A rectangle, given by its top left corner."""

    x: float
    y: float
    width: float
    height: float
    paint: str


class Circle(NamedTuple):
    """A circle, given by its centre."""

    x: float
    y: float
    radius: float
    paint: str


class Path(NamedTuple):
    """One or several polylines, filled if the paint has a fill colour."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    paint: str


class Text(NamedTuple):
    """A text with its baseline at y; its middle is at x, or its start if it is not `is_centred`."""

    x: float
    y: float
    text: str
    size: float
    paint: str
    is_centred: bool = True


class Group(NamedTuple):
    """Shapes that belong together, translated and then scaled; `name` is an id without blanks.

    In a group that `is_board`, the name of the group is put before those of inner groups, because
    all boards have cells of the same names.
    """

    name: str
    shapes: "Sequence[Shape]"
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    is_board: bool = False


Shape = Rect | Circle | Path | Text | Group


class Figure(NamedTuple):
    """A whole drawing with its size, and a title and a description for screen readers.

    `frame` is the place of the cells: left, top, width and height.
    """

    width: float
    height: float
    shapes: Sequence[Shape]
    title: str = ""
    description: str = ""
    frame: tuple[float, float, float, float] = (0, 0, 0, 0)


LEADING = 1.35
"""The distance between two lines of text, in units of the font size."""

# The mean width of a letter in Verdana, the widest of the usual fonts, in units of the font size.
_WIDTH_OF_LETTER = 0.6
# Fewest letters per line, so that a line on a narrow board still has room for a word.
_FEWEST_LETTERS = 10


def lines_of(text: str, width: float, size: float) -> list[str]:
    """Return a text wrapped into lines of a given width."""
    return textwrap.wrap(text, max(_FEWEST_LETTERS, int(width / (_WIDTH_OF_LETTER * size))))


def paragraph(lines: Sequence[str], x: float, y: float, size: float, paint: str) -> Iterator[Text]:
    """Yield lines of text, one below the other, starting at y."""
    for number, line in enumerate(lines, 1):
        yield Text(x, y + number * LEADING * size, line, size, paint, is_centred=False)


class Paint(NamedTuple):
    """How a shape is painted; colours are names in the scheme, widths in units of the board."""

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    is_bold: bool = False


TINTS = ("grey", "green", "purple", "blue", "orange", "teal", "yellow")
"""The colours of lines; text drawn over them stays readable."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#000000",
    # White and black dots keep these colours in the dark scheme too.
    "white": "#ffffff",
    "black": "#000000",
    "found": "#173f8a",
    "small": "#3d3d3d",
    "goes": "#9c1010",
    "off": "#6b3a00",
    "line": "#8a8a8a",
    "figure": "#707070",
    "shade": "#e4e4e4",
    "placed": "#cdeccd",
    "used": "#d8e6ff",
    "excluded": "#ffe3cf",
    "clashing": "#ffd3cf",
    "different": "#ffedb0",
    "grey": "#c4c4c4",
    "green": "#b9e6b9",
    "purple": "#e6c4ee",
    "blue": "#bfe0f5",
    "orange": "#ffd9ae",
    "teal": "#b5e6e0",
    "yellow": "#f2ecae",
    "frame": "#173f8a",
    "fault": "#9c1010",
}

DARK = {
    "paper": "#15171b",
    "ink": "#ffffff",
    "white": "#ffffff",
    "black": "#000000",
    "found": "#a9ccff",
    "small": "#d2d5da",
    "goes": "#ffb3a8",
    "off": "#ffcf8a",
    "line": "#70757d",
    "figure": "#9a9fa8",
    "shade": "#31353c",
    "placed": "#1c4526",
    "used": "#1f3a63",
    "excluded": "#54301a",
    "clashing": "#5e2020",
    "different": "#4d410f",
    "grey": "#4b5059",
    "green": "#1d4a25",
    "purple": "#4a2a55",
    "blue": "#1c3f57",
    "orange": "#54361a",
    "teal": "#17484a",
    "yellow": "#4a4414",
    "frame": "#a9ccff",
    "fault": "#ffb3a8",
}

# A fine line along the middle of a broad one, dashed differently for each tint: on paper without
# colours all tints are the same grey.
_VEINS: dict[str, tuple[float, ...]] = {
    "green": (8, 4),
    "purple": (1.5, 4),
    "blue": (),
    "orange": (4, 2),
    "teal": (9, 3, 1.5, 3),
    "yellow": (3, 8),
}

PAINTS = {
    # Backgrounds.
    "paper": Paint("paper"),
    "shade": Paint("shade"),
    "placed": Paint("placed"),
    "used": Paint("used"),
    "excluded": Paint("excluded"),
    "clashing": Paint("clashing"),
    "different": Paint("different"),
    # Lines of rules, with bulbs and bends.
    **{tint: Paint(tint) for tint in TINTS},
    **{f"{tint}-line": Paint("", tint, 10.0) for tint in TINTS},
    **{f"{tint}-vein": Paint("", "figure", 1.0, dash) for tint, dash in _VEINS.items()},
    "knob": Paint("paper", "figure", 1.3),
    "shaft": Paint("", "figure", 1.8),
    "cage": Paint("", "ink", 0.9, (3, 2)),
    "patch": Paint("paper"),
    # Scanners need dark modules on light ground, so these colours are the same in both schemes.
    "code-ground": Paint("white"),
    "code": Paint("black"),
    "white-dot": Paint("white", "ink", 1.1),
    "black-dot": Paint("black", "ink", 1.1),
    # Lines of the board.
    "thin": Paint("", "line", 0.7),
    "thick": Paint("", "ink", 2.4),
    "fine": Paint("", "figure", 0.9),
    "figure": Paint("", "figure", 1.3),
    # Frames and strokes of highlights.
    "frame-placed": Paint("", "frame", 2.2),
    "frame-used": Paint("", "frame", 1.2, (3, 2)),
    "frame-excluded": Paint("", "fault", 1.2, (1, 2)),
    "frame-clashing": Paint("", "fault", 2.2),
    "frame-different": Paint("", "ink", 1.4, (5, 2)),
    "ring": Paint("", "frame", 1.0),
    "ring-off": Paint("", "off", 1.0, (1.5, 1.5)),
    "struck": Paint("", "goes", 1.2),
    "strong": Paint("", "frame", 1.5),
    "weak": Paint("", "frame", 1.1, (3, 2)),
    "tip": Paint("frame"),
    # Texts.
    "given": Paint("ink", is_bold=True),
    "found": Paint("found"),
    "small": Paint("small"),
    "chosen": Paint("found", is_bold=True),
    "goes": Paint("goes", is_bold=True),
    "off": Paint("off"),
    "label": Paint("small"),
    "sign": Paint("ink", is_bold=True),
    "sign-on-white-dot": Paint("black", is_bold=True),
    "sign-on-black-dot": Paint("white", is_bold=True),
    "words": Paint("ink"),
    "title": Paint("ink", is_bold=True),
}


def channels(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of `#rrggbb`, from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


# Shapes of rules besides borders, backgrounds and marks: lines, arrows, cages, dots.
#
# The geometry of more complex lines is at the end: bent arrows, and the outline of any set of
# cells.

Point = tuple[float, float]
Points = tuple[Point, ...]

# Shares of a cell: the radius or width of a bulb, of an arrow's circle and of a dot; the distance
# at which a short arrow ends from the middle of its circle; the size of texts.
_BULB, _CIRCLE, _DOT, _END, _SHORT = 0.36, 0.4, 0.13, 0.34, 0.7
SUM, _CLUE, _SIGN, _LETTER_IN_CELL = 0.22, 0.4, 0.3, 0.38
# Clues outside, in cells: the distance between the middles of a clue and of the first cell, so that
# two digits do not touch the border; the same for clues of diagonals; the space on each side.
_AWAY, _FAR, _ROOM = 0.88, 1.02, 0.8
# The direction in which a comparison sign points, which is towards the smaller digit.
_OPEN = {">": (1, 0), "<": (-1, 0), "v": (0, 1), "^": (0, -1)}
# The distance from the middle of a text down to its baseline, in units of the font size.
_BASE = 0.36
# Half the width of a broad line in units of the board, as in its paint.
HALF_LINE = 5.0


class RuleShapes:
    """Draws the shapes of a picture's rules; `middle_of` returns the middle of a cell."""

    def __init__(self, picture: Picture, cell: float, middle_of: Callable[[int], Point]) -> None:
        self._picture = picture
        self._cell = cell
        self._middle_of = middle_of
        self._spots = spots_of(picture.geometry)

    def below(self) -> Iterator[Shape]:
        """Yield shapes under the lines of the grid: broad lines, thermometers, arrows."""
        for line in self._picture.drawn_as(Line):
            yield from self._line(line)
        for shaft in self._picture.drawn_as(Shaft):
            yield from self._shaft(shaft)

    def above(self) -> Iterator[Shape]:
        """Yield shapes over the lines of the grid: cages with sums, dots, clues outside."""
        for cage in self._picture.drawn_as(Cage):
            yield from self._cage(cage)
        for dot in self._picture.drawn_as(Dot):
            yield from self._dot(dot)
        clues: dict[Outside, list[str]] = {}
        for clue in self._picture.drawn_as(Outside):
            clues.setdefault(clue._replace(text=""), []).append(clue.text)
        for place, texts in clues.items():
            yield from self._outside(place, texts)

    def _line(self, line: Line) -> Iterator[Shape]:
        points = [self._middle_of(cell) for cell in line.cells]
        # Segments of their own and circles give round bends and ends in every file format.
        yield Path(tuple(pairwise(points)), f"{line.tint}-line")
        for x, y in points:
            yield Circle(x, y, HALF_LINE, line.tint)
        if line.has_bulb:
            yield Circle(*points[0], _BULB * self._cell, line.tint)
        if line.tint in _VEINS:
            yield Path((tuple(points),), f"{line.tint}-vein")
        if line.has_ends:
            for x, y in (points[0], points[-1]):
                yield Circle(x, y, _END * self._cell, "knob")

    def _shaft(self, shaft: Shaft) -> Iterator[Shape]:
        radius = _CIRCLE * self._cell
        circle = [self._middle_of(cell) for cell in shaft.circle]
        left, top = min(x for x, _ in circle) - radius, min(y for _, y in circle) - radius
        width = max(x for x, _ in circle) + radius - left
        height = max(y for _, y in circle) + radius - top
        if len(circle) == 1:
            yield Circle(*circle[0], radius, "shaft")
        else:
            yield Rect(left, top, width, height, "shaft")
        points = [self._middle_of(cell) for cell in shaft.cells]
        begin = min(circle, key=lambda at: _distance(at, points[0]))
        if shaft.is_short:
            # End early, to leave a gap between two arrows that point at each other: without it they
            # would look like a cross.
            points = [_towards(begin, points[0], _SHORT * self._cell)]
        yield Path(((_towards(begin, points[0], radius), *points),), "shaft")
        before = points[-2] if len(points) > 1 else begin
        yield Path((_head(before, points[-1], 0.16 * self._cell),), "shaft")

    def _cage(self, cage: Cage) -> Iterator[Shape]:
        inset = 0.05 if cage.is_fine else 0.09
        lines = outline_of(self._spots.numbers(cage.cells), self._spots.wide, inset)
        row, column = self._spots.places[0]
        x, y = self._corner(0)
        x, y = x - column * self._cell, y - row * self._cell
        yield Path(
            tuple(
                tuple((x + a * self._cell, y + b * self._cell) for a, b in line) for line in lines
            ),
            "fine" if cage.is_fine else "cage",
        )
        if cage.is_fine:
            size = SUM * self._cell
            wide = self._spots.wide
            for number in _last_cells(self._spots.numbers(cage.cells), wide):
                right = x + (number % wide + 1) * self._cell
                bottom = y + (number // wide + 1) * self._cell
                yield Text(right - 0.55 * size, bottom - 0.3 * size, cage.text, size, "sign")
        elif cage.text:
            left, top = self._corner(min(cage.cells))
            size = SUM * self._cell
            width = 0.62 * size * len(cage.text)
            # The sum has a background of its own, so that the dashes do not run through it.
            yield Rect(left + 1.5, top + 1.5, width + 2, size, "patch")
            yield Text(left + 2.5, top + 1 + size * 0.9, cage.text, size, "sign", is_centred=False)

    def _dot(self, dot: Dot) -> Iterator[Shape]:
        points = [self._middle_of(cell) for cell in dot.cells]
        x = sum(x for x, _ in points) / len(points)
        y = sum(y for _, y in points) / len(points)
        if not dot.has_circle:
            yield from self._sign(dot.text, x, y)
            return
        rows = _rows(dot.text) if len(points) > 2 else [dot.text]
        size = _SIGN * self._cell * (0.8 if len(dot.text) > 1 else 1)
        radius, ground = _DOT * self._cell, "black-dot" if dot.is_filled else "white-dot"
        if dot.text:
            # Covers all corners of the text, if bold letters are as wide as in most fonts.
            half = 0.31 * size * max(map(len, rows)), (0.36 + 0.5 * (len(rows) - 1)) * size
            radius = max(radius, hypot(*half) + 0.12 * size)
        yield Circle(x, y, radius, ground)
        for number, row in enumerate(rows if dot.text else []):
            base = y + (_BASE + number - (len(rows) - 1) / 2) * size
            yield Text(x, base, row, size, f"sign-on-{ground}")

    def _sign(self, text: str, x: float, y: float) -> Iterator[Shape]:
        """Yield the shapes of a letter, a number or a comparison sign between two cells."""
        size = _LETTER_IN_CELL * self._cell * (1 if len(text) == 1 else 0.7)
        yield Circle(x, y, 0.5 * size, "patch")
        if text in _OPEN:
            # Comparison signs are drawn as lines, because fonts place them at different heights.
            length = 0.26 * size
            along, across = _OPEN[text]
            tip = x + along * length, y + across * length
            ends = [
                (
                    x - along * length + turn * across * length,
                    y - across * length + turn * along * length,
                )
                for turn in (1, -1)
            ]
            yield Path(((ends[0], tip, ends[1]),), "thick")
        else:
            yield Text(x, y + _BASE * size, text, size, "sign")

    def _outside(self, clue: Outside, texts: list[str]) -> Iterator[Shape]:
        x, y = self._middle_of(clue.cell)
        is_diagonal = bool(clue.right and clue.down)
        # The number of a diagonal is further away, with an arrow between the number and the board.
        away = (_FAR if is_diagonal else _AWAY) * self._cell
        x, y = x - away * clue.right, y - away * clue.down
        # At most as wide as three characters at three quarters of the size, so that the text does
        # not touch the border.
        longest = max(map(len, texts))
        share = 2.25 / longest if longest > 2 else 0.85 if is_diagonal else 1
        size = _CLUE * self._cell * min(share, 0.75 if len(texts) > 1 else 1)
        # Clues of several rules at one place are stacked, in the space of one clue.
        size = min(size, 0.72 * self._cell / len(texts))
        for number, text in enumerate(texts):
            base = _BASE + number - (len(texts) - 1) / 2
            yield Text(x, y + base * size, text, size, "sign")
        if is_diagonal:
            step = 0.13 * self._cell
            begin = x + step * 1.6 * clue.right, y + step * 1.6 * clue.down
            end = x + step * 3.7 * clue.right, y + step * 3.7 * clue.down
            yield Path(((begin, end), _head(begin, end, 0.13 * self._cell)), "shaft")

    def _corner(self, cell: int) -> Point:
        x, y = self._middle_of(cell)
        return x - self._cell / 2, y - self._cell / 2


def outside_room(picture: Picture) -> float:
    """Return how much space clues outside need on each side, in cells."""
    return _ROOM if any(True for _ in picture.drawn_as(Outside)) else 0.0


def _rows(text: str) -> list[str]:
    """Return the rows of digits in a circle where four cells meet, two digits each, as players
    write them.
    """
    parts = text.split() if " " in text else list(text)
    joint = " " if " " in text else ""
    return [joint.join(parts[at : at + 2]) for at in range(0, len(parts), 2)] or [""]


def _last_cells(cells: Iterable[int], wide: int) -> Iterator[int]:
    """Yield the last cell of each group connected by sides, in a field `wide` cells wide."""
    left = set(cells)
    while left:
        reached, waiting = set[int](), [left.pop()]
        while waiting:
            cell = waiting.pop()
            reached.add(cell)
            beside = {cell - wide, cell + wide}
            beside |= {each for each in (cell - 1, cell + 1) if each // wide == cell // wide}
            waiting += beside & left
            left -= beside
        yield max(reached)


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _towards(begin: Point, end: Point, length: float) -> Point:
    """Return the point at distance `length` from `begin` in the direction of `end`."""
    whole = _distance(begin, end) or 1.0
    share = length / whole
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


def _head(behind: Point, at: Point, size: float) -> Points:
    """Return the two strokes of an arrow's head at `at`, for an arrow that comes from `behind`."""
    length = _distance(behind, at) or 1.0
    x, y = (at[0] - behind[0]) / length * size, (at[1] - behind[1]) / length * size
    return (at[0] - x - y, at[1] - y + x), at, (at[0] - x + y, at[1] - y - x)


# How far a bent arrow is from the straight line, as a share of its length; smallest first.
_BENDS = (0.12, 0.25, 0.4)


def bends(first: Point, last: Point, furthest: float) -> Iterator[Points]:
    """Yield curves from one point to another, on both sides, with bends of at most `furthest`."""
    length = _distance(first, last)
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
    """Return a bend as short straight lines, which every renderer can draw."""
    points = []
    # Eight segments look round at this size.
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
    """Return the triangle at the end `at` of an arrow that comes from `behind`."""
    length = _distance(behind, at) or 1.0
    x, y = (at[0] - behind[0]) / length, (at[1] - behind[1]) / length
    # Lengths in units of the board; the square of a candidate has a side of 14.
    long, half = 6.0, 2.6
    return (
        at,
        (at[0] - long * x - half * y, at[1] - long * y + half * x),
        (at[0] - long * x + half * y, at[1] - long * y - half * x),
        at,
    )


def outline_of(cells: AbstractSet[int], size: int, inset: float) -> Iterator[Points]:
    """Yield closed lines around the cells, in units of a cell.

    Cells that touch only at a corner get separate lines.

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


# A corner of an outline: a point between cells, and the directions in which the line enters and
# leaves it. The enclosed cells are always to the right of the line.
_Way = tuple[int, int]
_Corner = tuple[int, int, _Way, _Way]

# For each side of a cell: the offset of the neighbour beyond it, the corner at which the side
# begins in a clockwise walk around the cell, and its direction (x, y).
_SIDES: tuple[tuple[_Way, _Way, _Way], ...] = (
    ((0, -1), (0, 0), (1, 0)),
    ((1, 0), (1, 0), (0, 1)),
    ((0, 1), (1, 1), (-1, 0)),
    ((-1, 0), (0, 1), (0, -1)),
)


def _edges(cells: AbstractSet[int], size: int) -> dict[_Corner, _Corner]:
    """Return the successor of each corner on the outline."""
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
    """Return the direction in which the line leaves a point.

    Right turns are tried first, which separates diagonal neighbours.
    """
    right, left = (-way[1], way[0]), (way[1], -way[0])
    return next(turn for turn in (right, way, left) if (x, y, turn) in sides)


def _turns(corner: _Corner) -> bool:
    return corner[2] != corner[3]


def _inside(corner: _Corner, inset: float) -> Point:
    """Return the point for a corner: `inset` away from both of its lines, towards the cells."""
    x, y, coming, leaving = corner
    right = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}
    return (
        x + inset * (right[coming][0] + right[leaving][0]),
        y + inset * (right[coming][1] + right[leaving][1]),
    )


# The side of a cell, if its candidates do not need more; and the side of the square of a candidate,
# from which `_FREE` is subtracted.
_CELL, _SMALL_CELL = 42.0, 14.0
# The largest height of candidates, as a share of the cell.
_LARGEST_SMALL = 0.36
# Half of the thick border around the board is outside; labels along the edge are two letters wide.
_MARGIN, _LABELS = 2.0, 16.0
_TITLE_SIZE, _WORDS_SIZE, _LABEL_SIZE = 15.0, 12.0, 11.0
# Frames of cells do not touch thick borders, and marks of rules lie inside these frames.
_FRAME_INSET, _MARK_SIDE = 3.5, 0.78
# The height of a digit as a share of its cell, chosen by eye. On a board with two-character symbols
# all symbols are smaller, so that they fit into the cell. The second line is the height of a
# candidate as a share of its square.
_ONE_CHARACTER, _TWO_CHARACTERS = 0.62, 0.46
_ONE_SMALL, _TWO_SMALL = 0.86, 0.64
# The share of a cell that candidates leave free on each side, so that rings do not touch borders,
# including the thick ones around boxes.
_FREE = 0.09
# Cages are drawn 0.09 inside the cell; candidates keep a small distance from cages and their sums.
_FREE_IN_CAGES, _FREE_BELOW_SUMS = 0.12, 0.06
# An arrow begins and ends just outside the ring around a candidate, whose radius is 0.5.
_ARROW_GAP = 0.55
# The distance from the middle of a digit down to its baseline, in units of its size.
BASE = 0.36
_NOWHERE = object()
"""The region of a position without a cell."""


class Spots(NamedTuple):
    """The positions of cells: row and column for each, in a field `wide` cells wide and `high`
    high.

    `labels` has the names of groups beside the board, each with the first cell of the group.
    """

    wide: int
    high: int
    places: tuple[tuple[int, int], ...]
    labels: tuple[tuple[str, int], ...] = ()

    def numbers(self, cells: Iterable[int]) -> frozenset[int]:
        """Return the numbers of these cells' positions, counted row by row, holes among them."""
        places = (self.places[cell] for cell in cells)
        return frozenset(row * self.wide + column for row, column in places)

    @property
    def cell_of(self) -> dict[tuple[int, int], int]:
        return {place: cell for cell, place in enumerate(self.places)}


@lru_cache(maxsize=16)
def spots_of(geometry: Geometry) -> Spots:
    """Return the positions of a board's cells; cells beside the board are below it, in rows."""
    places = [
        (geometry.row_of(cell), geometry.column_of(cell)) for cell in range(geometry.board_count)
    ]
    wide, high = geometry.width, geometry.height
    labels = []
    for name, length, width in geometry.beside_board:
        labels.append((name, len(places)))
        # Leave a row free for the name of the group.
        high += 1
        places += [(high + n // width, n % width) for n in range(length)]
        wide, high = max(wide, width), high + -(-length // width)
    return Spots(wide, high, tuple(places), tuple(labels))


# The side of a QR code, as a share of the side of the board.
_CODE = 0.4
# Half a millimetre on paper if the board is alone on its page: phones can read that.
_LEAST_MODULE = 1.1


def code_of(text: str, x: float, y: float, side: float) -> Group:
    """Return the QR code of a text with its light margin; raise SatdokuError if the text is too
    long.
    """
    rows = qr_code(text)
    module = side / (len(rows) + 2 * MARGIN)
    squares = []
    for at, row in enumerate(rows, MARGIN):
        for is_dark, columns in groupby(range(len(row)), row.__getitem__):
            if is_dark:
                first, *_, last = [*columns] * 2
                left, right = first + MARGIN, last + MARGIN + 1
                corners = ((left, at), (right, at), (right, at + 1), (left, at + 1))
                squares.append(tuple((module * right, module * down) for right, down in corners))
    return Group(
        "code", [Rect(0, 0, side, side, "code-ground"), Path(tuple(squares), "code")], x, y
    )


def code_figure(text: str) -> Figure:
    """Return the figure of a QR code alone, with four units per module."""
    side = 4.0 * (len(qr_code(text)) + 2 * MARGIN)
    return Figure(side, side, [code_of(text, 0, 0, side)], "QR code", f"A QR code of {text}")


def draw(picture: Picture) -> Figure:
    """Return the figure of a picture, with its title above and its captions below the board."""
    return _Drawing(picture).figure()


def arrow_lines(picture: Picture) -> Iterator[list[Points]]:
    """Yield the bend and the tip of each arrow, in sides of a cell from the corner of the board;
    neither for an arrow that has no room.
    """
    return _Drawing(picture).arrow_lines()


class _Drawing:
    """The lengths and positions on the board of one picture."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._size = picture.geometry.size
        # Candidates have as many columns as rows, or one more: 3 columns and 2 rows for six digits.
        self._columns = ceil(sqrt(self._size))
        self._rows = ceil(self._size / self._columns)
        self._cell = max(_CELL, self._columns * _SMALL_CELL)
        is_short = max(map(len, picture.names)) == 1
        self._digit_size = self._cell * (_ONE_CHARACTER if is_short else _TWO_CHARACTERS)
        self._small_share = _ONE_SMALL if is_short else _TWO_SMALL
        # On a board with cages, candidates of all cells stay inside cages and below their sums.
        has_cages = any(picture.drawn_as(Cage))
        self._free = _FREE_IN_CAGES if has_cages else _FREE
        self._free_above = SUM + _FREE_BELOW_SUMS if has_cages else _FREE
        self._room = outside_room(picture) * self._cell
        self._left = _MARGIN + (_LABELS if picture.has_labels else 0) + self._room
        self._top = self._left
        self._spots = spots_of(picture.geometry)
        self._cell_of = self._spots.cell_of
        self._wide = self._spots.wide * self._cell
        self._high = self._spots.high * self._cell

    def figure(self) -> Figure:
        """Return the whole drawing."""
        picture = self._picture
        width = self._left + self._wide + _MARGIN + self._room
        title = lines_of(picture.title, width, _TITLE_SIZE)
        if title:
            self._top += LEADING * _TITLE_SIZE * (len(title) + 0.3)
        left = self._left - self._room
        above = list(paragraph(title, left, 0, _TITLE_SIZE, "title"))
        words = [line for text in picture.captions for line in lines_of(text, width, _WORDS_SIZE)]
        bottom = self._top + self._high + _MARGIN + self._room
        below: list[Shape] = list(paragraph(words, left, bottom, _WORDS_SIZE, "words"))
        height = bottom + (len(words) + 0.5 if words else 0) * LEADING * _WORDS_SIZE
        if picture.link:
            modules = len(qr_code(picture.link)) + 2 * MARGIN
            board = min(self._wide, self._high)
            side = min(board, max(_CODE * board, _LEAST_MODULE * modules))
            below.append(code_of(picture.link, self._left, height, side))
            height += side + _MARGIN
        return Figure(
            width,
            height,
            [Rect(0, 0, width, height, "paper"), *above, *self._board_shapes(), *below],
            picture.title or f"Sudoku {picture.geometry.board_words}",
            describe(picture),
            (self._left, self._top, self._wide, self._high),
        )

    def _board_shapes(self) -> Iterator[Shape]:
        # In drawing order: backgrounds lie below all lines, digits on top.
        yield from self._grounds()
        rules = RuleShapes(self._picture, self._cell, self._middle)
        yield from self._fine_lines()
        yield from rules.below()
        yield Path(tuple(self._grid_lines()), "thin")
        yield from self._marks()
        yield from self._thick_lines()
        yield from rules.above()
        yield from self._frames()
        yield from self._labels()
        for cell in range(self._picture.geometry.cell_count):
            shapes = list(self._content(cell))
            if shapes:
                yield Group(self._picture.geometry.name_of(cell), shapes)
        for arrow in self._picture.arrows:
            yield from self._arrow(arrow)

    def _corner(self, cell: int) -> tuple[float, float]:
        row, column = self._spots.places[cell]
        return self._left + column * self._cell, self._top + row * self._cell

    def _middle(self, cell: int) -> tuple[float, float]:
        x, y = self._corner(cell)
        return x + self._cell / 2, y + self._cell / 2

    def _grounds(self) -> Iterator[Shape]:
        """Yield the backgrounds of cells; a highlighted cell does not show the shade of a rule."""
        grounds = {cell: "shade" for shade in self._shades() for cell in shade.cells}
        grounds |= {cell: why.value for cell, why in self._picture.cells.items()}
        for cell, paint in sorted(grounds.items()):
            yield Rect(*self._corner(cell), self._cell, self._cell, paint)

    def _shades(self) -> Iterator[Shade]:
        return self._picture.drawn_as(Shade)

    def _fine_lines(self) -> Iterator[Shape]:
        for shade in self._shades():
            if shade.has_outline:
                # Slightly inset, so that the outlines of neighbouring shades do not touch.
                yield self._outline(shade.cells, 3.0, "fine")
        for stroke in self._picture.drawn_as(Stroke):
            ends = (self._middle(stroke.cells[0]), self._middle(stroke.cells[-1]))
            yield Path((ends,), "fine")

    def _outline(self, cells: tuple[int, ...], inset: float, paint: str) -> Path:
        lines = outline_of(self._spots.numbers(cells), self._spots.wide, inset / self._cell)
        return Path(
            tuple(
                tuple((self._left + x * self._cell, self._top + y * self._cell) for x, y in line)
                for line in lines
            ),
            paint,
        )

    def _grid_lines(self) -> Iterator[tuple[tuple[float, float], ...]]:
        if not self._picture.geometry.is_plain:
            yield from self._lines_between(lambda here, there: here == there != _NOWHERE)
            return
        right, bottom = self._left + self._wide, self._top + self._high
        for n in range(1, self._size):
            at = n * self._cell
            yield ((self._left, self._top + at), (right, self._top + at))
            yield ((self._left + at, self._top), (self._left + at, bottom))

    def _marks(self) -> Iterator[Shape]:
        side = _MARK_SIDE * self._cell
        for mark in self._picture.drawn_as(Mark):
            for cell in mark.cells:
                x, y = self._middle(cell)
                for style in ("grey", "figure") if mark.is_filled else ("figure",):
                    if mark.shape == "circle":
                        yield Circle(x, y, side / 2, style)
                    else:
                        yield Rect(x - side / 2, y - side / 2, side, side, style)

    def _thick_lines(self) -> Iterator[Shape]:
        """Yield the border of the board and the borders between regions, as few long lines."""
        if not self._picture.geometry.is_plain:
            lines = self._lines_between(lambda here, there: here != there)
            yield Path(tuple(lines), "thick")
            return
        size, region_of = self._size, self._picture.region_of
        edges: list[tuple[tuple[float, float], ...]] = []
        for is_level in (True, False):
            for line in range(1, size):
                cells = [
                    (line * size + n, (line - 1) * size + n)
                    if is_level
                    else (n * size + line, n * size + line - 1)
                    for n in range(size)
                ]
                is_border = [region_of[a] != region_of[b] for a, b in cells]
                edges += (self._edge(line, *run, is_level) for run in _runs(is_border))
        yield Path(tuple(edges), "thick")
        yield Rect(self._left, self._top, self._wide, self._high, "thick")

    def _lines_between(
        self, is_line: Callable[[object, object], bool]
    ) -> Iterator[tuple[tuple[float, float], ...]]:
        """Yield lines between positions of a board of any shape, by the regions on both sides."""
        wide, high, cell_of = self._spots.wide, self._spots.high, self._cell_of
        owner = self._owners()

        def region(row: int, column: int) -> object:
            cell = cell_of.get((row, column))
            return _NOWHERE if cell is None else owner[cell]

        for line in range(high + 1):
            flags = [is_line(region(line, n), region(line - 1, n)) for n in range(wide)]
            yield from (self._edge(line, *run, True) for run in _runs(flags))
        for line in range(wide + 1):
            flags = [is_line(region(n, line), region(n, line - 1)) for n in range(high)]
            yield from (self._edge(line, *run, False) for run in _runs(flags))

    def _owners(self) -> list[object]:
        """Return, for each cell, the region on the board, or the group beside it."""
        geometry, found = self._picture.geometry, list[object](self._picture.region_of)
        cells = range(geometry.board_count, geometry.cell_count)
        names = [name for name, length, _ in geometry.beside_board for _ in range(length)]
        for cell, name in zip(cells, names, strict=True):
            found[cell] = name
        return found

    def _edge(
        self, line: int, first: int, last: int, is_level: bool
    ) -> tuple[tuple[float, float], ...]:
        ends = [(first, line), (last, line)] if is_level else [(line, first), (line, last)]
        return tuple((self._left + x * self._cell, self._top + y * self._cell) for x, y in ends)

    def _frames(self) -> Iterator[Shape]:
        inset = _FRAME_INSET
        side = self._cell - 2 * inset
        for cell, why in sorted(self._picture.cells.items()):
            x, y = self._corner(cell)
            yield Rect(x + inset, y + inset, side, side, f"frame-{why.value}")
            if why is Emphasis.CLASHING:
                # Clashing and placed cells have the same frame; a cross in the corner tells them
                # apart without colours.
                far, near = self._cell - inset - 2, self._cell - inset - 8
                yield Path(
                    (
                        ((x + near, y + inset + 2), (x + far, y + inset + 8)),
                        ((x + near, y + inset + 8), (x + far, y + inset + 2)),
                    ),
                    "struck",
                )

    def _labels(self) -> Iterator[Shape]:
        for name, cell in self._spots.labels:
            x, y = self._corner(cell)
            yield Text(x, y - 0.3 * _LABEL_SIZE, name, _LABEL_SIZE, "label", is_centred=False)
        if not self._picture.has_labels:
            return
        base = BASE * _LABEL_SIZE
        away = self._room + _LABELS / 2
        geometry, half = self._picture.geometry, self._cell / 2
        for n in range(geometry.width):
            x = self._left + n * self._cell + half
            yield Text(x, self._top - away + base, f"c{n + 1}", _LABEL_SIZE, "label")
            if n < geometry.height:
                y = self._top + n * self._cell + half
                yield Text(self._left - away, y + base, f"r{n + 1}", _LABEL_SIZE, "label")
        for n in range(geometry.width, geometry.height):
            y = self._top + n * self._cell + half
            yield Text(self._left - away, y + base, f"r{n + 1}", _LABEL_SIZE, "label")

    def _content(self, cell: int) -> Iterator[Shape]:
        digit = self._picture.digits[cell]
        if digit:
            name, size = self._picture.names[digit], self._digit_size
            x, y = self._middle(cell)
            paint = "given" if cell in self._picture.givens else "found"
            yield Text(x, y + BASE * size, name, size, paint)
        for small in self._picture.small_digits.get(cell, ()):
            yield from self._candidate(Place(cell, small))

    def _candidate(self, place: Place) -> Iterator[Shape]:
        x, y = self._small_middle(place)
        name = self._picture.names[place.digit]
        pitch = self._pitch
        # Limited for boards of four digits, on which larger candidates would look like placed
        # digits.
        size = self._small_share * min(pitch, _LARGEST_SMALL * self._cell)
        why = self._picture.places.get(place)
        paint = "small"
        if why in (Emphasis.USED, Emphasis.PLACED):
            paint = "chosen"
            # The ring stays in its cell, so that it does not touch rings in the next cell.
            yield Circle(x, y, pitch * 0.47, "ring")
            if why is Emphasis.PLACED:
                yield Circle(x, y, pitch * 0.39, "ring")
        elif why is Emphasis.OFF:
            paint = "off"
            yield Circle(x, y, pitch * 0.47, "ring-off")
        elif why is not None:
            paint = "goes"
        yield Text(x, y + BASE * size, name, size, paint)
        if paint == "goes":
            reach = pitch * 0.42
            yield Path((((x - reach, y + reach), (x + reach, y - reach)),), "struck")

    def _small_middle(self, place: Place) -> tuple[float, float]:
        """Return a candidate's position: 1 2 3 above 4 5 6 above 7 8 9, with gaps if missing."""
        x, y = self._corner(place.cell)
        row, column = divmod(place.digit - 1, self._columns)
        wide, high = 1 - 2 * self._free, 1 - self._free - self._free_above
        return (
            x + (self._free + wide * (column + 0.5) / self._columns) * self._cell,
            y + (self._free_above + high * (row + 0.5) / self._rows) * self._cell,
        )

    @cached_property
    def _rings(self) -> dict[int, list[tuple[float, float]]]:
        """Return the positions of the marked candidates of each cell."""
        found: dict[int, list[tuple[float, float]]] = {}
        for place in self._picture.places:
            found.setdefault(place.cell, []).append(self._small_middle(place))
        return found

    @cached_property
    def _pitch(self) -> float:
        """Return the smaller of the horizontal and vertical distances between candidates."""
        wide, high = 1 - 2 * self._free, 1 - self._free - self._free_above
        return min(wide / self._columns, high / self._rows) * self._cell

    def _clearest(self, curves: Iterable[Points]) -> Points:
        """Return the first of the curves that lie on the fewest digits."""
        found = {}
        for curve in curves:
            found[curve] = self._digits_on(curve)
            # Most arrows meet no digit, and then the other curves are not needed.
            if not found[curve]:
                return curve
        return min(found, key=found.__getitem__)

    def _digits_on(self, curve: Points) -> int:
        """Count the points of a curve that lie on a large digit or on a marked candidate.

        Points outside the board count too.
        """
        count, cell_of = 0, self._cell_of
        halves = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(curve)]
        for x, y in (*curve[1:-1], *halves):
            column, row = int((x - self._left) // self._cell), int((y - self._top) // self._cell)
            cell = cell_of.get((row, column))
            if cell is None:
                count += 1
            elif self._picture.digits[cell]:
                middle = self._middle(cell)
                # About the distance from the middle of a digit to its edge.
                count += hypot(x - middle[0], y - middle[1]) < 0.36 * self._cell
            else:
                rings = self._rings.get(cell, ())
                count += any(hypot(x - a, y - b) < 0.5 * self._pitch for a, b in rings)
        return count

    def arrow_lines(self) -> Iterator[list[Points]]:
        """Yield the lines of each arrow, in sides of a cell from the corner of the board."""
        left, top, cell = self._left, self._top, self._cell
        for arrow in self._picture.arrows:
            lines = [line for path in self._arrow(arrow) for line in path.lines]
            yield [tuple(((x - left) / cell, (y - top) / cell) for x, y in line) for line in lines]

    def _arrow(self, arrow: Arrow) -> Iterator[Path]:
        start, end = self._small_middle(arrow.start), self._small_middle(arrow.end)
        length = hypot(end[0] - start[0], end[1] - start[1])
        gap = _ARROW_GAP * self._pitch
        # Between neighbouring candidates there is no room for an arrow beside the rings.
        if length <= 2 * gap:
            return
        along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        first = start[0] + gap * along[0], start[1] + gap * along[1]
        last = end[0] - gap * along[0], end[1] - gap * along[1]
        curve = self._clearest(bends(first, last, 1.6 * self._cell))
        yield Path((curve,), "strong" if arrow.is_strong else "weak")
        yield Path((tip(curve[-2], last),), "tip")


def _runs(flags: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of set flags, each as its first index and the index behind its last.

    >>> list(_runs([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    changes = [0, *(n for n in range(1, len(flags)) if flags[n] != flags[n - 1]), len(flags)]
    yield from ((first, last) for first, last in pairwise(changes) if flags[first])
