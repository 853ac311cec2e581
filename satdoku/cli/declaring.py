"""What commands declare their options and arguments with: groups, types, and what Tab offers.

An option says where it is declared which group it is of, so that what is used daily stands first in
`--help`; one that says none is about the answer, as the options of a single command are.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _TextType = click.ParamType[str]
else:
    # Only newer versions of click let it be subscripted while the program runs.
    _TextType = click.ParamType


# Behind a longer name, its explanation begins on the next line; as in click.
_WIDEST_NAME = 30


class Group(Enum):
    """What options are about, those first that are used most."""

    ANSWER = "Answer"
    OUTPUT = "Output"
    INPUT = "Input"
    MANY = "Many puzzles"
    SOLVER = "Solver"
    HELP = "Help"


class GroupedOption(click.Option):
    """An option that knows its group."""

    def __init__(self, *args: Any, group: Group, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


def option(group: Group, *names: str, **attributes: Any) -> Callable[..., Any]:
    """`click.option` with a group."""
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


class GroupedCommand(click.Command):
    """A command whose help has a section for each group of options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the sections, or one for all where there is nothing to tell apart."""
        sections: dict[str, list[tuple[str, str]]] = {group.value: [] for group in Group}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None and isinstance(parameter, click.Option):
                sections[self._group_of(parameter, ctx).value].append(row)
        filled = {title: rows for title, rows in sections.items() if rows}
        if len(filled) < 3:  # the options of one group, and --help
            filled = {"Options": [row for rows in filled.values() for row in rows]}
        # Explanations begin in the same column in all sections.
        width = max(len(name) for rows in filled.values() for name, _ in rows)
        width = min(width, _WIDEST_NAME)
        for title, rows in filled.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in rows])

    def _group_of(self, parameter: click.Option, ctx: click.Context) -> Group:
        if isinstance(parameter, GroupedOption):
            return parameter.group
        is_help = parameter.name == "help" or parameter is self.get_help_option(ctx)
        return Group.HELP if is_help else Group.ANSWER


command = partial(click.command, cls=GroupedCommand)
"""As `click.command`, with grouped options."""


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"


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
