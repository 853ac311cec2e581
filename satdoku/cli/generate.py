"""`satdoku generate`: new puzzles, each with one solution."""

import time
from dataclasses import replace

import click

from satdoku.answering.maker import Maker
from satdoku.answering.making_forms import CsvFacts, Formatted, JsonFacts, MakingForm
from satdoku.cli.declaring import Group, Number, Whole, command, option
from satdoku.cli.drawing import draw_option, drawing_of
from satdoku.cli.making import Making, making_options
from satdoku.cli.options import limit_options, read_seconds
from satdoku.cli.wishes import Wanted, wishes_options
from satdoku.errors import SatdokuError
from satdoku.files import is_parquet
from satdoku.generating.request import Request
from satdoku.notation.formats import format_named
from satdoku.notation.hints import FORMAT_NAMES
from satdoku.puzzle.rules.regions import Regions
from satdoku.solving.limits import Limits


def _choose_form(
    to: str | None, is_json: bool, is_csv: bool, with_solution: bool, request: Request
) -> MakingForm:
    if sum((to is not None, is_json, is_csv)) > 1:
        raise click.UsageError("--to, --json and --csv exclude each other; .parquet is --csv")
    if is_json:
        return JsonFacts(with_solution, request.is_fewest)
    if is_csv:
        if len(request.seed.splitlines()) > 1:
            raise click.UsageError("a --seed of several lines does not fit into a line of a table")
        return CsvFacts(with_solution, request.is_fewest)
    # Of all formats only JSON holds every rule.
    name = to or ("line" if request.is_classic else "json")
    board = request.board
    if request.has_random_regions:
        # Which shapes they have makes no difference to what a format can hold.
        cells = range(request.geometry.cell_count)
        board = board.with_rules([Regions(tuple(map(request.geometry.box_of, cells)))])
    try:
        # Before the work: a board that is too large for the format, or has rules it cannot hold.
        format_named(name).write(board)
    except SatdokuError as error:
        raise click.UsageError(str(error)) from None
    return Formatted(with_solution, request.is_fewest, name)


@command()
@click.option("-n", "--number", type=Whole(min=1), default=1, help="How many puzzles.")
@wishes_options
@click.option(
    "--to",
    type=click.Choice(FORMAT_NAMES),
    help="Format; line if not given, json for further rules.",
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object a puzzle, with its rating.")
@click.option("--csv", "is_csv", is_flag=True, help="The same as a table.")
@click.option("--with-solution", is_flag=True, help="The solution too.")
@draw_option("the puzzles, solutions at the end with --with-solution")
@limit_options
@option(
    Group.MANY,
    "--time-limit",
    type=Number(min=0, min_open=True),
    callback=read_seconds,
    metavar="SECONDS",
    help="Stop after so long in all; what was made by then is written.",
)
@making_options
def generate(
    number: int,
    wanted: Wanted,
    to: str | None,
    is_json: bool,
    is_csv: bool,
    with_solution: bool,
    drawing: str | None,
    timeout: float | None,
    conflicts: int | None,
    time_limit: float | None,
    making: Making,
) -> int:
    """Make puzzles that have exactly one solution.

    Without options: one minimal 9x9 puzzle. The seed goes to stderr where none was given. Puzzle i
    of a seed is the same on every machine and with any number of --jobs.

    \b
    satdoku generate -n 100 --symmetry rotate180 -o puzzles.txt
    satdoku generate -k 24-26 --difficulty hard --json
    satdoku generate --rule anti-knight --seed 7
    satdoku generate -n 1000000 -j 2 -o million.txt    (and --resume, when it was interrupted)
    satdoku generate --box 2x2 -n 36 --distinct isomorphic
    """
    seed, is_new_seed = making.find_seed(wanted)
    request = replace(wanted.request, seed=seed)
    is_csv = is_csv or is_parquet(making.output)
    albums = drawing_of(drawing, making.is_forced)
    maker = Maker(
        request,
        _choose_form(to, is_json, is_csv, with_solution, request),
        wanted.ratings,
        Limits(timeout, conflicts),
        wanted.distinct,
        None if time_limit is None else time.time() + time_limit,
        bool(albums),
        wanted.needs,
    )
    return making.make(maker, number, is_new_seed, albums)
