"""What rules draw on a board beside borders, grounds and marks: lines, arrows, cages, dots.

At the end are lines that take some reckoning: bent arrows, and the outline of any cells.
"""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from math import hypot

from satdoku.picture.picture import Picture
from satdoku.picture.shapes import Circle, Path, Rect, Shape, Text
from satdoku.puzzle.rules.drawn import Cage, Dot, Line, Outside, Shaft

Point = tuple[float, float]
Points = tuple[Point, ...]

# As shares of a cell: how broad a bulb, a circle of an arrow and a dot are, how far from the middle
# of its circle a short arrow ends, and texts.
_BULB, _CIRCLE, _DOT, _END, _SHORT = 0.36, 0.4, 0.13, 0.34, 0.7
SUM, _CLUE, _SIGN, _LETTER_IN_CELL = 0.22, 0.4, 0.3, 0.38
# Clues outside: how far their middle is from that of the first cell, so that two digits stay clear
# of the border, and how much room they have on each side.
_AWAY, _FAR, _ROOM = 0.88, 1.02, 0.8
# Where the tip of a sign of comparison is, which is at the smaller digit.
_OPEN = {">": (1, 0), "<": (-1, 0), "v": (0, 1), "^": (0, -1)}
# From the middle of a text down to its base line, in units of its size.
_BASE = 0.36
# Half the width of a broad line in units of the board, as its paint has it.
HALF_LINE = 5.0


class RuleShapes:
    """The shapes of a picture's rules; `middle_of` is where a cell has its middle."""

    def __init__(self, picture: Picture, cell: float, middle_of: Callable[[int], Point]) -> None:
        self._picture = picture
        self._cell = cell
        self._middle_of = middle_of
        self._size = picture.geometry.size

    def below(self) -> Iterator[Shape]:
        """What lies under the lines of the grid: broad lines, thermometers, arrows."""
        for line in self._picture.drawn_as(Line):
            yield from self._line(line)
        for shaft in self._picture.drawn_as(Shaft):
            yield from self._shaft(shaft)

    def above(self) -> Iterator[Shape]:
        """What lies over them: cages with their sums, dots, clues outside."""
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
        yield Path((tuple(points),), f"{line.tint}-line")
        # Round where it bends and ends, in every kind of file.
        for x, y in points:
            yield Circle(x, y, HALF_LINE, line.tint)
        if line.has_bulb:
            yield Circle(*points[0], _BULB * self._cell, line.tint)
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
            # Arrows towards each other then leave a gap, where they would look like a cross.
            points = [_towards(begin, points[0], _SHORT * self._cell)]
        yield Path(((_towards(begin, points[0], radius), *points),), "shaft")
        before = points[-2] if len(points) > 1 else begin
        yield Path((_head(before, points[-1], 0.16 * self._cell),), "shaft")

    def _cage(self, cage: Cage) -> Iterator[Shape]:
        inset = 0.09
        lines = outline_of(frozenset(cage.cells), self._size, inset)
        x, y = self._corner(0)
        yield Path(
            tuple(
                tuple((x + a * self._cell, y + b * self._cell) for a, b in line) for line in lines
            ),
            "cage",
        )
        if cage.text:
            left, top = self._corner(min(cage.cells))
            size = SUM * self._cell
            width = 0.62 * size * len(cage.text)
            # A ground of its own keeps the dashes from running through the sum.
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
            # Around all corners of the text, letters being as broad as the bold ones of most fonts.
            half = 0.31 * size * max(map(len, rows)), (0.36 + 0.5 * (len(rows) - 1)) * size
            radius = max(radius, hypot(*half) + 0.12 * size)
        yield Circle(x, y, radius, ground)
        for number, row in enumerate(rows if dot.text else []):
            base = y + (_BASE + number - (len(rows) - 1) / 2) * size
            yield Text(x, base, row, size, f"sign-on-{ground}")

    def _sign(self, text: str, x: float, y: float) -> Iterator[Shape]:
        """A letter, a number or a sign of comparison between two cells."""
        size = _LETTER_IN_CELL * self._cell * (1 if len(text) == 1 else 0.7)
        yield Circle(x, y, 0.5 * size, "patch")
        if text in _OPEN:
            # Drawn, as fonts have these signs at the foot of a line or at its head.
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
        # Of a diagonal the number stands further away: between it and the board there is an arrow.
        away = (_FAR if is_diagonal else _AWAY) * self._cell
        x, y = x - away * clue.right, y - away * clue.down
        # As broad as three signs of three quarters at the most, so that it stays off the border.
        longest = max(map(len, texts))
        share = 2.25 / longest if longest > 2 else 0.85 if is_diagonal else 1
        size = _CLUE * self._cell * min(share, 0.75 if len(texts) > 1 else 1)
        # Clues of several rules at one place stand below each other, in the room that one has.
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
    """How much room clues outside need on each side, in cells."""
    return _ROOM if any(True for _ in picture.drawn_as(Outside)) else 0.0


def _rows(text: str) -> list[str]:
    """The digits of a circle where four cells meet: two to a row, as players write them."""
    parts = text.split() if " " in text else list(text)
    joint = " " if " " in text else ""
    return [joint.join(parts[at : at + 2]) for at in range(0, len(parts), 2)] or [""]


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _towards(begin: Point, end: Point, length: float) -> Point:
    """The point so far from a beginning on the way to an end."""
    whole = _distance(begin, end) or 1.0
    share = length / whole
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


def _head(behind: Point, at: Point, size: float) -> Points:
    """The two strokes at the end of an arrow that comes from `behind`."""
    length = _distance(behind, at) or 1.0
    x, y = (at[0] - behind[0]) / length * size, (at[1] - behind[1]) / length * size
    return (at[0] - x - y, at[1] - y + x), at, (at[0] - x + y, at[1] - y - x)


# How far a bend leads off the straight line, as a part of its length; the smallest comes first.
_BENDS = (0.12, 0.25, 0.4)


def bends(first: Point, last: Point, furthest: float) -> Iterator[Points]:
    """Curves from one point to another, on both sides, none of which is bent further than that."""
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
    length = _distance(behind, at) or 1.0
    x, y = (at[0] - behind[0]) / length, (at[1] - behind[1]) / length
    # In units of the board, in which the square of a candidate has 14.
    long, half = 6.0, 2.6
    return (
        at,
        (at[0] - long * x - half * y, at[1] - long * y + half * x),
        (at[0] - long * x + half * y, at[1] - long * y - half * x),
        at,
    )


def outline_of(cells: AbstractSet[int], size: int, inset: float) -> Iterator[Points]:
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
