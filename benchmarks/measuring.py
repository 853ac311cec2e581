"""Seconds and memory of a whole process, with all processes that it starts.

The limit is one of processor time, so that tables mean the same on a shared machine. A program that
uses several cores can only be limited by the clock, on a machine without other load.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SECONDS_BETWEEN_LOOKS = 0.1
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_MEGABYTE = 1024.0

# Fields of /proc/PID/stat behind the name of the program, which is in brackets.
_PARENT, _FIRST_TIME, _LAST_TIME = 1, 11, 15


@dataclass(frozen=True)
class Measured:
    """The time and memory of a process, and its output; "" if it was killed before printing any.

    `waited` is the time by the clock. If it is much longer than the processor time in `seconds`,
    the process did not have a core of its own.
    """

    seconds: float
    waited: float
    megabytes: float
    text: str

    @property
    def word(self) -> str:
        """Return the first word of the output."""
        return self.text.replace(":", " ").split(maxsplit=1)[0] if self.text.strip() else ""


def measure(command: Sequence[str], limit: float, by_clock: bool = False) -> Measured:
    """Run a process to its end, or kill it after `limit` seconds of processor time.

    With `by_clock` the limit is wall-clock time.
    """
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        used = 0.0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            used = max(used, processor_seconds(process.pid))
            if (time.perf_counter() - started if by_clock else used) > limit:
                process.kill()
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    seconds = max(used, usage.ru_utime + usage.ru_stime)
    waited = time.perf_counter() - started
    return Measured(seconds, waited, usage.ru_maxrss / _MEGABYTE, text)


def processor_seconds(leader: int) -> float:
    """Return the processor time of a process and its living and dead children, from /proc."""
    fields_of: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                text = (folder / "stat").read_text()
            except OSError:  # the process has ended
                continue
            behind_name = text.rpartition(")")[2].split()
            fields_of[int(folder.name)] = [0, *map(int, behind_name[1:_LAST_TIME])]
    family = {leader}
    for pid in sorted(fields_of):
        if fields_of[pid][_PARENT] in family:
            family.add(pid)
    ticks = sum(sum(fields_of[pid][_FIRST_TIME:]) for pid in family if pid in fields_of)
    return ticks / _TICKS_A_SECOND
