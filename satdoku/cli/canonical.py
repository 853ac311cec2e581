"""`satdoku canonical`: one form for all symmetric twins."""

import click

from satdoku.answering.canonical_finder import COLUMNS, CanonicalFinder, Repeats
from satdoku.answering.fact_forms import AsItCame, Plain
from satdoku.answering.form import FactsForm
from satdoku.cli.declaring import command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options
from satdoku.cli.puzzle_run import answer
from satdoku.cli.running import EXCLUDED, NEEDED, Run, run_options
from satdoku.output.ending import Ending
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        ("--how", "--unique --csv", "--how stands behind forms as lines, or in --json"),
        ("--unique", "--resume", "--unique leaves lines out, and --resume counts them"),
    ],
    needs=NEEDED,
)
@puzzle_input
@click.option(
    "--of",
    type=click.Choice(["puzzle", "solution"]),
    default="puzzle",
    show_default=True,
    help="Whose form: that of the givens, or that of the only solution.",
)
@click.option(
    "--form",
    type=click.Choice(["min", "max"]),
    default="min",
    show_default=True,
    help="Of all twins the smallest, or the largest, as in lists of the hardest puzzles.",
)
@click.option(
    "--how",
    is_flag=True,
    help="Behind each form how the board becomes it: lines in their new order, digits renamed.",
)
@click.option(
    "--unique", "is_unique", is_flag=True, help="Print puzzles as they came, without twins."
)
@limit_options
@run_options
def canonical(
    inputs: Inputs,
    of: str,
    form: str,
    how: bool,
    is_unique: bool,
    timeout: float | None,
    conflicts: int | None,
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
    of_solution = of == "solution"
    # A line that begins with no word for an ending is a form, whose ending is known so.
    plain: FactsForm = Plain(Ending.UNIQUE if of_solution else Ending.ANSWERED)
    finder = CanonicalFinder(
        run.form_for(AsItCame() if is_unique else plain, COLUMNS),
        Limits(timeout, conflicts),
        of_solution,
        form == "max",
        how,
    )
    # Here, and not in the workers: only this process sees all puzzles in their order.
    return answer(run, inputs, finder, Repeats().leave_out if is_unique else None)
