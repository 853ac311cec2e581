"""Records answered by several processes of this machine; the death of one costs one record.

The standard pools give up as a whole when a worker dies, and cannot tell over which record.
"""

import atexit
import time
from collections.abc import Callable, Generator
from multiprocessing.connection import wait
from typing import Any, Generic

from satdoku.batch.ledger import Intake, Ledger
from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.batch.run import NoWorkersError, answer_in_order, with_grace
from satdoku.batch.worker import SECONDS_TO_DIE, Worker
from satdoku.errors import SolverError

# Pieces that may be read ahead for each worker: one in work, one waiting, and two that are answered
# and wait for the rows before them.
_OPEN_PIECES_A_JOB = 4

# A dead or hung worker is noticed this late at most; looking costs the parent some system calls.
_SECONDS_BETWEEN_INSPECTIONS = 0.25

# Workers that die without a record in work were not killed by one: starting more would never end.
_MOST_IDLE_DEATHS = 4


def run_in_pool(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda message: None,
) -> Generator[Row, None, None]:
    """The rows of all records, in order; workers start when there is something for them to do.

    NoWorkersError where none can be started; the intake then has all records again. Where some can
    be, these do the work, and `tell` gets a sentence about it.
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
        # Runs before multiprocessing's own exit handler, which would wait for workers for ever.
        atexit.register(self.close)

    def start_first(self) -> None:
        """Start a worker; OSError where the system lacks what a process needs."""
        self._workers.append(Worker(self._answerer, self._workers))

    def hand_out(self, ledger: Ledger[RecordT]) -> None:
        """Gives every worker something to do, and some to come."""
        while self._has_room:
            if ledger.would_wait and self._is_busy:
                return  # what is ready must not wait for a producer that takes its time
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
        """Takes the answers that are there; waits for the first one."""
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
        """Ends all workers; those at work are interrupted."""
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
        """Return the worker that gets the next piece; None where another one cannot be started."""
        with_room = [worker for worker in self._workers if worker.has_room]
        worker = min(with_room, key=lambda worker: len(worker.pieces), default=None)
        if worker is None or (worker.pieces and len(self._workers) < self._jobs):
            worker = self._start_another() or worker
        return worker

    def _start_another(self) -> Worker[RecordT] | None:
        """Start one more worker; None where that cannot be, and others can do its work."""
        try:
            worker = Worker(self._answerer, self._workers)
        except OSError as error:
            if not self._workers:
                raise SolverError(f"no worker process {_cannot_start(error)}") from error
            self._jobs = len(self._workers)
            fault = f"no further worker process {_cannot_start(error)}"
            self._tell(f"{fault}; those that there are go on: {self._jobs}")
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
            # What it sent before it died or hung is read first.
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
        """Removes a dead worker; the record over which it died is given up, the others go back.

        A record that was taken back from it is not given up: it is with another worker.
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
