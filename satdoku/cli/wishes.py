"""The options that say what puzzles `satdoku generate` is to make."""

from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

import click

from satdoku.api import parse
from satdoku.cli.declaring import OptionGroup, option
from satdoku.cli.inputs import (
    hinted_rules,
    read_box,
    read_regions_option,
    rule_option,
)
from satdoku.cli.options import gathered, read_text
from satdoku.errors import SatdokuError, quote
from satdoku.making.generator import Distinct, make_generator, require_distinguishable
from satdoku.making.request import (
    Minimality,
    Ratings,
    Request,
    WantedTechnique,
    Wishes,
    make_request,
    split_drawn,
    wanted_steps,
)
from satdoku.notation.hints import geometry_of_rules
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Symmetry
from satdoku.rating.rating import LOWEST_RATINGS, RatingLevel

if TYPE_CHECKING:
    from satdoku.making.needs import Needs

_RANDOM = "random"


def read_random_regions(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """The word random, or what every command takes as regions."""
    return value if value == _RANDOM else read_regions_option(ctx, param, value)


# Room for two numbers far beyond any board; Python refuses to read numbers of thousands of digits.
_LONGEST_RANGE = 40


def read_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """A number, or the smallest and the greatest with a hyphen between them: `24` or `24-28`."""
    if value is None:
        return None
    low, hyphen, high = value.partition("-")
    is_range = low.isdecimal() and (high.isdecimal() or not hyphen)
    if not is_range or len(value) > _LONGEST_RANGE:
        raise click.BadParameter(f"{quote(value)} is neither a number nor a range such as 24-28")
    return int(low), int(high if hyphen else low)


class Wanted(NamedTuple):
    """The request that the options make, and what else they say about the puzzles to make."""

    request: Request
    ratings: Ratings | None
    distinct: Distinct | None
    is_new_seed: bool
    needs: "Needs | None"


def _make_wanted(
    seed: str | None,
    box: Geometry | None,
    rules: tuple[str, ...],
    regions: str | None,
    givens: tuple[int, int] | None,
    fewest: bool,
    clues: bool,
    minimal: bool | None,
    symmetry: str,
    mask: str | None,
    start: str | None,
    technique: str | None,
    rating: tuple[int, int] | None,
    difficulty: str | None,
    needs: tuple[str, ...],
    hardest: str | None,
    distinct: str | None,
) -> Wanted:
    has_random_regions = regions == _RANDOM
    regions = None if has_random_regions else regions
    minimality = {True: Minimality.GIVENS, False: Minimality.NONE, None: None}[minimal]
    try:
        names, drawn = split_drawn(hinted_rules(rules, regions))
        wishes = Wishes(
            givens,
            minimality,
            None if symmetry == _RANDOM else symmetry,
            mask,
            technique,
            has_random_regions,
            fewest,
            drawn,
            clues,
        )
        board = Grid.empty(box or geometry_of_rules(names) or Geometry())
        # An empty board has its boxes already; only a text has to be told them.
        source = parse(
            board if start is None else start, box=None if start is None else box, rules=names
        )
        request = make_request(source, wishes, token_hex(8) if seed is None else seed)
        ratings = rating if difficulty is None else _ratings_of(RatingLevel(difficulty))
        # Only because it refuses what no generator can make, before any output is begun.
        make_generator(request, ratings).close()
        steps = wanted_steps(needs, hardest)
        kind = None if distinct is None else Distinct(distinct)
        require_distinguishable(request, kind)
    except SatdokuError as error:
        raise click.UsageError(str(error)) from None
    return Wanted(request, ratings, kind, seed is None, steps)


def _ratings_of(level: RatingLevel) -> Ratings:
    """The ratings of a level: up to where the next one begins."""
    lows = list(LOWEST_RATINGS.values())
    place = lows.index(LOWEST_RATINGS[level])
    return lows[place], lows[place + 1] - 1 if place + 1 < len(lows) else None


wishes_options = gathered(
    "wanted",
    _make_wanted,
    [
        click.option(
            "--seed",
            callback=read_text,
            metavar="TEXT",
            help="The same puzzles again, on every machine.",
        ),
        option(
            OptionGroup.INPUT,
            "--box",
            callback=read_box,
            metavar="RxC",
            help="Box shape, such as 2x3.",
        ),
        rule_option,
        option(
            OptionGroup.INPUT,
            "--regions",
            callback=read_random_regions,
            metavar="FILE|TEXT|random",
            help="Irregular regions in place of boxes; random: others for each puzzle.",
        ),
        click.option(
            "-k",
            "--givens",
            callback=read_range,
            metavar="K|MIN-MAX",
            help="How many digits are given.",
        ),
        click.option(
            "--fewest",
            is_flag=True,
            help="Provably the fewest givens: up to 6x6 of all puzzles with that solution, else of "
            "all within a larger puzzle.",
        ),
        click.option(
            "--clues",
            is_flag=True,
            help="None of the clues drawn at random can be spared either.",
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
            type=click.Choice([technique.value for technique in WantedTechnique]),
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
        click.option(
            "--needs",
            multiple=True,
            metavar="STEP[:N|:MIN-MAX]",
            help="Make puzzles until the explanation of one has such a step, or so many: x-wing:2.",
        ),
        click.option(
            "--hardest",
            metavar="STEP",
            help="The same with this as its hardest step, such as xy-wing.",
        ),
        click.option(
            "--distinct",
            type=click.Choice([distinct.value for distinct in Distinct]),
            help="No puzzle twice, or none that renaming digits and moving lines makes of another.",
        ),
    ],
)
