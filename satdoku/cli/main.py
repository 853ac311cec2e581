"""The group of all commands, and the handling of errors.

Without a command, puzzles are solved: `satdoku PUZZLE`, `satdoku FILE`, `satdoku < FILE`.
"""

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.sources import are_loose_rows, may_be_input
from satdoku.cli.terminal import fit_help, made_safe, say_error
from satdoku.errors import SatdokuError, nearest
from satdoku.notation.spelling import CELL_CHARACTERS, FEWEST_CELLS
from satdoku.plugins import fault_of_package
from satdoku.signals import Signals, TerminatedError

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
  141  the reader of the output closed it
  143  terminated
Of several codes, the gravest is returned: 1, then 124, then 20, then 10."""


# Each command with the first sentence of its help: `--help` and shell completion list all commands
# without importing them.
_COMMANDS = {
    "solve": "Print the solution of puzzles that have exactly one.",
    "check": "Tell whether puzzles have exactly one solution.",
    "count": "Count the solutions of puzzles, one number for each puzzle.",
    "explain": "Explain puzzles step by step.",
    "hint": "Give a hint for a puzzle: where to look, and no more than that.",
    "teach": "Give positions in which a technique can be found, with hints.",
    "candidates": "Find the true candidates of puzzles: the digits that each cell has in some "
    "solution.",
    "grade": "Grade answers to puzzles: right, wrong, incomplete, malformed or missing.",
    "judge": "Judge claims about puzzles, one by one: does each follow from the board at that "
    "point?",
    "rate": "Rate puzzles: a number and a level for each.",
    "minimize": "Delete givens that puzzles with exactly one solution do not need.",
    "narrow": "Tell how many solutions of a puzzle each further digit or clue would leave.",
    "canonical": "Print the canonical form of puzzles, which all symmetric twins share.",
    "augment": "Make random symmetric twins of puzzles, as further training data.",
    "split": "Split puzzles into a part to train on and a part to test, without twins between "
    "them.",
    "convert": "Write puzzles in another format.",
    "draw": "Draw puzzles.",
    "export": "Write puzzles as formulas: DIMACS CNF for any SAT solver, OPB, WCNF, or MiniZinc.",
    "decode": "Check a solver's answer and turn it into a grid.",
    "certify": "Write certificates: the verdict of each puzzle and its proof.",
    "verify": "Check certificates, trusting no solver and no encoder.",
    "generate": "Make puzzles that have exactly one solution.",
    "serve": "Open a page to set and to solve puzzles.",
    "mcp": "Answer the calls of an assistant, by the Model Context Protocol.",
    "bench": "Compare solvers and encodings on the same puzzles.",
    "encodings": "List the encodings and what each of them costs.",
    "rules": "List the rules that puzzles may have, each with an example and its meaning.",
    "cage": "List the digits that a cage of some cells and a sum can hold, one combination a line.",
    "completion": "Complete commands, options, solvers and rules in the shell when Tab is pressed.",
    "examples": "Write the example puzzles and formulas that the documentation uses.",
    "solvers": "List the solvers that --solver takes, and what each of them can do.",
}
# Commands in the file of another one; by default, a command's file has its name.
_FILES = {
    "augment": "twins",
    "candidates": "explain",
    "cage": "listing",
    "canonical": "twins",
    "decode": "checking",
    "encodings": "listing",
    "grade": "grading",
    "judge": "grading",
    "narrow": "count",
    "rules": "listing",
    "solvers": "listing",
    "split": "twins",
}
# The default command.
_USUAL = "solve"

# Errors of writing to a file or a device. Errors of reading do not come as OSError: `readable`
# turns them into SatdokuError.
_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF}


class ReaderGoneError(Exception):
    """The reader of a pipe has gone; click lets this pass, unlike a BrokenPipeError."""


class LazyGroup(click.Group):
    """A group that imports commands on demand; importing all would double the start-up time."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        # --help and --version print during parsing, before a command is invoked.
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

    def get_help(self, ctx: click.Context) -> str:
        formatter = fit_help(ctx.make_formatter())
        self.format_help(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            # During shell completion, an unknown name may be incomplete.
            if not ctx.resilient_parsing:
                self._suggest_command(cmd_name)
            return None
        module = import_module(f"satdoku.cli.commands.{_FILES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands, or files if no command begins with the text."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=sentence)
            for name, sentence in _COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # Do not call `click.Group.shell_complete`, which would import all commands; the method of
        # `Command` completes the options.
        found += click.Command.shell_complete(self, ctx, incomplete)
        return found or [CompletionItem(incomplete, type="file")]

    def _lacks_command(self, ctx: click.Context, args: Sequence[str]) -> bool:
        """Whether the arguments name puzzles or options of the default command, but no command.

        A misspelt command does not count as a puzzle. Options alone belong to the default command
        if they are not those of the group, and no command follows them.
        """
        if not args or args[0] in _COMMANDS:
            return False
        first = args[0]
        if first.startswith("-") and first != "-":
            own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            return first not in own and not set(args) & set(_COMMANDS)
        is_small = not first.strip(CELL_CHARACTERS) and any(map(_tells_board, args))
        return first == "-" or is_small or may_be_input(first) or are_loose_rows(args)

    def _suggest_command(self, name: str) -> None:
        """Raise an error with a suggestion for a misspelt command, or for an unknown name."""
        if close := nearest(name, _COMMANDS):
            raise click.UsageError(f"there is no command {name!r}; did you mean {close}?")
        told = f"{name!r} is neither a command nor a file nor a puzzle"
        raise click.UsageError(f"{told}; `satdoku --help` lists the commands")


def _tells_board(argument: str) -> bool:
    """Whether an argument is an option by which a board may be smaller than usual."""
    return argument.startswith(("--box", "--regions"))


def _with_dot_first(argument: str) -> str:
    """Replace a leading dash, which means an empty cell, by a dot, so that it is no option."""
    if not argument.startswith("-"):
        return argument
    is_puzzle = len(argument) >= FEWEST_CELLS and not argument.strip(CELL_CHARACTERS)
    return "." + argument[1:] if is_puzzle else argument


@click.group(
    cls=LazyGroup,
    epilog=_EPILOG,
    # Without an explicit limit, click uses at most 80 characters of a terminal's width.
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
        # Imported here: the variable is rarely set, and the import would delay every command.
        from satdoku.lanes.library import fault_of_variable

        if fault := fault_of_variable():
            say_error(fault)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, however the command ends."""
    _open_closed_streams()
    try:
        return _run_command(arguments)
    except SatdokuError as error:
        return _say(str(error), ExitCode.FAILED)
    except MemoryError:
        return _say("out of memory", ExitCode.FAILED)
    except (BrokenPipeError, ReaderGoneError):
        # The reader of our output has closed the pipe. Discard pending output, so that Python does
        # not report the error again at its end.
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
    """Run the command, and turn exceptions of click and Ctrl-C into exit codes."""
    try:
        # In standalone mode click would end the process with exit codes of its own.
        code = satdoku.main(arguments, prog_name="satdoku", standalone_mode=False)
        # Flush here, so that an error in writing the last bytes is reported like any other.
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except (click.Abort, KeyboardInterrupt) as end:
        # click has ended the line already and wrapped our error in its own.
        code = _code_of(end.__cause__ or end)
        return _say("terminated" if code is ExitCode.TERMINATED else "interrupted", code)
    except click.ClickException as error:
        _show_usage(error)
        return _say(error.format_message(), ExitCode(error.exit_code))
    return code or ExitCode.ANSWERED  # commands that only list something return None


def main() -> NoReturn:
    """Run the program as `run` does, but exit faster.

    It ends without shutting down the interpreter, which would take as long as solving a puzzle.
    """
    errors = {"SIGINT": KeyboardInterrupt, "SIGTERM": TerminatedError, "SIGHUP": TerminatedError}
    # With its usual allocator, pyarrow keeps 30 MB more of what it has freed.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    code = _run_under(Signals(errors, unleft=_ENDING))
    os._exit(code)


def _run_under(signals: Signals) -> int:
    """Run the command line. A second signal during the message for the first ends the message."""
    try:
        sys.stdout, sys.stderr = made_safe(sys.stdout), made_safe(sys.stderr)
        code = run()
        sys.stderr.flush()  # `os._exit` does not flush
    except KeyboardInterrupt as end:
        code = _code_of(end)
    signals.are_over = True
    return code


def _code_of(end: BaseException) -> ExitCode:
    return ExitCode.TERMINATED if isinstance(end, TerminatedError) else ExitCode.INTERRUPTED


# The functions that report how a command ended; signals do not interrupt them.
_ENDING = {main.__code__, _run_under.__code__, _code_of.__code__}


def _open_closed_streams() -> None:
    """Open an empty stream for each standard stream that is closed at the start.

    The system assigns the lowest free descriptor to each new file. With these three taken, no file
    can be mistaken for a standard stream. Writing to stdout then fails, because answers would be
    lost.
    """
    # stdout is opened for reading, so that writing fails with an error message.
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
    """Return a message for an error of the system; it names the output only for writing errors."""
    reason = error.strerror or str(error)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "too many files are open; `ulimit -n` shows and raises the limit"
    if error.errno in _OF_WRITING:
        return f"{error.filename or 'the output'} cannot be written: {reason}"
    return f"{error.filename}: {reason}" if error.filename else reason


def _show_usage(error: click.ClickException) -> None:
    """Print the usage of the command above the error."""
    context = getattr(error, "ctx", None)
    if context is not None:
        click.echo(context.get_usage(), err=True)
        click.echo(f"Try '{context.command_path} --help' for help.\n", err=True)


def _say(message: str, code: ExitCode) -> ExitCode:
    say_error(message)
    return code
