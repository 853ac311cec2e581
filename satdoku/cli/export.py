"""`satdoku export`: puzzles as DIMACS files."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from satdoku.answering.task import Task
from satdoku.cli.exit_codes import ExitCode, gravest
from satdoku.cli.inputs import Inputs, puzzle_input, read_box
from satdoku.cli.options import (
    encoding_option,
    force_option,
    gathered,
    limit_options,
    method_option,
    quiet_option,
)
from satdoku.cli.outputs import (
    file_name,
    make_folder,
    output_option,
    output_stream,
    program,
    require_different_stems,
    require_distinct,
)
from satdoku.cli.terminal import Talk
from satdoku.dimacs.write import Export, write_cnf
from satdoku.encoding.at_most_one import Method
from satdoku.encoding.encode import Encoding
from satdoku.encoding.estimate import require_possible
from satdoku.errors import SatdokuError
from satdoku.files import new_file
from satdoku.notation.hinted_rules import add_rules
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import find_solutions
from satdoku.solving.settings import Settings


class NoSolutionError(SatdokuError):
    """A puzzle without the solution that was to be blocked."""


@dataclass(frozen=True)
class _Writer:
    """Writes formulas as the options say."""

    encoding: Encoding
    at_most_one: Method
    is_blocking: bool
    has_names: bool
    has_reasons: bool
    limits: Limits
    is_forced: bool

    def write_to(self, output: str | None, puzzle: Puzzle) -> None:
        """One formula to standard output or to a file."""
        budget = Budget(self.limits)
        export = self._export(puzzle, budget)
        with output_stream(output, self.is_forced) as stream:
            write_cnf(export, stream, program(), budget.require)

    def write_into(self, directory: Path, task: Task, puzzle: Puzzle) -> None:
        """One formula into a folder, named after its puzzle."""
        budget = Budget(self.limits)
        export = self._export(puzzle, budget)
        make_folder(directory)
        with new_file(directory / f"{file_name(task)}.cnf", self.is_forced) as stream:
            write_cnf(export, stream, program(), budget.require)

    def _export(self, puzzle: Puzzle, budget: Budget) -> Export:
        require_possible(puzzle, self.encoding, self.at_most_one)
        return Export(
            puzzle,
            self.encoding,
            self.at_most_one,
            blocked=self._find_solution(puzzle, budget) if self.is_blocking else None,
            has_names=self.has_names,
            has_reasons=self.has_reasons,
        )

    def _find_solution(self, puzzle: Puzzle, budget: Budget) -> Grid:
        settings = Settings(limits=budget.limits)
        solution = next(find_solutions(puzzle, settings), None)
        if solution is None:
            raise NoSolutionError("there is no solution that --unique could block")
        return solution


def _make_writer(
    encoding: Encoding,
    at_most_one: Method,
    textbook: bool,
    unique: bool,
    names: bool,
    annotate: bool,
    timeout: float | None,
    conflicts: int | None,
    force: bool,
) -> _Writer:
    if (timeout or conflicts) and not unique:
        raise click.UsageError("--timeout and --conflicts limit the search that --unique needs")
    if textbook:
        _require_textbook(encoding, at_most_one)
        at_most_one = Method.TEXTBOOK
    return _Writer(
        encoding, at_most_one, unique, names, annotate, Limits(timeout, conflicts), force
    )


def _require_textbook(encoding: Encoding, at_most_one: Method) -> None:
    """Refuses what no textbook has counted the clauses of."""
    if at_most_one not in (Method.PAIRWISE, Method.TEXTBOOK):
        raise click.UsageError(
            "--textbook says at most one in its own way; leave out --at-most-one"
        )
    if encoding not in (Encoding.MINIMAL, Encoding.EFFICIENT, Encoding.EXTENDED):
        raise click.UsageError(
            f"--textbook is for the encodings minimal, efficient and extended, not {encoding.value}"
        )


_writer_options = gathered(
    "writer",
    _make_writer,
    [
        encoding_option(Encoding.EXTENDED),
        method_option("How at-most-one constraints are said.", Method.PAIRWISE),
        click.option(
            "--textbook",
            is_flag=True,
            help="Exactly the clauses that the literature counts, those stated twice included.",
        ),
        click.option(
            "--unique",
            is_flag=True,
            help="Block the puzzle's solution: unsatisfiable exactly when it is the only one.",
        ),
        click.option("--names", is_flag=True, help="A comment with the name of each variable."),
        click.option(
            "--annotate", is_flag=True, help="A comment with the rule before its clauses."
        ),
        limit_options,
        force_option,
    ],
)


@click.command()
@puzzle_input
@click.option(
    "-d", "--directory", type=click.Path(path_type=Path), help="One file a puzzle in this folder."
)
@output_option
@click.option(
    "--rules-only",
    callback=read_box,
    metavar="RxC",
    help="The bare rules of a board with these boxes.",
)
@_writer_options
@quiet_option
def export(
    inputs: Inputs,
    directory: Path | None,
    output: str | None,
    rules_only: Geometry | None,
    writer: _Writer,
    quiet: bool,
) -> int:
    """Write puzzles as DIMACS CNF, ready for any SAT solver.

    The formula of one puzzle goes to stdout or to a file; those of many go to a folder, under
    names that end in the line of the puzzle. Comments say which variable means what.

    \b
    satdoku export puzzle.txt | minisat /dev/stdin
    satdoku export puzzles.txt -d formulas --encoding reduced
    satdoku export --rules-only 3x3 --names -o rules.cnf
    """
    talk = Talk(quiet)
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
        require_distinct(inputs, [None if output == "-" else output])
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
    task: Task, writer: _Writer, directory: Path | None, output: str | None, talk: Talk
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
