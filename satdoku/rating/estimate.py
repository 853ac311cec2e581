"""Estimate the ratings of the program Sudoku Explainer.

Setters quote three numbers of that program: ER, the number of the hardest step of its solution
path; EP, that of the hardest step until the first digit is placed; ED, that of the first step. They
follow from the techniques of the program, the number that it gives to each, and its rule to take
the easiest step next. This module searches its own path with the same techniques. Among equally
easy steps the two may choose differently, and a few techniques are left out; docs/rating.md says
how far the numbers differ. The numbers are those of the successor Sukaku Explainer, by which public
collections are rated.

`explaining/` also searches a path, for any rules, with steps for people. Its chains are measured by
their truths; Sudoku Explainer counts nodes, so steps found there would get other numbers.

The hardest steps are suppositions that are followed as far as possible, where each exclusion takes
effect at once. Sudoku Explainer calls them dynamic chains, or Nishio if they stay within one digit.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import and_, or_
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.lanes.bank import LEFT, find_estimates, is_sample, require_same
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget

# Sheets, and the steps on lines, boxes and single digits
#
# A sheet has the remaining candidates of a board. Each function searches a sheet for one technique
# and yields every move, with the number that Sudoku Explainer gives it. Numbers and bounds that
# look odd are those of the program: an estimate must reproduce its mistakes.

# Sudoku Explainer supports 9x9 only. Masks of cells have a bit for each cell.
_BOARD = Geometry(3, 3)
CELLS = _BOARD.cell_count
ALL_CELLS = (1 << CELLS) - 1
_BOXES, _ROWS, _COLUMNS = (
    [mask_of(unit.cells) for unit in units] for units in (_BOARD.boxes, _BOARD.rows, _BOARD.columns)
)
# The index of a unit in this list, divided by nine, is its kind.
UNITS = [*_BOXES, *_ROWS, *_COLUMNS]
CELLS_OF = [digits_of(unit) for unit in UNITS]
UNITS_OF = [[n for n, unit in enumerate(UNITS) if unit >> cell & 1] for cell in range(CELLS)]
PEERS = [mask_of(_BOARD.peers_of(cell)) for cell in range(CELLS)]
_BOX, _ROW, _COLUMN = range(3)
_CROSSINGS = [
    (box, line, kind)
    for kind, lines in ((_ROW, _ROWS), (_COLUMN, _COLUMNS))
    for box in _BOXES
    for line in lines
    if box & line
]


class Move(NamedTuple):
    """A step with its number: it places a digit in a cell, or excludes candidates.

    `gone` has bit 81 * digit + cell for each excluded candidate; digits count from 0 here.
    """

    number: float
    gone: int = 0
    places: tuple[int, int] | None = None


class Sheet:
    """The remaining candidates of a 9x9 board: the cells of each digit, the digits of each cell."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = list(places)

    @cached_property
    def digits(self) -> list[int]:
        """Return the digits of each cell as a mask; 0 if the cell is filled."""
        found = [0] * CELLS
        for digit, cells in enumerate(self.places):
            for cell in digits_of(cells):
                found[cell] |= 1 << digit
        return found

    @cached_property
    def empty(self) -> int:
        """Return the cells that are not filled."""
        return reduce(or_, self.places)

    @cached_property
    def pairs(self) -> list[int]:
        """Return the cells that have exactly two digits."""
        return [cell for cell, digits in enumerate(self.digits) if digits.bit_count() == 2]

    def after(self, move: Move) -> "Sheet":
        """Return the sheet after a move."""
        places = [
            cells & ~(move.gone >> CELLS * d & ALL_CELLS) for d, cells in enumerate(self.places)
        ]
        if move.places is not None:
            cell, digit = move.places
            places = [cells & ~(1 << cell) for cells in places]
            places[digit] &= ~PEERS[cell]
        return Sheet(places)

    def candidates(self, digits: int, cells: int) -> int:
        """Return the candidates of these digits in these cells, as a mask like `Move.gone`."""
        found = 0
        for digit in digits_of(digits):
            found |= (self.places[digit] & cells) << CELLS * digit
        return found


def seen_by_all(cells: int) -> int:
    """Return the cells that see all of these cells."""
    return reduce(and_, [PEERS[cell] for cell in digits_of(cells)], ALL_CELLS)


def hidden_singles(sheet: Sheet) -> Iterator[Move]:
    """Yield the last cell of a unit (1.0), then a digit's last place in a box (1.2) or line."""
    # The first of equally easy moves is taken, so their order here affects the estimate.
    for unit in UNITS:
        last = unit & sheet.empty
        if last and not last & (last - 1):
            cell = last.bit_length() - 1
            yield Move(1.0, places=(cell, sheet.digits[cell].bit_length() - 1))
    for number, unit in enumerate(UNITS):
        for digit, cells in enumerate(sheet.places):
            last = cells & unit
            if last and not last & (last - 1):
                is_box = number // 9 == _BOX
                yield Move(1.2 if is_box else 1.5, places=(last.bit_length() - 1, digit))


def naked_singles(sheet: Sheet) -> Iterator[Move]:
    for cell, digits in enumerate(sheet.digits):
        if digits and not digits & (digits - 1):
            yield Move(2.3, places=(cell, digits.bit_length() - 1))


def _locked(sheet: Sheet, is_pointing: bool) -> Iterator[tuple[int, int, int]]:
    """Yield digits whose places in a box lie in one line, or vice versa, with the exclusions.

    The last number is the kind of the unit that has all the places.
    """
    for digit, cells in enumerate(sheet.places):
        for box, line, kind in _CROSSINGS:
            one, other = (box, line) if is_pointing else (line, box)
            if cells & box & line and not cells & one & ~other and cells & other & ~one:
                yield digit, cells & other & ~one, _BOX if is_pointing else kind


def locked(sheet: Sheet) -> Iterator[Move]:
    for number, is_pointing in ((2.6, True), (2.8, False)):
        for digit, gone, _ in _locked(sheet, is_pointing):
            yield Move(number, gone << CELLS * digit)


def direct_locked(sheet: Sheet) -> Iterator[Move]:
    """Yield locked candidates that leave the digit a single place in another unit.

    That unit is of the same kind as the unit with all the places, such as another box.
    """
    for number, is_pointing in ((1.7, True), (1.9, False)):
        for digit, gone, kind in _locked(sheet, is_pointing):
            for unit in UNITS[9 * kind : 9 * kind + 9]:
                left = sheet.places[digit] & unit & ~gone
                if gone & unit and left and not left & (left - 1):
                    yield Move(number, places=(left.bit_length() - 1, digit))


def _coverings(
    rows: Sequence[int], size: int, fewest: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield choices of `size` rows whose bits lie in as many columns, with these columns.

    None if fewer than `fewest` rows have any bits. In a unit, the other rows and columns then form
    a set of the other kind that is no larger and was tried before; and a fish would exclude
    nothing.
    """
    # A row with more than `size` bits is in no choice. These rows are dropped first, since the
    # number of choices grows fast with the number of rows.
    narrow = [number for number, row in enumerate(rows) if 0 < row.bit_count() <= size]
    if sum(1 for row in rows if row) < fewest:
        return
    for chosen in combinations(narrow, size):
        union = 0
        for number in chosen:
            union |= rows[number]
        if union.bit_count() == size:
            yield chosen, union


def naked_sets(sheet: Sheet, size: int, number: float) -> Iterator[Move]:
    """Yield naked sets: `size` cells of a unit that together have only `size` digits."""
    for unit, listed in zip(UNITS, CELLS_OF, strict=True):
        for chosen, digits in _coverings([sheet.digits[cell] for cell in listed], size, 2 * size):
            others = unit & ~sum(1 << listed[place] for place in chosen)
            if gone := sheet.candidates(digits, others):
                yield Move(number, gone)


def hidden_sets(sheet: Sheet, size: int, number: float, is_direct: bool = False) -> Iterator[Move]:
    """Yield hidden sets; direct ones leave another digit only one place in the unit."""
    # With few open digits, the remaining cells form a naked set that was found before; but direct
    # hidden sets are tried before all naked sets.
    fewest = size + 1 if is_direct else 2 * size + 1
    for unit in UNITS:
        for chosen, cells in _coverings([cells & unit for cells in sheet.places], size, fewest):
            others = 0b111111111 & ~sum(1 << digit for digit in chosen)
            gone = sheet.candidates(others, cells)
            if gone and not is_direct:
                yield Move(number, gone)
            for digit in digits_of(others) if gone and is_direct else ():
                left = sheet.places[digit] & unit & ~cells
                if left and not left & (left - 1):
                    yield Move(number, places=(left.bit_length() - 1, digit))


def fish(sheet: Sheet, size: int, number: float) -> Iterator[Move]:
    """Yield X-wings and larger fish.

    If `size` rows have a digit only in `size` columns, the digit is excluded elsewhere in these
    columns; and the same with rows and columns swapped.
    """
    for digit, cells in enumerate(sheet.places):
        by_row = [cells >> 9 * row & 0b111111111 for row in range(9)]
        by_column = [sum(1 << row for row in range(9) if by_row[row] >> c & 1) for c in range(9)]
        for rows, lines, crossing in ((by_row, _ROWS, _COLUMNS), (by_column, _COLUMNS, _ROWS)):
            # If all rows with the digit are chosen, nothing is left to exclude.
            for chosen, covered in _coverings(rows, size, size + 1):
                inside = reduce(or_, [lines[place] for place in chosen])
                over = reduce(or_, [crossing[place] for place in digits_of(covered)])
                if gone := cells & over & ~inside:
                    yield Move(number, gone << CELLS * digit)


class _Link(NamedTuple):
    """A unit in which a digit is in one of two parts; kind 0 is a box, 1 a row, 2 a column."""

    one: int
    other: int
    kind: int


# The lowest number of a chain with so many links; parts of several cells add to it.
_STRONG_LINKS = {2: 4.0, 3: 5.4, 4: 5.8}
_GROUPED = 0.3


def strong_links(sheet: Sheet, count: int) -> Iterator[Move]:
    """Yield chains of `count` strong links of one digit, of which at least one end is true."""
    for digit, cells in enumerate(sheet.places):
        links = list(_links_of(cells))
        following = [
            [n for n, link in enumerate(links) if not link.one & ~seen_by_all(before.other)]
            for before in links
        ]
        for start, link in enumerate(links):
            seen = {start}
            paths: list[tuple[int, ...]] = [(start,)]
            for _ in range(count - 1):
                further = []
                for path in paths:
                    # Only a shortest path to each link is followed from a start: all paths would
                    # take too long.
                    new = [n for n in following[path[-1]] if n not in seen]
                    seen.update(new)
                    further += [(*path, n) for n in new]
                paths = further
            for path in paths:
                end = links[path[-1]].other
                if gone := cells & seen_by_all(link.one) & seen_by_all(end):
                    number = _STRONG_LINKS[count] + _added_for_links([links[n] for n in path])
                    yield Move(number, gone << CELLS * digit)


def _added_for_links(path: Sequence[_Link]) -> float:
    """Return the addition: least for links in units of one kind, most for parts of many cells."""
    # Each digit of the addition stands for one feature, so groups count once, however many there
    # are.
    if any((end & (end - 1)) for link in path for end in (link.one, link.other)):
        return _GROUPED
    return (len({link.kind for link in path}) - 1) / 10


def _links_of(cells: int) -> Iterator[_Link]:
    """Yield the strong links of a digit that has these places, in both directions."""
    for number, unit in enumerate(UNITS):
        here = cells & unit
        kind = number // 9
        for one in _parts(here, kind):
            other = here & ~one
            yield _Link(one, other, kind)
            yield _Link(other, one, kind)


def _parts(here: int, kind: int) -> Iterator[int]:
    """Yield the ways to split the places in a unit into two parts that further cells may see."""
    if here.bit_count() < 2:
        return
    if here.bit_count() == 2:
        yield here & -here
        return
    across = _BOXES if kind else _ROWS
    others = _BOXES if kind else _COLUMNS
    for line in across:
        part, rest = here & line, here & ~line
        if part and rest and any(not rest & ~other for other in others):
            yield part
            # A line is split by its boxes: the split at the second box is the same.
            if kind:
                return


# Chains: from a node to its opposite, back to the node, or from several nodes to one
#
# A *node* says that a candidate is true (odd) or false (even). Chains are followed layer by layer
# (breadth first) from all nodes, so that the shortest are found. A technique has a number, to which
# the number of nodes of the argument adds.

# The number of a shortest chain of each kind, before the addition for length.
_CYCLE_IN_CELLS, _CHAIN_OF_DIGIT, _CHAIN = 6.5, 6.6, 7.0
_MULTIPLE = 8.0

_Arrows = dict[int, list[int]]


def added_for(nodes: int) -> float:
    """Return the addition for length: 0.1 each for more than 6, 8, 10, 14, 18, 26, 34, ... nodes.

    Each of these bounds less two is 4, 6, 8, 12, 16, ..., which grow by a half and a third in turn.
    """
    added, bound, is_third = 0.0, 4, False
    while nodes - 2 > bound:
        added += 0.1
        bound = bound * 4 // 3 if is_third else bound * 3 // 2
        is_third = not is_third
    return added


class Best:
    """The shortest argument so far, with its move."""

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
    """Return the move that follows from a node."""
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
        """Return the other places of a digit in some units of its cell, unit by unit."""
        digit, cell = divmod(candidate, CELLS)
        found: dict[int, None] = {}
        for unit in units:
            places = self.sheet.places[digit] & UNITS[unit] & ~(1 << cell)
            found |= dict.fromkeys(CELLS * digit + place for place in digits_of(places))
        return list(found)

    @cached_property
    def in_cells(self) -> list[list[int]]:
        """Return the candidates of each cell."""
        listed = enumerate(self.sheet.digits)
        return [[CELLS * d + cell for d in digits_of(digits)] for cell, digits in listed if digits]

    @cached_property
    def in_units(self) -> list[list[int]]:
        """Return the candidates of each digit in each unit."""
        return [
            [CELLS * digit + cell for cell in digits_of(cells & unit)]
            for digit, cells in enumerate(self.sheet.places)
            for unit in UNITS
            if cells & unit
        ]

    @cached_property
    def truths_of(self) -> dict[int, list[list[int]]]:
        """Return the truths of each candidate: its cell, then its digit in each of its units."""
        found: dict[int, list[list[int]]] = {c: [] for c in self.candidates}
        for truth in self.in_cells + self.in_units:
            for candidate in truth:
                found[candidate].append(truth)
        return found

    def arrows(self, through_cells: bool, through_units: bool) -> _Arrows:
        """Return the implications of each node; false nodes use cells, units or both."""
        arrows: _Arrows = {}
        # A node is twice the candidate, plus one if it is true, so a node and its opposite differ
        # in one bit.
        for candidate in self.candidates:
            off = self.seen_from[candidate]
            on: dict[int, None] = {}
            if through_cells:
                beside = self.in_cell[candidate]
                off = beside + off
                on |= dict.fromkeys(beside if len(beside) == 1 else ())
            for unit in UNITS_OF[candidate % CELLS] if through_units else ():
                others = self._others(candidate, (unit,))
                on |= dict.fromkeys(others if len(others) == 1 else ())
            arrows[2 * candidate + 1] = [2 * other for other in off]
            arrows[2 * candidate] = [2 * other + 1 for other in on]
        return arrows

    def excluded_by(self, candidate: int) -> int:
        """Return the candidates that a candidate excludes, as a mask like `Move.gone`."""
        digit, cell = divmod(candidate, CELLS)
        same = self.sheet.candidates(1 << digit, PEERS[cell])
        return same | sum(1 << other for other in self.in_cell[candidate])


def forcing_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Yield chains from a node to its opposite, and cycles.

    They pass through cells of two digits, through units with two places of a digit, or both.
    """
    graph = Graph(sheet)
    both = graph.arrows(True, True)
    # A cycle through cells alone can start only in a cell with two digits.
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
    """Return the length in nodes of the shortest chain to the opposite, if it is the best yet."""
    seen = {start}
    layer = [start]
    nodes = 1
    # Chains longer than the best so far are not followed, as they would not be chosen.
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
    """Yield paths from a true candidate back to itself, shortest first, as lists of nodes."""
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
    """Return the candidates that both ends of a weak link exclude; 0 if the trail meets itself."""
    inside = {node >> 1 for node in trail}
    # A path that meets a candidate twice would use it both as true and as false.
    if len(inside) < len(trail):
        return 0
    gone = 0
    for off, on in zip(trail[::2], trail[1::2], strict=True):
        gone |= graph.excluded_by(off >> 1) & graph.excluded_by(on >> 1)
    return gone & ~sum(1 << candidate for candidate in inside)


def multiple_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Yield common conclusions of chains from all candidates of a cell or places of a digit."""
    graph = Graph(sheet)
    arrows = graph.arrows(True, True)
    depths = {c: _depths(2 * c + 1, arrows) for c in budget.watch(graph.candidates)}
    best = Best()
    for truth in graph.in_cells + graph.in_units:
        # Sukaku Explainer starts in cells with three digits, from the first place of a digit.
        if len(truth) > 1 and len(graph.in_cell[truth[0]]) > 1:
            for node in sorted(set.intersection(*(set(depths[c]) for c in truth))):
                best.note(sum(depths[c][node] for c in truth), settled(node))
    yield from best.moves(_MULTIPLE)


def _depths(start: int, arrows: _Arrows) -> dict[int, int]:
    """Return the nodes that `start` implies, each with the length of the shortest chain to it."""
    depths = {start: 1}
    waiting = deque((start,))
    while waiting:
        node = waiting.popleft()
        for reached in arrows[node]:
            if reached not in depths:
                depths[reached] = depths[node] + 1
                waiting.append(reached)
    return depths


# Wings, and uniqueness: loops and boards with two digits in every cell
#
# A wing is a set of cells of a unit with one digit more than cells, and a cell with two of the
# digits.

# Numbers by how many cells a wing has. For four and five cells these are the lowest: 0.1 is added
# for each digit that the largest cell is nearer to having three. XY-wings (4.2) are three cells of
# two digits each.
_WINGS = {3: 4.4, 4: 5.5, 5: 6.2, 6: 6.6, 7: 7.5}


def wings(sheet: Sheet, size: int) -> Iterator[Move]:
    """Yield wings: cells of a unit with one digit more than cells, and a cell with two of the
    digits.

    If the cell sees all places of one of its digits in the set, its other digit is in the cell or
    in the set.
    """
    for cells, digits, most in _almost_locked(sheet, size - 1):
        number = _WINGS[size]
        if size == 3 and most == 2:
            number = 4.2
        elif size in (4, 5):
            number += (size - 3 - abs(3 - most)) / 10
        for pair in sheet.pairs:
            if not sheet.digits[pair] & ~digits and not cells >> pair & 1:
                for gone in _gone_by_wing(sheet, pair, cells, digits):
                    yield Move(number, gone)


def _gone_by_wing(sheet: Sheet, pair: int, cells: int, digits: int) -> Iterator[int]:
    """Yield exclusions by `pair`, a cell with two digits, and `cells`, an almost locked set."""
    here = [sheet.places[digit] & cells for digit in range(9)]
    shared = [d for d in digits_of(sheet.digits[pair]) if not here[d] & ~PEERS[pair]]
    gone = 0
    if len(shared) == 2:
        # Whichever of the two digits `pair` holds, the cells of the set hold the other one and all
        # their further digits.
        for digit in digits_of(digits & ~sheet.digits[pair]):
            gone |= sheet.candidates(1 << digit, seen_by_all(here[digit]) & ~cells)
    for outer in digits_of(sheet.digits[pair]):
        if any(digit != outer for digit in shared):
            ends = seen_by_all(here[outer]) & PEERS[pair] & ~cells
            gone |= sheet.candidates(1 << outer, ends)
    if gone:
        yield gone


def _almost_locked(sheet: Sheet, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield cells of a unit, their digits, and the number of digits of the largest cell."""
    seen = set()
    for listed in CELLS_OF:
        narrow = [c for c in listed if 1 < sheet.digits[c].bit_count() <= size + 1]
        for chosen in combinations(narrow, size):
            digits = reduce(or_, [sheet.digits[cell] for cell in chosen])
            cells = sum(1 << cell for cell in chosen)
            if digits.bit_count() == size + 1 and cells not in seen:
                seen.add(cells)
                yield cells, digits, max(sheet.digits[cell].bit_count() for cell in chosen)


# The number of a loop of four cells; the additions by number of cells, and for still longer loops.
_LOOP, _LONGER, _LONGEST = 4.5, {4: 0.0, 6: 0.1, 8: 0.2}, 0.5
# "Bivalue universal graves": all cells have two digits, except for extra candidates.
_BUG = 5.6
# Most cells of a loop; longer loops are very rare, and the number of paths grows fast.
_MOST_CELLS = 10


def loops(sheet: Sheet) -> Iterator[Move]:
    """Yield loops of cells that have the same two digits, where one or two have further digits."""
    seen = set()
    for start in sheet.pairs:
        pair = sheet.digits[start]
        for loop in _loops_through(sheet, start, pair):
            cells = sum(1 << cell for cell in loop)
            if cells not in seen:
                seen.add(cells)
                longer = _LONGER.get(len(loop), _LONGEST)
                wide = [cell for cell in loop if sheet.digits[cell] != pair]
                yield from _broken(sheet, pair, wide, _LOOP + longer)


def _loops_through(sheet: Sheet, start: int, pair: int) -> Iterator[tuple[int, ...]]:
    """Yield closed paths over cells with both digits, where no unit has two neighbours twice."""
    able = reduce(and_, [sheet.places[digit] for digit in digits_of(pair)])
    # Each entry: the cells so far, the units with two of them, and the extra digits of wide cells.
    waiting: list[tuple[tuple[int, ...], int, int]] = [((start,), 0, 0)]
    while waiting:
        path, used, extra = waiting.pop()
        last = path[-1]
        for unit in UNITS_OF[last]:
            if used >> unit & 1:
                continue
            if len(path) > 3 and UNITS[unit] >> start & 1 and _is_even(path):
                yield path
            for cell in (
                digits_of(able & UNITS[unit] & PEERS[last]) if len(path) < _MOST_CELLS else ()
            ):
                more = sheet.digits[cell] & ~pair
                wide = sum(1 for c in (*path, cell) if sheet.digits[c] != pair)
                is_few = wide <= 2 or (extra | more).bit_count() == 1
                if cell not in path and is_few:
                    waiting.append(((*path, cell), used | 1 << unit, extra | more))


def _is_even(path: tuple[int, ...]) -> bool:
    """Whether each unit has either none of the cells, or one of each alternating half."""
    halves = [sum(1 << cell for cell in path[half::2]) for half in (0, 1)]
    return all((u & halves[0]).bit_count() == (u & halves[1]).bit_count() <= 1 for u in UNITS)


def _broken(sheet: Sheet, pair: int, wide: list[int], number: float) -> Iterator[Move]:
    """Yield what follows because some wide cell must hold a digit other than the two."""
    cells = sum(1 << cell for cell in wide)
    extra = reduce(or_, [sheet.digits[cell] & ~pair for cell in wide], 0)
    if len(wide) == 1:
        yield from _move(number, sheet.candidates(pair, cells))
    elif extra.bit_count() == 1:
        yield from _move(number, sheet.candidates(extra, seen_by_all(cells)))
    elif len(wide) == 2:
        yield from _locked_in(sheet, pair, cells, number)
        for size, gone in _joined(sheet, cells, extra):
            yield from _move(number + (size - 1) / 10, gone)


def _locked_in(sheet: Sheet, pair: int, cells: int, number: float) -> Iterator[Move]:
    """Yield exclusions if one digit has no other place in a unit: the cells then lose the other
    digit.
    """
    for unit in UNITS:
        if cells & ~unit:
            continue
        for digit in digits_of(pair):
            if not sheet.places[digit] & unit & ~cells:
                yield from _move(number, sheet.candidates(pair & ~(1 << digit), cells))


def _joined(sheet: Sheet, cells: int, extra: int) -> Iterator[tuple[int, int]]:
    """Yield naked sets of further cells and of `cells`, which as one cell hold one of the `extra`
    digits.
    """
    for unit in UNITS:
        if cells & ~unit:
            continue
        others = [c for c in digits_of(unit & ~cells) if sheet.digits[c]]
        for size in range(2, 5):
            for chosen in combinations(others, size - 1):
                digits = reduce(or_, [sheet.digits[cell] for cell in chosen], extra)
                if digits.bit_count() == size:
                    left = unit & ~cells & ~sum(1 << cell for cell in chosen)
                    yield size, sheet.candidates(digits, left)


def _move(number: float, gone: int) -> Iterator[Move]:
    if gone:
        yield Move(number, gone)


def two_everywhere(sheet: Sheet) -> Iterator[Move]:
    """Yield moves if all cells have two digits and all digits two places, except for extras."""
    wide = [cell for cell, digits in enumerate(sheet.digits) if digits.bit_count() > 2]
    cells = sum(1 << cell for cell in wide)
    extras = {cell: _extra(sheet, cell, cells) for cell in wide}
    if not wide or not all(extras.values()) or not _is_left(sheet, extras):
        return
    extra = reduce(or_, extras.values())
    if len(wide) == 1:
        yield from _move(_BUG, sheet.candidates(sheet.digits[wide[0]] & ~extra, cells))
        return
    if extra.bit_count() == 1:
        yield from _move(_BUG + 0.1, sheet.candidates(extra, seen_by_all(cells)))
        return
    if len(wide) == 2:
        yield from _locked_in_common(sheet, wide, extras)
    for size, gone in _joined(sheet, cells, extra):
        yield from _move(_BUG + size / 10, gone)


def _locked_in_common(sheet: Sheet, wide: list[int], extras: dict[int, int]) -> Iterator[Move]:
    """Yield exclusions by a digit that two wide cells share.

    One of the cells holds the digit (not as an extra), so the other holds its extra, and digits
    that are neither are excluded in both.
    """
    cells = sum(1 << cell for cell in wide)
    common = sheet.digits[wide[0]] & sheet.digits[wide[1]] & ~extras[wide[0]] & ~extras[wide[1]]
    for unit in UNITS:
        for digit in digits_of(common) if not cells & ~unit else ():
            gone = 0
            for cell in wide:
                rest = sheet.digits[cell] & ~extras[cell] & ~(1 << digit)
                gone |= sheet.candidates(rest, 1 << cell)
            yield from _move(_BUG + 0.1, gone)


def _extra(sheet: Sheet, cell: int, wide: int) -> int:
    """Return the digits of a cell that have more or fewer than two places in some unit of the cell.

    Units in which another wide cell has the digit too do not count.
    """
    found = 0
    for digit in digits_of(sheet.digits[cell]):
        for number in UNITS_OF[cell]:
            here = sheet.places[digit] & UNITS[number]
            if here.bit_count() != 2 and here & wide == 1 << cell:
                found |= 1 << digit
    return found


def _is_left(sheet: Sheet, extras: dict[int, int]) -> bool:
    """Whether, without the extras, every cell has two digits and every digit none or two places."""
    gone = 0
    for cell, digits in extras.items():
        gone |= sheet.candidates(digits, 1 << cell)
    left = sheet.after(Move(0, gone))
    return all(d.bit_count() in (0, 2) for d in left.digits) and all(
        (cells & unit).bit_count() in (0, 2) for cells in left.places for unit in UNITS
    )


class Estimate(NamedTuple):
    """ER, EP and ED; each is None if it needs harder steps than are supported here."""

    er: float | None
    ep: float | None
    ed: float | None


VERSIONS = ("1.18", "1.2.1")
"""Versions whose ratings can be estimated: Sukaku Explainer, the successor in use, and the Sudoku
Explainer by which the lists of the players' forum are rated.
"""


def _searches(budget: Budget, version: str) -> Iterator[Callable[[Sheet], Iterator[Move]]]:
    """Yield the techniques of a version in the order in which they are tried: by lowest number.

    Version 1.2.1 has no chains of strong links of a digit, and no wings of more than three cells.
    Aligned pairs and triples (6.2 and 7.5) are left out, since few puzzles need them; so are all
    techniques after dynamic chains.
    """
    is_old = version != VERSIONS[0]
    yield from (search for search in _EASIER if not (is_old and search in _OF_SUCCESSOR))
    yield partial(forcing_chains, budget=budget)
    if not is_old:
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


_OF_SUCCESSOR = tuple(
    search
    for search in _EASIER
    if isinstance(search, partial)
    and (search.func is strong_links or (search.func is wings and search.keywords["size"] > 3))
)


def estimate(puzzle: Puzzle, budget: Budget | None = None, version: str = VERSIONS[0]) -> Estimate:
    """Estimate the ratings of a classic 9x9 puzzle that has exactly one solution.

    `version` is one of `VERSIONS`.
    """
    if version not in VERSIONS:
        raise SatdokuError(f"there are estimates for the versions {' and '.join(VERSIONS)}")
    if not puzzle.is_classic or puzzle.geometry.cell_count != len(PEERS):
        raise SatdokuError("Sudoku Explainer is estimated for classic 9x9 puzzles only")
    budget = budget or Budget()
    board = bytes(puzzle.grid.digits)
    budget.require()
    # The library supports the newest version only.
    [found] = estimates_of(board) if version == VERSIONS[0] else [None]
    if found is None:
        return estimate_in_python(board, budget, version)
    budget.require()
    return found


def estimates_of(boards: bytes) -> Iterator[Estimate | None]:
    """Yield the library's estimates of 9x9 boards; some are compared with Python code.

    None for boards that the library leaves to Python: all boards if there is no library.
    """
    found = find_estimates(boards) or bytes([LEFT]) * (len(boards) // CELLS * 3)
    for begin in range(0, len(boards), CELLS):
        numbers = found[begin // CELLS * 3 :][:3]
        if numbers[0] == LEFT:
            yield None
            continue
        own = Estimate(*(tenths / 10 if tenths else None for tenths in numbers))
        board = boards[begin : begin + CELLS]
        if is_sample(board):
            require_same(board, own, estimate_in_python(board, Budget()))
        yield own


def estimate_in_python(
    board: Sequence[int], budget: Budget, version: str = VERSIONS[0]
) -> Estimate:
    """Estimate the ratings of a board, one digit per cell, without the compiled library."""
    sheet = _begin(board)
    hardest = 0.0
    first = until_placed = None
    while any(sheet.places):
        move = _next(sheet, budget, version)
        if move is None:
            return Estimate(None, until_placed, first)
        hardest = max(hardest, round(move.number, 1))
        first = first or hardest
        if move.places is not None:
            until_placed = until_placed or hardest
        sheet = sheet.after(move)
    return Estimate(hardest, until_placed, first)


def _next(sheet: Sheet, budget: Budget, version: str = VERSIONS[0]) -> Move | None:
    """Return the easiest move: the first of the first technique that finds any."""
    for search in _searches(budget, version):
        budget.require()
        found = min(search(sheet), key=lambda move: move.number, default=None)
        if found is not None:
            return found
    return None


def _begin(board: Sequence[int]) -> Sheet:
    """Return the sheet of the candidates that the givens leave open."""
    # A filled cell has no candidate on a sheet, not even its own digit.
    empty = sum(1 << cell for cell, digit in enumerate(board) if digit == EMPTY)
    places = [empty & ALL_CELLS] * 9
    for cell, digit in enumerate(board):
        if digit != EMPTY:
            places[digit - 1] &= ~PEERS[cell]
    return Sheet(places)


# The numbers of the shortest arguments, before the addition for the number of nodes.
_NISHIO, _DYNAMIC = 7.5, 8.5


class _Contradiction(NamedTuple):
    """A contradiction: a candidate would be both true and false.

    One of its two nodes, `known`, was reached before; the other follows from the nodes `last`.
    """

    known: int
    last: Sequence[int]


class _Followed:
    """The consequences of a node, with all exclusions so far taken into account.

    `behind` has, for each node, the nodes from which it follows. The search ends at the first
    contradiction.
    """

    def __init__(self, graph: Graph, start: int, has_cells: bool) -> None:
        self.behind: dict[int, Sequence[int]] = {start: ()}
        self.contradiction: _Contradiction | None = None
        self._graph = graph
        self._has_cells = has_cells
        self._gone: set[int] = set()
        holding, others = (deque((start,)) if start & 1 == bit else deque() for bit in (1, 0))
        while self.contradiction is None and (holding or others):
            # True nodes are followed before false ones: the number of nodes depends on this order.
            if holding:
                self._exclude(holding.popleft(), others)
            else:
                self._place(others.popleft(), holding)

    def count(self, nodes: Sequence[int]) -> int:
        """Return how many nodes these nodes follow from, themselves included."""
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += self.behind[node]
        return len(seen)

    def count_contradiction(self) -> int:
        """Return how many nodes lead to the contradiction, those of its two sides added up."""
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
    """Yield suppositions that fail, if they stay within one digit."""
    graph = Graph(sheet)
    best = Best()
    for candidate in budget.watch(graph.candidates):
        for start in (2 * candidate + 1, 2 * candidate):
            followed = _Followed(graph, start, False)
            if followed.contradiction is not None:
                best.note(followed.count_contradiction(), settled(start ^ 1))
    yield from best.moves(_NISHIO)


def dynamic_chains(sheet: Sheet, budget: Budget) -> Iterator[Move]:
    """Yield suppositions that fail, and common consequences of nodes of which one is true."""
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
        for node in sorted(set.intersection(*(set(branch.behind) for branch in branches))):
            nodes = 0
            for branch in branches:
                nodes += branch.count((node,))
                # A longer argument would not be chosen, so the count ends.
                if not best.is_beaten_by(nodes):
                    break
            else:
                best.note(nodes, settled(node))
    yield from best.moves(_DYNAMIC)


def _all_there_are(graph: Graph) -> Iterator[Sequence[int]]:
    """Yield sets of nodes of which at least one is true.

    These are the candidates of a cell, the places of a digit in a unit, or a node and its opposite.
    """
    for truth in graph.in_cells + graph.in_units:
        if len(truth) > 1:
            yield [2 * candidate + 1 for candidate in truth]
    for candidate, beside in graph.in_cell.items():
        if len(beside) > 1:
            yield 2 * candidate + 1, 2 * candidate
