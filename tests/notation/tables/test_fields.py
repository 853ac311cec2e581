"""Lines of tables are cut into fields, and fields are quoted."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.tables.fields import (
    Field,
    find_delimiter,
    has_open_quote,
    quote_field,
    split_fields,
)


@pytest.mark.parametrize(
    ("line", "fields"),
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


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a,b;c", ","), ("a;b\tc", ";"), ("a\tb", "\t"), ("a b", ","), ("", ",")],
)
def test_commas_go_before_semicolons_and_these_before_tabs(line: str, delimiter: str) -> None:
    assert find_delimiter(line) == delimiter


@pytest.mark.parametrize(
    ("line", "is_open"),
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


@pytest.mark.parametrize(
    ("text", "field"),
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


@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters="\r\n\0\t"), max_size=9)))
def test_what_is_quoted_is_read_back_here_and_elsewhere(texts: list[str]) -> None:
    flat = [" ".join(text.split()) for text in ["x", *texts]]
    line = ",".join(map(quote_field, flat))
    assert [field.text for field in split_fields(line, ",")] == flat
    assert next(csv.reader(io.StringIO(line))) == flat


def test_empty_fields_before_a_quote_stay_in_a_table_with_tabs() -> None:
    assert [field.text for field in split_fields('1\t\t"x"\t', "\t")] == ["1", "", "x", ""]
