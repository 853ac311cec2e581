"""Programs that hang, flood, or leave others behind: each ends within its limit."""

import subprocess
import sys
from pathlib import Path

import pytest

from satdoku.errors import SolverError
from satdoku.solving.external import Finished, run_program
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.waiting import is_running, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tells processes by /proc")

MOST = 1 << 20

# Long enough to tell that nobody waited for them, whatever else the machine has to do.
FOR_EVER = 600


def run_script(script: str, timeout: float | None = None, most: int = MOST) -> Finished:
    budget = Budget(Limits(timeout))
    return run_program(["sh", "-c", script], subprocess.DEVNULL, most, budget)


def test_output_errors_and_exit_code_are_told() -> None:
    assert run_script("echo one; echo two >&2; exit 20") == Finished(20, b"one\n", b"two\n")
    assert run_script("kill -9 $$").code == -9


def test_a_long_output_is_read_whole() -> None:
    finished = run_script("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2")
    assert finished == Finished(0, bytes(1_000_000), bytes(1 << 16))


def test_pipes_that_are_closed_are_not_the_end() -> None:
    assert run_script("exec >&- 2>&-; sleep 0.2; exit 10").code == 10


def test_a_program_with_closed_pipes_is_stopped_too() -> None:
    with pytest.raises(LimitReachedError, match=r"not decided within 0\.2 s"):
        run_script(f"exec >&- 2>&-; sleep {FOR_EVER}", timeout=0.2)


def test_a_program_that_ended_is_not_waited_for_because_of_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    finished = run_script(f"echo done; setsid sleep {FOR_EVER} & echo $! > {note}; exit 10")
    assert finished == Finished(10, b"done\n", b"")
    subprocess.run(["kill", "-9", note.read_text().strip()], check=False)


def test_a_program_that_floods_is_stopped() -> None:
    with pytest.raises(SolverError, match="sh printed more than 1 MB, too much for an answer"):
        run_script("yes v 1 2 3")


def test_floods_of_complaints_are_cut_down() -> None:
    with pytest.raises(LimitReachedError):
        run_script("yes >&2", timeout=0.3)
    assert len(run_script("yes | head -c 10000000 >&2").errors) == 1 << 16


@pytest.mark.parametrize("error", [LimitReachedError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize(
    "script",
    [
        "sleep {} & echo $! > {}; wait",
        "setsid sleep {} & echo $! > {}; wait",
        "setsid sh -c 'sleep {} & echo $! > {}'; sleep 600",
        "trap '' TERM INT HUP; sleep {} & echo $! > {}; wait",
    ],
)
def test_whatever_ends_the_waiting_ends_all_that_was_started(
    script: str, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even what left the group, whose parent has died: it holds the pipes open."""
    note = tmp_path / "pid"

    def interrupt(budget: Budget) -> None:
        if note.exists() and note.read_text():
            raise error

    monkeypatch.setattr(Budget, "require", interrupt)
    with pytest.raises(error):
        run_script(script.format(FOR_EVER, note))
    wait_until(lambda: not is_running(int(note.read_text())))
