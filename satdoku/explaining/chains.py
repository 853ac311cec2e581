"""Chains: if one candidate does not hold, another one must; what both exclude is excluded.

A truth with two members left is a strong link: where one does not hold, the other does. A chain
goes from a candidate that is supposed not to hold over strong links, each reached candidate
excluding the first one of the next link. So one of its two ends holds, whichever it is.

    r1c1 is not 5 -> r1c7 is 5 (row 1) -> r4c7 is not 5 -> r4c2 is 5 (row 4)
    so r1c1 or r4c2 is 5, and r6c1, which both exclude, is not
"""

from satdoku.explaining.bits import Propagation
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.chain_names import name_chain
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Placed


class Chains:
    """The search for chains on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The numbers of the strong links when there was no chain. It takes a new one to make one:
        # there are only ever fewer candidates to exclude.
        self._tried: set[int] = set()

    def find(self) -> Finding | None:
        """The shortest chain that excludes something; of these, one that excludes the most."""
        position = self._position
        left, links = position.left, position.board.links
        strong = [t for t in position.open_truths if (t.members & left).bit_count() == 2]
        joined = self._joined_with_new(strong)
        followed = Propagation((t.members & left for t in joined), position.board.linked_to)
        near = {end: _near(links, links[end] & left) for end in followed.candidates}
        followed.exclude_each()
        while followed.has_news:
            best: tuple[int, int, int] | None = None
            for end in followed.candidates:
                for start in candidates_of(followed.new[end] & near[end]):
                    excluded = links[start] & links[end] & left
                    # Fewest first in the order of tuples, hence the minus.
                    rank = (-excluded.bit_count(), start, end)
                    if best is None or rank < best:
                        best = rank
            if best is not None:
                return _describe(position, joined, best[1], best[2])
            followed.step()
        self._tried = {truth.number for truth in strong}
        return None

    def _joined_with_new(self, strong: list[Truth]) -> list[Truth]:
        """The new strong links and those to which chains lead from them, in the same order."""
        links = self._position.board.links
        joined = {truth.number for truth in strong} - self._tried
        reached = [truth for truth in strong if truth.number in joined]
        rest = [truth for truth in strong if truth.number not in joined]
        while reached and rest:
            near = 0
            for truth in reached:
                near |= truth.members
                for member in candidates_of(truth.members & self._position.left):
                    near |= links[member]
            reached = [truth for truth in rest if truth.members & self._position.left & near]
            joined.update(truth.number for truth in reached)
            rest = [truth for truth in rest if truth.number not in joined]
        return [truth for truth in strong if truth.number in joined]


def _near(links: tuple[int, ...], middle: int) -> int:
    """The candidates that are linked to one of some candidates."""
    near = 0
    for candidate in candidates_of(middle):
        near |= links[candidate]
    return near


def _describe(position: Position, strong: list[Truth], start: int, end: int) -> Finding:
    """The chain from one end to the other, found again by a breadth-first search."""
    board, left = position.board, position.left
    chain = _path(board, left, strong, start, end)
    excluded = tuple(candidates_of(board.links[start] & board.links[end] & left))
    truths = tuple(link.truth for link in chain)
    return Finding(name_chain(board, start, chain), truths, excludes=excluded, chain=chain)


def _path(board: Board, left: int, strong: list[Truth], start: int, end: int) -> tuple[Placed, ...]:
    came_from: dict[int, tuple[int, Placed]] = {}
    seen = 0
    layer = [(0, 1 << start)]
    while layer:
        following = []
        for before, off in layer:
            for truth in strong:
                if truth.members & off:
                    reached = truth.members & left & ~off
                    if reached and not reached & seen:
                        seen |= reached
                        candidate = reached.bit_length() - 1
                        came_from[candidate] = (before, Placed(candidate, truth))
                        following.append((candidate, board.links[candidate] & left))
        layer = [] if end in came_from else following
    chain = []
    place = end
    while place:
        place, link = came_from[place]
        chain.append(link)
    return tuple(reversed(chain))
