"""A walk whose moves are machine code; importing this needs numba."""

from itertools import accumulate
from typing import cast

import numpy as np

from satdoku.solving.large.compiled_moves import DRAWS_A_MOVE, NONE, Board, Ints, State, advance
from satdoku.solving.large.neighbours import Neighbours
from satdoku.solving.large.walk import MOST_EXTRA, Walk


class CompiledWalk:
    """Goes on where a walk stands, with the moves that it would make."""

    # Some ten milliseconds.
    moves_a_look = 10_000

    def __init__(self, walk: Walk) -> None:
        """`walk` has made no moves yet, so that nothing is forbidden."""
        assert walk.moves == 0
        self._forbidden_share = walk.forbidden_share
        # The generator of numpy with this name draws the same numbers as Python's.
        *key, position = walk.chance.getstate()[1]
        self._chance = np.random.RandomState()
        self._chance.set_state(("MT19937", np.array(key, np.uint32), position, 0, 0.0))
        self._board = _to_board(walk.neighbours)
        self._state = _to_state(walk, self.moves_a_look * DRAWS_A_MOVE)
        self._state.lots[:] = self._chance.random_sample(len(self._state.lots))
        # This makes no move: with the first call numba loads the machine code, or makes it.
        advance(self._board, self._state, 0, self._forbidden_share)

    @property
    def moves(self) -> int:
        return int(self._state.moves[0])

    @property
    def held(self) -> list[int]:
        return cast(list[int], self._state.held.tolist())

    @property
    def in_conflict(self) -> list[int]:
        return cast(list[int], self._state.in_conflict[: self._state.conflict_count[0]].tolist())

    def advance(self, end: int) -> None:
        """Makes moves until there were `end` in all, or until no cell is in conflict."""
        state = self._state
        while state.moves[0] < end and state.conflict_count[0]:
            self._draw_lots()
            stop = min(end, self.moves + self.moves_a_look)
            advance(self._board, state, stop, self._forbidden_share)

    def _draw_lots(self) -> None:
        """Replaces the random numbers that moves have used up.

        New ones stand behind those that are left, so that moves get them in the order in which the
        generator draws them.
        """
        lots, used = self._state.lots, int(self._state.used[0])
        if used:
            left = len(lots) - used
            lots[:left] = lots[used:].copy()
            lots[left:] = self._chance.random_sample(used)
            self._state.used[0] = 0


def _to_board(neighbours: Neighbours) -> Board:
    first_neighbour = list(accumulate(map(len, neighbours.of), initial=0))
    return Board(
        first_candidate=_array([each.start for each in neighbours.slices] + [len(neighbours.of)]),
        cell_of=_array(neighbours.cell_of),
        first_neighbour=_array(first_neighbour),
        neighbours=np.fromiter(
            (other for own in neighbours.of for other in own), np.int32, first_neighbour[-1]
        ),
    )


def _to_state(walk: Walk, lots: int) -> State:
    cells = len(walk.held)
    longest = int(walk.forbidden_share * cells) + MOST_EXTRA + 1
    return State(
        conflicts=_array(walk.conflicts),
        held=_array(walk.held),
        in_conflict=_array(walk.in_conflict, cells),
        cost=_array(walk.cost, cells),
        place_of=_array(walk.place_of),
        first_released=np.full(longest + 1, NONE, np.int32),
        next_released=np.full(len(walk.conflicts), NONE, np.int32),
        lots=np.zeros(lots),
        moves=np.zeros(1, np.int64),
        conflict_count=np.array([len(walk.in_conflict)], np.int64),
        used=np.zeros(1, np.int64),
    )


def _array(numbers: list[int], length: int | None = None) -> Ints:
    """These numbers, with room for more where a length is given."""
    array = np.zeros(len(numbers) if length is None else length, np.int32)
    array[: len(numbers)] = numbers
    return array
