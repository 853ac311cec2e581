"""The group of all commands, and what becomes of an error.

Without a command, puzzles are solved: `satdoku PUZZLE`, `satdoku FILE`, `satdoku < FILE`.
"""

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from satdoku.batch.signals import Signals, TerminatedError
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.sources import are_loose_rows, may_be_input
from satdoku.cli.terminal import made_safe, say_error
from satdoku.errors import SatdokuError, nearest
from satdoku.files import ESCAPED
from satdoku.notation.spelling import CELL_CHARACTERS, FEWEST_CELLS
from satdoku.plugins import fault_of_package

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_EPILOG = """\b
Exit codes of all commands:
    0  every puzzle answered (unique, for solve and check)
   10  some puzzle has several solutions
   20  some puzzle has none
  124  some puzzle was not decided, read or certified within its limit
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
# Commands that stand in the file of a sibling; any other one has a file of its name.
_FILES = {
    "candidates": "explain",
    "canonical": "sorting",
    "decode": "checking",
    "encodings": "listing",
    "rate": "sorting",
    "rules": "listing",
    "solvers": "listing",
    "verify": "checking",
}
# What is to be done where no command is named.
_USUAL = "solve"

# Errors of writing to a file or a device. Those of reading one do not come as OSError: `readable`
# has made a SatdokuError of them.
_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF}


class ReaderGoneError(Exception):
    """The reader of a pipe has gone: unlike a BrokenPipeError, click lets it pass."""


class LazyGroup(click.Group):
    """Imports a command when it is asked for: with all of them, starting up takes twice as long."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        # --help and --version print while arguments are read, before a command is invoked.
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = [_with_dot_first(arg) for arg in args]
        if not (args or ctx.resilient_parsing):
            args = ["--help"] if sys.stdin.isatty() else [_USUAL]
        elif self._lacks_command(ctx, args):
            args = [_USUAL, *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            # While the shell completes a line, an unknown name is one that is not typed to its end.
            if not ctx.resilient_parsing:
                self._suggest_command(cmd_name)
            return None
        module = import_module(f"satdoku.cli.commands.{_FILES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands, or files where no command begins like that."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=sentence)
            for name, sentence in _COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # Not `click.Group.shell_complete`, which would import all commands; that of a command has
        # the options.
        found += click.Command.shell_complete(self, ctx, incomplete)
        return found or [CompletionItem(incomplete, type="file")]

    def _lacks_command(self, ctx: click.Context, args: Sequence[str]) -> bool:
        """Whether there is something to solve where a command should be.

        A slip in the name of a command is no puzzle. Options alone are for the usual command if
        they are not ours, and no command follows them.
        """
        if not args or args[0] in _COMMANDS:
            return False
        first = args[0]
        if first.startswith("-") and first != "-":
            own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            return first not in own and not set(args) & set(_COMMANDS)
        return first == "-" or may_be_input(first) or are_loose_rows(args)

    def _suggest_command(self, name: str) -> None:
        """A hint for a slip in the name of a command, and for a name that is nothing."""
        if close := nearest(name, _COMMANDS):
            raise click.UsageError(f"there is no command {name!r}; did you mean {close}?")
        raise click.UsageError(f"{name!r} is no command, no file and no puzzle")


def _with_dot_first(argument: str) -> str:
    """A puzzle that begins with a dash, for a blank, begins with a dot then: it is no option."""
    if not argument.startswith("-"):
        return argument
    is_puzzle = len(argument) >= FEWEST_CELLS and not argument.strip(CELL_CHARACTERS)
    return "." + argument[1:] if is_puzzle else argument


@click.group(
    cls=LazyGroup,
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
    if "SATDOKU_LANES" in os.environ:
        # Imported here: few set it, and every command would wait for it.
        from satdoku.lanes.library import fault_of_variable

        if fault := fault_of_variable():
            say_error(fault)


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
    except Exception as error:
        told = fault_of_package(error)
        if not told:
            raise
        return _say(told, ExitCode.FAILED)


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
