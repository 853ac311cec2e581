"""Waiting for what other processes do, and looking whether they live."""

import time
from collections.abc import Callable
from pathlib import Path

SOON = 60.0
"""Seconds within which something ends that was told to, even on a machine with other work to do.

What is waited for would go on for hours if it were not stopped, so that a test with this bound
still fails when it is not. How quickly things end is for benchmarks to say.
"""


def wait_until(is_so: Callable[[], bool], seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
