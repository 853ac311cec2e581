"""Boards in rows and frames are written exactly, and answered as they came."""

import pytest

from satdoku.notation.drawings.rows import GridFormat, RowsFormat
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

GRID = Grid(Geometry(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
LARGE = Grid(Geometry(2, 5), tuple(cell % 10 + 1 for cell in range(100)))


def answer(text: str, solution: Grid, hints: Hints | None = None) -> str:
    return RowsFormat().write_answer(Record(1, text), solution, hints or Hints())


def test_a_board_is_a_line_for_each_row() -> None:
    assert RowsFormat().write(Puzzle(GRID, "name", "comment")) == "1234\n3412\n2143\n4321\n"


def test_a_record_has_the_name_of_the_title_above_it() -> None:
    record = Record(2, "1234\n3412\n2143\n4321", "Grid 01")
    assert RowsFormat().parse(record, Hints(), "") == Puzzle(GRID, "Grid 01")


@pytest.mark.parametrize(
    ("text", "first_row"),
    [
        ("1..4\n....\n....\n....", "1234"),
        ("1 . . 4\n. . . .\n. . . .\n. . . .", "1 2 3 4"),
        ("1. .4\n.. ..\n.. ..\n.. ..", "1234"),
        ("1,,,4\n,,,\n,,,\n,,,", "1 2 3 4"),
    ],
)
def test_an_answer_is_spaced_as_its_puzzle(text: str, first_row: str) -> None:
    assert answer(text, GRID).split("\n")[0] == first_row


@for_each(
    "row, first_row",
    [
        ("1........A", "123456789A"),
        ("1 . . . . . . . . A", "1 2 3 4 5 6 7 8 9 A"),
        ("1 . . . . . . . . 10", " 1  2  3  4  5  6  7  8  9 10"),
        ("..........", "123456789A"),
        (". . . . . . . . . .", " 1  2  3  4  5  6  7  8  9 10"),
    ],
)
def test_an_answer_has_the_symbols_of_its_puzzle(row: str, first_row: str) -> None:
    text = "\n".join([row] + [row.replace("1", ".").replace("A", ".").replace(".0", ".")] * 9)
    assert answer(text, LARGE).split("\n")[0] == first_row


def test_an_answer_has_the_alphabet_that_was_asked_for() -> None:
    hints = Hints(alphabet=Alphabet("0"))
    assert answer("\n".join(["." * 10] * 10), LARGE, hints).split("\n")[0] == "0123456789"
    assert RowsFormat().write(Puzzle(GRID), Spelling(Alphabet("A"))).split("\n")[0] == "ABCD"


SIX = Grid(Geometry(2, 3), tuple((cell + cell // 6) % 7 for cell in range(36)))
DRAWN = """\
+-------+-------+
| . 1 2 | 3 4 5 |
| . 1 2 | 3 4 5 |
+-------+-------+
| . 1 2 | 3 4 5 |
| . 1 2 | 3 4 5 |
+-------+-------+
| . 1 2 | 3 4 5 |
| . 1 2 | 3 4 5 |
+-------+-------+
"""


def test_boxes_have_borders() -> None:
    assert GridFormat().write(Puzzle(Grid(Geometry(2, 3), (0, 1, 2, 3, 4, 5) * 6))) == DRAWN


def test_numbers_stand_in_columns() -> None:
    grid = Grid(Geometry(2, 5), tuple(cell % 11 for cell in range(100)))
    lines = GridFormat().write(Puzzle(grid)).split("\n")
    assert lines[0] == "+----------------+----------------+"
    assert lines[1] == "|  .  1  2  3  4 |  5  6  7  8  9 |"
    assert lines[2] == "| 10  .  1  2  3 |  4  5  6  7  8 |"


def test_symbols_are_those_of_the_spelling() -> None:
    text = GridFormat().write(Puzzle(SIX), Spelling(Alphabet("A"), blank="_"))
    assert text.split("\n")[1] == "| _ A B | C D E |"


def test_an_answer_is_a_frame_with_the_same_symbols() -> None:
    grid = Grid(Geometry(2, 2), (1, 2, 3, 4) * 4)
    answer = GridFormat().write_answer(Record(1, "AB|CD\n" * 4), grid, Hints(None, Alphabet("A")))
    assert answer.split("\n")[:2] == ["+-----+-----+", "| A B | C D |"]
