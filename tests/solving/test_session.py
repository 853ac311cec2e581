import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from satdoku.solving.solvers import AUTOMATIC
from tests.solvers import INSTALLED
from tests.waiting import SOON

PROGRAM = """
import sys
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings
from tests.boards import TOO_HARD
for _ in range(2):
    print("asking", flush=True)
    try:
        check(TOO_HARD, Settings(solver=sys.argv[1]))
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.parametrize(
    "solver",
    [
        *(AUTOMATIC, "cadical195", "lingeling"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in INSTALLED),
    ],
)
def test_ctrl_c_stops_every_solver_at_once_and_again_the_next_time(solver: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, solver],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            for _ in range(2):
                assert process.stdout.readline() == "asking\n"
                time.sleep(0.5)
                started = time.perf_counter()
                process.send_signal(signal.SIGINT)
                assert process.stdout.readline() == "stopped\n"
                assert time.perf_counter() - started < SOON
            assert process.wait(timeout=SOON) == 0
        finally:
            process.kill()
