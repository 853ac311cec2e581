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
from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from operator import and_

from satdoku.explaining.bits import excluded_by
from satdoku.explaining.board import candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Strong
from satdoku.explaining.strong_links import StrongLinks, name_chain
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
        self._simple: list[Strong] = []
        # All links when there was no chain. It takes a new one to make one: there are only ever
        # fewer candidates to exclude.
        self._tried: set[tuple[int, int]] = set()

    def find_simple(self) -> Finding | None:
        """A chain over single truths, on the fewest of them."""
        self._simple = self._links.of_truths()
        return self._find(self._simple, len(self._position.open_truths))

    def find_with_sets(self) -> Finding | None:
        """A chain through almost locked sets; to be asked where there is no simple one."""
        sets = self._links.of_sets()
        return self._find(self._simple + sets, _MOST_TRUTHS) if sets else None

    def _find(self, links: list[Strong], most: int) -> Finding | None:
        position = self._position
        pairs = {(link.off, link.on) for link in links}
        if pairs <= self._tried:
            return None
        ends = _Ends(self._links, links, position.left)
        hits = ends.first_hits(most, self._budget)
        if not hits:
            self._tried = pairs
        # Ends of one candidate come first, and of these the one that excludes most.
        hits.sort(key=lambda hit: (ends.is_group(hit[1]), -hit[0].bit_count(), hit))
        found = [
            self._finding(ends.chain(excluded & -excluded, end))
            for excluded, end in hits[:_WRITTEN_OUT]
        ]
        return max(found, key=_clarity, default=None)

    def _finding(self, chain: tuple[Strong, ...]) -> Finding:
        """A chain with all that its truths exclude."""
        position = self._position
        truths = tuple({t.number: t for link in chain for t in link.truths}.values())
        masks = [truth.members for truth in truths]
        every = excluded_by(masks, position.board.links, position.left)
        if every is None:
            either = map(self._links.excluded_by, (chain[0].off, chain[-1].on))
            every = reduce(and_, either, position.left)
        technique = name_chain(position.board, position.left, chain)
        return Finding(technique, truths, excludes=tuple(candidates_of(every)), chain=chain)


def _clarity(finding: Finding) -> tuple[int, int]:
    """What makes a chain the one to be told: few ends of several candidates, many exclusions."""
    groups = sum(link.off.bit_count() > 1 for link in finding.chain)
    groups += sum(link.on.bit_count() > 1 for link in finding.chain)
    return -groups, len(finding.excludes)


class _Ends:
    """The ends of strong links by number, with what each excludes and where links lead from it."""

    def __init__(self, known: StrongLinks, links: Iterable[Strong], left: int) -> None:
        self._masks: list[int] = []
        self._excludes: list[int] = []
        # From each end the links that begin with it, by the end to which they lead.
        self._from: list[dict[int, Strong]] = []
        numbers: dict[int, int] = {}
        for link in links:
            for mask in (link.off, link.on):
                if mask not in numbers:
                    numbers[mask] = len(self._masks)
                    self._masks.append(mask)
                    self._excludes.append(known.excluded_by(mask) & left)
                    self._from.append({})
            leading = self._from[numbers[link.off]]
            to = numbers[link.on]
            if to not in leading or len(link.truths) < len(leading[to].truths):
                leading[to] = link
        self._excluded: list[list[int] | None] = [None] * len(self._masks)

    def is_group(self, number: int) -> bool:
        """Whether an end is several candidates of which one holds."""
        return self._masks[number].bit_count() > 1

    @cached_property
    def _with_lowest(self) -> dict[int, list[int]]:
        """For each candidate the ends of which it is the first."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number, mask in enumerate(self._masks):
            found[mask & -mask].append(number)
        return found

    def _excluded_ends(self, number: int) -> list[int]:
        """The ends of which nothing can hold beside this one."""
        known = self._excluded[number]
        if known is None:
            gone = rest = self._excludes[number]
            masks, with_lowest = self._masks, self._with_lowest
            known = []
            while rest:
                lowest = rest & -rest
                rest ^= lowest
                if lowest in with_lowest:
                    known += [other for other in with_lowest[lowest] if not masks[other] & ~gone]
            self._excluded[number] = known
        return known

    def first_hits(self, most: int, budget: Budget) -> list[tuple[int, int]]:
        """What the chains on the fewest truths, at most so many, exclude, each with its last end.

        Bit c of an integer stands for the supposition that candidate c holds; a chain whose last
        end excludes c again shows that it does not.
        """
        excludes = self._excludes
        on, off = [0] * len(excludes), excludes.copy()
        # By the number of truths: for each end under which suppositions it is reached.
        waiting: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._spread(waiting, 0, enumerate(off))
        for size in range(1, most + 1):
            budget.require()
            hits, lost = self._reach(waiting.pop(size, {}), on)
            if hits or (not waiting and not lost):
                return hits
            for number, supposed in lost.items():
                lost[number] = supposed & ~off[number]
                off[number] |= supposed
            self._spread(waiting, size, lost.items())
        return []

    def _reach(
        self, ends: Mapping[int, int], on: list[int]
    ) -> tuple[list[tuple[int, int]], dict[int, int]]:
        """What is excluded, with the end that excludes it, and what the other ends exclude.

        `ends` are those reached, with the suppositions; `on` has those of all ends.
        """
        lost: dict[int, int] = {}
        found = {end: supposed & ~on[end] for end, supposed in ends.items()}
        excludes = self._excludes
        hits = [(new & excludes[end], end) for end, new in found.items() if new & excludes[end]]
        # Where a chain ends, nobody asks what further ones would exclude on their way.
        for end, new in found.items() if not hits else ():
            if new:
                on[end] |= new
                for other in self._excluded_ends(end):
                    lost[other] = lost.get(other, 0) | new
        return hits, lost

    def _spread(
        self,
        waiting: defaultdict[int, dict[int, int]],
        size: int,
        lost: Iterable[tuple[int, int]],
    ) -> None:
        """Follows the links from ends of which nothing holds, each under some suppositions."""
        for number, supposed in lost:
            if supposed:
                for to, link in self._from[number].items():
                    reached = waiting[size + len(link.truths)]
                    reached[to] = reached.get(to, 0) | supposed

    def chain(self, candidate: int, end: int) -> tuple[Strong, ...]:
        """The links of a chain on the fewest truths that excludes a candidate, by its last end."""
        came_from: dict[int, tuple[int, Strong]] = {}
        waiting: defaultdict[int, list[tuple[int, int, Strong]]] = defaultdict(list)
        gone: set[int] = set()
        lost = [
            (number, -1) for number, excludes in enumerate(self._excludes) if excludes & candidate
        ]
        size = 0
        while end not in came_from:
            for number, before in lost:
                if number not in gone:
                    gone.add(number)
                    for to, link in self._from[number].items():
                        waiting[size + len(link.truths)].append((to, before, link))
            size += 1
            lost = []
            for to, before, link in waiting.pop(size, ()):
                if came_from.setdefault(to, (before, link)) == (before, link):
                    lost += [(other, to) for other in self._excluded_ends(to)]
        chain = []
        while end >= 0:
            end, link = came_from[end]
            chain.append(link)
        return tuple(reversed(chain))
