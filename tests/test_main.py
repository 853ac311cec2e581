"""The program ends with a word and an exit code, however early it is interrupted."""

import signal
import subprocess
import sys

import pytest

# Python asks this finder first, and so the signal comes while the program is being imported.
_PROGRAM = """
import os, signal, sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == "satdoku.cli.main":
            os.kill(os.getpid(), {number})

signal.signal(signal.SIGINT, {earlier})
sys.meta_path.insert(0, Interrupter())
sys.argv = ["satdoku", "--version"]
from satdoku.__main__ import main
main()
"""


def run_interrupted(number: int, earlier: str = "signal.default_int_handler") -> tuple[int, str]:
    program = _PROGRAM.format(number=int(number), earlier=earlier)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_signal_during_the_imports_ends_the_program(number: int, code: int, word: str) -> None:
    assert run_interrupted(number) == (code, f"\nsatdoku: {word}\n")


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As nohup, or a shell that starts the program in the background, has it."""
    assert run_interrupted(signal.SIGINT, "signal.SIG_IGN") == (0, "")
