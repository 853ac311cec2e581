"""The commands for sorting collections.

`rate` rates the difficulty of puzzles, `canonical` finds symmetric twins.
"""

import collections
from typing import Any

import click

from satdoku.answering.classifiers import (
    CanonicalFinder,
    Rater,
    Repeats,
    results_of,
    write_rating,
)
from satdoku.answering.fact_finder import AsItCame, Plain
from satdoku.answering.form import Nothing
from satdoku.answering.output.ending import Ending
from satdoku.batch.row import Row
from satdoku.cli.commands.twins import compare
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import FileName, asked_options, command, limit_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        (
            "--table",
            "--steps --estimate --json --csv --output",
            "--table has no answer for each puzzle",
        ),
    ],
    needs=NEEDED,
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

    The number depends only on the puzzle, and is the same for all its symmetric twins. 0 means
    hidden singles, 1 all singles, 2 lines and boxes too; from 3 on it counts the steps of the
    longest contradiction that has to be followed. Only a puzzle with exactly one solution has a
    rating. --steps adds the number of steps of an explanation, and the number of truths in its
    largest step. --estimate estimates the numbers ER, EP and ED of the program Sudoku Explainer for
    classic 9x9 puzzles: its hardest step, the hardest until the first digit is placed, and the
    first one.

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
        table.update(result for result in results_of(row) if result is not None)
        return row

    try:
        return answer(run, inputs, Rater(Nothing(), limits), count)
    finally:
        # After Ctrl-C, too, with the ratings so far.
        _print_table(table)


def _print_table(table: collections.Counter[Rating]) -> None:
    # Shares are of rated puzzles only; the others were reported on stderr.
    total = table.total()
    # The level `beyond` has no number and is sorted last.
    for rating in sorted(table, key=lambda rating: (rating.number is None, rating.number)):
        count = table[rating]
        click.echo(f"{write_rating(rating):14} {count:9,} {count / total:7.1%}")


@command(
    excludes=[
        *EXCLUDED,
        ("--how", "--unique --csv", "--how is for lines of forms, or for --json"),
        ("--unique", "--resume", "--unique leaves lines out, and --resume counts them"),
        (
            "--against",
            "--resume --how --json --csv",
            "--against has no answer for each puzzle",
        ),
    ],
    needs=NEEDED,
)
@puzzle_input
@asked_options(CanonicalFinder)
@click.option(
    "--unique", "is_unique", is_flag=True, help="Print the puzzles unchanged, leaving out twins."
)
@click.option(
    "--against",
    metavar="FILE",
    type=FileName(),
    help="Print which puzzles have a twin in this file; with --unique, leave these out, too.",
)
@limit_options
@run_options
def canonical(
    inputs: Inputs,
    asked: dict[str, Any],
    is_unique: bool,
    against: str | None,
    limits: Limits,
    run: Run,
) -> int:
    """Give all symmetric twins of a puzzle one form.

    Twins are obtained by renaming digits, by permuting lines within bands and the bands themselves,
    and by transposing. The canonical form is the first of them all, with empty cells before digits;
    lists of puzzles on the web often use this form, known as minlex. With --form max it is the last
    one, maxlex.

    With --unique, each puzzle is printed unchanged, unless a twin of it came before; the number of
    puzzles left out is printed on stderr. That takes about 100 bytes of memory a puzzle. --json and
    --csv add the canonical form and the number of automorphisms. --against finds the puzzles that
    have a twin in another file, such as those of a test that are in the data to train on.

    \b
    satdoku canonical puzzle.txt
    satdoku canonical --unique bank.txt -o without_twins.txt
    satdoku canonical --csv bank.csv -o named.csv
    satdoku canonical test.txt --against train.txt
    """
    if against is not None:
        return compare(run, inputs, limits, against, is_unique, asked)
    # Lines do not begin with a word for an ending, so the usual ending is set here.
    plain = Plain(Ending.UNIQUE if asked["of"] == "solution" else Ending.ANSWERED)
    columns = CanonicalFinder.columns_with(asked)
    finder = CanonicalFinder(
        run.form_for(AsItCame() if is_unique else plain, columns), limits, **asked
    )
    # Here and not in the workers, because only this process sees all puzzles in order.
    return answer(run, inputs, finder, Repeats().leave_out if is_unique else None)
