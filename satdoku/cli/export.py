"""`satdoku export`: puzzles as DIMACS files."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.cli.inputs import Inputs, puzzle_input, read_box
from satdoku.cli.names import file_name, require_different_stems
from satdoku.cli.options import (
    ENCODING_NAMES,
    METHOD_NAMES,
    force_option,
    limit_options,
    quiet_option,
    read_encoding,
    read_method,
)
from satdoku.cli.program import program
from satdoku.cli.same_file import require_distinct
from satdoku.cli.talk import Talk
from satdoku.cli.writing import output_option, output_stream
from satdoku.dimacs.write import Export, write_cnf
from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding
from satdoku.errors import SatdokuError
from satdoku.files import new_file
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.task import Task
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import find_solutions
from satdoku.solving.settings import Settings


@click.command()
@puzzle_input
@click.option(
    "-d", "--directory", type=click.Path(path_type=Path), help="One file a puzzle in this folder."
)
@output_option
@click.option(
    "--encoding",
    type=ENCODING_NAMES,
    callback=read_encoding,
    default=Encoding.EXTENDED.value,
    show_default=True,
    help="How the rules are said; see `satdoku encodings`.",
)
@click.option(
    "--at-most-one",
    type=METHOD_NAMES,
    callback=read_method,
    default=Method.PAIRWISE.value,
    show_default=True,
    help="How at-most-one constraints are said.",
)
@click.option(
    "--rules-only",
    callback=read_box,
    metavar="RxC",
    help="The bare rules of a board with these boxes.",
)
@click.option(
    "--unique",
    is_flag=True,
    help="Block the puzzle's solution: unsatisfiable exactly when it is the only one.",
)
@click.option("--names", is_flag=True, help="A comment with the name of each variable.")
@click.option("--annotate", is_flag=True, help="A comment with the rule before its clauses.")
@limit_options
@force_option
@quiet_option
def export(
    inputs: Inputs,
    directory: Path | None,
    output: str | None,
    rules_only: Geometry | None,
    force: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Write puzzles as DIMACS CNF, ready for any SAT solver.

    The formula of one puzzle goes to stdout or to a file; those of many go to a folder, under
    names that end in the line of the puzzle. Comments say which variable means what.

    \b
    satdoku export puzzle.txt | minisat /dev/stdin
    satdoku export puzzles.txt -d formulas --encoding reduced
    satdoku export --rules-only 3x3 --names -o rules.cnf
    """
    if (options["timeout"] or options["conflicts"]) and not options["unique"]:
        raise click.UsageError("--timeout and --conflicts limit the search that --unique needs")
    talk = Talk(quiet)
    if directory and output:
        raise click.UsageError("-d and -o exclude each other")
    if rules_only is not None:
        if inputs.arguments or directory or options["unique"]:
            raise click.UsageError("--rules-only takes no puzzle, no folder and no --unique")
        _Writer(options, force).write_to(output, Puzzle(Grid.empty(rules_only)))
        return ExitCode.ANSWERED
    require_different_stems(inputs.paths)
    if directory is None:
        require_distinct(inputs, [None if output == "-" else output])
    writer = _Writer(options, force)
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
    task: Task, writer: "_Writer", directory: Path | None, output: str | None, talk: Talk
) -> ExitCode:
    try:
        puzzle = task.parse()
        if directory is None:
            writer.write_to(output, puzzle)
        else:
            writer.write_into(directory, task, puzzle)
    except NoSolutionError as error:
        talk.say(f"{task.place}: {error}")
        return ExitCode.NONE
    except LimitReachedError as limit:
        talk.say(f"{task.place}: {limit}")
        return ExitCode.UNDECIDED
    except SatdokuError as error:
        talk.refuse(error)
    return ExitCode.ANSWERED


class _Writer:
    """Writes formulas as the options say."""

    def __init__(self, options: dict[str, Any], force: bool) -> None:
        self._limits = Limits(options.pop("timeout"), options.pop("conflicts"))
        self._is_blocking = options.pop("unique")
        self._encoding = options.pop("encoding")
        self._at_most_one = options.pop("at_most_one")
        self._comments = {"has_names": options["names"], "has_reasons": options["annotate"]}
        self._force = force

    def write_to(self, output: str | None, puzzle: Puzzle) -> None:
        """One formula to standard output or to a file."""
        export = self._export(puzzle)
        with output_stream(output, self._force) as stream:
            write_cnf(export, stream, program())

    def write_into(self, directory: Path, task: Task, puzzle: Puzzle) -> None:
        """One formula into a folder, named after its puzzle."""
        export = self._export(puzzle)
        make_folder(directory)
        with new_file(directory / f"{file_name(task)}.cnf", self._force) as stream:
            write_cnf(export, stream, program())

    def _export(self, puzzle: Puzzle) -> Export:
        blocked = self._find_solution(puzzle) if self._is_blocking else None
        return Export(puzzle, self._encoding, self._at_most_one, blocked, **self._comments)

    def _find_solution(self, puzzle: Puzzle) -> Grid:
        settings = Settings(limits=self._limits)
        solution = next(find_solutions(puzzle, settings), None)
        if solution is None:
            raise NoSolutionError("there is no solution that --unique could block")
        return solution


class NoSolutionError(SatdokuError):
    """A puzzle without the solution that was to be blocked."""


def make_folder(path: Path) -> None:
    """The folder, made if it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SatdokuError(f"the folder {path} cannot be made: {error.strerror}") from None
