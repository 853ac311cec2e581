"""Filling a large board by local search: by the moves of `walk.py` or, where there is the compiled
library, by the same moves made there.

The library makes them 20 to 30 times as fast. The search finds a solution or it does not; it never
shows that there is none.
"""

from array import array
from collections.abc import Iterable, Sequence
from ctypes import POINTER, Structure, byref, c_double, c_int32, c_int64, c_uint32, c_void_p, cast
from itertools import accumulate, chain
from typing import Any, Protocol

from satdoku.errors import SatdokuError
from satdoku.lanes.library import Library
from satdoku.solving.large.walk import MOST_EXTRA, Neighbours, Walk
from satdoku.solving.limits import Budget


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
