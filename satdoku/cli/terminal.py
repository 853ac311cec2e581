"""Output for a person at a terminal: its abilities, messages on stderr, the progress bar."""

import codecs
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from typing import Any

import click

from satdoku.answering.output.ending import Ending, Tally
from satdoku.answering.output.progress import Meter, Said, progress_line
from satdoku.batch.row import Row
from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.errors import LateError, PlacedError, SatdokuError
from satdoku.files import ESCAPED, as_path, raw_bytes
from satdoku.picture import PLAIN, Screen

END_OF_INPUT = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"

NARROW = 50
"""Fewer characters than this are a narrow terminal."""

# A bar that is shown for a moment only flickers.
_SECONDS_BEFORE = 0.5
# Without a terminal, work that takes this long is reported on a line, and again whenever the time
# has doubled, so that a day of waiting is a dozen lines in a log.
_SECONDS_QUIET = 10.0
# More frequent updates are not easier to read, and slow the run down.
_SECONDS_BETWEEN = 0.1


# Control characters: C0 except tab and line ends, DEL, and C1, which some terminals obey too.
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
# The escape sequences that satdoku writes: colours, clear to the end of the line, hide and show the
# cursor.
_OURS = r"\x1b\[(?:[0-9;]*m|K|\?25[lh])"
_HARMFUL = f"({_OURS})|{_CONTROL}"


class ScreenText(TextIOWrapper):
    r"""A stream to a terminal that escapes all control sequences except our own.

    Names and comments in puzzles, file names and column names may contain anything. A terminal
    would obey control sequences in them: move the cursor, change its title, paste text.

    >>> ScreenText.shown("a\x1b]0;title\x07b")
    'a\\x1b]0;title\\x07b'
    """

    def write(self, text: str, /) -> int:
        super().write(self.shown(text))
        return len(text)

    @staticmethod
    def shown(text: str) -> str:
        """Return the text with harmful characters escaped as in Python's string literals."""
        return re.sub(_HARMFUL, lambda found: found[1] or repr(found[0])[1:-1], text)


_PLAINLY = "satdoku.plainly"


def _write_plainly(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for characters that an encoding lacks: `!=` for the sign, else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(PLAIN)
    return lacking.encode("ascii", ESCAPED).decode(), error.end


# A terminal might obey a byte that is no UTF-8, but a file or a pipe gets it unchanged.
_RAW = "satdoku.raw"
codecs.register_error(_PLAINLY, _write_plainly)
codecs.register_error(_RAW, lambda error: raw_bytes(error) or _write_plainly(error))


def made_safe(stream: Any) -> Any:
    """Return the stream, wrapped in a `ScreenText` if it leads to a terminal.

    Lines end in a line feed on every system, and what its encoding lacks is written in ASCII.
    """
    if not isinstance(stream, TextIOWrapper):
        return stream
    stream.reconfigure(errors=_RAW, newline="\n")
    if not stream.isatty():
        return stream
    stream.flush()
    return ScreenText(stream.buffer, stream.encoding, _PLAINLY, "\n", line_buffering=True)


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
    """Return the terminal that answers go to; None if they go elsewhere."""
    return Screen(wants_colour(), screen_width(), is_ascii()) if is_screen(output) else None


def wants_colour() -> bool:
    """Whether to use colours: on a terminal, unless NO_COLOR is set or it is a dumb one.

    Of the consoles of Windows, only newer ones obey escape sequences; they set a variable.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if sys.platform == "win32" and not any(name in os.environ for name in _OBEDIENT):
        return False
    return sys.stdout.isatty()


_OBEDIENT = ("WT_SESSION", "TERM", "ANSICON", "ConEmuANSI")


def fit_help(formatter: click.HelpFormatter) -> click.HelpFormatter:
    """Return a formatter that fits a narrow terminal, which click's own does not."""
    if screen_width() < NARROW:
        formatter.width = max(screen_width() - 2, NARROW // 2)
    return formatter


def screen_width() -> int:
    """Return the width of the terminal in characters."""
    from shutil import get_terminal_size  # slow to import, and only a screen has a width

    return get_terminal_size().columns


def is_ascii() -> bool:
    """Whether the output lacks the non-ASCII characters that satdoku uses."""
    try:
        # One of each kind: the sign for "not equal", and lines between regions.
        "≠┌╵".encode(sys.stdout.encoding or "ascii")  # a stream in memory has no encoding
    except UnicodeEncodeError:
        return True
    return False


class ProgressLine:
    """A progress line on stderr that is overwritten in place; no-op unless it is wanted.

    If stderr is not a terminal, `is_told` allows rare messages on lines of their own.
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
        # The first line is due after `seconds_before`, not after the interval between two lines.
        self._last = self._started + seconds_before - seconds_between

    def expect(self, total: int) -> None:
        """Set the number of answers, if it is known without reading a file."""
        self._expected = total

    def meter(self, paths: Sequence[str]) -> Meter | None:
        """Return a meter for the progress in these files; None if there are none."""
        if paths:
            self._meter = Meter(map(as_path, paths))
        return self._meter

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def show(self, tally: Tally, earlier: int) -> None:
        """Redraw the line, unless it was drawn a moment ago."""
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
            screen_width() - 1,  # a full line would wrap on some terminals
            earlier,
            is_exact=self._meter is None or self._meter.is_exact,
        )
        # \033[K clears the rest of a longer line.
        self._write(f"\r{line}\033[K")
        self._is_shown = True

    def show_work(self, what: str) -> None:
        """Show what happens during a long puzzle, until the line is redrawn.

        No-op if something was shown a moment ago, and in a worker, which has only a copy.
        """
        now = time.monotonic()
        if self._is_wanted and now - self._last >= self._seconds_between:
            if os.getpid() == self._process:
                self._write(f"\r{what[: screen_width() - 1]}\033[K")
                self._is_shown = True
            self._last = now

    def tell_work(self, what: str) -> None:
        """Like `show_work`, but also if stderr is not a terminal: there on a line of its own."""
        self.show_work(what)
        passed = self.seconds
        if self._is_told and passed >= self._seconds_quiet and os.getpid() == self._process:
            self._seconds_quiet = 2 * passed
            self._write(f"{what}\n")

    def clear(self) -> None:
        """Erase the line, so that a message can be printed."""
        if self._is_shown:
            self._write("\r\033[K")
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class Talk:
    """Messages for people; remembers refused input for the exit code.

    A message that was printed for another place is only counted, and summarized at the end, unless
    a person `is_waiting` for each answer. With `is_quiet`, only errors about whole inputs are
    printed.
    """

    def __init__(
        self, is_quiet: bool = False, progress: ProgressLine | None = None, is_waiting: bool = False
    ) -> None:
        self.is_quiet = is_quiet
        self.refused: set[ExitCode] = set()
        self._progress = progress
        self._said = {is_error: Said() for is_error in (True, False)}
        self._is_waiting = is_waiting
        self.listen: Callable[[SatdokuError], object] = lambda error: None
        context = click.get_current_context(silent=True)
        if context is not None:
            # Even a command that ends with an error may have counted messages.
            context.call_on_close(self.say_repeated)

    def say(self, message: str) -> None:
        """Print information for a person."""
        if not self.is_quiet:
            self._write(message)

    def tell(self, message: str, place: str = "", is_error: bool = False) -> None:
        """Print a message about a place of the input."""
        if place and not self._is_waiting and self._is_repeated(message, place, is_error):
            return
        line = f"{place}: {message}" if place else message
        self.say(error_line(line) if is_error else line)

    def tell_of(self, row: Row) -> None:
        """Print the message of a row, if any; it is an error if the record is invalid."""
        if row.message:
            message = row.message.removeprefix(f"{row.place}: ")
            self.tell(message, row.place, row.ending in _ERRORS)

    def say_if_any(self, message: str) -> None:
        """Print the message, unless it is empty."""
        if message:
            self.say(message)

    def refuse(self, error: SatdokuError) -> None:
        """Report something that could not be read or done; the run continues.

        `listen` is called with the error, too.
        """
        self.listen(error)
        is_late = isinstance(error, LateError)
        self.refused.add(ExitCode.UNDECIDED if is_late else ExitCode.FAILED)
        if isinstance(error, PlacedError):
            self.tell(error.message, error.place, is_error=True)
        else:
            self._write(error_line(str(error)))

    def code_with(self, codes: Iterable[ExitCode] = ()) -> ExitCode:
        """Return the code of a run with these codes, refused input included."""
        return gravest([*codes, *self.refused])

    def say_repeated(self) -> None:
        """Print how often, and where, each message was repeated."""
        for is_error, said in self._said.items():
            for line in said.take_summary():
                self.say(error_line(line) if is_error else line)

    def _is_repeated(self, message: str, place: str, is_error: bool) -> bool:
        return self._said[is_error].is_repeated(message, place, has_details=is_error)

    def _write(self, line: str) -> None:
        if self._progress is not None:
            self._progress.clear()
        click.echo(line, err=True)


_ERRORS = (Ending.UNREADABLE, Ending.FAILED, Ending.FAULT)


def error_line(message: str) -> str:
    """Return an error in the format of all commands."""
    return f"satdoku: {message}"


def say_error(message: str) -> None:
    """Print an error that ends a command."""
    click.echo(error_line(message), err=True)
