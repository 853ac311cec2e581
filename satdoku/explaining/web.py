"""The strong links of a position, and the chains that run over them.

All chains are followed side by side, backwards as it were: what a chain excludes would, if it held,
exclude its first end, and so have the last one hold, which excludes it. So each candidate that is
supposed to hold is a bit of an integer, and where an end is reached by what it excludes, there is a
chain. They grow by truths: the first that exclude something rest on the fewest.

A link with *fins* counts under those suppositions only that exclude them. What is supposed is the
same all along a chain, so nothing but this tells such a chain from others.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from satdoku.explaining.bits import linked_to_all
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.step import Strong
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from satdoku.explaining.position import Position


# A strong link by the numbers of its ends, the one of which nothing holds and the other, and its
# truths.
Leading = tuple[int, int, tuple[Truth, ...]]


class Finned(NamedTuple):
    """A strong link for those only who suppose one of some candidates, which exclude its *fins*.

    Fins are the members of its truth that lie at neither end.
    """

    link: Leading
    only: int


class Ends:
    """The ends of strong links by number: masks of candidates, one of which holds or none.

    They keep their numbers for all of a way. `excludes` has for each what all its candidates
    exclude of what was left when it was met first, and `beside` the ends of which nothing can hold
    beside it.
    """

    def __init__(self, position: "Position") -> None:
        self._position = position
        self._numbers: dict[int, int] = {}
        self._with_lowest: defaultdict[int, list[int]] = defaultdict(list)
        self.masks: list[int] = []
        self.excludes: list[int] = []
        self.beside: list[list[int]] = []

    def number_of(self, mask: int) -> int:
        """The number of an end, a new one where it was not met before."""
        number = self._numbers.get(mask)
        if number is None:
            number = self._numbers[mask] = len(self.masks)
            gone = linked_to_all(mask, self._position.board.links, self._position.left)
            # Links go both ways, so what an end excludes as a whole excludes it as a whole.
            beside = [
                other
                for candidate in candidates_of(gone)
                for other in self._with_lowest.get(candidate, ())
                if not self.masks[other] & ~gone
            ]
            for other in beside:
                self.beside[other].append(number)
            self.masks.append(mask)
            self.excludes.append(gone)
            self.beside.append(beside)
            self._with_lowest[(mask & -mask).bit_length() - 1].append(number)
        return number


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
        self._supposed = -1
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

    def add_finned(self, links: Iterable[Finned], suspects: int) -> None:
        """Adds links with fins, and supposes nothing any more but these."""
        self._supposed = suspects
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

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each two ends between which there is a link."""
        return ((start, end) for start, to in self._from.items() for end in to)

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
        """The ends of which nothing can hold beside this one."""
        known = self._beside.get(number)
        if known is None:
            rank = self.rank
            known = [other for other in self._ends.beside[number] if other in rank]
            self._beside[number] = known
        return known

    def first_hits(self, most: int, budget: Budget) -> list[tuple[int, int]]:
        """What the chains on the fewest truths, at most so many, exclude, each with its last end.

        Bit c of an integer stands for the supposition that candidate c holds; a chain whose last
        end excludes c again shows that it does not.
        """
        on = dict.fromkeys(self.rank, 0)
        off = {number: mask & self._supposed for number, mask in self._excludes.items()}
        # By the number of truths: for each end under which suppositions it is reached.
        waiting: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._spread(waiting, 0, off)
        for size in range(1, most + 1):
            budget.require()
            hits, lost = self._reach(waiting.pop(size, {}), on)
            if hits or (not waiting and not lost):
                self._size = size
                return hits
            for number, supposed in lost.items():
                lost[number] = supposed & ~off[number]
                off[number] |= supposed
            self._spread(waiting, size, lost)
        return []

    def _reach(
        self, ends: Mapping[int, int], on: dict[int, int]
    ) -> tuple[list[tuple[int, int]], dict[int, int]]:
        """What is excluded, with the end that excludes it, and what the other ends exclude.

        `ends` are those reached, with the suppositions; `on` has those of all ends.
        """
        lost: dict[int, int] = {}
        found = {end: new for end, supposed in ends.items() if (new := supposed & ~on[end])}
        excludes, beside = self._excludes, self._beside
        hits = [(hit, end) for end, new in found.items() if (hit := new & excludes[end])]
        # Where a chain ends, nobody asks what further ones would exclude on their way.
        for end, new in found.items() if not hits else ():
            on[end] |= new
            for other in beside.get(end) or self._excluded_ends(end):
                lost[other] = lost.get(other, 0) | new
        return hits, lost

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
        # A chain that is found is found from its other end as well, and with the same search.
        ways = {candidate: self._search(candidate, last_ends[candidate]) for candidate in last_ends}
        return [tuple(self._led_to(end, ways[candidate], candidate)) for candidate, end in hits]

    def _search(self, candidate: int, last_ends: Set[int]) -> dict[int, tuple[int, int]]:
        """How the chains that exclude a candidate come to these last ends."""
        # For each end that holds, the one before it that does, and the one of which nothing holds.
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
