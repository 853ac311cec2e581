"""Masks of candidates, followed: from every supposition at once, or from every choice.

`Propagation`: each candidate carries two integers with one bit for each start, that is, for each
supposition that is followed: `on[c]` says under which of them c must hold, `off[c]` under which it
cannot. A single operation on these integers carries a consequence over for all starts, so two
hundred suppositions cost hardly more than one. All follow the same layers: what is on switches
others off, and of a truth with one member that is not off, that member is switched on.

`excluded_by`: one member of each of some truths holds. Whichever members these are, what each
choice of them excludes is excluded: so of a pair, of a fish and of a chain that closes into a loop
alike.
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


# How many choices are looked at. Chains through ten cells with several digits each may have
# thousands; then it is left at what is known already.
_MOST_CHOICES = 300


def excluded_by(truths: Sequence[int], links: Sequence[int], left: int) -> int | None:
    """What of `left` cannot hold with any choice of a member from each truth, as a mask.

    None where there are too many choices to be looked at.
    """
    common = left
    looked_at = 0
    # What is still to be chosen from, and what the members chosen so far exclude.
    waiting = [([members & left for members in truths], 0)]
    while waiting:
        open_truths, excluded = waiting.pop()
        looked_at += 1
        if looked_at > _MOST_CHOICES:
            return None
        if not common & ~excluded:
            continue  # whatever this choice excludes beside, it changes nothing
        if not open_truths:
            common &= excluded
            continue
        # The narrowest first: so most choices end soon.
        narrow = min(open_truths, key=int.bit_count)
        for member in candidates_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, excluded | off))
    return common
