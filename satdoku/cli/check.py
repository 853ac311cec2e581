"""`satdoku check`: one verdict a puzzle."""

import click

from satdoku.answering.checker import Checker
from satdoku.answering.form import Form
from satdoku.answering.forms import Nothing, Verdicts
from satdoku.cli.drawing import draw_option, drawing_of
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import solving_options
from satdoku.cli.running import Run, run_options
from satdoku.cli.terminal import find_screen
from satdoku.solving.settings import Settings


@click.command()
@puzzle_input
@click.option(
    "--solution-column",
    metavar="NAME|INDEX",
    help="CSV column or JSON key with known solutions to compare with.",
)
@click.option(
    "--stats/--no-stats",
    default=None,
    help="Time and statistics in --json; by default for a single puzzle only.",
)
@solving_options
@draw_option("solutions, with differences or clashes marked")
@run_options
def check(
    inputs: Inputs,
    solution_column: str | None,
    stats: bool | None,
    settings: Settings,
    drawing: str | None,
    run: Run,
) -> int:
    """Tell whether puzzles have exactly one solution.

    The verdict is unique, multiple, none or undecided. Behind it stands its evidence: the givens
    that clash, or where two solutions differ. --json and --csv add the solutions. With -q
    nothing is printed unless one of these or --output asks for it: the exit code says it all.

    \b
    satdoku check puzzles.txt
    satdoku check bank.csv --column puzzle --csv -o checked.csv --rejects bad.txt
    satdoku check -q puzzle.txt && echo unique
    """
    if stats and not run.is_json:
        raise click.UsageError("--stats is for --json")
    form: Form | None = run.form_named(stats)
    if form is None and run.is_quiet and run.output is None:
        form = Nothing()
    elif form is None:
        form = Verdicts(find_screen(run.output), inputs.hints.spelling)
    checker = Checker(form, settings, is_drawn=drawing is not None)
    return run.answer(
        inputs.comparing(solution_column), checker, albums=drawing_of(drawing, run.is_forced)
    )
