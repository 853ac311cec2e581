"""What a position counts, compared with what is left of its truths."""

import pytest

from satdoku.explaining.board import build_board
from satdoku.explaining.position import Position
from satdoku.explaining.step import Level
from satdoku.explaining.way import Walker
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.boards import HARD
from tests.explaining.samples import of_file, ruled_puzzle, shared_board

PUZZLES = [
    pytest.param(HARD, marks=pytest.mark.slow),
    *of_file("easy", 2),
    *(pytest.param(each, marks=pytest.mark.slow) for each in of_file("sparse", 2)),
    ruled_puzzle("diagonals", 1, 40),
]


def require_right_counts(position: Position) -> None:
    """Fails unless the position knows which truths are open, narrow and empty."""
    board, left, placed = position.board, position.left, position.placed
    is_open = [t for t in board.truths if not t.members & (placed | board.givens)]
    assert position.open_truths == is_open
    units = board.puzzle.constraints.units
    assert position.open_in[:-1] == [sum(t.unit == unit for t in is_open) for unit in units]
    assert position.open_in[-1] == sum(t.unit is None for t in is_open)
    empty, single = position.sort_out()
    assert empty == next((t for t in is_open if not t.members & left), None)
    assert single == [t for t in is_open if (t.members & left).bit_count() == 1]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_a_position_knows_what_is_left_of_its_truths_after_every_step(puzzle: Puzzle) -> None:
    for board in (build_board(puzzle), shared_board(puzzle)):
        with Walker(board, Level.ALL, Budget()) as walker:
            require_right_counts(walker.position)
            while walker.next_step() is not None:
                require_right_counts(walker.position)
            assert walker.position.is_full
