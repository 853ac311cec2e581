"""Rows are told from borders, and borders show boxes."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.drawings.drawing import join_rows, read_drawing
from satdoku.puzzle.geometry import Geometry


def rows_of(text: str, size: int | None = None) -> list[str]:
    return [row.text for row in read_drawing(text, size).rows]


def test_rows_keep_their_places_and_their_plain_text() -> None:
    drawing = read_drawing("Grid 01\n│1 2│3 4│\n# c\n+---+\n\n12 34")
    assert [(row.position, row.text) for row in drawing.rows] == [(1, "|1 2|3 4|"), (5, "12 34")]
    assert drawing.rows[0].row.size == 4


@pytest.mark.parametrize(
    ("text", "rows"),
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


@pytest.mark.parametrize(
    ("text", "box"),
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
