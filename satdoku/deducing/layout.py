r"""Boards as bytes with one byte for each candidate, and which place of them is which candidate.

The candidates stand cell by cell, and behind each cell is one more byte, the mark. This is 2x2:

    place      0 1 2 3  4     5 6 7 8  9    ...
    candidate  1 2 3 4 mark   1 2 3 4 mark  ...
               \_____/        \_____/
               cell 0         cell 1

so cell c with digit d is place 5 * c + d - 1. A byte says of its candidate whatever the user of the
layout wants it to say: 1 for open and 0 for not, or the number of its variable.

So locked candidates are excluded in all boxes and lines in one go. Where all open candidates of a
digit in a line are in one segment, which is what the line shares with a box, the digit stands
there, so it goes from the rest of the box. Where all of those in a box are in one segment, it goes
from the rest of the line. A set of candidates is one integer with a bit for each place of a
`ByteLayout`; a segment stands at the place of its first candidate.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry, Unit

MARK = b" "
"""What stands at the marks of numbered bytes: `bytes.split` cuts there."""

NUMBERS = bytes([number for number in range(1, 256) if not bytes([number]).isspace()])
"""The numbers of variables that fit a byte: all but white space, which `bytes.split` would take for
a mark."""


class ByteLayout:
    """The places of the candidates of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.stride = geometry.size + 1
        self.width = self.stride * geometry.cell_count
        self._unnumbered = (bytes(geometry.size) + MARK) * geometry.cell_count
        # Tables are made by few calls, since a command that checks one puzzle makes them too.
        self.places = [
            range(first, first + geometry.size) for first in range(0, self.width, self.stride)
        ]
        """Where the bytes of each cell stand, by its digits from 1 on."""
        self.candidate_at = list(map(divmod, range(1, self.width + 1), repeat(self.stride)))
        """The cell and the digit whose byte stands at each place."""

    def place(self, cell: int, digit: int) -> int:
        """Where the byte of a candidate stands."""
        return self.stride * cell + digit - 1

    def groups_of(self, units: Sequence[Unit]) -> list[tuple[int, ...]]:
        """The places of each digit in each of the units, the digits of a unit one by one."""
        of_cell = self.places.__getitem__
        return [group for unit in units for group in zip(*map(of_cell, unit.cells), strict=True)]

    def number(self, places: Sequence[int]) -> bytes:
        """Bytes with `NUMBERS`, in order, at these places, 0 at others, and a mark after each cell.

        Where there are more places than numbers, the last ones get none.
        """
        numbered = bytearray(self._unnumbered)
        # The fastest loop there is: map calls in C, and a deque of no length keeps no result.
        deque(map(numbered.__setitem__, places, NUMBERS), maxlen=0)
        return bytes(numbered)

    def fill(self, known: bytes, places: Iterable[int]) -> bytes:
        """A board, one byte a cell: the known digits, and the candidates at these places."""
        board = bytearray(known)
        for place in places:
            cell, digit = self.candidate_at[place]
            board[cell] = digit
        return bytes(board)


class Sifted(NamedTuple):
    """What is left of a board when candidates were excluded from it.

    `digits` is the board as it came and `known` the digits that are certain, both one byte a cell.
    `open` has a byte for each candidate (see `ByteLayout`), 1 where it is open. What a known digit
    excludes is not open; a group in which nothing is known or open shows that there is no solution.
    """

    digits: bytes
    known: bytes
    open: bytes


class _Whole(NamedTuple):
    """What segments make up: all lines of one direction, or all boxes.

    Three segments make a row of 9x9, each three cells wide; and so do the three segments of a box:

        row:  [1 2 3][4 5 6][7 8 9]       box:  [1 2 3]
                                                [4 5 6]
                                                [7 8 9]

    `first` has the first segment of each line or box, for each digit. A set of segments that is
    moved back by one of the `steps` has another segment of each there. A bit there times `spread`
    is a bit for every segment.
    """

    first: int
    steps: Sequence[int]
    spread: int


class _Direction(NamedTuple):
    """Segments of rows, or segments of columns: how they lie in lines and in boxes.

    `segments` has all of them. `steps` lead from the first cell of each to its further cells, and
    a bit there times `spread` is a bit for each of its cells.
    """

    segments: int
    steps: Sequence[int]
    spread: int
    lines: _Whole
    boxes: _Whole


class LockedCandidates:
    """Excludes locked candidates on boards of one geometry."""

    def __init__(self, layout: ByteLayout) -> None:
        geometry, right = layout.geometry, layout.stride
        down = right * geometry.size
        height, width = geometry.box_rows, geometry.box_columns
        self._directions = [
            _direction(geometry, (right, width), (down, height)),
            _direction(geometry, (down, height), (right, width)),
        ]

    def exclude(self, open_: int) -> int:
        """The candidates that stay open."""
        for segments, steps, spread, lines, boxes in self._directions:
            occupied = open_
            for step in steps:
                occupied |= open_ >> step
            occupied &= segments
            excluded = _beside_alone(occupied, lines, boxes) | _beside_alone(occupied, boxes, lines)
            open_ &= ~(excluded * spread)
        return open_


def _beside_alone(occupied: int, here: _Whole, there: _Whole) -> int:
    """The segments of `there` beside those that are alone in `here`, which are lines and boxes.

    A segment is alone in its line, or in its box, if no other segment of it has a candidate.
    """
    # At the first segment of each: whether any of its segments has a candidate, or two.
    one, two = occupied, 0
    for step in here.steps:
        moved = occupied >> step
        two |= one & moved
        one |= moved
    alone = (one & ~two & here.first) * here.spread & occupied
    hit = alone
    for step in there.steps:
        hit |= alone >> step
    return (hit & there.first) * there.spread & ~alone


def _direction(geometry: Geometry, along: tuple[int, int], across: tuple[int, int]) -> _Direction:
    """The segments of lines that run `along`.

    Both ways are given as the distance from one cell to the next, and as the cells of a box.
    """
    (step, length), (line, lines_of_box) = along, across
    size = geometry.size
    numbers = range(size)
    ends, tops = range(0, size, length), range(0, size, lines_of_box)

    def bits(rows: Sequence[int], columns: Sequence[int]) -> int:
        return sum(
            [
                1 << line * row + step * column + digit
                for row in rows
                for column in columns
                for digit in numbers
            ]
        )

    def whole(first: int, distances: Sequence[int]) -> _Whole:
        return _Whole(first, distances[1:], sum(1 << distance for distance in distances))

    in_line = [step * end for end in ends]
    in_box = [line * number for number in range(lines_of_box)]
    cells = [step * number for number in range(length)]
    return _Direction(
        segments=bits(numbers, ends),
        steps=cells[1:],
        spread=sum(1 << distance for distance in cells),
        lines=whole(bits(numbers, [0]), in_line),
        boxes=whole(bits(tops, ends), in_box),
    )
