"""The commands `explain` (why a puzzle has one solution, several or none) and `candidates`.

Candidates are the digits that each cell has in some solution.
"""

from typing import Any

import click

from satdoku.answering.explainer import CandidateFinder, Explainer
from satdoku.answering.fact_finder import Prose
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    asked_options,
    command,
    limit_options,
    option,
)
from satdoku.cli.running import (
    EXCLUDED,
    NEEDED,
    PAGE_NEEDS,
    Run,
    albums_of,
    answer,
    draw_option,
    html_option,
    prose_options,
)
from satdoku.cli.terminal import is_ascii
from satdoku.explaining.words.explanation import Style
from satdoku.explaining.words.steps import Wording
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *EXCLUDED,
        ("--why", "--html --draw", "--html and --draw show all steps"),
        (
            "--report",
            "--html --draw --brief --full --candidates",
            "a report has no step; --plot draws it",
        ),
        *Explainer.excludes,
    ],
    needs=[
        *NEEDED,
        PAGE_NEEDS,
        ("--plot", "--report", "it draws the report"),
    ],
)
@puzzle_input
@asked_options(Explainer)
@click.option(
    "--brief", "wording", flag_value=Wording.BRIEF.value, help="Print one short line for each step."
)
@click.option(
    "--full",
    "wording",
    flag_value=Wording.FULL.value,
    help="Name everything that each step rests on.",
)
@click.option(
    "--notation",
    type=click.Choice(["words", "eureka"]),
    default="words",
    show_default=True,
    help="How to write chains: in words, or in the notation of forums.",
)
@click.option(
    "--candidates",
    "has_boards",
    is_flag=True,
    help="Draw the candidates before each step that excludes a candidate.",
)
@html_option("walks through the steps, with a picture of each")
@draw_option("the board before each step")
@option(
    OptionGroup.OUTPUT,
    "--plot",
    metavar="FILE",
    type=FileName(),
    help="With --report: also draw the report as bars, into an SVG file.",
)
@limit_options
@prose_options
def explain(
    inputs: Inputs,
    asked: dict[str, Any],
    wording: str | None,
    notation: str,
    has_boards: bool,
    page: str | None,
    drawing: str | None,
    plot: str | None,
    limits: Limits,
    run: Run,
) -> int:
    """Explain puzzles step by step.

    A puzzle with one solution is solved from its givens, always by the easiest step that makes
    progress. For one without solution, the output shows why there is none, the smallest set of
    givens that clash, and how to repair it. For one with several solutions, it shows how far logic
    leads, what can be swapped, and which further givens would make it unique. A solver also proves
    every step.

    \b
    satdoku explain puzzle.txt
    satdoku explain --brief --level chains puzzle.txt
    satdoku explain --html steps.html puzzle.txt
    satdoku explain --why r4c5 --why r1c1!=3 puzzle.txt
    satdoku explain --report --plot way.svg puzzle.txt
    """
    albums = albums_of(drawing, run.is_forced, page, has_slides=True, plot=plot)
    style = Style(
        Wording(wording or Wording.USUAL.value), is_ascii(), has_boards, notation == "eureka"
    )
    # Pictures are made in the process that explains the puzzle, because the steps are not sent
    # between processes.
    explainer = Explainer(
        run.form_for(Prose()), limits, style=style, is_shown=bool(albums), **asked
    )
    return answer(run, inputs, explainer, albums=albums)


@command(
    excludes=[
        *EXCLUDED,
        *CandidateFinder.excludes,
        ("--flat", "--json", "--flat is one line a puzzle"),
    ],
    needs=[
        *NEEDED,
        ("--witnesses", "--json", "a board has no room for them"),
    ],
)
@puzzle_input
@asked_options(CandidateFinder)
@draw_option("the candidates as small digits in their cells")
@limit_options
@prose_options
def candidates(
    inputs: Inputs,
    asked: dict[str, Any],
    drawing: str | None,
    limits: Limits,
    run: Run,
) -> int:
    """Find the true candidates of puzzles: the digits that each cell has in some solution.

    For a puzzle with one solution they are that solution; a puzzle without solution has none.

    \b
    satdoku candidates puzzle.txt
    satdoku candidates --json --witnesses puzzle.txt
    satdoku candidates --flat puzzles.txt -o candidates.txt
    satdoku candidates puzzle.txt --draw candidates.svg
    satdoku candidates --why r4c5=3 --why r1c1 puzzle.txt
    """
    # The style is chosen here, because a worker does not know the terminal of this process.
    style = Style(is_ascii=is_ascii())
    albums = albums_of(drawing, run.is_forced)
    finder = CandidateFinder(
        run.form_for(Prose()), limits, style=style, is_drawn=bool(albums), **asked
    )
    return answer(run, inputs, finder, albums=albums)
