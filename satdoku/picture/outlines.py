"""The line around any cells of a board, a little inside their border."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

Point = tuple[float, float]


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
