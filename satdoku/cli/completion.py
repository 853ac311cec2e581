"""What the shell offers when Tab is pressed."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _TextType = click.ParamType[str]
else:
    # Only newer versions of click let it be subscripted while the program runs.
    _TextType = click.ParamType


class FileName(_TextType):
    """A text that may be the name of a file."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        return [_item(incomplete, type="file")]


def complete_solver(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The solvers whose names begin as typed; in a list, as typed behind the last comma."""
    # Imported here, as rules below: every command has such options, but few runs complete them.
    from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS

    others, comma, last = incomplete.rpartition(",")
    names = [name for name in (*LADDERS, *FAMILIES, *SOLVERS) if name.startswith(last.lower())]
    return [_item(others + comma + name) for name in names]


def complete_rule(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The names of rules, with a colon where an argument follows."""
    from satdoku.puzzle.rules.registry import RULES

    texts = [f"{name}:" if rule.example else name for name, rule in RULES.items()]
    return [_item(text) for text in texts if text.startswith(incomplete)]


def _item(*args: Any, **kwargs: Any) -> "CompletionItem":
    from click.shell_completion import CompletionItem

    return CompletionItem(*args, **kwargs)
