"""`satdoku hint`: where to look next. docs/hint.schema.json describes its object."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from satdoku.answering.output.ending import Ending
from satdoku.answering.task import named
from satdoku.cli.declaring import command
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, puzzle_input
from satdoku.cli.options import limit_options, quiet_option
from satdoku.errors import SatdokuError
from satdoku.explaining.hint import Hint, find_every_hint, find_hint
from satdoku.explaining.objects import way_object
from satdoku.notation.lists.json_format import dump_line
from satdoku.notation.outcomes import evidence, sentence
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import spelling_by_rules
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits


@command(
    excludes=[
        ("--json --all", "--more", "both show all that --more adds"),
        ("--all", "--json", "it lists steps as text"),
    ]
)
@puzzle_input
@click.option(
    "--board",
    metavar="PUZZLE",
    help="The board as it is so far, with the digits entered, or drawn with its candidates too.",
)
@click.option(
    "--more",
    count=True,
    help="The technique and the cells too; again, where a chain begins; again, the whole step.",
)
@click.option(
    "--all",
    "is_all",
    is_flag=True,
    help="All singles that there are now, and each further step that excludes more.",
)
@click.option(
    "--assume-unique", is_flag=True, help="Steps may rest on it that there is only one solution."
)
@click.option("--json", "is_json", is_flag=True, help="All of that as one JSON object.")
@limit_options
@quiet_option
def hint(
    inputs: Inputs,
    board: str | None,
    more: int,
    is_all: bool,
    assume_unique: bool,
    is_json: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Give a hint for a puzzle: where to look, and no more than that.

    Digits on the --board that are wrong are named before anything else.

    \b
    satdoku hint puzzle.txt
    satdoku hint --more --more puzzle.txt
    satdoku hint --json puzzle.txt
    satdoku hint puzzle.txt --board "$(cat filled.txt)"
    satdoku hint --all puzzle.txt
    """
    talk = inputs.talk(quiet)
    # All of them, since one that cannot be read might be the puzzle that is meant.
    tasks = list(inputs.tasks(talk.refuse))
    if talk.refused:
        return talk.code_with()
    # For several it would be unclear which of them the board belongs to.
    if len(tasks) != 1:
        raise SatdokuError(f"a hint is for one puzzle, not for {len(tasks)}")
    puzzle = tasks[0].parse()
    entered, marks = (None, None) if board is None else _read_board(board, inputs, puzzle)
    try:
        if is_all:
            found, lines = find_every_hint(puzzle, entered, limits, marks, assume_unique)
        else:
            found, lines = find_hint(puzzle, entered, limits, marks, assume_unique), []
    except LimitReachedError as limit:
        if is_json:
            click.echo(dump_line(no_hint_object(puzzle, str(limit))), nl=False)
        else:
            talk.say(str(limit))
        return ExitCode.UNDECIDED
    if is_json:
        click.echo(dump_line(hint_object(found, puzzle, entered)), nl=False)
    else:
        for line in lines or _lines(found, puzzle, entered, more):
            click.echo(line)
    return ExitCode.NONE if found.outcome.verdict is Verdict.NONE else ExitCode.ANSWERED


def _read_board(text: str, inputs: Inputs, puzzle: Puzzle) -> tuple[Grid, Candidates | None]:
    """The digits on the player's board, and the marks where it has any beside the puzzle's own."""
    # A line of cells shows neither its boxes nor how digits are called: as the puzzle's, then.
    alphabet = inputs.hints.alphabet or spelling_by_rules(puzzle).alphabet
    hints = replace(inputs.hints, geometry=puzzle.geometry, alphabet=alphabet)
    boards = list(read_puzzles(text.splitlines(), "--board", inputs.format_name, hints))
    if len(boards) != 1 or boards[0].geometry != puzzle.geometry:
        raise SatdokuError(f"--board is not one board of {puzzle.geometry} boxes, as the puzzle is")
    # Candidates that the puzzle has itself are none of the player's marks.
    marks = (rule for rule in boards[0].rules if isinstance(rule, Candidates))
    return boards[0].grid, next((rule for rule in marks if rule not in puzzle.rules), None)


def _lines(found: Hint, puzzle: Puzzle, entered: Grid | None, more: int) -> Iterator[str]:
    """The parts of a hint that were asked for, or why there is none."""
    if found.wrong and entered is not None:
        for cell in found.wrong:
            digit = puzzle.name_of_digit(entered.digits[cell])
            yield f"{puzzle.geometry.name_of(cell)} is not {digit}"
    elif found.missing and found.outcome.solution is not None:
        for cell in found.missing:
            digit = puzzle.name_of_digit(found.outcome.solution.digits[cell])
            yield f"{puzzle.geometry.name_of(cell)} can still be {digit}"
    elif found.is_solved:
        yield "the board is full and right"
    elif found.step is None:
        yield f"{sentence(found.outcome)}; no step leads on"
    else:
        parts = [part for part in (found.where, found.what, found.begin, found.how) if part]
        yield from parts[: more + 1]


def hint_object(found: Hint, puzzle: Puzzle, entered: Grid | None) -> dict[str, Any]:
    """All parts of a hint at once; a part that this hint does not have is null."""
    result = named(puzzle) | {
        "verdict": found.outcome.verdict.value,
        "solved": found.is_solved,
        "wrong": _digits_in(found.wrong, entered, puzzle),
        "missing": _digits_in(found.missing, found.outcome.solution, puzzle),
        "where": found.where or None,
        "what": found.what or None,
        "begin": found.begin or None,
        "step": None if found.way is None else way_object(found.way)["steps"][0],
    }
    reason = evidence(found.outcome)
    # A step, or a wrong digit, is the answer; only where there is none, the verdict needs a reason.
    if reason and found.step is None and not (found.wrong or found.missing):
        result["reason"] = reason
    return result


def _digits_in(cells: Iterable[int], grid: Grid | None, puzzle: Puzzle) -> list[str]:
    """The digits of some cells of a grid, as `r1c1=5`; where there is no grid, no cell is named."""
    digits = () if grid is None else grid.digits
    name_of = puzzle.geometry.name_of
    return [f"{name_of(cell)}={puzzle.name_of_digit(digits[cell])}" for cell in cells]


def no_hint_object(puzzle: Puzzle, reason: str) -> dict[str, Any]:
    """What is said instead of a hint when a limit comes before it is known."""
    return named(puzzle) | {"verdict": Ending.UNDECIDED.value, "reason": reason}
