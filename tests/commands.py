"""Running the command line, inside this process or as a program of its own."""

import io
import os
import shutil
import subprocess
import sys
import traceback
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple

import pytest

import satdoku
from satdoku.__main__ import main
from satdoku.cli.main import run as run_command
from satdoku.files import ESCAPED

SATDOKU = [sys.executable, "-m", "satdoku"]

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
CLASHING = "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
IMPOSSIBLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
SMALL, SMALL_SOLUTION = "..3..4.24..3..4.", "1234341241232341"
AMBIGUOUS = "1" + "." * 15


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def lines(self) -> list[str]:
        return self.stdout.splitlines()


def run(*arguments: object, stdin: str | bytes = "") -> Result:
    """Runs `satdoku ARGUMENTS` in this process, without a terminal.

    With one processor, so that no workers start but where `--jobs` asks for them.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", ESCAPED, newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("satdoku.batch.run.available_processors", lambda: 1)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        code = run_command([str(argument) for argument in arguments])
    return Result(int(code), _written_to(out), _written_to(err))


def run_process(*arguments: object, stdin: str = "", cwd: Path | None = None) -> Result:
    """Runs `satdoku ARGUMENTS` as a program of its own, in pipes."""
    done = subprocess.run(
        [*SATDOKU, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=60,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def start(
    *arguments: object, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[Any]:
    """Starts `satdoku ARGUMENTS`; the options are those of `subprocess.Popen`.

    On Linux it is a copy of this process, with streams, signals and an end of its own: everything
    is imported, which takes a new program most of its time. What is about a new program, such as
    its order of hashes or what it imports, needs `run_process`.
    """
    command = [*SATDOKU, *map(str, arguments)]
    if sys.platform != "linux":
        return subprocess.Popen(command, env=env, **options)
    _import_everything()
    # It never comes back from that, so no program takes its place.
    become = partial(_become_satdoku, command[2:], dict(os.environ if env is None else env))
    return subprocess.Popen(command, preexec_fn=become, restore_signals=False, **options)


@cache
def _import_everything() -> None:
    """Imports what a command imports late, which each copy of this process would import again."""
    for module in walk_packages(satdoku.__path__, "satdoku."):
        # The rest of the modules needs packages that may be missing.
        with suppress(ImportError):
            import_module(module.name)


def _become_satdoku(command: list[str], env: dict[str, str]) -> None:
    """Goes on as the program does that has just begun, in a process that has its streams."""
    try:
        # With them goes the pipe through which `subprocess` would hear of a failure.
        os.closerange(3, 1 << 16)
        name = env.get("PYTHONIOENCODING")
        stderr = os.fdopen(2, "w", encoding=name, buffering=1, errors="backslashreplace")
        streams = os.fdopen(0, encoding=name), os.fdopen(1, "w", encoding=name), stderr
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.unraisablehook = sys.__unraisablehook__
        warnings.simplefilter("ignore")
        os.environ.clear()
        os.environ.update(env)
        sys.argv = command
        main()
    finally:
        # Nobody is to go on in it with the tests; `main` ends by itself.
        traceback.print_exc()
        os._exit(255)


def require_failure(result: Result, *words: str, code: int = 1) -> None:
    """One sentence on stderr with the words in it, and no traceback."""
    assert result.code == code, result
    assert "Traceback" not in result.stderr, result.stderr
    assert all(word in result.stderr for word in words), result.stderr
    if code != 2:
        assert len(result.stderr.splitlines()) == 1, result.stderr


def require_program(name: str) -> str:
    """Skips the test where a program is missing."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"the program {name} is not on the PATH")
    return path


def _written_to(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()
