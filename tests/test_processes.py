"""Children end with their parent, whatever ends it, and with all that they started."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from satdoku.processes import at_most, kill_readers, map_in_children
from tests.commands import EASY, HARD, run_process
from tests.waiting import SOON, is_running, wait_until

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def start(program: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


ENUMERATE = """
from satdoku import Settings, solutions
for solution in solutions("." * 81, settings=Settings(solver="lingeling")):
    pass
"""
RACE = """
from satdoku import Settings, check
from tests.boards import TOO_HARD
check(TOO_HARD, Settings(portfolio=("lingeling", "minicard", "glucose4")))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
@pytest.mark.parametrize(("program", "count"), [(ENUMERATE, 1), (RACE, 3)], ids=["one", "race"])
def test_solvers_of_their_own_end_with_their_parent(program: str, count: int, number: int) -> None:
    process = start(program)
    wait_until(lambda: len(children_of(process.pid)) == count)
    children = children_of(process.pid)
    time.sleep(0.2)
    assert all(map(is_running, children))
    process.send_signal(number)
    process.communicate(timeout=SOON)  # children that live on would keep its pipes open
    wait_until(lambda: not any(map(is_running, children)))


EXTERNAL = f"""
import sys
from satdoku import Settings, check
check("{EASY}", Settings(command="sh " + sys.argv[1] + " {{cnf}}"))
"""


def test_an_external_solver_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script, note = tmp_path / "solver.sh", tmp_path / "pids"
    script.write_text(f"sleep 60 & echo $! $$ > {note}\nwait\n")
    process = start(EXTERNAL, script)
    wait_until(lambda: note.exists() and len(note.read_text().split()) == 2)
    pids = [int(pid) for pid in note.read_text().split()]
    assert all(map(is_running, pids))
    process.kill()
    process.communicate(timeout=SOON)  # children that live on would keep its pipes open
    wait_until(lambda: not any(map(is_running, pids)))


THREADED = """
import sys, threading
from satdoku import Limits, Settings, check
from tests.boards import TOO_HARD
threading.Thread(target=threading.Event().wait, daemon=True).start()
print("asking", flush=True)
try:
    check(TOO_HARD, Settings(solver=sys.argv[1], limits=Limits(timeout=20)))
except KeyboardInterrupt:
    print("stopped", check("1.....2..3.....4").verdict.value, flush=True)
"""


@pytest.mark.parametrize("solver", ["auto", "cadical195", "glucose4"])
def test_ctrl_c_reaches_a_program_with_threads(solver: str) -> None:
    process = start(THREADED, solver)
    assert process.stdout is not None
    assert process.stdout.readline() == b"asking\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (out, process.returncode) == (b"stopped unique\n", 0)


DAEMON = """
from multiprocessing import Pool
from satdoku import Limits, SatdokuError, Settings, check, check_many

def ask_many(count):
    return {str(checked.verdict) for checked in check_many(["1.....2..3.....4"] * count)}

def ask(solver):
    try:
        return check("1.....2..3.....4", Settings(solver=solver, limits=Limits(timeout=5))).verdict
    except SatdokuError as error:
        return error

if __name__ == "__main__":
    with Pool(1) as pool:
        print(*pool.map(ask, ["minicard", "kissat404"]), sep="\\n")
        print(*pool.map(ask_many, [2000]))
"""


CLEANED = """
import multiprocessing, shutil, tempfile
from pathlib import Path
from functools import partial
from satdoku.processes import Child, _make

if multiprocessing.current_process().name != "MainProcess":
    print("imported again")
if __name__ == "__main__":
    for _ in range(2):
        child = Child(_make, ([partial(str, "here")],), (), False, "forkserver")
        print(*child.connection.recv())
        child.end(10)
        for folder in Path(tempfile.gettempdir()).glob("pymp-*"):
            shutil.rmtree(folder)
"""


def test_a_child_is_started_after_temporary_files_were_deleted(tmp_path: Path) -> None:
    """A server that runs for days meets programs that clean up."""
    (tmp_path / "program.py").write_text(CLEANED)
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["here", "here"], done.stderr


def test_a_process_of_ours_may_start_others() -> None:
    """Here workers do, one for each member of a portfolio."""
    result = run_process("check", EASY, HARD, EASY, "--portfolio", "glucose4", "--jobs", "2")
    assert result.code == 0, result


def test_a_daemonic_process_is_told_that_it_may_start_none() -> None:
    process = start(DAEMON)
    out, errors = process.communicate(timeout=30)
    assert b"unique" in out.lower()
    assert b"needs another process, which a daemonic process may not start" in out
    assert b"{'Verdict.UNIQUE'}" in out  # many puzzles are checked in the process alone
    assert errors == b""


def _end_or_answer(owner: int, number: int) -> int:
    if number == 2 and os.getpid() != owner:
        os._exit(1)
    return number


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_what_a_child_does_not_compute_is_computed_here(count: int) -> None:
    calls = [partial(_end_or_answer, os.getpid(), number) for number in range(5)]
    assert map_in_children(calls, count) == list(range(5))


def test_a_time_to_wait_is_one_that_systems_can_count() -> None:
    assert at_most(None) is None
    assert at_most(-1) == 0
    assert at_most(2.5) == 2.5
    longest = at_most(float("inf"))
    assert longest is not None
    assert 86_400 < longest < 2**31 / 1000


def test_readers_of_a_pipe_are_ended_and_nobody_else() -> None:
    reading, writing = os.pipe()
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    reader = subprocess.Popen(sleep, pass_fds=(reading,), start_new_session=True)
    writer = subprocess.Popen(sleep, pass_fds=(writing,), start_new_session=True)
    stranger = subprocess.Popen(sleep, start_new_session=True)
    try:
        kill_readers(os.fstat(reading).st_ino)
        assert reader.wait(60) == -signal.SIGKILL
        assert writer.poll() is None
        assert stranger.poll() is None
    finally:
        for process in (reader, writer, stranger):
            process.kill()
            process.wait()
        os.close(reading)
        os.close(writing)
