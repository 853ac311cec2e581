"""Filling a large board by local search: by the moves of `walk.py` or, where there is the compiled
library, by the same moves made there.

It finds a solution or it does not; it never shows that there is none.
"""

from typing import Protocol

from satdoku.lanes.library import Library
from satdoku.solving.large.neighbours import Neighbours
from satdoku.solving.large.walk import Walk
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
            # Imported here: without the library nothing of `ctypes` is needed.
            from satdoku.solving.large.compiled_walk import CompiledWalk

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
