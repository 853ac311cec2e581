"""`satdoku solve`: print grids, and nothing else, on standard output."""

import sys
from itertools import islice
from typing import IO, Any

import click

from satdoku.answering.asked import FORMS
from satdoku.answering.checker import Checker
from satdoku.answering.form import Boards, Form, GridForm, Grids
from satdoku.answering.task import Task
from satdoku.cli.exit_codes import ExitCode, as_sat_competition
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    FormatName,
    OptionGroup,
    Whole,
    asked_options,
    command,
    declared,
    solving_options,
    verbose_option,
)
from satdoku.cli.outputs import output_stream, require_end
from satdoku.cli.running import (
    EXCLUDED,
    NEEDED,
    Run,
    albums_of,
    answer,
    draw_option,
    run_options,
    settle,
)
from satdoku.cli.terminal import Talk, find_screen
from satdoku.errors import FormatError
from satdoku.notation.outcomes import name_of
from satdoku.notation.spelling import Spelling
from satdoku.solving.limits import LimitReachedError
from satdoku.solving.questions import list_solutions
from satdoku.solving.solvers import Settings


@command(
    excludes=[
        *EXCLUDED,
        ("-v", "-q", ""),
        ("-v", "--any -n --all", "-v tells what decided that a solution is the only one"),
        ("--to", "--json --csv", ""),
        ("-n", "--all", ""),
        (
            "-n --all",
            "--any --json --csv --rejects --resume --jobs --dask --draw",
            "-n and --all print several answers a puzzle",
        ),
    ],
    needs=NEEDED,
)
@puzzle_input
@declared(OptionGroup.ANSWER, FORMS["to"], type=FormatName())
@asked_options(Checker)
@click.option("-n", "number", type=Whole(min=1), metavar="K", help="Print up to K solutions.")
@click.option(
    "--all", "is_all", is_flag=True, help="Print all solutions; those of a 9x9 board sorted."
)
@click.option(
    "--sat-exit-codes",
    is_flag=True,
    help="Exit as in the SAT competition: 10 solved, 20 no solution, 0 undecided.",
)
@verbose_option
@solving_options
@draw_option("solutions, with differences or clashes marked")
@run_options
def solve(
    inputs: Inputs,
    to: str | None,
    asked: dict[str, Any],
    number: int | None,
    is_all: bool,
    sat_exit_codes: bool,
    is_verbose: bool,
    settings: Settings,
    drawing: str | None,
    run: Run,
) -> int:
    """Print the solution of puzzles that have exactly one.

    A terminal gets a board with boxes, a pipe or file the format of the input: -o solved.csv is a
    table only if the input is one, or with --csv. For a puzzle with several solutions nothing is
    printed (an empty line if there is one line for each puzzle), unless --any, -n or --all asks for
    some of them.

    \b
    satdoku solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    satdoku solve < nine_rows.txt
    satdoku solve puzzles.txt --json -o solved.jsonl
    satdoku solve sparse.txt -n 3
    """
    form: Form | None = run.form_named()
    if form is None:
        form = _grid_form(to or "", inputs.hints.spelling, run)
    if not isinstance(form, GridForm) or (number is None and not is_all):
        checker = Checker(form, settings, is_verbose, drawing is not None, **asked)
        code = answer(run, inputs, checker, albums=albums_of(drawing, run.is_forced))
    else:
        code = _print_solutions(inputs, form, settings, run, number)
    return as_sat_competition(code) if sat_exit_codes else code


def _grid_form(to: str, spelling: Spelling, run: Run) -> GridForm:
    """Return the form for boards with boxes on a terminal, else a form that programs can parse."""
    screen = find_screen(run.output)
    return Grids(to, spelling) if to or screen is None else Boards(screen, spelling)


def _print_solutions(
    inputs: Inputs, form: GridForm, settings: Settings, run: Run, number: int | None
) -> ExitCode:
    """Print solutions as they are found; there may be more than fit into memory."""
    require_end(inputs, run.output)
    talk = inputs.talk(run.is_quiet)
    codes: list[ExitCode] = []
    form, tasks = settle(run, form, inputs.tasks(talk.refuse), inputs)
    with output_stream(run.output, run.is_forced) as stream:
        for task in tasks:
            # The columns of a table are known with its first record.
            if task.number == 1:
                stream.write(form.opening(task.parser))
            try:
                codes.append(_print_solutions_of(task, form, settings, number, stream, talk))
            except FormatError as error:
                talk.refuse(error)
        if talk.refused and not codes:
            # Raise this inside the block, so that no file is created or replaced.
            raise click.exceptions.Exit(talk.code_with())
    return talk.code_with(codes)


def _print_solutions_of(
    task: Task, form: GridForm, settings: Settings, number: int | None, stream: IO[str], talk: Talk
) -> ExitCode:
    puzzle = task.parse()
    found = 0
    most = None if number is None else min(number, sys.maxsize)  # the largest argument of `islice`
    try:
        for solution in islice(list_solutions(puzzle, settings), most):
            before = form.between if found else form.title(task, puzzle)
            stream.write(before + form.of_solution(task, puzzle, solution))
            # Flush now, because finding the next solution may take long.
            stream.flush()
            found += 1
    except LimitReachedError as limit:
        talk.tell(f"{name_of(puzzle)}{limit}, after {found:,} solutions", task.place)
        return ExitCode.UNDECIDED
    if found:
        stream.write(form.end())
    else:
        talk.tell(f"{name_of(puzzle)}no solution", task.place)
    return ExitCode.ANSWERED if found else ExitCode.NONE
