"""What a person at a terminal sees: what it can show, messages on stderr, and the progress bar."""

import os
import shutil
import sys
import time
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

import click

from satdoku.errors import SatdokuError
from satdoku.render.screen import Screen

if TYPE_CHECKING:
    from satdoku.output.meter import Meter
    from satdoku.output.tally import Tally

# A bar that shows for a moment would only flicker.
_SECONDS_BEFORE = 0.5
# Drawn more often, it would be read no better, and slow the run down.
_SECONDS_BETWEEN = 0.1


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


class Progress:
    """A line on stderr that is written over; nothing at all unless it is wanted."""

    def __init__(self, is_wanted: bool, seconds_before: float = _SECONDS_BEFORE) -> None:
        self._is_wanted = is_wanted
        self._is_shown = False
        self._process = os.getpid()
        self._meter: Meter | None = None
        self._expected: int | None = None
        self._started = time.monotonic()
        self._seconds_before = seconds_before
        self._last = self._started + seconds_before - _SECONDS_BETWEEN

    def expect(self, total: int) -> None:
        """Says how many answers there will be, where no file has to be read to know."""
        self._expected = total

    def meter(self, paths: Sequence[str]) -> "Meter | None":
        """What will know how far the reading of these files is."""
        if paths:
            from pathlib import Path

            from satdoku.output.meter import Meter

            self._meter = Meter(map(Path, paths))
        return self._meter

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def show(self, tally: "Tally", earlier: int) -> None:
        """Draws the line anew, unless that was done a moment ago."""
        now = time.monotonic()
        if not self._is_wanted or now - self._last < _SECONDS_BETWEEN:
            return
        from satdoku.output.progress import progress_line

        self._last = now
        total = self._expected if self._meter is None else self._meter.total
        line = progress_line(
            tally.total + earlier,
            total,
            now - self._started,
            tally.list_counts(),
            screen_width() - 1,
            earlier,
            is_exact=self._meter is None or self._meter.is_exact,
        )
        self._write(f"\r{line}\033[K")
        self._is_shown = True

    def show_work(self, what: str) -> None:
        """Says what is going on where a puzzle takes long, until the line is drawn anew.

        Not before the bar itself would be shown, and not in a worker, which has a copy of this.
        """
        has_waited = time.monotonic() - self._started >= self._seconds_before
        if self._is_wanted and has_waited and os.getpid() == self._process:
            self._write(f"\r{what}\033[K")
            self._is_shown = True

    def clear(self) -> None:
        """Removes the line, so that something else can be said."""
        if self._is_shown:
            self._write("\r\033[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class Talk:
    """Messages for people; remembers whether something was refused."""

    def __init__(self, is_quiet: bool = False, progress: Progress | None = None) -> None:
        self.is_quiet = is_quiet
        self.has_refused = False
        self._progress = progress

    def say(self, message: str) -> None:
        """Something that a person may want to know."""
        if self._progress is not None:
            self._progress.clear()
        if not self.is_quiet:
            click.echo(message, err=True)

    def say_if_any(self, message: str) -> None:
        """The same, where there is something to say."""
        if message:
            self.say(message)

    def refuse(self, error: SatdokuError) -> None:
        """Something that could not be read or done; the run goes on without it."""
        self.has_refused = True
        self.say(str(error))
