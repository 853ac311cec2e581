"""One supposition, followed layer by layer, and kept as long as no step changes what follows."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.explaining.board import candidates_of
from satdoku.explaining.consequences import Consequences


class Change(NamedTuple):
    """What steps have done to a truth: what is left of its members, and what they excluded."""

    left: int
    gone: int


class Supposition:
    """What follows when a candidate is supposed to hold, in as many layers as were asked for.

    In each layer all is excluded that is linked to what was found in the layer before; what is then
    all that is left of a truth is found. It `fails` when the last layer leaves nothing of one.
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self.fails = False
        self._news = [start]
        # What holds before each layer and after the last, and what is excluded in each.
        self._on = [1 << start]
        self._off: list[int] = []

    def fails_within(self, layers: int, consequences: Consequences, links: Sequence[int]) -> bool:
        """Whether it leaves nothing of a truth in so many layers, which are followed if need be."""
        while not self.fails and len(self._off) < layers:
            off = self._off[-1] if self._off else 0
            for candidate in self._news:
                off |= links[candidate]
            found, self.fails = consequences.last_ones(self._news, off)
            self._news = candidates_of(found & ~self._on[-1])
            self._off.append(off)
            self._on.append(self._on[-1] | found)
        return self.fails and len(self._off) <= layers

    def is_touched(self, changes: Sequence[Change]) -> bool:
        """Whether more follows now, or the same sooner, in the layers that were followed."""
        if not self._off:
            return False
        for left, gone in changes:
            rest = left & ~self._off[-1]
            if rest & (rest - 1):
                continue  # two members are left to the end
            for off, on in zip(self._off, self._on, strict=False):
                if not gone & ~off:
                    break  # from here on it was excluded anyway
                rest = left & ~off
                if not rest & (rest - 1) and not rest & on:
                    return True
        return False
