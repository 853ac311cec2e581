"""The program where there is nothing that only Linux has, which is how far other systems are tried.

Many people who make puzzles have Windows or a Mac. Here Python loses, in the program and in all of
its children, what these systems have not; no path, no file name and no terminal is tried.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from satdoku.cli.main import satdoku as group
from tests.commands import AMBIGUOUS, EASY, SMALL, SMALL_SOLUTION, run
from tests.each import for_each

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
        # click has its own way where there is no `termios`.
        if name in ("fcntl", "resource", "pty", "grp", "pwd"):
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
    (folder / "puzzle.txt").write_text(f"{SMALL}\n")
    (folder / "solution.txt").write_text(f"{SMALL_SOLUTION}\n")
    run("export", SMALL, "-o", folder / "formula.cnf")
    digits = enumerate(SMALL_SOLUTION)
    model = " ".join(str(4 * cell + int(digit)) for cell, digit in digits)
    (folder / "model.txt").write_text(f"s SATISFIABLE\nv {model} 0\n")
    return folder


def run_elsewhere(
    folder: Path, *arguments: object, program: Sequence[str] = ("-m", "satdoku")
) -> subprocess.CompletedProcess[str]:
    here = str(Path(__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-W", "error", *program, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), here])},
        stdin=subprocess.DEVNULL,
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


# Each command once: what it is given besides its name, and its exit code.
COMMANDS: dict[str, tuple[list[str], int]] = {
    "solve": ([SMALL, "--portfolio", "cadical195,glucose4"], 0),
    "check": ([AMBIGUOUS], 10),
    "count": ([AMBIGUOUS], 0),
    "explain": ([EASY], 0),
    "hint": (["--technique", "naked-pair", EASY], 0),
    "teach": (["full-house", SMALL], 0),
    "candidates": ([AMBIGUOUS], 10),
    "grade": (["puzzle.txt", "solution.txt"], 0),
    "judge": (["puzzle.txt", "solution.txt"], 0),
    "rate": ([EASY], 0),
    "minimize": ([EASY], 0),
    "narrow": ([AMBIGUOUS], 0),
    "canonical": ([EASY], 0),
    "augment": ([EASY], 0),
    "split": (["puzzle.txt", "-o", "train.txt", "--test-output", "test.txt"], 0),
    "convert": ([EASY, "--to", "grid"], 0),
    "draw": (["--text", EASY, "--rule", "thermo:r1c3,r2c3"], 0),
    "export": ([SMALL], 0),
    "decode": (["formula.cnf", "model.txt"], 0),
    "certify": (["-q", SMALL, "-d", "proofs"], 0),
    "verify": (["proofs"], 0),
    "generate": (["-n", "2", "--seed", "1"], 0),
    "serve": (["--help"], 0),
    "mcp": ([], 0),
    "bench": ([SMALL, "--solver", "minicard", "-q"], 0),
    "encodings": (["--size", "4"], 0),
    "rules": (["--all"], 0),
    "cage": (["15", "3", "-q"], 0),
    "completion": (["--shell", "zsh"], 0),
    "examples": (["examples", "-q"], 0),
    "solvers": ([], 0),
}


def test_every_command_is_among_them() -> None:
    assert set(COMMANDS) == set(group.list_commands(group.make_context("satdoku", ["solve"])))


# All in one process, since to start one takes longer than most commands.
_ALL = """
import io, json, sys
from satdoku.cli.main import run
from satdoku.cli.terminal import made_safe

for arguments in json.loads(sys.argv[1]):
    streams = [io.TextIOWrapper(io.BytesIO(), "cp1252") for _ in range(2)]
    sys.stdout, sys.stderr = map(made_safe, streams)
    code = run(arguments)
    texts = []
    for stream in streams:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("cp1252"))
    print(json.dumps([code, *texts]), file=sys.__stdout__)
"""


def test_every_command(elsewhere: Path) -> None:
    """Consoles there may lack signs: what is printed has ASCII in their place, and no escape."""
    runs = [[name, *given] for name, (given, _) in COMMANDS.items()]
    done = run_elsewhere(elsewhere, json.dumps(runs), program=["-c", _ALL])
    assert done.stderr == ""
    found = map(json.loads, done.stdout.splitlines())
    for (name, (given, code)), (ended, out, err) in zip(COMMANDS.items(), found, strict=True):
        assert (ended, name) == (code, name), err
        assert out or "-q" in given or name in ("mcp", "split"), name
        assert out.isascii(), name
        assert "\\u" not in out, name


def test_certificates(elsewhere: Path) -> None:
    assert run_elsewhere(elsewhere, "certify", "-q", EASY, "-d", "further").returncode == 0
    ran = run_elsewhere(elsewhere, "verify", "further")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_bank_with_two_jobs(elsewhere: Path) -> None:
    (elsewhere / "bank.txt").write_text(f"{EASY}\n" * 3000 + f"{AMBIGUOUS}\n")
    ran = run_elsewhere(elsewhere, "check", "bank.txt", "--jobs", "2", "-q", "-o", "answers.txt")
    assert (ran.returncode, ran.stderr) == (10, "")
    answers = (elsewhere / "answers.txt").read_text().splitlines()
    assert answers[:3000] == ["unique"] * 3000
    assert answers[3000].startswith("multiple")


@for_each("options", [[], ["--csv"], ["--force"], ["--rejects", "bad.txt"]])
def test_no_open_file_is_moved(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses that, here `Path.replace` does."""
    replace = Path.replace

    def replace_closed(self: Path, target: Path) -> Path:
        held = Path("/proc/self/fd").iterdir()
        if any(each.exists() and os.path.samefile(each, self) for each in held):
            raise PermissionError(13, "The process cannot access the file", str(self))
        return replace(self, target)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "replace", replace_closed)
    windows = SimpleNamespace(platform="win32")
    monkeypatch.setattr("satdoku.answering.output.open_file.sys", windows)
    if "--force" in options:
        Path("answers.txt").write_text("old\n")
    ran = run("check", SMALL, AMBIGUOUS, "-o", "answers.txt", *options)
    assert ran.code == 10, ran.stderr
    assert "unique" in Path("answers.txt").read_text()
