"""Where chains lead: to the opposite of their beginning, back to it, or several to the same.

A *node* says of a candidate that it holds (odd) or that it does not (even). Chains are followed
layer by layer from all nodes, so the shortest are found. A technique has a number, to which is
added by how many nodes an argument has.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from satdoku.puzzle.constraints import digits_of
from satdoku.rating.sheet import CELLS, PEERS, UNITS, UNITS_OF, Move, Sheet
from satdoku.solving.limits import Budget

# What the program gives to its shortest chains of each kind, before it adds for length.
_CYCLE_IN_CELLS, _CHAIN_OF_DIGIT, _CHAIN = 6.5, 6.6, 7.0
_MULTIPLE = 8.0

_Arrows = dict[int, list[int]]


def added_for(nodes: int) -> float:
    """What long arguments add: 0.1 each for more than 6, 8, 10, 14, 18, 26, 34, ... nodes.

    Without two of the nodes the bounds are 4, 6, 8, 12, 16, ..., by a half and by a third in turn.
    """
    added, bound, is_third = 0.0, 4, False
    while nodes - 2 > bound:
        added += 0.1
        bound = bound * 4 // 3 if is_third else bound * 3 // 2
        is_third = not is_third
    return added


class Best:
    """The shortest argument so far, and what it settles."""

    def __init__(self) -> None:
        self.nodes = 0
        self.settles = Move(0)

    def is_beaten_by(self, nodes: int) -> bool:
        return not self.nodes or nodes < self.nodes

    def note(self, nodes: int, settles: Move) -> None:
        if self.is_beaten_by(nodes):
            self.nodes, self.settles = nodes, settles

    def moves(self, number: float) -> Iterator[Move]:
        if self.nodes:
            yield self.settles._replace(number=number + added_for(self.nodes))


def settled(node: int) -> Move:
    """What is known when a node is."""
    digit, cell = divmod(node >> 1, CELLS)
    return Move(0, places=(cell, digit)) if node & 1 else Move(0, 1 << (node >> 1))


class Graph:
    """The candidates of a sheet and their truths: cells, and digits in units."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.candidates = [
            CELLS * digit + cell
            for digit, cells in enumerate(sheet.places)
            for cell in digits_of(cells)
        ]
        self.in_cell = {
            c: [
                CELLS * d + c % CELLS for d in digits_of(sheet.digits[c % CELLS]) if d != c // CELLS
            ]
            for c in self.candidates
        }
        self.seen_from = {c: self._others(c, UNITS_OF[c % CELLS]) for c in self.candidates}

    def _others(self, candidate: int, units: Sequence[int]) -> list[int]:
        """The other places of a digit in some units of its cell, unit by unit."""
        digit, cell = divmod(candidate, CELLS)
        found: dict[int, None] = {}
        for unit in units:
            places = self.sheet.places[digit] & UNITS[unit] & ~(1 << cell)
            found |= dict.fromkeys(CELLS * digit + place for place in digits_of(places))
        return list(found)

    @cached_property
    def in_cells(self) -> list[list[int]]:
        """The candidates of each cell."""
        listed = enumerate(self.sheet.digits)
        return [[CELLS * d + cell for d in digits_of(digits)] for cell, digits in listed if digits]

    @cached_property
    def in_units(self) -> list[list[int]]:
        """The candidates of each digit in each unit."""
        return [
            [CELLS * digit + cell for cell in digits_of(cells & unit)]
            for digit, cells in enumerate(self.sheet.places)
            for unit in UNITS
            if cells & unit
        ]

    @cached_property
    def truths_of(self) -> dict[int, list[list[int]]]:
        """The truths of each candidate: its cell, then its digit in each of its units."""
        found: dict[int, list[list[int]]] = {c: [] for c in self.candidates}
        for truth in self.in_cells + self.in_units:
            for candidate in truth:
                found[candidate].append(truth)
        return found

    def arrows(self, through_cells: bool, through_units: bool) -> _Arrows:
        """What each node leads to; a node that does not hold, through cells or units or both."""
        arrows: _Arrows = {}
        # Nodes are numbers, twice the candidate and one more where it holds, so that the opposite
        # of a node is one bit away.
        for candidate in self.candidates:
            off = self.seen_from[candidate]
            on: set[int] = set()
            if through_cells:
                beside = self.in_cell[candidate]
                off = beside + off
                on.update(beside if len(beside) == 1 else ())
            for unit in UNITS_OF[candidate % CELLS] if through_units else ():
                others = self._others(candidate, (unit,))
                on.update(others if len(others) == 1 else ())
            arrows[2 * candidate + 1] = [2 * other for other in off]
            arrows[2 * candidate] = [2 * other + 1 for other in on]
        return arrows

    def excluded_by(self, candidate: int) -> int:
        """What a candidate excludes, as in a move."""
        digit, cell = divmod(candidate, CELLS)
        same = self.sheet.candidates(1 << digit, PEERS[cell])
        return same | sum(1 << other for other in self.in_cell[candidate])


def forcing_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Chains from a node to its opposite, and cycles; through cells of two, one digit, or both."""
    graph = Graph(sheet)
    both = graph.arrows(True, True)
    # A cycle through cells alone can only begin in a cell with two digits.
    pairs = [c for c in graph.candidates if len(graph.in_cell[c]) == 1]
    yield from _cycles(graph, pairs, graph.arrows(True, False), _CYCLE_IN_CELLS)
    yield from _cycles(graph, budget.watch(graph.candidates), both, _CHAIN)
    for number, arrows in ((_CHAIN_OF_DIGIT, graph.arrows(False, True)), (_CHAIN, both)):
        best = Best()
        for start in budget.watch(list(arrows)):
            nodes = _to_opposite(start, arrows, best)
            if nodes:
                best.note(nodes, settled(start ^ 1))
        yield from best.moves(number)


def _to_opposite(start: int, arrows: _Arrows, best: Best) -> int:
    """How many nodes the shortest chain from a node to its opposite has, if that is the best."""
    seen = {start}
    layer = [start]
    nodes = 1
    # Longer chains than the best one so far settle nothing earlier, so they are not followed.
    while layer and best.is_beaten_by(nodes + 1):
        nodes += 1
        reached = dict.fromkeys(after for node in layer for after in arrows[node])
        if start ^ 1 in reached:
            return nodes
        layer = [node for node in reached if node not in seen]
        seen.update(layer)
    return 0


def _cycles(graph: Graph, starts: Iterable[int], arrows: _Arrows, number: float) -> Iterator[Move]:
    best = Best()
    for candidate in starts:
        for trail in _closed_trails(2 * candidate + 1, arrows):
            if not best.is_beaten_by(len(trail)):
                break
            gone = _gone_by(graph, trail)
            if gone:
                best.note(len(trail), Move(0, gone))
    yield from best.moves(number)


def _closed_trails(start: int, arrows: _Arrows) -> Iterator[list[int]]:
    """Ways from a candidate that holds to itself, the shortest first, as a list of nodes."""
    came: dict[int, tuple[int, int]] = {}
    layer = [start]
    while layer:
        further = []
        for node in layer:
            for off in arrows[node]:
                for on in arrows[off]:
                    if on == start and node != start:
                        yield _trail(node, off, came)
                    elif on not in came and on != start:
                        came[on] = node, off
                        further.append(on)
        layer = further


def _trail(node: int, off: int, came: dict[int, tuple[int, int]]) -> list[int]:
    trail = [off, node]
    while node in came:
        node, off = came[node]
        trail += [off, node]
    return trail


def _gone_by(graph: Graph, trail: Sequence[int]) -> int:
    """What the two candidates of a weak link both exclude; a cycle meets no candidate twice."""
    inside = {node >> 1 for node in trail}
    # Such a way would use a candidate as holding and as not holding.
    if len(inside) < len(trail):
        return 0
    gone = 0
    for off, on in zip(trail[::2], trail[1::2], strict=True):
        gone |= graph.excluded_by(off >> 1) & graph.excluded_by(on >> 1)
    return gone & ~sum(1 << candidate for candidate in inside)


def multiple_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """What chains lead to from each candidate of a cell, or each place of a digit in a unit."""
    graph = Graph(sheet)
    arrows = graph.arrows(True, True)
    depths = {c: _depths(2 * c + 1, arrows) for c in budget.watch(graph.candidates)}
    best = Best()
    for truth in graph.in_cells + graph.in_units:
        # Sukaku Explainer begins in cells with three digits, with the first place of a digit.
        if len(truth) > 1 and len(graph.in_cell[truth[0]]) > 1:
            for node in set.intersection(*(set(depths[c]) for c in truth)):
                best.note(sum(depths[c][node] for c in truth), settled(node))
    yield from best.moves(_MULTIPLE)


def _depths(start: int, arrows: _Arrows) -> dict[int, int]:
    """The nodes that `start` leads to, each with how many nodes the shortest chain to it has."""
    depths = {start: 1}
    waiting = deque((start,))
    while waiting:
        node = waiting.popleft()
        for reached in arrows[node]:
            if reached not in depths:
                depths[reached] = depths[node] + 1
                waiting.append(reached)
    return depths
