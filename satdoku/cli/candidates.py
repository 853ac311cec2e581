"""`satdoku candidates`: the digits that cells have in some solution."""

import click

from satdoku.answering.explainer import CandidateFinder
from satdoku.answering.facts_form import Prose
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options
from satdoku.cli.running import Run, run_options
from satdoku.solving.limits import Limits


@click.command()
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
        raise click.UsageError("candidates make no table and no rejects; --json is for programs")
    if witnesses and not run.is_json:
        raise click.UsageError("--witnesses needs --json")
    if flat and run.is_json:
        raise click.UsageError("--flat and --json exclude each other")
    form = run.form_for(Prose())
    return run.answer(inputs, CandidateFinder(form, Limits(timeout, conflicts), witnesses, flat))
