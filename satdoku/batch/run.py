"""A stream of records, answered in order: here, by all processors, or by a cluster."""

import os
import time
from collections.abc import Callable, Generator, Iterable

from satdoku.batch.ledger import Intake
from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.batch.work import MOST_TOGETHER, Pace, answer_in_order, seconds_a_piece


def available_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# To start workers takes some tenths of a second. A run that has worked this long probably has work
# for longer than that.
_BUSY_SECONDS = 0.3

# As many lines of the usual length as an answerer gets together.
_CHARACTERS = 81 * MOST_TOGETHER


def run(
    answerer: Answerer[RecordT],
    records: Iterable[RecordT],
    jobs: int | None = None,
    cluster: str | None = None,
    is_at_hand: Callable[[], bool] = lambda: True,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Generator[Row, None, None]:
    """One row for each record, in the order of the records.

    Without `jobs` they are answered in this process at first, and by all processors once that pays.
    `cluster` is the address of a Dask scheduler, or `local` for one on this machine. `is_at_hand`
    says whether the next record can be had without waiting for it. Close the iterator to end the
    run early; its workers end with it. `is_stopped` is for who cannot close it, as another thread
    waits for its next row: the rows end soon after it says so.
    """
    intake = Intake(records, is_at_hand)
    if cluster is not None:
        from satdoku.batch.cluster import run_on_cluster

        return run_on_cluster(answerer, intake, cluster, is_stopped)
    if jobs is None or jobs == 1:
        return _run_here(answerer, intake, jobs or available_processors(), is_stopped)
    return _run_in_pool(answerer, intake, jobs, is_stopped)


def _run_here(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool],
) -> Generator[Row, None, None]:
    """In this process, until several would be worth their start.

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
            yield from _run_in_pool(answerer, intake, jobs, is_stopped)
            return
        worked = working
        begin = time.perf_counter()
        for number, row in enumerate(answer_in_order(answerer, records), 1):
            working += time.perf_counter() - begin
            if is_stopped():
                return
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


def _run_in_pool(
    answerer: Answerer[RecordT],
    intake: Intake[RecordT],
    jobs: int,
    is_stopped: Callable[[], bool],
) -> Generator[Row, None, None]:
    from satdoku.batch.pool import run_in_pool

    return run_in_pool(answerer, intake, jobs, is_stopped)
