"""`satdoku generate`: new puzzles, each with one solution."""

import sys
from secrets import token_hex
from typing import NamedTuple

import click

from satdoku.answering.maker import CSV, JSON, Maker, Number
from satdoku.api import parse
from satdoku.cli.drawing import draw_option, drawing_of
from satdoku.cli.exit_codes import code_of
from satdoku.cli.inputs import read_box
from satdoku.cli.options import force_option, gathered, jobs_option, limit_options, quiet_option
from satdoku.cli.outputs import output_option, output_stream
from satdoku.cli.rule_options import RULE_PARAMETERS, hinted_rules, size_of_regions
from satdoku.cli.terminal import Progress, Talk
from satdoku.errors import SatdokuError
from satdoku.files import is_parquet
from satdoku.generating.generate import Ratings, make_generator
from satdoku.generating.request import Minimality, Request, Technique
from satdoku.generating.wishes import Wishes, make_request
from satdoku.notation.formats import FORMATS
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Symmetry
from satdoku.rating.rating import LOWEST_RATINGS, Level
from satdoku.solving.limits import Limits

_RANDOM = "random"


def read_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """A number, or the smallest and the greatest with a hyphen between them: `24` or `24-28`."""
    if value is None:
        return None
    low, hyphen, high = value.partition("-")
    if not (low.isdecimal() and (high.isdecimal() or not hyphen)):
        raise click.BadParameter(f"{value!r} is neither a number nor a range such as 24-28")
    return int(low), int(high if hyphen else low)


class Wanted(NamedTuple):
    """What the options ask for."""

    request: Request
    ratings: Ratings | None
    is_new_seed: bool


def _make_wanted(
    seed: str | None,
    box: Geometry | None,
    rules: tuple[str, ...],
    regions: str | None,
    random_regions: bool,
    givens: tuple[int, int] | None,
    minimal: bool | None,
    symmetry: str,
    mask: str | None,
    start: str | None,
    technique: str | None,
    rating: tuple[int, int] | None,
    difficulty: str | None,
) -> Wanted:
    if rating is not None and difficulty is not None:
        raise click.UsageError("--rating and --difficulty exclude each other")
    names = hinted_rules(rules, regions)
    minimality = {True: Minimality.GIVENS, False: Minimality.NONE, None: None}[minimal]
    wishes = Wishes(
        givens,
        minimality,
        None if symmetry == _RANDOM else symmetry,
        mask,
        technique,
        random_regions,
    )
    try:
        board = Grid.empty(box or size_of_regions(regions) or Geometry())
        source = parse(
            board if start is None else start, box=None if start is None else box, rules=names
        )
        request = make_request(source, wishes, token_hex(8) if seed is None else seed)
        ratings = rating if difficulty is None else _ratings_of(Level(difficulty))
        make_generator(request, ratings).close()
    except SatdokuError as error:
        raise click.UsageError(str(error)) from None
    return Wanted(request, ratings, seed is None)


def _ratings_of(level: Level) -> Ratings:
    """The ratings of a level: up to where the next one begins."""
    lows = list(LOWEST_RATINGS.values())
    place = lows.index(LOWEST_RATINGS[level])
    return lows[place], lows[place + 1] - 1 if place + 1 < len(lows) else None


wishes_options = gathered(
    "wanted",
    _make_wanted,
    [
        click.option("--seed", metavar="TEXT", help="The same puzzles again, on every machine."),
        click.option("--box", callback=read_box, metavar="RxC", help="Box shape, such as 2x3."),
        *RULE_PARAMETERS,
        click.option("--random-regions", is_flag=True, help="Other irregular regions each time."),
        click.option(
            "-k",
            "--givens",
            callback=read_range,
            metavar="K|MIN-MAX",
            help="How many digits are given.",
        ),
        click.option(
            "--minimal/--no-minimal",
            default=None,
            help="No given is redundant; with a symmetry, by default no symmetric group is.",
        ),
        click.option(
            "--symmetry",
            type=click.Choice([*(symmetry.value for symmetry in Symmetry), _RANDOM]),
            default=Symmetry.NONE.value,
            help="Of the pattern of givens.",
        ),
        click.option("--mask", metavar="PATTERN", help="The cells to be given; dots for others."),
        click.option("--from", "start", metavar="GRID", help="The full grid they all lead to."),
        click.option(
            "--technique",
            type=click.Choice([technique.value for technique in Technique]),
            help="Nothing more is needed to solve them.",
        ),
        click.option(
            "--rating",
            callback=read_range,
            metavar="N|MIN-MAX",
            help="Make puzzles until one has it.",
        ),
        click.option(
            "--difficulty",
            type=click.Choice([level.value for level in LOWEST_RATINGS]),
            help="The same by name.",
        ),
    ],
)


@click.command()
@click.option("-n", "--number", type=click.IntRange(min=1), default=1, help="How many puzzles.")
@wishes_options
@click.option(
    "--to",
    type=click.Choice(list(FORMATS)),
    help="Format; line if not given, json for further rules.",
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object a puzzle, with its rating.")
@click.option("--csv", "is_csv", is_flag=True, help="The same as a table.")
@click.option("--with-solution", is_flag=True, help="The solution too.")
@draw_option("the puzzles, solutions at the end with --with-solution")
@limit_options
@output_option
@force_option
@jobs_option
@quiet_option
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
    output: str | None,
    force: bool,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Make puzzles that have exactly one solution.

    Without options: one minimal 9x9 puzzle. The seed goes to stderr where none was given. Puzzle i
    of a seed is the same on every machine and with any number of --jobs.

    \b
    satdoku generate -n 100 --symmetry rotate180 -o puzzles.txt
    satdoku generate -k 24-26 --difficulty hard --json
    satdoku generate --rule anti-knight --seed 7
    """
    from satdoku.batch.run import run
    from satdoku.output.tally import Tally

    is_csv = is_csv or is_parquet(output)
    if sum((to is not None, is_json, is_csv)) > 1:
        raise click.UsageError("--to, --json and --csv exclude each other; .parquet is --csv")
    progress = Progress(sys.stderr.isatty() and not quiet)
    progress.expect(number)
    talk = Talk(quiet, progress)
    form = to or ("line" if wanted.request.is_classic else "json")
    if is_json or is_csv:
        form = JSON if is_json else CSV
    limits = Limits(timeout, conflicts)
    has_facts = is_json or is_csv
    albums = drawing_of(drawing, force)
    maker = Maker(
        wanted.request, wanted.ratings, limits, form, has_facts, with_solution, bool(albums)
    )
    # Before the work: whoever interrupts it can still make these puzzles again.
    if wanted.is_new_seed:
        talk.say(f"seed {wanted.request.seed}")
    tally = Tally()
    try:
        with output_stream(output, force, is_table=is_csv) as stream:
            stream.write(maker.opening)
            for row in run(maker, map(Number, range(number)), jobs=jobs):
                progress.clear()
                stream.write(row.text)
                tally.add(row)
                albums.add(row.result)
                if row.message:
                    talk.say(row.message)
                progress.show(tally, 0)
    except KeyboardInterrupt:
        if output not in (None, "-"):
            talk.say(f"nothing is kept: {output} appears when all {number:,} puzzles are made")
        raise
    finally:
        progress.clear()
    talk.say_if_any(albums.write())
    return code_of(set(tally.counts))
