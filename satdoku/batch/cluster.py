"""Answer records on a Dask cluster: workers may join, leave or die during the run.

Pieces are sent as tasks, which the scheduler runs again elsewhere when a worker is lost. The
answerer is the result of a task too: unlike scattered data, it can be computed again. This is the
only file that uses Dask.
"""

import logging
import queue
import signal
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any, Generic, NamedTuple

from satdoku.batch.pool import Packed, pack, unpack
from satdoku.batch.row import Answerer, NamesText, RecordT, Row
from satdoku.batch.run import (
    SECONDS_A_PIECE,
    Intake,
    Ledger,
    Pace,
    Piece,
    answer_records,
    available_processors,
    pace_of_worker,
    with_grace,
)
from satdoku.errors import SatdokuError, SolverError, UnseenFileError
from satdoku.processes import deadline

# For each thread of the cluster one piece in work and one queued; two more in all, so that a worker
# that joins has work at once.
_PIECES_A_THREAD, _SPARE_PIECES = 2, 2

# Pieces that may be read ahead, including answered ones that wait for their turn.
_OPEN_PIECES_A_THREAD, _LEAST_OPEN_PIECES = 4, 32

# A piece over which workers died is retried in this many parts, and a part over which they die in
# as many again: three rounds find the one record of 1,800.
_PARTS_OF_A_SUSPECT = 32

_SECONDS_BETWEEN_LOOKS = 1.0


def run_on_cluster(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    address: str,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Generator[Row, None, None]:
    """Yield the rows of all records, in order, from the cluster at `address`, or a local one."""
    ledger = Ledger(intake, _LEAST_OPEN_PIECES)
    with connected_client(address) as client:
        crew = _Crew(client, answerer)
        while not (ledger.is_finished or is_stopped()):
            crew.hand_out(ledger)
            crew.collect(ledger)
            yield from ledger.rows()
        if not is_stopped():
            yield from ledger.rows()


class _Kept(NamedTuple):
    """The data that stays on the workers."""

    answerer: Answerer[Any]
    pace: Pace


class _Crew(Generic[RecordT]):
    """The workers of the cluster: the pieces that they have, and the suspect pieces.

    A piece is suspect if several workers died over it. Suspects run one at a time, with no other
    piece in flight, in ever smaller parts, until the record that kills workers is alone.
    """

    def __init__(self, client: Any, answerer: Answerer[RecordT]) -> None:
        self._client = client
        self._answerer = answerer
        pace = pace_of_worker(answerer)
        self._kept = client.submit(_Kept, answerer, pace, pure=False, key=_key("answerer"))
        self._in_flight: dict[Any, Piece[RecordT]] = {}
        self._suspects: deque[Piece[RecordT]] = deque()
        self._arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads, self._last_look = 0, 0.0
        # Assume that all workers see the same files until one of them reports otherwise.
        self._see_files = True

    def hand_out(self, ledger: Ledger[RecordT]) -> None:
        """Send pieces until as many are in flight as the cluster can use."""
        if self._suspects:
            if not self._in_flight:
                self._submit(self._suspects.popleft())
            return
        self._look_around(ledger)
        while len(self._in_flight) < _PIECES_A_THREAD * self._threads + _SPARE_PIECES:
            if ledger.would_wait and self._in_flight:
                return
            piece = ledger.take()
            if piece is None:
                return
            self._submit(piece)

    def collect(self, ledger: Ledger[RecordT]) -> None:
        """Take the answers that have arrived; wait briefly for the first one."""
        if not self._in_flight:
            return
        try:
            future = self._arrived.get(timeout=_SECONDS_BETWEEN_LOOKS)
            while True:
                self._take(future, ledger)
                future = self._arrived.get_nowait()
        except queue.Empty:
            self._require_connection()

    def _submit(self, piece: Piece[RecordT]) -> None:
        records = piece.records if self._see_files else list(map(_with_text, piece.records))
        future = self._client.submit(
            _answer, self._kept, pack(records), pure=False, key=_key(f"records-{piece.start}")
        )
        self._in_flight[future] = piece
        future.add_done_callback(self._arrived.put)

    def _take(self, future: Any, ledger: Ledger[RecordT]) -> None:
        try:
            packed, fault = future.result()
        except Exception as error:
            if is_death_of_workers(error):
                self._suspect(self._in_flight.pop(future), ledger)
                return
            self._require_connection()
            raise SolverError(f"a worker of the cluster failed: {error}") from error
        if isinstance(fault, UnseenFileError):
            # The records without a row go out again, with their text.
            self._see_files, fault = False, None
        ledger.settle(self._in_flight.pop(future), unpack(packed), fault)

    def _suspect(self, piece: Piece[RecordT], ledger: Ledger[RecordT]) -> None:
        count = len(piece.records)
        if count == 1 and not self._in_flight:
            reason = "the workers that tried it died"
            ledger.settle(piece, [self._answerer.give_up(piece.records[0], reason)])
            return
        size = -(-count // _PARTS_OF_A_SUSPECT)
        self._suspects.extendleft(
            piece.part(begin, begin + size) for begin in reversed(range(0, count, size))
        )

    def _look_around(self, ledger: Ledger[RecordT]) -> None:
        """Update the number of threads of the cluster now and then."""
        if time.monotonic() - self._last_look < _SECONDS_BETWEEN_LOOKS:
            return
        self._require_connection()
        self._threads = sum(self._client.nthreads().values())
        ledger.most_open = max(_LEAST_OPEN_PIECES, _OPEN_PIECES_A_THREAD * self._threads)
        self._last_look = time.monotonic()

    def _require_connection(self) -> None:
        if self._client.status != "running":
            raise SolverError("the connection to the scheduler of the cluster was lost")


def _answer(kept: _Kept, records: Packed) -> tuple[Packed, Exception | None]:
    """Answer a piece on a worker of the cluster (the function of a task)."""
    answerer, pace = kept
    timeout, seconds = answerer.timeout, SECONDS_A_PIECE
    with deadline(None if timeout is None else seconds + with_grace(timeout)):
        # Time is measured by the wall clock, like the deadline, and because other threads share the
        # process.
        rows, error = answer_records(answerer, unpack(records), seconds, pace, clock=time.monotonic)
        return pack(rows), error


def _with_text(record: Any) -> Any:
    return record.with_text() if isinstance(record, NamesText) else record


def _key(name: str) -> str:
    return f"satdoku-{name}-{uuid.uuid4().hex}"


LOCAL = "local"

_MESSAGES_LOGGED = 10

_SECONDS_TO_CONNECT = 10
_SECONDS_TO_CLOSE = 2
_SECONDS_TO_END_LOCAL = 0.5


@contextmanager
def connected_client(address: str, patience: float = _SECONDS_TO_CONNECT) -> Iterator[Any]:
    """Connect to the scheduler at `address`; `local` starts a cluster for this run.

    `patience` is how many seconds a scheduler may take to answer.
    """
    distributed = _import_distributed()
    with _short_logs(), ExitStack() as stack:
        local = _start_local(distributed) if address == LOCAL else None
        if local is not None:
            stack.callback(_close, local, _SECONDS_TO_END_LOCAL)
        client = _connect(distributed, local or address, patience)
        stack.callback(_close, client, _SECONDS_TO_CLOSE)
        yield client


def _short_logs() -> Any:
    """Shorten the message logs of connections: for a thousand pieces they take half a gigabyte."""
    import dask

    return dask.config.set({"distributed.admin.low-level-log-length": _MESSAGES_LOGGED})


def _close(part: Any, seconds: float) -> None:
    with suppress(TimeoutError):
        part.close(timeout=seconds)


def is_death_of_workers(error: Exception) -> bool:
    """Whether a task failed because one worker after another died over it."""
    return isinstance(error, _import_distributed().KilledWorker)


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise SatdokuError("a cluster needs Dask: pip install 'satdoku[dask]'") from None
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _start_local(distributed: Any) -> Any:
    """Start a local cluster with a process for each processor, without log output."""
    with _no_interrupts():
        return distributed.LocalCluster(
            n_workers=available_processors(),
            threads_per_worker=1,
            processes=True,
            # Any free port: by default the HTTP server takes 8787.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Block Ctrl-C for processes that start inside; this process handles it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Start the tracker here: otherwise the first process would start it, which unblocks the
    # signals.
    resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _connect(distributed: Any, cluster: Any, patience: float) -> Any:
    try:
        if isinstance(cluster, str):
            # Check the address first: a client would look for a scheduler of an unknown kind for a
            # long time.
            distributed.comm.get_address_host(cluster)
        return distributed.Client(cluster, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise SatdokuError(f"there is no Dask scheduler at {cluster} ({reason})") from None
