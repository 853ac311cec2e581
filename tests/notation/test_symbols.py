"""Alphabets mean what they say, and refuse what is not clear."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.notation.spelling import (
    BLANKS,
    MOST_SYMBOLS,
    UNKNOWN,
    Alphabet,
    find_alphabets,
    is_blank,
    is_number_or_blank,
    possible_alphabets,
    read_number,
    symbol_table,
)
from tests.each import for_each


@pytest.mark.parametrize(
    ("name", "size", "symbols"),
    [("1", 16, "123456789ABCDEFG"), ("0", 10, "0123456789"), ("A", 4, "ABCD"), ("wxyz", 4, "wxyz")],
)
def test_the_symbols_stand_in_order(name: str, size: int, symbols: str) -> None:
    assert Alphabet(name).symbols(size) == symbols


@for_each(
    "name, message",
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


@for_each(
    "characters, names",
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


def test_a_blank_is_never_a_digit() -> None:
    assert symbol_table(Alphabet(".abc"), 4).text_of == ("0", ".", "a", "b", "c")


def test_numbers_may_have_leading_zeros() -> None:
    table = symbol_table(Alphabet("numbers"), 16)
    assert table.digit_of["07"] == table.digit_of["7"] == 7
    assert table.digit_of[".."] == table.digit_of["00"] == 0
    assert "17" not in table.digit_of


@for_each("blank", BLANKS)
def test_every_blank_is_one_wherever_it_is_no_digit(blank: str) -> None:
    assert is_blank(blank)
    assert is_blank(blank * 2)
    assert is_number_or_blank(blank * 2)
    for alphabet in (Alphabet("1"), Alphabet("numbers"), Alphabet("abcdefghi")):
        assert symbol_table(alphabet, 9).digit_of[blank] == 0


def test_digits_letters_and_other_symbols_are_no_blanks() -> None:
    assert not any(map(is_blank, "123456789aAzZ+,;|#"))
    assert not is_blank(".1")
    assert is_blank("")


@for_each(
    "text, is_number",
    [
        *[("7", True), ("16", True), ("016", True), ("\uff11\uff16", True), ("٣", True)],
        *[("²", False), ("1²", False), ("1b", False), ("-1", False), ("A", False)],
    ],
)
def test_a_number_is_what_can_be_read_as_one(text: str, is_number: bool) -> None:
    assert is_number_or_blank(text) == is_number
    assert (read_number(text) is not None) == is_number


def test_no_number_is_too_long_to_be_read() -> None:
    assert read_number("9" * 9) == 999_999_999
    assert read_number("9" * 10) is None
    assert read_number("9" * 5000) is None


def test_there_are_36_symbols_that_everybody_knows() -> None:
    assert MOST_SYMBOLS == 36
    assert [alphabet.name for alphabet in possible_alphabets(36)] == ["0"]
    assert [alphabet.name for alphabet in possible_alphabets(35)] == ["1", "0"]
    assert [alphabet.name for alphabet in possible_alphabets(26)] == ["1", "0", "A"]
    assert possible_alphabets(37) == []


def test_capitals_and_small_letters_are_the_same_unless_both_are_spelled_out() -> None:
    assert symbol_table(Alphabet("1"), 16).digit_of["g"] == 16
    both = symbol_table(Alphabet("aAbB"), 4)
    assert [both.digit_of[symbol] for symbol in "aAbB"] == [1, 2, 3, 4]


def test_an_alphabet_that_takes_all_blanks_is_refused() -> None:
    with pytest.raises(SatdokuError, match="leaves no symbol for a blank"):
        symbol_table(Alphabet(".0_-*?x"), 7)


def test_only_spelled_out_alphabets_have_a_size_of_their_own() -> None:
    assert Alphabet("wxyz").fixed_size == 4
    assert Alphabet("1").fixed_size is None
    assert Alphabet("numbers").fixed_size is None


def test_an_alphabet_has_the_symbols_of_a_board_or_says_so() -> None:
    Alphabet("1").require_size(35)
    Alphabet("numbers").require_size(1000)
    with pytest.raises(SatdokuError, match="has 35 symbols, a board of 36x36 needs 36"):
        Alphabet("1").require_size(36)
    with pytest.raises(SatdokuError, match="has 5 symbols, a board of 4x4 needs 4"):
        Alphabet("vwxyz").require_size(4)


@for_each(
    "name, size, expected",
    [
        ("1", 16, "a digit 1-9A-G or a blank"),
        ("1", 10, "a digit 1-9A or a blank"),
        ("A", 4, "a digit A-D or a blank"),
        ("0", 10, "a digit 0-9 or a blank"),
        ("wxyz", 4, "a digit of 'wxyz' or a blank"),
        ("numbers", 9, "a digit 1-9 or a blank"),
        ("numbers", 10, "a number 1-10 or a blank"),
    ],
)
def test_a_message_says_which_symbols_are_expected(name: str, size: int, expected: str) -> None:
    assert symbol_table(Alphabet(name), size).expected == expected


@pytest.mark.parametrize(
    ("name", "size", "has_bytes"),
    [("1", 9, True), ("A", 26, True), ("numbers", 9, False), ("äbcd", 4, False)],
)
def test_bytes_mean_what_their_characters_mean(name: str, size: int, has_bytes: bool) -> None:
    table = symbol_table(Alphabet(name), size)
    assert (table.byte_values is not None) == has_bytes
    for code, digit in enumerate(table.byte_values or ()):
        assert digit == table.digit_of.get(chr(code), UNKNOWN)


def test_more_digits_than_bytes_hold_are_no_bytes() -> None:
    symbols = "".join(chr(code) for code in range(33, 127) if chr(code) not in "|+,:;#\"'-*?_.x0")
    assert symbol_table(Alphabet(symbols), len(symbols)).byte_values is not None
    assert symbol_table(Alphabet(symbols + "\x7f"), len(symbols) + 1).byte_values is not None
    assert symbol_table(Alphabet(symbols + "\x80"), len(symbols) + 1).byte_values is None


def test_all_widths_of_numbers_are_read() -> None:
    table = symbol_table(Alphabet("numbers"), 100)
    assert table.digit_of["7"] == table.digit_of["07"] == table.digit_of["007"] == 7
    assert table.digit_of["0"] == table.digit_of["..."] == 0
    assert table.text_of[0] == "."
    assert table.text_of[100] == "100"
    assert "101" not in table.digit_of
    assert "0007" not in table.digit_of
