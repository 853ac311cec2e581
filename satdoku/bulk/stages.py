"""What one kind of groups excludes on many boards at once.

A stage takes all lanes in an order of its own: the first candidates of all its groups, then the
second ones, and so on. Then whatever is done for a group is done with whole lists of lanes, in
loops of C.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import permutations, repeat
from operator import and_, or_, xor
from typing import Protocol

from satdoku.bulk.lanes import Lanes, meet, part, unite


class Boards:
    """Lanes of what is open, and of what was placed because it is the only one of a group.

    `sane` has a bit for each board in which no contradiction was met.
    """

    def __init__(self, placed: Lanes, count: int) -> None:
        self.every = (1 << count) - 1
        self.open: Lanes = [self.every] * len(placed)
        self.placed = placed
        self.sane = self.every


class Stage(Protocol):
    order: Sequence[int]
    """Which lanes it takes, one after the other."""

    def sift(self, boards: Boards) -> None:
        """Excludes candidates, in boards that are in the order of this stage."""


class Groups:
    """Excludes what stands beside a placed candidate, and places what stands alone."""

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        self.order = _by_position(groups)
        self._count = len(groups)

    def sift(self, boards: Boards) -> None:
        placed = part(boards.placed, self._count)
        taken = unite(placed)
        free = list(map(xor, taken, repeat(boards.every)))
        open_: list[int] = []
        once: Lanes = [0] * self._count
        twice = once
        for lanes, ours in zip(part(boards.open, self._count), placed, strict=True):
            left = list(map(and_, lanes, map(or_, free, ours)))
            twice = list(map(or_, twice, map(and_, once, left)))
            once = list(map(or_, once, left))
            open_ += left
        alone = list(map(xor, once, twice))
        boards.open = open_
        boards.placed = [
            lane
            for lanes, ours in zip(part(open_, self._count), placed, strict=True)
            for lane in map(or_, ours, map(and_, lanes, alone))
        ]
        # A group has a candidate, and two only as long as none is placed.
        boards.sane = reduce(and_, map(xor, once, map(and_, taken, twice)), boards.sane)


class Bands:
    """Excludes what no way of a digit through a band of boxes meets.

    A band has as many lines as boxes, and a digit is in each line in another box.
    """

    def __init__(self, bands: Sequence[Sequence[int]], lines: int) -> None:
        """Lanes of each band line by line, and how many lines that are."""
        self.order = _by_position(bands)
        self._count = len(bands)
        self._segments = range(lines * lines)
        self._length = len(bands[0]) // len(self._segments)
        ways = [
            frozenset(lines * line + box for line, box in enumerate(boxes))
            for boxes in permutations(range(lines))
        ]
        self._ways = ways
        self._ways_through = [
            [number for number, way in enumerate(ways) if segment in way]
            for segment in self._segments
        ]

    def sift(self, boards: Boards) -> None:
        lanes = part(boards.open, self._count)
        segments = [lanes[i : i + self._length] for i in range(0, len(lanes), self._length)]
        occupied = list(map(unite, segments))
        ways = [meet(occupied[segment] for segment in way) for way in self._ways]
        met = [unite(ways[number] for number in through) for through in self._ways_through]
        boards.open = [
            lane
            for segment, of_segment in zip(segments, met, strict=True)
            for cell in segment
            for lane in map(and_, cell, of_segment)
        ]


def _by_position(groups: Sequence[Sequence[int]]) -> Sequence[int]:
    """The first of each group, then the second of each, and so on."""
    return [lane for position in zip(*groups, strict=True) for lane in position]
