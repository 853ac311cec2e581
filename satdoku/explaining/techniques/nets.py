"""Nets: a candidate that, when supposed, leaves a truth no member; and stories, which show why.

A story is found by propagating the supposition through some truths. If nothing more follows, a
further supposition that fails is searched and excluded (a case), and so on. Items that the
contradiction does not rest on are then left out. A net is a story without cases.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from satdoku.explaining.board import Board, Propagation, Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Placed, Story, Strong, Technique
from satdoku.explaining.techniques.strong_links import Ends, Finned, Leading
from satdoku.solving.limits import Budget

# How many layers that refute something are used: candidates that fail later take long to follow.
_LAYERS = 2


class Nets:
    """The search for nets on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        # The candidates that fail by each layer, and the candidates left when this was computed.
        self._layers: Sequence[int] = ()
        self._followed: Propagation | None = None
        self._looked_at = -1

    def find(self) -> Finding | None:
        """Return a net with few truths among the candidates that fail after the fewest layers.

        All candidates that fail on the same truths are excluded with it. Of the nets with the
        fewest truths or one more, return the one that excludes most.
        """
        position = self._position
        telling = Telling(position.board, position.left, position.open_truths, self._budget)
        found = []
        for start in candidates_of(self._refuted()[0]):
            story = telling.follow(start)
            assert story is not None, "it fails"
            found.append(finding_of((story,), Technique.NET))
        if not found:
            return None
        # A net with one truth more may exclude more, and is hardly harder to follow.
        fewest = min(len(finding.truths) for finding in found)
        smallest = [self._whole(finding) for finding in found if len(finding.truths) <= fewest + 1]
        return max(smallest, key=lambda finding: len(finding.excludes))

    def every(self, refuted: int) -> Iterator[Finding]:
        """Yield a net for each of these candidates that fails."""
        position = self._position
        telling = Telling(position.board, position.left, position.open_truths, self._budget)
        for start in candidates_of(refuted):
            story = telling.follow(start)
            if story is not None:
                yield finding_of((story,), Technique.NET)

    def first(self) -> int:
        """Return the candidates that fail after the fewest layers."""
        return self._refuted()[0]

    def off_under(self, candidate: int) -> int:
        """Return the candidates known to be off if this one is supposed, as far as propagated."""
        self._refuted()
        assert self._followed is not None, "it was just made"
        return self._followed.off_under(candidate)

    def refuted(self) -> int:
        """Return the candidates that, when supposed, soon leave a truth no member."""
        return self._refuted()[-1]

    def _refuted(self) -> Sequence[int]:
        """Return the candidates that fail within one layer, within two, and so on."""
        position = self._position
        if self._looked_at != position.left:
            masks = (truth.members & position.left for truth in position.open_truths)
            self._followed = Propagation(masks, position.board.tables.linked_to)
            layers = self._followed.refuted(position.board.links, self._budget)
            self._layers = tuple(islice(layers, _LAYERS)) or (0,)
            self._looked_at = position.left
        return self._layers

    def _whole(self, finding: Finding) -> Finding:
        """Return a net with stories for all candidates that fail through the same truths."""
        position = self._position
        masks = [truth.members for truth in finding.truths]
        every = excluded_by(masks, position.board.links, position.left)
        if every is None or not every & (every - 1):
            return finding
        telling = Telling(position.board, position.left, finding.truths, self._budget)
        told = [telling.follow(candidate) for candidate in candidates_of(every)]
        stories = [story for story in told if story is not None]
        first = finding.excludes[0]
        stories.sort(key=lambda story: (story.suppose != first, story.suppose))
        return finding_of(tuple(stories), finding.technique)


def finding_of(stories: tuple[Story, ...], technique: Technique) -> Finding:
    """Return the finding of some stories, which excludes the candidate that each supposes."""
    truths = {truth.number: truth for story in stories for truth in story.truths()}
    ordered = tuple(truths[index] for index in sorted(truths))
    excludes = tuple(story.suppose for story in stories)
    return Finding(technique, ordered, excludes=excludes, stories=stories)


_Items = list[Placed | Story]


class Telling:
    """The truths that stories may use, and the links between; `left` are the candidates left."""

    def __init__(self, board: Board, left: int, truths: Sequence[Truth], budget: Budget) -> None:
        self._board = board
        self._links = board.links
        self._left = left
        self._truths = truths
        self._budget = budget
        self._linked_to: list[list[int]] = []

    def follow(self, suppose: int, known: int = 0) -> Story | None:
        """Return the story of a supposition without cases; None if the supposition does not fail.

        `known` is the mask of candidates that the stories around this one have excluded.
        """
        items: _Items = []
        dead_end, _ = self._propagate(items, known | self._links[suppose], 1 << suppose)
        return self._prune(suppose, items, dead_end, known) if dead_end else None

    def tell(self, suppose: int, longest: int, deepest: int, known: int = 0) -> Story | None:
        """Return a story with cases; None if it would exceed this length or depth."""
        items: _Items = []
        off = known | self._links[suppose]
        on = 1 << suppose
        while True:
            self._budget.require()
            # Propagation comes first: a placement takes a few words, a case takes a line.
            dead_end, placed = self._propagate(items, off, on)
            if dead_end is not None:
                return self._prune(suppose, items, dead_end, known)
            for item in items:
                if isinstance(item, Placed):
                    off |= self._links[item.candidate]
            on = placed
            case = self._find_case(off, on, longest, deepest)
            if case is None:
                return None
            items.append(case)
            off |= 1 << case.suppose
            longest -= case.length
            if longest <= 0:
                return None

    def _propagate(self, items: _Items, off: int, on: int) -> tuple[Truth | None, int]:
        """Append the placements that follow; return a truth left empty, or None, and all placed."""
        links = self._links
        left = self._left & ~off
        while True:
            found: list[tuple[int, Truth]] = []
            for truth in self._truths:
                members = truth.members & left
                if not members:
                    return truth, on
                if not members & (members - 1) and not members & on:
                    found.append((members, truth))
            if not found:
                return None, on
            for members, truth in found:
                if not members & on:
                    on |= members
                    candidate = members.bit_length() - 1
                    left &= ~links[candidate]
                    items.append(Placed(candidate, truth))

    def _find_case(self, off: int, on: int, longest: int, deepest: int) -> Story | None:
        """Return the story of a further supposition that fails: at once, or else by cases."""
        left = self._left & ~off
        open_truths = [truth for truth in self._truths if not truth.members & left & on]
        failing = self._fail_at_once(open_truths, left)
        if failing:
            narrow = 0
            for truth in open_truths:
                if (truth.members & left).bit_count() == 2:
                    narrow |= truth.members
            # Prefer members of truths with two left: excluding one places the other.
            leading = [candidate for candidate in failing if narrow >> candidate & 1]
            stories = [self.follow(candidate, off) for candidate in leading or failing]
            told = [story for story in stories if story is not None]
            return min(told, key=lambda story: (story.length, story.suppose), default=None)
        # No supposition fails at once, so a case would need cases of its own.
        if deepest <= 1 or not open_truths:
            return None
        # The truth with the fewest members, since each may take long to try.
        smallest = min(open_truths, key=lambda t: ((t.members & left).bit_count(), t.number))
        for candidate in candidates_of(smallest.members & left):
            story = self.tell(candidate, longest, deepest - 1, off)
            if story is not None:
                return story
        return None

    def _fail_at_once(self, open_truths: Sequence[Truth], left: int) -> list[int]:
        """Return the candidates that, when supposed, fail after the fewest layers."""
        masks = (truth.members & left for truth in open_truths)
        followed = Propagation(masks, self._links_between())
        return followed.first_refuted(self._links, self._budget)

    def _links_between(self) -> list[list[int]]:
        """Return, for each candidate, the candidates of the truths that are linked to it."""
        if not self._linked_to:
            every = 0
            for truth in self._truths:
                every |= truth.members
            every &= self._left
            self._linked_to = [[] for _ in self._links]
            for candidate in candidates_of(every):
                self._linked_to[candidate] = candidates_of(self._links[candidate] & every)
        return self._linked_to

    def _prune(self, suppose: int, items: _Items, dead_end: Truth, known: int) -> Story:
        """Return the story without the items that its dead end does not rest on."""
        outside = known | self._links[suppose]
        kept = self._needed(items, dead_end, outside)
        # In their new order, items exclude candidates of cases that were told before them.
        while any(isinstance(item, Story) for item in kept):
            fewer = self._needed(kept, dead_end, outside)
            if len(fewer) == len(kept):
                break
            kept = fewer
        return Story(suppose, tuple(kept), dead_end)

    def _needed(self, items: _Items, dead_end: Truth, outside: int) -> _Items:
        """Return the items that a dead end rests on, each soon after those that it rests on itself.

        The candidates `outside` need no item, since the supposition or stories around this one
        exclude them; each other one is credited to the first item that excludes it.
        """
        first: dict[int, int] = {}
        seen = outside
        for number, item in enumerate(items):
            effect = self._links[item.candidate] if isinstance(item, Placed) else 1 << item.suppose
            for candidate in candidates_of(effect & ~seen & self._left):
                first[candidate] = number
            seen |= effect
        # Go backwards from the dead end. An item is visited twice: first those that it rests on are
        # put on top of it.
        kept: dict[int, None] = {}
        visited: set[int] = set()
        waiting = self._behind(dead_end.members, 0, outside, first)
        while waiting:
            number = waiting[-1]
            if number in visited:
                kept[waiting.pop()] = None
                continue
            visited.add(number)
            item = items[number]
            if isinstance(item, Placed):
                needed = self._behind(item.truth.members, 1 << item.candidate, outside, first)
            else:
                needed = []
                for truth in item.truths():
                    needed += self._behind(truth.members, 0, outside, first, number)
            waiting += [each for each in needed if each not in visited]
        return [items[number] for number in kept]

    def _behind(
        self,
        members: int,
        itself: int,
        outside: int,
        first: dict[int, int],
        before: int | None = None,
    ) -> list[int]:
        """Return the items that exclude members of a truth, the last first.

        With `before`, only items before this one are returned.
        """
        gone = members & self._left & ~outside & ~itself
        numbers = {first[candidate] for candidate in candidates_of(gone) if candidate in first}
        return sorted((n for n in numbers if before is None or n < before), reverse=True)


# The strong links of a position, and the chains that run over them.
#
# All chains are followed in parallel, from the candidates that they exclude: such a candidate, if
# it held, would exclude the first end, so that the last end holds, which excludes the candidate. So
# each supposed candidate is a bit of an integer, and if an end is reached under a supposition that
# it excludes, there is a chain. Chains grow truth by truth, so the first to exclude something have
# the fewest truths.
#
# Before that, the suppositions refuted by chains of any length are computed, since these tables can
# be kept: most steps exclude little, so few links are new, and only their consequences are
# propagated. Nine tenths of all suppositions are not refuted, and need not be followed truth by
# truth.
#
# A link with *fins* holds only under suppositions that exclude the fins. Since the supposition is
# the same all along a chain, that is the only difference of such a chain.


class Reached(NamedTuple):
    """The suppositions under which each end holds (`on`), and those that rule it out (`off`).

    `refuted` are the suppositions under which an end holds that excludes the supposed candidate.
    """

    on: Mapping[int, int] = {}
    off: Mapping[int, int] = {}
    refuted: int = 0


class Web:
    """The strong links of a position, by the numbers of their ends.

    `rank` has the order of the ends, by which ties are broken.
    """

    def __init__(self, ends: Ends, left: int) -> None:
        self._ends = ends
        self.left = left
        # By first end: the truths of the links to each other end; and those other ends by the
        # number of truths of the link.
        self._from: dict[int, dict[int, tuple[Truth, ...]]] = {}
        self._next: dict[int, dict[int, list[int]]] = {}
        # By first end: the links with fins, as other end, truths, and suppositions that exclude the
        # fins.
        self._finned: defaultdict[int, list[tuple[int, tuple[Truth, ...], int]]] = defaultdict(list)
        self.rank: dict[int, int] = {}
        self._excludes: dict[int, int] = {}
        self._beside: dict[int, list[int]] = {}
        self._sorted: dict[int, list[int]] = {}
        self._place: dict[int, int] = {}
        # The number of truths of the chains in the first hits, and what their search reached.
        self._size = 0
        self.reached = Reached()

    def add(self, links: Iterable[Leading]) -> None:
        """Add links; of several with the same ends keep the first one with the fewest truths."""
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
        """Add links with fins."""
        for (start, end, truths), only in links:
            self._finned[start].append((end, truths, only))
        for start in self._finned:
            self._from.setdefault(start, {})
            self._next.setdefault(start, {})
        self._renew()

    def _renew(self) -> None:
        """Update the tables of ends after links were added."""
        # Every link has a reverse, so each end is a first end, and the order is the same.
        self.rank = {number: place for place, number in enumerate(self._from)}
        excludes = self._ends.excludes
        self._excludes = {number: excludes[number] & self.left for number in self._from}
        self._beside, self._sorted, self._place = {}, {}, {}

    def follow(self, before: Reached, supposed: int, budget: Budget) -> Reached:
        """Return the consequences of some suppositions, over links and any number of truths.

        `before` has the consequences on an earlier web. Only new links have to be followed from
        there: most positions differ little from the one before.
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
        """Return the ends that now hold as well, and the suppositions under which they do.

        An end holds if no candidate of the other end of its strong link does; `lost` are those.
        """
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
        """Record the ends that newly hold and the ends that these exclude; return the latter."""
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
        """Return the masks of candidates that each candidate excludes over one strong link."""
        reach: dict[int, int] = {}
        excludes = self._excludes
        for start, to in self._from.items():
            gone = reduce(or_, map(excludes.__getitem__, to))
            for candidate in candidates_of(excludes[start]):
                reach[candidate] = reach.get(candidate, 0) | gone
        return reach

    def petal(self, candidate: int, excluded: int) -> Strong:
        """Return the link with the fewest truths over which one candidate excludes another."""
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
        """Whether an end has several candidates."""
        return self._ends.masks[number].bit_count() > 1

    def _excluded_ends(self, number: int) -> list[int]:
        """Return the ends whose candidates this end all excludes."""
        known = self._beside.get(number)
        if known is None:
            rank = self.rank
            known = [other for other in self._ends.beside[number] if other in rank]
            self._beside[number] = known
        return known

    def first_hits(self, most: int, supposed: int, budget: Budget) -> list[tuple[int, int]]:
        """Return exclusions by chains with the fewest truths, at most `most`, with their last ends.

        Bit c of an integer stands for the supposition that candidate c holds; a chain whose last
        end excludes c refutes it.
        """
        on = dict.fromkeys(self.rank, 0)
        off = {number: mask & supposed for number, mask in self._excludes.items()}
        self.reached = Reached(on, off)
        # By the number of truths: for each end the suppositions under which it is reached.
        waiting: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self._spread(waiting, 0, off)
        for size in range(1, most + 1):
            budget.require()
            ends = waiting.pop(size, {})
            found = {end: new for end, under in ends.items() if (new := under & ~on[end])}
            excludes = self._excludes
            hits = [(hit, end) for end, new in found.items() if (hit := new & excludes[end])]
            # Hits with this number of truths are enough; ends reached by more are not needed.
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
        """Follow the links from ends of which no candidate holds, under some suppositions."""
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
        """Return the chains of hits, which are an excluded candidate (a mask) and the last end."""
        last_ends: defaultdict[int, set[int]] = defaultdict(set)
        for candidate, end in hits:
            last_ends[candidate].add(end)
        # A chain is among the hits twice, once for each of its ends; one search for the candidate
        # that it excludes serves both.
        ways = {candidate: self._search(candidate, last_ends[candidate]) for candidate in last_ends}
        return [tuple(self._led_to(end, ways[candidate], candidate)) for candidate, end in hits]

    def _search(self, candidate: int, last_ends: Set[int]) -> dict[int, tuple[int, int]]:
        """Return the two ends before each end on the chains from a candidate to these last ends."""
        # For each end that holds: the end before it on the chain that holds, and the end between
        # the two, of which no candidate holds.
        came_from: dict[int, tuple[int, int]] = {}
        waiting: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
        gone: set[int] = set()
        # Ends without a candidate that holds, each with the end that excludes it.
        lost = {number: -1 for number, excludes in self._excludes.items() if excludes & candidate}
        size = 0
        while not last_ends <= came_from.keys():
            gone |= lost.keys()
            for number, before in lost.items():
                for truths, following in self._next[number].items():
                    if size + truths == self._size:
                        # With the last truth, only the last ends have to be reached.
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
                # The number of truths only grows, so the first path to an end has the fewest.
                if to not in came_from:
                    came_from[to] = before, number
                    for other in self._sorted_ends(to):
                        lost.setdefault(other, to)
            lost = {other: to for other, to in lost.items() if other not in gone}
        return came_from

    def _led_to(
        self, end: int, came_from: Mapping[int, tuple[int, int]], candidate: int
    ) -> list[Strong]:
        """Return the links that lead to an end, under the supposition that a candidate holds."""
        chain = []
        while end >= 0:
            end, number, last = *came_from[end], end
            chain.append(self._link(number, last, candidate))
        return chain[::-1]

    def _link(self, start: int, end: int, candidate: int) -> Strong:
        """Return the link with the fewest truths between two ends, under a supposition."""
        truths = self._from[start].get(end)
        for to, of_finned, only in self._finned.get(start, ()):
            if to == end and only & candidate and (truths is None or len(truths) > 1):
                truths = of_finned
        assert truths is not None, "there is a link"
        masks = self._ends.masks
        return Strong(masks[start], masks[end], truths)

    def _sorted_ends(self, number: int) -> list[int]:
        """Return `_excluded_ends` in an order that does not depend on earlier positions."""
        known = self._sorted.get(number)
        if known is None:
            if not self._place:
                masks = self._ends.masks
                ranked = sorted((masks[n] & -masks[n], rank, n) for n, rank in self.rank.items())
                self._place = {number: place for place, (_, _, number) in enumerate(ranked)}
            known = sorted(self._excluded_ends(number), key=self._place.__getitem__)
            self._sorted[number] = known
        return known
