"""The strong links of a position, and the chains that run over them.

All chains are followed side by side, backwards as it were: what a chain excludes would, if it held,
exclude its first end, and so have the last one hold, which excludes it. So each candidate that is
supposed to hold is a bit of an integer, and where an end is reached by what it excludes, there is a
chain. They grow by truths: the first that exclude something rest on the fewest.

What leads to its own end on however many truths is found out first, since that can be kept: most
steps take little away, so few links are new, and only what these lead to is followed. Nine tenths
of all suppositions lead to no such end, and need not be followed truth by truth.

A link with *fins* counts under those suppositions only that exclude them. What is supposed is the
same all along a chain, so nothing but this tells such a chain from others.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import reduce
from operator import or_
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.step import Strong
from satdoku.explaining.techniques.ends import Ends, Finned, Leading
from satdoku.solving.limits import Budget


class Reached(NamedTuple):
    """Under which suppositions an end holds, and under which nothing of it does.

    `refuted` are those of which some end holds that excludes what is supposed.
    """

    on: Mapping[int, int] = {}
    off: Mapping[int, int] = {}
    refuted: int = 0


class Web:
    """The strong links of a position, by the numbers of their ends.

    `rank` says of each end which of them is met first.
    """

    def __init__(self, ends: Ends, left: int) -> None:
        self._ends = ends
        self.left = left
        # From each end the links that begin with it, by the end to which they lead; and these ends
        # by the number of truths that it takes.
        self._from: dict[int, dict[int, tuple[Truth, ...]]] = {}
        self._next: dict[int, dict[int, list[int]]] = {}
        # From each end the links with fins that begin with it: their other ends, and who has them.
        self._finned: defaultdict[int, list[tuple[int, tuple[Truth, ...], int]]] = defaultdict(list)
        self.rank: dict[int, int] = {}
        self._excludes: dict[int, int] = {}
        self._beside: dict[int, list[int]] = {}
        self._sorted: dict[int, list[int]] = {}
        self._place: dict[int, int] = {}
        # The number of truths of the first hits.
        self._size = 0

    def add(self, links: Iterable[Leading]) -> None:
        """Adds links; of several with the same ends the first one on the fewest truths counts."""
        leads, following = self._from, self._next
        for start, end, truths in links:
            leading = leads.get(start)
            if leading is None:
                leads[start] = {end: truths}
                following[start] = {len(truths): [end]}
            elif end not in leading or len(truths) < len(leading[end]):
                leading[end] = truths
                following[start].setdefault(len(truths), []).append(end)
        self._renew()

    def add_finned(self, links: Iterable[Finned]) -> None:
        """Adds links with fins."""
        for (start, end, truths), only in links:
            self._finned[start].append((end, truths, only))
        for start in self._finned:
            self._from.setdefault(start, {})
            self._next.setdefault(start, {})
        self._renew()

    def _renew(self) -> None:
        """Notes which ends there are."""
        # There are links back from all ends, and they come in the same order.
        self.rank = {number: place for place, number in enumerate(self._from)}
        excludes = self._ends.excludes
        self._excludes = {number: excludes[number] & self.left for number in self._from}
        self._beside, self._sorted, self._place = {}, {}, {}

    def follow(self, before: Reached, supposed: int, budget: Budget) -> Reached:
        """What some suppositions lead to over links on however many truths.

        `before` is what they, and others, led to on an earlier web. Only links that are new lead
        on from there: most positions differ little from the one before.
        """
        excludes = self._excludes
        on = {number: before.on.get(number, 0) for number in self.rank}
        off = {}
        for number in self.rank:
            known = before.off.get(number)
            if known is None:
                others = map(on.__getitem__, self._excluded_ends(number))
                known = reduce(or_, others, excludes[number])
            off[number] = known
        lost = {number: under & supposed for number, under in off.items()}
        while found := self._reached_from(lost, on):
            budget.require()
            lost = self._exclude(found, on, off)
        refuted = reduce(or_, (under & excludes[number] for number, under in on.items()), 0)
        return Reached(on, off, refuted & supposed)

    def _reached_from(self, lost: Mapping[int, int], on: Mapping[int, int]) -> dict[int, int]:
        """The ends that hold because nothing of others does, each under further suppositions."""
        found: dict[int, int] = {}
        for number, supposed in lost.items():
            for end in self._from[number] if supposed else ():
                if new := supposed & ~on[end]:
                    found[end] = found.get(end, 0) | new
        for number, finned in self._finned.items():
            supposed = lost.get(number, 0)
            for end, _, only in finned if supposed else ():
                if new := supposed & only & ~on[end]:
                    found[end] = found.get(end, 0) | new
        return found

    def _exclude(
        self, found: Mapping[int, int], on: dict[int, int], off: dict[int, int]
    ) -> dict[int, int]:
        """Notes the ends that hold by now, and those that these exclude; returns the latter."""
        lost: dict[int, int] = {}
        beside = self._beside
        for end, new in found.items():
            on[end] |= new
            for other in beside.get(end) or self._excluded_ends(end):
                lost[other] = lost.get(other, 0) | new
        for number, supposed in lost.items():
            lost[number] = supposed & ~off[number]
            off[number] |= supposed
        return lost

    def reach(self) -> dict[int, int]:
        """What each candidate excludes over one link, as a mask."""
        reach: dict[int, int] = {}
        excludes = self._excludes
        for start, to in self._from.items():
            gone = reduce(or_, map(excludes.__getitem__, to))
            for candidate in candidates_of(excludes[start]):
                reach[candidate] = reach.get(candidate, 0) | gone
        return reach

    def petal(self, candidate: int, excluded: int) -> Strong:
        """The link on the fewest truths over which one candidate excludes another one."""
        excludes, masks = self._excludes, self._ends.masks
        return min(
            (
                Strong(masks[start], masks[end], truths)
                for start, to in self._from.items()
                if excludes[start] >> candidate & 1
                for end, truths in to.items()
                if excludes[end] >> excluded & 1
            ),
            key=lambda link: len(link.truths),
        )

    def is_group(self, number: int) -> bool:
        """Whether an end is several candidates of which one holds."""
        return self._ends.masks[number].bit_count() > 1

    def _excluded_ends(self, number: int) -> list[int]:
        """The ends that this one excludes, all candidates of them."""
        known = self._beside.get(number)
        if known is None:
            rank = self.rank
            known = [other for other in self._ends.beside[number] if other in rank]
            self._beside[number] = known
        return known

    def first_hits(self, most: int, supposed: int, budget: Budget) -> list[tuple[int, int]]:
        """What the chains on the fewest truths, at most so many, exclude, each with its last end.

        Bit c of an integer stands for the supposition that candidate c holds; a chain whose last
        end excludes c again shows that it does not.
        """
        on = dict.fromkeys(self.rank, 0)
        off = {number: mask & supposed for number, mask in self._excludes.items()}
        # By the number of truths: for each end under which suppositions it is reached.
        waiting: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._spread(waiting, 0, off)
        for size in range(1, most + 1):
            budget.require()
            ends = waiting.pop(size, {})
            found = {end: new for end, under in ends.items() if (new := under & ~on[end])}
            excludes = self._excludes
            hits = [(hit, end) for end, new in found.items() if (hit := new & excludes[end])]
            # Where a chain ends, nobody asks what further ones would exclude on their way.
            if hits:
                self._size = size
                return hits
            lost = self._exclude(found, on, off)
            if not waiting and not lost:
                break
            self._spread(waiting, size, lost)
        return []

    def _spread(
        self, waiting: defaultdict[int, dict[int, int]], size: int, lost: Mapping[int, int]
    ) -> None:
        """Follows the links from ends of which nothing holds, each under some suppositions."""
        for number, supposed in lost.items():
            if supposed:
                for truths, following in self._next[number].items():
                    reached = waiting[size + truths]
                    for end in following:
                        reached[end] = reached.get(end, 0) | supposed
        for number, finned in self._finned.items():
            supposed = lost.get(number, 0)
            for end, _, only in finned if supposed else ():
                if here := supposed & only:
                    reached = waiting[size + 1]
                    reached[end] = reached.get(end, 0) | here

    def chains(self, hits: Sequence[tuple[int, int]]) -> list[tuple[Strong, ...]]:
        """Chains of the first hits: for each an excluded candidate, as a mask, and its last end."""
        last_ends: defaultdict[int, set[int]] = defaultdict(set)
        for candidate, end in hits:
            last_ends[candidate].add(end)
        # A chain is among the hits twice, once for each of its ends; one search for the candidate
        # that it excludes serves both.
        ways = {candidate: self._search(candidate, last_ends[candidate]) for candidate in last_ends}
        return [tuple(self._led_to(end, ways[candidate], candidate)) for candidate, end in hits]

    def _search(self, candidate: int, last_ends: Set[int]) -> dict[int, tuple[int, int]]:
        """How the chains that exclude a candidate come to these last ends."""
        # For each end that holds: the end before it on the chain that holds, and between the two
        # the end of which no candidate holds.
        came_from: dict[int, tuple[int, int]] = {}
        waiting: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        gone: set[int] = set()
        # Ends of which nothing holds, each with the end that excludes it.
        lost = {number: -1 for number, excludes in self._excludes.items() if excludes & candidate}
        size = 0
        while not last_ends <= came_from.keys():
            gone |= lost.keys()
            for number, before in lost.items():
                for truths, following in self._next[number].items():
                    if size + truths == self._size:
                        # On the last truth there are no other ends to be reached.
                        following = [to for to in following if to in last_ends]
                    reached = [(to, before, number) for to in following if to not in came_from]
                    waiting[size + truths] += reached
                waiting[size + 1] += [
                    (end, before, number)
                    for end, _, only in self._finned.get(number, ())
                    if only & candidate and end not in came_from
                ]
            size += 1
            lost = {}
            for to, before, number in waiting.pop(size, ()):
                # Truths are counted up, so the first way to an end is one on the fewest.
                if to not in came_from:
                    came_from[to] = before, number
                    for other in self._sorted_ends(to):
                        lost.setdefault(other, to)
            lost = {other: to for other, to in lost.items() if other not in gone}
        return came_from

    def _led_to(
        self, end: int, came_from: Mapping[int, tuple[int, int]], candidate: int
    ) -> list[Strong]:
        """The links that lead to an end, under the supposition that a candidate holds."""
        chain = []
        while end >= 0:
            end, number, last = *came_from[end], end
            chain.append(self._link(number, last, candidate))
        return chain[::-1]

    def _link(self, start: int, end: int, candidate: int) -> Strong:
        """The link on the fewest truths between two ends, under a supposition."""
        truths = self._from[start].get(end)
        for to, of_finned, only in self._finned.get(start, ()):
            if to == end and only & candidate and (truths is None or len(truths) > 1):
                truths = of_finned
        assert truths is not None, "there is a link"
        masks = self._ends.masks
        return Strong(masks[start], masks[end], truths)

    def _sorted_ends(self, number: int) -> list[int]:
        """The same as `_excluded_ends`, in an order that depends on no other position."""
        known = self._sorted.get(number)
        if known is None:
            if not self._place:
                masks = self._ends.masks
                ranked = sorted((masks[n] & -masks[n], rank, n) for n, rank in self.rank.items())
                self._place = {number: place for place, (_, _, number) in enumerate(ranked)}
            known = sorted(self._excluded_ends(number), key=self._place.__getitem__)
            self._sorted[number] = known
        return known
