from satdoku.notation.exchange.objects import read_object
from tests.notation.exchange.boards import GRID, fpuzzles_board


def test_a_board_of_f_puzzles_is_read_as_one() -> None:
    assert read_object(fpuzzles_board()).puzzle().grid == GRID
