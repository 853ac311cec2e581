"""Alphabets mean what they say, and refuse what is not clear."""

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.digits import read_digits
from satdoku.notation.record import Hints
from satdoku.notation.symbols import Alphabet, find_alphabets, symbol_table
from satdoku.puzzle.geometry import Geometry


@pytest.mark.parametrize(
    ("name", "size", "symbols"),
    [("1", 16, "123456789ABCDEFG"), ("0", 10, "0123456789"), ("A", 4, "ABCD"), ("wxyz", 4, "wxyz")],
)
def test_the_symbols_stand_in_order(name: str, size: int, symbols: str) -> None:
    assert Alphabet(name).symbols(size) == symbols


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is not an alphabet"),
        ("7", "'7' is not an alphabet"),
        ("abca", "has 'a' twice"),
        ("ab,c", "',' separates cells"),
        ("ab c", "' ' separates cells"),
    ],
)
def test_a_wrong_alphabet_is_refused(name: str, message: str) -> None:
    with pytest.raises(SatdokuError, match=message):
        Alphabet(name)


@pytest.mark.parametrize(
    ("name", "size"), [("A", 36), ("1", 36), ("0", 49), ("abc", 4), ("abcde", 4)]
)
def test_an_alphabet_must_fit_the_board(name: str, size: int) -> None:
    with pytest.raises(SatdokuError, match=f"a board of {size}x{size} needs {size}"):
        Hints(Geometry.of_size(size), Alphabet(name))


@pytest.mark.parametrize(
    ("characters", "names"),
    [
        ("1..G", ["1"]),
        ("0..F", ["0"]),
        ("A..P", ["A"]),
        ("a..p", ["A"]),
        ("1..F", ["1", "0"]),
        ("A..F", ["1", "0", "A"]),
        ("1.0.", ["0"]),
        ("....", ["1"]),
        ("0000", ["1"]),
        ("1.!.", []),
    ],
)
def test_an_alphabet_is_found_where_only_one_explains_the_text(
    characters: str, names: list[str]
) -> None:
    assert [alphabet.name for alphabet in find_alphabets(characters, 16)] == names


def test_x_is_a_digit_where_the_alphabet_has_it() -> None:
    assert symbol_table(Alphabet("A"), 25).digit_of["X"] == 24
    assert symbol_table(Alphabet("A"), 25).digit_of["x"] == 24
    assert symbol_table(Alphabet("A"), 16).digit_of["X"] == 0


def test_x_is_refused_where_it_may_be_a_blank_or_a_digit() -> None:
    cells = "ABCx" * 156 + "Y"
    with pytest.raises(FormatError, match=r"f:1:1: x may be a digit or a blank here"):
        read_digits(cells, 25, Alphabet("A"), lambda cell: (1, cell + 1), "f")


def test_a_blank_is_never_a_digit() -> None:
    assert symbol_table(Alphabet(".abc"), 4).text_of == ("0", ".", "a", "b", "c")


def test_numbers_may_have_leading_zeros() -> None:
    table = symbol_table(Alphabet("numbers"), 16)
    assert table.digit_of["07"] == table.digit_of["7"] == 7
    assert table.digit_of[".."] == table.digit_of["00"] == 0
    assert "17" not in table.digit_of
