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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where code is looked for; nothing is there yet."""
    monkeypatch.setattr(compiled_moves, "folder_of_code", lambda: tmp_path)
    return tmp_path


def run_python(program: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


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
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float | None,
    by_making: bool,
    by_loading: bool,
) -> None:
    monkeypatch.setattr(machine_code, "_make", succeed)
    assert has_machine_code(Clock(seconds)) == by_making
    # Code of another Python is of no use.
    (folder / "compiled_moves.advance-1.py27.nbi").touch()
    assert has_machine_code(Clock(seconds)) == by_making
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    kept = folder / f"compiled_moves.advance-1.py{version}.nbi"
    kept.touch()
    assert has_machine_code(Clock(seconds)) == by_loading
    # Of an older version it is of no use.
    os.utime(kept, (0, 0))
    assert has_machine_code(Clock(seconds)) == by_making


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

print(has_machine_code(Budget()))
"""
    assert run_python(program) == "False\n"


@pytest.mark.usefixtures("folder")
def test_a_process_that_dies_while_it_makes_some_leaves_plain_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine_code, "_make", die)
    assert not has_machine_code(Budget())


@pytest.mark.usefixtures("folder")
def test_the_making_is_ended_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_make", hang)
    stop = threading.Event()
    stop.set()
    with pytest.raises(LimitReachedError):
        has_machine_code(Budget(Limits(stop=stop)))


def test_it_is_kept_where_it_is_looked_for() -> None:
    """In a process of its own, so that nothing is there that another test has made."""
    program = """
import os
from satdoku.solving.large import compiled_moves, machine_code
from satdoku.solving.limits import Budget

print(machine_code._make_apart(Budget()))
for kept in compiled_moves.folder_of_code().glob("compiled_moves.*.nbi"):
    os.utime(kept, (0, 0))  # as if the same source had been installed again since
print(machine_code.has_machine_code(Budget()))
machine_code._make_apart = None
print(machine_code.has_machine_code(Budget()))
"""
    assert run_python(program) == "True\n" * 3
