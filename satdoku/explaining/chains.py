"""Chains: if some candidates do not hold, others must; what both exclude is excluded.

A chain goes from candidates of which none is supposed to hold over strong links
(`strong_links.py`), each reached end excluding the first one of the next link. So one of its two
ends holds, whichever it is.

    r1c1 is not 5 -> r1c7 is 5 (row 1) -> r4c7 is not 5 -> r4c2 is 5 (row 4)
    so r1c1 or r4c2 is 5, and r6c1, which both exclude, is not

All chains are followed side by side, backwards as it were: what a chain excludes would, if it held,
exclude its first end, and so have the last one hold, which excludes it. So each candidate that is
supposed to hold is a bit of an integer, and where an end is reached by what it excludes, there is a
chain. They grow by truths: the first that exclude something rest on the fewest.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import reduce
from operator import and_, itemgetter, or_

from satdoku.explaining.bits import excluded_by
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Strong, Technique
from satdoku.explaining.strong_links import Ends, Leading, StrongLinks
from satdoku.explaining.words.chains import name_chain
from satdoku.solving.limits import Budget

# Of chains through sets of cells, those on more truths are harder to follow than nets.
_MOST_TRUTHS = 12

# Of the shortest chains so many are written out, of which the clearest is told.
_WRITTEN_OUT = 4


class Chains:
    """The search for chains on one board; its methods may be asked again after each step."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._links = StrongLinks(position)
        # The links of single truths, when there was no chain over these.
        self._web = _Web(self._links.ends, 0)
        # All links when there was no chain, by the numbers of their ends. It takes a new one to
        # make one: there are only ever fewer candidates to exclude.
        self._tried: set[tuple[int, int]] = set()

    def find_simple(self) -> Finding | None:
        """A chain over single truths, on the fewest of them."""
        return self._find(self._begin_web(), len(self._position.open_truths))

    def find_with_sets(self) -> Finding | None:
        """A chain through almost locked sets; to be asked where there is no simple one."""
        sets = self._links.of_sets()
        # Who lists all steps goes on here after one: of a link from before an end may be gone.
        if self._web.left != self._position.left:
            links = self._begin_web()
            self._web.add(links)
        return self._find(sets, _MOST_TRUTHS)

    def find_blossom(self) -> Finding | None:
        """Of a truth each member excludes the same, by itself or over one link, a *petal*.

        To be asked where there is no chain with sets. The truth is the *stem*; of all blossoms the
        one on the fewest truths is told.
        """
        position, web = self._position, self._web
        links, reach = position.board.links, web.reach()
        found = []
        for stem in position.open_truths:
            members = candidates_of(stem.members & position.left)
            gone = position.left & ~stem.members
            for member in members:
                gone &= reach.get(member, 0) | links[member]
            for candidate in candidates_of(gone):
                needing = (member for member in members if not links[member] >> candidate & 1)
                petals = tuple(web.petal(member, candidate) for member in needing)
                size = len({stem.number, *(t.number for petal in petals for t in petal.truths)})
                if size <= _MOST_TRUTHS:
                    found.append((size, candidate, stem, petals))
        if not found:
            return None
        _, candidate, stem, petals = min(found, key=itemgetter(0))
        return self._excluding(Technique.DEATH_BLOSSOM, (stem,), petals, 1 << candidate)

    def _begin_web(self) -> list[Leading]:
        """Forgets all links, and gives those of single truths."""
        self._web = _Web(self._links.ends, self._position.left)
        return self._links.of_truths()

    def _find(self, further: Iterable[Leading], most: int) -> Finding | None:
        """A chain over the links that are known by now and some further ones."""
        web = self._web
        web.add(further)
        if web.pairs <= self._tried:
            return None
        hits = web.first_hits(most, self._budget)
        if not hits:
            self._tried = web.pairs.copy()
        # Ends of one candidate come first, and of these the one that excludes most.
        hits.sort(
            key=lambda hit: (web.is_group(hit[1]), -hit[0].bit_count(), hit[0], web.rank[hit[1]])
        )
        chains = web.chains([(hit & -hit, end) for hit, end in hits[:_WRITTEN_OUT]])
        fewest = min(map(_count_groups, chains), default=0)
        found = [self._finding(chain) for chain in chains if _count_groups(chain) == fewest]
        return max(found, key=lambda finding: len(finding.excludes), default=None)

    def _finding(self, chain: tuple[Strong, ...]) -> Finding:
        """A chain by its name."""
        position = self._position
        either = map(self._links.ends.excluded_by, (chain[0].off, chain[-1].on))
        name = name_chain(position.board, position.left, chain)
        return self._excluding(name, (), chain, reduce(and_, either, position.left))

    def _excluding(
        self, technique: Technique, stem: tuple[Truth, ...], links: tuple[Strong, ...], least: int
    ) -> Finding:
        """Links with all that their truths exclude; where these are too many, with the least."""
        position = self._position
        every = (*stem, *(truth for link in links for truth in link.truths))
        truths = tuple({truth.number: truth for truth in every}.values())
        masks = [truth.members for truth in truths]
        excluded = excluded_by(masks, position.board.links, position.left)
        excludes = tuple(candidates_of(least if excluded is None else excluded))
        return Finding(technique, truths, excludes=excludes, chain=links)


def _count_groups(chain: Iterable[Strong]) -> int:
    """How many ends of several candidates a chain has; the fewer, the clearer it is."""
    return sum((link.off.bit_count() > 1) + (link.on.bit_count() > 1) for link in chain)


class _Web:
    """The strong links of a position, by the numbers of their ends.

    `rank` says of each end which of them is met first.
    """

    def __init__(self, ends: Ends, left: int) -> None:
        self._ends = ends
        self.left = left
        # From each end the links that begin with it, by the end to which they lead; and these ends
        # by the number of truths that it takes.
        self._from: dict[int, dict[int, Strong]] = {}
        self._next: dict[int, dict[int, list[int]]] = {}
        self.rank: dict[int, int] = {}
        self.pairs: set[tuple[int, int]] = set()
        self._excludes: dict[int, int] = {}
        self._beside: dict[int, list[int]] = {}
        self._sorted: dict[int, list[int]] = {}
        self._place: dict[int, int] = {}
        # The number of truths of the first hits.
        self._size = 0

    def add(self, links: Iterable[Leading]) -> None:
        """Adds links; of several with the same ends the first one on the fewest truths counts."""
        leads, following = self._from, self._next
        for start, end, link in links:
            leading = leads.get(start)
            if leading is None:
                leads[start] = {end: link}
                following[start] = {len(link.truths): [end]}
            elif end not in leading or len(link.truths) < len(leading[end].truths):
                leading[end] = link
                following[start].setdefault(len(link.truths), []).append(end)
        # There are links back from all ends, and they come in the same order.
        self.rank = {number: place for place, number in enumerate(leads)}
        # Hundreds of links are between a few ends, so pairs are made of what is left of them.
        self.pairs |= {(start, end) for start, to in leads.items() for end in to}
        excludes = self._ends.excludes
        self._excludes = {number: excludes[number] & self.left for number in leads}
        self._beside, self._sorted, self._place = {}, {}, {}

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
        excludes = self._excludes
        return min(
            (
                link
                for start, to in self._from.items()
                if excludes[start] >> candidate & 1
                for end, link in to.items()
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
        on, off = dict.fromkeys(self.rank, 0), self._excludes.copy()
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

    def chains(self, hits: Sequence[tuple[int, int]]) -> list[tuple[Strong, ...]]:
        """Chains of the first hits: for each an excluded candidate, as a mask, and its last end."""
        last_ends: defaultdict[int, set[int]] = defaultdict(set)
        for candidate, end in hits:
            last_ends[candidate].add(end)
        # A chain that is found is found from its other end as well, and with the same search.
        ways = {candidate: self._search(candidate, last_ends[candidate]) for candidate in last_ends}
        return [tuple(self._led_to(end, ways[candidate])) for candidate, end in hits]

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

    def _led_to(self, end: int, came_from: Mapping[int, tuple[int, int]]) -> list[Strong]:
        """The links that lead to an end."""
        chain = []
        while end >= 0:
            end, number, last = *came_from[end], end
            chain.append(self._from[number][last])
        return chain[::-1]

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
