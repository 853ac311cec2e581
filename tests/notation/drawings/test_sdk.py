"""SadMan Sudoku's files, with what they say about their puzzles."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.drawings.sdk import SdkFormat
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.spelling import Spelling
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

GRID = Grid(Geometry(2, 2), (1, 2, 0, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
ROWS = "12.4\n3412\n2143\n4321"


def read(text: str) -> list[Puzzle]:
    return list(read_puzzles(text.split("\n"), "f", "sdk"))


def test_name_and_comment_are_lines_above_the_rows() -> None:
    text = SdkFormat().write(Puzzle(GRID, " easy\none", "by  hand"))
    assert text == f"#Deasy one\n#Cby hand\n[Puzzle]\n{ROWS}\n"
    assert SdkFormat().write(Puzzle(GRID, " ", "")) == f"[Puzzle]\n{ROWS}\n"
    letters = SdkFormat().write(Puzzle(GRID), Spelling(Alphabet("A")))
    assert letters == "[Puzzle]\nAB.D\nCDAB\nBADC\nDCBA\n"


def test_every_field_is_read() -> None:
    fields = "#AAnn\n#DDaily\n#CNice\n#B2026\n#SPaper\n#LHard\n#Uhttp\n"
    (puzzle,) = read(f"{fields}[Puzzle]\n{ROWS}")
    assert puzzle.name == "Daily"
    assert puzzle.comment == (
        "author: Ann; Nice; date: 2026; source: Paper; level: Hard; url: http"
    )
    assert puzzle.grid == GRID


def test_comments_are_no_fields() -> None:
    (puzzle,) = read(f"# Ann\n#X\n#D one\n[Puzzle]\n{ROWS}")
    assert (puzzle.name, puzzle.comment) == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        f"[Puzzle]\n{ROWS}\n[State]\n4321\n....\n....\n....",
        f"[State]\n4321\n....\n....\n....\n[Puzzle]\n{ROWS}",
        f"#Deasy\n{ROWS}\n[State]\n4321",
        f"[ puzzle ]\n\n{ROWS}\n\n[PencilMarks]\n1 2 3\n",
        "#Deasy\n[State]\n[Puzzle]\n12|.4\n34|12\n--+--\n21|43\n43|21\n",
    ],
)
def test_only_the_section_of_the_puzzle_is_read(text: str) -> None:
    assert [puzzle.grid for puzzle in read(text)] == [GRID]


def test_a_torn_puzzle_takes_no_rows_of_the_next_section() -> None:
    reader = PuzzleReader(f"[Puzzle]\n{ROWS[:14]}\n[Puzzle]\n{ROWS}".split("\n"), "f")
    torn, whole = reader
    assert reader.parser(whole).grid == GRID
    with pytest.raises(FormatError, match="f:4:1: 3 rows found"):
        reader.parser(torn)


def test_several_puzzles_stand_in_a_file() -> None:
    text = f"#Done\n[Puzzle]\n{ROWS}\n#Dtwo\n[Puzzle]\n{ROWS}\n[State]\n1234\n#Dthree\n{ROWS}"
    assert [puzzle.name for puzzle in read(text)] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"#Done\n[Puzzle]\n{ROWS[:14]}\n[State]\n1234", "f:5:1: 3 rows found"),
        (f"#Done\n[Puzzle]\n{ROWS[:14]}\n\n[State]\n1234", "f:5:1: 3 rows found"),
        (f"#Done\n[Puzzle]\n{ROWS[:14]}\n#Dtwo\n[Puzzle]\n{ROWS}", "f:5:1: 3 rows found"),
        (f"#Done\n# c\n\n[Puzzle]\n{ROWS[:-1]}q", "f:8:4: 'q' is not a digit 1-4"),
        (f"\n# c\n[Puzzle]\n# d\n{ROWS[:-1]}q", "f:8:4: 'q' is not a digit 1-4"),
    ],
)
def test_a_fault_has_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


def test_a_puzzle_is_given_away_with_its_last_row() -> None:
    lines = iter(["[Puzzle]", *ROWS.split("\n"), "[State]"])
    reader = PuzzleReader(lines, "", "sdk")
    assert next(iter(reader)).line == 2
    assert next(lines) == "[State]"


@pytest.mark.parametrize("opening", ["[Puzzle]\n", "#ARuud\n", " [ Puzzle ]\n", "[State]\n1234\n"])
def test_sections_and_fields_are_marks(opening: str) -> None:
    assert PuzzleReader((opening + ROWS).split("\n")).parser.format == SdkFormat()


@pytest.mark.parametrize("opening", ["# Ruud\n", "[1]\n", "#Xy\n", "#A\n# c\n1..4.3.1.1.32.1.\n"])
def test_other_comments_are_no_marks(opening: str) -> None:
    text = opening if "32" in opening else opening + ROWS
    assert PuzzleReader(text.split("\n")).parser.format != SdkFormat()
