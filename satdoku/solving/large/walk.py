"""Tabu search that recolours cells in conflict: the moves of local search.

Every open cell holds one of its candidates. Two cells whose candidates exclude each other are in
conflict; each move gives one cell in conflict the other candidate with the fewest conflicts, even
if that adds conflicts. The former candidate is then tabu for a while, so that the search does not
cycle. On a board that is hard for solvers the number of cells in conflict stays, at 64x64 between
50 and 100, until it suddenly falls to none.

The method is that of Hertz and de Werra for graph colouring (1987). `lanes/native/walk.c` makes the
same moves.

Exclusions are computed in advance: candidates are numbered from 0, cell by cell, so that the
candidates of a cell are a slice. Each candidate has a list of its neighbours, which are the
candidates that it excludes.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, Structure, byref, c_double, c_int32, c_int64, c_uint32, c_void_p, cast
from itertools import accumulate, chain
from random import Random
from typing import Any, Protocol

from satdoku.errors import SatdokuError
from satdoku.lanes.library import Library
from satdoku.puzzle.constraints import Constraints, digits_of
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget

# Limit on neighbours, which are lists of small ints: this many take about 80 MB. The largest board
# that local search is known to have filled, 81x81 with 38 % empty, has 350,000.
MOST_NEIGHBOURS = 10_000_000


class Neighbours:
    """Cells with several candidates, and for each candidate the list of candidates that it
    excludes.

    `candidates` are masks of digits after pruning: cells with one digit are left out, because
    pruning has excluded that digit everywhere else.
    """

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int]) -> None:
        self._candidates = {cell: mask for cell, mask in candidates.items() if mask & (mask - 1)}
        self.cells = list(self._candidates)
        digits = [digits_of(mask) for mask in self._candidates.values()]
        ends = list(accumulate(map(len, digits)))
        # The candidates of the n-th cell are the numbers in the n-th slice.
        self.slices = [slice(end - len(own), end) for own, end in zip(digits, ends, strict=True)]
        self.cell_of = [n for n, own in enumerate(digits) for _ in own]
        self.digit_of = [digit for own in digits for digit in own]
        self._number = {
            (self.cells[n], digit): number
            for number, (n, digit) in enumerate(zip(self.cell_of, self.digit_of, strict=True))
        }
        self.of: list[Sequence[int]] = self._list_neighbours(puzzle.constraints)

    def _list_neighbours(self, constraints: Constraints) -> list[Sequence[int]]:
        """Return, for each candidate, the numbers of the candidates that it excludes in other
        cells.
        """
        places: list[dict[int, list[int]]] = [{} for _ in constraints.units]
        for (cell, digit), number in self._number.items():
            for unit in constraints.units_of[cell]:
                places[unit].setdefault(digit, []).append(number)
        by_pairs = self._list_pairs(constraints)
        neighbours: list[Sequence[int]] = []
        for (cell, digit), number in self._number.items():
            excluded = set(by_pairs.get(number, ()))
            for unit in constraints.units_of[cell]:
                excluded.update(places[unit][digit])
            excluded.discard(number)
            neighbours.append(tuple(sorted(excluded)))
        return neighbours

    def _list_pairs(self, constraints: Constraints) -> dict[int, list[int]]:
        """Return, for each candidate, the exclusions by rules about pairs of cells."""
        excluded: dict[int, list[int]] = {}
        for pair in constraints.pairs:
            for cell, other, excludes in pair.both_ways():
                for digit in digits_of(self._candidates.get(cell, 0)):
                    common = excludes[digit] & self._candidates.get(other, 0)
                    numbers = [self._number[other, each] for each in digits_of(common)]
                    excluded.setdefault(self._number[cell, digit], []).extend(numbers)
        return excluded


def count_neighbours(puzzle: Puzzle, candidates: Mapping[int, int]) -> int:
    """Estimate the number of neighbours without listing them: the pairs of a digit's places in a
    unit.
    """
    total = 0
    for unit in puzzle.constraints.units:
        places = [0] * (puzzle.geometry.size + 1)
        for cell in unit.cells:
            for digit in digits_of(candidates.get(cell, 0)):
                places[digit] += 1
        total += sum(count * count for count in places)
    return total


# Added to the conflicts of a candidate that may not be chosen, because its cell holds it or it is
# tabu. It exceeds any number of conflicts, so that the minimum is a free candidate, if there is
# one.
BARRED = 1 << 30

# The number of cells in conflict that are compared for a move. Comparing all would make the search
# greedier: it then takes 2 to 13 times as long. With 5 it never converges.
SAMPLE = 20

# The tabu tenure is a share of the number of cells in conflict plus a random number below this, so
# that candidates that became tabu together do not all return together. Not tuned.
MOST_EXTRA = 10


class Walk:
    """One walk from a random start; the same seed gives the same walk.

    A former candidate is tabu for `forbidden_share` times the number of cells in conflict, in
    moves.
    """

    # Moves between two checks of the limits: some ten milliseconds.
    moves_a_look = 1_000

    def __init__(self, neighbours: Neighbours, seed: str, forbidden_share: float = 0.5) -> None:
        self.neighbours = neighbours
        self._slices = neighbours.slices
        self._cell_of = neighbours.cell_of
        self.chance = Random(seed)
        self.forbidden_share = forbidden_share
        self.moves = 0
        # For each candidate: the number of cells whose current candidates it conflicts with.
        self.conflicts = [0] * len(neighbours.cell_of)
        # The candidate that each cell holds.
        self.held = [-1] * len(neighbours.cells)
        # The cells in conflict in any order, the index of each cell in that list (-1 if absent),
        # and how many conflicts the best move of each would add.
        self.in_conflict: list[int] = []
        self.place_of = [-1] * len(neighbours.cells)
        self.cost: list[int] = []
        # For each number of moves, the candidates whose tabu ends then.
        self._released: defaultdict[int, list[int]] = defaultdict(list)
        self._begin()

    def advance(self, end: int) -> None:
        """Make moves until there are `end` in all, or until no cell is in conflict."""
        in_conflict, released, random = self.in_conflict, self._released, self.chance.random
        cost = self.cost
        while self.moves < end and in_conflict:
            if self.moves in released:
                self._release(released.pop(self.moves))
            # Choose the cell with the cheapest move in a sample that starts at a random index.
            count = len(cost)
            start = int(random() * count)
            costs = cost[start : start + SAMPLE]
            if start + SAMPLE > count:
                costs += cost[: min(start, start + SAMPLE - count)]
            self._move(in_conflict[(start + costs.index(min(costs))) % count])
            self.moves += 1

    def _begin(self) -> None:
        """Fill the cells in a random order, each with the candidate that has the fewest conflicts
        so far.
        """
        conflicts = self.conflicts
        cells = list(range(len(self.held)))
        self.chance.shuffle(cells)
        for cell in cells:
            candidate = self._best_of(cell)
            self.held[cell] = candidate
            for neighbour in self.neighbours.of[candidate]:
                conflicts[neighbour] += 1
        for candidate in self.held:
            conflicts[candidate] += BARRED
        for cell, candidate in enumerate(self.held):
            if conflicts[candidate] > BARRED:
                self._add(cell)

    def _best_of(self, cell: int) -> int:
        """Return the candidate of the cell with the fewest conflicts; ties are broken at random."""
        own = self.conflicts[self._slices[cell]]
        fewest = min(own)
        if own.count(fewest) == 1:
            best = own.index(fewest)
        else:
            equal = [n for n, count in enumerate(own) if count == fewest]
            best = equal[int(self.chance.random() * len(equal))]
        start: int = self._slices[cell].start
        return start + best

    def _release(self, candidates: Sequence[int]) -> None:
        """Take these candidates off the tabu list."""
        for candidate in candidates:
            self.conflicts[candidate] -= BARRED
            cell = self._cell_of[candidate]
            place = self.place_of[cell]
            if place >= 0:
                cost = self.conflicts[candidate] - self.conflicts[self.held[cell]]
                self.cost[place] = min(self.cost[place], cost)

    def _move(self, cell: int) -> None:
        """Give a cell its best candidate, and make the former one tabu."""
        conflicts = self.conflicts
        candidate, former = self._best_of(cell), self.held[cell]
        if conflicts[candidate] >= BARRED:
            return  # All other candidates of the cell are tabu.
        length = self.forbidden_share * len(self.in_conflict)
        until = self.moves + 1 + int(length) + int(self.chance.random() * MOST_EXTRA)
        self._released[until].append(former)  # As the held candidate it is barred already.
        self.held[cell] = candidate
        conflicts[candidate] += BARRED
        self._lower(self.neighbours.of[former])
        self._raise(self.neighbours.of[candidate])
        if conflicts[candidate] == BARRED:
            self._drop(cell)
        else:
            self.cost[self.place_of[cell]] = self._find_cost(cell)

    def _lower(self, neighbours: Sequence[int]) -> None:
        """Subtract one from the conflicts of these candidates; keep list and costs in step."""
        conflicts, held, cost = self.conflicts, self.held, self.cost
        cell_of, place_of = self._cell_of, self.place_of
        for candidate in neighbours:
            conflicts[candidate] = count = conflicts[candidate] - 1
            cell = cell_of[candidate]
            place = place_of[cell]
            if place < 0:
                continue
            own = held[cell]
            if own != candidate:
                new_cost = count - conflicts[own]
                if new_cost < cost[place]:
                    cost[place] = new_cost
            elif count == BARRED:
                self._drop(cell)
            else:
                cost[place] += 1

    def _raise(self, neighbours: Sequence[int]) -> None:
        """Add one to the conflicts of these candidates; keep list and costs in step."""
        conflicts, held, cost = self.conflicts, self.held, self.cost
        cell_of, place_of = self._cell_of, self.place_of
        for candidate in neighbours:
            count = conflicts[candidate]
            conflicts[candidate] = count + 1
            cell = cell_of[candidate]
            place = place_of[cell]
            own = held[cell]
            if place < 0:
                if own == candidate:
                    self._add(cell)
            elif own == candidate:
                cost[place] -= 1
            elif count - conflicts[own] == cost[place]:
                # The candidate was the best of its cell, and may no longer be.
                cost[place] = self._find_cost(cell)

    def _find_cost(self, cell: int) -> int:
        """Return how many conflicts the best move of a cell adds."""
        return min(self.conflicts[self._slices[cell]]) - self.conflicts[self.held[cell]]

    def _add(self, cell: int) -> None:
        """Add a cell to the list of cells in conflict."""
        self.place_of[cell] = len(self.in_conflict)
        self.in_conflict.append(cell)
        self.cost.append(self._find_cost(cell))

    def _drop(self, cell: int) -> None:
        """Remove a cell from the list of cells in conflict; the last one takes its place."""
        place = self.place_of[cell]
        last, cost = self.in_conflict.pop(), self.cost.pop()
        if last != cell:
            self.in_conflict[place] = last
            self.cost[place] = cost
            self.place_of[last] = place
        self.place_of[cell] = -1


# Local search on large boards, with the moves of `walk.py` in Python or in C
#
# The compiled library makes the moves 20 to 30 times as fast. The search may find a solution; it
# never shows that there is none.


class _Moves(Protocol):
    """The interface of a walk, which Python and C implement."""

    moves_a_look: int

    @property
    def moves(self) -> int: ...
    @property
    def held(self) -> list[int]: ...
    @property
    def in_conflict(self) -> list[int]: ...
    def advance(self, end: int) -> None: ...


class LocalSearch:
    """A search from one random start; the same seed always gives the same result."""

    def __init__(
        self,
        neighbours: Neighbours,
        seed: str,
        forbidden_share: float = 0.5,
        library: Library | None = None,
    ) -> None:
        """Start a walk; `forbidden_share` is as in `Walk`; `library`, if given, makes the moves."""
        self.is_compiled = library is not None
        self._neighbours = neighbours
        walk = Walk(neighbours, seed, forbidden_share)
        self._walk: _Moves = walk
        if library is not None:
            self._walk = CompiledWalk(walk, library)

    @property
    def moves(self) -> int:
        """Return the number of moves so far."""
        return self._walk.moves

    def search(self, moves: int, budget: Budget) -> dict[int, int] | None:
        """Return the digits of all open cells once none is in conflict; None after `moves` moves.

        May be called again to continue. Raise LimitReachedError if the budget ends first.
        """
        walk = self._walk
        end = walk.moves + moves
        while walk.in_conflict:
            if walk.moves >= end:
                return None
            budget.require()
            walk.advance(min(end, walk.moves + walk.moves_a_look))
        neighbours = self._neighbours
        digits = [neighbours.digit_of[candidate] for candidate in walk.held]
        return dict(zip(neighbours.cells, digits, strict=True))


NONE = -1
"""The first candidate of an empty list, and the place of a cell that is not in conflict."""

_ARRAYS = (
    *("first_candidate", "cell_of", "first_neighbour", "neighbours"),
    *("conflicts", "held", "in_conflict", "cost", "place_of", "first_released", "next_released"),
)


class _Layout(Structure):
    """The state of a walk as a C structure, as `lanes/native/walk.c` declares it."""

    _fields_ = (
        *((name, c_int32) for name in ("cells", "candidates", "neighbour_count", "slots")),
        *((name, c_void_p) for name in _ARRAYS),
        ("chance", POINTER(c_uint32)),
        ("drawn", c_int32),
        ("moves", c_int64),
        ("conflict_count", c_int32),
        ("forbidden_share", c_double),
    )


class CompiledWalk:
    """Continues a Python walk in C, with the same moves."""

    # Moves between two checks of the limits: some ten milliseconds.
    moves_a_look = 10_000

    def __init__(self, walk: Walk, library: Library) -> None:
        """Copy the state of `walk`, which must have made no moves, so that nothing is tabu."""
        assert walk.moves == 0
        self._entries = library.entries
        *key, drawn = walk.chance.getstate()[1]
        # The library changes this state and reads the arrays, so they must live as long as this
        # object.
        self._chance = (c_uint32 * len(key))(*key)
        self._arrays = _arrays_of(walk)
        layout: Any = _Layout(
            cells=len(walk.held),
            candidates=len(walk.conflicts),
            neighbour_count=len(self._arrays["neighbours"]),
            slots=len(self._arrays["first_released"]),
            chance=cast(self._chance, POINTER(c_uint32)),
            moves=0,
            conflict_count=len(walk.in_conflict),
            drawn=drawn,
            forbidden_share=walk.forbidden_share,
        )
        for name, numbers in self._arrays.items():
            setattr(layout, name, numbers.buffer_info()[0])
        self._layout = layout
        self._address = byref(layout)
        if not self._entries.walk_is_sound(self._address):
            raise SatdokuError("these neighbours are not valid for local search")

    @property
    def moves(self) -> int:
        return int(self._layout.moves)

    @property
    def held(self) -> list[int]:
        return self._arrays["held"].tolist()

    @property
    def in_conflict(self) -> list[int]:
        return self._arrays["in_conflict"][: self._layout.conflict_count].tolist()

    def advance(self, end: int) -> None:
        """Make moves until there are `end` in all, or until no cell is in conflict."""
        while self._layout.moves < end and self._layout.conflict_count:
            stop = min(end, self.moves + self.moves_a_look)
            self._entries.walk_advance(self._address, stop)


def _arrays_of(walk: Walk) -> dict[str, "array[int]"]:
    """Return the arrays of the structure, by the names of its fields."""
    neighbours, cells = walk.neighbours, len(walk.held)
    longest = int(walk.forbidden_share * cells) + MOST_EXTRA + 2
    starts = [own.start for own in neighbours.slices]
    numbers: dict[str, Iterable[int]] = {
        "first_candidate": [*starts, len(neighbours.of)],
        "cell_of": neighbours.cell_of,
        "first_neighbour": accumulate(map(len, neighbours.of), initial=0),
        "neighbours": chain.from_iterable(neighbours.of),
        "conflicts": walk.conflicts,
        "held": walk.held,
        "in_conflict": _with_room(walk.in_conflict, cells),
        "cost": _with_room(walk.cost, cells),
        "place_of": walk.place_of,
        "first_released": [NONE] * longest,
        "next_released": [NONE] * len(walk.conflicts),
    }
    return {name: array("i", each) for name, each in numbers.items()}


def _with_room(numbers: Sequence[int], length: int) -> list[int]:
    return [*numbers, *[0] * (length - len(numbers))]
