"""Whips: nets in which each placement leads to the next one.

Whatever is supposed leaves a truth a single member, which excludes some of the next truth, and so
on. Each truth may have lost its other members to the supposition or to any placement before, but
some to the last one: so the eye goes on from each placement, and never has to go back for another
branch. What the last placement leaves nothing of ends it. (Denis Berthier's whips; nets whose
placements have no such order are his braids.)
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import starmap
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Level, Placed, Story, Technique
from satdoku.explaining.techniques.nets import finding_of
from satdoku.explaining.techniques.search import Around, Search

# Longer ones are as hard to follow as any net.
_MOST_PLACED = 12

# With so many beginnings of a length a search is given up: most whips are found before.
_MOST_BEGUN = 20


class _Begun(NamedTuple):
    """A beginning: what is off and what is placed by now, what came last, and how it came."""

    off: int
    placed: int
    last: int
    path: tuple[tuple[int, Truth], ...]


def _count_off(begun: _Begun) -> int:
    return begun.off.bit_count()


class _Whip:
    """The search for a whip that refutes a supposition over some truths, by length."""

    def __init__(
        self, suppose: int, truths: Iterable[Truth], left: int, links: Sequence[int]
    ) -> None:
        self._links = links
        self._suppose = suppose
        self._masks = [(truth.members & left, truth) for truth in truths]
        self._near: dict[int, list[tuple[int, Truth]]] = {}
        self._begun = [_Begun(links[suppose], 1 << suppose, suppose, ())]
        self.is_open = True

    def go_on(self) -> Story | None:
        """Look for one with a placement more; return it if there is any."""
        links = self._links
        found: dict[tuple[int, int], _Begun] = {}
        for off, placed, last, path in self._begun:
            for mask, truth in self._near.get(last) or self._near_to(last):
                rest = mask & ~off
                if not rest:
                    return Story(self._suppose, tuple(starmap(Placed, path)), truth)
                if rest & (rest - 1) or rest & placed:
                    continue
                key = placed | rest, rest
                if key not in found:
                    one = rest.bit_length() - 1
                    found[key] = _Begun(off | links[one], key[0], one, (*path, (one, truth)))
        self._begun = list(found.values())
        if len(found) > _MOST_BEGUN:
            # What excludes most is the nearest to the end.
            self._begun = nlargest(_MOST_BEGUN, self._begun, key=_count_off)
        self.is_open = bool(found)
        return None

    def _near_to(self, candidate: int) -> list[tuple[int, Truth]]:
        """Return the truths that lose something to a candidate, with what is left of them."""
        link = self._links[candidate]
        near = self._near[candidate] = [each for each in self._masks if each[0] & link]
        return near


def _first_of(whips: Sequence[_Whip]) -> list[Story]:
    """Return the shortest stories of several searches."""
    for _ in range(_MOST_PLACED + 1):
        found = [story for whip in whips if (story := whip.go_on()) is not None]
        whips = [whip for whip in whips if whip.is_open]
        if found or not whips:
            return found
    return []


def _whip(around: Around, candidate: int) -> _Whip:
    """Return the search for a candidate that is known to fail when supposed."""
    position = around.position
    # Only what has no more than one member left at the end can be part of a whip.
    left = position.left & ~around.nets.off_under(candidate)
    narrow = []
    for truth in position.open_truths:
        rest = truth.members & left
        if not rest & (rest - 1):
            narrow.append(truth)
    return _Whip(candidate, narrow, position.left, position.board.links)


def _find(around: Around) -> Finding | None:
    """Return of the shortest whips the one whose truths exclude most by whips."""
    position = around.position
    links, left = position.board.links, position.left
    best: Finding | None = None
    for story in _first_of([_whip(around, c) for c in candidates_of(around.nets.first())]):
        finding = finding_of((story,), Technique.WHIP)
        every = excluded_by([truth.members for truth in finding.truths], links, left) or 0
        more = []
        for other in candidates_of(every & ~(1 << story.suppose)):
            more += _first_of([_Whip(other, finding.truths, left, links)])
        if best is None or len(more) >= len(best.excludes):
            best = finding_of((story, *more), Technique.WHIP)
    return best


def _every(around: Around) -> Iterator[Finding]:
    """Yield a shortest whip for each candidate that soon fails when it is supposed."""
    for candidate in candidates_of(around.nets.refuted()):
        around.budget.require()
        for story in _first_of([_whip(around, candidate)]):
            yield finding_of((story,), Technique.WHIP)


SEARCH = Search(
    {Technique.WHIP: ("Berthier: whip", "Sunnie: whip")},
    Level.ALL,
    _find,
    _every,
    None,
)
