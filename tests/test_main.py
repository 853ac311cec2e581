"""The program ends with a word and an exit code, however early it is interrupted."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

# Python asks this finder first, and so the signal comes while the program is being imported.
_PROGRAM = """
import os, signal, sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), {number})

signal.signal(signal.SIGINT, {earlier})
sys.meta_path.insert(0, Interrupter())
sys.modules.pop("typing", None)
sys.argv = ["satdoku", "--version"]
from satdoku.__main__ import main
main()
"""


def run_interrupted(
    number: int,
    earlier: str = "signal.default_int_handler",
    module: str = "satdoku.cli.main",
) -> tuple[int, str]:
    program = _PROGRAM.format(number=int(number), earlier=earlier, module=module)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_signal_during_the_imports_ends_the_program(number: int, code: int, word: str) -> None:
    assert run_interrupted(number) == (code, f"\nsatdoku: {word}\n")


def test_nothing_that_takes_long_is_imported_before_signals_are_answered() -> None:
    """The package imported `typing` first: three milliseconds in which Ctrl-C was a traceback."""
    assert run_interrupted(signal.SIGINT, module="typing") == (130, "\nsatdoku: interrupted\n")


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As nohup, or a shell that starts the program in the background, has it."""
    assert run_interrupted(signal.SIGINT, "signal.SIG_IGN") == (0, "")


# A signal at each hundredth deletion of a solver, until one ends the program.
_DELETING = """
import os, pysolvers, sys

delete, count = pysolvers.minicard_del, 0

def delete_and_meet(solver):
    global count
    delete(solver)
    count += 1
    if count % 100 == 0:
        os.kill(os.getpid(), {number})

pysolvers.minicard_del = delete_and_meet
sys.argv = ["satdoku", "check", "-q", "-j", "1", sys.argv[1]]
from satdoku.__main__ import main
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_a_solver_is_deleted_ends_the_program(
    number: int, code: int, tmp_path: Path
) -> None:
    """Raised there, it was lost, or the solver was deleted twice and the process died of it."""
    puzzles = tmp_path / "rules.jsonl"
    puzzles.write_text('{"puzzle":"1.....2..3.....4","rules":["odd:r1c1"]}\n' * 2000)
    program = _DELETING.format(number=int(number))
    ran = subprocess.run([sys.executable, "-c", program, puzzles], capture_output=True, text=True)
    word = "interrupted" if code == 130 else "terminated"
    assert (ran.returncode, ran.stderr.split()[-1]) == (code, word)
    assert "Exception" not in ran.stderr
    assert "Traceback" not in ran.stderr
