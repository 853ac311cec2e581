"""Nets: a candidate that, when supposed, leaves nothing of some truth; and stories, which tell why.

A story is found by following the supposition through some truths. Where that comes to a halt, a
further supposition that fails is looked for and excluded (a case), and so on. What the end does not
rest on is then left out. A net is a story without cases.
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

# How many layers that refute something are looked at: what later ones do takes long chains, too.
_LAYERS = 2


class Nets:
    """The search for nets on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        # What fails by which layer, and what was left when that was found out.
        self._layers: Sequence[int] = ()
        self._followed: Propagation | None = None
        self._looked_at = -1

    def find(self) -> Finding | None:
        """Return a net with few truths among the candidates that fail after the fewest layers.

        Whatever else fails on the same truths is told with it, and of the nets with the fewest, or
        one more, the one that excludes most.
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
        # A net on one truth more may exclude more, and is hardly harder to follow.
        fewest = min(len(finding.truths) for finding in found)
        smallest = [self._whole(finding) for finding in found if len(finding.truths) <= fewest + 1]
        return max(smallest, key=lambda finding: len(finding.excludes))

    def every(self, refuted: int) -> Iterator[Finding]:
        """Yield a net for each of these candidates, which fail."""
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
        """Return what cannot hold beside a candidate, as far as that was followed."""
        self._refuted()
        assert self._followed is not None, "it was just made"
        return self._followed.off_under(candidate)

    def refuted(self) -> int:
        """The candidates that, when supposed, soon leave nothing of a truth."""
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
        """The same with all that fails when it is followed through the same truths."""
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
    """Return the finding of some stories: the supposition of each does not hold."""
    truths = {truth.number: truth for story in stories for truth in story.truths()}
    ordered = tuple(truths[index] for index in sorted(truths))
    excludes = tuple(story.suppose for story in stories)
    return Finding(technique, ordered, excludes=excludes, stories=stories)


_Items = list[Placed | Story]


class Telling:
    """The truths that stories may use on a board where `left` is left, and the links between."""

    def __init__(self, board: Board, left: int, truths: Sequence[Truth], budget: Budget) -> None:
        self._board = board
        self._links = board.links
        self._left = left
        self._truths = truths
        self._budget = budget
        self._linked_to: list[list[int]] = []

    def follow(self, suppose: int, known: int = 0) -> Story | None:
        """The story of a supposition without cases; None where it does not fail.

        `known` is what is excluded already, around this story.
        """
        items: _Items = []
        dead_end, _ = self._propagate(items, known | self._links[suppose], 1 << suppose)
        return self._prune(suppose, items, dead_end, known) if dead_end else None

    def tell(self, suppose: int, longest: int, deepest: int, known: int = 0) -> Story | None:
        """A story with cases; None where it would grow longer or deeper than that."""
        items: _Items = []
        off = known | self._links[suppose]
        on = 1 << suppose
        while True:
            self._budget.require()
            # What follows by itself is a few words, and a case is a line: so it comes first.
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
        """Adds what must hold to the items; a truth that nothing is left of ends it."""
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
        """A further supposition that fails: at once where there is any such, else by more cases."""
        left = self._left & ~off
        open_truths = [truth for truth in self._truths if not truth.members & left & on]
        failing = self._fail_at_once(open_truths, left)
        if failing:
            narrow = 0
            for truth in open_truths:
                if (truth.members & left).bit_count() == 2:
                    narrow |= truth.members
            # Excluding one of two members places the other one, which leads on.
            leading = [candidate for candidate in failing if narrow >> candidate & 1]
            stories = [self.follow(candidate, off) for candidate in leading or failing]
            told = [story for story in stories if story is not None]
            return min(told, key=lambda story: (story.length, story.suppose), default=None)
        # No single supposition fails at once, so a case would need cases of its own.
        if deepest <= 1 or not open_truths:
            return None
        # Its members are the fewest cases to be tried, and each may take long.
        smallest = min(open_truths, key=lambda t: ((t.members & left).bit_count(), t.number))
        for candidate in candidates_of(smallest.members & left):
            story = self.tell(candidate, longest, deepest - 1, off)
            if story is not None:
                return story
        return None

    def _fail_at_once(self, open_truths: Sequence[Truth], left: int) -> list[int]:
        """The candidates that fail in the fewest layers of consequences, when supposed."""
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
        """The story without the items that its dead end does not rest on.

        What is excluded around the story, or by the supposition, needs no item; all else is
        excluded by the first item that does so.
        """
        links = self._links
        outside = known | links[suppose]
        first: dict[int, int] = {}
        seen = outside
        for number, item in enumerate(items):
            effect = links[item.candidate] if isinstance(item, Placed) else 1 << item.suppose
            for candidate in candidates_of(effect & ~seen & self._left):
                first[candidate] = number
            seen |= effect
        # Backwards from the dead end: what nothing there rests on is in no reader's way then.
        kept: set[int] = set()
        needed = [number for number in self._behind(dead_end.members, 0, outside, first)]
        while needed:
            number = needed.pop()
            if number in kept:
                continue
            kept.add(number)
            item = items[number]
            if isinstance(item, Placed):
                needed += self._behind(item.truth.members, 1 << item.candidate, outside, first)
            else:
                for truth in item.truths():
                    needed += self._behind(truth.members, 0, outside, first, number)
        return Story(suppose, tuple(items[number] for number in sorted(kept)), dead_end)

    def _behind(
        self,
        members: int,
        itself: int,
        outside: int,
        first: dict[int, int],
        before: int | None = None,
    ) -> set[int]:
        """The items that exclude what is gone of a truth; `before` passes later ones over."""
        gone = members & self._left & ~outside & ~itself
        numbers = {first[candidate] for candidate in candidates_of(gone) if candidate in first}
        return {n for n in numbers if before is None or n < before}


# The strong links of a position, and the chains that run over them.
#
# All chains are followed side by side, backwards as it were: what a chain excludes would, if it
# held, exclude its first end, and so have the last one hold, which excludes it. So each candidate
# that is supposed to hold is a bit of an integer, and where an end is reached by what it excludes,
# there is a chain. They grow by truths: the first that exclude something rest on the fewest.
#
# What leads to its own end on however many truths is found out first, since that can be kept: most
# steps take little away, so few links are new, and only what these lead to is followed. Nine tenths
# of all suppositions lead to no such end, and need not be followed truth by truth.
#
# A link with *fins* counts under those suppositions only that exclude them. What is supposed is the
# same all along a chain, so nothing but this tells such a chain from others.


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
        """Return the consequences of some suppositions, over links and any number of truths.

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
        """Return, for each candidate, a mask of the candidates linked to it."""
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
        """Return exclusions by chains on the fewest truths, `most` at most, with their last ends.

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
        """Return how the chains that exclude a candidate reach these last ends."""
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
