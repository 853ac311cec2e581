"""How far an explanation has come: what is left, what is placed, which step took what away."""

from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.step import Placed, Step, Story, Technique
from satdoku.puzzle.constraints import mask_of


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
    `open_truths` are the truths of which no member is known to hold.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.open_truths = list(board.truths)
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
        left, placed = self.left, self.placed
        still_open: list[Truth] = []
        single: list[Truth] = []
        empty = None
        for truth in self.open_truths:
            members = truth.members & left
            if members & (members - 1):
                still_open.append(truth)
            elif not members:
                empty = empty or truth
                still_open.append(truth)
            elif not members & placed:
                single.append(truth)
                still_open.append(truth)
        self.open_truths = still_open
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
