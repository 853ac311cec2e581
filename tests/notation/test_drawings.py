"""Drawings are read row by row, border by border; boards are drawn, and answered as they came."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.drawings import (
    GridFormat,
    RowsFormat,
    board_width,
    draw_board,
    join_rows,
    read_board,
    read_drawing,
)
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each


def rows_of(text: str, size: int | None = None) -> list[str]:
    return [row.text for row in read_drawing(text, size).rows]


def test_rows_keep_their_places_and_their_plain_text() -> None:
    drawing = read_drawing("Grid 01\n│1 2│3 4│\n# c\n+---+\n\n12 34")
    assert [(row.position, row.text) for row in drawing.rows] == [(1, "|1 2|3 4|"), (5, "12 34")]
    assert drawing.rows[0].row.size == 4


@for_each(
    "text, rows",
    [
        ("1-3-\n----\n-1-3\n3-1-", ["1-3-", "----", "-1-3", "3-1-"]),
        ("1.3.\n----\n.1.3\n3.1.", ["1.3.", ".1.3", "3.1."]),
        ("1-3-\n-----\n-1-3\n3-1-", ["1-3-", "-1-3", "3-1-"]),
        ("1-|3-\n--|--\n-1|-3\n3-|1-", ["1-|3-", "--|--", "-1|-3", "3-|1-"]),
        ("----\n----\n----\n----", ["----", "----", "----", "----"]),
        ("- - -\n---\n- - -", ["- - -", "---", "- - -"]),
    ],
)
def test_dashes_are_rows_where_they_are_blanks(text: str, rows: list[str]) -> None:
    assert rows_of(text) == rows


def test_the_size_is_that_of_most_rows_unless_it_is_known() -> None:
    assert read_drawing("1234\n12\n1234").size == 4
    assert read_drawing("1234\n12\n1234", 6).size == 6
    assert read_drawing("---\n--\n---").size == 3
    assert read_drawing("").size == 0
    assert rows_of("---\n--\n---", 2) == ["--"]


@pytest.mark.parametrize(
    ("text", "bands"),
    [
        ("1\n2\n3", [3]),
        ("1\n-+-\n2\n3", [1, 2]),
        ("\n1\n\n\n2\n3\n# c\n4\n", [1, 2, 1]),
        ("", []),
    ],
)
def test_bands_are_rows_without_a_line_between_them(text: str, bands: list[int]) -> None:
    assert list(read_drawing(text).bands) == bands


SIX = "123456\n"
BARRED = "12|34|56\n"


@for_each(
    "text, box",
    [
        (SIX * 6, None),
        (SIX * 2 + "\n" + SIX * 2 + "\n" + SIX * 2, Geometry(2, 3)),
        (SIX * 3 + "------\n" + SIX * 3, Geometry(3, 2)),
        (BARRED * 6, Geometry(3, 2)),
        (BARRED * 3 + "--+--+--\n" + BARRED * 3, Geometry(3, 2)),
        ("\n".join([SIX] * 6), None),
        (SIX * 4 + "\n" + SIX * 2, None),
        ((BARRED * 5) + SIX, None),
        ("1234|5\n" * 6, None),
        ("12|34|5\n" * 5, None),
        ("123|456\n" * 6, Geometry(2, 3)),
    ],
)
def test_borders_bars_and_gaps_show_boxes(text: str, box: Geometry | None) -> None:
    assert read_drawing(text, 6).shown_box == box


def test_groups_that_do_not_make_the_row_show_nothing() -> None:
    assert read_drawing("1234|5678\n" * 6, 6).shown_box is None


def test_borders_that_contradict_each_other_are_a_fault() -> None:
    with pytest.raises(FormatError, match="boxes of 2x2, which do not make 6x6"):
        _ = read_drawing((BARRED * 2 + "--+--+--\n") * 3).shown_box
    with pytest.raises(FormatError, match="the borders show boxes of 4x1"):
        _ = read_drawing("12345\n" * 4 + "\n" + "12345\n" * 4, 5).shown_box


def test_rows_of_characters_are_joined_to_one_string() -> None:
    assert join_rows(["12", "34"]) == "1234"
    assert join_rows(["12", ["3", "10"]]) == ["1", "2", "3", "10"]


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


@for_each(
    "text, message",
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


def test_a_comma_behind_the_last_cell_stands_in_all_rows_but_the_last() -> None:
    rows = ["1,2,3,4,", "3,4,1,2,", "2,1,4,3,", "4,3,2,1"]
    assert len(list(read_puzzles(rows))) == 1
    with pytest.raises(FormatError, match="5 cells found in row 1"):
        list(read_puzzles([rows[0], *(row.rstrip(",") for row in rows[1:])], "", "rows"))


def test_boxes_are_framed() -> None:
    assert draw_board(Geometry(2, 2), list("1234341221434321"), 1) == [
        "+-----+-----+",
        "| 1 2 | 3 4 |",
        "| 3 4 | 1 2 |",
        "+-----+-----+",
        "| 2 1 | 4 3 |",
        "| 4 3 | 2 1 |",
        "+-----+-----+",
    ]


def test_marked_cells_have_a_star_behind_them() -> None:
    lines = draw_board(Geometry(1, 2), ["1", "2", "2", "1"], 1, {0, 3})
    assert lines == ["+-----+", "| 1*2 |", "+-----+", "| 2 1*|", "+-----+"]


@for_each("shape", [(1, 3), (3, 1), (2, 3), (3, 2), (2, 5)])
@for_each("width", [1, 2, 3])
def test_a_board_is_as_wide_as_it_is_said_to_be(shape: tuple[int, int], width: int) -> None:
    geometry = Geometry(*shape)
    lines = draw_board(geometry, ["x" * width] * geometry.cell_count, width)
    assert {len(line) for line in lines} == {board_width(geometry, width)}
    assert len(lines) == geometry.size + geometry.size // geometry.box_rows + 1


def test_the_width_counts_what_is_seen() -> None:
    coloured = draw_board(Geometry(1, 2), ["\033[1m1\033[0m", "2", "2", "1"], 1)
    assert coloured[0] == "+-----+"


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


SIX_BY_SIX = Grid(Geometry(2, 3), tuple((cell + cell // 6) % 7 for cell in range(36)))
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
    text = GridFormat().write(Puzzle(SIX_BY_SIX), Spelling(Alphabet("A"), blank="_"))
    assert text.split("\n")[1] == "| _ A B | C D E |"


def test_an_answer_is_a_frame_with_the_same_symbols() -> None:
    grid = Grid(Geometry(2, 2), (1, 2, 3, 4) * 4)
    answer = GridFormat().write_answer(Record(1, "AB|CD\n" * 4), grid, Hints(None, Alphabet("A")))
    assert answer.split("\n")[:2] == ["+-----+-----+", "| A B | C D |"]
