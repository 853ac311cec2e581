"""Answer records in several processes of this machine; the death of one costs one record.

The standard pools fail as a whole when a worker dies, and cannot tell over which record.
"""

import atexit
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, MutableSequence, Sequence
from contextlib import suppress
from itertools import starmap
from mmap import mmap
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, NamedTuple

from satdoku.batch.row import FEWEST_SHARED, Answerer, RecordT, Row, SharedText
from satdoku.batch.run import (
    LARGEST,
    SECONDS_A_PIECE,
    Intake,
    Ledger,
    NoWorkersError,
    Piece,
    answer_in_order,
    answer_records,
    pace_of_worker,
    with_grace,
)
from satdoku.errors import SolverError
from satdoku.processes import Child, seconds_of_runner, start_method, widen
from satdoku.signals import Signals

# A worker process that answers pieces from a pipe, and the parent's handle of it.
#
# Records and rows are sent as columns, which takes a third of the time. A forked worker writes the
# texts of large blocks to memory that it shares with its parent.


class Packed(NamedTuple):
    """Named tuples of one `kind` as columns, each packed recursively; other items unchanged."""

    kind: type | None
    columns: Sequence[Any]


# Fewer items are pickled as fast as they are.
_FEWEST_PACKED = 8


def pack(items: Sequence[Any]) -> Packed:
    """Pack a list of items; made for nested named tuples."""
    if len(items) < _FEWEST_PACKED:
        return Packed(None, items)
    kinds = set(map(type, items))
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None or not hasattr(kind, "_fields"):
        return Packed(None, items)
    return Packed(kind, [pack(column) for column in zip(*items, strict=True)])


def unpack(packed: Packed) -> Sequence[Any]:
    """Return the items of `pack`."""
    kind, columns = packed
    if kind is None:
        return columns
    return list(starmap(kind, zip(*map(unpack, columns), strict=True)))


class _Texts:
    """Memory of one worker for the texts of its blocks, which need not go through the pipe.

    It consists of slots, one for each piece. The parent takes a slot before it sends the piece, and
    the worker writes texts to it; the slot is free again when the last of these rows is dropped.
    """

    def __init__(self) -> None:
        self.memory = memoryview(mmap(-1, _SLOTS * LARGEST))
        self.free = list(range(_SLOTS))

    def take(self) -> "_Slot | None":
        return _Slot(self.free) if self.free else None

    def put(self, rows: list[Row], number: int) -> "list[_Place]":
        """Move texts of rows to a slot, as far as it has room, and return their places."""
        places = []
        begin, end = number * LARGEST, (number + 1) * LARGEST
        for index, row in enumerate(rows):
            size = len(row.text)
            if row.records >= FEWEST_SHARED and row.text.isascii() and begin + size <= end:
                self.memory[begin : begin + size] = row.text.encode("ascii")
                rows[index] = row._replace(text="")
                places.append((index, begin, size))
                begin += size
        return places

    def add_to(self, rows: list[Row], places: "Sequence[_Place]", slot: "_Slot | None") -> None:
        """Add the texts in these places to the rows that came through the pipe."""
        for index, begin, size in places:
            shared = SharedText(self.memory[begin : begin + size], slot)
            rows[index] = rows[index]._replace(shared=shared)


_Place = tuple[int, int, int]
"""The index of a row, and where its text begins and how long it is."""


class _Slot:
    """A slot that is taken as long as this object lives."""

    def __init__(self, free: list[int]) -> None:
        # The first ones are preferred, so that memory which is never needed is not touched.
        self.number = min(free)
        free.remove(self.number)
        self._free = free

    def __del__(self) -> None:
        self._free.append(self.number)


# Time for a worker to end when asked to; it only has files to remove.
SECONDS_TO_DIE = 0.3

# If a record takes this fraction of the time for a piece, the queued piece is recalled and given to
# another worker.
_SHARE_FOR_A_RECORD = 0.5

# One piece is in work, and one waits in the pipe, so that the worker continues at once.
_MOST_PIECES = 2

# As many slots for texts: these two pieces, and one whose rows are being written.
_SLOTS = 3

# If pieces take longer than this, none is queued: the gap of milliseconds does not matter, but at
# the end of the input idle workers would lack the queued pieces.
_SECONDS_NOT_TO_WAIT = 0.2

# Fields of the memory shared with the parent: the start of the piece in work, the index of the
# record in work, the time when work on it began, and the worker's processor time at that moment.
_START, _INDEX, _SINCE, _WORKED = range(4)
_IDLE = -1.0


class Worker(Generic[RecordT]):
    """The parent's handle of a worker: the pieces that it has, and whether it is alive."""

    def __init__(self, answerer: Answerer[RecordT], siblings: Sequence["Worker[RecordT]"]) -> None:
        self.pieces: deque[Piece[RecordT]] = deque()
        self._is_fast = False
        self._begin = 0.0
        self._recalled: Piece[RecordT] | None = None
        method = start_method()
        # Memory has no name, so only a fork inherits it.
        self._texts = _Texts() if method == "fork" else None
        self._slots: deque[_Slot | None] = deque()
        self._in_work = _shared_memory(method)
        self._in_work[_START] = self._in_work[_INDEX] = _IDLE
        siblings_of_child = [worker._child for worker in siblings]
        self._child: Child = Child(
            _serve, (answerer, self._in_work, self._texts), siblings_of_child, False, method
        )
        self.room = widen(self.connection)

    @property
    def connection(self) -> Connection:
        return self._child.connection

    @property
    def is_alive(self) -> bool:
        return bool(self._child.process.is_alive())

    @property
    def has_room(self) -> bool:
        """Whether to send the worker a piece, which may have to wait behind the piece in work."""
        return not self.pieces or (self._is_fast and len(self.pieces) < _MOST_PIECES)

    @property
    def is_idle(self) -> bool:
        """Whether the worker has no piece in work."""
        return bool(self._in_work[_INDEX] == _IDLE)

    @property
    def index_in_work(self) -> int | None:
        """Return the index, in the first piece, of the record that the worker is working on.

        None between pieces, and if that record was taken back by `take_rest`.
        """
        start, index, *_ = self._in_work
        if not self.pieces or start != self.pieces[0].start:
            return None
        return int(index) if 0 <= index < len(self.pieces[0].records) else None

    @property
    def seconds_in_work(self) -> float:
        """Return for how many seconds the worker has worked on its current record."""
        return 0.0 if self.is_idle else time.monotonic() - self._in_work[_SINCE]

    def send(self, piece: Piece[RecordT]) -> bool:
        """Send a piece; return False if the worker has too much queued.

        Behind another piece, it is sent only if it certainly fits into the pipe: otherwise the
        parent could block on sending it while the worker blocks on sending its rows (deadlock). The
        death of a worker is noticed when its answer is received.
        """
        slot = None if self._texts is None else self._texts.take()
        number = None if slot is None else slot.number
        message = ForkingPickler.dumps((piece.start, number, pack(piece.records)))
        if self.pieces and len(message) > self.room:
            return False
        if not self.pieces:
            self._begin = time.monotonic()
        self.pieces.append(piece)
        self._slots.append(slot)
        with suppress(OSError):
            self.connection.send_bytes(message)
        return True

    def receive(self) -> tuple[Piece[RecordT], Sequence[Row], Exception | None] | None:
        """Return the first piece with its answer; EOFError or OSError if the worker has died.

        None for an answer that came too late: the piece was recalled and is with another worker.
        """
        packed, error, places = self.connection.recv()
        rows, slot = list(unpack(packed)), self._slots.popleft()
        if self._texts is not None:
            self._texts.add_to(rows, places, slot)
        piece = self.pieces.popleft()
        begin, self._begin = self._begin, time.monotonic()
        is_whole = len(rows) == len(piece.records)
        self._is_fast = is_whole and self._begin - begin < _SECONDS_NOT_TO_WAIT
        if piece is self._recalled:
            self._recalled = None
            return None
        if len(rows) >= len(piece.records):
            # The worker may have answered records that were taken back before it learned of that.
            rows, error = rows[: len(piece.records)], None
        return piece, rows, error

    def recall(self) -> Piece[RecordT] | None:
        """Take back the queued piece if the record in work takes long; at most once."""
        most = SECONDS_A_PIECE * _SHARE_FOR_A_RECORD
        is_stuck = len(self.pieces) > 1 and self._has_worked_for(most)
        if not is_stuck or self._recalled is not None:
            return None
        self._recalled = self.pieces[-1]
        return self._recalled

    def take_rest(self) -> Piece[RecordT] | None:
        """Take back the records after one that has used up the time for a piece.

        So the others need not wait for that record. Usually the worker stops after it; answers to
        records that were taken back are discarded.
        """
        index = self.index_in_work
        if index is None or not self._has_worked_for(SECONDS_A_PIECE):
            return None
        piece = self.pieces[0]
        if piece is self._recalled:
            return None
        self.pieces[0] = piece.part(0, index + 1)
        return piece.part(index + 1)

    def _has_worked_for(self, seconds: float) -> bool:
        """Return whether the worker has used this much processor time on the record in work.

        Waits for a processor do not count: otherwise, on a busy machine, the other records of the
        piece would be given to workers that wait as well, and be answered twice.
        """
        if self.seconds_in_work <= seconds:
            return False
        worked = seconds_of_runner(self._child.process.pid)
        return worked is None or worked - self._in_work[_WORKED] > seconds

    def take_back_all(self) -> list[Piece[RecordT]]:
        """Return the pieces of a dead worker that no other worker has."""
        return [piece for piece in self.pieces if piece is not self._recalled]

    def describe_end(self) -> str:
        """Return how a dead worker died."""
        self._child.process.join(SECONDS_TO_DIE)
        code = self._child.process.exitcode
        if code is None:
            return "its process ended unexpectedly"
        if code < 0:
            return f"its process was killed by {_name_of(-code)}"
        return f"its process ended with exit code {code}"

    def dismiss(self) -> None:
        """End a worker that has nothing to do."""
        self.connection.close()

    def interrupt(self) -> None:
        """Ask the worker to end; it stops its external solver and removes its files."""
        with suppress(OSError):
            self._child.process.terminate()

    def end(self, seconds: float = SECONDS_TO_DIE) -> None:
        """Make sure that the worker has ended, by force after `seconds`."""
        self._child.end(seconds)


def _shared_memory(method: str) -> MutableSequence[float]:
    """Return four doubles that a child started by `method` writes, and its parent reads.

    A fork inherits anonymous memory, which needs no file: in some sandboxes /dev/shm is missing or
    not writable. Other methods pass the name of a file, which multiprocessing makes.
    """
    if method == "fork":
        return memoryview(mmap(-1, 4 * 8)).cast("d")  # type: ignore[return-value]
    from multiprocessing.sharedctypes import RawArray

    made: MutableSequence[float] = RawArray("d", 4)
    return made


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return f"signal {number}"


class _DismissedError(SystemExit):
    """The parent asked this process to end."""

    def __init__(self) -> None:
        super().__init__(1)


def _serve(
    connection: Connection,
    answerer: Answerer[RecordT],
    in_work: MutableSequence[float],
    texts: _Texts | None,
) -> None:
    """Run a worker: answer pieces until the parent closes the pipe."""

    def leave_if_idle() -> None:
        if in_work[_INDEX] == _IDLE:
            os._exit(1)

    # A search in progress may have files to remove, so the signal raises an exception.
    Signals({"SIGTERM": _DismissedError}, leave_if_idle)

    def note(index: int) -> None:
        in_work[_SINCE], in_work[_WORKED] = time.monotonic(), time.process_time()
        in_work[_INDEX] = index

    # With a small buffer the worker would block on large answers until the parent reads them.
    widen(connection)
    pace = pace_of_worker(answerer)
    seconds = SECONDS_A_PIECE
    while True:
        try:
            in_work[_START], slot, packed = connection.recv()
        except (EOFError, OSError):
            return
        rows, error = answer_records(answerer, unpack(packed), seconds, pace, note)
        in_work[_INDEX] = _IDLE
        places = [] if texts is None or slot is None else texts.put(rows, slot)
        with suppress(OSError):  # the next read of the pipe shows that it is closed
            connection.send((pack(rows), error, places))


# Pieces that may be read ahead for each worker: one in work, one queued, and two that are answered
# and wait for earlier rows.
_OPEN_PIECES_A_JOB = 4

# Longest delay until a dead or hung worker is noticed; each inspection costs some system calls.
_SECONDS_BETWEEN_INSPECTIONS = 0.25

# Workers that die without a record in work are not replaced more often than this, as a record is
# not the cause and restarting might never end.
_MOST_IDLE_DEATHS = 4


def run_in_pool(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda message: None,
) -> Generator[Row, None, None]:
    """Yield the rows of all records, in order; workers start when there is work for them.

    NoWorkersError if none can be started; the intake then has all records again. If only some can
    be started, these do the work, and `tell` gets a message about it.
    """
    ledger = Ledger(intake, _OPEN_PIECES_A_JOB * jobs)
    piece = ledger.take()
    if piece is not None and ledger.is_exhausted and len(piece.records) == 1:
        ledger.settle(piece, list(answer_in_order(answerer, piece.records)))
        yield from ledger.rows()
        return
    pool = Pool(answerer, jobs, tell)
    if piece is not None:
        ledger.put_back(piece)
        try:
            pool.start_first()
        except OSError as error:
            intake.give_back(piece.records)
            pool.close()
            raise NoWorkersError(f"no worker process {_cannot_start(error)}") from error
    try:
        while not (ledger.is_finished or is_stopped()):
            pool.hand_out(ledger)
            pool.collect(ledger)
            yield from ledger.rows()
        if not is_stopped():
            yield from ledger.rows()
    finally:
        pool.close()


class Pool(Generic[RecordT]):
    """Up to `jobs` workers; a dead or hung one is replaced."""

    def __init__(self, answerer: Answerer[RecordT], jobs: int, tell: Callable[[str], None]) -> None:
        self._answerer = answerer
        self._jobs = jobs
        self._tell = tell
        self._workers: list[Worker[RecordT]] = []
        self._last_inspection = time.monotonic()
        self._idle_deaths = 0
        # This handler runs before multiprocessing's own exit handler, which would wait for workers
        # forever.
        atexit.register(self.close)

    def start_first(self) -> None:
        """Start the first worker; raise OSError if the system lacks the resources for a process."""
        self._workers.append(Worker(self._answerer, self._workers))

    def hand_out(self, ledger: Ledger[RecordT]) -> None:
        """Send pieces until every worker has one in work and one queued."""
        while self._has_room:
            if ledger.would_wait and self._is_busy:
                return  # answers must not wait for a slow producer of input
            piece = ledger.take()
            if piece is None:
                return
            worker = self._choose_worker()
            if worker is None:
                ledger.put_back(piece)
                return
            ledger.widen(worker.room)
            if not worker.send(piece):
                ledger.put_back(piece)
                return

    def collect(self, ledger: Ledger[RecordT]) -> None:
        """Take the answers that have arrived; wait for the first one."""
        if not self._is_busy:
            return
        by_connection = {worker.connection: worker for worker in self._workers}
        ready: list[Any] = wait(list(by_connection), _SECONDS_BETWEEN_INSPECTIONS)
        for connection in ready:
            self._receive(by_connection[connection], ledger)
        if time.monotonic() - self._last_inspection > _SECONDS_BETWEEN_INSPECTIONS:
            self._inspect(ledger)
            self._last_inspection = time.monotonic()

    def close(self) -> None:
        """End all workers; those at work are interrupted."""
        end = time.monotonic() + SECONDS_TO_DIE
        for worker in self._workers:
            if worker.pieces:
                worker.interrupt()
            worker.dismiss()
        while self._workers:
            self._workers[-1].end(end - time.monotonic())
            self._workers.pop()
        atexit.unregister(self.close)

    @property
    def _is_busy(self) -> bool:
        return any(worker.pieces for worker in self._workers)

    @property
    def _has_room(self) -> bool:
        return len(self._workers) < self._jobs or any(worker.has_room for worker in self._workers)

    def _choose_worker(self) -> Worker[RecordT] | None:
        """Return the worker that gets the next piece; None if another one cannot be started."""
        with_room = [worker for worker in self._workers if worker.has_room]
        worker = min(with_room, key=lambda worker: len(worker.pieces), default=None)
        if worker is None or (worker.pieces and len(self._workers) < self._jobs):
            worker = self._start_another() or worker
        return worker

    def _start_another(self) -> Worker[RecordT] | None:
        """Start one more worker; None if that fails and others can do its work."""
        try:
            worker = Worker(self._answerer, self._workers)
        except OSError as error:
            if not self._workers:
                raise SolverError(f"no worker process {_cannot_start(error)}") from error
            self._jobs = len(self._workers)
            fault = f"no further worker process {_cannot_start(error)}"
            self._tell(f"{fault}; those that were started continue: {self._jobs}")
            return None
        self._workers.append(worker)
        return worker

    def _receive(self, worker: Worker[RecordT], ledger: Ledger[RecordT]) -> None:
        try:
            answer = worker.receive()
        except (EOFError, OSError):
            self._replace(worker, ledger, worker.describe_end())
            return
        self._idle_deaths = 0
        if answer is not None:
            ledger.settle(*answer)

    def _inspect(self, ledger: Ledger[RecordT]) -> None:
        timeout = self._answerer.timeout
        for worker in list(self._workers):
            # Answers that the worker sent before it died or hung are read first.
            if worker.connection.poll():
                continue
            if not worker.is_alive:
                self._replace(worker, ledger, worker.describe_end())
            elif timeout is not None and worker.seconds_in_work > with_grace(timeout):
                worker.interrupt()
                self._replace(worker, ledger, f"still at work long after {timeout:g} s")
            else:
                for stuck in (worker.take_rest(), worker.recall()):
                    if stuck is not None:
                        ledger.put_back(stuck, first=1)

    def _replace(self, worker: Worker[RecordT], ledger: Ledger[RecordT], reason: str) -> None:
        """Remove a dead worker; give up the record over which it died, and put its others back.

        If that record was taken back before, it is with another worker and is not given up.
        """
        self._workers.remove(worker)
        worker.end()
        is_idle, index, pieces = worker.is_idle, worker.index_in_work, worker.take_back_all()
        if is_idle:
            self._idle_deaths += 1
        elif index is not None and pieces and pieces[0] is worker.pieces[0]:
            piece = pieces.pop(0)
            row = self._answerer.give_up(piece.records[index], reason)
            ledger.settle_one(piece, index, row)
        for piece in pieces:
            ledger.put_back(piece)
        if self._idle_deaths > _MOST_IDLE_DEATHS:
            raise SolverError(f"workers die before they do anything ({reason}); try one job")


def _cannot_start(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"can be started ({place}{error.strerror or error})"
