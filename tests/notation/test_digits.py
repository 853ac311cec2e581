"""Cells become digits, or a fault with the place of its cell."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import FormatError
from satdoku.notation.digits import alphabet_of, choose_alphabet, read_digits
from satdoku.notation.symbols import Alphabet


def read(cells: str | Sequence[str], size: int, alphabet: str | None = None) -> tuple[int, ...]:
    wanted = Alphabet(alphabet) if alphabet else None
    return read_digits(cells, size, wanted, lambda cell: (7, cell + 1), "f")


@given(st.lists(st.integers(0, 9), min_size=81, max_size=81))
def test_digits_are_read_together_as_one_by_one(digits: list[int]) -> None:
    text = "".join(map(str, digits))
    assert read(text, 9) == read(list(text), 9) == tuple(digits)


def test_numbers_letters_and_blanks_are_read() -> None:
    assert read(["16", "..", "07", "0"], 16) == (16, 0, 7, 0)
    assert read(["G", "9", ".", "x"], 16) == (16, 9, 0, 0)
    assert read(["16", "xx", "--"], 16) == (16, 0, 0)
    assert read("ABCx", 4, "A") == (1, 2, 3, 0)
    assert read("äöü.", 4, "äöüß") == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("cells", "size", "alphabet", "message"),
    [
        ("12q4", 4, None, "f:7:3: 'q' is not a digit 1-4 or a blank"),
        (["1", "17"], 16, None, "f:7:2: '17' is not a number 1-16 or a blank"),
        (["1", "9" * 30], 16, None, "f:7:2: '99999999999999999...' is not a number 1-16"),
        ("1é", 4, None, "f:7:2: 'é' is not a digit"),
        ("12", 10, "numbers", "f:7:1: numbers above 9 need something between them"),
        ("12", 49, None, "f:7:1: a board of 49x49 needs separated numbers, or --alphabet with 49"),
        ("1..F", 16, None, "f:7:1: it is not clear which symbols are meant; say --alphabet 1 or 0"),
        ("1!", 16, None, "f:7:2: '!' is not a digit 1-9A-G or a blank"),
        ("AZ", 16, None, "f:7:2: 'Z' is not a digit A-P or a blank"),
        ("AT", 30, None, "f:7:1: it is not clear"),
        ("AX.x", 25, "A", "f:7:1: x may be a digit or a blank here; write blanks as dots"),
        (["A", "X", "x"], 25, "A", "f:7:1: x may be a digit or a blank here"),
        ("abX", 25, "A", "f:7:1: x may be a digit or a blank here"),
        ("12", 9, "abc", "f:7:1: the alphabet 'abc' has 3 symbols"),
    ],
)
def test_a_fault_names_its_cell(
    cells: str | Sequence[str], size: int, alphabet: str | None, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read(cells, size, alphabet)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("cells", ["ABX", "abx", "AB.", "AXX"])
def test_an_x_of_the_same_case_is_a_digit_where_it_is_one(cells: str) -> None:
    assert read(cells, 25, "A")[2] == {"x": 24, ".": 0}[cells[2].lower()]


def test_an_x_is_a_blank_where_it_is_no_digit() -> None:
    assert read("ABCx", 16, "A") == (1, 2, 3, 0)


def test_letters_among_tokens_are_an_alphabet_above_nine_digits_only() -> None:
    assert alphabet_of(["1", "G"], 16).name == "1"
    assert alphabet_of(["1", "x", "X", "xx"], 16).is_numbers
    assert alphabet_of(["A", "10"], 9).is_numbers
    assert alphabet_of(["A", "G"], 16, Alphabet("numbers")).is_numbers
    assert alphabet_of(["1", "10"], 16).is_numbers


@pytest.mark.parametrize("size", [4, 9])
def test_up_to_nine_digits_are_usual_unless_another_alphabet_is_asked_for(size: int) -> None:
    assert choose_alphabet("ABCD", size).name == "1"
    assert choose_alphabet("ABCD", size, Alphabet("numbers")).name == "1"
    assert choose_alphabet("ABCD", size, Alphabet("A")).name == "A"


def test_letters_alone_are_told_from_digits_even_with_a_wrong_symbol() -> None:
    assert choose_alphabet("AB!", 16).name == "A"
    assert choose_alphabet("AB0!", 16).name == "A"
    assert choose_alphabet("A9!", 16).name == "1"
    assert choose_alphabet("AB!", 27).name == "1"
