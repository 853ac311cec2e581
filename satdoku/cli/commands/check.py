"""`satdoku check`: one verdict for each puzzle."""

from satdoku.answering.asked import FORMS
from satdoku.answering.checker import Checker
from satdoku.answering.form import Form, Nothing, Verdicts
from satdoku.cli.inputs import Inputs, puzzle_input, reading_option
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    command,
    declared,
    option,
    solving_options,
    verbose_option,
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
    run_options,
)
from satdoku.cli.terminal import find_screen
from satdoku.solving.solvers import Settings


@command(
    excludes=[
        *EXCLUDED,
        ("--junit", "--resume --draw --html", "--junit has all answers of one run"),
        ("-v", "-q", ""),
        ("--with-filename", "--json --csv", "--with-filename is for lines of text"),
    ],
    needs=[
        *NEEDED,
        ("--stats", "--json", "lines of text have no statistics"),
        PAGE_NEEDS,
    ],
)
@puzzle_input
@reading_option("solution_column")
@declared(OptionGroup.ANSWER, FORMS["has_statistics"], default=None)
@verbose_option
@option(
    OptionGroup.OUTPUT,
    "--with-filename/--no-filename",
    default=None,
    help="Begin each line with the file and line of its puzzle; by default if there are several "
    "inputs.",
)
@solving_options
@html_option("shows each board, and where two solutions differ or givens clash")
@draw_option("solutions, with differences or clashes marked")
@option(
    OptionGroup.OUTPUT,
    "--junit",
    metavar="FILE",
    type=FileName(),
    help="Also write a report for CI services: JUnit XML, each puzzle a test case.",
)
@run_options
def check(
    inputs: Inputs,
    solution_column: str | None,
    stats: bool | None,
    is_verbose: bool,
    with_filename: bool | None,
    settings: Settings,
    page: str | None,
    drawing: str | None,
    junit: str | None,
    run: Run,
) -> int:
    """Tell whether puzzles have exactly one solution.

    The verdict is unique, multiple, none or undecided, followed by its evidence: the givens that
    clash, or where two solutions differ. --json and --csv add the solutions. With -q and none of
    --json, --csv and --output, nothing is printed: the exit code is the answer. A folder stands for
    all files in it except hidden ones.

    \b
    satdoku check puzzles.txt
    satdoku check bank.csv --column puzzle --csv -o checked.csv --rejects bad.txt
    satdoku check -q puzzle.txt && echo unique
    satdoku check -v board.txt
    satdoku check puzzles/ --junit report.xml
    """
    form: Form | None = run.form_named(stats)
    # -q does not affect a file that was asked for by name.
    if form is None and run.is_quiet and run.output is None:
        form = Nothing()
    elif form is None:
        # For a single input, each line would begin with the same name.
        has_places = len(inputs.arguments) > 1 if with_filename is None else with_filename
        form = run.on_screen(Verdicts(find_screen(run.output), inputs.hints.spelling, has_places))
    albums = albums_of(drawing, run.is_forced, page)
    checker = Checker(
        form,
        settings,
        is_verbose=is_verbose,
        is_drawn=drawing is not None,
        is_shown=page is not None,
    )
    compared = inputs.comparing(solution_column)
    if junit is not None:
        from satdoku.cli.junit import JUnitRun  # few runs want it

        return run.do(JUnitRun(run, compared, checker, junit))
    return answer(run, compared, checker, albums=albums)
