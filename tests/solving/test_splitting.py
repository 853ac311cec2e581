"""The shares of a puzzle have its solutions, each in one of them."""

from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.splitting import split_puzzle
from tests.boards import random_puzzle
from tests.oracle import count_solutions


@pytest.mark.parametrize("least", [1, 2, 7, 50])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3)])
def test_numbers_of_solutions_add_up(shape: tuple[int, int], least: int) -> None:
    rng = Random(least)
    for _ in range(5):
        puzzle = random_puzzle(rng, Geometry(*shape), 0.35)
        shares = split_puzzle(puzzle, least)
        assert len({share.grid for share in shares}) == len(shares)
        numbers = [count_solutions(*shape, share.grid.digits, 100_000) for share in shares]
        assert sum(numbers) == count_solutions(*shape, puzzle.grid.digits, 100_000)


def test_there_are_as_many_parts_as_were_asked_for_if_cells_make_them() -> None:
    empty = Puzzle(Grid.empty(Geometry(2, 2)))
    assert [len(split_puzzle(empty, least)) for least in (1, 2, 5, 25)] == [1, 4, 12, 48]
    assert split_puzzle(Puzzle(Grid(Geometry(2, 2), (1, 1) + (0,) * 14)), 5) != []


def test_givens_that_leave_a_cell_empty_leave_no_part() -> None:
    stuck = Grid(Geometry(2, 2), (0, 1, 2, 0, 3, 0, 0, 0, 4, *(0,) * 7))
    assert split_puzzle(Puzzle(stuck), 5) == []
