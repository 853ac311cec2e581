"""What the program Sudoku Explainer would say of a puzzle, estimated.

Setters quote its three numbers: ER, the hardest step of its way; EP, the hardest one until the
first digit is placed; ED, the first one. They follow from which techniques it knows, what number
it gives to each, and that it always takes the easiest step next. Here is a way of our own over the
same techniques. Where several steps are equally easy the two may take different ones, and a few of
its techniques are left out; docs/rating.md says how far the numbers differ. The numbers are those
of its successor Sukaku Explainer, by which public collections are rated.

`explaining/` goes a way too, for any rules, of steps that people are told. Its chains grow by the
truths that they rest on; the program counts nodes, so steps found there would get other numbers.

The hardest steps are suppositions that are followed as far as they go, where what they exclude
counts at once. The program calls them dynamic chains, and Nishio where they stay within one digit.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.implications import Best, Graph, forcing_chains, multiple_chains, settled
from satdoku.rating.sheet import (
    ALL_CELLS,
    PEERS,
    Move,
    Sheet,
    direct_locked,
    fish,
    hidden_sets,
    hidden_singles,
    locked,
    naked_sets,
    naked_singles,
    strong_links,
)
from satdoku.rating.wings_and_loops import loops, two_everywhere, wings
from satdoku.solving.limits import Budget


class Estimate(NamedTuple):
    """ER, EP and ED; each is None where it takes harder steps than are known here."""

    er: float | None
    ep: float | None
    ed: float | None


def _searches(budget: Budget) -> Iterator[Callable[[Sheet], Iterator[Move]]]:
    """The techniques in the order in which they are tried: by the lowest number that each gives.

    Aligned pairs and triples (6.2 and 7.5) are not among them, since few puzzles need them; nor is
    what comes after dynamic chains.
    """
    yield from _EASIER
    yield partial(forcing_chains, budget=budget)
    yield partial(wings, size=7)
    yield partial(nishio, budget=budget)
    yield partial(multiple_chains, budget=budget)
    yield partial(dynamic_chains, budget=budget)


_EASIER: tuple[Callable[[Sheet], Iterator[Move]], ...] = (
    hidden_singles,
    direct_locked,
    partial(hidden_sets, size=2, number=2.0, is_direct=True),
    naked_singles,
    partial(hidden_sets, size=3, number=2.5, is_direct=True),
    locked,
    partial(naked_sets, size=2, number=3.0),
    partial(fish, size=2, number=3.2),
    partial(hidden_sets, size=2, number=3.4),
    partial(naked_sets, size=3, number=3.6),
    partial(fish, size=3, number=3.8),
    partial(hidden_sets, size=3, number=4.0),
    partial(strong_links, count=2),
    partial(wings, size=3),
    loops,
    partial(naked_sets, size=4, number=5.0),
    partial(fish, size=4, number=5.2),
    partial(hidden_sets, size=4, number=5.4),
    partial(strong_links, count=3),
    partial(wings, size=4),
    two_everywhere,
    partial(strong_links, count=4),
    partial(wings, size=5),
    partial(wings, size=6),
)


def estimate(puzzle: Puzzle, budget: Budget | None = None) -> Estimate:
    """The estimate of a classic 9x9 puzzle that has exactly one solution."""
    if not puzzle.is_classic or puzzle.geometry.cell_count != len(PEERS):
        raise SatdokuError("Sudoku Explainer is estimated for classic 9x9 puzzles only")
    sheet = _begin(puzzle.grid)
    budget = budget or Budget()
    hardest = 0.0
    first = until_placed = None
    while any(sheet.places):
        move = _next(sheet, budget)
        if move is None:
            return Estimate(None, until_placed, first)
        hardest = max(hardest, round(move.number, 1))
        first = first or hardest
        if move.places is not None:
            until_placed = until_placed or hardest
        sheet = sheet.after(move)
    return Estimate(hardest, until_placed, first)


def _next(sheet: Sheet, budget: Budget) -> Move | None:
    """The easiest move, by the first technique that leads on."""
    for search in _searches(budget):
        budget.require()
        found = min(search(sheet), key=lambda move: move.number, default=None)
        if found is not None:
            return found
    return None


def _begin(grid: Grid) -> Sheet:
    """The sheet of what the givens leave open."""
    # A filled cell has no candidate on a sheet, not even its own digit.
    empty = sum(1 << cell for cell, digit in enumerate(grid.digits) if digit == EMPTY)
    places = [empty & ALL_CELLS] * 9
    for cell, digit in enumerate(grid.digits):
        if digit != EMPTY:
            places[digit - 1] &= ~PEERS[cell]
    return Sheet(places)


# What the program gives to the shortest ones, before it adds for the number of nodes.
_NISHIO, _DYNAMIC = 7.5, 8.5


class _Contradiction(NamedTuple):
    """A candidate that would both hold and not hold.

    One of the two nodes, `known`, was reached before; the other follows from the `last` nodes.
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
            # What holds is followed before what does not: how many nodes count depends on that.
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
                # A longer argument is never told, so there is no need to count on.
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
