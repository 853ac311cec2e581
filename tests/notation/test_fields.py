"""Lines of tables are cut into fields, and headers told from rows, boards from names."""

import csv
import io
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.fields import (
    Field,
    find_delimiter,
    has_column_names,
    has_open_quote,
    has_puzzle_name,
    is_board,
    is_header,
    quote_field,
    split_fields,
)
from tests.each import for_each
from tests.notation.samples import LINE


@for_each(
    "line, fields",
    [
        ("a,b", [Field("a", 0), Field("b", 2)]),
        ("", [Field("", 0)]),
        (",", [Field("", 0), Field("", 1)]),
        ('"a,b",c', [Field("a,b", 1), Field("c", 6)]),
        ('  "a" ,b', [Field("a", 3), Field("b", 7)]),
        ('"a ""b"" c"', [Field('a "b" c', 1)]),
        ('a"b,c', [Field('a"b', 0), Field("c", 4)]),
        ('1,"open', [Field("1", 0), Field("open", 3)]),
        ('""', [Field("", 1)]),
        ('1, "b"', [Field("1", 0), Field("b", 4)]),
        ("a;b", [Field("a;b", 0)]),
    ],
)
def test_a_line_has_its_fields(line: str, fields: list[Field]) -> None:
    assert split_fields(line, ",") == fields


@for_each(
    "line, delimiter",
    [("a,b;c", ","), ("a;b\tc", ";"), ("a\tb", "\t"), ("a b", ","), ("", ",")],
)
def test_commas_go_before_semicolons_and_these_before_tabs(line: str, delimiter: str) -> None:
    assert find_delimiter(line) == delimiter


@for_each(
    "line, is_open",
    [
        ('1,"a', True),
        ('1,"a"', False),
        ('1,"a ""b""', True),
        ('1,"a ""b"""', False),
        ('1,a"', False),
        ('"a"', False),
        ('"a', True),
        ('a"b', False),
        ('"', True),
        ("", False),
    ],
)
def test_a_quote_that_is_not_closed_is_seen(line: str, is_open: bool) -> None:
    assert has_open_quote(line, split_fields(line, ",")[-1]) == is_open


@for_each(
    "text, field",
    [
        ("a b", "a b"),
        (" a\n b\t", "a b"),
        ("a,b", '"a,b"'),
        ("a;b", '"a;b"'),
        ('a "b"', '"a ""b"""'),
        ("", ""),
    ],
)
def test_a_field_is_quoted_where_it_must_be(text: str, field: str) -> None:
    assert quote_field(text) == field


@given(st.lists(st.text([*map(chr, {*range(128)} - {*b"\r\n\0\t"})], max_size=9)))
def test_what_is_quoted_is_read_back_here_and_elsewhere(texts: list[str]) -> None:
    flat = [" ".join(text.split()) for text in ["x", *texts]]
    line = ",".join(map(quote_field, flat))
    assert [field.text for field in split_fields(line, ",")] == flat
    assert next(csv.reader(io.StringIO(line))) == flat


def test_empty_fields_before_a_quote_stay_in_a_table_with_tabs() -> None:
    assert [field.text for field in split_fields('1\t\t"x"\t', "\t")] == ["1", "", "x", ""]


def fields_of(line: str) -> list[Field]:
    return split_fields(line, ",")


@for_each(
    "line, may_be_names",
    [
        ("puzzle", True),
        (" Puzzle ", True),
        ("quizzes,solutions", True),
        ("id,puzzle", True),
        ("id,a,board,b", True),
        ("number,content", True),
        ("a,b", True),
        ("a,b,c", True),
        ("a,b,c,d", False),
        ("a,b,c,def", True),
        ("1,2", False),
        ("1,2,3", False),
        ("difficulty", False),
        ("5,3,,,7,,,,", False),
        (f"id,{LINE}", False),
        (f"name,{LINE[:9]}", False),
        (f"name,{LINE[:8]}", True),
        ("name,8 . . 4 .", False),
        ("name," + "a" * 40, True),
        ("name," + "a" * 41, False),
        (f"name,{LINE[:80]}q", False),
    ],
)
def test_a_header_has_words_and_no_boards(line: str, may_be_names: bool) -> None:
    assert has_column_names(fields_of(line)) == may_be_names


@for_each(
    "line, is_first_header",
    [
        ("id,puzzle", True),
        ("a", True),
        ("1,2", False),
        ("1,b", True),
        (f"id,{LINE}", False),
        (f"id,{LINE[:80]}", False),
        (f"id,{'ABCD' * 4}", False),
        ("id,sudoku_explainer", True),
        (f"id,{LINE[:8]}", True),
    ],
)
def test_the_first_line_of_a_table_is_its_header_if_it_has_letters_and_no_cells(
    line: str, is_first_header: bool
) -> None:
    assert is_header(fields_of(line)) == is_first_header


def test_names_of_puzzles_are_found_in_any_case() -> None:
    assert has_puzzle_name(fields_of("id, Sudoku ,x"))
    assert not has_puzzle_name(fields_of("id,my sudoku,x"))


@for_each(
    "text, size, holds_board",
    [
        (LINE, None, True),
        (LINE, 9, True),
        (LINE, 4, False),
        (" ".join(LINE), None, True),
        (LINE[:80], None, False),
        ("sudoku_explainer", None, False),
        ("ABCDEFGHIJKLMNOP", None, True),
        ("abc" + "." * 253, None, True),
        ("easy", None, False),
        ("", None, False),
    ],
)
def test_a_board_has_the_cells_of_one_and_is_no_name(
    text: str, size: int | None, holds_board: bool
) -> None:
    assert is_board(text, size) == holds_board


def test_a_long_field_in_quotes_takes_little_more_memory_than_its_text() -> None:
    line = f'"{"5 " * 100_000}",1'
    tracemalloc.start()
    try:
        split_fields(line, ",")
        assert tracemalloc.get_traced_memory()[1] < 4 * len(line)
    finally:
        tracemalloc.stop()
