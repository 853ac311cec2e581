"""The call about a table of puzzles: a frame with answers beside its rows."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from satdoku.answering.output.ending import Ending
from satdoku.api.calling import Progress, SettingKeywords, make_hints, read_any, settings_of
from satdoku.api.many import AnsweredBoards, Read, ReadBoards, answer_source
from satdoku.api.sources import (
    column_names,
    column_values,
    find_column,
    is_frame,
    library_of,
    open_source,
    puzzle_column,
)
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
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
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

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
    column of puzzles is found by a usual name, such as `puzzle` or `question`. That of their rules
    is `rules`, or `rules_column`; "none" ignores rules.
    """
    if not is_frame(frame):
        raise SatdokuError("check_frame takes a frame of pandas or polars, or a table of pyarrow")
    # From here on by name: its position could change when columns are added.
    name = puzzle_column(frame, column)
    settings = settings_of(settings, keywords) or Settings()
    source = open_source(frame, name, box, rules_column)
    hints = make_hints(box, alphabet, rules)
    rows = answer_source(source, settings, jobs, progress, format, hints)
    known = None
    if solution_column is not None:
        known = _Known(frame, find_column(frame, solution_column), make_hints(box, alphabet, ()))
    # All in memory, as the frame is: its library adds whole columns.
    answers = [cells for read, row in rows for cells in _cells(read, row, settings, known)]
    count = len(column_values(frame, name))
    # After a stop there are fewer answers than rows, but columns must have equal lengths.
    answers += [_row(Ending.UNDECIDED, "stopped on request")] * (count - len(answers))
    names = [*COLUMNS, *([] if known is None else [MISMATCH])]
    taken = column_names(frame)
    added = {
        free_name(each, taken): [answer[place] for answer in answers]
        for place, each in enumerate(names)
    }
    extended: FrameT = _with_columns(frame, added)
    return extended


class _Known:
    """The known solutions of a frame, read row by row in step with the answers."""

    def __init__(self, frame: Any, column: str, hints: Hints) -> None:
        self._values = column_values(frame, column)
        self._next = 0
        self._column = column
        self._hints = hints

    def is_next(self, line: str) -> bool:
        """Whether the solution in the next row is this line; it is passed then."""
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
        # As in a field of a CSV table, which is not searched for a board among words.
        is_line = isinstance(value, str) and "\n" not in value and value.strip()[0] not in "[{"
        try:
            form = "line" if is_line else None
            solution = read_any(value, f"{self._column}[{number}]", form, hints).grid
        except SatdokuError as error:
            return f"the known solution: {_message_of(error)}"
        return compare(solution, outcome)


def _cells(
    read: Read, row: Row, settings: Settings, known: _Known | None
) -> Iterator[list[str | None]]:
    """The values of the rows of a frame, as `check --csv` would write them."""
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
            yield [Ending.UNIQUE.value, line, None, None, fault]
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
