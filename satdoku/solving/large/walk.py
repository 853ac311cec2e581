"""The moves of local search: a tabu search that recolours cells in conflict.

Every open cell holds one of its candidates. Where two cells hold what excludes each other, they are
in conflict; each move gives one cell in conflict another candidate, the one that leaves fewest
conflicts, even if that is more than now. Its former candidate is then forbidden to it for a while
(tabu), so that the search does not walk in circles. On a board that is hard for solvers the number
of cells in conflict hovers, at 64x64 between 50 and 100, until it suddenly falls to none.

The method is that of Hertz and de Werra for graph colouring (1987). `lanes/native/walk.c` makes
the same moves.

What excludes what is worked out before: candidates are numbered from 0, cell by cell, so those of a
cell are a slice, and each has a list of its neighbours, those that it excludes.
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

# Neighbours are lists of small integers: so many of them take about 80 MB. The largest board that
# local search was seen to fill, 81x81 with 38 % empty, has 350,000.
MOST_NEIGHBOURS = 10_000_000


class Neighbours:
    """Cells with several candidates, and for each candidate those that cannot stand beside it.

    `candidates` are masks of digits, pruned as far as possible: cells with one digit are left out,
    because their digit is in no other mask that it excludes.
    """

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int]) -> None:
        self._candidates = {cell: mask for cell, mask in candidates.items() if mask & (mask - 1)}
        self.cells = list(self._candidates)
        digits = [digits_of(mask) for mask in self._candidates.values()]
        ends = list(accumulate(map(len, digits)))
        # The candidates of the n-th cell are those in its n-th slice.
        self.slices = [slice(end - len(own), end) for own, end in zip(digits, ends, strict=True)]
        self.cell_of = [n for n, own in enumerate(digits) for _ in own]
        self.digit_of = [digit for own in digits for digit in own]
        self._number = {
            (self.cells[n], digit): number
            for number, (n, digit) in enumerate(zip(self.cell_of, self.digit_of, strict=True))
        }
        self.of: list[Sequence[int]] = self._list_neighbours(puzzle.constraints)

    def _list_neighbours(self, constraints: Constraints) -> list[Sequence[int]]:
        """For each candidate the numbers of those that it excludes in other cells."""
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
        """What candidates exclude by rules about pairs of cells."""
        excluded: dict[int, list[int]] = {}
        for pair in constraints.pairs:
            for cell, other, excludes in pair.both_ways():
                for digit in digits_of(self._candidates.get(cell, 0)):
                    common = excludes[digit] & self._candidates.get(other, 0)
                    numbers = [self._number[other, each] for each in digits_of(common)]
                    excluded.setdefault(self._number[cell, digit], []).extend(numbers)
        return excluded


def count_neighbours(puzzle: Puzzle, candidates: Mapping[int, int]) -> int:
    """About how many neighbours there will be, without making them: pairs of a digit in a unit."""
    total = 0
    for unit in puzzle.constraints.units:
        places = [0] * (puzzle.geometry.size + 1)
        for cell in unit.cells:
            for digit in digits_of(candidates.get(cell, 0)):
                places[digit] += 1
        total += sum(count * count for count in places)
    return total


# Added to the conflicts of a candidate that may not be chosen, because its cell holds it or because
# it is forbidden: more than any number of conflicts, so that the smallest is always a free one.
BARRED = 1 << 30

# Of the cells in conflict so many are compared for a move. All of them would make the search
# greedier: it then needs 2 to 13 times as long. With 5 it never settles.
SAMPLE = 20

# A former candidate is forbidden for less than so many moves more than its share says, by lot, so
# that candidates forbidden together do not all come back together. The number was not tuned.
MOST_EXTRA = 10


class Walk:
    """One walk from a random beginning; the same seed walks the same way.

    A former candidate is forbidden for as many moves as `forbidden_share` says of the number of
    cells in conflict.
    """

    # Some ten milliseconds.
    moves_a_look = 1_000

    def __init__(self, neighbours: Neighbours, seed: str, forbidden_share: float = 0.5) -> None:
        self.neighbours = neighbours
        self._slices = neighbours.slices
        self._cell_of = neighbours.cell_of
        self.chance = Random(seed)
        self.forbidden_share = forbidden_share
        self.moves = 0
        # The conflicts that each candidate has, or would have, with what the other cells hold.
        self.conflicts = [0] * len(neighbours.cell_of)
        # The candidate that each cell holds.
        self.held = [-1] * len(neighbours.cells)
        # The cells in conflict in any order, the place of each cell there (-1 for none), and how
        # many conflicts the best move of each would add.
        self.in_conflict: list[int] = []
        self.place_of = [-1] * len(neighbours.cells)
        self.cost: list[int] = []
        # The candidates that stop being forbidden when so many moves are made.
        self._released: defaultdict[int, list[int]] = defaultdict(list)
        self._begin()

    def advance(self, end: int) -> None:
        """Makes moves until there were `end` in all, or until no cell is in conflict."""
        in_conflict, released, random = self.in_conflict, self._released, self.chance.random
        cost = self.cost
        while self.moves < end and in_conflict:
            if self.moves in released:
                self._release(released.pop(self.moves))
            # The cell whose move costs least, of a sample that begins at a random place.
            count = len(cost)
            start = int(random() * count)
            costs = cost[start : start + SAMPLE]
            if start + SAMPLE > count:
                costs += cost[: min(start, start + SAMPLE - count)]
            self._move(in_conflict[(start + costs.index(min(costs))) % count])
            self.moves += 1

    def _begin(self) -> None:
        """Cell by cell in a random order, each takes what has fewest conflicts so far."""
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
        """A candidate of a cell with fewest conflicts; which of several, is drawn by lot."""
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
        """Ends the time in which these candidates are forbidden."""
        for candidate in candidates:
            self.conflicts[candidate] -= BARRED
            cell = self._cell_of[candidate]
            place = self.place_of[cell]
            if place >= 0:
                cost = self.conflicts[candidate] - self.conflicts[self.held[cell]]
                self.cost[place] = min(self.cost[place], cost)

    def _move(self, cell: int) -> None:
        """Gives a cell its best candidate, and forbids the one that it has."""
        conflicts = self.conflicts
        candidate, former = self._best_of(cell), self.held[cell]
        if conflicts[candidate] >= BARRED:
            return  # All candidates of the cell are forbidden at present.
        length = self.forbidden_share * len(self.in_conflict)
        until = self.moves + 1 + int(length) + int(self.chance.random() * MOST_EXTRA)
        self._released[until].append(former)  # Barred it is already, as held.
        self.held[cell] = candidate
        conflicts[candidate] += BARRED
        self._lower(self.neighbours.of[former])
        self._raise(self.neighbours.of[candidate])
        if conflicts[candidate] == BARRED:
            self._drop(cell)
        else:
            self.cost[self.place_of[cell]] = self._find_cost(cell)

    def _lower(self, neighbours: Sequence[int]) -> None:
        """Candidates have a conflict less."""
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
        """Candidates have a conflict more."""
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
                # It was the best of its cell, and perhaps is no longer.
                cost[place] = self._find_cost(cell)

    def _find_cost(self, cell: int) -> int:
        """How many conflicts the best move of a cell adds."""
        return min(self.conflicts[self._slices[cell]]) - self.conflicts[self.held[cell]]

    def _add(self, cell: int) -> None:
        """A cell is in conflict from now on."""
        self.place_of[cell] = len(self.in_conflict)
        self.in_conflict.append(cell)
        self.cost.append(self._find_cost(cell))

    def _drop(self, cell: int) -> None:
        """A cell is in conflict no longer; the last one of the list takes its place."""
        place = self.place_of[cell]
        last, cost = self.in_conflict.pop(), self.cost.pop()
        if last != cell:
            self.in_conflict[place] = last
            self.cost[place] = cost
            self.place_of[last] = place
        self.place_of[cell] = -1


# Filling a large board by local search: by the moves of `walk.py` or, where there is the compiled
# library, by the same moves made there.
#
# The library makes them 20 to 30 times as fast. The search finds a solution or it does not; it
# never shows that there is none.


class _Moves(Protocol):
    """A walk, whatever makes its moves."""

    moves_a_look: int

    @property
    def moves(self) -> int: ...
    @property
    def held(self) -> list[int]: ...
    @property
    def in_conflict(self) -> list[int]: ...
    def advance(self, end: int) -> None: ...


class LocalSearch:
    """A search from one random beginning; with the same seed it always comes to the same end."""

    def __init__(
        self,
        neighbours: Neighbours,
        seed: str,
        forbidden_share: float = 0.5,
        library: Library | None = None,
    ) -> None:
        """`forbidden_share` is explained at `Walk`; with a `library` it makes the moves."""
        self.is_compiled = library is not None
        self._neighbours = neighbours
        walk = Walk(neighbours, seed, forbidden_share)
        self._walk: _Moves = walk
        if library is not None:
            self._walk = CompiledWalk(walk, library)

    @property
    def moves(self) -> int:
        """How many were made."""
        return self._walk.moves

    def search(self, moves: int, budget: Budget) -> dict[int, int] | None:
        """The digits of all open cells, once no two are in conflict; None after so many moves.

        May be called again, and goes on where it stopped. Raises LimitReachedError when the budget
        ends first.
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
    """The walk as `lanes/native/walk.c` lays it out."""

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
    """Goes on where a walk stands, with the moves that it would make."""

    # Some ten milliseconds.
    moves_a_look = 10_000

    def __init__(self, walk: Walk, library: Library) -> None:
        """`walk` has made no moves yet, so that nothing is forbidden."""
        assert walk.moves == 0
        self._entries = library.entries
        *key, drawn = walk.chance.getstate()[1]
        # The library changes it, and reads the arrays, as long as this walk is there.
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
            raise SatdokuError("these are no neighbours that local search could walk among")

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
        """Makes moves until there were `end` in all, or until no cell is in conflict."""
        while self._layout.moves < end and self._layout.conflict_count:
            stop = min(end, self.moves + self.moves_a_look)
            self._entries.walk_advance(self._address, stop)


def _arrays_of(walk: Walk) -> dict[str, "array[int]"]:
    """The arrays of the layout, by their names there."""
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
