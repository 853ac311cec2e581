"""A line is looked at once, and puzzles are told from rows as early as can be."""

import pytest

from satdoku.notation.detection import Head, SeenLine, Shape
from satdoku.notation.formats import detect_format
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import LineKind
from satdoku.puzzle.grid import Geometry
from tests.commands import EASY
from tests.each import for_each
from tests.notation.samples import LINE, ROWS, SAMPLES


def test_a_line_shows_cells_a_row_and_fields() -> None:
    line = SeenLine(3, f"{LINE};│ easy", None)
    assert line.number == 3
    assert line.plain == f"{LINE};| easy"
    assert line.kind is LineKind.CELLS
    assert line.cells.size == 9
    assert line.row.tokens[0].startswith("8..4")
    assert line.delimiter == ";"
    assert [field.text for field in line.fields] == [LINE, "│ easy"]
    assert line.boards == [True, False]
    assert not line.has_column_names


def test_the_size_that_the_user_says_counts() -> None:
    assert SeenLine(1, "." * 16, None).cells.size == 4
    assert SeenLine(1, "." * 16, 9).cells.size is None
    assert SeenLine(1, "." * 16, 9).boards == [False]


def test_column_names_are_seen() -> None:
    assert SeenLine(1, "id,puzzle,solution", None).has_column_names


def test_the_line_is_looked_at_once_however_many_ask() -> None:
    line = SeenLine(1, LINE, None)
    assert line.cells is line.cells
    assert line.row is line.row
    assert line.fields is line.fields
    assert line.boards is line.boards


SMALL = "1..4.3.1.1.32.1."


def find(text: str, size: int | None = None) -> tuple[Shape, int | None]:
    """The shape of a text, and by which line it was found; None if its end had to be seen."""
    head = Head(Hints(None if size is None else Geometry.of_size(size)))
    for number, line in enumerate(text.split("\n"), 1):
        head.add(line)
        if head.shape is not Shape.UNDECIDED:
            return head.shape, number
    head.end()
    return head.shape, None


@for_each(
    "text, size, line",
    [
        (LINE, None, 1),
        (f"# comment\n\n{LINE}", None, 3),
        (f"puzzle\n{LINE}", None, 2),
        (f"Grid 1\n{LINE}", None, 2),
        ("." * 16, 4, 1),
        (SMALL, None, None),
        (f"{SMALL}\n{SMALL}\n", None, 3),
        ("\n".join([SMALL] * 17), None, 17),
        ("\n".join([SMALL] * 16), None, None),
        ("\n".join(["." * 16] * 15), None, None),
        (SMALL + "\n# comment\n" + SMALL, None, None),
        ("\n".join(["1" + "." * 24] * 24), None, None),
        (".3.1 .... 1..2 ....", None, None),
        ("." * 80, None, 1),
        ("1" * 37, None, 1),
        ("1" * 36, None, None),
        ("12,12345678901234567890123456789012345678", None, 1),
        ("1" * 19, 9, 1),
        ("hello", None, None),
        ("1234 1234 1234 1234\n1234 1234 1234 1234\n", None, 3),
        (" ".join(["1"] * 16) + "\n" + " ".join(["4"] * 16) + "\n", None, 3),
        (" ".join("1" * 1024), None, 1),
        (" ".join("1" * 900), None, None),
    ],
)
def test_puzzles_are_found(text: str, size: int | None, line: int | None) -> None:
    assert find(text, size) == (Shape.PUZZLES, line)


@for_each(
    "text, size, line",
    [
        ("\n".join(ROWS), None, 2),
        ("\n".join(ROWS), 9, 1),
        ("8 . . | 4 . .\n", None, 2),
        ("Grid 01\n" + "\n".join(ROWS), None, 3),
        ("[Puzzle]\n" + "\n".join(ROWS), None, 3),
        ("+---+\n" + "\n".join(ROWS), None, 3),
        (SMALL[:-1] + "5", None, 1),
        (f"{SMALL}\n{SMALL[:-1]}G", None, 2),
        (f"{SMALL}\n" * 15 + "." * 16 + "\n", None, 17),
        ("\n".join([SMALL] * 15 + ["." * 16]), None, None),
        ("\n".join(["1" + "." * 24] * 24 + ["." * 25]), None, None),
        (f"{SMALL}\n" * 15 + "# c\n" + "." * 16 + "\n", None, 18),
        ("1" * 18, 9, None),
        ("", None, None),
        ("+---+\n-----\n", None, None),
        ("# only\n", None, None),
        (",".join(["."] * 25) + "\n" + ",".join(["."] * 25), None, 2),
        (" ".join(["1"] * 15 + ["5"]), None, 1),
        ("|" + "1" * 40 + "|\n", None, 2),
    ],
)
def test_rows_are_found(text: str, size: int | None, line: int | None) -> None:
    if text == "1" * 18:
        text += "\n"
        line = 2
    assert find(text, size) == (Shape.ROWS, line)


def test_the_first_row_is_behind_titles_names_and_borders() -> None:
    lines = ["# c", "", "Grid 01", "id,puzzle", "[State]", "-----", "+---+", "12|34", "99|99"]
    head = head_of("\n".join(lines))
    assert head.first_row is not None
    assert head.first_row.number == 8
    assert head.has_border_above


def test_a_border_below_the_first_row_is_none_above_it() -> None:
    assert not head_of("12|34\n--+--").has_border_above


def head_of(text: str, hints: Hints | None = None) -> Head:
    head = Head(hints or Hints())
    for line in text.split("\n"):
        head.add(line)
    return head


def test_the_first_two_lines_are_those_with_data() -> None:
    head = head_of(f"# c\n\n #d\nid,puzzle\n# e\n1,{LINE}\n2,{LINE}")
    assert head.has_data
    assert head.first.text == "id,puzzle"
    assert head.first.number == 4
    assert head.second is not None
    assert head.second.text == f"1,{LINE}"
    assert head.above == ["# c", "", " #d"]
    assert len(head.lines) == 7
    assert not head.is_whole


def test_there_may_be_no_data_and_no_second_line() -> None:
    assert not head_of("# c\n\n").has_data
    assert head_of("1234").second is None


def test_the_end_decides_what_was_not_decided() -> None:
    head = head_of("1..4.3.1.1.32.1.")
    assert detect_format(head) is None
    head.end()
    assert head.is_whole
    assert head.shape is Shape.PUZZLES


def test_the_first_row_may_stand_below_a_border() -> None:
    head = head_of("Grid 01\n+---+\n12|34")
    assert head.first_row is not None
    assert head.first_row.number == 3
    assert head.has_border_above
    assert head_of("Grid 01").first_row is None


@for_each(
    "first, second, shape",
    [
        ("1" + "." * 24, EASY, Shape.PUZZLES),
        ("1" * 20, EASY, Shape.PUZZLES),
        ("1" + "." * 24, "1" + "." * 15, Shape.PUZZLES),
        ("1" + "." * 15, "1" + "." * 24, Shape.PUZZLES),
        ("1" + "." * 24, "1" + "." * 24, Shape.UNDECIDED),
        ("1" + "." * 24, "1" + "." * 23 + "6", Shape.ROWS),
        ("6" + "." * 24, "1" + "." * 24, Shape.ROWS),
        ("123456789", EASY, Shape.ROWS),
    ],
)
def test_a_cut_puzzle_is_no_row_before_a_whole_one(first: str, second: str, shape: Shape) -> None:
    assert head_of(f"{first}\n{second}").shape is shape


FORMATS_OF_SAMPLES = {
    "line": ["a line", "nine words on a line", "cells with commas on a line", "a line with dashes"],
    "rows": ["rows", "rows of dashes", "rows under a title", "rows of cells with tabs and nothing"],
    "grid": ["qqwing", "a long rule of dashes", "box drawing", "a table of cells", "equals signs"],
    "sdk": ["SadMan", "SadMan without header"],
    "ss": ["Simple Sudoku"],
    "euler": ["Project Euler"],
    "csv": ["a table", "a table with unknown names", "a table without header", "a trailing comma"],
    "json": ["LeetCode", "LeetCode over many lines", "a list of one string", "null in JSON"],
}


@for_each(
    "name, sample", [(name, one) for name, many in FORMATS_OF_SAMPLES.items() for one in many]
)
def test_a_format_is_told_by_its_marks(name: str, sample: str) -> None:
    head = head_of(SAMPLES[sample].removeprefix("\ufeff"))
    head.end()
    found = detect_format(head)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("hints", [Hints(column="2"), Hints(solution_column="3")])
def test_who_names_a_column_has_a_table(hints: Hints) -> None:
    found = detect_format(head_of("\n".join(ROWS), hints))
    assert found is not None
    assert found.name == "csv"


def test_a_list_may_begin_with_nothing() -> None:
    found = detect_format(head_of("[null, null, 3]"))
    assert found is not None
    assert found.name == "json"
