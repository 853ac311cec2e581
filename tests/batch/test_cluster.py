"""A real scheduler and real workers on this machine; some of them die."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from satdoku.batch import cluster as on_cluster
from satdoku.batch.run import run
from satdoku.errors import SatdokuError, SolverError
from tests.apart import apart
from tests.batch.marked import Obedient, expected, make_records
from tests.crossing import few_or_many
from tests.each import for_each
from tests.waiting import SOON

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT),
    # One death is enough to call a piece suspect, which keeps the tests short.
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
}


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", f"--port={port}", "--host=127.0.0.1")

    def add_worker(self, *options: str) -> "subprocess.Popen[bytes]":
        return self._start("worker", self.address, "--nthreads=1", "--no-dashboard", *options)

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        for process in self.processes:
            kill_group(process)


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process, and its children, the way a power cut would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    try:
        yield made
    finally:
        made.stop()


# To import Dask takes a second, which only the worker needs that runs these tests.
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="needs the extra: pip install 'satdoku[dask]'"
    ),
]


@pytest.mark.slow
@apart
def test_rows_are_the_same_whatever_happens_to_the_cluster() -> None:
    """One after the other with the same scheduler: to import Dask takes a process a second."""
    with cluster() as made:
        worker = made.add_worker("--no-nanny")
        require_errors_after_all_rows_before_them(made)
        require_no_loss_when_workers_join_and_die(made, worker)
        made.add_worker()  # its nanny starts it again whenever it dies
        require_a_deadly_record_to_be_singled_out(made, "kill")
        require_to_be_told_soon_that_the_scheduler_has_gone(made)


def require_errors_after_all_rows_before_them(made: Cluster) -> None:
    rows = run(Obedient(), make_records(3000, n1500="refuse"), cluster=made.address)
    assert [next(rows).text for _ in range(1499)] == expected(1499)
    with pytest.raises(SolverError, match="refused"):
        next(rows)


def require_no_loss_when_workers_join_and_die(
    made: Cluster, first: "subprocess.Popen[bytes]"
) -> None:
    """Two workers begin, one is killed half way, a third one joins; the rows are the same."""
    marks = {f"n{n}": "sleep 0.002" for n in range(1, 6001, 4)}
    made.add_worker("--no-nanny")
    rows = run(Obedient(), make_records(6000, **marks), cluster=made.address)
    found = [next(rows).text for _ in range(2000)]
    kill_group(first)
    made.add_worker("--no-nanny")
    found += [row.text for row in rows]
    assert found == expected(6000)


def require_a_deadly_record_to_be_singled_out(made: Cluster, mark: str) -> None:
    rows = run(Obedient(timeout=0.5), make_records(3000, n1500=mark), cluster=made.address)
    found = [row.text for row in rows]
    assert found == expected(3000, n1500="undecided: the workers that tried it died")


def require_to_be_told_soon_that_the_scheduler_has_gone(made: Cluster) -> None:
    rows = run(Obedient(), make_records(10**6), cluster=made.address)
    next(rows)
    kill_group(made.scheduler)
    begin = time.monotonic()
    with pytest.raises(SolverError, match="the connection to the scheduler"):
        list(rows)
    assert time.monotonic() - begin < SOON


@pytest.mark.slow
@apart
def test_a_record_that_hangs_its_worker_is_singled_out() -> None:
    with cluster() as made:
        made.add_worker()
        require_a_deadly_record_to_be_singled_out(made, "sleep 1000")


@apart
@for_each("address", ["tcp://127.0.0.1:9", "nonsense://127.0.0.1:9"])
def test_a_scheduler_that_is_not_there_is_told_soon(address: str) -> None:
    begin = time.monotonic()
    refused = pytest.raises(SatdokuError, match=f"there is no Dask scheduler at {address}")
    with refused, on_cluster.connected_client(address, patience=2):
        pass
    assert time.monotonic() - begin < SOON


@apart
@few_or_many("count", 600, 3000)
def test_a_local_cluster_gives_the_same_rows_and_asks_for_no_certain_port(count: int) -> None:
    """8787, where Dask has its dashboard, is taken here, if it was not taken before."""
    with socket.socket() as taken:
        with suppress(OSError):
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        found = [row.text for row in run(Obedient(), make_records(count), cluster="local")]
    assert found == expected(count)


@pytest.mark.slow
@apart
def test_connections_keep_few_of_the_pieces_that_went_through_them() -> None:
    with on_cluster.connected_client("local") as client:
        logs = [client.scheduler_comm, *client.cluster.scheduler.stream_comms.values()]
        assert len(logs) > 1
        assert all(log.recent_message_log.maxlen <= 10 for log in logs)


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SatdokuError, match=r"pip install 'satdoku\[dask\]'"):
        next(run(Obedient(), make_records(10), cluster="local"))
