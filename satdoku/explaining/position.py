"""How far an explanation has come: what is left, what is placed, which step took what away."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.fields import Remains
from satdoku.explaining.step import Step, Story, Strong, Taken, Technique
from satdoku.puzzle.constraints import mask_of


class Finding(NamedTuple):
    """A deduction that holds in a position: it places a candidate, or excludes some.

    Chains and nets say beside it how they run.
    """

    technique: Technique
    truths: tuple[Truth, ...]
    places: int | None = None
    excludes: tuple[int, ...] = ()
    chain: tuple[Strong, ...] = ()
    stories: tuple[Story, ...] = ()


class Position:
    """A board after some steps.

    `left` is the mask of the candidates that are not excluded, `placed` of those that hold.
    `open_in` counts for each unit the truths of which no member is known to hold; the last number
    is for the cells. `taken` tells which step took which candidate away.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.left = board.every_candidate
        self.placed = 0
        self.open_in = board.tables.truths_in.copy()
        self.steps: list[Step] = []
        self.taken = Taken()
        self._remains = Remains(board.tables.fields)
        self._place(candidates_of(board.givens))
        self._open_truths = list(board.truths)

    @property
    def is_full(self) -> bool:
        """Whether every cell has its digit."""
        return not self.open_in[-1]

    @property
    def open_truths(self) -> list[Truth]:
        """The truths of which no member is known to hold."""
        if len(self._open_truths) > sum(self.open_in):
            known = self.placed | self.board.givens
            self._open_truths = [t for t in self._open_truths if not t.members & known]
        return self._open_truths

    def sort_out(self) -> tuple[Truth | None, list[Truth]]:
        """A truth that nothing is left of, if there is one, and the truths with one member left."""
        truths = self.board.truths
        empty, single = self._remains.narrow()
        return truths[empty[0]] if empty else None, [truths[number] for number in single]

    def apply(self, finding: Finding) -> Step:
        """Makes a step of a finding and carries it out."""
        left = self.left
        _, _, places, excludes, _, _ = finding
        step = self.step_of(finding)
        self.steps.append(step)
        if places is None:
            gone = mask_of(excludes) & left
            self._remains.exclude(excludes)
        else:
            gone = self.board.links[places] & left
            self.placed |= 1 << places
            self._place((places,))
        self.left = left ^ gone
        self.taken.add(gone)
        return step

    def step_of(self, finding: Finding) -> Step:
        """A finding as the next step, which is not carried out."""
        number, left = len(self.steps) + 1, self.left
        technique, truths, places, excludes, chain, stories = finding
        return Step(number, technique, truths, left, places, excludes, chain, stories, self.taken)

    def _place(self, candidates: Sequence[int]) -> None:
        """Passes over the truths of candidates that hold from here on."""
        self._remains.place(candidates)
        open_in, units_of = self.open_in, self.board.tables.units_of
        for candidate in candidates:
            for unit in units_of[candidate]:
                open_in[unit] -= 1
