import os
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from satdoku.solving.large import compiled_moves, machine_code
from satdoku.solving.large.machine_code import has_machine_code
from satdoku.solving.limits import Budget, LimitReachedError, Limits


def succeed(connection: Connection) -> None:
    connection.send(True)


def die(connection: Connection) -> None:
    os._exit(1)


def hang(connection: Connection) -> None:
    time.sleep(600)


class Clock(Budget):
    """A budget with so many seconds left."""

    def __init__(self, seconds: float | None) -> None:
        super().__init__()
        self._seconds = seconds

    @property
    def seconds_left(self) -> float | None:
        return self._seconds


@pytest.mark.parametrize(
    ("seconds", "by_making", "by_loading"),
    [(None, True, True), (60, True, True), (10, False, True), (1, False, False)],
)
def test_it_is_made_or_loaded_where_enough_time_is_left(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float | None,
    by_making: bool,
    by_loading: bool,
) -> None:
    monkeypatch.setattr(machine_code, "_make", succeed)
    assert has_machine_code(Clock(seconds), tmp_path) == by_making
    # Code of another Python is of no use.
    (tmp_path / "compiled_moves.advance-1.py27.nbi").touch()
    assert has_machine_code(Clock(seconds), tmp_path) == by_making
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    kept = tmp_path / f"compiled_moves.advance-1.py{version}.nbi"
    kept.touch()
    assert has_machine_code(Clock(seconds), tmp_path) == by_loading
    # Of an older version it is of no use.
    os.utime(kept, (0, 0))
    assert has_machine_code(Clock(seconds), tmp_path) == by_making


def test_where_it_cannot_be_kept_it_is_made_when_it_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled_moves, "folder_of_code", lambda: None)
    monkeypatch.setattr(machine_code, "_make", die)
    assert has_machine_code(Budget())
    assert not has_machine_code(Clock(10))


def test_without_numba_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "find_spec", lambda name: None)
    assert not has_machine_code(Budget())


@pytest.mark.parametrize(
    "setup",
    [
        "sys.modules['numba.core'] = None  # so that the import fails, as beside a strange numpy",
        "os.environ['NUMBA_DISABLE_JIT'] = '1'",
    ],
    ids=["broken", "disabled"],
)
def test_where_numba_does_not_work_there_is_none(setup: str) -> None:
    program = f"""
import os, sys
{setup}
from satdoku.solving.large.machine_code import has_machine_code
from satdoku.solving.limits import Budget

assert not has_machine_code(Budget())
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_process_that_dies_while_it_makes_some_leaves_plain_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "_make", die)
    assert not has_machine_code(Budget(), tmp_path)


def test_the_making_is_ended_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_make", hang)
    stop = threading.Event()
    stop.set()
    with pytest.raises(LimitReachedError):
        has_machine_code(Budget(Limits(stop=stop)), tmp_path)


def test_it_is_kept_where_it_is_looked_for(tmp_path: Path) -> None:
    """In a process of its own, so that nothing is there that another test has made."""
    program = """
import os
from pathlib import Path
from satdoku.solving.large import compiled_moves, machine_code
from satdoku.solving.limits import Budget

assert machine_code.has_machine_code(Budget(), Path("nowhere"))
for kept in compiled_moves.folder_of_code().glob("compiled_moves.*.nbi"):
    os.utime(kept, (0, 0))  # as if the same source had been installed again since
assert machine_code.has_machine_code(Budget())
machine_code._make_apart = None
assert machine_code.has_machine_code(Budget())
"""
    subprocess.run([sys.executable, "-c", program], check=True)
