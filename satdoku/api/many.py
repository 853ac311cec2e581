"""The calls about many puzzles: answered lazily and in order, by one process or several.

Small boards are read, sent to workers and answered in blocks, as bytes: a block is one record and
has one row. Objects are made from it one by one, when a caller takes them (`ReadBoards.outcome`).
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import field, replace
from multiprocessing import current_process
from typing import TYPE_CHECKING, Any, NamedTuple

from satdoku.answering.many import (
    LEAST_BOARDS,
    board_of,
    is_patient,
    is_small,
    may_use_bulk,
    solve_blocks,
    unique_outcome,
)
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import describe_bug, found_together, is_bug
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
from satdoku.api.sources import BOARDS_AT_ONCE, Boards, Shaped, Source, open_source
from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import MISTAKABLE, plain_lines
from satdoku.notation.record import with_place
from satdoku.notation.rule_entries import (
    RULE_KEYS,
    refuse_rules_beside,
    with_rule_entries,
    with_shape,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from satdoku.answering.many import Solved

_PLAIN = Hints()

# If the caller's iterator takes longer than this for a puzzle, it waits for something itself, so
# the puzzles so far are answered first.
_SLOW_SECONDS = 0.005


# Factor by which blocks grow. The first block has a single board, so that its answer comes before
# more is read.
_GROWTH = 8
# Longest time for gathering the boards of a block, as the caller waits for the answer to the first.
_MOST_SECONDS = 0.05


class AskedPuzzle(NamedTuple):
    """A puzzle to check that is not a small classic board; None for an invalid item.

    Invalid items are sent too, so that there is one row for each item.
    """

    puzzle: Puzzle | None = None

    @property
    def text(self) -> Sequence[int]:
        """Return the digits of the board as the text of a record; `batch` uses only its length."""
        return () if self.puzzle is None else self.puzzle.grid.digits


Asked = AskedPuzzle | Boards


class AnsweredBoards(NamedTuple):
    """The answers to `Boards`: their only solutions, where `is_unique` is 1.

    `others` are the outcomes of all other boards, by their number in the block.
    """

    cells: bytes
    is_unique: bytes
    others: dict[int, Outcome]


@value(frozen=True)
class OutcomeFinder:
    """Answerer that checks puzzles; results are `AnsweredBoards`, outcomes, or None for a fault."""

    settings: Settings = field(default_factory=Settings)

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def answers(self, records: Sequence[Asked]) -> Iterator[Row]:
        """Yield one row for each record; the bulk solver helps if there are many small boards."""
        blocks = [record for record in records if isinstance(record, Boards)]
        # After a bug, each board is checked alone.
        solved = found_together(blocks, self._solve(blocks), lambda block: None)
        for record in records:
            if isinstance(record, Boards):
                yield self._answer_boards(record, next(solved))
            else:
                yield self._answer(record)

    def give_up(self, record: Asked, reason: str) -> Row:
        if isinstance(record, Boards):
            # No small board kills a process or fills its memory, so another record was the cause.
            return self._answer_boards(record, None)
        assert record.puzzle is not None
        outcome = Outcome(record.puzzle, Verdict.UNDECIDED, reason=reason)
        return Row("", Ending.UNDECIDED, result=outcome)

    def _solve(self, blocks: Sequence[Boards]) -> "Iterator[Solved | None]":
        """Return the bulk solver's answer for each block; None for blocks too small for it."""
        by_geometry: dict[Geometry, list[bytes]] = defaultdict(list)
        for block in blocks:
            by_geometry[block.geometry].append(block.text)
        may_use = may_use_bulk(self.settings)
        solved = {
            geometry: solve_blocks(geometry, texts)
            for geometry, texts in by_geometry.items()
            if may_use and sum(map(len, texts)) >= LEAST_BOARDS * geometry.cell_count
        }
        for block in blocks:
            yield next(solved[block.geometry]) if block.geometry in solved else None

    def _answer_boards(self, record: Boards, solved: "Solved | None") -> Row:
        count = record.number
        cells, is_unique, compared = solved or (bytes(len(record.text)), bytes(count), 0)
        others = {
            number: self._check(Puzzle(record.grid(number)))
            for number, is_known in enumerate(is_unique)
            if not is_known
        }
        found = AnsweredBoards(cells, is_unique, others)
        return Row("", Ending.UNIQUE, result=found, compared=compared, records=count)

    def _answer(self, record: AskedPuzzle) -> Row:
        if record.puzzle is None:
            return Row("", Ending.UNREADABLE)
        outcome = self._check(record.puzzle)
        return Row("", Ending.of(outcome.verdict), result=outcome)

    def _check(self, puzzle: Puzzle) -> Outcome:
        """Return the outcome of a puzzle; undecided if a bug ends the search."""
        try:
            return check(puzzle, self.settings)
        except Exception as error:
            if not is_bug(error):
                raise
            return Outcome(puzzle, Verdict.UNDECIDED, reason=describe_bug(error))


class ReadBoards(NamedTuple):
    """Boards that were read, and the items that were `Puzzle` objects, by their number."""

    boards: Boards
    puzzles: dict[int, Puzzle]

    def puzzle(self, number: int) -> Puzzle:
        """Return the puzzle of a board, made now unless the item was a `Puzzle`."""
        return self.puzzles.get(number) or Puzzle(self.boards.grid(number))

    def outcomes(self, found: AnsweredBoards, settings: Settings) -> Iterator[Outcome]:
        """Yield the outcomes of all boards."""
        geometry, statistics = self.boards.geometry, Statistics(settings.engine)
        width = geometry.cell_count
        for number in range(self.boards.number):
            if number in self.puzzles or number in found.others:
                yield self.outcome(number, found, settings)
                continue
            part = slice(number * width, (number + 1) * width)
            givens, solution = self.boards.text[part], found.cells[part]
            yield Outcome.of_boards(geometry, givens, solution, statistics)

    def outcome(self, number: int, found: AnsweredBoards, settings: Settings) -> Outcome:
        """Return the outcome of a board."""
        puzzle = self.puzzle(number)
        if number in found.others:
            return replace(found.others[number], puzzle=puzzle)
        solution = self.boards.part_of(found.cells, number)
        return unique_outcome(puzzle, solution, settings)


Read = ReadBoards | Puzzle | SatdokuError
"""What was read for a row: a block of boards, another puzzle, or a fault."""


def read_source(source: Source, hints: Hints) -> Iterator[Read]:
    """Yield what is read from a source, in order; small boards come in blocks."""
    reader = _Reader(source, None, hints, BOARDS_AT_ONCE)
    for _ in reader:
        yield reader.read.popleft()


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
    settings = settings_of(settings, keywords) or Settings()
    source = open_source(puzzles, column, box, rules_column)
    rows = answer_source(source, settings, jobs, progress, format, make_hints(box, alphabet, rules))
    return _outcomes(rows, settings)


def solve_many(
    puzzles: Iterable[AnyPuzzle] | Any, settings: Settings | None = None, **options: Any
) -> Generator[Grid | SatdokuError, None, None]:
    """Yield the only solution of each of many puzzles, or the error that explains its absence.

    The error is an UnsolvedError with the outcome, or says why the puzzle cannot be read. The
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


def answer_source(
    source: Source,
    settings: Settings,
    jobs: int | None,
    progress: Callable[[Progress], object] | None = None,
    format: str | None = None,
    hints: Hints = Hints(),  # noqa: B008 (nobody changes it)
) -> Generator[tuple[Read, Row], None, None]:
    """Yield each record of a source, in order, with its row: see `OutcomeFinder`."""
    # This function is no generator, so that a wrong argument is refused at the call, and not only
    # when the first answer is asked for.
    if jobs is not None and not (isinstance(jobs, int) and jobs > 0):
        raise SatdokuError(f"jobs={jobs!r} is no number of processes")
    most = BOARDS_AT_ONCE if is_patient(settings.limits.timeout) and may_use_bulk(settings) else 1
    reader = _Reader(source, format, hints, most)
    return _rows(reader, settings, _jobs_here(jobs), Reporter(progress, source.length))


def _rows(
    reader: "_Reader", settings: Settings, jobs: int | None, reporter: Reporter
) -> Generator[tuple[Read, Row], None, None]:
    rows = run(
        OutcomeFinder(settings),
        reader,
        jobs,
        is_at_hand=lambda: not reader.is_slow,
        is_stopped=lambda: settings.limits.is_stopped,
    )
    done = 0
    try:
        for row in rows:
            done += row.records
            reporter.reach(done)
            yield reader.read.popleft(), row
        reporter.finish()
    finally:
        rows.close()


def _outcomes(
    rows: Generator[tuple[Read, Row], None, None], settings: Settings
) -> Generator[Outcome | SatdokuError, None, None]:
    try:
        for read, row in rows:
            if isinstance(read, ReadBoards):
                yield from read.outcomes(row.result, settings)
            elif isinstance(read, SatdokuError):
                yield read
            else:
                yield replace(row.result, puzzle=read)
    finally:
        rows.close()


def _jobs_here(jobs: int | None) -> int | None:
    """Return 1 in a daemonic process (as of multiprocessing.Pool), which may have no children."""
    return 1 if jobs is None and current_process().daemon else jobs


class _Reader(Iterator[Asked]):
    """Iterator over the records made from the items of a source; small boards come in blocks.

    `read` keeps what was read until its answers come. A block has at most `most` boards.
    """

    def __init__(self, source: Source, format: str | None, hints: Hints, most: int) -> None:
        self.read: deque[Read] = deque()
        self.is_slow = False
        self._items = iter(source.items)
        self._name = source.name
        self._format = format
        self._hints = hints
        self._is_plain = format is None and hints == _PLAIN
        self._number = 0
        self._most, self._at_most = 1, most
        # The block that is being gathered.
        self._geometry = Geometry()
        self._lines = plain_lines(self._geometry)
        self._boards: list[bytes] = []
        self._puzzles: dict[int, Puzzle] = {}
        self._records = self._read_all()

    def __next__(self) -> Asked:
        return next(self._records)

    def _read_all(self) -> Iterator[Asked]:
        begun = 0.0
        while True:
            started = time.monotonic()
            try:
                item = next(self._items)
            except StopIteration:
                break
            except Exception:
                yield from self._flush()
                raise
            now = time.monotonic()
            self.is_slow = now - started > _SLOW_SECONDS
            begun = begun if self._boards else now
            # Nearly all items are plain lines, of the same size as the item before.
            digits = self._lines.read(item) if self._is_plain and type(item) is str else None
            if digits is not None and len(digits) != MISTAKABLE:
                self._number += 1
                self._boards.append(digits)
            else:
                yield from self._take(item)
            is_due = self.is_slow or now - begun > _MOST_SECONDS
            if is_due or len(self._boards) >= self._most:
                yield from self._flush()
        yield from self._flush()

    def _take(self, item: Any) -> Iterator[Asked]:
        """Add a small board to the block; for another item, yield the block, and then the item."""
        if isinstance(item, Boards):
            yield from self._take_boards(item)
            return
        self._number += 1
        read = self._read_item(item)
        board = None if isinstance(read, SatdokuError) else board_of(read)
        if board is not None and not isinstance(read, SatdokuError):
            if board.geometry != self._geometry:
                yield from self._flush()
                self._geometry = board.geometry
                self._lines = plain_lines(board.geometry)
            self._puzzles[len(self._boards)] = read
            self._boards.append(board.digits)
            return
        yield from self._flush()
        self.read.append(read)
        yield AskedPuzzle() if isinstance(read, SatdokuError) else AskedPuzzle(read)

    def _take_boards(self, boards: Boards) -> Iterator[Asked]:
        if self._hints.rules or self._at_most < boards.number or not is_small(boards.geometry):
            for number in range(boards.number):
                yield from self._take(Puzzle(boards.grid(number)))
            return
        yield from self._flush()
        self._number += boards.number
        self.read.append(ReadBoards(boards, {}))
        yield boards

    def _flush(self) -> Iterator[Asked]:
        """Yield the block that was gathered, if there is one, and begin another one."""
        if self._boards:
            boards = Boards(self._geometry, b"".join(self._boards))
            self.read.append(ReadBoards(boards, self._puzzles))
            self._boards, self._puzzles = [], {}
            self._most = min(_GROWTH * self._most, self._at_most)
            yield boards

    def _read_item(self, item: AnyPuzzle | Shaped) -> Puzzle | SatdokuError:
        try:
            return self._read(item, self._hints)
        except SatdokuError as error:
            return error

    def _read(self, item: AnyPuzzle | Shaped, hints: Hints) -> Puzzle:
        """Return the puzzle of an item."""
        if isinstance(item, Shaped):
            return self._read_shaped(item)
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
