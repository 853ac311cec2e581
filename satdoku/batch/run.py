"""A stream of records, answered in order: here, by all processors, or by a cluster."""

import time
from collections.abc import Generator, Iterable
from itertools import chain

from satdoku.batch.processors import available_processors
from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.batch.work import answer_record

# So much work done says that workers would pay for their start.
_BUSY_SECONDS = 0.3


def run(
    answerer: Answerer[RecordT],
    records: Iterable[RecordT],
    jobs: int | None = None,
    cluster: str | None = None,
) -> Generator[Row, None, None]:
    """One row per record, in the order of the records, whoever answers them.

    Without `jobs` it begins in this process and moves on to all processors once that pays.
    `cluster` is the address of a Dask scheduler, or `local` for one on this machine. Close the
    iterator to end early; its workers end with it.
    """
    if cluster is not None:
        from satdoku.batch.cluster import run_on_cluster

        return run_on_cluster(answerer, records, cluster)
    if jobs == 1:
        return _run_here(answerer, records)
    if jobs is None:
        return _run_growing(answerer, records, available_processors())
    return _run_in_pool(answerer, records, jobs)


def _run_here(
    answerer: Answerer[RecordT], records: Iterable[RecordT]
) -> Generator[Row, None, None]:
    for record in records:
        yield answer_record(answerer, record)


def _run_growing(
    answerer: Answerer[RecordT], records: Iterable[RecordT], jobs: int
) -> Generator[Row, None, None]:
    iterator = iter(records)
    waiting = working = 0.0
    begin = time.perf_counter()
    for record in iterator:
        waiting += time.perf_counter() - begin
        if jobs > 1 and working > max(_BUSY_SECONDS, waiting):
            yield from _run_in_pool(answerer, chain([record], iterator), jobs)
            return
        begin = time.perf_counter()
        row = answer_record(answerer, record)
        working += time.perf_counter() - begin
        yield row
        begin = time.perf_counter()


def _run_in_pool(
    answerer: Answerer[RecordT], records: Iterable[RecordT], jobs: int
) -> Generator[Row, None, None]:
    from satdoku.batch.pool import run_in_pool

    return run_in_pool(answerer, records, jobs)
