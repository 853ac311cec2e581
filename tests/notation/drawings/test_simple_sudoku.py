"""Simple Sudoku's files, exactly; only the first state of a board is a puzzle."""

import pytest

from satdoku.notation.drawings.simple_sudoku import SimpleSudokuFormat
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

SIX = Grid(Geometry(2, 3), (0, 1, 2, 3, 4, 5) * 6)
DRAWN = """\
*-------*
|.12|345|
|.12|345|
|---+---|
|.12|345|
|.12|345|
|---+---|
|.12|345|
|.12|345|
*-------*
"""


def count(*boards: str) -> int:
    text = "\n".join("*-----*\n" + board + "\n*-----*\n" for board in boards)
    return len(list(read_puzzles(text.split("\n"), format_name="ss")))


def test_boxes_have_borders_where_they_end() -> None:
    assert SimpleSudokuFormat().write(Puzzle(SIX)) == DRAWN


def test_higher_boxes_have_fewer_borders() -> None:
    lines = SimpleSudokuFormat().write(Puzzle(Grid.empty(Geometry(3, 2)))).split("\n")
    assert lines == [
        *("*--------*", "|..|..|..|", "|..|..|..|", "|..|..|..|"),
        *("|--+--+--|", "|..|..|..|", "|..|..|..|", "|..|..|..|", "*--------*", ""),
    ]


def test_numbers_and_spaced_symbols_have_wider_borders() -> None:
    numbers = SimpleSudokuFormat().write(Puzzle(Grid.empty(Geometry(2, 5))))
    assert numbers.split("\n")[:4] == [
        *("*-------------------*", "|. . . . .|. . . . .|", "|. . . . .|. . . . .|"),
        "|---------+---------|",
    ]
    spaced = SimpleSudokuFormat().write(Puzzle(SIX), Spelling(Alphabet("A"), is_spaced=True))
    assert spaced.split("\n")[:2] == ["*-----------*", "|. A B|C D E|"]


FIRST = "1.|3.\n..|..\n..|..\n..|.4"


@pytest.mark.parametrize(
    "later",
    [
        FIRST,
        "12|3.\n..|..\n..|..\n..|.4",
        "12|34\n34|12\n21|43\n43|24",
        "1 23|3 4\n2 34|1 2\n2 1|4 3\n4 3|1 4",
    ],
)
def test_a_later_state_is_no_puzzle(later: str) -> None:
    assert count(FIRST, later) == 1
    assert count(FIRST, later, later) == 1


@pytest.mark.parametrize(
    "other",
    [
        "2.|3.\n..|..\n..|..\n..|.4",
        "1.|..\n..|..\n..|..\n..|.4",
        "1.|3.\n..|..\n..|..\n..|..",
        "123|...\n" * 6,
    ],
)
def test_another_board_is_a_puzzle(other: str) -> None:
    assert count(FIRST, other) == 2


def test_a_board_is_compared_with_the_last_puzzle() -> None:
    other = FIRST.replace("3", "2")
    assert count(FIRST, other, other.replace(".", "1"), FIRST) == 3


@pytest.mark.parametrize("blank", [".", "0", "-", "_", "x"])
def test_every_blank_may_be_filled(blank: str) -> None:
    given = FIRST.replace(".", blank)
    filled = FIRST.replace(".", "2")
    assert count(given, filled) == 1


def test_numbers_of_two_places_are_no_candidates() -> None:
    row = " ".join(["10", *".........".replace("", " ").split()])
    first = "\n".join([row] * 10)
    assert count(first, first.replace("10", "9")) == 2
    assert count(first, first.replace("10", "123")) == 1
