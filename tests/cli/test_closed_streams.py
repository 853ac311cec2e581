"""Programs may be started without stdin, stdout or stderr."""

import subprocess
import sys

import pytest

from tests.commands import SMALL


@pytest.mark.skipif(sys.platform == "win32", reason="shells close streams elsewhere")
@pytest.mark.parametrize(
    ("closed", "code", "words"),
    [
        ("<&-", 1, "stdin: no puzzle found (a puzzle has a character for every cell)"),
        (">&-", 1, "the output cannot be written: Bad file descriptor"),
        (">&- -o /dev/null", 0, ""),
        ("2>&-", 0, ""),
    ],
)
def test_closed_streams_are_no_traceback(closed: str, code: int, words: str) -> None:
    puzzle = "-" if closed == "<&-" else SMALL
    command = f'"{sys.executable}" -m satdoku solve {puzzle} {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr == (f"satdoku: {words}\n" if words else "")
