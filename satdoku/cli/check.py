"""`satdoku check`: one verdict a puzzle."""

from typing import Any

import click

from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import solving_options, take_settings
from satdoku.cli.running import Run, run_options
from satdoku.cli.screen import find_screen
from satdoku.reporting.answerer import Answerer
from satdoku.reporting.task import Form


@click.command()
@puzzle_input
@click.option(
    "--solution-column",
    metavar="NAME|INDEX",
    help="CSV column with known solutions to compare with.",
)
@click.option(
    "--stats/--no-stats",
    default=None,
    help="Time and statistics in --json; by default for a single puzzle only.",
)
@solving_options
@run_options
def check(inputs: Inputs, stats: bool | None, **options: Any) -> int:
    """Tell whether puzzles have exactly one solution.

    The verdict is unique, multiple, none or undecided. Behind it stands its evidence: the givens
    that clash, or where two solutions differ. --json and --csv add the solutions. With -q
    nothing is printed unless one of these or --output asks for it: the exit code says it all.

    \b
    satdoku check puzzles.txt
    satdoku check bank.csv --column puzzle --csv -o checked.csv --rejects bad.txt
    satdoku check -q puzzle.txt && echo unique
    """
    settings = take_settings(options)
    run = Run.take(options)
    form = run.form or (Form.NOTHING if run.is_quiet and run.output is None else Form.VERDICTS)
    screen = find_screen(run.output) if form is Form.VERDICTS else None
    answerer = Answerer(form, settings, hints=inputs.hints, has_statistics=stats, screen=screen)
    return run.answer(inputs, answerer)
