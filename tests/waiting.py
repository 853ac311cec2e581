"""Waiting for what other processes do, and looking whether they live."""

import time
from collections.abc import Callable
from pathlib import Path


def wait_until(is_so: Callable[[], bool], seconds: float = 10) -> None:
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
