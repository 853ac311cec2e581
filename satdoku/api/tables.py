"""The calls about a table of puzzles: a frame gets columns with answers, an array an array.

Arrays are solved without creating an object for each puzzle.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from satdoku.answering.many import LARGEST_SIZE, solve_blocks
from satdoku.answering.output.ending import Ending
from satdoku.api.calling import Progress, SettingKeywords, make_hints, read_any, settings_of
from satdoku.api.many import check_many
from satdoku.api.sources import (
    column_names,
    column_values,
    find_column,
    is_frame,
    library_of,
    puzzle_column,
    shape_of_boards,
)
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
from satdoku.notation.record import free_name
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.questions import check
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
    reading: dict[str, Any] = {"format": format, "box": box, "alphabet": alphabet, "rules": rules}
    settings = settings_of(settings, keywords)
    reading["rules_column"] = rules_column
    outcomes = check_many(frame, settings, jobs=jobs, column=name, progress=progress, **reading)
    known = None
    if solution_column is not None:
        known = _Known(frame, find_column(frame, solution_column), make_hints(box, alphabet, ()))
    # Keep all answers in memory, like the frame: its library adds whole columns.
    answers = [_cells(outcome, known) for outcome in outcomes]
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
        self._values = enumerate(column_values(frame, column))
        self._column = column
        self._hints = hints

    def fault_beside(self, outcome: Outcome | SatdokuError) -> str:
        """Return what is wrong with the solution in the next row; empty if it is right.

        Must be called for every row, even one with an unreadable puzzle, to keep the solutions in
        step with the rows.
        """
        number, value = next(self._values)
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


def _cells(outcome: Outcome | SatdokuError, known: _Known | None) -> list[str | None]:
    """Return the values of a row, as `check --csv` writes them."""
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


# One megabyte of 9x9 boards: large enough to be fast, and Ctrl-C works between batches.
_BOARDS_AT_ONCE = 1 << 14


def solve_array(boards: Any, box: Geometry | None = None) -> Any:
    """Return the only solutions of many boards as an array of the same shape.

    `boards` is a numpy array of integers, (n, 81) or (n, 9, 9), with 0 for empty cells; the result
    has type `uint8`. Alternatively it is bytes, one digit each, of boards one after the other (9x9
    without a `box`); the result is then bytes. A board with no or several solutions is all zeros in
    the result: `check` says which. 9x9 boards are fastest if the compiled library is available.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> solve_array(boards, Geometry(2, 2)).hex(" ", 16)
    '01020403030402010403010202010304 00000000000000000000000000000000'
    """
    if isinstance(boards, bytes | bytearray | memoryview):
        data, geometry = bytes(boards), box or Geometry()
        _require_digits(data, geometry)
        return _solve(data, geometry)
    if library_of(boards) != "numpy" or boards.dtype.kind not in "iu":
        raise SatdokuError("solve_array takes an array of numpy with whole numbers, or bytes")
    geometry = shape_of_boards(boards, box)
    solved = boards.astype("uint8", order="C")
    # A value that does not fit into a byte differs after the conversion.
    if (solved != boards).any():
        raise SatdokuError("these boards contain numbers that are not digits")
    data = solved.tobytes()
    _require_digits(data, geometry)
    if data:  # an empty buffer has no memory to write to
        memoryview(solved).cast("B")[:] = _solve(data, geometry)
    return solved


def _require_digits(data: bytes, geometry: Geometry) -> None:
    if not 1 < geometry.size <= LARGEST_SIZE:
        raise SatdokuError(
            f"solve_array takes boards of up to 9x9, not those of {geometry}; check_many does"
        )
    count = geometry.cell_count
    if len(data) % count:
        raise SatdokuError(f"{len(data):,} bytes are no boards of {count} cells each")
    possible = bytes(range(geometry.size + 1))
    if data.translate(None, possible):
        place = next(place for place, digit in enumerate(data) if digit not in possible)
        raise SatdokuError(f"boards[{place // count}] has {data[place]}, which is no digit there")


def _solve(data: bytes, geometry: Geometry) -> bytes:
    step = _BOARDS_AT_ONCE * geometry.cell_count
    parts = (data[begin : begin + step] for begin in range(0, len(data), step))
    return b"".join(_solve_part(part, geometry) for part in parts)


def _solve_part(part: bytes, geometry: Geometry) -> bytes:
    [(cells, is_unique, _)] = solve_blocks(geometry, [part])
    if 0 not in is_unique:
        return cells
    solved, width = bytearray(cells), geometry.cell_count
    number = is_unique.find(0)
    while number >= 0:
        here = slice(number * width, (number + 1) * width)
        # Boards that the compiled library gives up on may still have one solution.
        outcome = check(Puzzle(Grid(geometry, tuple(part[here]))))
        only = outcome.solution if outcome.verdict is Verdict.UNIQUE else None
        solved[here] = bytes(width) if only is None else bytes(only.digits)
        number = is_unique.find(0, number + 1)
    return bytes(solved)
