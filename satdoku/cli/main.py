"""The group of all commands, and what becomes of an error."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.group import LazyGroup
from satdoku.errors import SatdokuError

_EPILOG = """\b
Exit codes of all commands:
    0  every puzzle answered (unique, for solve and check)
   10  some puzzle has several solutions
   20  some puzzle has none
  124  some puzzle was not decided within its limit
    1  anything else, unreadable input included
    2  wrong usage
  130  interrupted
Of several, 1 goes before 124, 124 before 20 and 20 before 10: what leaves most unknown wins."""


_COMMANDS = (
    "solve",
    "check",
    "count",
    "convert",
    "export",
    "decode",
    "certify",
    "verify",
    "encodings",
)


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
    try:
        code = satdoku.main(arguments, prog_name="satdoku", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except (click.Abort, KeyboardInterrupt):
        # click has ended the line already.
        return _say("interrupted", ExitCode.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SatdokuError as error:
        return _say(str(error), ExitCode.FAILED)
    except MemoryError:
        return _say("out of memory", ExitCode.FAILED)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.BROKEN_PIPE
    except OSError as error:
        return _say(f"the output cannot be written: {error.strerror}", ExitCode.FAILED)
    return code or ExitCode.ANSWERED


def main() -> NoReturn:
    """The program: as `run`, but fast to start and to end.

    Collecting garbage during imports and taking the interpreter apart at the end cost as much
    time as solving a puzzle; the collector goes on with long intervals after the start.
    """
    gc.set_threshold(200_000, 50, 100)
    code = run()
    sys.stderr.flush()
    os._exit(code)


def _say(message: str, code: ExitCode) -> ExitCode:
    click.echo(f"satdoku: {message}", err=True)
    return code
