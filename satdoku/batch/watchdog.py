"""A last resort for a process that cannot be watched from outside: it ends itself when it hangs.

The standard library's fault handler waits in a thread that needs nothing of the interpreter, so
it works even while a solver does not return.
"""

import faulthandler
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from satdoku.processes import LONGEST_WAIT

_lock = threading.Lock()
_ends: dict[int, float] = {}


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Ends this process if the block takes longer than `seconds`; several threads may use it."""
    if seconds is None:
        yield
        return
    thread = threading.get_ident()
    with _lock:
        _ends[thread] = time.monotonic() + seconds
        _arm()
    try:
        yield
    finally:
        with _lock:
            del _ends[thread]
            _arm()


def _arm() -> None:
    """Sets the only alarm that there is to the earliest deadline of all threads."""
    if not _ends:
        faulthandler.cancel_dump_traceback_later()
        return
    seconds = max(0.001, min(LONGEST_WAIT, min(_ends.values()) - time.monotonic()))
    # Where the threads stood would be noise in the log of a cluster.
    faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())


def _nowhere() -> int:
    global _null
    if _null is None:
        _null = os.open(os.devnull, os.O_WRONLY)
    return _null


_null: int | None = None
