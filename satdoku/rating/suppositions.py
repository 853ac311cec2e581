"""Suppositions that are followed as far as they go, where what they exclude counts at once.

Sudoku Explainer calls them dynamic chains, and Nishio where they stay within one digit.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.rating.implications import Best, Graph, settled
from satdoku.rating.sheet import Move, Sheet
from satdoku.solving.limits import Budget

_NISHIO, _DYNAMIC = 7.5, 8.5


class _Contradiction(NamedTuple):
    """A candidate that would hold and not hold; one of the two nodes is not yet among the others.

    That one follows from the `last` nodes, the other is `known`.
    """

    known: int
    last: Sequence[int]


class _Followed:
    """What a node leads to where everything counts that is excluded by then.

    `behind` has for each node those that it follows from. It ends at the first contradiction.
    """

    def __init__(self, graph: Graph, start: int, has_cells: bool) -> None:
        self.behind: dict[int, Sequence[int]] = {start: ()}
        self.contradiction: _Contradiction | None = None
        self._graph = graph
        self._has_cells = has_cells
        self._gone: set[int] = set()
        holding, others = (deque((start,)) if start & 1 == bit else deque() for bit in (1, 0))
        while self.contradiction is None and (holding or others):
            if holding:
                self._exclude(holding.popleft(), others)
            else:
                self._place(others.popleft(), holding)

    def count(self, nodes: Sequence[int]) -> int:
        """How many nodes some nodes follow from, these among them."""
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += self.behind[node]
        return len(seen)

    def count_contradiction(self) -> int:
        """How many nodes both sides of the contradiction have."""
        assert self.contradiction is not None
        return self.count((self.contradiction.known,)) + self.count(self.contradiction.last) + 1

    def _exclude(self, node: int, others: deque[int]) -> None:
        beside = self._graph.in_cell[node >> 1] if self._has_cells else []
        for other in beside + self._graph.seen_from[node >> 1]:
            self._reach(2 * other, (node,), others)

    def _place(self, node: int, holding: deque[int]) -> None:
        candidate = node >> 1
        for truth in self._truths_of(candidate):
            left = [c for c in truth if c not in self._gone and c != candidate]
            if len(left) == 1:
                behind = (node, *(2 * c for c in truth if c in self._gone))
                self._reach(2 * left[0] + 1, behind, holding)
        self._gone.add(candidate)

    def _truths_of(self, candidate: int) -> list[list[int]]:
        return self._graph.truths_of[candidate][0 if self._has_cells else 1 :]

    def _reach(self, node: int, behind: Sequence[int], waiting: deque[int]) -> None:
        if self.contradiction is not None or node in self.behind or node >> 1 in self._gone:
            return
        if node ^ 1 in self.behind:
            self.contradiction = _Contradiction(node ^ 1, behind)
            return
        self.behind[node] = behind
        waiting.append(node)


def nishio(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Suppositions that fail within one digit."""
    graph = Graph(sheet)
    best = Best()
    for candidate in budget.watch(graph.candidates):
        for start in (2 * candidate + 1, 2 * candidate):
            followed = _Followed(graph, start, False)
            if followed.contradiction is not None:
                best.note(followed.count_contradiction(), settled(start ^ 1))
    yield from best.moves(_NISHIO)


def dynamic_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Suppositions that fail, and what follows from all of several that are all there are."""
    graph = Graph(sheet)
    best = Best()
    followed = {}
    for candidate in budget.watch(graph.candidates):
        for start in (2 * candidate + 1, 2 * candidate):
            followed[start] = found = _Followed(graph, start, True)
            if found.contradiction is not None:
                best.note(found.count_contradiction(), settled(start ^ 1))
    for starts in _all_there_are(graph):
        branches = [followed[start] for start in starts]
        for node in set.intersection(*(set(branch.behind) for branch in branches)):
            nodes = 0
            for branch in branches:
                nodes += branch.count((node,))
                if not best.is_beaten_by(nodes):
                    break
            else:
                best.note(nodes, settled(node))
    yield from best.moves(_DYNAMIC)


def _all_there_are(graph: Graph) -> Iterator[Sequence[int]]:
    """Nodes of which one is true: of a cell, of a digit in a unit, or a node and its opposite."""
    for truth in graph.in_cells + graph.in_units:
        if len(truth) > 1:
            yield [2 * candidate + 1 for candidate in truth]
    for candidate, beside in graph.in_cell.items():
        if len(beside) > 1:
            yield 2 * candidate + 1, 2 * candidate
