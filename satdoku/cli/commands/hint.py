"""`satdoku hint`: where to look next."""

from typing import Any

import click

from satdoku.answering.fact_finder import Prose
from satdoku.answering.hinter import HintFinder
from satdoku.answering.output.ending import Ending
from satdoku.cli.exit_codes import code_of
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import (
    asked_options,
    command,
    limit_options,
    quiet_option,
)
from satdoku.errors import SatdokuError
from satdoku.notation.json_format import dump_line
from satdoku.solving.limits import Limits


@command(
    excludes=[
        *HintFinder.excludes,
        ("--json", "--more", "both show all that --more adds"),
        ("--all", "--json", "it lists steps as text"),
        ("--technique", "--json", "it lists steps as text"),
    ]
)
@puzzle_input
@asked_options(HintFinder)
@click.option("--json", "is_json", is_flag=True, help="Print the whole hint as one JSON object.")
@limit_options
@quiet_option
def hint(inputs: Inputs, asked: dict[str, Any], is_json: bool, limits: Limits, quiet: bool) -> int:
    """Give a hint for a puzzle: where to look, and no more than that.

    Wrong digits on the --board are reported before anything else.

    \b
    satdoku hint puzzle.txt
    satdoku hint --more --more puzzle.txt
    satdoku hint --json puzzle.txt
    satdoku hint puzzle.txt --board "$(cat filled.txt)"
    satdoku hint --all puzzle.txt
    satdoku hint --technique XY-wing puzzle.txt
    """
    talk = inputs.talk(quiet)
    # Read all records, because one that cannot be read might be the intended puzzle.
    tasks = list(inputs.tasks(talk.refuse))
    if talk.refused:
        return talk.code_with()
    # With several puzzles it would be unclear which one the board belongs to.
    if len(tasks) != 1:
        raise SatdokuError(f"a hint is for one puzzle, not for {len(tasks)}")
    puzzle = tasks[0].parse()
    finder = HintFinder(
        Prose(), limits, **asked, reading=inputs.hints, format_name=inputs.format_name
    )
    finder.read_values(puzzle)
    facts = finder.facts(puzzle)
    if facts.ending is Ending.UNREADABLE:
        raise SatdokuError(str(facts.values["reason"]))
    if is_json:
        click.echo(dump_line(facts.values), nl=False)
    elif facts.ending is Ending.UNDECIDED:
        talk.say(facts.line)
    else:
        click.echo(facts.line)
    return code_of([facts.ending])
