"""One round of singles, on many boards at once.

Each candidate has a mask of the boards on which it is open: bit b is for board b. So one operation
on two integers is done for thousands of boards, and costs hardly more than for one.

    open[r1c1=5] = 0b0110    5 is open in r1c1 on boards 1 and 2

A round finds all singles first, and then removes what they exclude, all at once. So it depends on
no order of cells or digits, and whatever was removed before it, nothing less is removed by it.
"""

from collections.abc import Sequence

from satdoku.deducing.groups import CandidateGroups, Group

BoardMasks = list[int]


class ManyBoards:
    """The state of many boards.

    `open` are the candidates that are not removed. `bad` has a bit for each board on which a
    contradiction was met: a group without a candidate, or two singles that exclude each other.
    """

    def __init__(self, candidates: CandidateGroups, open_: BoardMasks, every: int) -> None:
        self._candidates = candidates
        self.open = open_
        self.every = every
        self.bad = 0
        # What was settled before; what it excludes is removed already.
        self._settled = [0] * candidates.count

    def copy(self) -> "ManyBoards":
        """The same boards, to go on from here more than once."""
        other = ManyBoards(self._candidates, self.open.copy(), self.every)
        other.bad = self.bad
        other._settled = self._settled
        return other

    def settle_singles(self, groups: Sequence[Group]) -> int:
        """One round: settles every candidate that is the only one left of one of these groups.

        A group that is empty before, and two singles that exclude each other, are contradictions.
        Returns the boards on which any was not settled before. Where that is none, further rounds
        change nothing.
        """
        open_, every, bad = self.open, self.every, self.bad
        alone_in = [0] * len(open_)
        for group in groups:
            # The boards on which the group has a candidate left, and those on which it has two.
            once = twice = 0
            for candidate in group:
                mask = open_[candidate]
                twice |= once & mask
                once |= mask
            bad |= once ^ every
            alone = once ^ twice
            if alone:
                for candidate in group:
                    alone_in[candidate] |= alone
        self.bad = bad
        return self.settle([mask & alone for mask, alone in zip(open_, alone_in, strict=True)])

    def settle(self, settled: BoardMasks) -> int:
        """Settles these open candidates: removes all that they exclude.

        Returns the boards on which some of them were not settled before.
        """
        new = [mask & ~old for mask, old in zip(settled, self._settled, strict=True)]
        self._settled = [mask | old for mask, old in zip(new, self._settled, strict=True)]
        removed = [0] * len(new)
        bad = changed = 0
        for group in self._candidates.all_groups:
            once = twice = 0
            for candidate in group:
                mask = new[candidate]
                if mask:
                    twice |= once & mask
                    once |= mask
            if once:
                changed |= once
                # Two of a group were settled in the same round.
                bad |= twice
                for candidate in group:
                    removed[candidate] |= once
        self.bad |= bad
        self.open = [
            mask & ~gone | kept for mask, gone, kept in zip(self.open, removed, new, strict=True)
        ]
        return changed

    def find_contradictions(self) -> int:
        """The boards on which a contradiction was met, up to now."""
        for group in self._candidates.full_groups:
            once = 0
            for candidate in group:
                once |= self.open[candidate]
            self.bad |= once ^ self.every
        return self.bad

    def find_filled(self) -> int:
        """The boards without contradiction on which every cell has one candidate left."""
        filled = self.every & ~self.find_contradictions()
        for group in self._candidates.cells:
            once = twice = 0
            for candidate in group:
                twice |= once & self.open[candidate]
                once |= self.open[candidate]
            filled &= ~twice
        return filled
