"""Answer a stream of records in order: in this process, in a pool, or on a cluster.

The second half has what all of these share: answering the records of a piece one after another.
"""

import heapq
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Generic

from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.errors import SatdokuError, SolverDiedError, TooLargeError, UnlikeLinesError
from satdoku.plugins import fault_of_package

# Input as records, several at a time, and output as rows, in the same order.

# Longest time to read for one piece, so that idle workers do not wait.
_MOST_SECONDS = 0.05

# If reading took this long without using the processor, the writer of the input is slow, and the
# records so far are answered before more is read.
_SLOW_SECONDS = 0.1


class Intake(Generic[RecordT]):
    """The input of a run, from which only available records are taken.

    A person or a program may write slowly into a pipe, and wait for each answer before writing on.
    So a second record is taken only if `is_at_hand` says that it is available without waiting. An
    error of the input ends it; it is kept in `error` until all records before it are answered.
    """

    def __init__(
        self, records: Iterable[RecordT], is_at_hand: Callable[[], bool] = lambda: True
    ) -> None:
        self._records = iter(records)
        self._is_at_hand = is_at_hand
        self._held: deque[RecordT] = deque()
        self.error: Exception | None = None
        self._is_ended = False
        self._is_slow = False

    @property
    def is_exhausted(self) -> bool:
        """Whether there are no more records."""
        return self._is_ended and not self._held

    @property
    def would_wait(self) -> bool:
        """Whether the next record is probably not available yet."""
        return not self._held and (self._is_slow or not self._is_at_hand())

    def take(self, count: int, characters: int) -> list[RecordT]:
        """Take up to `count` records of up to `characters` characters in all, at least one.

        A single record may be longer than that. Empty at the end.
        """
        begin, begin_cpu = time.monotonic(), time.thread_time()
        records: list[RecordT] = []
        while len(records) < count:
            if records and time.monotonic() - begin > _MOST_SECONDS:
                break
            record = self._next(not records)
            if record is None:
                break
            characters -= len(record.text)
            if records and characters < 0:
                self._held.appendleft(record)
                break
            records.append(record)
        waited = (time.monotonic() - begin) - (time.thread_time() - begin_cpu)
        self._is_slow = waited > _SLOW_SECONDS
        return records

    def give_back(self, records: Sequence[RecordT]) -> None:
        """Put back the last taken records that were not answered; they are taken next."""
        # Put the records before the one that was held back because it exceeded the limit.
        self._held.extendleft(reversed(records))

    def _next(self, may_wait: bool) -> RecordT | None:
        if self._held:
            return self._held.popleft()
        if self._is_ended or not (may_wait or self._is_at_hand()):
            return None
        try:
            return next(self._records)
        except StopIteration:
            pass
        except Exception as error:
            self.error = error
        self._is_ended = True
        return None


# A piece of this size fits into a pipe, where it can wait while another one is in work, and takes a
# good part of a second: 1,800 lines of 81 characters are 146 KB.
MOST_RECORDS = 1800
_MOST_CHARACTERS = 160 * 1024

# Most characters of a piece, for pipes with large buffers. With blocks of plain lines, the compiled
# library has idle lanes at the end of each piece: a sixth of the time with pieces of 160 KB.
LARGEST = 512 * 1024

# The first pieces have 64, 256 and 1,024 records.
_FIRST_RECORDS, _GROWTH = 64, 4
# Characters of the first piece, as records may be blocks of many puzzles: 128 for each record.
_FIRST_CHARACTERS = _FIRST_RECORDS * 128


class Piece(Generic[RecordT]):
    """Consecutive records; the first one is number `start` of the run, from 0."""

    # Not a dataclass: to generate its code took a hundredth of the time of a check.
    __slots__ = ("records", "start")

    def __init__(self, start: int, records: Sequence[RecordT]) -> None:
        self.start = start
        self.records = records

    def part(self, begin: int, end: int | None = None) -> "Piece[RecordT]":
        return Piece(self.start + begin, self.records[begin:end])


class Ledger(Generic[RecordT]):
    """Splitter of the input into pieces, whose rows come in any order and leave in input order.

    At most `most_open` pieces are read beyond the next row to be yielded, which bounds the memory
    of a run. The first pieces are small, so that all workers have work soon, and pieces stay small
    if workers do not finish larger ones. An error of the input or of a worker is raised in place of
    its row: all rows before it are yielded first, as in a single process.
    """

    def __init__(self, intake: Intake[RecordT], most_open: int) -> None:
        self.most_open = most_open
        self._intake = intake
        self._count = _FIRST_RECORDS
        self._most = MOST_RECORDS
        self._characters = _FIRST_CHARACTERS
        self._most_characters = _MOST_CHARACTERS
        self._returned: list[tuple[int, Piece[RecordT]]] = []
        self._settled: dict[int, tuple[Sequence[Row], Exception | None]] = {}
        self._ends: deque[int] = deque()
        self._read = self._given = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the input is at its end."""
        return self._intake.is_exhausted

    @property
    def would_wait(self) -> bool:
        """Whether there is nothing to take before the input brings more."""
        return not self._returned and self._intake.would_wait

    @property
    def is_finished(self) -> bool:
        return self.is_exhausted and self._given == self._read

    def take(self) -> Piece[RecordT] | None:
        """Return the next records to be answered; None if there are none, or too many rows wait."""
        if self._returned:
            return heapq.heappop(self._returned)[1]
        if self.is_exhausted or len(self._ends) >= self.most_open:
            return None
        return self._read_piece()

    def widen(self, room: int) -> None:
        """Enlarge pieces to what fits into pipes with this room, with an allowance for overhead."""
        self._most_characters = max(_MOST_CHARACTERS, min(room // 2, LARGEST))

    def put_back(self, piece: Piece[RecordT], first: int | None = None) -> None:
        """Put back records that were not answered; they are sent out next.

        Slow records are often followed by others. So the `first` of them are sent out alone, and
        later ones in pieces of twice, four times, ... as many, so that all workers get a share.
        """
        size = first or len(piece.records)
        begin = 0
        while begin < len(piece.records):
            part = piece.part(begin, begin + size)
            heapq.heappush(self._returned, (part.start, part))
            begin += size
            size *= 2

    def settle(
        self, piece: Piece[RecordT], rows: Sequence[Row], error: Exception | None = None
    ) -> None:
        """Add the rows of a piece, from its first record on; there may be fewer rows than records.

        The other records exceeded the worker's time, and are sent out again.
        """
        self._settled[piece.start] = rows, error
        if error is None:
            rest = piece.part(len(rows))
            self._learn(len(rows), is_all=not rest.records)
            # Start with half as many as the worker finished in its time, as the next ones may be
            # slower.
            self.put_back(rest, max(1, len(rows) // 2))

    def settle_one(self, piece: Piece[RecordT], index: int, row: Row) -> None:
        """Add the row of one record in a piece; the others are sent out again."""
        self.put_back(piece.part(0, index))
        self._settled[piece.start + index] = [row], None
        self.put_back(piece.part(index + 1))

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are next in order."""
        while self._given in self._settled:
            settled, error = self._settled.pop(self._given)
            rows = deque(settled)
            del settled
            while rows:
                self._given += 1
                yield rows.popleft()
            if error is not None:
                raise error
        while self._ends and self._ends[0] <= self._given:
            self._ends.popleft()
        if self.is_finished and self._intake.error is not None:
            raise self._intake.error

    def _read_piece(self) -> Piece[RecordT] | None:
        self._count = min(self._count, self._most)
        self._characters = min(self._characters, self._most_characters)
        records = self._intake.take(self._count, self._characters)
        if not records:
            return None
        self._count *= _GROWTH
        self._characters *= _GROWTH
        piece = Piece(self._read, records)
        self._read += len(records)
        self._ends.append(self._read)
        return piece

    def _learn(self, count: int, is_all: bool) -> None:
        """Adapt the size of pieces to what workers answer in the time for one piece."""
        if not is_all:
            self._most = max(_FIRST_RECORDS, count)
        elif count >= self._most:
            self._most = min(2 * self._most, MOST_RECORDS)


# Work in this process before workers are started, which takes some tenths of a second. A run that
# has worked this long probably has work for longer than that.
_BUSY_SECONDS = 0.3

# Grace after a record's limit, a second or a tenth of the limit, whichever is longer: a record that
# ends at its limit must not count as hung, on a busy machine either.
_LEAST_GRACE, _GRACE = 1.0, 0.1

MOST_TOGETHER = 3600
"""Most records for one call of an answerer.

It may compute something for all of them together, such as an integer with a bit for each, and
Python is slow with larger integers.
"""

# Most characters for one call: more than MOST_TOGETHER usual lines have, because blocks of lines
# are answered faster the more of them an answerer gets.
_CHARACTERS = LARGEST

SECONDS_A_PIECE = 0.5
"""The time after which a worker sends its rows and gives back the rest of its piece."""

# Records of a worker's first call: even at 20 milliseconds each they fit into its time.
_FIRST_OF_WORKER = 16

# The answerer may compute all rows of a call together with the first; then the others follow at
# once, and must not be lost. If they do not follow within this fraction of the first one's time,
# the first record was a hard one.
_SHARE_FOR_THE_OTHERS = 0.1

# A clock may show no difference between two readings; this avoids a division by zero.
_LEAST_SECONDS = 1e-6


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    answerer: Answerer[RecordT],
    records: Iterable[RecordT],
    jobs: int | None = None,
    cluster: str | None = None,
    is_at_hand: Callable[[], bool] = lambda: True,
    is_stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda message: None,
    again: Callable[[], Iterable[RecordT]] = lambda: (),
) -> Generator[Row, None, None]:
    """Yield one row for each record, in the order of the records.

    Without `jobs`, records are answered in this process at first, and by all processors once that
    pays. `cluster` is the address of a Dask scheduler, or `local` for one on this machine.
    `is_at_hand` tells whether the next record is available without waiting. Closing the iterator
    ends the run and its workers. `is_stopped` is for callers that cannot close it because another
    thread waits for its next row: rows end soon after it returns True. `tell` gets a message if
    processes cannot be started and fewer do the work. After an UnlikeLinesError, `again` returns
    the records that have no row yet, which take the place of the others.
    """
    try:
        yield from _run(answerer, records, jobs, cluster, is_at_hand, is_stopped, tell)
    except UnlikeLinesError:
        rest = again()
    else:
        return
    yield from _run(answerer, rest, jobs, cluster, is_at_hand, is_stopped, tell)


def _run(
    answerer: Answerer[RecordT],
    records: Iterable[RecordT],
    jobs: int | None,
    cluster: str | None,
    is_at_hand: Callable[[], bool],
    is_stopped: Callable[[], bool],
    tell: Callable[[str], None],
) -> Generator[Row, None, None]:
    intake = Intake(records, is_at_hand)
    if cluster is not None:
        from satdoku.batch.cluster import run_on_cluster

        return run_on_cluster(answerer, intake, cluster, is_stopped)
    if jobs is None or jobs == 1:
        return _run_growing(answerer, intake, jobs or available_processors(), is_stopped, tell)
    return _run_in_pool(answerer, intake, jobs, is_stopped, tell)


def _run_growing(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool],
    tell: Callable[[str], None],
) -> Generator[Row, None, None]:
    """Answer in this process at first, and in workers once they pay, if they can be started."""
    while (yield from _run_here(answerer, intake, jobs, is_stopped)):
        try:
            yield from _run_in_pool(answerer, intake, jobs, is_stopped, tell)
            return
        except NoWorkersError as error:
            tell(f"{error}; this process does all of the work")
            jobs = 1


def _run_here(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool],
) -> Generator[Row, None, bool]:
    """Answer in this process until workers would pay; return whether they would.

    They would not if the run waits for its input, that is if `waiting` exceeds `working`.
    """
    # A pace of 1, as the first answer should come at once.
    pace = Pace(1, SECONDS_A_PIECE)
    waiting = working = 0.0

    def is_worth_workers() -> bool:
        return jobs > 1 and working > max(_BUSY_SECONDS, waiting)

    begin = time.perf_counter()
    while records := intake.take(pace.records, _CHARACTERS):
        waiting += time.perf_counter() - begin
        if is_worth_workers():
            intake.give_back(records)
            return True
        worked = working
        begin = time.perf_counter()
        for number, row in enumerate(answer_in_order(answerer, records), 1):
            working += time.perf_counter() - begin
            if is_stopped():
                return False
            yield row
            if is_worth_workers():
                # Workers start in the caller, if there are more records: a single hard puzzle needs
                # none.
                intake.give_back(records[number:])
                break
            begin = time.perf_counter()
        pace.learn(len(records), working - worked)
        begin = time.perf_counter()
    if intake.error is not None:
        raise intake.error
    return False


def _run_in_pool(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool],
    tell: Callable[[str], None],
) -> Generator[Row, None, None]:
    from satdoku.batch.pool import run_in_pool

    return run_in_pool(answerer, intake, jobs, is_stopped, tell)


class NoWorkersError(SatdokuError):
    """No worker could be started; no record was answered, and the intake has all records."""


class WorkerError(Exception):
    """A bug in a worker; its text is the traceback there."""


def answer_in_order(answerer: Answerer[RecordT], records: Sequence[RecordT]) -> Iterator[Row]:
    """Yield one row for each record, on request.

    A record that is too large for this process is given up, and the answerer starts again after it.
    """
    done, together = 0, len(records)
    while done < len(records):
        chunk = records[done : done + together]
        try:
            for _, row in zip(chunk, answerer.answers(chunk), strict=True):
                yield row
                done += 1
        except MemoryError:
            # Perhaps this record is not too large, but all of them together are.
            if len(chunk) > 1:
                together = 1
                continue
            yield answerer.give_up(records[done], "out of memory")
            done += 1
        except (TooLargeError, SolverDiedError) as error:
            yield answerer.give_up(records[done], str(error))
            done += 1


class Pace:
    """How many records an answerer gets at once: the more, the faster each is answered.

    But not more than are answered in about `seconds`: if a worker stops early, results that were
    computed for all of them together are lost.
    """

    def __init__(self, first: int, seconds: float) -> None:
        self.records = first
        self._seconds = seconds

    def learn(self, count: int, seconds: float) -> None:
        """Record that `count` records took this long."""
        affordable = int(count * self._seconds / max(seconds, _LEAST_SECONDS))
        self.records = max(1, min(affordable, MOST_TOGETHER))


def seconds_of_work() -> float:
    """Return the processor time of this process, and of its child processes that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def pace_of_worker(answerer: Answerer[RecordT]) -> Pace:
    """Return the pace of a new worker, which knows nothing about the records.

    Records get a third of the time for a piece. So the first ones do not use up the time, and their
    worker does not count as hung, on a busy machine either.
    """
    return Pace(_FIRST_OF_WORKER, SECONDS_A_PIECE / 3)


def answer_records(
    answerer: Answerer[RecordT],
    records: Sequence[RecordT],
    seconds: float,
    pace: Pace,
    note: Callable[[int], None] = lambda index: None,
    clock: Callable[[], float] = seconds_of_work,
) -> tuple[list[Row], Exception | None]:
    """Return the rows of as many records as `seconds` allow, and the error that ended it, if any.

    The remaining records go back to the sender, who distributes them again, so that hard records do
    not queue behind one another while other workers are idle. For the same reason half of the time
    has to be enough for half of the records. `note` is called with the index of each record before
    work on it. `clock` returns seconds of processor time by default: by wall clock, on a busy
    machine, a worker that waits for the processor would stop early, and others would repeat its
    work.
    """
    rows: list[Row] = []
    begin = clock()
    end, middle = begin + seconds, begin + seconds / 2
    is_late = False
    while len(rows) < len(records) and not is_late:
        done = len(rows)
        chunk = records[done : done + pace.records]
        answers = answer_in_order(answerer, chunk)
        is_waiting = True
        try:
            while len(rows) < done + len(chunk) and is_waiting:
                note(len(rows))
                rows.append(next(answers))
                now = clock()
                if len(rows) == done + 1:
                    others_end = now + (now - begin) * _SHARE_FOR_THE_OTHERS
                is_late = now > (end if 2 * len(rows) >= len(records) else middle)
                is_waiting = not is_late or now < others_end
        except Exception as error:
            return rows, _portable(error)
        pace.learn(len(rows) - done, now - begin)
        begin = now
    return rows, None


def with_grace(timeout: float) -> float:
    """Return how long to wait for a record with a limit before its worker counts as hung."""
    return timeout + max(_LEAST_GRACE, _GRACE * timeout)


def _portable(error: Exception) -> Exception:
    """Return a picklable error: satdoku's own unchanged, others as their traceback."""
    if isinstance(error, SatdokuError):
        return error
    if told := fault_of_package(error):
        return SatdokuError(told)
    return WorkerError(traceback_of(error))


def traceback_of(error: Exception) -> str:
    """Return where a bug is, as Python tells it."""
    import traceback  # slow to import, and needed only for bugs

    return "".join(traceback.format_exception(error))
