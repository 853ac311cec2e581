"""The program where there is nothing that only Linux has, which is how far other systems are tried.

Many people who make puzzles have Windows or a Mac. Here Python loses, in the program and in all of
its children, what these systems have not; no path, no file name and no terminal is tried.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import AMBIGUOUS, EASY, EASY_SOLUTION, HARD, SMALL
from tests.several import run_several

# Python runs a module of this name before any program.
_WITHOUT = """
import os, select, signal, socket, sys

sys.platform = "elsewhere"
for name in ("fork", "forkpty", "killpg", "setpgid", "getpgid", "setsid", "sched_getaffinity",
             "pidfd_open", "nice"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGIO", "pthread_kill", "pthread_sigmask", "pidfd_send_signal",
             "setitimer", "sigwait"):
    if hasattr(signal, name):
        delattr(signal, name)


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "pty", "grp", "pwd"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
select_of_sockets = select.select


def select_without_pipes(*lists):
    for each in lists[:3]:
        if not all(isinstance(one, socket.socket) for one in each):
            raise OSError("an operation was attempted on something that is not a socket")
    return select_of_sockets(*lists)


select.select = select_without_pipes
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "sitecustomize.py").write_text(_WITHOUT)
    return folder


def environment_of(folder: Path) -> dict[str, str]:
    here = str(Path(__file__).parent.parent)
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), here])}


def run_elsewhere(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "satdoku", *map(str, arguments)],
        env=environment_of(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_what_is_taken_away_is_gone(elsewhere: Path) -> None:
    program = "import os, signal; print(hasattr(os, 'fork'), hasattr(signal, 'SIGHUP'))"
    environment = os.environ | {"PYTHONPATH": str(elsewhere)}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.stdout == "False False\n"


COMMANDS = (
    (["check", AMBIGUOUS], 10, "multiple"),
    (["solve", EASY], 0, EASY_SOLUTION),
    (["solve", HARD, "--timeout", "60"], 0, "1"),
    (["solve", SMALL, "--portfolio", "cadical195,glucose4"], 0, "1234341241232341"),
    (["explain", EASY, "--brief"], 0, "Exactly one solution"),
    (["hint", EASY], 0, "look at"),
    (["generate", "-n", "2", "--seed", "1"], 0, "."),
    (["minimize", EASY], 0, "."),
    (["rate", EASY], 0, "easy"),
    (["draw", EASY], 0, "<svg"),
)


def test_commands(elsewhere: Path) -> None:
    commands = [command for command, _, _ in COMMANDS]
    done = run_several(commands, elsewhere, environment_of(elsewhere), flags=["-W", "error"])
    for ran, (command, code, words) in zip(done, COMMANDS, strict=True):
        assert (ran.code, ran.stderr) == (code, ""), command
        assert words in ran.stdout, command


def test_certificates(elsewhere: Path) -> None:
    assert run_elsewhere(elsewhere, "certify", "-q", EASY, "-d", "proofs").returncode == 0
    ran = run_elsewhere(elsewhere, "verify", "proofs")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_bank_with_two_jobs(elsewhere: Path) -> None:
    (elsewhere / "bank.txt").write_text(f"{EASY}\n" * 3000 + f"{AMBIGUOUS}\n")
    ran = run_elsewhere(elsewhere, "check", "bank.txt", "--jobs", "2", "-q", "-o", "answers.txt")
    assert (ran.returncode, ran.stderr) == (10, "")
    answers = (elsewhere / "answers.txt").read_text().splitlines()
    assert answers[:3000] == ["unique"] * 3000
    assert answers[3000].startswith("multiple")
