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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import and_, or_
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget

# What is left of a board, and the steps of Sudoku Explainer on lines, boxes and single digits.
#
# Each function looks over a sheet for one technique and yields every move that it allows, with the
# number that the program gives it. So where a number or a bound here seems odd, it is that
# program's: an estimate is to go wrong where the program does.

# Sudoku Explainer knows no other board. Masks of cells have a bit for each cell.
_BOARD = Geometry(3, 3)
CELLS = _BOARD.cell_count
ALL_CELLS = (1 << CELLS) - 1
_BOXES, _ROWS, _COLUMNS = (
    [mask_of(unit.cells) for unit in units] for units in (_BOARD.boxes, _BOARD.rows, _BOARD.columns)
)
# A unit's place in this list, divided by nine, is its kind.
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

    `gone` has bit 81 * digit + cell for each of them; digits count from 0 here.
    """

    number: float
    gone: int = 0
    places: tuple[int, int] | None = None


class Sheet:
    """What is left of a 9x9 board: for each digit its cells, and for each cell its digits."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = list(places)

    @cached_property
    def digits(self) -> list[int]:
        """The digits of each cell as a mask; none where the cell is filled."""
        found = [0] * CELLS
        for digit, cells in enumerate(self.places):
            for cell in digits_of(cells):
                found[cell] |= 1 << digit
        return found

    @cached_property
    def empty(self) -> int:
        """The cells that are not filled."""
        return reduce(or_, self.places)

    @cached_property
    def pairs(self) -> list[int]:
        """The cells with two digits."""
        return [cell for cell, digits in enumerate(self.digits) if digits.bit_count() == 2]

    def after(self, move: Move) -> "Sheet":
        """The sheet without what a move takes away."""
        places = [
            cells & ~(move.gone >> CELLS * d & ALL_CELLS) for d, cells in enumerate(self.places)
        ]
        if move.places is not None:
            cell, digit = move.places
            places = [cells & ~(1 << cell) for cells in places]
            places[digit] &= ~PEERS[cell]
        return Sheet(places)

    def candidates(self, digits: int, cells: int) -> int:
        """The candidates of some digits in some cells, as in a move."""
        found = 0
        for digit in digits_of(digits):
            found |= (self.places[digit] & cells) << CELLS * digit
        return found


def seen_by_all(cells: int) -> int:
    """The cells that see each of some cells."""
    return reduce(and_, [PEERS[cell] for cell in digits_of(cells)], ALL_CELLS)


def hidden_singles(sheet: Sheet) -> Iterator[Move]:
    """The last cell of a unit (1.0), then the last place of a digit in a box (1.2), in a line."""
    # Of equally easy moves the first is taken, so the order in which they are found here is part
    # of the estimate.
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
    """Digits whose places in a box lie in one line, or the other way round, and what they lose.

    The last number is the kind of the unit that they lie in.
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
    """Locked candidates that leave their digit a single place in another unit of that kind."""
    for number, is_pointing in ((1.7, True), (1.9, False)):
        for digit, gone, kind in _locked(sheet, is_pointing):
            for unit in UNITS[9 * kind : 9 * kind + 9]:
                left = sheet.places[digit] & unit & ~gone
                if gone & unit and left and not left & (left - 1):
                    yield Move(number, places=(left.bit_length() - 1, digit))


def _coverings(
    rows: Sequence[int], size: int, fewest: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Choices of `size` rows whose bits lie in as many columns: their numbers, and the columns.

    Nothing where fewer than `fewest` rows have any bits. In a unit, the other rows with the other
    columns are then a set of the other kind that is no larger, and was tried before; and of a fish
    nothing would lie outside.
    """
    # A row with more than `size` bits is in no choice. It is left out first, since the number of
    # choices grows fast with the number of rows.
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
    """Cells of a unit that have as many digits together as they are."""
    for unit, listed in zip(UNITS, CELLS_OF, strict=True):
        for chosen, digits in _coverings([sheet.digits[cell] for cell in listed], size, 2 * size):
            others = unit & ~sum(1 << listed[place] for place in chosen)
            if gone := sheet.candidates(digits, others):
                yield Move(number, gone)


def hidden_sets(sheet: Sheet, size: int, number: float, is_direct: bool = False) -> Iterator[Move]:
    """Digits with as many places in a unit; direct ones leave another digit one place there."""
    # With few open digits, a naked set of the other cells has said the same before; but not as
    # direct, for direct hidden sets come before all naked ones.
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
    """X-wings and larger fish: some rows have a digit in as many columns as they are, so that it
    stands nowhere else in these columns; and the same with rows and columns swapped."""
    for digit, cells in enumerate(sheet.places):
        by_row = [cells >> 9 * row & 0b111111111 for row in range(9)]
        by_column = [sum(1 << row for row in range(9) if by_row[row] >> c & 1) for c in range(9)]
        for rows, lines, crossing in ((by_row, _ROWS, _COLUMNS), (by_column, _COLUMNS, _ROWS)):
            # Where all rows with the digit are chosen, no candidate is left outside of them.
            for chosen, covered in _coverings(rows, size, size + 1):
                inside = reduce(or_, [lines[place] for place in chosen])
                over = reduce(or_, [crossing[place] for place in digits_of(covered)])
                if gone := cells & over & ~inside:
                    yield Move(number, gone << CELLS * digit)


class _Link(NamedTuple):
    """A digit in a unit has its place in one of two parts; 0 is a box, 1 a row, 2 a column."""

    one: int
    other: int
    kind: int


# What chains of so many links begin at, and what is added where parts have several cells.
_STRONG_LINKS = {2: 4.0, 3: 5.4, 4: 5.8}
_GROUPED = 0.3


def strong_links(sheet: Sheet, count: int) -> Iterator[Move]:
    """Chains of so many strong links of one digit: one of their two ends holds."""
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
                    # To follow all ways would take too long: from each start, a link is reached on
                    # a shortest one only.
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
    """Links of one kind of lines are the easiest, those with several cells the hardest."""
    # Each digit of the number stands for one thing, so groups count once, however many.
    if any((end & (end - 1)) for link in path for end in (link.one, link.other)):
        return _GROUPED
    return (len({link.kind for link in path}) - 1) / 10


def _links_of(cells: int) -> Iterator[_Link]:
    """The strong links of a digit with these places, both ways."""
    for number, unit in enumerate(UNITS):
        here = cells & unit
        kind = number // 9
        for one in _parts(here, kind):
            other = here & ~one
            yield _Link(one, other, kind)
            yield _Link(other, one, kind)


def _parts(here: int, kind: int) -> Iterator[int]:
    """The ways to part the places in a unit in two that other cells may see."""
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
            # A line is parted by boxes: its other part would be the second box, and part it alike.
            if kind:
                return


# Where chains lead: to the opposite of their beginning, back to it, or several to the same.
#
# A *node* says of a candidate that it holds (odd) or that it does not (even). Chains are followed
# layer by layer from all nodes, so the shortest are found. A technique has a number, to which is
# added by how many nodes an argument has.

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


# Wings, and what must not be left if there is one solution: loops and boards of two digits a cell.
#
# A wing is cells of a unit with a digit more than they are, and a cell with two of these digits.

# For so many cells. Of four and five cells these are the least: it is 0.1 more for each digit that
# the largest cell is nearer to having three. XY-wings (4.2) are three cells with two digits each.
_WINGS = {3: 4.4, 4: 5.5, 5: 6.2, 6: 6.6, 7: 7.5}


def wings(sheet: Sheet, size: int) -> Iterator[Move]:
    """Cells of a unit with a digit more than they are, and a cell with two of these digits.

    If these share no place of one digit, the other is in either of them.
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
    """What `pair`, a cell with two digits, excludes together with `cells`, an almost locked set."""
    here = [sheet.places[digit] & cells for digit in range(9)]
    shared = [d for d in digits_of(sheet.digits[pair]) if not here[d] & ~PEERS[pair]]
    gone = 0
    if len(shared) == 2:
        # Whichever of its two digits `pair` holds, the cells of the set hold the other one and all
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
    """Cells of a unit, their digits, and how many digits the largest cell has."""
    seen = set()
    for listed in CELLS_OF:
        narrow = [c for c in listed if 1 < sheet.digits[c].bit_count() <= size + 1]
        for chosen in combinations(narrow, size):
            digits = reduce(or_, [sheet.digits[cell] for cell in chosen])
            cells = sum(1 << cell for cell in chosen)
            if digits.bit_count() == size + 1 and cells not in seen:
                seen.add(cells)
                yield cells, digits, max(sheet.digits[cell].bit_count() for cell in chosen)


# Loops of four cells; what is added for so many cells, and for more.
_LOOP, _LONGER, _LONGEST = 4.5, {4: 0.0, 6: 0.1, 8: 0.2}, 0.5
# Boards on which all cells have two digits but for some candidates: "bivalue universal graves".
_BUG = 5.6
# Longer loops are hardly ever met, and there are ever more ways to follow.
_MOST_CELLS = 10


def loops(sheet: Sheet) -> Iterator[Move]:
    """Loops of cells with the same two digits, but for one or two cells that have others too."""
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
    """Closed ways over cells with both digits in which no unit has two neighbours twice."""
    able = reduce(and_, [sheet.places[digit] for digit in digits_of(pair)])
    # Each entry: the cells so far, the units that two of them are in, and what the wide ones have.
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
    """Whether each unit has none of the cells, or one of each half of them."""
    halves = [sum(1 << cell for cell in path[half::2]) for half in (0, 1)]
    return all((u & halves[0]).bit_count() == (u & halves[1]).bit_count() <= 1 for u in UNITS)


def _broken(sheet: Sheet, pair: int, wide: list[int], number: float) -> Iterator[Move]:
    """Some wide cell has another digit than the two: what follows from that."""
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
    """One of the digits has no other place in a unit, so the cells do not have the other one."""
    for unit in UNITS:
        if cells & ~unit:
            continue
        for digit in digits_of(pair):
            if not sheet.places[digit] & unit & ~cells:
                yield from _move(number, sheet.candidates(pair & ~(1 << digit), cells))


def _joined(sheet: Sheet, cells: int, extra: int) -> Iterator[tuple[int, int]]:
    """Cells that have one of some digits, joined to others as if they were one: naked sets."""
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
    """All cells have two digits and all digits two places, but for some candidates."""
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
    """One of two cells has a digit that both have, if not as an extra, so the other has its extra.

    So what is neither goes from both.
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
    """The digits of a cell that have not two places in a unit with no other wide cell for them."""
    found = 0
    for digit in digits_of(sheet.digits[cell]):
        for number in UNITS_OF[cell]:
            here = sheet.places[digit] & UNITS[number]
            if here.bit_count() != 2 and here & wide == 1 << cell:
                found |= 1 << digit
    return found


def _is_left(sheet: Sheet, extras: dict[int, int]) -> bool:
    """Whether without these every cell has two digits, and every digit none or two places."""
    gone = 0
    for cell, digits in extras.items():
        gone |= sheet.candidates(digits, 1 << cell)
    left = sheet.after(Move(0, gone))
    return all(d.bit_count() in (0, 2) for d in left.digits) and all(
        (cells & unit).bit_count() in (0, 2) for cells in left.places for unit in UNITS
    )


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
