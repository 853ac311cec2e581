"""The commands that give each puzzle a number: `count` its solutions, `rate` how hard it is."""

import collections

import click

from satdoku.answering.counter import COLUMNS, Counter, Counts
from satdoku.answering.fact_finder import Plain
from satdoku.answering.form import Nothing
from satdoku.answering.output.ending import Ending
from satdoku.answering.rater import (
    COLUMNS_OF_ESTIMATE,
    COLUMNS_OF_RATING,
    COLUMNS_OF_STEPS,
    Rater,
    write_rating,
)
from satdoku.batch.row import Row
from satdoku.cli.declaring import Whole, command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options, solving_options
from satdoku.cli.puzzle_run import answer
from satdoku.cli.running import EXCLUDED, NEEDED, Run, run_options
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Limits
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


@command(
    excludes=[
        *EXCLUDED,
        ("--table", "--steps --estimate --json --csv --output", "--table is no answer a puzzle"),
    ],
    needs=NEEDED,
)
@puzzle_input
@click.option("--steps", "has_steps", is_flag=True, help="Add what an explanation takes.")
@click.option(
    "--estimate", "has_estimate", is_flag=True, help="Add what Sudoku Explainer may say of it."
)
@click.option("--table", "has_table", is_flag=True, help="Only how often each rating occurs.")
@limit_options
@run_options
def rate(
    inputs: Inputs,
    has_steps: bool,
    has_estimate: bool,
    has_table: bool,
    timeout: float | None,
    conflicts: int | None,
    run: Run,
) -> int:
    """Rate puzzles: a number and a level for each.

    The number depends on nothing but the puzzle, and is the same for all its symmetric twins.
    0 are hidden singles, 1 all singles, 2 lines and boxes too; from 3 on it counts the steps of
    the longest contradiction that has to be followed. A puzzle has no rating unless it has
    exactly one solution. With --steps, an explanation is made: how many steps it has, and on how
    many truths the largest rests. With --estimate, the numbers ER, EP and ED of the program Sudoku
    Explainer are estimated, for classic 9x9 puzzles: its hardest step, that until the first digit
    is placed, and the first one.

    \b
    satdoku rate puzzle.txt
    satdoku rate bank.csv --csv -o rated.csv
    satdoku rate puzzles.txt --table
    """
    limits = Limits(timeout, conflicts)
    if not has_table:
        columns = (
            COLUMNS_OF_RATING + COLUMNS_OF_STEPS * has_steps + COLUMNS_OF_ESTIMATE * has_estimate
        )
        form = run.form_for(Plain(Ending.UNIQUE), columns)
        return answer(run, inputs, Rater(form, limits, has_steps, has_estimate))
    table: collections.Counter[Rating] = collections.Counter()

    def count(row: Row) -> Row:
        if row.result is not None:
            table[row.result] += 1
        return row

    try:
        return answer(run, inputs, Rater(Nothing(), limits), count)
    finally:
        # After Ctrl-C too: what was rated by then.
        _print_table(table)


def _print_table(table: collections.Counter[Rating]) -> None:
    # Shares of what was rated; what has no rating was told on stderr.
    total = table.total()
    # The level `beyond` has no number, and stands behind all that have one.
    for rating in sorted(table, key=lambda rating: (rating.number is None, rating.number)):
        count = table[rating]
        click.echo(f"{write_rating(rating):14} {count:9,} {count / total:7.1%}")
