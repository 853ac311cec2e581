"""A line is looked at from all sides, each once."""

from satdoku.notation.line_kind import LineKind
from satdoku.notation.seen_line import SeenLine
from tests.notation.samples import LINE


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
