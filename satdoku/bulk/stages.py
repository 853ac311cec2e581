"""What one kind of groups excludes on many boards at once.

A stage takes the lanes in an order of its own: first those of the first candidate of every group,
then those of the second, and so on. So the first candidates of all groups are one list of lanes,
and what is to be done for each group is done for whole lists, in loops of C.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import permutations, repeat
from operator import and_, or_, xor
from typing import Protocol

from satdoku.bulk.lanes import Lanes, chunks, intersect, unite


class Boards:
    """Many boards as lanes, while the sieve is at work on them.

    `open` says where a candidate may still be true, `placed` where it was found to be the only one
    of a group. `every` has a bit for each board, `consistent` for each in which no contradiction
    was met.
    """

    def __init__(self, placed: Lanes, count: int) -> None:
        self.every = (1 << count) - 1
        self.open: Lanes = [self.every] * len(placed)
        self.placed = placed
        self.consistent = self.every


class Stage(Protocol):
    """One step of the sieve, which looks at all groups of one kind."""

    order: Sequence[int]
    """The lanes that it takes, by their index in the usual order."""

    def sift(self, boards: Boards) -> None:
        """Excludes candidates, and places some, of boards whose lanes are in this order."""


class Groups:
    """Excludes what shares a group with a placed candidate, and places what is alone in a group."""

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        self.order = _by_position(groups)
        self._count = len(groups)

    def sift(self, boards: Boards) -> None:
        placed = chunks(boards.placed, self._count)
        # Of each group: on which boards it has a placed candidate, and on which it has none.
        settled = unite(placed)
        free = list(map(xor, settled, repeat(boards.every)))
        open_: list[int] = []
        # Of each group: on which boards at least one, or at least two, of its candidates are open.
        one: Lanes = [0] * self._count
        two = one
        for lanes, placed_here in zip(chunks(boards.open, self._count), placed, strict=True):
            # What stays open: all of a group with none placed, else what is placed itself.
            left = list(map(and_, lanes, map(or_, free, placed_here)))
            two = list(map(or_, two, map(and_, one, left)))
            one = list(map(or_, one, left))
            open_ += left
        # Wherever two are open, one is: so this leaves just one.
        alone = list(map(xor, one, two))
        boards.open = open_
        boards.placed = [
            lane
            for lanes, placed_here in zip(chunks(open_, self._count), placed, strict=True)
            for lane in map(or_, placed_here, map(and_, lanes, alone))
        ]
        # A contradiction is a group with no open candidate, or with two although one is placed.
        boards.consistent = reduce(and_, map(xor, one, map(and_, settled, two)), boards.consistent)


class Bands:
    """Excludes what no arrangement of a digit in a band of boxes uses.

    A band is the lines that go through the same boxes, as many lines as boxes. A digit stands once
    in each line and once in each box, so it takes from each line a segment in another box. Such a
    choice of segments is an arrangement; of three lines there are six:

        A . .    A . .    . A .
        . B .    . . B    B . .    ...      A, B, C: the segment of the first, second, third line
        . . C    . C .    . . C

    An arrangement is possible while the digit is open in all its segments. A segment that is in no
    possible arrangement loses the digit.
    """

    def __init__(self, bands: Sequence[Sequence[int]], lines: int) -> None:
        """The lanes of each digit in each band, line by line, and the number of lines."""
        self.order = _by_position(bands)
        self._count = len(bands)
        segments = range(lines * lines)
        self._segment_length = len(bands[0]) // len(segments)
        self._arrangements = [
            frozenset(lines * line + box for line, box in enumerate(boxes))
            for boxes in permutations(range(lines))
        ]
        self._arrangements_with = [
            [number for number, chosen in enumerate(self._arrangements) if segment in chosen]
            for segment in segments
        ]

    def sift(self, boards: Boards) -> None:
        lanes = chunks(boards.open, self._count)
        length = self._segment_length
        segments = [lanes[begin : begin + length] for begin in range(0, len(lanes), length)]
        occupied = list(map(unite, segments))
        possible = [
            intersect(occupied[segment] for segment in chosen) for chosen in self._arrangements
        ]
        used = [
            unite(possible[number] for number in numbers) for numbers in self._arrangements_with
        ]
        boards.open = [
            lane
            for segment, used_here in zip(segments, used, strict=True)
            for cell in segment
            for lane in map(and_, cell, used_here)
        ]


def _by_position(groups: Sequence[Sequence[int]]) -> Sequence[int]:
    """The first of each group, then the second of each, and so on."""
    return [lane for position in zip(*groups, strict=True) for lane in position]
