"""The group of all commands, and what becomes of an error."""

import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.group import LazyGroup, ReaderGoneError
from satdoku.errors import SatdokuError
from satdoku.files import ESCAPED

_EPILOG = """\b
Exit codes of all commands:
    0  every puzzle answered (unique, for solve and check)
   10  some puzzle has several solutions
   20  some puzzle has none
  124  some puzzle was not decided within its limit
    1  anything else, unreadable input included
    2  wrong usage
  130  interrupted
  141  whoever read the output stopped reading
  143  terminated
Of several, 1 goes before 124, 124 before 20 and 20 before 10: what leaves most unknown wins."""


_COMMANDS = (
    "solve",
    "check",
    "count",
    "explain",
    "hint",
    "candidates",
    "rate",
    "minimize",
    "canonical",
    "convert",
    "draw",
    "export",
    "decode",
    "certify",
    "verify",
    "generate",
    "encodings",
    "rules",
)


class TerminatedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP: all is put away as after Ctrl-C, only the exit code is another."""


@click.group(
    cls=LazyGroup,
    names=_COMMANDS,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="satdoku")
def satdoku() -> None:
    """Solve, count, certify and export Sudoku of any size with SAT solvers.

    \b
    satdoku solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    satdoku check puzzles.txt
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; every way out is here."""
    _open_closed_streams()
    try:
        return _run_command(arguments)
    except SatdokuError as error:
        return _say(str(error), ExitCode.FAILED)
    except MemoryError:
        return _say("out of memory", ExitCode.FAILED)
    except (BrokenPipeError, ReaderGoneError):
        # The reader of our output has closed the pipe; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.BROKEN_PIPE
    except OSError as error:
        what = error.filename or "the output"
        return _say(f"{what} cannot be written: {error.strerror}", ExitCode.FAILED)


def _run_command(arguments: Sequence[str] | None) -> int:
    """As `run`, for the ways out that click knows."""
    try:
        code = satdoku.main(arguments, prog_name="satdoku", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except (click.Abort, KeyboardInterrupt) as end:
        # click has ended the line already, and put its own error around ours.
        if isinstance(end.__cause__ or end, TerminatedError):
            return _say("terminated", ExitCode.TERMINATED)
        return _say("interrupted", ExitCode.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return code or ExitCode.ANSWERED


def main() -> NoReturn:
    """The program: as `run`, but quick to end.

    It leaves without taking the interpreter apart, which would take as long as solving a puzzle.
    """
    handlers = {"SIGINT": signal.default_int_handler, "SIGTERM": _terminate, "SIGHUP": _terminate}
    for name, handler in handlers.items():
        number = getattr(signal, name, None)
        # nohup, for one, has a signal ignored; so it stays.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPED)
    code = run()
    sys.stderr.flush()
    os._exit(code)


def _terminate(number: int, frame: Any) -> NoReturn:
    raise TerminatedError


def _open_closed_streams() -> None:
    """Opens an empty stream for each standard stream that this process was started without.

    The system gives each new file the lowest free number. With these taken, no file of ours can be
    mistaken for a standard stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open to the end


def _say(message: str, code: ExitCode) -> ExitCode:
    click.echo(f"satdoku: {message}", err=True)
    return code
