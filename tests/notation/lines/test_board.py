"""The cells of a line make a board, or a fault with its place."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.lines.board import read_cells, spelling_of_line
from satdoku.notation.lines.cells import find_cells
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid

SMALL = "1..4.3.1.1.32.1."


def read(text: str, hints: Hints | None = None, usual_size: int | None = None) -> Grid:
    hints = hints or Hints()
    return read_cells(find_cells(text, hints.size), hints, "f", (7, 10), usual_size)


def test_a_board_has_the_digits_of_its_cells() -> None:
    assert read(f"{SMALL} x").digits == tuple(int(cell) for cell in SMALL.replace(".", "0"))
    assert read("." * 36, Hints(Geometry(3, 2))).geometry == Geometry(3, 2)
    assert read("AB..", Hints(Geometry(1, 2), Alphabet("A"))).digits == (1, 2, 0, 0)


@pytest.mark.parametrize(
    ("text", "hints", "usual_size", "message"),
    [
        ("  12q4.3.1.1.32.1.", Hints(), None, "f:7:14: 'q' is not a digit 1-4"),
        ("12!4", Hints(), None, "f:7:12: '!' is not a digit or a blank"),
        ("1 2 !+! 4", Hints(), None, "f:7:14: '!+!' is not a digit or a blank"),
        (SMALL[:-1], Hints(), None, "f:7:25: 15 cells found, expected 16 for 4x4"),
        (SMALL + "1", Hints(), None, "f:7:26: 17 cells found, expected 16 for 4x4"),
        ("1 2 34 56 7", Hints(), None, "f:7:21: 5 cells found, expected 16 for 4x4"),
        ("1 2 3 44", Hints(), None, "f:7:18: 4 cells found, expected 16 for 4x4"),
        ("", Hints(), None, "f:7:10: 0 cells found, expected 16 for 4x4"),
        ("." * 62, Hints(), None, "f:7:72: 62 cells found, expected 64 for 8x8"),
        ("." * 62, Hints(), 9, "f:7:72: 62 cells found, expected 81 for 9x9"),
        ("." * 80, Hints(), 9, "f:7:90: 80 cells found, expected 81 for 9x9"),
        ("." * 82, Hints(), 9, "f:7:91: 82 cells found, expected 81 for 9x9"),
        ("." * 62, Hints(), 4, "f:7:72: 62 cells found, expected 64 for 8x8"),
        ("." * 81, Hints(Geometry(2, 3)), 9, "f:7:46: 81 cells found, expected 36 for 6x6"),
        ("  " + "." * 16, Hints(Geometry(2, 3)), None, "f:7:28: 16 cells found, expected 36"),
    ],
)
def test_a_fault_has_its_place(
    text: str, hints: Hints, usual_size: int | None, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, hints, usual_size)
    assert str(caught.value).startswith(message)


def test_a_wrong_box_shape_is_a_fault_of_the_first_cell() -> None:
    with pytest.raises(
        FormatError, match=r"f:7:12: a board of 4x4 found, but boxes of 2x3 make 6x6"
    ):
        read_cells(find_cells("  " + SMALL), Hints(Geometry(2, 3)), "f", (7, 10))


def test_boards_are_written_as_they_were_read() -> None:
    assert spelling_of_line("1..G" * 64 + " name", Hints(), 16) == Spelling(Alphabet("1"))
    assert spelling_of_line("1 16 " * 128, Hints(), 16) == Spelling(Alphabet("numbers"))
    assert spelling_of_line("A" * 100, Hints(alphabet=Alphabet("A")), 10).alphabet == Alphabet("A")
    assert spelling_of_line("ABCD" * 4, Hints(alphabet=Alphabet("A")), 4).alphabet == Alphabet("A")
    assert spelling_of_line("1234" * 4, Hints(), 4) == Spelling()
    assert spelling_of_line("1..9A" * 20, Hints(), 10) == Spelling(Alphabet("1"))
