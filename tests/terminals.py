"""Running the command line in a pseudo-terminal, as a person sees it."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Mapping
from typing import NamedTuple

from tests.commands import start


class Seen(NamedTuple):
    """What came to the screen, line ends as in a file, and the exit code."""

    code: int
    screen: str


def run_in_terminal(
    *arguments: object,
    typed: str = "",
    columns: int = 80,
    pipes: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Seen:
    """Runs `satdoku ARGUMENTS` with a terminal for all streams but those in `pipes`.

    What is `typed` comes from the keyboard; Ctrl-D follows it.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    streams = {
        name: subprocess.DEVNULL if name in pipes else theirs
        for name in ("stdin", "stdout", "stderr")
    }
    process = start(
        *arguments,
        env=inherited | {"TERM": "xterm"} | dict(environment or {}),
        start_new_session=True,
        **streams,
    )
    os.close(theirs)
    if typed:
        os.write(ours, typed.encode() + b"\x04")
    screen = _read_all(ours)
    os.close(ours)
    return Seen(process.wait(60), screen.replace("\r\n", "\n"))


def _read_all(terminal: int) -> str:
    parts = []
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when nobody is left at the other side
            break
        if not data:
            break
        parts.append(data)
    return b"".join(parts).decode()
