"""Chains: of two ends at least one holds, so the candidates that both ends exclude are excluded.

A chain begins with an end (one or several candidates) of which none is supposed to hold, and
follows strong links (`strong_links.py`); the end reached by each link excludes the first end of the
next link. So the first end of the chain or the last one holds.

    r1c1 is not 5 -> r1c7 is 5 (row 1) -> r4c7 is not 5 -> r4c2 is 5 (row 4)
    so r1c1 or r4c2 is 5, and r6c1, which both exclude, is not
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from operator import itemgetter

from satdoku.explaining.board import Truth, candidates_of, excluded_by, linked_to_all
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Strong, Technique, excluded_by_each
from satdoku.explaining.techniques.nets import Reached, Web
from satdoku.explaining.techniques.strong_links import Ends, Leading, StrongLinks
from satdoku.explaining.words.chains import is_loop, name_chain
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.limits import Budget

# The most truths of a chain through sets of cells: longer ones are harder to follow than nets.
_MOST_TRUTHS = 12


class Family(Enum):
    """A family of chains, by the strong links that they use."""

    DIGIT = "places of one digit"
    GROUPED_DIGIT = "places of one digit, groups of them too"
    CELLS = "cells with two digits"
    SINGLE = "cells with two digits, and digits with two places"
    GROUPED = "cells and digits, with groups"
    SETS = "almost locked sets of cells"
    ALL = "almost locked sets of cells, and digits"


# The most links of a chain in lists of all chains: nobody follows longer ones.
_MOST_LINKS = {
    Family.DIGIT: 6,
    Family.GROUPED_DIGIT: 6,
    Family.CELLS: 12,
    Family.SINGLE: 12,
    Family.GROUPED: 10,
    Family.SETS: 4,
    Family.ALL: 5,
}

# How many of the shortest chains are written out, so that the clearest can be chosen.
_WRITTEN_OUT = 4


class Chains:
    """The search for chains on one board; its methods may be called again after each step."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._links = StrongLinks(position, budget)
        # The strong links that chains may use, at first those of single truths.
        self._web = Web(self._links.ends, 0)
        # The consequences of all suppositions over links of single truths, and over links of sets
        # too. None until a search has found no chain: the first chains are mostly short, and found
        # sooner if the search ends with them.
        self._simple: Reached | None = None
        self._with_sets: Reached | None = None

    def find_simple(self) -> Finding | None:
        """Return a chain over single truths, with the fewest truths."""
        self._begin_web()
        found, self._simple = self._go_on(self._simple, len(self._position.open_truths))
        return found

    def find_with_sets(self) -> Finding | None:
        """Return a chain through almost locked sets; call this only if there is no simple chain."""
        if self._is_old():
            self._begin_web()
        self._web.add(self._links.of_sets())
        found, self._with_sets = self._go_on(self._with_sets, _MOST_TRUTHS)
        return found

    def every(self, families: Collection[Family]) -> Iterator[Finding]:
        """Yield, family by family, the shortest chain between any two ends that exclude something.

        In each family a chain uses only links of that family, so short chains of one family do not
        hide those of another.
        """
        position = self._position
        of_truths = self._links.of_truths()
        masks = self._links.ends.masks
        single = [
            link for link in of_truths if not any(masks[n] & (masks[n] - 1) for n in link[:2])
        ]
        for family in families:
            for links in _webs(family, single, of_truths, self._links.of_sets):
                every = EveryChain(self._links.ends, position, links, family, self._budget)
                for chain in every.chains():
                    name = name_chain(position.board, position.left, chain)
                    finding = self._whole(name, chain)
                    if not self._is_locked(finding):
                        yield finding

    def _whole(self, name: Technique, chain: tuple[Strong, ...]) -> Finding:
        """Return the step of a chain, which excludes what each of its two ends excludes.

        A loop or a remote pair also excludes what its inner links exclude.
        """
        board, left = self._position.board, self._position.left
        if name is Technique.REMOTE_PAIR or is_loop(board, chain):
            return self._excluding(name, (), chain, excluded_around(chain, board.links, left))
        least = excluded_by_each(chain, board.links, left)
        truths = tuple({t.number: t for link in chain for t in link.truths}.values())
        return Finding(name, truths, excludes=tuple(candidates_of(least)), chain=chain)

    def every_blossom(self) -> Iterator[Finding]:
        """Yield for each stem and excluded candidate the blossom with the fewest truths."""
        self._begin_web()
        self._web.add(self._links.of_sets())
        for _, candidate, stem, petals in sorted(self._blossoms(), key=itemgetter(0)):
            finding = self._excluding(Technique.DEATH_BLOSSOM, (stem,), petals, 1 << candidate)
            if not self._is_locked(finding):
                yield finding

    def _is_locked(self, finding: Finding) -> bool:
        """Whether one truth alone makes all the exclusions, as locked candidates do."""
        position, gone = self._position, mask_of(finding.excludes)
        return any(
            linked_to_all(truth.members & position.left, position.board.links, gone) == gone
            for truth in finding.truths
        )

    def find_blossom(self) -> Finding | None:
        """Return a truth (*stem*) whose members exclude the same, directly or by a link (*petal*).

        Call this only if there is no chain with sets. Of all blossoms, return the one with the
        fewest truths.
        """
        found = min(self._blossoms(), key=itemgetter(0), default=None)
        if found is None:
            return None
        _, candidate, stem, petals = found
        return self._excluding(Technique.DEATH_BLOSSOM, (stem,), petals, 1 << candidate)

    def _blossoms(self) -> Iterator[tuple[int, int, Truth, tuple[Strong, ...]]]:
        """Yield the death blossoms that the known links make.

        Of each: its number of truths, the candidate that it excludes, its stem and its petals.
        """
        position, web = self._position, self._web
        links, reach = position.board.links, web.reach()
        for stem in position.open_truths:
            members = candidates_of(stem.members & position.left)
            gone = position.left & ~stem.members
            for member in members:
                gone &= reach.get(member, 0) | links[member]
            for candidate in candidates_of(gone):
                needing = (member for member in members if not links[member] >> candidate & 1)
                petals = tuple(web.petal(member, candidate) for member in needing)
                size = len({stem.number, *(t.number for petal in petals for t in petal.truths)})
                if petals and size <= _MOST_TRUTHS:
                    yield size, candidate, stem, petals

    def find_finned(self, suspects: int) -> Finding | None:
        """Return a chain with fins that excludes a suspect; call only if there is no blossom."""
        if self._is_old():
            self._begin_web()
            self._web.add(self._links.of_sets())
        self._web.add_finned(self._links.of_finned(suspects))
        reached = self._follow(self._with_sets or Reached(), suspects)
        return self._first(reached.refuted, _MOST_TRUTHS)

    def _is_old(self) -> bool:
        """Whether candidates were excluded since links were collected, as in lists of all steps."""
        return self._web.left != self._position.left

    def _begin_web(self) -> None:
        """Discard all links but those of single truths."""
        self._web = Web(self._links.ends, self._position.left)
        self._web.add(self._links.of_truths())

    def _go_on(self, before: Reached | None, most: int) -> tuple[Finding | None, Reached | None]:
        """Return a chain over all links known by now, and the consequences to keep for later."""
        left = self._position.left
        if before is None:
            found = self._first(left, most)
            return found, None if found else self._web.reached
        reached = self._follow(before, left)
        return self._first(reached.refuted, most), reached

    def _follow(self, before: Reached, supposed: int) -> Reached:
        return self._web.follow(before, supposed, self._budget)

    def _first(self, refuted: int, most: int) -> Finding | None:
        """Return a chain that refutes one of these candidates, with the fewest truths."""
        web = self._web
        hits = web.first_hits(most, refuted, self._budget) if refuted else []
        # Ends of a single candidate come first, then those that exclude most.
        hits.sort(
            key=lambda hit: (web.is_group(hit[1]), -hit[0].bit_count(), hit[0], web.rank[hit[1]])
        )
        chains = web.chains([(hit & -hit, end) for hit, end in hits[:_WRITTEN_OUT]])
        fewest = min(map(_count_groups, chains), default=0)
        clear = [chain for chain in chains if _count_groups(chain) == fewest]
        found = list(map(self._finding, clear))
        return max(found, key=lambda finding: len(finding.excludes), default=None)

    def _finding(self, chain: tuple[Strong, ...]) -> Finding:
        """Return a chain as a finding, named, with all its exclusions."""
        position = self._position
        name = name_chain(position.board, position.left, chain)
        least = excluded_by_each(chain, position.board.links, position.left)
        return self._excluding(name, (), chain, least)

    def _excluding(
        self, technique: Technique, stem: tuple[Truth, ...], links: tuple[Strong, ...], least: int
    ) -> Finding:
        """Return links with all exclusions of their truths; with `least` at too many choices."""
        position = self._position
        every = (*stem, *(truth for link in links for truth in link.truths))
        truths = tuple({truth.number: truth for truth in every}.values())
        excluded = None
        # The text of a finned chain does not show what its truths exclude by further steps, so it
        # keeps to `least`.
        if technique is not Technique.FINNED_CHAIN:
            masks = [truth.members for truth in truths]
            excluded = excluded_by(masks, position.board.links, position.left)
        excludes = tuple(candidates_of(least if excluded is None else excluded))
        return Finding(technique, truths, excludes=excludes, chain=links)


def excluded_around(chain: Sequence[Strong], links: Sequence[int], left: int) -> int:
    """Return the exclusions of a loop: of each two neighbouring ends in it, one holds."""
    found = 0
    for link, following in zip(chain, (*chain[1:], chain[0]), strict=True):
        found |= linked_to_all(link.on | following.off, links, left)
    return found


def _webs(
    family: Family,
    single: list[Leading],
    of_truths: list[Leading],
    of_sets: Callable[[], list[Leading]],
) -> Iterator[list[Leading]]:
    """Yield the links that chains of a family may use; for one-digit families, digit by digit."""
    if family in (Family.DIGIT, Family.GROUPED_DIGIT):
        of_digit: defaultdict[int, list[Leading]] = defaultdict(list)
        for link in single if family is Family.DIGIT else of_truths:
            if link[2][0].unit is not None:
                of_digit[link[2][0].digit].append(link)
        yield from of_digit.values()
    elif family is Family.CELLS:
        yield [link for link in single if link[2][0].unit is None]
    elif family is Family.SETS:
        cells = [link for link in of_truths if link[2][0].unit is None]
        yield cells + [link for link in of_sets() if link[2][0].unit is None]
    elif family is Family.ALL:
        yield of_truths + [link for link in of_sets() if link[2][0].unit is None]
    else:
        yield single if family is Family.SINGLE else of_truths


class EveryChain:
    """All chains over some links: between any two ends the one with the fewest truths."""

    def __init__(
        self,
        ends: Ends,
        position: Position,
        links: Iterable[Leading],
        family: Family,
        budget: Budget,
    ) -> None:
        self._ends = ends
        self._left = position.left
        self._budget = budget
        self._most = _MOST_LINKS[family]
        self._from: defaultdict[int, dict[int, tuple[Truth, ...]]] = defaultdict(dict)
        for start, end, truths in links:
            known = self._from[start].get(end)
            if known is None or len(truths) < len(known):
                self._from[start][end] = truths
        self._beside = {
            number: [other for other in ends.beside[number] if other in self._from]
            for number in self._from
        }

    def chains(self) -> Iterator[tuple[Strong, ...]]:
        """Yield chains of two links or more, each in one of its two directions only."""
        excludes, left = self._ends.excludes, self._left
        for start in sorted(self._from):
            self._budget.require()
            came_from = self._reach(start)
            gone = excludes[start] & left
            for end in came_from:
                is_loop = start in self._beside.get(end, ())
                if end >= start and (gone & excludes[end] or is_loop):
                    chain = self._led_to(end, came_from)
                    if len(chain) > 1:
                        yield chain

    def _reach(self, start: int) -> dict[int, tuple[int, int]]:
        """Return how chains lead to each end that holds if nothing at the start does.

        For each such end: the end before it on the chain that holds (or -1), and the end excluded
        by that one.
        """
        came_from: dict[int, tuple[int, int]] = {}
        gone = {start}
        lost = [(-1, start)]
        for _ in range(self._most):
            reached = []
            for before, number in lost:
                for end in self._from[number]:
                    if end not in came_from:
                        came_from[end] = before, number
                        reached.append(end)
            lost = []
            for end in reached:
                new = [other for other in self._beside.get(end, ()) if other not in gone]
                gone.update(new)
                lost += [(end, other) for other in new]
        return came_from

    def _led_to(self, end: int, came_from: dict[int, tuple[int, int]]) -> tuple[Strong, ...]:
        masks = self._ends.masks
        chain = []
        while end >= 0:
            before, number = came_from[end]
            chain.append(Strong(masks[number], masks[end], self._from[number][end]))
            end = before
        return tuple(chain[::-1])


def _count_groups(chain: Iterable[Strong]) -> int:
    """Return the number of ends with several candidates; chains with fewer are clearer."""
    return sum((link.off.bit_count() > 1) + (link.on.bit_count() > 1) for link in chain)
