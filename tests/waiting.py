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
    """Comes back soon after it is so; fails when that takes longer than so many seconds.

    It looks more and more seldom: to ask a browser takes other tests 10 ms of their processor.
    """
    end, pause = time.monotonic() + seconds, 0.005
    while not is_so():
        assert time.monotonic() < end, f"not so within {seconds:g} s"
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler of its own for a signal, as Linux tells of it."""
    return bool(int(_status_of(pid).get("SigCgt", "0"), 16) >> (number - 1) & 1)


def peak_memory(pid: int) -> int:
    """The most bytes that a process has had in memory since its program began; 0 at its end."""
    return int(_status_of(pid).get("VmHWM", "0 kB").split()[0]) * 1024


def _status_of(pid: int) -> dict[str, str]:
    """What Linux tells of a process, by name; nothing when it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
