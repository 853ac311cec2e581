"""Options that several commands share."""

import math
from collections.abc import Callable, Sequence
from functools import update_wrapper
from inspect import signature
from typing import Any

import click

from satdoku.answering.asked import LIMITS, SETTINGS
from satdoku.cli.declaring import OptionGroup, Real, Whole, complete_solver, option
from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError
from satdoku.files import ESCAPED
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import LADDERS, PORTFOLIO, Settings, find_solver

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

# "natural" is what some papers call the efficient encoding.
_ENCODINGS = {encoding.value: encoding for encoding in Encoding} | {"natural": Encoding.EFFICIENT}


def read_solver(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A solver of python-sat by its name or one of python-sat's abbreviations."""
    try:
        return value if value in LADDERS else find_solver(value).name
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None


def read_portfolio(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, ...]:
    """Solvers by their names, with commas between them."""
    names = [name.strip() for name in (value or "").split(",") if name.strip()]
    if value is not None and not names:
        raise click.BadParameter("a portfolio needs at least one solver")
    return tuple(read_solver(ctx, param, name) for name in names)


def _read_encoding(ctx: click.Context, param: click.Parameter, value: str) -> Encoding:
    """An encoding by its name."""
    return _ENCODINGS[value]


def _read_method(ctx: click.Context, param: click.Parameter, value: str | None) -> Method | None:
    """An at-most-one method by its name."""
    return None if value is None else Method(value)


def read_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A time that ends."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number of seconds")
    return value


def read_text(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A text; bytes that are none come as halves of surrogate pairs, and are written out."""
    return None if value is None else value.encode(errors=ESCAPED).decode()


def all_of(options: Sequence[Decorator]) -> Decorator:
    """Several option decorators as one."""

    def decorate(command: Command) -> Command:
        # The last decorator to be applied stands first in `--help`.
        for decorator in reversed(options):
            command = decorator(command)
        return command

    return decorate


def timeout_option(help_text: str) -> Decorator:
    """The option --timeout; what giving up means differs between commands."""
    return option(
        OptionGroup.SOLVER,
        LIMITS["timeout"].name,
        type=Real(min=0, min_open=True),
        callback=read_seconds,
        metavar="SECONDS",
        help=help_text,
    )


def gathered(name: str, make: Callable[..., Any], options: Sequence[Decorator]) -> Decorator:
    """Gives a command these options, all in one argument: what `make` makes of their values.

    Each option goes to the parameter of `make` that has its name, so their types are written down
    where they are used.
    """
    wanted = signature(make).parameters

    def decorate(command: Command) -> Command:
        def collect(**values: Any) -> Any:
            own = {key: value for key, value in values.items() if key in wanted}
            others = {key: value for key, value in values.items() if key not in wanted}
            return command(**{name: make(**own)}, **others)

        # update_wrapper also takes over the parameters that click's decorators left on the command.
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
"""The command gets them as `limits`."""

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
    """The option --encoding; commands differ in what is usual."""
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
    """The option --at-most-one; without a default it depends on the solver."""
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
    help="Processes; if not given, one for a few puzzles and all cores for many.",
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
    help="A progress bar on stderr; by default if it is a terminal.",
)

quiet_option = option(
    OptionGroup.OUTPUT,
    "-q",
    "--quiet",
    is_flag=True,
    help="Print only what was asked for: no talk, no verdicts, no names of files.",
)

verbose_option = option(
    OptionGroup.OUTPUT,
    "-v",
    "--verbose",
    "is_verbose",
    is_flag=True,
    help="Say on stderr what decided each puzzle, and how long it took.",
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
            "How at-most-one constraints are said; native where the solver can, else pairwise."
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
            # For click: the option takes a value, and this one where none follows.
            is_flag=False,
            flag_value=",".join(PORTFOLIO),
            metavar="[NAME,NAME...]",
            help="Let several solvers race; the first answer wins. Without names, behind all other "
            "arguments, the two methods race that decide most large boards.",
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
"""The options of everything that solves; the command gets them as `settings`."""
