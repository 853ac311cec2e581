"""What commands declare their options and arguments with: groups, types, and what Tab offers.

An option says where it is declared which group it is of, so that what is used daily stands first in
`--help`; one that says none is about the answer, as the options of a single command are.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from satdoku.answering.asked import Row, find_excluded, find_lacking
from satdoku.cli.sources import is_no_name
from satdoku.errors import quote
from satdoku.files import COMPRESSIONS, is_parquet
from satdoku.puzzle.rules.registry import RULES
from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _TextType = click.ParamType[str]
else:
    # Only newer versions of click let it be subscripted while the program runs.
    _TextType = click.ParamType


# What rows call the argument of a command.
_PUZZLE = "PUZZLE"

# Where a value comes from that nobody typed.
_BY_ITSELF = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)

# Behind a longer name, its explanation begins on the next line; as in click.
_WIDEST_NAME = 30


class OptionGroup(Enum):
    """What options are about, those first that are used most."""

    ANSWER = "Answer"
    OUTPUT = "Output"
    INPUT = "Input"
    MANY = "Many puzzles"
    SOLVER = "Solver"
    HELP = "Help"


class GroupedOption(click.Option):
    """An option that knows its group."""

    def __init__(self, *args: Any, group: OptionGroup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


def option(group: OptionGroup, *names: str, **attributes: Any) -> Callable[..., Any]:
    """`click.option` with a group."""
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


class GroupedCommand(click.Command):
    """A command whose help has a section for each group of options, and that knows which fit.

    Each row of `excludes` names options that do not go with any of the others in it, each row of
    `needs` options that need at least one of them. `PUZZLE` is an argument, `.opb` an output whose
    name ends so; `.parquet` counts as `--csv` too.
    """

    def __init__(
        self,
        *args: Any,
        excludes: Sequence[Row] = (),
        needs: Sequence[Row] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.excludes = excludes
        self.needs = needs

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        takes_numbers = "-n" in self._names and not ctx.resilient_parsing
        ctx.allow_extra_args |= takes_numbers
        rest = super().parse_args(ctx, args)
        if takes_numbers and rest:
            hint = f"; -n {rest[0]} is a number of puzzles" if rest[0].isdecimal() else ""
            raise click.UsageError(f"Got unexpected extra argument ({rest[0]}){hint}", ctx)
        # While the shell completes a line, options may be missing that are still to come.
        if not ctx.resilient_parsing:
            self._require_fitting(ctx)
        return rest

    def _require_fitting(self, ctx: click.Context) -> None:
        """Refuses options that exclude each other, lack another, or were taken for a value."""
        values = self._given_values(ctx)
        shown = _as_typed(values)
        for message in chain(
            _mistaken(values, self._names),
            find_excluded(shown, self.excludes),
            find_lacking(shown, self.needs),
        ):
            raise click.UsageError(message, ctx)

    @property
    def _names(self) -> dict[str, click.Parameter]:
        """The parameters by all their names, as they are typed."""
        return {name: parameter for parameter in self.params for name in parameter.opts}

    def _given_values(self, ctx: click.Context) -> dict[str, Any]:
        """What was given, by all names of its option; a flag that says no is not given."""
        given = {}
        for name, parameter in self._names.items():
            value = ctx.params.get(parameter.name or "")
            # Not by truth: 0 and an empty text were given.
            is_empty = value is None or value is False or value == ()
            if is_empty or ctx.get_parameter_source(parameter.name or "") in _BY_ITSELF:
                continue
            given[_PUZZLE if isinstance(parameter, click.Argument) else name] = value
        return given

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the sections, or one for all where there is nothing to tell apart."""
        sections: dict[str, list[tuple[str, str]]] = {group.value: [] for group in OptionGroup}
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

    def _group_of(self, parameter: click.Option, ctx: click.Context) -> OptionGroup:
        if isinstance(parameter, GroupedOption):
            return parameter.group
        is_help = parameter.name == "help" or parameter is self.get_help_option(ctx)
        return OptionGroup.HELP if is_help else OptionGroup.ANSWER


def _as_typed(values: Mapping[str, Any]) -> dict[str, str]:
    """What rows may name, as a message shows it."""
    shown = {name: name for name in values}
    for name, value in values.items():
        word = value.value if isinstance(value, Enum) else value
        shown[f"{name}={word}"] = f"{name} {word}"
    output = values.get("--output")
    if isinstance(output, str):
        shown[_ending_of(output)] = output
    if is_parquet(output):
        # Rows about --csv hold for this file too, and the message says why.
        shown.setdefault("--csv", f"{output} (which gets the table of --csv)")
    return shown


def _ending_of(output: str) -> str:
    """What the name of a file says of its contents, as `.opb` of `rules.opb.gz`."""
    name, ending = os.path.splitext(output.lower())
    return os.path.splitext(name)[1] if ending in COMPRESSIONS else ending


def _mistaken(values: Mapping[str, Any], names: Mapping[str, click.Parameter]) -> Iterator[str]:
    for name, value in values.items():
        if name == _PUZZLE:
            continue  # behind a `--` anything may stand
        for text in map(str, value if isinstance(value, tuple) else (value,)):
            if text.startswith("-") and text in names:
                yield f"{name} needs a value, and {text} is an option"
            elif isinstance(names[name].type, FileName | click.Path) and is_no_name(text):
                yield f"{name} needs a name, and {quote(text)} is a puzzle"


command = partial(click.command, cls=GroupedCommand)
"""As `click.command`, with grouped options."""


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "integer"


class Real(click.FloatRange):
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
    others, comma, last = incomplete.rpartition(",")
    names = [name for name in (*LADDERS, *FAMILIES, *SOLVERS) if name.startswith(last.lower())]
    return [_item(others + comma + name) for name in names]


def complete_rule(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The names of rules, with a colon where an argument follows."""
    texts = [f"{name}:" if rule.example else name for name, rule in RULES.items()]
    return [_item(text) for text in texts if text.startswith(incomplete)]


def _item(*args: Any, **kwargs: Any) -> "CompletionItem":
    from click.shell_completion import CompletionItem

    return CompletionItem(*args, **kwargs)
