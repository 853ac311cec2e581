"""A drawing becomes a board, or a fault with its place."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.drawings.board import read_board
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry

FOUR = "1234\n3412\n2143\n4321"


def test_a_board_has_the_digits_of_its_rows() -> None:
    grid = read_board(Record(1, "12|34\n3 4 1 2\n--+--\n21 43\n4,,2,1"), Hints(), "")
    assert grid.rows == [(1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 0, 2, 1)]
    assert grid.geometry == Geometry(2, 2)


def test_borders_and_hints_decide_the_boxes() -> None:
    text = ("12|34|56\n" * 3 + "--+--+--\n") * 2
    assert read_board(Record(1, text), Hints(), "").geometry == Geometry(3, 2)
    six = "123456\n" * 6
    assert read_board(Record(1, six), Hints(), "").geometry == Geometry(2, 3)
    assert read_board(Record(1, six), Hints(Geometry(3, 2)), "").geometry == Geometry(3, 2)


def test_letters_are_read_in_the_alphabet_that_is_asked_for() -> None:
    hints = Hints(alphabet=Alphabet("A"))
    assert read_board(Record(1, "ABCD\n" * 4), hints, "").rows[0] == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1234\n3412\n2143", "f:9:1: 3 rows found, expected 4 for 4x4"),
        ("\n1234", "f:8:1: 1 row found, expected 4 for 4x4"),
        ("12!4\n3412", "f:7:3: '!' is not a digit or a blank"),
        ("1234\n3 é+_|,*?;", "f:8:10: ';' is not a digit or a blank"),
        ("1234\n\n3412\n214\n4321", "f:10:4: 3 cells found in row 3, expected 4"),
        ("1234\n3412\n21435\n4321", "f:9:5: 5 cells found in row 3, expected 4"),
        ("1234\n3412\n1\n4321", "f:9:2: 1 cell found in row 3, expected 4"),
        ("1 2 3 4\n3 4 1 2\n2 1 4 5\n4 3 2 1", "f:9:7: '5' is not a digit 1-4 or a blank"),
        ("1 2 3 10\n3 4 1 2\n2143\n4 3 2 1", "f:9:2: 1 cell found in row 3, expected 4"),
        ("1 2 3 10\n3 4 1 2\n2 1 4 3\n4 3 2 1", "f:7:7: '10' is not a digit 1-4"),
        ("123\n123\n123", "f:7:1: a board of 3x3 has no boxes"),
        ("\n\n123\n123\n123", "f:9:1: a board of 3x3 has no boxes"),
        ("12|34\n--+--\n34|12\n--+--\n21|43\n--+--\n43|2x1", "f:13:6: 5 cells found"),
    ],
)
def test_a_fault_has_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_board(Record(7, text), Hints(), "f")
    assert str(caught.value).startswith(message)


def test_a_text_without_rows_has_its_fault_at_its_beginning() -> None:
    with pytest.raises(FormatError, match="f:7:1: 0 rows found, expected 9 for 9x9"):
        read_board(Record(7, "+--+"), Hints(Geometry()), "f")


def test_the_size_must_be_the_one_that_was_said() -> None:
    with pytest.raises(FormatError, match="f:2:1: 4 rows found, expected 6 for 6x6"):
        read_board(Record(-1, FOUR), Hints(Geometry(2, 3)), "f")
    with pytest.raises(FormatError, match="f:1:5: 4 cells found in row 1, expected 6"):
        read_board(Record(1, FOUR + "\n1234\n1234"), Hints(Geometry(2, 3)), "f")
