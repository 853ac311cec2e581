"""How far an explanation has come: what is left, what is placed, which step took what away."""

from collections.abc import Iterable
from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.step import Placed, Step, Story, Technique, steps_behind
from satdoku.puzzle.constraints import mask_of

# Stands for the number of members that are left of a truth of which one is known to hold. Members
# are still taken away from it, and no truth has so many that it comes down to half of this.
_SETTLED = 1 << 60


class Finding(NamedTuple):
    """A deduction that holds in a position: it places a candidate, or excludes some.

    Chains and nets say beside it how they run.
    """

    technique: Technique
    truths: tuple[Truth, ...]
    places: int | None = None
    excludes: tuple[int, ...] = ()
    chain: tuple[Placed, ...] = ()
    story: Story | None = None


class Position:
    """A board after some steps.

    `left` is the mask of the candidates that are not excluded, `placed` of those that hold.
    `open_in` counts for each unit the truths of which no member is known to hold; the last number
    is for the cells.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.open_in = list(board.tables.truths_in)
        self.steps: list[Step] = []
        self._taken_by: dict[int, int] = {}
        # How many members are left of each truth. All are counted in loops of C.
        self._count = list(map(int.bit_count, map(self.left.__and__, board.tables.members)))
        truths_of = board.tables.truths_of
        self._settle(truth for given in candidates_of(board.givens) for truth in truths_of[given])
        # The truths of which fewer than two members are left and none is placed, and perhaps some
        # of which one was placed since.
        self._narrow = [number for number, count in enumerate(self._count) if count < 2]
        self._open_truths = list(board.truths)

    @property
    def is_full(self) -> bool:
        """Whether every cell has its digit."""
        return not self.open_in[-1]

    @property
    def open_truths(self) -> list[Truth]:
        """The truths of which no member is known to hold."""
        if len(self._open_truths) > sum(self.open_in):
            count = self._count
            self._open_truths = [t for t in self._open_truths if count[t.number] < _SETTLED // 2]
        return self._open_truths

    def sort_out(self) -> tuple[Truth | None, list[Truth]]:
        """A truth that nothing is left of, if there is one, and the truths with one member left."""
        count = self._count
        self._narrow = sorted({number for number in self._narrow if count[number] < 2})
        narrow = [self.board.truths[number] for number in self._narrow]
        empty = next((truth for truth in narrow if not count[truth.number]), None)
        return empty, [truth for truth in narrow if count[truth.number]]

    def apply(self, finding: Finding) -> Step:
        """Makes a step of a finding and carries it out."""
        number = len(self.steps) + 1
        technique, truths, places, excludes, chain, story = finding
        left, taken_by = self.left, self._taken_by
        step = Step(number, technique, truths, left, places, excludes, chain, story, taken_by)
        self.steps.append(step)
        truths_of, count, narrow = self.board.tables.truths_of, self._count, self._narrow
        if places is None:
            gone = mask_of(excludes) & left
        else:
            gone = self.board.links[places] & left
            self.placed |= 1 << places
            self._settle(truths_of[places])
        self.left = left ^ gone
        for candidate in candidates_of(gone):
            taken_by[candidate] = number
            for truth in truths_of[candidate]:
                rest = count[truth] = count[truth] - 1
                if rest < 2:
                    narrow.append(truth)
        return step

    def steps_behind(self, truths: tuple[Truth, ...]) -> tuple[int, ...]:
        """The steps that took away what is no longer left of some truths."""
        return steps_behind(truths, self.left, self._taken_by)

    def _settle(self, truths: Iterable[int]) -> None:
        """Passes over truths from here on, since a member of each is known to hold."""
        count, open_in, unit_of = self._count, self.open_in, self.board.tables.unit_of
        for truth in truths:
            count[truth] = _SETTLED
            open_in[unit_of[truth]] -= 1
