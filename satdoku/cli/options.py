"""Options that several commands share."""

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial, update_wrapper
from inspect import signature
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from satdoku.answering.asked import (
    LIMITS,
    SETTINGS,
    Option,
    Row,
    find_excluded,
    find_lacking,
    options_of,
)
from satdoku.cli.sources import is_no_name
from satdoku.cli.terminal import NARROW, fit_help
from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import OptionError, SatdokuError, quote
from satdoku.files import ALL_COMPRESSIONS, ESCAPED, is_parquet
from satdoku.notation.hints import FORMAT_NAMES
from satdoku.plugins import has_format
from satdoku.puzzle.rules.registry import RULES
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import FAMILIES, LADDERS, PORTFOLIO, SOLVERS, Settings, find_solver

# Building blocks for the options and arguments of commands: groups, types, and completion.
#
# Each option declares its group, so that `--help` lists the most used ones first. Options without a
# group are about the answer, like most options of a single command.

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _TextType = click.ParamType[str]
    _Choice = click.Choice[str]
else:
    # Only newer versions of click allow subscripts on this type at run time.
    _TextType = click.ParamType
    _Choice = click.Choice


# The name of the argument in rows of excluded or needed options.
_PUZZLE = "PUZZLE"

# The option to write records unchanged.
_AS_IT_CAME = "--unique"

# Sources of values that the user did not type.
_BY_ITSELF = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)

# Widest name that has its help text on the same line, as in click.
_WIDEST_NAME = 30


class OptionGroup(Enum):
    """Groups of options, the most used first."""

    ANSWER = "Answer"
    OUTPUT = "Output"
    INPUT = "Input"
    MANY = "Many puzzles"
    SOLVER = "Solver"
    HELP = "Help"


class GroupedOption(click.Option):
    """An option with a group."""

    def __init__(self, *args: Any, group: OptionGroup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


def option(group: OptionGroup, *names: str, **attributes: Any) -> Callable[..., Any]:
    """Return the decorator `click.option` with a group."""
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


def declared(
    group: OptionGroup, declaration: Option, *names: str, **attributes: Any
) -> Callable[..., Any]:
    """Return the decorator for an option that is declared in `answering/asked.py`."""
    shown = {"metavar": declaration.metavar, "help": declaration.help, **attributes}
    switch = f"/--no-{declaration.name.removeprefix('--')}" if declaration.is_switch else ""
    return option(group, declaration.name + switch, *names, **shown)


class GroupedCommand(click.Command):
    """A command whose help has a section for each option group, and that checks combinations.

    Each row of `excludes` names options that exclude all others in the row; each row of `needs`
    names options that need at least one of the others. `PUZZLE` is an argument, `.opb` an output
    with that suffix; an output with the suffix `.parquet` counts as `--csv` too. One with the
    suffix `.csv` does if the other options allow it.
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
            hint = hint or self._hint_at_choice(rest[0])
            raise click.UsageError(f"Got unexpected extra argument ({rest[0]}){hint}", ctx)
        # During shell completion, needed options may not be typed yet.
        if not ctx.resilient_parsing:
            self._require_fitting(ctx)
            if self._names_table(ctx):
                ctx.params[self._names["--csv"].name or ""] = True
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OptionError as error:
            raise click.BadParameter(str(error), ctx, param_hint=f"'{error.option}'") from None

    def _hint_at_choice(self, argument: str) -> str:
        """Return a question that suggests the option with this value; empty if there is none."""
        for each in self.params:
            if isinstance(each.type, click.Choice) and argument in each.type.choices:
                return f"; did you mean {each.opts[0]} {argument}?"
        return ""

    def _require_fitting(self, ctx: click.Context) -> None:
        """Refuse options that exclude each other, lack another, or were taken for a value."""
        values = self._given_values(ctx)
        shown = _as_typed(values)
        for message in chain(
            _mistaken(values, self._names),
            find_excluded(shown, self.excludes),
            find_lacking(shown, self.needs),
        ):
            raise click.UsageError(message, ctx)

    def _names_table(self, ctx: click.Context) -> bool:
        """Whether the output ends in .csv, and nothing else asks for another form."""
        values = self._given_values(ctx)
        output = values.get("--output")
        if not isinstance(output, str) or _ending_of(output) != ".csv":
            return False
        # `solve` writes in the format of the input, unless --to or --csv is given.
        has_input = any(isinstance(each, click.Argument) for each in self.params)
        writes_format = has_input and "--to" in self._names
        if "--csv" not in self._names or _AS_IT_CAME in values or writes_format:
            return False
        return not any(find_excluded(_as_typed({**values, "--csv": True}), self.excludes))

    @property
    def _names(self) -> dict[str, click.Parameter]:
        """Return the parameters by each of their names, as they are typed."""
        return {name: parameter for parameter in self.params for name in parameter.opts}

    def _given_values(self, ctx: click.Context) -> dict[str, Any]:
        """Return the given values by each name of their option; a flag set to false is left out."""
        given = {}
        for name, parameter in self._names.items():
            value = ctx.params.get(parameter.name or "")
            # Do not test for truth: 0 and an empty text are values.
            is_empty = value is None or value is False or value == ()
            if is_empty or ctx.get_parameter_source(parameter.name or "") in _BY_ITSELF:
                continue
            given[_PUZZLE if isinstance(parameter, click.Argument) else name] = value
        return given

    def get_help(self, ctx: click.Context) -> str:
        formatter = fit_help(ctx.make_formatter())
        self.format_help(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group, or a single one if there are few groups."""
        sections: dict[str, list[tuple[str, str]]] = {group.value: [] for group in OptionGroup}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None and isinstance(parameter, click.Option):
                sections[self._group_of(parameter, ctx).value].append(row)
        filled = {title: rows for title, rows in sections.items() if rows}
        if len(filled) < 3:  # one group besides that of --help
            filled = {"Options": [row for rows in filled.values() for row in rows]}
        # Help texts begin in the same column in all sections.
        width = max(len(name) for rows in filled.values() for name, _ in rows)
        width = min(width, _WIDEST_NAME if formatter.width >= NARROW else formatter.width // 3)
        for title, rows in filled.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in rows], width)

    def _group_of(self, parameter: click.Option, ctx: click.Context) -> OptionGroup:
        if isinstance(parameter, GroupedOption):
            return parameter.group
        is_help = parameter.name == "help" or parameter is self.get_help_option(ctx)
        return OptionGroup.HELP if is_help else OptionGroup.ANSWER


def _as_typed(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the given options by the names used in rows, as a message shows them."""
    shown = {name: name for name in values}
    for name, value in values.items():
        word = value.value if isinstance(value, Enum) else value
        shown[f"{name}={word}"] = f"{name} {word}"
    output = values.get("--output")
    if isinstance(output, str):
        shown[_ending_of(output)] = output
    if is_parquet(output):
        # Rows about --csv apply to this file too, and the message says why.
        shown.setdefault("--csv", f"{output} (which gets the table of --csv)")
    return shown


def _ending_of(output: str) -> str:
    """Return the suffix that tells the content of a file, such as `.opb` for `rules.opb.gz`."""
    name, ending = os.path.splitext(output.lower())
    return os.path.splitext(name)[1] if ending in ALL_COMPRESSIONS else ending


def _mistaken(values: Mapping[str, Any], names: Mapping[str, click.Parameter]) -> Iterator[str]:
    for name, value in values.items():
        if name == _PUZZLE:
            continue  # after `--` anything may follow
        for text in map(str, value if isinstance(value, tuple) else (value,)):
            if text.startswith("-") and text in names:
                yield f"{name} needs a value, but {text} is an option"
            elif isinstance(names[name].type, FileName | click.Path) and is_no_name(text):
                yield f"{name} needs a name, but {quote(text)} is a puzzle"


command = partial(click.command, cls=GroupedCommand)
"""Like `click.command`, with grouped options."""


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
    """Complete the names of solvers; in a list, the name after the last comma."""
    others, comma, last = incomplete.rpartition(",")
    names = [name for name in (*LADDERS, *FAMILIES, *SOLVERS) if name.startswith(last.lower())]
    return [_item(others + comma + name) for name in names]


def complete_rule(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Complete the names of rules, with a colon if an argument follows."""
    texts = [f"{name}:" if rule.example else name for name, rule in RULES.items()]
    return [_item(text) for text in texts if text.startswith(incomplete)]


def _item(*args: Any, **kwargs: Any) -> "CompletionItem":
    from click.shell_completion import CompletionItem

    return CompletionItem(*args, **kwargs)


Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

# "natural" is what some papers call the efficient encoding.
_ENCODINGS = {encoding.value: encoding for encoding in Encoding} | {"natural": Encoding.EFFICIENT}


def read_solver(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Parse the name of a solver, or its abbreviation in python-sat."""
    try:
        return value if value in LADDERS else find_solver(value).name
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None


def read_portfolio(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, ...]:
    """Parse comma-separated names of solvers."""
    names = [name.strip() for name in (value or "").split(",") if name.strip()]
    if value is not None and not names:
        raise click.BadParameter("a portfolio needs at least one solver")
    return tuple(read_solver(ctx, param, name) for name in names)


def _read_encoding(ctx: click.Context, param: click.Parameter, value: str) -> Encoding:
    """Parse the name of an encoding."""
    return _ENCODINGS[value]


def _read_method(ctx: click.Context, param: click.Parameter, value: str | None) -> Method | None:
    """Parse the name of an at-most-one method."""
    return None if value is None else Method(value)


def read_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Check that a time limit is finite."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number of seconds")
    return value


def read_text(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return a text in which bytes that are no text are written as codes.

    Python passes such bytes of a command line as surrogates, which cannot be printed.
    """
    return None if value is None else value.encode(errors=ESCAPED).decode()


def all_of(options: Sequence[Decorator]) -> Decorator:
    """Combine several option decorators into one."""

    def decorate(command: Command) -> Command:
        # The decorator that is applied last comes first in `--help`.
        for decorator in reversed(options):
            command = decorator(command)
        return command

    return decorate


def timeout_option(help_text: str) -> Decorator:
    """Return the option --timeout; the help says what the command does at the limit."""
    return option(
        OptionGroup.SOLVER,
        LIMITS["timeout"].name,
        type=Real(min=0, min_open=True),
        callback=read_seconds,
        metavar="SECONDS",
        help=help_text,
    )


def gathered(name: str, make: Callable[..., Any], options: Sequence[Decorator]) -> Decorator:
    """Give a command these options as one argument: the value that `make` returns for them.

    Each option is passed to the parameter of `make` that has its name, so the types are declared
    where they are used.
    """
    wanted = signature(make).parameters

    def decorate(command: Command) -> Command:
        def collect(**values: Any) -> Any:
            own = {key: value for key, value in values.items() if key in wanted}
            others = {key: value for key, value in values.items() if key not in wanted}
            return command(**{name: make(**own)}, **others)

        # update_wrapper also copies the parameters that click's decorators left on the command.
        return all_of(options)(update_wrapper(collect, command))

    return decorate


limit_options = gathered(
    "limits",
    Limits,
    [
        timeout_option(LIMITS["timeout"].help),
        option(
            OptionGroup.SOLVER,
            LIMITS["conflicts"].name,
            type=Whole(min=1),
            metavar="N",
            help=LIMITS["conflicts"].help,
        ),
    ],
)
"""The options of limits; a command receives them as `limits`."""

solver_option = option(
    OptionGroup.SOLVER,
    SETTINGS["solver"].name,
    callback=read_solver,
    shell_complete=complete_solver,
    metavar="NAME",
    default=SETTINGS["solver"].usual,
    show_default=True,
    help=SETTINGS["solver"].help,
)


def encoding_option(default: Encoding) -> Decorator:
    """Return the option --encoding; commands differ in the default."""
    return option(
        OptionGroup.SOLVER,
        SETTINGS["encoding"].name,
        type=click.Choice(list(_ENCODINGS)),
        callback=_read_encoding,
        default=default.value,
        show_default=True,
        help=SETTINGS["encoding"].help,
    )


def method_option(help_text: str, default: Method | None = None) -> Decorator:
    """Return the option --at-most-one; without a default it depends on the solver."""
    return option(
        OptionGroup.SOLVER,
        SETTINGS["at_most_one"].name,
        type=click.Choice([method.value for method in Method]),
        callback=_read_method,
        default=None if default is None else default.value,
        show_default=default is not None,
        help=help_text,
    )


force_option = option(
    OptionGroup.OUTPUT, "--force", is_flag=True, help="Overwrite files that exist."
)

jobs_option = option(
    OptionGroup.MANY,
    "-j",
    "--jobs",
    type=Whole(min=1),
    metavar="N",
    help="Number of processes; by default one for a few puzzles, all cores for many.",
)

resume_option = option(
    OptionGroup.MANY, "--resume", is_flag=True, help="Continue an interrupted run into --output."
)

cluster_option = option(
    OptionGroup.MANY,
    "--dask",
    "cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: tcp://host:8786, or local.",
)

progress_option = option(
    OptionGroup.MANY,
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr; by default if that is a terminal.",
)

quiet_option = option(
    OptionGroup.OUTPUT,
    "-q",
    "--quiet",
    is_flag=True,
    help="Print only what was asked for: no messages, verdicts or file names.",
)

verbose_option = option(
    OptionGroup.OUTPUT,
    "-v",
    "--verbose",
    "is_verbose",
    is_flag=True,
    help="Print on stderr what decided each puzzle, and how long it took.",
)


def _make_settings(
    limits: Limits,
    solver: str,
    encoding: Encoding,
    at_most_one: Method | None,
    command: str | None,
    portfolio: tuple[str, ...],
    seed: int,
) -> Settings:
    if command == "":
        raise click.UsageError("--with needs the command of a solver")
    try:
        return Settings(
            solver,
            encoding,
            at_most_one,
            limits,
            command or "",
            portfolio,
            seed,
        )
    except SatdokuError as error:
        raise click.UsageError(str(error)) from None


solving_options = gathered(
    "settings",
    _make_settings,
    [
        limit_options,
        solver_option,
        encoding_option(Encoding.REDUCED),
        method_option(
            "Encoding of at-most-one constraints; by default native "
            "if the solver has it, else pairwise."
        ),
        option(
            OptionGroup.SOLVER,
            "--with",
            "command",
            metavar="COMMAND",
            help="Ask an external solver: 'kissat -q' through pipes, 'minisat {cnf} {out}' "
            "through files.",
        ),
        option(
            OptionGroup.SOLVER,
            "--portfolio",
            callback=read_portfolio,
            shell_complete=complete_solver,
            # To click, this means: the option takes a value, or the one below if none follows.
            is_flag=False,
            flag_value=",".join(PORTFOLIO),
            metavar="[NAME,NAME...]",
            help="Let several solvers race; the first answer wins. As the last argument, without "
            "names: race the two methods that decide most large boards.",
        ),
        option(
            OptionGroup.SOLVER,
            SETTINGS["seed"].name,
            type=Whole(min=0),
            default=SETTINGS["seed"].usual,
            show_default=True,
            help=SETTINGS["seed"].help,
        ),
    ],
)
"""The options of all commands that solve; a command receives them as `settings`."""


# Options that answerers declare: each field made by `asked` becomes an option of its command.


def asked_options(kind: Any, only: Collection[str] = (), **further: Mapping[str, Any]) -> Decorator:
    """Return the options that an answerer's class declares; the command gets them as `asked`.

    `only` restricts them to the options of these fields. `further` has, by field, attributes of
    options that concern the command line alone.
    """
    declared_there = options_of(kind)
    options = {name: declared_there[name] for name in only or declared_there}

    def decorate(command: Command) -> Command:
        def collect(**values: Any) -> Any:
            asked = {name: values.pop(name) for name in options}
            return command(asked=asked, **values)

        declared = [
            _option_of(name, option, further.get(name, {})) for name, option in options.items()
        ]
        return all_of(declared)(update_wrapper(collect, command))

    return decorate


class FormatName(_Choice):
    """The name of a format: one of those that are listed, or one that another package has."""

    def __init__(self, names: Sequence[str] = FORMAT_NAMES) -> None:
        super().__init__(names)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices and has_format(value):
            return str(value)
        return super().convert(value, param, ctx)


def _option_of(name: str, option: Option, further: Mapping[str, Any]) -> Decorator:
    attributes: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    names = [each for each in (option.short, option.name) if each]
    if option.is_switch:
        names = [f"{option.name}/--no-{option.name.removeprefix('--')}"]
        attributes["default"] = None
    elif option.is_counted:
        attributes["count"] = True
    elif option.is_flag:
        attributes["is_flag"] = True
    elif option.is_repeatable:
        attributes["multiple"] = True
    elif option.is_range:
        attributes["callback"] = read_range
    else:
        attributes |= {"type": _type_of(option), "default": option.usual, "callback": _checked}
        attributes["show_default"] = option.is_usual_shown and option.usual not in (None, "")
    kind = GroupedOption if "group" in further else click.Option
    return click.option(*names, name, cls=kind, **{**attributes, **further})


def _type_of(option: Option) -> "click.ParamType[Any] | None":
    if option.choices:
        return click.Choice(option.choices)
    return None if option.least is None else Whole(min=option.least)


def _checked(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Return a value; in a text, bytes that are no text are written as codes."""
    return read_text(ctx, param, value) if isinstance(value, str) else value


# Most characters of a range: two numbers far beyond any board. Python refuses to read numbers of
# thousands of digits.
_LONGEST_RANGE = 40


def read_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Parse a number, or the smallest and greatest with a hyphen between them: `24` or `24-28`."""
    if value is None:
        return None
    low, hyphen, high = value.partition("-")
    is_range = low.isdecimal() and (high.isdecimal() or not hyphen)
    if not is_range or len(value) > _LONGEST_RANGE:
        raise click.BadParameter(f"{quote(value)} is neither a number nor a range such as 24-28")
    least, most = int(low), int(high if hyphen else low)
    if least > most:
        raise click.BadParameter(f"{value} begins with its greater number; write {most}-{least}")
    return least, most
