"""The moves of `walk.py` as machine code, 20 to 30 times as fast; importing this needs numba.

The functions here are the methods of `Walk`, on arrays instead of lists: a loop over an array is
what numba makes fast, a slice of a list is what Python does fast. With the same lots they make
the same moves, which a test compares.

They take arrays one by one, though there are many, because a tuple of arrays as an argument halves
the speed: numba then counts references to all of its arrays in each call.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Lots = NDArray[np.float64]
Counter = NDArray[np.int64]
"""A single number, in an array so that functions can change it."""

# As in `walk.py`, which says what they are; a test compares them. They are not imported, because
# numba goes on with code that it kept until something in this file changes.
BARRED, SAMPLE, MOST_EXTRA = 1 << 30, 20, 10

DRAWS_A_MOVE = 3
"""What is drawn by lot in one move, at most: the place of a sample, which of several best
candidates, and how much longer a candidate is forbidden.
"""

NONE = -1
"""The first candidate of an empty list, and the place of a cell that is not in conflict."""

Function = TypeVar("Function", bound=Callable[..., object])


class Board(NamedTuple):
    """`Neighbours` as arrays: what belongs to item n begins at n, and ends where n + 1 begins."""

    first_candidate: Ints
    cell_of: Ints
    first_neighbour: Ints
    neighbours: Ints


class State(NamedTuple):
    """What a walk knows, as arrays.

    Of `in_conflict` and `cost` only the first `conflict_count` items count.
    """

    conflicts: Ints
    held: Ints
    in_conflict: Ints
    cost: Ints
    place_of: Ints
    # Which candidates are released at a move: a linked list for each move to come, in a ring.
    first_released: Ints
    next_released: Ints
    # Numbers from 0 to 1, drawn by lot in advance.
    lots: Lots
    # The moves made, the cells in conflict, and the lots used up.
    moves: Counter
    conflict_count: Counter
    used: Counter


def compile_once(function: Function) -> Function:
    """Machine code for a function; numba makes it as soon as it is called."""
    return cast(Function, numba.njit(nogil=True)(function))


def compile_and_keep(function: Function) -> Function:
    """The same, kept for later processes, with all that it calls."""
    try:
        return cast(Function, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:
        # Neither the folder of this file nor one of the user's can be written to.
        return compile_once(function)


@compile_once
def _draw(lots: Lots, used: Counter, number: int) -> int:
    """A number from 0, below this one, by lot."""
    lot = lots[used[0]]
    used[0] += 1
    return int(lot * number)


@compile_once
def _find_cost(first_candidate: Ints, conflicts: Ints, held: Ints, cell: int) -> int:
    fewest = conflicts[first_candidate[cell]]
    for candidate in range(first_candidate[cell] + 1, first_candidate[cell + 1]):
        fewest = min(fewest, conflicts[candidate])
    return int(fewest - conflicts[held[cell]])


@compile_once
def _best_of(first_candidate: Ints, conflicts: Ints, lots: Lots, used: Counter, cell: int) -> int:
    first, end = first_candidate[cell], first_candidate[cell + 1]
    best, fewest, equal = first, conflicts[first], 1
    for candidate in range(first + 1, end):
        if conflicts[candidate] < fewest:
            best, fewest, equal = candidate, conflicts[candidate], 1
        elif conflicts[candidate] == fewest:
            equal += 1
    if equal > 1:
        skipped = _draw(lots, used, equal)
        for candidate in range(best, end):
            if conflicts[candidate] == fewest:
                if skipped == 0:
                    return int(candidate)
                skipped -= 1
    return int(best)


@compile_once
def _drop(in_conflict: Ints, cost: Ints, place_of: Ints, count: Counter, cell: int) -> None:
    count[0] -= 1
    place, end = place_of[cell], count[0]
    last = in_conflict[end]
    in_conflict[place] = last
    cost[place] = cost[end]
    place_of[last] = place
    place_of[cell] = NONE


@compile_once
def _release(
    candidate: int,
    cell_of: Ints,
    next_released: Ints,
    conflicts: Ints,
    held: Ints,
    cost: Ints,
    place_of: Ints,
) -> None:
    """Ends the time in which this candidate, and those behind it in its list, are forbidden."""
    while candidate != NONE:
        conflicts[candidate] -= BARRED
        cell = cell_of[candidate]
        place = place_of[cell]
        if place >= 0:
            cost[place] = min(cost[place], conflicts[candidate] - conflicts[held[cell]])
        candidate = next_released[candidate]


@compile_once
def _choose_cell(in_conflict: Ints, cost: Ints, lots: Lots, used: Counter, count: int) -> int:
    """The cell whose move costs least, of a sample that begins at a random place."""
    start = _draw(lots, used, count)
    best, least = start, cost[start]
    for n in range(start + 1, start + min(SAMPLE, count)):
        place = n if n < count else n - count
        if cost[place] < least:
            best, least = place, cost[place]
    return int(in_conflict[best])


@compile_once
def _lower(
    own_neighbours: Ints,
    cell_of: Ints,
    conflicts: Ints,
    held: Ints,
    in_conflict: Ints,
    cost: Ints,
    place_of: Ints,
    count: Counter,
) -> None:
    for candidate in own_neighbours:
        conflicts[candidate] = left = conflicts[candidate] - 1
        cell = cell_of[candidate]
        place = place_of[cell]
        if place < 0:
            continue
        own = held[cell]
        if own != candidate:
            cost[place] = min(cost[place], left - conflicts[own])
        elif left == BARRED:
            _drop(in_conflict, cost, place_of, count, cell)
        else:
            cost[place] += 1


@compile_once
def _raise(
    own_neighbours: Ints,
    first_candidate: Ints,
    cell_of: Ints,
    conflicts: Ints,
    held: Ints,
    in_conflict: Ints,
    cost: Ints,
    place_of: Ints,
    count: Counter,
) -> None:
    for candidate in own_neighbours:
        before = conflicts[candidate]
        conflicts[candidate] = before + 1
        cell = cell_of[candidate]
        place, own = place_of[cell], held[cell]
        if place < 0:
            if own == candidate:
                place_of[cell] = place = count[0]
                count[0] += 1
                in_conflict[place] = cell
                cost[place] = _find_cost(first_candidate, conflicts, held, cell)
        elif own == candidate:
            cost[place] -= 1
        elif before - conflicts[own] == cost[place]:
            # It was the best of its cell, and perhaps is no longer.
            cost[place] = _find_cost(first_candidate, conflicts, held, cell)


@compile_and_keep
def advance(board: Board, state: State, end: int, forbidden_share: float) -> None:
    first_candidate, cell_of, first_neighbour, neighbours = board
    conflicts, held, in_conflict, cost, place_of = state[:5]
    first_released, next_released, lots, moves, count, used = state[5:]
    while moves[0] < end and count[0]:
        slot = moves[0] % len(first_released)
        _release(first_released[slot], cell_of, next_released, conflicts, held, cost, place_of)
        first_released[slot] = NONE

        cell = _choose_cell(in_conflict, cost, lots, used, count[0])
        candidate, former = _best_of(first_candidate, conflicts, lots, used, cell), held[cell]
        moves[0] += 1
        if conflicts[candidate] >= BARRED:
            continue  # All candidates of the cell are forbidden at present.

        until = moves[0] + int(forbidden_share * count[0]) + _draw(lots, used, MOST_EXTRA)
        slot = until % len(first_released)
        next_released[former] = first_released[slot]
        first_released[slot] = former
        held[cell] = candidate
        conflicts[candidate] += BARRED
        own = neighbours[first_neighbour[former] : first_neighbour[former + 1]]
        _lower(own, cell_of, conflicts, held, in_conflict, cost, place_of, count)
        own = neighbours[first_neighbour[candidate] : first_neighbour[candidate + 1]]
        _raise(own, first_candidate, cell_of, conflicts, held, in_conflict, cost, place_of, count)
        if conflicts[candidate] == BARRED:
            _drop(in_conflict, cost, place_of, count, cell)
        else:
            cost[place_of[cell]] = _find_cost(first_candidate, conflicts, held, cell)


def is_compiling() -> bool:
    """Whether numba makes machine code: who looks for a fault may have told it to run Python."""
    return not cast(Any, numba.config).DISABLE_JIT


def folder_of_code() -> Path | None:
    """Where numba keeps the code of `advance`; None where it has no folder to keep it in."""
    path: str | None = cast(Any, advance).stats.cache_path
    return Path(path) if path else None
