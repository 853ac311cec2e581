"""Functions for columns of puzzles where data people have them."""

import sqlite3
import warnings
from typing import Any

import pytest

import satdoku
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL, SMALL_SOLUTION

PUZZLES = [EASY, AMBIGUOUS, None, "12", CLASHING, SMALL]
VERDICTS = ["unique", "multiple", None, "unreadable", "none", "unique"]
SOLUTIONS = [EASY_SOLUTION, None, None, None, None, SMALL_SOLUTION]
RATINGS = [satdoku.rate(EASY).number, None, None, None, None, satdoku.rate(SMALL).number]
FORM = satdoku.canonical(EASY).grid.line


def test_expressions_of_polars_have_a_namespace() -> None:
    import polars  # late: not each worker needs it

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):  # as in a notebook whose cells are run again
            satdoku.register(polars)
    column: Any = polars.col("puzzle")
    asked = column.sudoku
    frame = polars.DataFrame({"puzzle": PUZZLES}).lazy()
    found = frame.select(
        check=asked.check(),
        solution=asked.solution(),
        rating=asked.rating(),
        form=asked.canonical(),
        typed=satdoku.SudokuColumn(column).check(),
    ).collect()
    assert found["typed"].to_list() == VERDICTS
    assert found["check"].to_list() == VERDICTS
    assert found["solution"].to_list() == SOLUTIONS
    assert found["rating"].to_list() == RATINGS
    assert found["form"].to_list()[0] == FORM
    assert found["form"].null_count() == 3


def rows_of(connection: Any) -> list[tuple[Any, ...]]:
    for _ in range(2):  # as in a notebook whose cells are run again
        satdoku.register(connection)
    connection.execute("create table bank (n integer, puzzle varchar)")
    connection.executemany("insert into bank values (?, ?)", list(enumerate(PUZZLES)))
    found: list[tuple[Any, ...]] = connection.execute(
        "select sudoku_verdict(puzzle), sudoku_solution(puzzle), sudoku_rating(puzzle), "
        "sudoku_canonical(puzzle) from bank order by n"
    ).fetchall()
    return found


def require_right(rows: list[tuple[Any, ...]]) -> None:
    verdicts, solutions, ratings, forms = (list(column) for column in zip(*rows, strict=True))
    assert (verdicts, solutions, ratings) == (VERDICTS, SOLUTIONS, RATINGS)
    assert forms[0] == FORM


def test_sqlite_has_functions() -> None:
    connection = sqlite3.connect(":memory:")
    require_right(rows_of(connection))
    connection.close()


def test_duckdb_has_functions() -> None:
    duckdb = pytest.importorskip("duckdb")
    require_right(rows_of(duckdb.connect()))


def test_others_are_refused() -> None:
    for other in (None, "polars", sqlite3):
        with pytest.raises(satdoku.SatdokuError, match="register takes"):
            satdoku.register(other)
    with pytest.raises(satdoku.SatdokuError, match="takes an expression of polars"):
        satdoku.SudokuColumn(EASY).check()


def test_a_series_is_no_expression() -> None:
    series = pytest.importorskip("polars").Series("puzzle", [EASY])
    with pytest.raises(satdoku.SatdokuError, match=r"takes an expression of polars.*not Series"):
        satdoku.SudokuColumn(series).check()
