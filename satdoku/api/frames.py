"""The call that answers a frame by a frame: the same rows, with the answers beside them."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from satdoku.api.keywords import SettingKeywords, settings_of
from satdoku.api.many import check_many
from satdoku.api.progress import Progress
from satdoku.api.puzzles import make_hints, read_any
from satdoku.api.sources import (
    column_names,
    column_values,
    find_column,
    is_frame,
    library_of,
    puzzle_column,
)
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.record import free_name
from satdoku.output.columns import COLUMNS, MISMATCH, to_columns
from satdoku.output.ending import Ending
from satdoku.output.objects import to_object
from satdoku.output.words import compare
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.settings import Settings

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
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> FrameT:
    """A frame of pandas or polars, or a table of pyarrow, with the columns of `check --csv` added.

    They are `verdict`, `solution`, `second` and `reason`, and `mismatch` where known solutions in
    `solution_column` are compared. A name that is taken gets an ending; what there is not is null.
    The column of puzzles is found by its usual names, such as `puzzle` or `question`.
    """
    if not is_frame(frame):
        raise SatdokuError("check_frame takes a frame of pandas or polars, or a table of pyarrow")
    name = puzzle_column(frame, column)
    reading: dict[str, Any] = {"format": format, "box": box, "alphabet": alphabet, "rules": rules}
    settings = settings_of(settings, keywords)
    outcomes = check_many(frame, settings, jobs=jobs, column=name, progress=progress, **reading)
    known = None
    if solution_column is not None:
        known = _Known(frame, find_column(frame, solution_column), make_hints(box, alphabet, ()))
    answers = [_cells(outcome, known) for outcome in outcomes]
    count = len(column_values(frame, name))
    # After a stop there are fewer answers than rows, and columns have to be equally long.
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

    def next(self) -> Grid | None:
        """The solution in the next row, if there is any."""
        number, value = next(self._values)
        if value in (None, ""):
            return None
        return read_any(value, f"{self._column}[{number}]", None, self._hints).grid


def _cells(outcome: Outcome | SatdokuError, known: _Known | None) -> list[str | None]:
    """The values of a row, as `check --csv` would write them."""
    message = ""
    try:
        # Beside a puzzle with a fault too: known solutions are read in step with the rows.
        solution = None if known is None else known.next()
    except SatdokuError as error:
        message = f"the known solution: {_message_of(error)}"
    if isinstance(outcome, SatdokuError):
        message = _message_of(outcome)
    if isinstance(outcome, SatdokuError) or message:
        return _row(Ending.UNREADABLE, message)
    fault = compare(solution, outcome) if solution is not None else ""
    return [text or None for text in (*to_columns(to_object(outcome), COLUMNS), fault)]


def _row(ending: Ending, reason: str) -> list[str | None]:
    return [ending.value, None, None, reason, None]


def _message_of(error: SatdokuError) -> str:
    """What is wrong, without the place: the row is the place."""
    return error.message if isinstance(error, FormatError) else str(error)


def _with_columns(frame: Any, columns: dict[str, list[str | None]]) -> Any:
    """The frame with further columns of texts behind its own."""
    library = library_of(frame)
    if library == "pandas":
        return frame.assign(**columns)
    # Whoever has such a frame has imported its library; we depend on none of them.
    module: Any = sys.modules[library]
    if library == "polars":
        return frame.with_columns(
            module.Series(name, values, module.String) for name, values in columns.items()
        )
    for name, values in columns.items():
        frame = frame.append_column(name, module.array(values, module.string()))
    return frame
