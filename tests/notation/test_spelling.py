"""How boards are written, cell by cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.spelling import (
    Spelling,
    align,
    spelling_of,
    split_every,
    write_cells,
    write_rows,
)
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid


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
