"""`satdoku bench`: compare solvers and encodings."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    Whole,
    command,
    complete_solver,
    force_option,
    limit_options,
    option,
    quiet_option,
    read_portfolio,
)
from satdoku.cli.outputs import output_stream, require_distinct
from satdoku.cli.terminal import Talk
from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError, cut
from satdoku.files import require_writable
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.compare import (
    NATIVE,
    Contestant,
    Trial,
    compare,
    draw_plot,
    summarize,
    trial_row,
    trials_header,
    usable_solvers,
    write_table,
)
from satdoku.solving.limits import Limits

# The default solver, and one fast solver from each of three well-known families.
_SOLVERS = "auto,cadical195,glucose4,minisat22"
_ENCODINGS = f"{Encoding.REDUCED.value},{Encoding.EXTENDED.value}"

# Most characters of a command in a table.
_LONGEST_NAME = 24

_ALL, _STDOUT = "all", "-"
# More rounds do not improve the medians, and this many would take all day.
_MOST_ROUNDS = 1000

# None lets the solver choose.
_METHODS: dict[str, Method | None] = {NATIVE: None} | {method.value: method for method in Method}


def _reader(table: Mapping[str, Any]) -> Callable[..., tuple[Any, ...]]:
    """Return a callback that parses comma-separated names of the table."""

    def read(ctx: click.Context, param: click.Parameter, value: str) -> tuple[Any, ...]:
        names = [name.strip() for name in value.split(",") if name.strip()]
        for name in names:
            if name not in table:
                raise click.BadParameter(f"{name!r} is none of {', '.join(table)}")
        if not names:
            raise click.BadParameter(f"name at least one of {', '.join(table)}")
        return tuple(table[name] for name in names)

    return read


def _read_solvers(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Parse comma-separated names of solvers; `all` gives an empty tuple."""
    return () if value.strip() == _ALL else read_portfolio(ctx, param, value)


@command(
    excludes=[
        ("--csv", "--plot=-", "both would be stdout; name a file for the plot"),
    ]
)
@puzzle_input
@option(
    OptionGroup.SOLVER,
    "--solver",
    "solvers",
    callback=_read_solvers,
    shell_complete=complete_solver,
    default=_SOLVERS,
    show_default=True,
    metavar="NAME,...",
    help="Solvers of python-sat; all: those that are installed and obey the limits.",
)
@option(
    OptionGroup.SOLVER,
    "--with",
    "commands",
    multiple=True,
    metavar="COMMAND",
    help="Also compare an external solver: 'kissat -q' or 'minisat {cnf} {out}'. Repeatable.",
)
@option(
    OptionGroup.SOLVER,
    "--encoding",
    "encodings",
    callback=_reader({encoding.value: encoding for encoding in Encoding}),
    default=_ENCODINGS,
    show_default=True,
    metavar="NAME,...",
    help="Encodings; see `satdoku encodings`.",
)
@option(
    OptionGroup.SOLVER,
    "--at-most-one",
    "methods",
    callback=_reader(_METHODS),
    default=NATIVE,
    show_default=True,
    metavar="NAME,...",
    help="At-most-one methods; native means pairwise for a solver without native constraints.",
)
@option(
    OptionGroup.MANY,
    "--number",
    type=Whole(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of puzzles to take, spread evenly over the input.",
)
@option(
    OptionGroup.MANY,
    "--rounds",
    type=Whole(1, _MOST_ROUNDS),
    default=3,
    show_default=True,
    metavar="N",
    help="How often each contestant solves each puzzle.",
)
@option(
    OptionGroup.ANSWER,
    "--csv",
    "is_csv",
    is_flag=True,
    help="Write a CSV table, with a row for each trial as it ends.",
)
@option(
    OptionGroup.OUTPUT,
    "--plot",
    metavar="FILE",
    type=FileName(),
    help="Draw the times into an SVG file; - draws to stdout instead of the table.",
)
@limit_options
@force_option
@quiet_option
def bench(
    inputs: Inputs,
    solvers: tuple[str, ...],
    commands: tuple[str, ...],
    encodings: tuple[Encoding, ...],
    methods: tuple[Method | None, ...],
    number: int,
    rounds: int,
    is_csv: bool,
    plot: str | None,
    limits: Limits,
    force: bool,
    quiet: bool,
) -> int:
    """Compare solvers and encodings on the same puzzles.

    Each contestant is a solver with an encoding and an at-most-one method. All contestants prove
    for every puzzle whether it has no, one or several solutions, in changing order. Times are
    processor time for making and solving the formula. Variables, clauses, conflicts and
    propagations are medians; native at-most-one constraints follow a plus sign. The command
    stops with an error if contestants disagree.

    \b
    satdoku bench puzzles.txt
    satdoku bench puzzles.txt --solver all --encoding minimal,extended --timeout 10
    satdoku bench puzzles.txt --with 'kissat -q' --with 'minisat {cnf} {out}'
    satdoku bench puzzles.txt --at-most-one pairwise,sequential,product --plot times.svg
    """
    talk = inputs.talk(quiet)
    has_plot_file = plot not in (None, _STDOUT)
    require_distinct(inputs, [None, plot] if has_plot_file else [None])
    if plot is not None and has_plot_file:
        # Check this before the trials, which may take hours.
        require_writable(Path(plot), force)
    puzzles = _choose(inputs, talk, number)
    if not puzzles:
        return talk.code_with()  # the errors are printed already
    contestants = _contestants(solvers or usable_solvers(limits), encodings, methods)
    contestants += _external(commands, encodings, methods)
    trials = compare(puzzles, contestants, rounds, limits)
    made: list[Trial] = []
    if is_csv:
        click.echo(trials_header(), nl=False)
    try:
        for trial in _shown(trials, len(puzzles) * len(contestants) * rounds, quiet):
            made.append(trial)
            if is_csv:
                click.echo(trial_row(trial), nl=False)
    finally:
        # After Ctrl-C, the measurements so far are still written.
        _write(made, is_csv, plot, force)
    is_decided = all(trial.verdict is not Verdict.UNDECIDED for trial in made)
    return talk.code_with([ExitCode.ANSWERED if is_decided else ExitCode.UNDECIDED])


def _choose(inputs: Inputs, talk: Talk, number: int) -> list[Puzzle]:
    """Return `number` puzzles at equal distances, because neighbours in a bank are often alike.

    Only these are parsed: parsing a whole bank would take longer than the comparison.
    """
    # The number of records is needed to spread the choice; none is parsed for that.
    tasks = list(inputs.tasks(talk.refuse))
    count = min(number, len(tasks))
    if count < len(tasks):
        talk.say(f"{count:,} of {len(tasks):,} puzzles, spread evenly; --number takes more")
    puzzles = []
    for index in range(count):
        try:
            puzzles.append(tasks[index * len(tasks) // count].parse())
        except SatdokuError as error:
            talk.refuse(error)
    return puzzles


def _contestants(
    solvers: Sequence[str], encodings: Sequence[Encoding], methods: Sequence[Method | None]
) -> list[Contestant]:
    """Return all combinations once each; solvers without native constraints use pairwise."""
    by_name = {
        str(contestant): contestant
        for contestant in (Contestant(*chosen) for chosen in product(solvers, encodings, methods))
    }
    return list(by_name.values())


def _external(
    commands: Sequence[str], encodings: Sequence[Encoding], methods: Sequence[Method | None]
) -> list[Contestant]:
    """Return the combinations for external programs, which are shown by their commands."""
    if not all(command.strip() for command in commands):
        raise click.UsageError("--with needs the command of a solver")
    by_name = {
        (command, str(contestant)): contestant
        for command in commands
        for contestant in (
            Contestant(cut(command, _LONGEST_NAME), encoding, method, command)
            for encoding, method in product(encodings, methods)
        )
    }
    return list(by_name.values())


def _shown(trials: Iterable[Trial], total: int, is_quiet: bool) -> Iterator[Trial]:
    """Yield the trials, with a progress bar on a terminal."""
    is_hidden = is_quiet or not sys.stderr.isatty()
    with click.progressbar(trials, total, file=sys.stderr, hidden=is_hidden) as bar:
        yield from bar


def _write(trials: Sequence[Trial], is_csv: bool, plot: str | None, force: bool) -> None:
    summaries = summarize(trials)
    # A plot on stdout must not follow a table, or it would be no valid SVG.
    if trials and not is_csv and plot != _STDOUT:
        for line in write_table(summaries):
            click.echo(line)
    if trials and plot is not None:
        with output_stream(None if plot == _STDOUT else plot, force) as stream:
            stream.write(draw_plot(summaries))
