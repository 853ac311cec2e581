"""Functions for columns of puzzles in polars, DuckDB and sqlite3."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from satdoku.api.calling import parse
from satdoku.api.many import check_many
from satdoku.errors import SatdokuError
from satdoku.making.canonical import canonical_form
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rater import rate_all

Column = Sequence[Any]


def register(library: Any) -> None:
    """Give polars, or a connection of DuckDB or sqlite3, functions for columns of puzzles.

    `register(polars)` adds the namespace `sudoku` to expressions, as in
    `pl.col("puzzle").sudoku.check()`; it has `solution`, `rating` and `canonical`, too. Connections
    get `sudoku_verdict`, `sudoku_solution`, `sudoku_rating` and `sudoku_canonical`. A missing
    puzzle has a missing answer, and one that cannot be read the verdict `unreadable`.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> register(connection)
    >>> connection.execute("select sudoku_verdict('1.....2..3.....4')").fetchone()
    ('unique',)
    """
    name = type(library).__module__.partition(".")[0].strip("_")
    if getattr(library, "__name__", "") == "polars":
        _register_namespace(library)
    elif name == "sqlite3":
        for function, ask, _ in _FUNCTIONS:
            library.create_function(function, 1, _of_one(ask), deterministic=True)
    elif name == "duckdb":
        for function, ask, kind in _FUNCTIONS:
            library.create_function(
                function, _of_arrow(ask), ["VARCHAR"], kind, type="arrow", null_handling="special"
            )
    else:
        raise SatdokuError(
            "register takes the module polars, or a connection of DuckDB or sqlite3, "
            f"not {type(library).__name__}"
        )


def _verdicts(puzzles: Column) -> list[Any]:
    return _answers(puzzles, lambda outcome: outcome.verdict.value, "unreadable")


def _solutions(puzzles: Column) -> list[Any]:
    return _answers(puzzles, _only_solution, None)


def _only_solution(outcome: Outcome) -> str | None:
    if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
        return None
    return write_cells(outcome.solution)


def _answers(puzzles: Column, tell: Callable[[Outcome], Any], unreadable: Any) -> list[Any]:
    """Return what is told of the outcome of each puzzle; None for a missing one."""
    known = [puzzle for puzzle in puzzles if puzzle is not None]
    # One process: a database calls from threads of its own, and has its own way to share work.
    found = check_many(known, jobs=1)
    told = (unreadable if isinstance(each, SatdokuError) else tell(each) for each in found)
    return [None if puzzle is None else next(told) for puzzle in puzzles]


def _ratings(puzzles: Column) -> list[Any]:
    parsed = [_parsed(puzzle) for puzzle in puzzles]
    rated = rate_all(puzzle for puzzle in parsed if puzzle is not None)
    ratings = (each.rating and each.rating.number for each in rated)
    return [None if puzzle is None else next(ratings) for puzzle in parsed]


def _forms(puzzles: Column) -> list[Any]:
    return [_form(puzzle) for puzzle in puzzles]


def _form(puzzle: Any) -> str | None:
    parsed = _parsed(puzzle)
    try:
        return None if parsed is None else write_cells(canonical_form(parsed).grid)
    except SatdokuError:
        return None  # further rules, or givens that clash


def _parsed(puzzle: Any) -> Any:
    try:
        return None if puzzle is None else parse(puzzle)
    except SatdokuError:
        return None


_FUNCTIONS: Iterable[tuple[str, Callable[[Column], list[Any]], str]] = (
    ("sudoku_verdict", _verdicts, "VARCHAR"),
    ("sudoku_solution", _solutions, "VARCHAR"),
    ("sudoku_rating", _ratings, "INTEGER"),
    ("sudoku_canonical", _forms, "VARCHAR"),
)


def _of_one(ask: Callable[[Column], list[Any]]) -> Callable[[Any], Any]:
    def answer(puzzle: Any) -> Any:
        [found] = ask([puzzle])
        return found

    return answer


def _of_arrow(ask: Callable[[Column], list[Any]]) -> Callable[[Any], Any]:
    def answer(puzzles: Any) -> Any:
        # DuckDB has imported it for functions of this type; satdoku does not depend on it.
        pyarrow: Any = sys.modules["pyarrow"]
        kind = pyarrow.int32() if ask is _ratings else pyarrow.string()
        return pyarrow.array(ask(puzzles.to_pylist()), kind)

    return answer


def _register_namespace(polars: Any) -> None:
    class Sudoku:
        """What can be asked about a column of puzzles."""

        def __init__(self, expression: Any) -> None:
            self._expression = expression

        def check(self) -> Any:
            """The verdict: unique, multiple, none, undecided or unreadable."""
            return self._map(_verdicts, polars.String)

        def solution(self) -> Any:
            """The only solution; null without one."""
            return self._map(_solutions, polars.String)

        def rating(self) -> Any:
            """The number of the rating; null without one."""
            return self._map(_ratings, polars.Int32)

        def canonical(self) -> Any:
            """The form that all symmetric twins share; null without one."""
            return self._map(_forms, polars.String)

        def _map(self, ask: Callable[[Column], list[Any]], kind: Any) -> Any:
            def answer(column: Any) -> Any:
                return polars.Series(column.name, ask(column.to_list()), kind)

            return self._expression.map_batches(answer, return_dtype=kind)

    polars.api.register_expr_namespace("sudoku")(Sudoku)
