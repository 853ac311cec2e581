"""The sieve: excludes candidates on many boards at once, before a solver is asked.

In rounds, each of which runs all stages, the candidates go that no solution can have: what shares
a group with a placed candidate, and what no arrangement of a digit in a band uses (see
`stages.py`). The sieve decides nothing. A board is handed on as it was before the round that would
fill it, so that whether what is left has a solution is for a solver to say.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import repeat
from operator import and_, itemgetter, or_, xor
from typing import NamedTuple

from satdoku.bulk.lanes import Lanes, Transposer, chunks, unite
from satdoku.bulk.stages import Bands, Boards, Groups, Stage
from satdoku.bulk.tuning import Tuning
from satdoku.deducing.layout import ByteLayout, Sifted
from satdoku.puzzle.geometry import Unit

# A band of n lines has n! arrangements: 24 of four lines, 120 of five.
_MOST_LINES = 4


class _State(NamedTuple):
    """Boards after some round: what is open, and what of that is settled.

    Settled are candidates that were placed before the last round, so that all that they exclude has
    gone.
    """

    open: Lanes
    settled: Lanes

    def of(self, chosen: int) -> "_State":
        """The same on the chosen boards only, and there without what is settled among the open."""
        settled = list(map(and_, self.settled, repeat(chosen)))
        return _State(list(map(xor, map(and_, self.open, repeat(chosen)), settled)), settled)


class Sieve:
    """The sieve for one geometry."""

    def __init__(self, layout: ByteLayout, tuning: Tuning | None = None) -> None:
        tuning = tuning or Tuning()
        self._geometry = layout.geometry
        self._most_rounds = tuning.most_rounds
        self._states_kept = tuning.rounds_left
        self._transposer = Transposer(layout)
        stages = list(self._make_stages())
        # Stages run in a ring: each gets the lanes in the order of the stage before it, the first
        # one in that of the last.
        self._stages = [
            (_reorder(before.order, stage.order), stage)
            for before, stage in zip(stages[-1:] + stages[:-1], stages, strict=True)
        ]

    def sift(self, boards: Sequence[bytes]) -> Iterator[Sifted]:
        """What is left of each board, given as one byte a cell: its digit, or 0."""
        count = len(boards)
        if not count:
            return iter(())
        states = [state.of(chosen) for state, chosen in self._run(boards) if chosen]
        known = self._transposer.write_digits(unite(state.settled for state in states), count)
        open_ = self._transposer.write_candidates(unite(state.open for state in states), count)
        return map(Sifted, boards, known, open_)

    def _run(self, boards: Sequence[bytes]) -> Iterator[tuple[_State, int]]:
        """States, each with the boards that are handed on in it, one bit a board."""
        sifted = Boards(self._transposer.read(boards), len(boards))
        start = self._begin(sifted)
        # The last states; the first of them is the one in which a board that is now full goes on.
        states = deque([start], maxlen=self._states_kept)
        undone = sifted.every
        for _ in range(self._most_rounds):
            settled = sifted.placed
            for reorder, stage in self._stages:
                sifted.open, sifted.placed = reorder(sifted.open), reorder(sifted.placed)
                stage.sift(sifted)
            # Where there was a contradiction, nothing can be relied on but the givens.
            yield start, undone & ~sifted.consistent
            undone &= sifted.consistent
            full = undone & reduce(and_, self._unite_cells(settled))
            yield states[0], full
            undone ^= full
            state = _State(sifted.open, settled)
            # No round excludes more where one has changed nothing.
            if not undone or state == states[-1]:
                break
            states.append(state)
        yield states[-1], undone

    def _begin(self, boards: Boards) -> _State:
        """Before the first round: of a given cell the given is open, of others all digits are."""
        empty = [lane ^ boards.every for lane in self._unite_cells(boards.placed)]
        by_digit = chunks(boards.placed, len(empty))
        lanes = [lane for given in by_digit for lane in map(or_, given, empty)]
        return _State(lanes, [0] * len(lanes))

    def _unite_cells(self, lanes: Lanes) -> Lanes:
        """For each cell, the boards on which the lane of any of its digits is on."""
        return unite(chunks(lanes, self._geometry.cell_count))

    def _make_stages(self) -> Iterator[Stage]:
        """Boxes, rows, columns, cells.

        Boxes come before bands, so that what is placed in a box excludes the rest of its lines by
        way of their bands. Cells come last because their order of lanes is the usual one, in which
        everything else here reads them.
        """
        geometry = self._geometry
        index_of = {candidate: index for index, candidate in enumerate(self._transposer.order)}
        digits = range(1, geometry.size + 1)

        def lanes(cells: Sequence[int]) -> list[list[int]]:
            """For each digit the lanes of these cells."""
            return [[index_of[cell, digit] for cell in cells] for digit in digits]

        def lines(kind: Sequence[Unit], height: int) -> Stage:
            """All rows or all columns, as bands if there are such: not where a box is a line."""
            # In bands of one line there is nothing to arrange; where all lines are one band, boxes
            # are lines.
            if not 1 < height <= min(_MOST_LINES, len(kind) - 1):
                return Groups([group for unit in kind for group in lanes(unit.cells)])
            bands = (kind[first : first + height] for first in range(0, len(kind), height))
            cells = [[cell for line in band for cell in line.cells] for band in bands]
            return Bands([group for band in cells for group in lanes(band)], height)

        yield Groups([group for box in geometry.boxes for group in lanes(box.cells)])
        yield lines(geometry.rows, geometry.box_rows)
        yield lines(geometry.columns, geometry.box_columns)
        yield Groups(list(zip(*lanes(range(geometry.cell_count)), strict=True)))


def _reorder(before: Sequence[int], after: Sequence[int]) -> "itemgetter[Lanes]":
    """Brings a list of lanes from one stage's order into the next one's, in one call."""
    place_of = {lane: place for place, lane in enumerate(before)}
    return itemgetter(*(place_of[lane] for lane in after))
