"""The commands by whose answers collections are sorted.

`rate` says how hard a puzzle is, `canonical` of which other ones it is a twin.
"""

import collections
from typing import Any

import click

from satdoku.answering.classifiers import (
    CanonicalFinder,
    Rater,
    Repeats,
    write_rating,
)
from satdoku.answering.fact_finder import AsItCame, Plain
from satdoku.answering.form import Nothing
from satdoku.answering.output.ending import Ending
from satdoku.batch.row import Row
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import asked_options, command, limit_options
from satdoku.cli.running import EXCLUDED, NEEDED, Run, answer, run_options
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        ("--table", "--steps --estimate --json --csv --output", "--table is no answer a puzzle"),
    ],
    needs=NEEDED,
)
@puzzle_input
@asked_options(Rater)
@click.option("--table", "has_table", is_flag=True, help="Only how often each rating occurs.")
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
    if not has_table:
        form = run.form_for(Plain(Ending.UNIQUE), Rater.columns_with(asked))
        return answer(run, inputs, Rater(form, limits, **asked))
    # No row is printed then: the table is made of what rows bring along.
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


@command(
    excludes=[
        *EXCLUDED,
        ("--how", "--unique --csv", "--how stands behind forms as lines, or in --json"),
        ("--unique", "--resume", "--unique leaves lines out, and --resume counts them"),
    ],
    needs=NEEDED,
)
@puzzle_input
@asked_options(CanonicalFinder)
@click.option(
    "--unique", "is_unique", is_flag=True, help="Print puzzles as they came, without twins."
)
@limit_options
@run_options
def canonical(
    inputs: Inputs,
    asked: dict[str, Any],
    is_unique: bool,
    limits: Limits,
    run: Run,
) -> int:
    """Give all symmetric twins of a puzzle one form.

    Twins are what renaming digits, shuffling lines within bands and bands among each other, and
    transposing make of a puzzle. Of all of them the canonical form comes first, with empty cells
    before digits; lists of puzzles on the web are often in this form, known as minlex. With
    --form max it is the last one, maxlex.

    With --unique, each puzzle is printed as it came, unless a twin of it came before; how many
    were left out is said on stderr. That takes about 100 bytes of memory a puzzle. --json and
    --csv add the canonical form and the number of automorphisms.

    \b
    satdoku canonical puzzle.txt
    satdoku canonical --unique bank.txt -o without_twins.txt
    satdoku canonical --csv bank.csv -o named.csv
    """
    # A line that begins with no word for an ending is a form, whose ending is known so.
    plain = Plain(Ending.UNIQUE if asked["of"] == "solution" else Ending.ANSWERED)
    columns = CanonicalFinder.columns_with(asked)
    finder = CanonicalFinder(
        run.form_for(AsItCame() if is_unique else plain, columns), limits, **asked
    )
    # Here, and not in the workers: only this process sees all puzzles in their order.
    return answer(run, inputs, finder, Repeats().leave_out if is_unique else None)
