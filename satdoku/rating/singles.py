"""Which puzzles singles solve, and what is open where they do not."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.rating.candidates import Candidates
from satdoku.rating.lanes import Boards, Lanes
from satdoku.solving.limits import Budget


class Start(NamedTuple):
    """What singles make of some puzzles: bit p of each mask, and of each lane, is for puzzle p.

    `open` are the candidates that are left when singles of both kinds find nothing more.
    """

    filled_by_hidden: int
    filled: int
    impossible: int
    open: Lanes


def apply_singles(candidates: Candidates, grids: Sequence[Grid], budget: Budget) -> Start:
    """Hidden singles as far as they go, then naked ones too."""
    boards = _load(candidates, grids, budget)
    while boards.settle_singles(candidates.hidden) & ~boards.bad:
        budget.require()
    filled_by_hidden = boards.find_filled()
    while boards.settle_singles(candidates.full_groups) & ~boards.bad:
        budget.require()
    filled = boards.find_filled()
    return Start(filled_by_hidden, filled, boards.bad, boards.open)


def _load(candidates: Candidates, grids: Sequence[Grid], budget: Budget) -> Boards:
    """The boards, with what the givens exclude removed."""
    open_ = [0] * candidates.count
    given = [0] * candidates.count
    for number, grid in enumerate(grids):
        budget.work(len(grid.digits))
        board = 1 << number
        for candidate in candidates.open_in(grid):
            open_[candidate] |= board
            if grid.digits[candidate // candidates.size] != EMPTY:
                given[candidate] |= board
    boards = Boards(candidates, open_, (1 << len(grids)) - 1)
    boards.settle(given)
    return boards
