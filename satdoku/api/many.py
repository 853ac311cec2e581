"""The calls about many puzzles: answered lazily and in order, by one process or several.

Little is sent between processes: to a worker the bytes of a board where they define the puzzle, and
back only the solution of a unique puzzle, from which `outcome_of` makes the outcome.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import current_process
from typing import TYPE_CHECKING, Any, NamedTuple

from satdoku.answering.many import (
    LEAST_BOARDS,
    board_of,
    may_use_bulk,
    only_solutions,
    unique_outcome,
)
from satdoku.answering.output.ending import Ending
from satdoku.api.calling import (
    AnyPuzzle,
    Progress,
    Reporter,
    SettingKeywords,
    make_hints,
    read_any,
    settings_of,
)
from satdoku.api.solving import UnsolvedError
from satdoku.api.sources import Shaped, Source, open_source
from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import PlainBoard
from satdoku.notation.record import with_place
from satdoku.notation.rule_entries import (
    RULE_KEYS,
    refuse_rules_beside,
    with_rule_entries,
    with_shape,
)
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

# A source that takes longer for its next puzzle is waiting for something, perhaps for earlier
# answers: stop reading ahead, and answer the puzzles read so far.
_SLOW_SECONDS = 0.005


class AskedPuzzle(NamedTuple):
    """A puzzle to check, as a board where that is enough; both are None for an invalid item.

    Invalid items are sent too, so that there is one row for everything that was read.
    """

    board: PlainBoard | None = None
    puzzle: Puzzle | None = None

    @classmethod
    def of(cls, puzzle: Puzzle) -> "AskedPuzzle":
        board = board_of(puzzle)
        return cls(board) if board is not None else cls(puzzle=puzzle)

    @property
    def text(self) -> Sequence[int]:
        """Return the digits of the board; a batch uses only the length of a text."""
        if self.board is not None:
            return self.board.digits
        return () if self.puzzle is None else self.puzzle.grid.digits

    def to_puzzle(self) -> Puzzle:
        """Return the puzzle, without parts that do not matter for its verdict."""
        if self.board is None:
            assert self.puzzle is not None
            return self.puzzle
        return Puzzle(self.board.grid)


@dataclass(frozen=True)
class OutcomeFinder:
    """Checks puzzles.

    The result of a row is input for `outcome_of`, and None for an invalid item.
    """

    settings: Settings = field(default_factory=Settings)

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def answers(self, records: Sequence[AskedPuzzle]) -> Iterator[Row]:
        """Yield one row for each puzzle; the bulk solver helps if there are many small boards."""
        if len(records) < LEAST_BOARDS or not may_use_bulk(self.settings):
            yield from map(self._answer, records)
            return
        solutions = only_solutions([record.board for record in records])
        for record, only in zip(records, solutions, strict=True):
            if only is None:
                yield self._answer(record)
            else:
                yield Row("", Ending.UNIQUE, result=only.solution, compared=int(only.is_compared))

    def give_up(self, record: AskedPuzzle, reason: str) -> Row:
        outcome = Outcome(record.to_puzzle(), Verdict.UNDECIDED, reason=reason)
        return Row("", Ending.UNDECIDED, result=outcome)

    def _answer(self, record: AskedPuzzle) -> Row:
        if record.board is None and record.puzzle is None:
            return Row("", Ending.UNREADABLE)
        outcome = check(record.to_puzzle(), self.settings)
        return Row("", Ending.of(outcome.verdict), result=outcome)


def outcome_of(puzzle: Puzzle, row: Row, settings: Settings) -> Outcome:
    """Return the outcome of a puzzle, given the row with its answer."""
    if isinstance(row.result, bytes):
        return unique_outcome(puzzle, row.result, settings)
    outcome: Outcome = row.result
    return replace(outcome, puzzle=puzzle)


def check_many(
    puzzles: Iterable[AnyPuzzle] | Any,
    settings: Settings | None = None,
    *,
    jobs: int | None = None,
    column: str | None = None,
    rules_column: str | None = None,
    format: str | None = None,
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> Generator[Outcome | SatdokuError, None, None]:
    """Yield whether each of many puzzles has one solution, several or none, as `check` does.

    There is an outcome for each puzzle, in order, computed on demand; for a puzzle that cannot be
    read there is its error, with its place. `puzzles` may be a list, a generator, an array of
    numbers (n, 81) or (n, 9, 9), a series, or a frame with the puzzles in `column` and their rules
    in `rules_column` (default `rules`; "none" ignores them). Without `jobs` all processors are used
    as soon as that pays off. Closing the generator ends its workers.

    >>> [outcome.verdict.value for outcome in check_many(["1.....2..3.....4", "." * 16])]
    ['unique', 'multiple']
    """
    # This function is not a generator itself, so that a wrong argument raises an error at the call
    # instead of at the first answer.
    if jobs is not None and not (isinstance(jobs, int) and jobs > 0):
        raise SatdokuError(f"jobs={jobs!r} is no number of processes")
    source = open_source(puzzles, column, box, rules_column)
    reader = _Reader(source, format, make_hints(box, alphabet, rules))
    reporter = Reporter(progress, source.length)
    return _outcomes(
        reader, settings_of(settings, keywords) or Settings(), _jobs_here(jobs), reporter
    )


def solve_many(
    puzzles: Iterable[AnyPuzzle] | Any, settings: Settings | None = None, **options: Any
) -> Generator[Grid | SatdokuError, None, None]:
    """Yield the only solution of each of many puzzles, or the error that explains its absence.

    The error is an UnsolvedError with the outcome, or that of a puzzle that cannot be read. The
    arguments are those of `check_many`.

    >>> [str(answer) for answer in solve_many(["11.............."])]
    ['no solution: r1c1 and r1c2 are both 1, in row 1']
    """
    return _solutions(check_many(puzzles, settings, **options))


def _solutions(
    outcomes: Generator[Outcome | SatdokuError, None, None],
) -> Generator[Grid | SatdokuError, None, None]:
    try:
        for outcome in outcomes:
            if isinstance(outcome, SatdokuError):
                yield outcome
            elif outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
                yield outcome.solution
            else:
                yield UnsolvedError(outcome)
    finally:
        # Closing this generator must close the inner one, which owns the workers.
        outcomes.close()


def _outcomes(
    reader: "_Reader", settings: Settings, jobs: int | None, reporter: Reporter
) -> Generator[Outcome | SatdokuError, None, None]:
    rows = run(
        OutcomeFinder(settings),
        reader,
        jobs,
        is_at_hand=lambda: not reader.is_slow,
        is_stopped=lambda: settings.limits.is_stopped,
    )
    try:
        for row in reporter.follow(rows):
            found = reader.read.popleft()
            yield found if isinstance(found, SatdokuError) else outcome_of(found, row, settings)
    finally:
        rows.close()


def _jobs_here(jobs: int | None) -> int | None:
    """Return 1 in a daemonic process (as of multiprocessing.Pool), which may have no children."""
    return 1 if jobs is None and current_process().daemon else jobs


class _Reader(Iterator[AskedPuzzle]):
    """Reads the items of a source and yields what to ask about each of them.

    `read` holds the puzzles, and the errors of invalid items, until their answers come.
    """

    def __init__(self, source: Source, format: str | None, hints: Hints) -> None:
        self.read: deque[Puzzle | SatdokuError] = deque()
        self.is_slow = False
        self._items = iter(source.items)
        self._name = source.name
        self._format = format
        self._hints = hints
        self._number = 0

    def __next__(self) -> AskedPuzzle:
        started = time.monotonic()
        item = next(self._items)
        self.is_slow = time.monotonic() - started > _SLOW_SECONDS
        self._number += 1
        try:
            puzzle = self._read(item, self._hints)
        except SatdokuError as error:
            self.read.append(error)
            return AskedPuzzle()
        self.read.append(puzzle)
        return AskedPuzzle.of(puzzle)

    def _read(self, item: AnyPuzzle | PlainBoard | Shaped, hints: Hints) -> Puzzle:
        """Return the puzzle of an item; the boards of arrays need no parsing."""
        if isinstance(item, Shaped):
            return self._read_shaped(item)
        if isinstance(item, PlainBoard):
            item = Puzzle(item.grid)
            if not hints.rules:
                return item
        return read_any(item, self._place, self._format, hints)

    def _read_shaped(self, item: Shaped) -> Puzzle:
        try:
            refuse_rules_beside(item.shape, RULE_KEYS)
            puzzle = self._read(item.puzzle, with_shape(self._hints, item.shape))
            return with_rule_entries(puzzle, item.shape)
        except SatdokuError as error:
            # A value of a frame has no line numbers, so errors give its beginning as their place.
            raise with_place(error, self._place, (1, 1)) from None

    @property
    def _place(self) -> str:
        return f"{self._name}[{self._number - 1}]"
