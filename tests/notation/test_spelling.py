"""Boards are written cell by cell, and read to digits or to a fault with its place."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import FormatError
from satdoku.notation.spelling import (
    Alphabet,
    Spelling,
    align,
    alphabet_of,
    choose_alphabet,
    read_digits,
    spelling_of,
    split_every,
    write_cells,
    write_rows,
)
from satdoku.puzzle.grid import Geometry, Grid
from tests.each import for_each


def grid_of(geometry: Geometry) -> Grid:
    """A board with an empty cell, then the digits in order."""
    size = geometry.size
    return Grid(geometry, tuple(cell % (size + 1) for cell in range(size * size)))


def test_up_to_nine_digits_are_characters_and_more_are_numbers() -> None:
    assert write_cells(grid_of(Geometry(3, 3))).startswith(".123456789.1")
    assert write_cells(grid_of(Geometry(2, 5))).startswith(". 1 2 3 4 5 6 7 8 9 10 . 1")


@pytest.mark.parametrize(
    ("name", "opening"),
    [("1", ".123456789A.1"), ("0", ".0123456789.0"), ("A", ".ABCDEFGHIJ.A")],
)
def test_an_alphabet_puts_nothing_between_cells(name: str, opening: str) -> None:
    assert write_cells(grid_of(Geometry(2, 5)), Spelling(Alphabet(name))).startswith(opening)


def test_numbers_up_to_nine_are_written_as_characters() -> None:
    assert write_cells(grid_of(Geometry(3, 3)), Spelling(Alphabet("numbers"))).startswith(".12345")
    numbers = write_cells(grid_of(Geometry(2, 5)), Spelling(Alphabet("numbers")))
    assert numbers.startswith(". 1 2 3 4 5 6 7 8 9 10")


def test_a_blank_that_is_a_digit_gives_way_to_another() -> None:
    grid = grid_of(Geometry(2, 5))
    assert write_cells(grid, Spelling(Alphabet("0"), "0")).startswith(".0123456789.0")
    assert write_cells(grid, Spelling(Alphabet("1"), "0")).startswith("0123456789A01")


def test_rows_of_numbers_stand_in_columns() -> None:
    rows = write_rows(grid_of(Geometry(2, 5)))
    assert rows[0] == " .  1  2  3  4  5  6  7  8  9"
    assert rows[1] == "10  .  1  2  3  4  5  6  7  8"
    assert len(rows) == 10


def test_rows_may_have_spaces_between_characters() -> None:
    assert write_rows(grid_of(Geometry(2, 2)))[0] == ".123"
    assert write_rows(grid_of(Geometry(2, 2)), Spelling(is_spaced=True))[0] == ". 1 2 3"


@given(st.lists(st.integers()), st.integers(1, 9))
def test_pieces_are_all_the_items_in_order(items: list[int], count: int) -> None:
    pieces = split_every(items, count)
    assert [item for piece in pieces for item in piece] == items
    assert all(len(piece) == count for piece in pieces[:-1])
    assert all(0 < len(piece) <= count for piece in pieces)


def test_texts_are_aligned_to_the_right() -> None:
    assert align(["1", "10", ""]) == [" 1", "10", "  "]
    assert align([]) == []


def test_what_was_read_is_written_alike() -> None:
    assert spelling_of("1..G", 16, None) == Spelling(Alphabet("1"))
    assert spelling_of(["1", "G"], 16, None) == Spelling(Alphabet("1"))
    assert spelling_of(["1", "16"], 16, None) == Spelling(Alphabet("numbers"))
    assert spelling_of("1..G", 16, Alphabet("A")) == Spelling(Alphabet("A"))
    assert spelling_of("1..9", 9, None) == Spelling()
    assert spelling_of("1..9A", 10, None) == Spelling(Alphabet("1"))


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


@for_each(
    "cells, size, alphabet, message",
    [
        ("12q4", 4, None, "f:7:3: 'q' is not a digit 1-4 or a blank"),
        (["1", "17"], 16, None, "f:7:2: '17' is not a number 1-16 or a blank"),
        (["1", "9" * 30], 16, None, "f:7:2: '99999999999999999...' is not a number 1-16"),
        ("1é", 4, None, "f:7:2: 'é' is not a digit"),
        ("12", 10, "numbers", "f:7:1: numbers above 9 need separators"),
        ("12", 49, None, "f:7:1: a board of 49x49 needs separated numbers, or --alphabet with 49"),
        ("1..F", 16, None, "f:7:1: it is not clear which symbols are meant; use --alphabet 1 or 0"),
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
