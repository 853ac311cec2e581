"""A group whose commands are imported when they are asked for: starting up takes half the time."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click


class ReaderGoneError(Exception):
    """A broken pipe under a name that click does not know: it would exit with code 1."""


class LazyGroup(click.Group):
    """Knows its commands by name; each lives in the module of its name."""

    def __init__(self, *args: Any, names: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = names

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [_spare_blanks(arg) for arg in args])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            if not ctx.resilient_parsing:
                self._suggest_command(cmd_name)
            return None
        module = import_module(f"satdoku.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def _suggest_command(self, name: str) -> None:
        """A hint for a puzzle without a command, and for a command with a slip in its name."""
        from difflib import get_close_matches

        from satdoku.cli.inputs import is_input

        if is_input(name):
            raise click.UsageError(f"a command goes before the puzzle: satdoku solve {name}")
        for command in get_close_matches(name, self._names, 1):
            raise click.UsageError(f"there is no command {name!r}; did you mean {command}?")


def _spare_blanks(argument: str) -> str:
    """A puzzle that begins with a dash, for a blank, is not an option."""
    if not argument.startswith("-"):
        return argument
    from satdoku.notation.sizes import FEWEST_CELLS
    from satdoku.notation.symbols import CELL_CHARACTERS

    is_puzzle = len(argument) >= FEWEST_CELLS and not argument.strip(CELL_CHARACTERS)
    return "." + argument[1:] if is_puzzle else argument
