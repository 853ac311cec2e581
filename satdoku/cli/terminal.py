"""What a person at a terminal sees: what it can show, messages on stderr, and the progress bar."""

import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from satdoku.answering.output.ending import Ending
from satdoku.answering.output.progress import Meter, Said, progress_line
from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.errors import LateError, PlacedError, SatdokuError
from satdoku.files import as_path
from satdoku.picture import Screen

if TYPE_CHECKING:
    from satdoku.answering.output.ending import Tally
    from satdoku.batch.row import Row

# A bar that shows for a moment would only flicker.
_SECONDS_BEFORE = 0.5
# Who waits that long in a pipe is told why; then when twice as much has passed, so a day of waiting
# is a dozen lines in a log.
_SECONDS_QUIET = 10.0
# Drawn more often, it would be read no better, and slow the run down.
_SECONDS_BETWEEN = 0.1


# Control characters: C0 but tab and line ends, DEL, and C1, which some terminals obey too.
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
# What we write ourselves: colours, the rest of a line cleared, the cursor hidden and shown.
_OURS = r"\x1b\[(?:[0-9;]*m|K|\?25[lh])"
_HARMFUL = f"({_OURS})|{_CONTROL}"


class ScreenText(TextIOWrapper):
    r"""A stream to a terminal, which hears no control characters but those that we write ourselves.

    Names and comments in puzzles, names of files and columns may hold anything. A terminal that met
    such a control character would do as it says: move the cursor, change its title, paste.

    >>> ScreenText.shown("a\x1b]0;title\x07b")
    'a\\x1b]0;title\\x07b'
    """

    def write(self, text: str, /) -> int:
        super().write(self.shown(text))
        return len(text)

    @staticmethod
    def shown(text: str) -> str:
        """The text with harmful characters in the way in which Python writes them in quotes."""
        return re.sub(_HARMFUL, lambda found: found[1] or repr(found[0])[1:-1], text)


def made_safe(stream: Any, errors: str) -> Any:
    """The stream, as a `ScreenText` where it leads to a terminal.

    `errors` says how characters are written that its encoding has not, as in `open`.
    """
    if not isinstance(stream, TextIOWrapper):
        return stream
    stream.reconfigure(errors=errors)
    if not stream.isatty():
        return stream
    stream.flush()
    return ScreenText(stream.buffer, stream.encoding, errors, line_buffering=True)


def is_screen(output: str | None) -> bool:
    """Whether answers go to a person's terminal."""
    return output is None and sys.stdout.isatty()


def is_pipe(output: str | None) -> bool:
    """Whether another program reads the answers."""
    if output is not None:
        return False
    try:
        mode = os.fstat(sys.stdout.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def find_screen(output: str | None) -> Screen | None:
    """The terminal that answers go to, if they do."""
    return Screen(wants_colour(), screen_width(), is_ascii()) if is_screen(output) else None


def wants_colour() -> bool:
    """Whether to use colours: on a terminal, unless NO_COLOR is set or it is a dumb one."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def screen_width() -> int:
    """How many characters fit side by side."""
    from shutil import get_terminal_size  # slow to import, and only a screen has a width

    return get_terminal_size().columns


def is_ascii() -> bool:
    """Whether the output cannot show the signs that are used beyond ASCII."""
    try:
        # One of each kind: for what a cell does not hold, and for lines between regions.
        "≠┌╵".encode(sys.stdout.encoding or "ascii")  # a stream in memory has no encoding
    except UnicodeEncodeError:
        return True
    return False


class ProgressLine:
    """A line on stderr that is written over; nothing at all unless it is wanted.

    Where that is no screen, lines of their own may say seldom what is worth a line (`is_told`).
    """

    def __init__(
        self,
        is_wanted: bool,
        seconds_before: float = _SECONDS_BEFORE,
        seconds_between: float = _SECONDS_BETWEEN,
        is_told: bool = False,
        seconds_quiet: float = _SECONDS_QUIET,
    ) -> None:
        self._is_wanted = is_wanted
        self._is_told = is_told
        self._seconds_quiet = seconds_quiet
        self._seconds_between = seconds_between
        self._is_shown = False
        self._process = os.getpid()
        self._meter: Meter | None = None
        self._expected: int | None = None
        self._started = time.monotonic()
        # The first line is due after `seconds_before`, not after the pause between two lines.
        self._last = self._started + seconds_before - seconds_between

    def expect(self, total: int) -> None:
        """Says how many answers there will be, where no file has to be read to know."""
        self._expected = total

    def meter(self, paths: Sequence[str]) -> Meter | None:
        """A meter that is to be told how far these files are read; None if there are none."""
        if paths:
            self._meter = Meter(map(as_path, paths))
        return self._meter

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def show(self, tally: "Tally", earlier: int) -> None:
        """Draws the line anew, unless that was done a moment ago."""
        now = time.monotonic()
        if not self._is_wanted or now - self._last < self._seconds_between:
            return
        self._last = now
        total = self._expected if self._meter is None else self._meter.total
        line = progress_line(
            tally.total + earlier,
            total,
            now - self._started,
            tally.list_counts(),
            screen_width() - 1,  # a full line would move some terminals to the next one
            earlier,
            is_exact=self._meter is None or self._meter.is_exact,
        )
        # \033[K clears what is left of a longer line that stood there.
        self._write(f"\r{line}\033[K")
        self._is_shown = True

    def show_work(self, what: str) -> None:
        """Says what is going on where a puzzle takes long, until the line is drawn anew.

        Nothing if something was shown a moment ago, and nothing in a worker, which has a copy of
        this.
        """
        now = time.monotonic()
        if self._is_wanted and now - self._last >= self._seconds_between:
            if os.getpid() == self._process:
                self._write(f"\r{what[: screen_width() - 1]}\033[K")
                self._is_shown = True
            self._last = now

    def tell_work(self, what: str) -> None:
        """The same, which is told where stderr is no screen too: there by a line of its own."""
        self.show_work(what)
        passed = self.seconds
        if self._is_told and passed >= self._seconds_quiet and os.getpid() == self._process:
            self._seconds_quiet = 2 * passed
            self._write(f"{what}\n")

    def clear(self) -> None:
        """Removes the line, so that something else can be said."""
        if self._is_shown:
            self._write("\r\033[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class Talk:
    """Messages for people; remembers what of the exit code comes from what was refused.

    What was said before about another place is counted, and said once more at the end; not so if a
    person `is_waiting` for each answer. Nothing but errors that concern whole inputs is said if it
    `is_quiet`.
    """

    def __init__(
        self, is_quiet: bool = False, progress: ProgressLine | None = None, is_waiting: bool = False
    ) -> None:
        self.is_quiet = is_quiet
        self.refused: set[ExitCode] = set()
        self._progress = progress
        self._said = {is_error: Said() for is_error in (True, False)}
        self._is_waiting = is_waiting
        context = click.get_current_context(silent=True)
        if context is not None:
            # A command that ends with an error has counted messages too.
            context.call_on_close(self.say_repeated)

    def say(self, message: str) -> None:
        """Something that a person may want to know."""
        if not self.is_quiet:
            self._write(message)

    def tell(self, message: str, place: str = "", is_error: bool = False) -> None:
        """Something about what stands at a place of the input."""
        if place and not self._is_waiting and self._is_repeated(message, place, is_error):
            return
        line = f"{place}: {message}" if place else message
        self.say(error_line(line) if is_error else line)

    def tell_of(self, row: "Row") -> None:
        """The message of a row, if it has one; it is an error where the record is to blame."""
        if row.message:
            message = row.message.removeprefix(f"{row.place}: ")
            self.tell(message, row.place, row.ending in (Ending.UNREADABLE, Ending.FAILED))

    def say_if_any(self, message: str) -> None:
        """Says the message, unless it is empty."""
        if message:
            self.say(message)

    def refuse(self, error: SatdokuError) -> None:
        """Something that could not be read or done; the run goes on without it."""
        is_late = isinstance(error, LateError)
        self.refused.add(ExitCode.UNDECIDED if is_late else ExitCode.FAILED)
        if isinstance(error, PlacedError):
            self.tell(error.message, error.place, is_error=True)
        else:
            self._write(error_line(str(error)))

    def code_with(self, codes: Iterable[ExitCode] = ()) -> ExitCode:
        """The code of a run whose answers got these codes, with what was refused."""
        return gravest([*codes, *self.refused])

    def say_repeated(self) -> None:
        """Says how often, and where, there was more of what was said once."""
        for is_error, said in self._said.items():
            for line in said.take_summary():
                self.say(error_line(line) if is_error else line)

    def _is_repeated(self, message: str, place: str, is_error: bool) -> bool:
        return self._said[is_error].is_repeated(message, place, has_details=is_error)

    def _write(self, line: str) -> None:
        if self._progress is not None:
            self._progress.clear()
        click.echo(line, err=True)


def error_line(message: str) -> str:
    """An error as every command says it."""
    return f"satdoku: {message}"


def say_error(message: str) -> None:
    """Says an error that ends a command."""
    click.echo(error_line(message), err=True)
