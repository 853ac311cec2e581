"""Records answered by a Dask cluster: workers may join, leave or die while it runs.

Pieces go out as tasks, which the scheduler runs again elsewhere when a worker is lost. The
answerer is the result of a task too: unlike data that was scattered, it can be made anew.
"""

import queue
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Generic, NamedTuple

from satdoku.batch.connecting import connected_client, is_death_of_workers
from satdoku.batch.intake import Intake
from satdoku.batch.ledger import Ledger, Piece
from satdoku.batch.packing import Packed, pack, unpack
from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.batch.watchdog import deadline
from satdoku.batch.work import Pace, answer_records, pace_of_worker, seconds_a_piece, with_grace
from satdoku.errors import SolverError

# For each thread of the cluster one piece in work and one that waits there; two more, so that a
# worker that joins finds something to do at once.
_PIECES_A_THREAD, _SPARE_PIECES = 2, 2

# Pieces that may be read ahead, answered ones that wait for their turn included.
_OPEN_PIECES_A_THREAD, _LEAST_OPEN_PIECES = 4, 32

# A piece over which workers died is tried again in so many parts, and these in turn: three rounds
# find the one record of 1,800.
_PARTS_OF_A_SUSPECT = 32

_SECONDS_BETWEEN_LOOKS = 1.0


def run_on_cluster(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    address: str,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Generator[Row, None, None]:
    """The rows of all records, in order, from the cluster at `address`, or one made for it."""
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
    """What stays on the workers."""

    answerer: Answerer[Any]
    pace: Pace


class _Crew(Generic[RecordT]):
    """The cluster's workers: which pieces they have, and which pieces are under suspicion.

    A piece is suspect when workers died over it again and again. Suspects run one at a time, with
    nothing beside them, in ever smaller parts, until the record that kills is alone.
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

    def hand_out(self, ledger: Ledger[RecordT]) -> None:
        """Keeps as many pieces in flight as the cluster can use."""
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
        """Takes the answers that are there; waits a moment for the first one."""
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
        future = self._client.submit(
            _answer, self._kept, pack(piece.records), pure=False, key=_key(f"records-{piece.start}")
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
        """Counts the threads of the cluster now and then."""
        if time.monotonic() - self._last_look < _SECONDS_BETWEEN_LOOKS:
            return
        self._require_connection()
        self._threads = sum(self._client.nthreads().values())
        ledger.most_open = max(_LEAST_OPEN_PIECES, _OPEN_PIECES_A_THREAD * self._threads)
        self._last_look = time.monotonic()

    def _require_connection(self) -> None:
        if self._client.status != "running":
            raise SolverError("the scheduler of the cluster has gone")


def _answer(kept: _Kept, records: Packed) -> tuple[Packed, Exception | None]:
    """What a worker of the cluster runs."""
    answerer, pace = kept
    timeout, seconds = answerer.timeout, seconds_a_piece(answerer)
    with deadline(None if timeout is None else seconds + with_grace(timeout)):
        rows, error = answer_records(answerer, unpack(records), seconds, pace)
        return pack(rows), error


def _key(name: str) -> str:
    import uuid

    return f"satdoku-{name}-{uuid.uuid4().hex}"
