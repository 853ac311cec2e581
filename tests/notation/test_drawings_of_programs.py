"""SadMan Sudoku's files say more about their puzzles, and Project Euler's have titles and zeros.

In Simple Sudoku's only the first state of a board is a puzzle.
"""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.drawings import EulerFormat, SdkFormat, SimpleSudokuFormat
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

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
    assert puzzle.author == "Ann"
    assert puzzle.comment == "Nice; date: 2026; source: Paper; level: Hard; url: http"
    assert puzzle.grid == GRID


def test_comments_are_no_fields() -> None:
    (puzzle,) = read(f"# Ann\n#X\n#D one\n[Puzzle]\n{ROWS}")
    assert (puzzle.name, puzzle.comment) == ("", "")


@for_each(
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


@for_each(
    "text, message",
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


def test_a_puzzle_is_given_away_with_the_line_behind_its_last_row() -> None:
    lines = iter(["[Puzzle]", *ROWS.split("\n"), "[State]", "1234"])
    reader = PuzzleReader(lines, "", "sdk", is_at_hand=lambda: False)
    assert next(iter(reader)).line == 2
    assert next(lines) == "1234"
    # Nobody can say which of five rows are the four of the board.
    with pytest.raises(FormatError, match="5 rows found"):
        read(f"[Puzzle]\n{ROWS}\n{ROWS[-4:]}")


@pytest.mark.parametrize("opening", ["[Puzzle]\n", "#ARuud\n", " [ Puzzle ]\n", "[State]\n1234\n"])
def test_sections_and_fields_are_marks(opening: str) -> None:
    assert PuzzleReader((opening + ROWS).split("\n")).parser.format == SdkFormat()


@pytest.mark.parametrize("opening", ["# Ruud\n", "[1]\n", "#Xy\n", "#A\n# c\n1..4.3.1.1.32.1.\n"])
def test_other_comments_are_no_marks(opening: str) -> None:
    text = opening if "32" in opening else opening + ROWS
    assert PuzzleReader(text.split("\n")).parser.format != SdkFormat()


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


@for_each("blank", [".", "0", "-", "_", "x"])
def test_every_blank_may_be_filled(blank: str) -> None:
    given = FIRST.replace(".", blank)
    filled = FIRST.replace(".", "2")
    assert count(given, filled) == 1


def test_numbers_of_two_places_are_no_candidates() -> None:
    row = " ".join(["10", *".........".replace("", " ").split()])
    first = "\n".join([row] * 10)
    assert count(first, first.replace("10", "9")) == 2
    assert count(first, first.replace("10", "123")) == 1


ZEROS = "1204\n3412\n2143\n4321\n"


@for_each(
    "name, number, title",
    [
        ("", 1, "Grid 01"),
        ("", 12, "Grid 12"),
        ("", 123, "Grid 123"),
        (" Grid  07 ", 1, "Grid 07"),
        ("my puzzle", 1, "my puzzle"),
        ("easy", 3, "Grid 03"),
    ],
)
def test_a_title_stands_above_the_rows(name: str, number: int, title: str) -> None:
    assert EulerFormat().write(Puzzle(GRID, name), number=number) == f"{title}\n{ZEROS}"


def test_an_answer_has_the_title_of_its_puzzle() -> None:
    write = EulerFormat().write_answer
    assert write(Record(2, ZEROS, "Grid 07"), GRID, Hints(), 3) == f"Grid 07\n{ZEROS}"
    assert write(Record(2, ZEROS), GRID, Hints(), 3) == f"Grid 03\n{ZEROS}"


@for_each(
    "title, is_euler",
    [
        *[("Grid 01", True), ("grid 1", True), ("GRID01", True), (" Grid 50 ", True)],
        *[("Grid 01:", False), ("Puzzle 1", False), ("Grid", False), ("My grid 1", False)],
    ],
)
def test_numbered_grids_are_marks(title: str, is_euler: bool) -> None:
    found = PuzzleReader([title, *ZEROS.split("\n")]).parser.format
    assert (found == EulerFormat()) == is_euler
