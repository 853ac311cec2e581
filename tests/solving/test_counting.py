"""Counting meets every solution once, whatever the size of the region."""

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

import satdoku
from satdoku.encoding.encode import Encoding
from satdoku.errors import WrongSolutionError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.counting import FillingCounter, can_count_by_fillings
from satdoku.solving.fillings import Fillings
from satdoku.solving.settings import Settings
from tests.boards import random_puzzle
from tests.oracle import count_solutions


@pytest.mark.parametrize("encoding", [Encoding.REDUCED, Encoding.MINIMAL])
@pytest.mark.parametrize("most_fillings", [1, 2, 5, 40, 100_000])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_regions_of_any_size_give_the_same_number(
    shape: tuple[int, int], most_fillings: int, encoding: Encoding
) -> None:
    rng = Random(repr(shape))
    for _ in range(6):
        puzzle = random_puzzle(rng, Geometry(*shape), 0.35)
        expected = count_solutions(*shape, puzzle.grid.digits, 100_000)
        counts = FillingCounter(puzzle, Settings(encoding=encoding), most_fillings).counts()
        assert sum(counts) == expected


def test_the_288_boards_of_4x4_are_met_in_pieces_too() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    for most in (3, 17, 287, 288):
        assert sum(FillingCounter(puzzle, Settings(), most).counts()) == 288


def test_a_region_that_turns_out_too_large_becomes_smaller() -> None:
    # The first solution has few fillings in the region that is chosen, later ones have more.
    puzzle = satdoku.parse("." * 36)
    counts = list(islice(FillingCounter(puzzle, Settings(), 60).counts(), 300))
    assert max(counts) <= 60
    assert len(counts) == 300


def test_a_full_board_has_itself() -> None:
    assert satdoku.count("1234341221434321").number == 1


def test_a_wrong_filling_is_never_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(fillings: Fillings, board: bytes, cells: Sequence[int]) -> list[bytes]:
        return [board, board[1::-1] + board[2:]]

    monkeypatch.setattr(Fillings, "find", find)
    with pytest.raises(WrongSolutionError):
        satdoku.count("1" + "." * 15)


def test_only_what_the_search_for_fillings_knows_is_counted_so() -> None:
    assert can_count_by_fillings(satdoku.parse("." * 256), Settings())
    assert not can_count_by_fillings(satdoku.parse("." * 625), Settings())
    diagonals = satdoku.parse("." * 81, rules=["diagonals"])
    assert not can_count_by_fillings(diagonals, Settings())
    assert not can_count_by_fillings(satdoku.parse("." * 81), Settings(command="minisat"))
