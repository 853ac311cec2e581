"""The group of all commands, and what becomes of an error."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from satdoku.batch.signals import Signals, TerminatedError
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.group import LazyGroup, ReaderGoneError
from satdoku.cli.terminal import made_safe, say_error
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


# Each with the first sentence of its help: `--help`, and the shell when Tab is pressed, list all
# commands without importing one.
_COMMANDS = {
    "solve": "Print the solution of puzzles that have exactly one.",
    "check": "Tell whether puzzles have exactly one solution.",
    "count": "Count the solutions of puzzles, one number a puzzle.",
    "explain": "Explain puzzles step by step.",
    "hint": "Give a hint for a puzzle: where to look, and no more than that.",
    "candidates": "Find the true candidates of puzzles: the digits that each cell has in some "
    "solution.",
    "rate": "Rate puzzles: a number and a level for each.",
    "minimize": "Delete givens that puzzles with exactly one solution do not need.",
    "canonical": "Give all symmetric twins of a puzzle one form.",
    "convert": "Write puzzles in another format.",
    "draw": "Draw puzzles.",
    "export": "Write puzzles as formulas: DIMACS CNF for any SAT solver, OPB, or WCNF.",
    "decode": "Check a solver's answer and turn it into a grid.",
    "certify": "Write certificates: the verdict of each puzzle and its proof.",
    "verify": "Check certificates, trusting nothing that made them.",
    "generate": "Make puzzles that have exactly one solution.",
    "serve": "Open a page to set and to solve puzzles.",
    "bench": "Compare solvers and encodings on the same puzzles.",
    "encodings": "List the encodings and what each of them costs.",
    "rules": "List the rules that puzzles may have, each with an example and what that means.",
    "examples": "Write the example puzzles and formulas that the documentation uses.",
    "solvers": "List the solvers that --solver takes, and what each of them can do.",
}


# Errors of writing to a file or a device. Those of reading one do not come as OSError: `readable`
# has made a SatdokuError of them.
_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF}


@click.group(
    cls=LazyGroup,
    sentences=_COMMANDS,
    epilog=_EPILOG,
    # Without a bound of its own, click uses at most 80 characters of a terminal.
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": sys.maxsize},
)
@click.version_option(package_name="satdoku")
def satdoku() -> None:
    """Solve, count, certify and export Sudoku of any size with SAT solvers.

    Without a command, puzzles are solved.

    \b
    satdoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    satdoku check puzzles.txt
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code, whatever ends the command."""
    _open_closed_streams()
    try:
        return _run_command(arguments)
    except SatdokuError as error:
        return _say(str(error), ExitCode.FAILED)
    except MemoryError:
        return _say("out of memory", ExitCode.FAILED)
    except (BrokenPipeError, ReaderGoneError):
        # The reader of our output has closed the pipe. What is still to be written goes nowhere, so
        # that Python does not report the same once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.BROKEN_PIPE
    except OSError as error:
        return _say(_describe(error), ExitCode.FAILED)


def _run_command(arguments: Sequence[str] | None) -> int:
    """Runs the command, and turns what click raises, and Ctrl-C, into exit codes."""
    try:
        # By itself click would end the process, with exit codes of its own.
        code = satdoku.main(arguments, prog_name="satdoku", standalone_mode=False)
        # Here, so that an error of the last bytes is told like any other.
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except (click.Abort, KeyboardInterrupt) as end:
        # click has ended the line already, and put its own error around ours.
        code = _code_of(end.__cause__ or end)
        return _say("terminated" if code is ExitCode.TERMINATED else "interrupted", code)
    except click.ClickException as error:
        _show_usage(error)
        return _say(error.format_message(), ExitCode(error.exit_code))
    return code or ExitCode.ANSWERED  # commands that only list something return None


def main() -> NoReturn:
    """The program: as `run`, but quick to end.

    It leaves without taking the interpreter apart, which would take as long as solving a puzzle.
    """
    errors = {"SIGINT": KeyboardInterrupt, "SIGTERM": TerminatedError, "SIGHUP": TerminatedError}
    code = _run_under(Signals(errors, unleft={main.__code__, _run_under.__code__}))
    os._exit(code)


def _run_under(signals: Signals) -> int:
    """Runs the command line. A signal that comes while another is put into words ends that."""
    try:
        sys.stdout, sys.stderr = made_safe(sys.stdout, ESCAPED), made_safe(sys.stderr, ESCAPED)
        code = run()
        sys.stderr.flush()  # `os._exit` leaves behind what was not flushed
    except KeyboardInterrupt as end:
        code = _code_of(end)
    signals.are_over = True
    return code


def _code_of(end: BaseException) -> ExitCode:
    return ExitCode.TERMINATED if isinstance(end, TerminatedError) else ExitCode.INTERRUPTED


def _open_closed_streams() -> None:
    """Opens an empty stream for each standard stream that this process was started without.

    The system gives each new file the lowest free number. With these taken, no file of ours can be
    mistaken for a standard stream. What is written to stdout fails, as the answers would be lost.
    """
    # Stdout for reading: to write there fails, and that is told.
    streams = (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    )
    for name, mode, access in streams:
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, access)
            setattr(sys, name, open(descriptor, mode))  # noqa: SIM115 - open to the end


def _describe(error: OSError) -> str:
    """A sentence for an error of the system; it names the output only where writing failed."""
    reason = error.strerror or str(error)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "too many files are open; `ulimit -n` shows and raises the limit"
    if error.errno in _OF_WRITING:
        return f"{error.filename or 'the output'} cannot be written: {reason}"
    return f"{error.filename}: {reason}" if error.filename else reason


def _show_usage(error: click.ClickException) -> None:
    """How the command is used, above what was wrong with its use."""
    context = getattr(error, "ctx", None)
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(f"Try '{context.command_path} --help' for help.\n", err=True)


def _say(message: str, code: ExitCode) -> ExitCode:
    say_error(message)
    return code
