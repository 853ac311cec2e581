"""`satdoku export`: puzzles as files for SAT, pseudo-Boolean and MaxSAT solvers."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from satdoku.answering.task import Task
from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.cli.formula_writer import FormulaWriter, NoSolutionError, writer_options
from satdoku.cli.help import Group, command, option
from satdoku.cli.inputs import Inputs, puzzle_input, read_box
from satdoku.cli.options import quiet_option
from satdoku.cli.outputs import output_option, require_different_stems, require_distinct
from satdoku.cli.terminal import Talk
from satdoku.errors import SatdokuError
from satdoku.notation.hinted_rules import add_rules
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import LimitReachedError


@command()
@puzzle_input
@option(
    Group.OUTPUT,
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    help="One file a puzzle in this folder.",
)
@output_option
@click.option(
    "--rules-only",
    callback=read_box,
    metavar="RxC",
    help="The bare rules of a board with these boxes.",
)
@writer_options
@quiet_option
def export(
    inputs: Inputs,
    directory: Path | None,
    output: str | None,
    rules_only: Geometry | None,
    writer: FormulaWriter,
    quiet: bool,
) -> int:
    """Write puzzles as formulas: DIMACS CNF for any SAT solver, OPB, or WCNF.

    The formula of one puzzle goes to stdout or to a file; those of many go to a folder, under
    names that end in the line of the puzzle. Comments say which variable means what.

    A name that ends in .opb gets "exactly one" and "at most one" as pseudo-Boolean solvers know
    them. One that ends in .wcnf gets hard rules and soft givens, in the format of the MaxSAT
    evaluations since 2022: the least cost is the least number of givens to drop.

    \b
    satdoku export puzzle.txt | minisat /dev/stdin
    satdoku export puzzles.txt -d formulas --encoding reduced
    satdoku export --rules-only 3x3 --names -o rules.cnf
    satdoku export puzzle.txt -o p.opb && clasp p.opb | satdoku decode p.opb
    """
    talk = inputs.talk(quiet)
    if directory and output:
        raise click.UsageError("-d and -o exclude each other")
    if rules_only is not None:
        if inputs.arguments or directory or writer.is_blocking:
            raise click.UsageError("--rules-only takes no puzzle, no folder and no --unique")
        bare = Puzzle(Grid.empty(rules_only))
        writer.write_to(output, add_rules(bare, inputs.hints.rules, "--rule"))
        return ExitCode.ANSWERED
    require_different_stems(inputs.sources)
    if directory is None:
        require_distinct(inputs, [output])
    # Before any puzzle is read: options that contradict each other are told at once.
    writer.kind_for(output)
    tasks: Iterator[Task] = inputs.tasks(talk.refuse)
    if directory is None:
        tasks = _require_one(tasks)
    codes = [_export_one(task, writer, directory, output, talk) for task in tasks]
    return ExitCode.FAILED if talk.has_refused else gravest(codes)


def _require_one(tasks: Iterator[Task]) -> Iterator[Task]:
    """The same tasks, if they are not several: found out before anything is written."""
    first = list(islice(tasks, 2))
    if len(first) > 1:
        raise click.UsageError("there are several puzzles; -d FOLDER writes a file for each")
    return iter(first)


def _export_one(
    task: Task, writer: FormulaWriter, directory: Path | None, output: str | None, talk: Talk
) -> ExitCode:
    try:
        puzzle = task.parse()
        if directory is None:
            writer.write_to(output, puzzle)
        else:
            writer.write_into(directory, task, puzzle)
    except NoSolutionError as error:
        talk.tell(str(error), task.place)
        return ExitCode.NONE
    except LimitReachedError as limit:
        talk.tell(str(limit), task.place)
        return ExitCode.UNDECIDED
    except SatdokuError as error:
        talk.refuse(error)
    return ExitCode.ANSWERED
