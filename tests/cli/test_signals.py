"""Signals at random moments of all commands: none is lost, and none leaves more than a word."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.commands import run, run_process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are other signals"),
]

COMMANDS = {
    "check": "check RULES",
    "check lines": "check LINES",
    "solve": "solve LINES --to grid",
    "count": "count RULES",
    "explain": "explain LINES",
    "hint": "hint LINE",
    "candidates": "candidates LINES",
    "rate": "rate LINES",
    "minimize": "minimize LINES",
    "canonical": "canonical LINES",
    "convert": "convert LINES --to grid",
    "draw": "draw LINES",
    "export": "export LINE",
    "certify": "certify LINES -d FOLDER",
    "generate": "generate -n 100000 --seed 1",
    "bench": "bench LINES",
    # These wait for input that does not come.
    "check input": "check",
    "solve input": "solve --json",
    "rate input": "rate",
}
WITH_JOBS = {"check", "check lines", "count", "rate", "generate", "certify", "check input"}
EACH = 2000 // (len(COMMANDS) + len(WITH_JOBS)) + 1
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("signals")
    lines = run("generate", "-n", 20, "--seed", 1).stdout.split() * 1000
    (folder / "LINES").write_text("\n".join(lines) + "\n")
    (folder / "LINE").write_text(lines[0] + "\n")
    rule = '{"puzzle":"1.....2..3.....4","rules":["odd:r1c1"]}\n'
    (folder / "RULES").write_text(rule * 60_000)
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", COMMANDS)
def test_signals_at_random_times(name: str, jobs: int, folder: Path) -> None:
    if jobs == 2 and name not in WITH_JOBS:
        pytest.skip("it has no jobs")
    at_random = random.Random(f"{name} {jobs}")
    for turn in range(EACH):
        words = COMMANDS[name].replace("FOLDER", f"certificates{turn}").split()
        words += ["-j", str(jobs)] if name in WITH_JOBS else []
        # Two of three come alone; the others are followed by one of any kind within a moment.
        numbers = at_random.choices(list(CODES), k=1 if turn % 3 else 2)
        waits = [at_random.uniform(0.05, 1.0), at_random.expovariate(50)]
        _require_a_clean_end(words, numbers, waits, folder)


@cache
def count_lines(words: tuple[str, ...], at: Path) -> int:
    """How many lines a command writes to its end."""
    ended = run_process(*words, cwd=at)
    assert ended.code == 0
    return ended.stdout.count("\n")


def _require_a_clean_end(
    words: list[str], numbers: list[signal.Signals], waits: list[float], at: Path
) -> None:
    with (
        TemporaryFile() as output,
        subprocess.Popen(
            [sys.executable, "-m", "satdoku", *words],
            cwd=at,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        ) as program,
    ):
        time.sleep(waits[0])
        # A signal before the first line of our code ends the process as Python does it.
        codes = {*(CODES[number] for number in numbers), *(-number for number in numbers)}
        for number, wait in zip(numbers, [0, *waits[1:]], strict=False):
            time.sleep(wait)
            program.send_signal(number)
        try:
            # Not `communicate`, which would close the input.
            program.wait(30)
        except subprocess.TimeoutExpired:
            program.kill()
            pytest.fail(f"lost: {words}, {numbers}, {waits}")
        assert program.stderr is not None
        told = program.stderr.read()
        output.seek(0)
        lines = output.read().count(b"\n")
    if "Fatal Python error: init" in told:
        return  # Python was still setting itself up
    # One that has done all by then, and is about to end, has not lost a signal.
    is_done = program.returncode == 0 and lines == count_lines(tuple(words), at)
    assert is_done or program.returncode in codes, (words, numbers, waits, told)
    assert "Exception ignored" not in told, (words, numbers, waits, told)
    assert "Traceback" not in told or "satdoku" not in told, (words, numbers, waits, told)
