"""Options in groups: what is used daily stands first in `--help`.

An option says where it is declared which group it is of; one that says none is about the answer, as
the options of a single command are.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

import click

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
