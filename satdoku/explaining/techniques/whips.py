"""Whips: nets in which each placement leads to the next one.

The supposition leaves a truth a single member, which excludes members of the next truth, and so on.
Each truth may have lost its other members to the supposition or to any earlier placement, but some
to the last one: so the eye follows the placements in a line, and never has to return to another
branch. The whip ends with a truth that the last placement leaves no member. (Denis Berthier's
whips; nets whose placements have no such order are his braids.)
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

# The most placements of a whip: longer ones are as hard to follow as any net.
_MOST_PLACED = 12

# The most beginnings of a length to keep: most whips are found among these.
_MOST_BEGUN = 20


class _Begun(NamedTuple):
    """The beginning of a whip: candidates off, placed ones, the last of these, and the path."""

    off: int
    placed: int
    last: int
    path: tuple[tuple[int, Truth], ...]


def _count_off(begun: _Begun) -> int:
    return begun.off.bit_count()


class _Whip:
    """The search for whips that refute a supposition over some truths, the shortest first."""

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
        """Look for a whip with one placement more than in the last call; None if there is none."""
        links = self._links
        found: dict[tuple[int, int], _Begun] = {}
        for off, placed, last, path in self._begun:
            kept = ~off
            for mask, truth in self._near.get(last) or self._near_to(last):
                rest = mask & kept
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
            # Beginnings that exclude most are the nearest to an end.
            self._begun = nlargest(_MOST_BEGUN, self._begun, key=_count_off)
        self.is_open = bool(found)
        return None

    def _near_to(self, candidate: int) -> list[tuple[int, Truth]]:
        """Return the truths with a member that a candidate excludes, each with its members left."""
        link = self._links[candidate]
        near = self._near[candidate] = [each for each in self._masks if each[0] & link]
        return near


def _first_of(whips: Sequence[_Whip]) -> list[Story]:
    """Return the shortest whips of several searches, run in parallel."""
    for _ in range(_MOST_PLACED + 1):
        found = [story for whip in whips if (story := whip.go_on()) is not None]
        whips = [whip for whip in whips if whip.is_open]
        if found or not whips:
            return found
    return []


def _whip(around: Around, candidate: int) -> _Whip:
    """Return the search for whips that refute a candidate known to fail when supposed."""
    position = around.position
    # Only truths that the supposition leaves at most one member can be part of a whip.
    left = position.left & ~around.nets.off_under(candidate)
    narrow = []
    for truth in position.open_truths:
        rest = truth.members & left
        if not rest & (rest - 1):
            narrow.append(truth)
    return _Whip(candidate, narrow, position.left, position.board.links)


def _find(around: Around) -> Finding | None:
    """Return the shortest whip; ties go to the one whose truths make most exclusions by whips."""
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
    """Yield a shortest whip for each candidate that, when supposed, soon fails."""
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
