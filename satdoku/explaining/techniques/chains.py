"""Chains: if some candidates do not hold, others must; what both exclude is excluded.

A chain goes from candidates of which none is supposed to hold over strong links
(`strong_links.py`), each reached end excluding the first one of the next link. So one of its two
ends holds, whichever it is.

    r1c1 is not 5 -> r1c7 is 5 (row 1) -> r4c7 is not 5 -> r4c2 is 5 (row 4)
    so r1c1 or r4c2 is 5, and r6c1, which both exclude, is not
"""

from collections.abc import Iterable
from operator import itemgetter

from satdoku.explaining.board import Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Strong, Technique, excluded_by_each
from satdoku.explaining.techniques.nets import Reached, Web
from satdoku.explaining.techniques.strong_links import StrongLinks
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
        self._web = Web(self._links.ends, 0)
        # What suppositions lead to over links of single truths, and over those of sets too.
        # None until there was no chain: the first ones are mostly short, and found sooner without.
        self._simple: Reached | None = None
        self._with_sets: Reached | None = None

    def find_simple(self) -> Finding | None:
        """A chain over single truths, on the fewest of them."""
        self._begin_web()
        found, self._simple = self._go_on(self._simple, len(self._position.open_truths))
        return found

    def find_with_sets(self) -> Finding | None:
        """A chain through almost locked sets; to be asked where there is no simple one."""
        if self._is_old():
            self._begin_web()
        self._web.add(self._links.of_sets())
        found, self._with_sets = self._go_on(self._with_sets, _MOST_TRUTHS)
        return found

    def find_blossom(self) -> Finding | None:
        """A truth, the *stem*, whose members all exclude the same: alone or over a link, a *petal*.

        To be asked where there is no chain with sets. Of all blossoms the one on the fewest truths
        is told.
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

    def find_finned(self, suspects: int) -> Finding | None:
        """A chain over links with fins that excludes one of these; where there is no blossom."""
        if self._is_old():
            self._begin_web()
            self._web.add(self._links.of_sets())
        self._web.add_finned(self._links.of_finned(suspects))
        reached = self._follow(self._with_sets or Reached(), suspects)
        return self._first(reached.refuted, _MOST_TRUTHS)

    def _is_old(self) -> bool:
        """Whether of a link an end may be gone: who lists all steps goes on here after one."""
        return self._web.left != self._position.left

    def _begin_web(self) -> None:
        """Forgets all links but those of single truths."""
        self._web = Web(self._links.ends, self._position.left)
        self._web.add(self._links.of_truths())

    def _go_on(self, before: Reached | None, most: int) -> tuple[Finding | None, Reached | None]:
        """A chain over all links that are known by now, and what is kept for the next time."""
        left = self._position.left
        if before is None:
            found = self._first(left, most)
            return found, None if found else Reached()
        reached = self._follow(before, left)
        return self._first(reached.refuted, most), reached

    def _follow(self, before: Reached, supposed: int) -> Reached:
        return self._web.follow(before, supposed, self._budget)

    def _first(self, refuted: int, most: int) -> Finding | None:
        """Of the chains that refute some of these, one on the fewest truths."""
        web = self._web
        hits = web.first_hits(most, refuted, self._budget) if refuted else []
        # Ends of one candidate come first, and of these the one that excludes most.
        hits.sort(
            key=lambda hit: (web.is_group(hit[1]), -hit[0].bit_count(), hit[0], web.rank[hit[1]])
        )
        chains = web.chains([(hit & -hit, end) for hit, end in hits[:_WRITTEN_OUT]])
        fewest = min(map(_count_groups, chains), default=0)
        clear = [chain for chain in chains if _count_groups(chain) == fewest]
        found = list(map(self._finding, clear))
        return max(found, key=lambda finding: len(finding.excludes), default=None)

    def _finding(self, chain: tuple[Strong, ...]) -> Finding:
        """A chain by its name."""
        position = self._position
        name = name_chain(position.board, position.left, chain)
        least = excluded_by_each(chain, position.board.links, position.left)
        return self._excluding(name, (), chain, least)

    def _excluding(
        self, technique: Technique, stem: tuple[Truth, ...], links: tuple[Strong, ...], least: int
    ) -> Finding:
        """Links with all that their truths exclude; where these are too many, with the least."""
        position = self._position
        every = (*stem, *(truth for link in links for truth in link.truths))
        truths = tuple({truth.number: truth for truth in every}.values())
        excluded = None
        # Words about fins do not show what their truths exclude by further steps: of finned chains
        # the least is taken.
        if technique is not Technique.FINNED_CHAIN:
            masks = [truth.members for truth in truths]
            excluded = excluded_by(masks, position.board.links, position.left)
        excludes = tuple(candidates_of(least if excluded is None else excluded))
        return Finding(technique, truths, excludes=excludes, chain=links)


def _count_groups(chain: Iterable[Strong]) -> int:
    """How many ends of several candidates a chain has; the fewer, the clearer it is."""
    return sum((link.off.bit_count() > 1) + (link.on.bit_count() > 1) for link in chain)
