"""Elimination on many boards at once: what it leaves open is for a solver.

A group is all candidates of a cell, or of a digit in a unit; in a solution exactly one of them is
true. Round by round the candidates go that this excludes, see `stages`. None goes that a solution
needs, and nothing is decided here: a board is handed on before it is full.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import repeat
from operator import and_, itemgetter, or_, xor
from typing import NamedTuple

from satdoku.bulk.lanes import Lanes, Transposer, part, unite
from satdoku.bulk.octets import Octets
from satdoku.bulk.stages import Bands, Boards, Groups, Stage
from satdoku.puzzle.geometry import Geometry, Unit

# More rounds than this fill few boards more, and each costs a microsecond a board.
MOST_ROUNDS = 18

# A board is handed on as it was so many rounds before it would be full; each round more costs six
# microseconds a board.
ROUNDS_LEFT = 1

# There are too many ways through a band of more lines than this.
_MOST_LINES = 4


class Sifted(NamedTuple):
    """What is left of a board: its known digits, one byte a cell, and octets of what is open.

    What a known digit excludes is not open. Where neither of a group is left, there is no solution.
    """

    geometry: Geometry
    digits: bytes
    known: bytes
    open: bytes


class _State(NamedTuple):
    """What is open, and of that what is settled: what it excludes is not open any more."""

    open: Lanes
    settled: Lanes

    def of(self, chosen: int) -> "_State":
        """The same in the chosen boards, and what is settled no longer counted as open."""
        settled = list(map(and_, self.settled, repeat(chosen)))
        return _State(list(map(xor, map(and_, self.open, repeat(chosen)), settled)), settled)


class Sieve:
    """Elimination for one geometry."""

    def __init__(self, octets: Octets) -> None:
        self._geometry = octets.geometry
        self._transposer = Transposer(octets)
        stages = list(self._make_stages())
        self._stages = [
            (_turn(before.order, stage.order), stage)
            for before, stage in zip(stages[-1:] + stages[:-1], stages, strict=True)
        ]

    def sift(self, boards: Sequence[bytes]) -> Iterator[Sifted]:
        """What is left of each board, given as one byte a cell: its digit, or 0."""
        count = len(boards)
        if not count:
            return iter(())
        states = [state.of(chosen) for state, chosen in self._run(boards) if chosen]
        known = self._transposer.write_digits(unite(state.settled for state in states), count)
        octets = self._transposer.write_octets(unite(state.open for state in states), count)
        return map(Sifted, repeat(self._geometry), boards, known, octets)

    def _run(self, boards: Sequence[bytes]) -> Iterator[tuple[_State, int]]:
        """States, and which boards are to be handed on as they are in each."""
        sifted = Boards(self._transposer.read(boards), len(boards))
        start = self._begin(sifted)
        states = deque([start], maxlen=ROUNDS_LEFT)
        undone = sifted.every
        for _ in range(MOST_ROUNDS):
            settled = sifted.placed
            for turn, stage in self._stages:
                sifted.open, sifted.placed = turn(sifted.open), turn(sifted.placed)
                stage.sift(sifted)
            # In a contradiction nothing can be relied on but the givens.
            yield start, undone & ~sifted.sane
            undone &= sifted.sane
            full = undone & reduce(and_, self._unite_cells(settled))
            yield states[0], full
            undone ^= full
            state = _State(sifted.open, settled)
            if not undone or state == states[-1]:
                break
            states.append(state)
        yield states[-1], undone

    def _begin(self, boards: Boards) -> _State:
        """In a cell with a given only that is open, in others all; nothing is settled."""
        free = [lane ^ boards.every for lane in self._unite_cells(boards.placed)]
        by_digit = part(boards.placed, len(free))
        lanes = [lane for given in by_digit for lane in map(or_, given, free)]
        return _State(lanes, [0] * len(lanes))

    def _unite_cells(self, lanes: Lanes) -> Lanes:
        return unite(part(lanes, self._geometry.cell_count))

    def _make_stages(self) -> Iterator[Stage]:
        """Boxes before bands, and cells last: their order is that of all lanes.

        What is placed in a box excludes the rest of its lines by way of their bands.
        """
        geometry = self._geometry
        index_of = {candidate: index for index, candidate in enumerate(self._transposer.order)}
        digits = range(1, geometry.size + 1)

        def lanes(cells: Sequence[int]) -> list[list[int]]:
            return [[index_of[cell, digit] for cell in cells] for digit in digits]

        def lines(kind: Sequence[Unit], height: int) -> Stage:
            if not 1 < height <= min(_MOST_LINES, len(kind) - 1):
                return Groups([group for unit in kind for group in lanes(unit.cells)])
            bands = (kind[first : first + height] for first in range(0, len(kind), height))
            cells = [[cell for line in band for cell in line.cells] for band in bands]
            return Bands([group for band in cells for group in lanes(band)], height)

        yield Groups([group for box in geometry.boxes for group in lanes(box.cells)])
        yield lines(geometry.rows, geometry.box_rows)
        yield lines(geometry.columns, geometry.box_columns)
        yield Groups(list(zip(*lanes(range(geometry.cell_count)), strict=True)))


def _turn(order: Sequence[int], other: Sequence[int]) -> "itemgetter[Lanes]":
    """From one order of lanes to another."""
    place_of = {lane: place for place, lane in enumerate(order)}
    return itemgetter(*(place_of[lane] for lane in other))
