"""Arrows between candidates: bent, so that they run through few other things."""

from collections.abc import Iterator
from math import hypot

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
