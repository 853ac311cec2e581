"""The progress bar."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from satdoku.cli.screen import screen_width

if TYPE_CHECKING:
    from satdoku.output.meter import Meter
    from satdoku.output.tally import Tally

_SECONDS_BEFORE = 0.5
_SECONDS_BETWEEN = 0.1


class Progress:
    """A line on stderr that is written over; nothing at all unless it is wanted."""

    def __init__(self, is_wanted: bool) -> None:
        self._is_wanted = is_wanted
        self._is_shown = False
        self._meter: Meter | None = None
        self._started = time.monotonic()
        self._last = self._started + _SECONDS_BEFORE - _SECONDS_BETWEEN

    def meter(self, paths: Sequence[str]) -> "Meter | None":
        """What will tell how far the reading of these files is."""
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
        total = self._meter.total if self._meter is not None else None
        line = progress_line(
            tally.total + earlier,
            total,
            now - self._started,
            tally.list_counts(),
            screen_width() - 1,
            earlier,
            is_exact=self._meter is not None and self._meter.is_exact,
        )
        self._write(f"\r{line}\033[K")
        self._is_shown = True

    def clear(self) -> None:
        """Removes the line, so that something else can be said."""
        if self._is_shown:
            self._write("\r\033[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
