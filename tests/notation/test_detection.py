"""The head of a text keeps what its first lines show."""

import pytest

from satdoku.notation.detection import Head
from satdoku.notation.formats import detect_format
from satdoku.notation.hints import Hints
from satdoku.notation.shape import Shape
from tests.notation.samples import LINE, ROWS, SAMPLES


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


@pytest.mark.parametrize(
    ("name", "sample"), [(name, one) for name, many in FORMATS_OF_SAMPLES.items() for one in many]
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
