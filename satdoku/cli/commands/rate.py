"""`satdoku rate`: how hard puzzles are."""

import collections
from typing import Any

import click

from satdoku.answering.fact_finder import Plain
from satdoku.answering.form import Nothing
from satdoku.answering.output.ending import Ending
from satdoku.answering.rater import Rater, write_rating
from satdoku.batch.row import Row
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import asked_options, command, limit_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        (
            "--table",
            "--steps --estimate --estimate-version --json --csv --output",
            "--table counts ratings of all puzzles together",
        ),
    ],
    needs=[*NEEDED, *Rater.needs],
)
@puzzle_input
@asked_options(Rater)
@click.option("--table", "has_table", is_flag=True, help="Print only how often each rating occurs.")
@limit_options
@run_options
def rate(
    inputs: Inputs,
    asked: dict[str, Any],
    has_table: bool,
    limits: Limits,
    run: Run,
) -> int:
    """Rate puzzles: a number and a level for each.

    The number depends only on the puzzle, and is the same for all its symmetric twins. Hidden
    singles solve a puzzle of 0, all singles one of 1, lines and boxes too one of 2; from 3 on, the
    number grows with the steps to the longest contradiction that is needed. Only a puzzle with
    exactly one solution has a rating. --steps adds the number of steps of an explanation, the
    number of truths (cells, or digits in a unit) in its largest step, and of placements in its
    longest, which orders puzzles beyond a rating. --estimate estimates three numbers of the program
    Sudoku Explainer for classic 9x9 puzzles: ER of the hardest step, EP of the hardest until the
    first digit is placed, and ED of the first.

    \b
    satdoku rate puzzle.txt
    satdoku rate bank.csv --csv -o rated.csv
    satdoku rate puzzles.txt --table
    """
    if not has_table:
        form = run.form_for(Plain(Ending.UNIQUE), Rater.columns_with(asked))
        return answer(run, inputs, Rater(form, limits, **asked))
    # With a table no rows are printed; the table counts the results of the rows.
    table: collections.Counter[Rating] = collections.Counter()

    def count(row: Row) -> Row:
        table.update(result for result in row.results if result is not None)
        return row

    try:
        return answer(run, inputs, Rater(Nothing(), limits), count)
    finally:
        # After Ctrl-C, too, the table of the ratings so far is printed.
        _print_table(table)


def _print_table(table: collections.Counter[Rating]) -> None:
    # Shares are of rated puzzles only; the others were reported on stderr.
    total = table.total()
    # The level `beyond` has no number and is sorted last.
    for rating in sorted(table, key=lambda rating: (rating.number is None, rating.number)):
        count = table[rating]
        click.echo(f"{write_rating(rating):14} {count:9,} {count / total:7.1%}")
