"""`satdoku generate`: new puzzles, each with one solution."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import click

from satdoku.answering.maker import (
    RANDOM,
    CsvFacts,
    Formatted,
    JsonFacts,
    Made,
    Maker,
    MakingForm,
    Number,
    Wanted,
)
from satdoku.answering.output.ending import Ending, Tally
from satdoku.answering.output.open_file import read_answers, read_options
from satdoku.answering.output.output import Output
from satdoku.answering.plan import Plan
from satdoku.api import parse
from satdoku.batch.row import Row
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import (
    hinted_rules,
    read_box,
    read_regions_option,
    rule_option,
    rules_option,
)
from satdoku.cli.options import (
    FormatName,
    OptionGroup,
    Real,
    Whole,
    asked_options,
    command,
    gathered,
    limit_options,
    option,
    read_seconds,
)
from satdoku.cli.running import (
    EXCLUDED,
    NEEDED,
    Run,
    UnfinishedError,
    Work,
    albums_of,
    draw_option,
    making_options,
)
from satdoku.cli.terminal import ProgressLine, Talk
from satdoku.errors import SatdokuError
from satdoku.making.clues import sample_board
from satdoku.making.generator import Seen, key_of, make_generator
from satdoku.making.request import Request, split_drawn, why_rare
from satdoku.notation.formats import format_named
from satdoku.notation.hints import Hints, geometry_of_rules
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.rules.regions import Regions
from satdoku.solving.limits import Limits


def read_random_regions(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """Return the word random, or regions as every command takes them."""
    return value if value == RANDOM else read_regions_option(ctx, param, value)


class Board(NamedTuple):
    """The options about the board, besides the full grid that it may have."""

    box: Geometry | None
    rules: tuple[str, ...]
    regions: str | None

    def request(self, wanted: Wanted) -> Request:
        """Return the request for such puzzles on this board; raise errors before any output."""
        has_random_regions = self.regions == RANDOM
        try:
            rules = hinted_rules(self.rules, None if has_random_regions else self.regions)
            names, drawn = split_drawn(rules)
            board = Grid.empty(self.box or geometry_of_rules(names) or Geometry())
            # The box is passed for a text only, as an empty board has its boxes already.
            source = parse(
                board if wanted.start is None else wanted.start,
                box=None if wanted.start is None else self.box,
                rules=names,
            )
            request = wanted.request(source, drawn, has_random_regions)
            # The generator is made only because this refuses what no generator can make.
            make_generator(request, wanted.ratings, wanted.steps).close()
        except SatdokuError as error:
            raise click.UsageError(str(error)) from None
        return request


board_options = gathered(
    "board",
    Board,
    [
        option(
            OptionGroup.INPUT,
            "--box",
            callback=read_box,
            metavar="RxC",
            help="Box shape, such as 2x3.",
        ),
        rule_option,
        rules_option,
        option(
            OptionGroup.INPUT,
            "--regions",
            callback=read_random_regions,
            metavar="FILE|TEXT|random",
            help="Irregular regions in place of boxes; random: new ones for each puzzle.",
        ),
    ],
)


class Production(Work):
    """The work of `generate`: makes puzzles until there are as many as are wanted."""

    resume_needs = (
        "a file with a line for each puzzle: --json, --csv, or --to line without solutions"
    )

    def __init__(self, run: Run, maker: Maker, number: int, is_new_seed: bool) -> None:
        self._run, self._maker, self._number = run, maker, number
        self._is_new_seed = is_new_seed
        self._seen = None if maker.distinct is None else Seen()
        self._written = 0

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        progress.expect(self._number)
        maker = self._maker
        identity = maker.options() if maker.form.is_linewise else None
        return Plan(replace(maker, watch=progress.tell_work), maker.form.opening(), identity)

    def records(self, output: Output, talk: Talk) -> Iterator[Number]:
        """Yield the numbers of puzzles that are still to be made, until the time for all is up.

        If repeats are left out, a file of k puzzles ends with number k - 1 or a later one. Resuming
        with number k is right in any case, as puzzles that the file has already are left out.
        """
        maker, self._written = self._maker, output.answered
        if not output.is_finished:
            # Print the seed before the work, so that the puzzles of an interrupted run can be made
            # again.
            talk.say_if_any(f"seed {maker.request.seed}" if self._is_new_seed else "")
            talk.say_if_any(why_rare(maker.request, maker.ratings))
        if self._written > self._number:
            raise SatdokuError(
                f"{self._run.output} has {self._written:,} puzzles already, more than the "
                f"{self._number:,} that are wanted"
            )
        if self._is_complete:
            return iter(())
        if self._seen is not None and output.answered:
            self._recall(self._seen, output.answered)
        return self._numbers(output.answered)

    def keep(self, rows: Iterable[Row], output: Output) -> Iterator[Row]:
        """Yield the rows of puzzles, and those in place of puzzles that were not found."""
        # The separator of two puzzles is written before the second one.
        separator = ""
        for row in rows:
            made: Made = row.result
            if made.is_out_of_time:
                # A file that can be resumed must have no gap: puzzles after a gap are made again.
                if output.can_resume:
                    raise UnfinishedError
                continue
            if self._is_new(made):
                # If repeats are left out, a puzzle that was not found has no line, and another is
                # made.
                if self._seen is not None and made.key is None:
                    self._seen.miss()
                else:
                    self._written += 1
                text = row.text and separator + row.text
                separator = self._maker.form.between if text else separator
                yield row._replace(text=text, result=made.sketch)
            if self._is_complete or (self._seen is not None and self._seen.is_exhausted):
                break
        if not self._is_complete:
            raise UnfinishedError

    def describe_interruption(self, tally: Tally, output: Output) -> str:
        # Puzzles that were not found count as written, unless repeats are left out.
        lacking = tally.counts[Ending.UNDECIDED] + tally.counts[Ending.FAULT]
        missing = lacking if self._seen is None else 0
        done = f"{self._written - missing:,} of {self._number:,} puzzles are made"
        rest = self._run.rest_of(output, "these")
        return f"{done}; {rest}" if rest else done

    def conclude(self, tally: Tally, output: Output, talk: Talk, seconds: float) -> ExitCode:
        seen = self._seen
        if seen is not None and seen.left_out:
            talk.say(f"{seen.left_out:,} puzzles were left out as made before")
        if self._is_complete:
            return code_of(set(tally.counts))
        done = f"the time limit was reached: {self.describe_interruption(tally, output)}"
        # If the time is up and there are no more puzzles, report the latter: more time would not
        # help.
        talk.say(seen.sentence if seen is not None and seen.is_exhausted else done)
        return code_of({*tally.counts, Ending.UNDECIDED})

    @property
    def _is_complete(self) -> bool:
        return self._written >= self._number

    def _numbers(self, first: int) -> Iterator[Number]:
        for number in count(first) if self._seen is not None else range(first, self._number):
            if self._maker.deadline is not None and time.time() >= self._maker.deadline:
                return
            yield Number(number)

    def _is_new(self, made: Made) -> bool:
        return self._seen is None or made.key is None or self._seen.is_new(made.key)

    def _recall(self, seen: Seen, answered: int) -> None:
        """Read the puzzles that an earlier run has written, so that none of them is repeated."""
        name, opening = str(self._run.output), self._maker.form.opening()
        lines = read_answers(Path(name), opening, answered)
        # A line does not show whether its boxes are 3x2 or 2x3.
        hints = Hints(self._maker.request.geometry)
        # `read_answers` skips the header, so it is added: a table is read by its header.
        opened = chain([opening] if opening else [], lines)
        for puzzle in read_puzzles(opened, name, hints=hints):
            if self._maker.distinct is not None:
                seen.is_new(key_of(puzzle, self._maker.distinct))


def _find_seed(request: Request, wanted: Wanted, run: Run) -> tuple[str, bool]:
    """Return the seed of this run, and whether it is new; a resumed run keeps its seed."""
    is_new = wanted.seed is None
    if not (is_new and run.is_resumed and run.output is not None):
        return request.seed, is_new
    begun = read_options(Path(run.output)).get("--seed")
    return (request.seed, True) if begun is None else (str(begun), False)


def _choose_form(
    run: Run, to: str | None, with_solution: bool, with_steps: bool, request: Request
) -> MakingForm:
    if with_steps:
        # Imported here: few runs explain what they make.
        from satdoku.answering.traces import JsonTraces

        return JsonTraces(True, request.is_fewest)
    if run.is_json:
        return JsonFacts(with_solution, request.is_fewest)
    if run.is_csv:
        if len(request.seed.splitlines()) > 1:
            raise click.UsageError("a --seed of several lines does not fit into a line of a table")
        return CsvFacts(with_solution, request.is_fewest)
    # Of all formats only JSON holds every rule.
    name = to or ("line" if request.is_classic else "json")
    board = request.board
    if request.has_random_regions:
        # Any regions will do, as a format that can hold some can hold all others.
        cells = range(request.geometry.cell_count)
        board = board.with_rules([Regions(tuple(map(request.geometry.box_of, cells)))])
    if request.drawn and name != "json":
        # Any clues will do, as a format that can hold a rule can hold all its clues.
        board = sample_board(request.drawn, board)
    try:
        # Raise an error before the work if the board is too large for the format, or has rules that
        # it cannot hold.
        format_named(name).write(board)
    except SatdokuError as error:
        raise click.UsageError(str(error)) from None
    return Formatted(with_solution, request.is_fewest, name)


@command(
    excludes=[
        *EXCLUDED,
        ("--to", "--json --csv", ""),
        *Wanted.excludes,
    ],
    needs=[
        *NEEDED,
        ("--with-steps", "--json", "steps are objects"),
    ],
)
@click.option("-n", "--number", type=Whole(min=1), default=1, help="Number of puzzles.")
@asked_options(Wanted)
@board_options
@click.option(
    "--to",
    type=FormatName(),
    help="Format; by default line, or json for puzzles with further rules.",
)
@click.option(
    "--json", "is_json", is_flag=True, help="Print a JSON object for each puzzle, with its rating."
)
@click.option(
    "--csv",
    "is_csv",
    is_flag=True,
    help="Write a CSV table with the facts of --json, as into an --output that ends in .csv.",
)
@click.option("--with-solution", is_flag=True, help="Write the solution too.")
@click.option(
    "--with-steps", is_flag=True, help="With --json: add the solution, and every step to it."
)
@draw_option("the puzzles, solutions at the end with --with-solution")
@limit_options
@option(
    OptionGroup.MANY,
    "--time-limit",
    type=Real(min=0, min_open=True),
    callback=read_seconds,
    metavar="SECONDS",
    help="Stop the whole run after this time; puzzles made until then are written.",
)
@making_options
def generate(
    number: int,
    board: Board,
    asked: dict[str, Any],
    to: str | None,
    with_solution: bool,
    with_steps: bool,
    drawing: str | None,
    limits: Limits,
    time_limit: float | None,
    run: Run,
) -> int:
    """Make puzzles that have exactly one solution.

    Without options: one minimal 9x9 puzzle. If you give no seed, the one used is printed on stderr.
    Puzzle i of a seed is the same on every machine and with any number of --jobs.

    \b
    satdoku generate -n 100 --symmetry rotate180 -o puzzles.txt
    satdoku generate -k 24-26 --difficulty hard --json
    satdoku generate --rule anti-knight --seed 7
    satdoku generate -n 1000000 -j 2 -o million.txt    (and --resume, when it was interrupted)
    satdoku generate --box 2x2 -n 36 --distinct isomorphic
    """
    # Puzzle i of a seed is always the same, so a run that goes on needs the seed of its beginning.
    wanted = Wanted(**asked)
    request = board.request(wanted)
    seed, is_new_seed = _find_seed(request, wanted, run)
    request = replace(request, seed=seed)
    albums = albums_of(drawing, run.is_forced)
    maker = Maker(
        request,
        _choose_form(run, to, with_solution, with_steps, request),
        wanted.ratings,
        limits,
        wanted.distinct,
        None if time_limit is None else time.time() + time_limit,
        bool(albums),
        wanted.steps,
    )
    return run.do(Production(run, maker, number, is_new_seed), albums)
