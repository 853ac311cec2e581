"""`satdoku count`: how many solutions there are."""

import click

from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.cli.help import command
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import quiet_option, solving_options
from satdoku.errors import FormatError
from satdoku.solving.questions import count as count_solutions
from satdoku.solving.settings import Settings


@command()
@puzzle_input
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Stop counting at N, shown as N+; 0 counts to the end.",
)
@solving_options
@quiet_option
def count(inputs: Inputs, limit: int, settings: Settings, quiet: bool) -> int:
    """Count the solutions of puzzles, one number a puzzle.

    A number with a plus sign was not counted to the end: at --limit, or at --timeout, which
    makes the exit code 124.

    \b
    satdoku count 1.....2..3.....4
    satdoku count puzzles.txt --limit 100 --timeout 10
    """
    talk = inputs.talk(quiet)
    codes = []
    for task in inputs.tasks(talk.refuse):
        try:
            puzzle = task.parse()
        except FormatError as error:
            talk.refuse(error)
            click.echo()
            continue
        result = count_solutions(puzzle, limit or None, settings)
        click.echo(str(result))
        if not result.is_complete:
            talk.say(f"{task.place}: {result.reason}")
            if not result.is_at_limit:
                codes.append(ExitCode.UNDECIDED)
    return ExitCode.FAILED if talk.has_refused else gravest(codes)
