"""One row, however people draw it."""

from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.cells import TokenRow, column_of_cell, read_row
from tests.each import for_each

SAME_ROW = [
    "53..7....",
    "53. .7. ...",
    "5 3 . . 7 . . . .",
    "|53.|.7.|...|",
    "5,3,,,7,,,,",
    '"5","3","","","7","","","",""',
    "5\t3\t\t\t7\t\t\t\t",
    "| 5 3 . | . 7 . | . . . |",
    "| 5 3   |   7   |       |",
    "|5|3| | |7| | | | |",
    "| 5 | 3 |   |   | 7 |   |   |   |   |",
    "  5 3 .  . 7 .  . . .",
    "\t53..7....",
    "\t\t53..7....",
]


@for_each("line", SAME_ROW)
def test_all_are_the_same_row(line: str) -> None:
    cells = read_row(line).cells(9)
    assert cells is not None
    assert "".join(cells) == "53..7...."


@for_each("line", SAME_ROW)
def test_every_digit_is_where_it_is_said_to_be(line: str) -> None:
    row = read_row(line)
    for index, digit in ((0, "5"), (1, "3"), (4, "7")):
        column = column_of_cell(line, row, 9, index)
        assert line[column - 1 :].lstrip('"')[0] == digit


@for_each(
    "line, group",
    [
        ("53..7....", 0),
        ("53. .7. ...", 3),
        ("5 3 . . 7 . . . .", 0),
        ("|53.|.7.|...|", 3),
        ("| 5 3 . | . 7 . | . . . |", 3),
        ("| 5 3   |   7   |       |", 3),
        ("|5|3|.|.|7|.|.|.|.|", 0),
        ("| 5 3 . . 7 . . . . |", 0),
        ("|5 3 . 1|. 7 . 2|", 4),
        ("|5 3 . 1|. 7 .|", 0),
        ("12 34", 2),
        ("1 2 | 3 4 | 5 6", 2),
        ("5,3,,", 0),
    ],
)
def test_bars_and_gaps_show_groups(line: str, group: int) -> None:
    assert read_row(line).group == group


@for_each(
    "line, size",
    [
        ("1234", 4),
        ("1 2 3 4", 4),
        ("12 34 56", 6),
        ("01 02 03 04 05 06 07 08 09 10", 10),
        ("01 02 03 04 05 06 07 08 09", 18),
        ("12 34", 4),
        (" ".join(f"{number:03}" for number in range(1, 101)), 100),
        (" ".join(f"{number:03}" for number in range(1, 100)), 297),
        ("1 10 2", 3),
        ("1 .. 2", 3),
        ("53. .7 ...", 8),
        ("5 3q 7", 4),
        ("1 2 3 4 5 6 7 8 9 1q", 10),
        ("1 2 3 4 5 6 7 8 1q", 10),
        ("5,3,,", 4),
        ("5,3,1,", 3),
        ("5,3,1", 3),
        ("5,,1,", 4),
        (",,,", 4),
        ("5\t\t3\t1", 4),
        ("5\t\t3", 2),
        ("5\t\t|\t3", 2),
        ("", 0),
        ("|", 0),
        ("||", 0),
        ("| |", 0),
        ("|  |  |", 0),
        ("| 1 2 |", 2),
        ("|1 |2 |", 2),
        ("|1|2", 2),
    ],
)
def test_a_row_has_as_many_cells_as_it_looks(line: str, size: int) -> None:
    assert read_row(line).size == size


def test_a_comma_too_many_is_no_cell_unless_others_are_empty() -> None:
    assert read_row("5,3,.,.,").cells(4) == ["5", "3", ".", "."]
    assert read_row("5,3,.,.,").cells(5) == ["5", "3", ".", ".", "."]
    assert read_row("5,,.,.,").cells(5) == ["5", ".", ".", ".", "."]
    assert read_row("5,,.,.,").cells(4) == ["5", ".", ".", "."]
    assert read_row("5,3,.,.").cells(3) is None
    assert read_row("5,3,.,.").cells(4) == ["5", "3", ".", "."]
    assert read_row("5\t\t.\t.\t").cells(4) is None


def test_a_row_is_characters_or_tokens() -> None:
    assert read_row("12 34").cells(4) == "1234"
    assert read_row("12 34").cells(2) == ["12", "34"]
    assert read_row("12 34").cells(3) is None
    assert read_row("12 34").has_numbers(2)
    assert not read_row("12 34").has_numbers(4)
    assert not read_row("1 2").has_numbers(2)
    assert read_row("1 10").has_numbers(2)
    assert not TokenRow((), 0).has_numbers(0)


def test_cells_between_bars_may_be_numbers() -> None:
    assert read_row("| 1 10 | 3 . |").cells(4) == ["1", "10", "3", "."]
    assert read_row("|1 10|3 12|").cells(4) == ["1", "10", "3", "12"]


def test_spaces_are_blanks_only_where_all_cells_stand_in_columns() -> None:
    assert read_row("| 5 3 | 1   |").cells(4) == ["5", "3", "1", "."]
    assert read_row("| 5 3 | 12  |").cells(4) is None
    assert read_row("| 5 3 | 1 |").cells(3) == ["5", "3", "1"]
    assert read_row("|  5 | 3  |").cells(2) == ["5", "3"]
    assert read_row("|5| |").cells(2) == ["5", "."]


@given(st.lists(st.sampled_from("123456789"), min_size=9, max_size=9), st.integers(0, 8))
def test_a_row_with_spaces_for_blanks_is_read(digits: list[str], blank: int) -> None:
    digits[blank] = " "
    boxes = [" " + " ".join(digits[start : start + 3]) + " " for start in (0, 3, 6)]
    line = f"|{'|'.join(boxes)}|"
    row = read_row(line)
    assert row.cells(9) == [cell.replace(" ", ".") for cell in digits]
    assert row.group == 3
    for index, digit in enumerate(digits):
        assert line[column_of_cell(line, row, 9, index) - 1] == digit


@for_each(
    "line, size, index, column",
    [
        ("53..7", 5, 2, 3),
        ("53. .7.", 6, 3, 5),
        (" 5  10 3 ", 3, 1, 5),
        (" 5  10 3 ", 3, 2, 8),
        (" 5  10 3 ", 3, 3, 9),
        ("5, 3 ,,1", 4, 1, 4),
        ("5, 3 ,,1", 4, 2, 7),
        ("5, 3 ,,1", 4, 3, 8),
        ("5, 3 ,,1", 4, 4, 9),
        ("5\t3\t\t1", 4, 2, 5),
        ("5\t3\t\t1", 4, 3, 6),
        ("12 34 ", 4, 4, 6),
        ("| 5   | q   |", 4, 2, 9),
        ("  | 5   | q   |", 4, 2, 11),
        ("|5| |q|", 3, 2, 6),
    ],
)
def test_a_cell_has_its_column_and_a_missing_one_the_end(
    line: str, size: int, index: int, column: int
) -> None:
    assert column_of_cell(line, read_row(line), size, index) == column
