"""What is copied along with a board is taken off, and cells are not."""

from satdoku.notation.pastes.undressing import (
    is_column_labels,
    undress,
    without_labels,
    without_links,
    without_prose,
)
from tests.each import for_each


@for_each(
    "line, bare",
    [
        ("> 12", "12"),
        ("> > 12", "12"),
        ("1 > 2", "1 > 2"),
        ("```text", ""),
        ("[code]12[/code]", "12"),
        ("[1, 2]", "[1, 2]"),
        ("<pre>12</pre>", "12"),
        ("\uff11\uff12□", "12."),
    ],
)
def test_marks_tags_and_signs_are_taken_off(line: str, bare: str) -> None:
    assert undress([line]) == [bare]


def test_labels_are_taken_off_where_all_are_in_order() -> None:
    rows = ["A 12..", "B .3..", "C ..4.", "D 1..2"]
    assert without_labels(rows) == ["  12..", "  .3..", "  ..4.", "  1..2"]
    assert without_labels(["  1 2 3 4", *rows]) == ["", "  12..", "  .3..", "  ..4.", "  1..2"]
    assert without_labels([rows[1], rows[0], *rows[2:]]) is None
    assert without_labels([]) is None


def test_digits_that_are_spelled_are_read_where_there_are_no_others() -> None:
    assert undress(["One two blank zero"] * 9) == ["1 2 . 0"] * 9
    assert undress(["1 one two three"] * 9) == ["1 one two three"] * 9


def test_a_dot_behind_a_space_is_a_cell_and_no_part_of_a_label() -> None:
    found = without_labels([f"{label} . 1 2 ." for label in "1234"])
    assert found == ["  . 1 2 ."] * 4


def test_columns_are_labelled_in_order_or_not_at_all() -> None:
    assert is_column_labels("c1 c2 c3 c4")
    assert not is_column_labels("1 2 4 3")
    assert is_column_labels("r/c,1,2,3,4")
    assert not any(map(is_column_labels, ["A: 1 2 3 4", "R1 1 2 3 4", "1. 1 2 3 4"]))  # full rows
    assert not is_column_labels("1 2 3")


def test_what_is_taken_off_leaves_an_empty_line() -> None:
    assert without_prose(["who is it", "1234"]) == ["", "1234"]
    assert without_prose(["1234"]) is None
    assert without_links(["see http://a.b/", "1234"]) == ["", "1234"]
    assert without_links(["1234"]) is None
