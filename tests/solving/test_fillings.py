"""The fillings of some cells are all there are, each once."""

from itertools import islice
from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.solving.fillings import Fillings, TooManyDeadEndsError
from tests.boards import full_grid
from tests.oracle import count_solutions


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("seed", range(5))
def test_as_many_as_plain_backtracking_finds(shape: tuple[int, int], seed: int) -> None:
    geometry = Geometry(*shape)
    rng = Random(seed)
    digits = bytes(full_grid(rng, geometry).digits)
    cells = sorted(rng.sample(range(len(digits)), min(20, len(digits) - seed)))
    board = bytes(0 if cell in cells else digit for cell, digit in enumerate(digits))
    found = list(Fillings(geometry).find(digits, cells))
    assert len(found) == len(set(found)) == count_solutions(*shape, tuple(board), 10_000)
    assert digits in found
    for filling in found:
        assert all(
            filling[cell] == digits[cell] for cell in range(81) if board[cell : cell + 1] > b"\0"
        )


def test_without_cells_the_board_is_its_only_filling() -> None:
    assert list(Fillings(Geometry(2, 2)).find(b"any board", [])) == [b"any board"]


def test_a_search_with_many_dead_ends_is_given_up() -> None:
    geometry = Geometry(5, 5)
    board = bytes(full_grid(Random(1), geometry).digits)
    with pytest.raises(TooManyDeadEndsError):
        list(islice(Fillings(geometry).find(board, range(600)), 100_000))
