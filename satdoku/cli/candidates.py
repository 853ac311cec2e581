"""`satdoku candidates`: the digits that cells have in some solution."""

import click

from satdoku.answering.explainer import CandidateFinder, Prose
from satdoku.cli.help import command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options
from satdoku.cli.running import Run, run_options
from satdoku.solving.limits import Limits


@command()
@puzzle_input
@click.option(
    "--witnesses", is_flag=True, help="With --json: a solution for each of the candidates."
)
@click.option("--flat", is_flag=True, help="One line, 729 characters for 9x9, instead of a board.")
@limit_options
@run_options
def candidates(
    inputs: Inputs,
    witnesses: bool,
    flat: bool,
    timeout: float | None,
    conflicts: int | None,
    run: Run,
) -> int:
    """Find the true candidates of puzzles: the digits that each cell has in some solution.

    Of a puzzle with one solution that is the solution; of one with none there are no candidates.

    \b
    satdoku candidates puzzle.txt
    satdoku candidates --json --witnesses puzzle.txt
    satdoku candidates --flat puzzles.txt -o candidates.txt
    """
    if run.is_csv or run.rejects is not None:
        raise click.UsageError("--csv and --rejects are for check and solve")
    if witnesses and not run.is_json:
        raise click.UsageError("--witnesses needs --json")
    if flat and run.is_json:
        raise click.UsageError("--flat and --json exclude each other")
    form = run.form_named(False) or Prose(None, inputs.hints.spelling)
    return run.answer(inputs, CandidateFinder(form, Limits(timeout, conflicts), witnesses, flat))
