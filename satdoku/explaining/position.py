"""How far an explanation has come: what is left, what is placed, which step took what away."""

from collections import Counter
from itertools import compress
from operator import attrgetter
from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.step import Placed, Step, Story, Technique
from satdoku.puzzle.constraints import mask_of

# Reads `truth.unit` without a loop of Python.
_UNIT_OF = attrgetter("unit")


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

    `left` is the mask of the candidates that are not excluded, `placed` of those that hold;
    `open_truths` are the truths of which no member is known to hold, and `open_in` counts them for
    each unit, by its `id`.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.open_truths = list(board.truths)
        # The same as masks, for all of which one operation is done in a loop of C.
        self._open_members = [truth.members for truth in board.truths]
        self.open_in = Counter(map(id, map(_UNIT_OF, board.truths)))
        self.steps: list[Step] = []
        self._taken_by: dict[int, int] = {}

    @property
    def is_full(self) -> bool:
        """Whether every cell has its digit."""
        return not any(truth.unit is None for truth in self.open_truths)

    def sort_out(self) -> tuple[Truth | None, list[Truth]]:
        """A truth that nothing is left of, if there is one, and the truths with one member left.

        Truths that became known to hold are passed over from here on.
        """
        masks = list(map(self.left.__and__, self._open_members))
        # Most truths have several members left, and are passed over in this loop.
        narrow = [place for place, mask in enumerate(masks) if not mask & (mask - 1)]
        single: list[Truth] = []
        is_open = [True] * len(masks)
        empty = None
        for place in narrow:
            truth = self.open_truths[place]
            if not masks[place]:
                empty = empty or truth
            elif masks[place] & self.placed:
                is_open[place] = False
                self.open_in[id(truth.unit)] -= 1
            else:
                single.append(truth)
        if not all(is_open):
            self.open_truths = list(compress(self.open_truths, is_open))
            self._open_members = list(compress(self._open_members, is_open))
        return empty, single

    def apply(self, finding: Finding) -> Step:
        """Makes a step of a finding and carries it out."""
        number = len(self.steps) + 1
        technique, truths, places, excludes, chain, story = finding
        rests_on = self.steps_behind(truths)
        step = Step(number, technique, truths, self.left, places, excludes, rests_on, chain, story)
        self.steps.append(step)
        if places is None:
            gone = mask_of(excludes)
        else:
            gone = self.board.links[places]
            self.placed |= 1 << places
        gone &= self.left
        self.left ^= gone
        for candidate in candidates_of(gone):
            self._taken_by[candidate] = number
        return step

    def steps_behind(self, truths: tuple[Truth, ...]) -> tuple[int, ...]:
        """The steps that took away what is no longer left of some truths."""
        gone = 0
        for truth in truths:
            gone |= truth.members
        gone &= ~self.left
        taken_by = self._taken_by
        return tuple(sorted({taken_by[candidate] for candidate in candidates_of(gone)}))
