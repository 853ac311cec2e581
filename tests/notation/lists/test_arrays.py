"""Arrays and frames give their rows; stand-ins behave as the libraries do."""

from collections.abc import Iterator
from typing import Any

import pytest

from satdoku import api
from satdoku.errors import FormatError
from satdoku.notation.lists.arrays import rows_of

ROWS = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 4, 0]]


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
    puzzle: Any = kind(ROWS)
    assert [list(row) for row in api.parse(puzzle).grid.rows] == ROWS


def test_missing_cells_and_floats_are_blanks_and_digits() -> None:
    rows = [[float(cell) if cell else float("nan") for cell in row] for row in ROWS]
    assert rows_of(Pandas(rows)) == [[cell or None for cell in row] for row in ROWS]


def test_a_fraction_is_no_digit() -> None:
    puzzle: Any = Numpy([[1.5, 0.0, 0.0, 0.0], *ROWS[1:]])
    with pytest.raises(FormatError, match=r"'1\.5' is not a digit"):
        api.parse(puzzle)


def test_a_table_of_another_library_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match=r"a list of rows, not tests\.Frame"):
        rows_of(_renamed(Frame(ROWS)))


def _renamed(frame: Frame) -> Frame:
    type(frame).__module__ = "tests.frames"
    return frame


def test_lists_stay_what_they_are() -> None:
    assert rows_of(ROWS) is ROWS
