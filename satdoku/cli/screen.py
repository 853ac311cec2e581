"""What the terminal is like."""

import os
import shutil
import sys
from typing import IO

from satdoku.reporting.task import Screen


def is_screen(output: str | None) -> bool:
    """Whether answers go to a person's terminal."""
    return output is None and sys.stdout.isatty()


def find_screen(output: str | None) -> Screen | None:
    """The terminal that answers go to, if they do."""
    return Screen(wants_colour(), screen_width()) if is_screen(output) else None


def wants_colour(stream: IO[str] | None = None) -> bool:
    """Whether to use colours: on a terminal, unless NO_COLOR is set or it is a dumb one."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def screen_width() -> int:
    """How many characters fit side by side."""
    return shutil.get_terminal_size().columns
