"""Several commands in one new program, where each would be a program that imports everything."""

import io
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from satdoku.cli.main import run


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str


def run_several(
    commands: Sequence[Sequence[object]],
    folder: Path,
    environment: Mapping[str, str],
    stdin: str = "",
    flags: Sequence[str] = (),
) -> list[Done]:
    """Run commands one after the other, each with the same text to read, in a program of theirs."""
    words = [[str(word) for word in command] for command in commands]
    ran = subprocess.run(
        [sys.executable, *flags, "-m", "tests.several"],
        input=json.dumps({"commands": words, "stdin": stdin}),
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return [Done(*each) for each in json.loads(ran.stdout)]


def _run_here(command: list[str], stdin: str) -> Done:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        code = int(run(command))
    written = []
    for stream in (out, err):
        stream.seek(0)
        written.append(stream.read())
    return Done(code, *written)


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    done = [_run_here(command, asked["stdin"]) for command in asked["commands"]]
    print(json.dumps(done))
