"""Lists make boards, and solutions make lists of the same shape; arrays and frames give rows.

Stand-ins for them behave as the libraries do.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from satdoku import api
from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import list_cells, read_lists, rows_of, write_lists
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from tests.each import for_each

GRID = Grid(Geometry(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
LARGE = Grid(Geometry(2, 5), tuple(cell % 10 + 1 for cell in range(100)))
NUMBERS = [list(row) for row in GRID.rows]
STRINGS = [list(map(str, row)) for row in GRID.rows]
ROWS = ["".join(row) for row in STRINGS]


def read(rows: Sequence[object], hints: Hints | None = None) -> Grid:
    return read_lists(rows, hints or Hints(), lambda cell: (cell // 100 + 1, cell + 1), "f")


@for_each(
    "rows",
    [
        NUMBERS,
        STRINGS,
        ROWS,
        [" ".join(row) for row in STRINGS],
        ["|".join(row) for row in STRINGS],
        ["12|34", "3 4 1 2", (2, "1", 4, "3"), [4, 3, 2, 1]],
        [tuple(row) for row in NUMBERS],
        [cell for row in NUMBERS for cell in row],
        [cell for row in STRINGS for cell in row],
    ],
)
def test_all_are_the_same_board(rows: list[object]) -> None:
    assert read(rows) == GRID


@for_each("blank", [0, None, False, "", " ", ".", "0", "_"])
def test_a_blank_is_written_in_many_ways(blank: object) -> None:
    assert read([[1, blank, 3, 4], *NUMBERS[1:]]).digits == (1, 0, *GRID.digits[2:])
    flat = [1, blank, *[cell for row in NUMBERS for cell in row][2:]]
    assert read(flat).digits == (1, 0, *GRID.digits[2:])


def test_numbers_are_numbers_whatever_the_alphabet() -> None:
    hints = Hints(alphabet=Alphabet("A"))
    assert read([[1, None, 3, 4], *NUMBERS[1:]], hints).digits[:4] == (1, 0, 3, 4)
    assert read([["A", "", "C", "D"], *[["."] * 4] * 3], hints).digits[:4] == (1, 0, 3, 4)


def test_numbers_are_the_digits_that_a_rule_names() -> None:
    zeros = Hints(rules=("digits:0-3",))
    rows = [[0, 1, 2, 3], [None] * 4, [None, 3, None, 0], [None] * 4]
    expected = (1, 2, 3, 4, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0, 0)
    assert read(rows, zeros).digits == expected
    assert write_lists(rows, GRID, zeros.spelling)[0] == [0, 1, 2, 3]
    with pytest.raises(FormatError, match="'4' is not a digit 0-3"):
        read([[4, 1, 2, 3], *rows[1:]], zeros)
    large = [[*range(12)], *[[None] * 12] * 11]
    assert read(large, Hints(rules=("digits:0-11",))).digits[:12] == tuple(range(1, 13))


def test_letters_are_understood_above_nine_digits() -> None:
    row = ["1", "", *"........", *".....G"]
    assert read([row] * 16).digits[:16] == (1, *[0] * 14, 16)
    assert read([["1"] + ["."] * 14 + ["16"]] * 16).digits[:16] == (1, *[0] * 14, 16)


def test_strings_of_three_places_may_be_cells_and_longer_ones_are_rows() -> None:
    flat = read([str(cell % 100 + 1) for cell in range(10_000)])
    assert flat.geometry.size == 100
    assert flat.digits[99] == 100
    assert read(["1234"] + ["...."] * 3).geometry.size == 4
    assert read(["1" + "." * 15] * 16).digits[:17] == (1, *[0] * 15, 1)


def test_hints_decide_size_and_boxes() -> None:
    assert read([[0] * 6] * 6, Hints(Geometry(3, 2))).geometry == Geometry(3, 2)
    assert read([[0] * 7] * 7, Hints(Geometry(1, 7))).geometry == Geometry(1, 7)
    assert read([0] * 49, Hints(Geometry(1, 7))).geometry == Geometry(1, 7)
    assert read(["1", "."] * 2, Hints(Geometry(1, 2))).digits == (1, 0, 1, 0)


@for_each(
    "rows, hints, message",
    [
        ([[1, 2, 3, 4], [0] * 3, [0] * 4, [0] * 4], Hints(), "f:1:5: 3 cells found in row 2, "),
        (
            [[1, 2, 3, 4], [0], [0] * 4, [0] * 4],
            Hints(),
            "f:1:5: 1 cell found in row 2, expected 4",
        ),
        ([[0] * 4] * 3, Hints(), "f:1:1: 3 rows found, expected 4"),
        ([[0] * 6] * 5, Hints(Geometry(2, 3)), "f:1:1: 5 rows found, expected 6"),
        ([[0] * 6], Hints(Geometry(2, 3)), "f:1:1: 1 row found, expected 6"),
        ([], Hints(), "f:1:1: 0 rows found, expected some"),
        ([], Hints(Geometry()), "f:1:1: 0 rows found, expected 9"),
        ([[1, 2, 3, 4], 5, [0] * 4, [0] * 4], Hints(), "f:1:5: '5' is not a row of 4 cells"),
        ([1, 2, 3], Hints(), "f:1:1: '1' is not a row of 3 cells"),
        ([[0] * 3] * 3, Hints(), "f:1:1: a board of 3x3 has no boxes"),
        ([[1, 2, 3, 5]] + [[0] * 4] * 3, Hints(), "f:1:4: '5' is not a digit 1-4"),
        ([[1, 2, 3, "q"]] + [[0] * 4] * 3, Hints(), "f:1:4: 'q' is not a digit 1-4"),
        ([[True, 0, 0, 0]] + [[0] * 4] * 3, Hints(), "f:1:1: 'True' is not a digit"),
        ([[1.5, 0, 0, 0]] + [[0] * 4] * 3, Hints(), "f:1:1: '1.5' is not a digit"),
        ([[[1]] * 4] * 4, Hints(), "f:1:1: '[1]' is not a digit"),
        ([[1]] * 16, Hints(), "f:1:1: 1 cell found in row 1, expected 16"),
    ],
)
def test_a_fault_has_its_place(rows: list[object], hints: Hints, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(rows, hints)
    assert str(caught.value).startswith(message)


@for_each(
    "cells, solved",
    [
        (NUMBERS, NUMBERS),
        (STRINGS, STRINGS),
        (ROWS, ROWS),
        ([[0] * 4] * 4, NUMBERS),
        ([["."] * 4] * 4, STRINGS),
        ([[""] * 4] * 4, STRINGS),
        ([[None] * 4] * 4, NUMBERS),
        ([[1, ".", 3, ""]] * 4, NUMBERS),
        ([["1", None, "3", None]] * 4, STRINGS),
        ([[1, "2", 3, 4]] * 4, STRINGS),
        ([0] * 16, [cell for row in NUMBERS for cell in row]),
        (["."] * 16, [cell for row in STRINGS for cell in row]),
    ],
)
def test_a_solution_has_the_shape_of_its_puzzle(cells: list[object], solved: list[object]) -> None:
    assert write_lists(cells, GRID, Spelling()) == solved


def test_rows_of_large_boards_are_separated() -> None:
    rows = [" ".join(map(str, row)) for row in LARGE.rows]
    assert write_lists(["." * 10] * 10, LARGE, Spelling()) == rows
    letters = write_lists(["." * 10] * 10, LARGE, Spelling(Alphabet("A")))
    assert letters[0] == "ABCDEFGHIJ"


def test_cells_are_listed_row_by_row() -> None:
    assert list_cells([[1, None], ["2", " 3 "]], 2) == ["1", ".", "2", "3"]
    assert list_cells(["12", "3,"], 2) == ["1", "2", "3", "."]
    assert list_cells(["12", "", "3", None], 2) == ["12", ".", "3", "."]


ARRAY = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 4, 0]]


class Frame:
    """A table that gives columns, or their names, to whoever goes through it."""

    columns = ("a", "b", "c", "d")

    def __init__(self, rows: list[list[Any]]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(zip(*self._rows, strict=True))

    def __len__(self) -> int:
        return len(self._rows)


class Polars(Frame):
    def rows(self) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._rows]


class Numpy(Frame):
    def tolist(self) -> list[list[Any]]:
        return self._rows


class Pandas(Frame):
    def to_numpy(self) -> Numpy:
        return Numpy(self._rows)


Polars.__module__ = "polars.dataframe.frame"
Pandas.__module__ = "pandas.core.frame"
Numpy.__module__ = "numpy"


@pytest.mark.parametrize("kind", [Polars, Pandas, Numpy])
def test_rows_are_rows(kind: type[Frame]) -> None:
    puzzle: Any = kind(ARRAY)
    assert [list(row) for row in api.parse(puzzle).grid.rows] == ARRAY


def test_missing_cells_and_floats_are_blanks_and_digits() -> None:
    rows = [[float(cell) if cell else float("nan") for cell in row] for row in ARRAY]
    assert rows_of(Pandas(rows)) == [[cell or None for cell in row] for row in ARRAY]


def test_a_fraction_is_no_digit() -> None:
    puzzle: Any = Numpy([[1.5, 0.0, 0.0, 0.0], *ARRAY[1:]])
    with pytest.raises(FormatError, match=r"'1\.5' is not a digit"):
        api.parse(puzzle)


def test_a_table_of_another_library_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match=r"a list of rows, not tests\.Frame"):
        rows_of(_renamed(Frame(ARRAY)))


def _renamed(frame: Frame) -> Frame:
    type(frame).__module__ = "tests.frames"
    return frame


def test_lists_stay_what_they_are() -> None:
    assert rows_of(ARRAY) is ARRAY
