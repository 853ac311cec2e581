"""The way to a Dask cluster; together with `cluster.py` all that knows Dask."""

import logging
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from satdoku.errors import SatdokuError

LOCAL = "local"

_MESSAGES_LOGGED = 10

_SECONDS_TO_CONNECT = 10
_SECONDS_TO_CLOSE = 2
_SECONDS_TO_END_LOCAL = 0.5


@contextmanager
def connected_client(address: str, patience: float = _SECONDS_TO_CONNECT) -> Iterator[Any]:
    """A client of the scheduler at `address`; `local` is a cluster made for the occasion.

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
    """Every connection keeps its last messages: a thousand pieces would be half a gigabyte."""
    import dask

    return dask.config.set({"distributed.admin.low-level-log-length": _MESSAGES_LOGGED})


def _close(part: Any, seconds: float) -> None:
    with suppress(TimeoutError):
        part.close(timeout=seconds)


def is_death_of_workers(error: Exception) -> bool:
    """Whether a task failed because one worker after another died over it."""
    from distributed import KilledWorker

    return isinstance(error, KilledWorker)


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
    """A process for each processor, quietly."""
    from satdoku.batch.processors import available_processors

    with _no_interrupts():
        return distributed.LocalCluster(
            n_workers=available_processors(),
            threads_per_worker=1,
            processes=True,
            # Any free port: without a word, its server of HTTP would insist on 8787.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Whatever starts in here never hears of Ctrl-C; this process hears of it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Started by the first process, it would lift the block again.
    resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _connect(distributed: Any, cluster: Any, patience: float) -> Any:
    try:
        if isinstance(cluster, str):
            # A client would look for a scheduler of an unknown kind for a long time.
            distributed.comm.get_address_host(cluster)
        return distributed.Client(cluster, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise SatdokuError(f"there is no Dask scheduler at {cluster} ({reason})") from None
