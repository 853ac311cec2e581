"""A stream of records, answered in order: here, by all processors, or by a cluster.

Below `run` stands what all of these do: to answer records one after another, wherever that is.
"""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from satdoku.batch.ledger import LARGEST, Intake
from satdoku.batch.row import Answerer, RecordT, Row, WorksTogether
from satdoku.errors import SatdokuError, SolverDiedError, TooLargeError

# To start workers takes some tenths of a second. A run that has worked this long probably has work
# for longer than that.
_BUSY_SECONDS = 0.3

# A record that ends just at its limit must not count as hung, on a busy machine either: there is a
# second of grace, or a tenth of the limit if that is longer.
_LEAST_GRACE, _GRACE = 1.0, 0.1

MOST_TOGETHER = 3600
"""An answerer gets at most so many records at once. It may work out something for all of them
together, such as an integer with a bit for each; of larger integers Python makes none quickly."""

# More than so many lines of the usual length; blocks of lines are the sooner answered the more of
# them an answerer gets.
_CHARACTERS = LARGEST

_SECONDS_A_PIECE = 0.5

# Even if a record takes 20 milliseconds, so many are no more than a worker has time for.
_FIRST_OF_WORKER = 16

# With the first row of several an answerer may have worked out all of them: then the others come at
# once, and are not to be lost. Where they do not come in this share of the time that the first one
# took, it was a hard record.
_SHARE_FOR_THE_OTHERS = 0.1

# A clock may show no time at all between two looks; nothing is divided by zero then.
_LEAST_SECONDS = 1e-6


def available_processors() -> int:
    """The processors that this process may use."""
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
) -> Generator[Row, None, None]:
    """One row for each record, in the order of the records.

    Without `jobs` they are answered in this process at first, and by all processors once that pays.
    `cluster` is the address of a Dask scheduler, or `local` for one on this machine. `is_at_hand`
    says whether the next record can be had without waiting for it. Close the iterator to end the
    run early; its workers end with it. `is_stopped` is for who cannot close it, as another thread
    waits for its next row: the rows end soon after it says so. `tell` gets a sentence for people
    where processes cannot be started, and fewer do the work.
    """
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
    """In this process at first, and by workers once they are worth their start, if they start."""
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
    """In this process, until several would be worth their start; returns whether they are.

    They are not where the input is what the run waits for: then `waiting` is more than `working`.
    """
    # The first answer is to come at once.
    pace = Pace(1, seconds_a_piece(answerer))
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
                # They start at the top, if there are more records: one hard puzzle needs none.
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


def seconds_a_piece(answerer: Answerer[RecordT]) -> float:
    """After so long a worker sends what it has, and gives the rest of its piece back."""
    if isinstance(answerer, WorksTogether):
        return max(_SECONDS_A_PIECE, answerer.seconds_together)
    return _SECONDS_A_PIECE


class NoWorkersError(SatdokuError):
    """Not even one worker could be started; no record was answered, and the intake has all."""


class WorkerError(Exception):
    """A bug met in a worker; its text is the traceback there."""


def answer_in_order(answerer: Answerer[RecordT], records: Sequence[RecordT]) -> Iterator[Row]:
    """One row for each record, when it is asked for.

    A record that is too much for this process is given up, and the answerer begins anew behind it.
    """
    done, together = 0, len(records)
    while done < len(records):
        chunk = records[done : done + together]
        try:
            for _, row in zip(chunk, answerer.answers(chunk), strict=True):
                yield row
                done += 1
        except MemoryError:
            # Perhaps it is not this record that is too large, but all of them together.
            if len(chunk) > 1:
                together = 1
                continue
            yield answerer.give_up(records[done], "out of memory")
            done += 1
        except (TooLargeError, SolverDiedError) as error:
            yield answerer.give_up(records[done], str(error))
            done += 1


class Pace:
    """How many records an answerer gets together: the more, the sooner each is answered.

    But no more than are answered in about so many `seconds`: if a worker stops before the end, what
    was worked out for all of them together is lost.
    """

    def __init__(self, first: int, seconds: float) -> None:
        self.records = first
        self._seconds = seconds

    def learn(self, count: int, seconds: float) -> None:
        """Takes note that `count` records took this long."""
        affordable = int(count * self._seconds / max(seconds, _LEAST_SECONDS))
        self.records = max(1, min(affordable, MOST_TOGETHER))


def seconds_of_work() -> float:
    """Return the processor time of this process, and of its child processes that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def pace_of_worker(answerer: Answerer[RecordT]) -> Pace:
    """The pace of a worker at its start, when it knows nothing of the records.

    Records get a third of the time for a piece. So it is not over with the first of them, nor does
    their worker seem to be stuck, on a busy machine either.
    """
    return Pace(_FIRST_OF_WORKER, seconds_a_piece(answerer) / 3)


def answer_records(
    answerer: Answerer[RecordT],
    records: Sequence[RecordT],
    seconds: float,
    pace: Pace,
    note: Callable[[int], None] = lambda index: None,
    clock: Callable[[], float] = seconds_of_work,
) -> tuple[list[Row], Exception | None]:
    """The rows of the first records, as many as `seconds` allow, and the error that ended it.

    The records that are left go back to the sender, who shares them out anew, so that hard records
    do not queue behind one another while other workers have nothing to do. For the same reason half
    of the time has to be enough for half of the records. `note` is called with the index of each
    record before it is worked on. `clock` tells the time in seconds: of work, as on a busy machine
    a worker that waits for the processor would stop early, and others would begin anew with what it
    had worked out already.
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
    """How long to wait for a record with a limit before its worker counts as hung."""
    return timeout + max(_LEAST_GRACE, _GRACE * timeout)


def _portable(error: Exception) -> Exception:
    """An error that can travel: ours as they are, others as their traceback."""
    if isinstance(error, SatdokuError):
        return error
    import traceback  # slow to import, and only a bug is told by it

    return WorkerError("".join(traceback.format_exception(error)))
