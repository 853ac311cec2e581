"""What follows from every supposition, kept from one step of a way to the next.

As in `bits.py`, each candidate carries two integers with one bit for each supposition: `on` tells
under which of them it must hold, `off` under which it cannot. What follows from a supposition still
follows after further steps, since steps only ever exclude candidates. So after a step no more is
followed than what it adds, and only in truths where this may change anything.
"""

from collections.abc import Iterable, Sequence

from satdoku.explaining.board import candidates_of
from satdoku.explaining.position import Position
from satdoku.solving.limits import Budget

# What stands for the members of a truth that is known to hold: it always has several left.
_ALL = -1


class Consequences:
    """All suppositions on a board, followed until they lead no further or leave nothing of a truth.

    Candidate c stands for the supposition that it holds. Those of `failing` leave nothing of some
    truth; they are followed no further.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self.failing = 0
        count = len(position.board.links)
        self._on = [0] * count
        self._off = [0] * count
        self._left = self._followed = 0
        self._masks: list[int] = []
        # Truths by their numbers: for each open one what is left of it; for each candidate what is
        # left of those linked to it, the truths that it lies in, and those with a member linked to
        # it. The last are made when they are needed first.
        self._members: dict[int, list[int]] = {}
        self._linked_to: dict[int, list[int]] = {}
        self._truths_with: dict[int, list[int]] = {}
        self._truths_near: dict[int, set[int]] = {}

    def update(self) -> None:
        """Follows what the steps since the last time have added."""
        position = self._position
        is_first = not self._left
        gone = self._left & ~position.left
        self._left = position.left
        self._followed = position.left & ~position.placed & ~self.failing
        self._masks = [_ALL] * len(position.board.truths)
        for truth in position.open_truths:
            self._masks[truth.number] = truth.members
        if is_first:
            self._follow(self._begin())
        else:
            self._follow(self._last_ones_of(*self._exclude(gone)))

    def last_ones(self, found: Iterable[int], off: int) -> tuple[int, bool]:
        """What is all that is left of a truth, and whether of another one nothing is left.

        That is where the candidates `off` are excluded. Only truths with a member linked to what
        was `found` are looked at.
        """
        near = set().union(*map(self._near, found))
        masks = map((self._left & ~off).__and__, map(self._masks.__getitem__, near))
        narrow = [members for members in masks if not members & (members - 1)]
        last = 0
        for members in narrow:
            last |= members
        return last, not all(narrow)

    def _begin(self) -> dict[int, int]:
        """Supposes each candidate that is left; what was placed before is of no further use."""
        board, left = self._position.board, self._followed
        candidates = self._budget.watch(candidates_of(left))
        self._linked_to = {c: candidates_of(board.links[c] & left) for c in candidates}
        self._truths_with = {candidate: [] for candidate in self._linked_to}
        for truth in self._position.open_truths:
            self._budget.work(len(truth.listed))
            members = self._members[truth.number] = candidates_of(truth.members & left)
            for member in members:
                self._truths_with[member].append(truth.number)
        news = {candidate: 1 << candidate for candidate in self._linked_to}
        for candidate, supposed in news.items():
            self._on[candidate] = supposed
        return news

    def _exclude(self, gone: int) -> tuple[set[int], int]:
        """Takes candidates off the board.

        Returns the truths that they were members of, and under what something changes by that.
        """
        changed: set[int] = set()
        for_which = 0
        for candidate in candidates_of(gone):
            for_which |= ~self._off[candidate]
            self._off[candidate] = -1
            truths = self._truths_with.pop(candidate)
            changed.update(truths)
            for number in truths:
                self._members[number].remove(candidate)
            for linked in self._linked_to.pop(candidate):
                self._linked_to[linked].remove(candidate)
                self._truths_near.pop(linked, None)
        return changed, for_which

    def _near(self, candidate: int) -> set[int]:
        """The truths, open or not, that have a member linked to a candidate."""
        near = self._truths_near.get(candidate)
        if near is None:
            linked = self._linked_to[candidate]
            self._budget.work(len(linked))
            truths = map(self._truths_with.__getitem__, linked)
            near = self._truths_near[candidate] = set().union(*truths)
        return near

    def _follow(self, news: dict[int, int]) -> None:
        """Follows what has been found to hold, each under some suppositions, to its end."""
        while news:
            self._budget.require()
            for_which = 0
            for candidate, supposed in news.items():
                for_which |= supposed
                linked_to = self._linked_to[candidate]
                self._budget.work(len(linked_to))
                for linked in linked_to:
                    self._off[linked] |= supposed
            news = self._last_ones_of(set().union(*map(self._near, news)), for_which)

    def _last_ones_of(self, truths: Iterable[int], for_which: int) -> dict[int, int]:
        """What is all that is left of some truths, each with the suppositions under which it is.

        Only what changes for some suppositions is looked for.
        """
        on = self._on
        found: dict[int, int] = {}
        failed = 0
        for_which &= self._followed
        for number in truths:
            if self._masks[number] != _ALL:
                self._budget.work(len(self._members[number]))
                last, none_left = _last_of(self._members[number], self._off, for_which)
                failed |= none_left
                for member, supposed in last:
                    if supposed & ~on[member]:
                        found[member] = found.get(member, 0) | supposed & ~on[member]
        for candidate, supposed in found.items():
            on[candidate] |= supposed
        self.failing |= failed
        self._followed &= ~failed
        return found


def _last_of(
    members: Sequence[int], off: Sequence[int], for_which: int
) -> tuple[list[tuple[int, int]], int]:
    """The members from which all others are excluded, and under what none is left."""
    # Where all members so far are excluded; the same from the other end, and both together tell
    # for each member where all others are. Most of the time that soon is nowhere.
    before = []
    all_off = for_which
    for member in members:
        before.append(all_off)
        all_off &= off[member]
        if not all_off:
            break
    all_after = for_which
    for member in members[: len(before) - 1 : -1]:
        all_after &= off[member]
    last = []
    for place in range(len(before) - 1, -1, -1):
        if not all_after:
            break
        member = members[place]
        last.append((member, before[place] & all_after))
        all_after &= off[member]
    return last, all_off
