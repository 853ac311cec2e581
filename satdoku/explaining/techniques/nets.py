"""Nets: a candidate that, when supposed, leaves nothing of some truth; and stories, which tell why.

A story is found by following the supposition through some truths. Where that comes to a halt, a
further supposition that fails is looked for and excluded (a case), and so on. What the end does not
rest on is then left out. A net is a story without cases.
"""

from collections.abc import Sequence
from itertools import islice

from satdoku.explaining.bits import Propagation, excluded_by
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Placed, Story, Technique
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
        self._looked_at = -1

    def find(self) -> Finding | None:
        """Of the candidates that fail after the fewest layers, one with few truths.

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

    def refuted(self) -> int:
        """The candidates that, when supposed, soon leave nothing of a truth."""
        return self._refuted()[-1]

    def _refuted(self) -> Sequence[int]:
        """Those that do so within one layer, within two, and so on."""
        position = self._position
        if self._looked_at != position.left:
            masks = (truth.members & position.left for truth in position.open_truths)
            followed = Propagation(masks, position.board.tables.linked_to)
            layers = followed.refuted(position.board.links, self._budget)
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
    """What stories show: what each supposes does not hold."""
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
        """For each candidate those linked to it that lie in the truths; only these matter here."""
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
