"""`satdoku count`: how many solutions there are."""

import click

from satdoku.answering.counter import COLUMNS, Counter, Counts
from satdoku.cli.declaring import Whole, command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import solving_options
from satdoku.cli.puzzle_run import answer
from satdoku.cli.running import EXCLUDED, NEEDED, Run, run_options
from satdoku.solving.solvers import Settings


@command(excludes=EXCLUDED, needs=NEEDED)
@puzzle_input
@click.option(
    "--limit",
    type=Whole(min=0),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Stop counting at N, shown as N+; 0 counts to the end.",
)
@solving_options
@run_options
def count(inputs: Inputs, limit: int, settings: Settings, run: Run) -> int:
    """Count the solutions of puzzles, one number a puzzle.

    A number with a plus sign was not counted to the end: at --limit, or at --timeout, which
    makes the exit code 124. With --jobs, several processes share a single board.

    \b
    satdoku count 1.....2..3.....4
    satdoku count puzzles.txt --limit 100 --timeout 10
    satdoku count bank.csv --csv -o counted.csv
    """
    # 0 stands for no limit, as people expect of limits; None says so to the counter.
    most = limit or None
    form = run.form_for(Counts(limit=most), COLUMNS)
    # Without --jobs many puzzles are spread over all cores, but no single board is.
    return answer(run, inputs, Counter(form, settings.limits, most, settings, jobs=run.jobs or 1))
