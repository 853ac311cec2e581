"""Cells are told by the digits that they have left."""

from satdoku.explaining.board import build_board
from satdoku.explaining.words.names import Names, name_beside
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import every_digit, mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

BOARD = Geometry(2, 3)
NAMES = Names(build_board(Puzzle(Grid.empty(BOARD))))


def test_cells_that_lost_nothing_may_be_anything() -> None:
    every = every_digit(BOARD.size)
    assert NAMES.may_be(every) == "may be anything"
    assert NAMES.may_be(every, cells=2) == "may each be anything"


def test_cells_are_told_by_the_shorter_of_what_is_left_and_what_is_gone() -> None:
    assert NAMES.may_be(0) == "has no digit left"
    assert NAMES.may_be(mask_of([2, 5])) == "is 2 or 5"
    assert NAMES.may_be(mask_of([2, 3, 4]), cells=2) == "are 2 to 4"
    assert NAMES.may_be(mask_of([1, 2, 4, 5, 6])) == "is not 3"


def test_cells_beside_the_board_are_told_to_be_there_once() -> None:
    board = Arrangement.read("board:4x4:boxes=2x2:beside=VA*3+VB*2")
    names = Names(build_board(Puzzle(Grid.empty(board))))
    assert name_beside(names, "r1c1≠1") == "r1c1≠1"
    text = "the cells r1c1,VA1,VA2 and VB1 sum to 9; VA3 is 1; so VA1≠2"
    assert name_beside(names, text) == text.replace("VB1", "VB1 (beside the board)")
    assert name_beside(NAMES, text) == text
