"""What rules draw on a board beside borders, grounds and marks: lines, arrows, cages, dots."""

from collections.abc import Callable, Iterator
from math import hypot

from satdoku.picture.picture import Picture
from satdoku.picture.shapes import Circle, Path, Rect, Shape, Text, outline_of
from satdoku.puzzle.rules.drawn import Cage, Dot, Line, Outside, Shaft

Point = tuple[float, float]

# As shares of a cell: how broad a bulb, a circle of an arrow and a dot are, and texts.
_BULB, _CIRCLE, _DOT, _END = 0.36, 0.4, 0.13, 0.34
SUM, _CLUE, _SIGN = 0.26, 0.42, 0.3
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
        for clue in self._picture.drawn_as(Outside):
            yield from self._outside(clue)

    def _line(self, line: Line) -> Iterator[Shape]:
        points = [self._middle_of(cell) for cell in line.cells]
        yield Path((tuple(points),), f"{line.tint.value}-line")
        # Round where it bends and ends, in every kind of file.
        for x, y in points:
            yield Circle(x, y, HALF_LINE, line.tint.value)
        if line.has_bulb:
            yield Circle(*points[0], _BULB * self._cell, line.tint.value)
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
        size = _SIGN * self._cell * (0.8 if len(dot.text) > 1 else 1)
        radius = _DOT * self._cell
        if dot.text and dot.has_circle:
            radius = max(radius, 0.36 * size * len(dot.text), 0.6 * size)
        if dot.has_circle:
            yield Circle(x, y, radius, "dot-filled" if dot.is_filled else "dot")
        elif dot.text:
            yield Circle(x, y, 0.55 * size, "patch")
        if dot.text:
            paint = "sign-on-dot" if dot.is_filled and dot.has_circle else "sign"
            yield Text(x, y + _BASE * size, dot.text, size, paint)

    def _outside(self, clue: Outside) -> Iterator[Shape]:
        x, y = self._middle_of(clue.cell)
        x, y = x - 0.82 * self._cell * clue.right, y - 0.82 * self._cell * clue.down
        size = _CLUE * self._cell * (0.75 if len(clue.text) > 2 else 1)
        yield Text(x, y + _BASE * size, clue.text, size, "sign")
        if clue.right and clue.down:
            # Along a diagonal a small arrow says which one.
            step = 0.2 * self._cell
            end = x + step * 1.6 * clue.right, y + step * 1.6 * clue.down
            begin = x + step * 0.9 * clue.right, y + step * 0.9 * clue.down
            yield Path(((begin, end), _head(begin, end, 0.1 * self._cell)), "figure")

    def _corner(self, cell: int) -> Point:
        x, y = self._middle_of(cell)
        return x - self._cell / 2, y - self._cell / 2


def outside_room(picture: Picture) -> float:
    """How much room clues outside need on each side, in cells."""
    return 0.75 if any(True for _ in picture.drawn_as(Outside)) else 0.0


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _towards(begin: Point, end: Point, length: float) -> Point:
    """The point so far from a beginning on the way to an end."""
    whole = _distance(begin, end) or 1.0
    share = length / whole
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


def _head(behind: Point, at: Point, size: float) -> tuple[Point, ...]:
    """The two strokes at the end of an arrow that comes from `behind`."""
    length = _distance(behind, at) or 1.0
    x, y = (at[0] - behind[0]) / length * size, (at[1] - behind[1]) / length * size
    return (at[0] - x - y, at[1] - y + x), at, (at[0] - x + y, at[1] - y - x)
