"""A board in a frame, exactly."""

from satdoku.notation.drawings.grid import GridFormat
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

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
