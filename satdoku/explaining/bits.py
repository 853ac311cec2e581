"""What follows from every supposition at once.

Each candidate carries two integers with one bit for each start, that is, for each supposition that
is followed: `on[c]` says under which of them c must hold, `off[c]` under which it cannot. A single
operation on these integers carries a consequence over for all starts, so two hundred suppositions
cost hardly more than one. All follow the same layers: what is on switches others off, and of a
truth with one member that is not off, that member is switched on.
"""

from collections.abc import Iterable, Sequence

from satdoku.explaining.board import candidates_of
from satdoku.solving.limits import Budget


class Propagation:
    """All suppositions about the members of some truths, followed side by side.

    `truths` are masks with two or more members each; what lies in none of them is left out. Bit c
    of every mask of starts is the supposition about candidate c. `linked_to` lists for each
    candidate of the board those linked to it; that some lie in none of the truths does no harm.
    """

    def __init__(self, truths: Iterable[int], linked_to: Sequence[Sequence[int]]) -> None:
        masks = list(truths)
        every = 0
        for mask in masks:
            every |= mask
        self.candidates = candidates_of(every)
        self._truths = [candidates_of(mask) for mask in masks]
        self._linked_to = linked_to
        self.on = [0] * len(linked_to)
        self.off = [0] * len(linked_to)
        self._new = self.on

    def first_refuted(self, links: Sequence[int], budget: Budget) -> list[int]:
        """The candidates that, when supposed, leave nothing of a truth after the fewest layers."""
        every = 0
        for candidate in self.candidates:
            self.on[candidate] = 1 << candidate
            every |= 1 << candidate
        # Links go both ways, so a candidate is off where one that it is linked to is supposed.
        for candidate in self.candidates:
            self.off[candidate] = links[candidate] & every
        refuted = self._fill_truths(budget)
        while not refuted and any(self._new):
            refuted = self._step(budget)
        return candidates_of(refuted)

    def _step(self, budget: Budget) -> int:
        """Follows all starts one layer further; returns those that leave nothing of a truth."""
        off, new = self.off, self._new
        for candidate in budget.watch(self.candidates):
            starts = new[candidate]
            if starts:
                for linked in self._linked_to[candidate]:
                    off[linked] |= starts
        return self._fill_truths(budget)

    def _fill_truths(self, budget: Budget) -> int:
        """Switches on what is all that is left of a truth; returns the starts that leave none."""
        on, off = self.on, self.off
        new = self._new = [0] * len(on)
        refuted = 0
        for truth in budget.watch(self._truths):
            # Where all members so far are off; the same from the other end, and both together tell
            # for each member where all others are off.
            before = []
            all_off = -1
            for member in truth:
                before.append(all_off)
                all_off &= off[member]
            refuted |= all_off
            all_after = -1
            for place in range(len(truth) - 1, -1, -1):
                member = truth[place]
                new[member] |= before[place] & all_after & ~on[member]
                all_after &= off[member]
                if not all_after:
                    # No start has all of these off, so members further in front are never the last.
                    break
        for candidate in self.candidates:
            on[candidate] |= new[candidate]
        return refuted
