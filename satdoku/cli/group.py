"""A group whose commands are imported when they are asked for: starting up takes half the time.

Without a command, puzzles are solved: `satdoku PUZZLE`, `satdoku FILE`, `satdoku < FILE`.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from satdoku.cli.sources import are_loose_rows, may_be_input
from satdoku.notation.sizes import FEWEST_CELLS
from satdoku.notation.symbols import CELL_CHARACTERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_USUAL = "solve"


class ReaderGoneError(Exception):
    """The reader of a pipe has gone: unlike a BrokenPipeError, click lets it pass."""


class LazyGroup(click.Group):
    """Knows of each command its name and a sentence; the rest is in the module of its name."""

    def __init__(self, *args: Any, sentences: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sentences = sentences

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
        return list(self._sentences)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._sentences.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._sentences:
            # While the shell completes a line, an unknown name is one that is not typed to its end.
            if not ctx.resilient_parsing:
                self._suggest_command(cmd_name)
            return None
        module = import_module(f"satdoku.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands, or files where no command begins like that."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=sentence)
            for name, sentence in self._sentences.items()
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
        if not args or args[0] in self._sentences:
            return False
        first = args[0]
        if first.startswith("-") and first != "-":
            own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            return first not in own and not set(args) & set(self._sentences)
        return first == "-" or may_be_input(first) or are_loose_rows(args)

    def _suggest_command(self, name: str) -> None:
        """A hint for a slip in the name of a command, and for a name that is nothing."""
        from difflib import get_close_matches

        close = get_close_matches(name, self._sentences, 1)
        if close:
            raise click.UsageError(f"there is no command {name!r}; did you mean {close[0]}?")
        raise click.UsageError(f"{name!r} is no command, no file and no puzzle")


def _with_dot_first(argument: str) -> str:
    """A puzzle that begins with a dash, for a blank, begins with a dot then: it is no option."""
    if not argument.startswith("-"):
        return argument
    is_puzzle = len(argument) >= FEWEST_CELLS and not argument.strip(CELL_CHARACTERS)
    return "." + argument[1:] if is_puzzle else argument
