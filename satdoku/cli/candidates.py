"""`satdoku candidates`: the digits that cells have in some solution."""

import click

from satdoku.answering.explainer import CandidateFinder
from satdoku.answering.fact_forms import Prose
from satdoku.cli.declaring import command
from satdoku.cli.drawing import albums_of, draw_option
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options
from satdoku.cli.puzzle_run import answer
from satdoku.cli.running import EXCLUDED, NEEDED, Run, prose_options
from satdoku.cli.terminal import is_ascii
from satdoku.explaining.words.explanation import Style
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        ("--flat", "--json --why", "--flat is one line a puzzle"),
    ],
    needs=[
        *NEEDED,
        ("--witnesses", "--json", "a board has no room for them"),
    ],
)
@puzzle_input
@click.option(
    "--witnesses", is_flag=True, help="With --json: a solution for each of the candidates."
)
@click.option("--flat", is_flag=True, help="One line, 729 characters for 9x9, instead of a board.")
@click.option(
    "--why",
    multiple=True,
    metavar="CELL",
    help="Why a digit is excluded: r4c5=3, r4c5 for all that are there, or all. Repeatable.",
)
@draw_option("the candidates as small digits in their cells")
@limit_options
@prose_options
def candidates(
    inputs: Inputs,
    witnesses: bool,
    flat: bool,
    why: tuple[str, ...],
    drawing: str | None,
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
    satdoku candidates puzzle.txt --draw candidates.svg
    satdoku candidates --why r4c5=3 --why r1c1 puzzle.txt
    """
    # Decided here: a worker does not know what the terminal of this process can show.
    limits, style = Limits(timeout, conflicts), Style(is_ascii=is_ascii())
    albums = albums_of(drawing, run.is_forced)
    finder = CandidateFinder(
        run.form_for(Prose()), limits, witnesses, flat, why, style, bool(albums)
    )
    return answer(run, inputs, finder, albums=albums)
