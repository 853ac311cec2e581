"""The call about a frame of puzzles, and functions for columns in polars, DuckDB and sqlite3."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from satdoku.answering.output.ending import Ending
from satdoku.api.calling import Progress, SettingKeywords, make_hints, parse, read_any, settings_of
from satdoku.api.many import AnsweredBoards, Read, ReadBoards, answer_source, check_many
from satdoku.api.sources import (
    as_frame,
    column_names,
    column_values,
    find_column,
    is_frame,
    is_lazy_frame,
    library_of,
    open_source,
    puzzle_column,
)
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.making.canonical import canonical_form
from satdoku.notation.hints import Hints
from satdoku.notation.outcomes import (
    COLUMNS,
    MISMATCH,
    NO_KNOWN_SOLUTION,
    compare,
    to_columns,
    to_object,
)
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.record import free_name
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rater import rate_all
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        if not hasattr(library.Expr, "sudoku"):
            library.api.register_expr_namespace("sudoku")(SudokuColumn)
    elif name == "sqlite3":
        for function, ask, _ in _FUNCTIONS:
            library.create_function(function, 1, _of_one(ask), deterministic=True)
    elif name == "duckdb":
        for function, ask, kind in _FUNCTIONS:
            with suppress(Exception):  # there is none unless this is done again
                library.remove_function(function)
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
    """Return `tell` of the outcome of each puzzle; None for a missing puzzle."""
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
        # DuckDB has imported pyarrow for functions of this type; satdoku does not depend on it.
        pyarrow: Any = sys.modules["pyarrow"]
        kind = pyarrow.int32() if ask is _ratings else pyarrow.string()
        return pyarrow.array(ask(puzzles.to_pylist()), kind)

    return answer


ExprT = TypeVar("ExprT")


class SudokuColumn(Generic[ExprT]):
    """The questions about a column of puzzles in polars, given as an expression.

    After `register(polars)`, `pl.col("puzzle").sudoku` is the same; type checkers know this class.
    """

    def __init__(self, expression: ExprT) -> None:
        self._expression = expression

    def check(self) -> ExprT:
        """Return the verdict: unique, multiple, none, undecided or unreadable."""
        return self._map(_verdicts, "String")

    def solution(self) -> ExprT:
        """Return the only solution; null without one."""
        return self._map(_solutions, "String")

    def rating(self) -> ExprT:
        """Return the number of the rating; null without one."""
        return self._map(_ratings, "Int32")

    def canonical(self) -> ExprT:
        """Return the form that all symmetric twins share; null without one."""
        return self._map(_forms, "String")

    def _map(self, ask: Callable[[Column], list[Any]], kind: str) -> ExprT:
        expression: Any = self._expression
        if library_of(expression) != "polars" or not hasattr(expression, "map_batches"):
            raise SatdokuError(
                "SudokuColumn takes an expression of polars, such as pl.col('puzzle'), "
                f"not {type(self._expression).__name__}"
            )
        # The caller, who has an expression, has imported polars; satdoku does not depend on it.
        polars: Any = sys.modules["polars"]
        dtype = getattr(polars, kind)

        def answer(column: Any) -> Any:
            return polars.Series(column.name, ask(column.to_list()), dtype)

        return cast(ExprT, expression.map_batches(answer, return_dtype=dtype))


# A frame with answers beside its rows

FrameT = TypeVar("FrameT")


def check_frame(
    frame: FrameT,
    column: str | None = None,
    solution_column: str | None = None,
    settings: Settings | None = None,
    *,
    jobs: int | None = None,
    format: str | None = None,
    rules_column: str | None = None,
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> FrameT:
    """Return a frame (pandas, polars or pyarrow) with the columns of `check --csv` added.

    These are `verdict`, `solution`, `second` and `reason`, and `mismatch` if known solutions in
    `solution_column` are compared. A name that is taken gets a suffix; missing values are null. The
    column of puzzles is found by a usual name, such as `puzzle` or `question`. The column of their
    rules is `rules`, or `rules_column`; "none" ignores rules. A lazy frame of polars is collected,
    and its answer is a lazy frame; for an object that only has `__arrow_c_stream__`, such as a
    relation of DuckDB, the answer is a table of pyarrow.
    """
    is_lazy = is_lazy_frame(frame)
    frame = as_frame(frame)
    if not is_frame(frame):
        raise SatdokuError(
            "check_frame takes a frame of pandas or polars, a table of pyarrow, or what has "
            "__arrow_c_stream__"
        )
    # From here on, the column is used by name: its position could change when columns are added.
    name = puzzle_column(frame, column)
    settings = settings_of(settings, keywords) or Settings()
    source = open_source(frame, name, box, rules_column)
    hints = make_hints(box, alphabet, rules)
    rows = answer_source(source, settings, jobs, progress, format, hints)
    known = None
    if solution_column is not None:
        known = _Known(frame, find_column(frame, solution_column), make_hints(box, alphabet, ()))
    # All answers are in memory, as the frame is: its library adds whole columns.
    answers = [cells for read, row in rows for cells in _cells(read, row, settings, known)]
    count = len(cast("Sized", frame))
    # After a stop there are fewer answers than rows, but columns must have equal lengths.
    answers += [_row(Ending.UNDECIDED, "stopped on request")] * (count - len(answers))
    names = [*COLUMNS, *([] if known is None else [MISMATCH])]
    taken = column_names(frame)
    added = {
        free_name(each, taken): [answer[place] for answer in answers]
        for place, each in enumerate(names)
    }
    extended: Any = _with_columns(frame, added)
    return cast("FrameT", extended.lazy() if is_lazy else extended)


class _Known:
    """The known solutions of a frame, read row by row in step with the answers."""

    def __init__(self, frame: Any, column: str, hints: Hints) -> None:
        self._values = column_values(frame, column)
        self._next = 0
        self._column = column
        self._hints = hints

    def is_next(self, line: str) -> bool:
        """Whether the solution in the next row is this line; if so, go on to the row after it."""
        is_same = bool(self._values[self._next] == line)
        self._next += is_same
        return is_same

    def fault_beside(self, outcome: Outcome | SatdokuError) -> str:
        """Return what is wrong with the solution in the next row; empty if it is right.

        Must be called for every row, even one with an unreadable puzzle, to keep the solutions in
        step with the rows.
        """
        number, value = self._next, self._values[self._next]
        self._next += 1
        if isinstance(outcome, SatdokuError):
            return ""
        if value is None or (isinstance(value, str) and not value.strip()):
            return NO_KNOWN_SOLUTION
        hints = replace(self._hints, geometry=outcome.puzzle.geometry)
        # Like a field of a CSV table, the value is not searched for a board among words.
        is_line = isinstance(value, str) and "\n" not in value and value.strip()[0] not in "[{"
        try:
            form = "line" if is_line else None
            solution = read_any(value, f"{self._column}[{number}]", form, hints).grid
        except SatdokuError as error:
            return f"the known solution: {_message_of(error)}"
        return compare(solution, outcome)


_UNIQUE = Ending.UNIQUE.value


def _cells(
    read: Read, row: Row, settings: Settings, known: _Known | None
) -> Iterator[list[str | None]]:
    """Yield the values of the rows of a frame, as `check --csv` would write them."""
    if not isinstance(read, ReadBoards):
        found = read if isinstance(read, SatdokuError) else replace(row.result, puzzle=read)
        yield _cells_of(found, known)
        return
    answers: AnsweredBoards = row.result
    lines = plain_lines(read.boards.geometry).write_block(answers.cells).splitlines()
    for number, line in enumerate(lines):
        if answers.is_unique[number] and number not in read.puzzles:
            # No object is made of a board that was a plain line and has one solution.
            fault = None
            if known is not None and not known.is_next(line):
                fault = known.fault_beside(read.outcome(number, answers, settings)) or None
            yield [_UNIQUE, line, None, None, fault]
        else:
            yield _cells_of(read.outcome(number, answers, settings), known)


def _cells_of(outcome: Outcome | SatdokuError, known: _Known | None) -> list[str | None]:
    fault = "" if known is None else known.fault_beside(outcome)
    if isinstance(outcome, SatdokuError):
        return _row(Ending.UNREADABLE, _message_of(outcome))
    return [text or None for text in (*to_columns(to_object(outcome), COLUMNS), fault)]


def _row(ending: Ending, reason: str) -> list[str | None]:
    return [ending.value, None, None, reason, None]


def _message_of(error: SatdokuError) -> str:
    """Return the message of an error without its place, because the row is the place."""
    return error.message if isinstance(error, FormatError) else str(error)


def _with_columns(frame: Any, columns: dict[str, list[str | None]]) -> Any:
    """Return the frame with further columns of text behind its own."""
    library = library_of(frame)
    if library == "pandas":
        return frame.assign(**columns)
    # The caller has imported the library of the frame; satdoku depends on none of them.
    module: Any = sys.modules[library]
    if library == "polars":
        return frame.with_columns(
            module.Series(name, values, module.String) for name, values in columns.items()
        )
    for name, values in columns.items():
        frame = frame.append_column(name, module.array(values, module.string()))
    return frame
