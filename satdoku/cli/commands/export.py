"""`satdoku export`: write puzzles as files for SAT, pseudo-Boolean and MaxSAT solvers."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from satdoku.answering.task import Task
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs, puzzle_input, read_box
from satdoku.cli.options import (
    OptionGroup,
    command,
    encoding_option,
    force_option,
    gathered,
    limit_options,
    method_option,
    option,
    quiet_option,
)
from satdoku.cli.outputs import (
    file_name,
    make_folder,
    output_stream,
    program,
    require_different_stems,
    require_distinct,
    text_output_option,
)
from satdoku.cli.terminal import Talk
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.dimacs import Export
from satdoku.encoding.files.kinds import FormulaKind, kind_of_output, write_formula
from satdoku.encoding.size import require_possible, require_possible_natively
from satdoku.errors import OutputError, SatdokuError
from satdoku.files import new_file
from satdoku.notation.parser import add_rules
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import find_solutions
from satdoku.solving.solvers import Settings


class NoSolutionError(SatdokuError):
    """A puzzle has no solution that could be blocked."""


@value(frozen=True)
class FormulaWriter:
    """A writer of formulas with the options of a command."""

    kind: FormulaKind | None
    encoding: Encoding
    at_most_one: Method
    is_blocking: bool
    has_names: bool
    has_reasons: bool
    limits: Limits
    is_forced: bool

    def kind_for(self, output: str | None) -> FormulaKind:
        """Return the kind of formula: from --to, else from the name of the output, else CNF."""
        promised = None if output is None else kind_of_output(output)
        # Readers rely on the suffix, so --to must not contradict it.
        if self.kind and promised not in (None, self.kind):
            raise click.UsageError(f"--to {self.kind.value} contradicts the name {output}")
        return self.kind or promised or FormulaKind.CNF

    def write_to(self, output: str | None, puzzle: Puzzle) -> None:
        """Write one formula to standard output or to a file."""
        kind = self.kind_for(output)
        budget = Budget(self.limits)
        # Make the formula before the file is begun: if it is refused or takes too long, no file is
        # left.
        export = self._export(kind, puzzle, budget)
        with output_stream(output, self.is_forced) as stream:
            write_formula(kind, export, stream, program(), budget.require)

    def write_into(self, directory: Path, task: Task, puzzle: Puzzle) -> None:
        """Write one formula into a folder, named after its puzzle."""
        kind = self.kind_for(None)
        budget = Budget(self.limits)
        export = self._export(kind, puzzle, budget)
        # Create the folder only now, so that a refused puzzle leaves no empty folder.
        make_folder(directory)
        with new_file(directory / f"{file_name(task)}.{kind.value}", self.is_forced) as stream:
            write_formula(kind, export, stream, program(), budget.require)

    def _export(self, kind: FormulaKind, puzzle: Puzzle, budget: Budget) -> Export:
        if kind is FormulaKind.OPB:
            require_possible_natively(puzzle)
        else:
            require_possible(puzzle, self.encoding, self.at_most_one, kind is FormulaKind.WCNF)
        return Export(
            puzzle,
            self.encoding,
            self.at_most_one,
            blocked=self._find_solution(puzzle, budget) if self.is_blocking else None,
            has_names=self.has_names,
            has_reasons=self.has_reasons,
        )

    def _find_solution(self, puzzle: Puzzle, budget: Budget) -> Grid:
        # Any solution will do: if it is the only one, none is left after blocking it.
        settings = Settings(limits=budget.limits)
        solution = next(find_solutions(puzzle, settings), None)
        if solution is None:
            raise NoSolutionError("there is no solution that --unique could block")
        return solution


def _make_writer(
    to: str | None,
    encoding: Encoding,
    at_most_one: Method,
    textbook: bool,
    unique: bool,
    names: bool,
    annotate: bool,
    limits: Limits,
    force: bool,
) -> FormulaWriter:
    if textbook:
        _require_textbook(encoding, at_most_one)
        at_most_one = Method.TEXTBOOK
    return FormulaWriter(
        None if to is None else FormulaKind(to),
        encoding,
        at_most_one,
        unique,
        names,
        annotate,
        limits,
        force,
    )


def _require_textbook(encoding: Encoding, at_most_one: Method) -> None:
    """Raise an error if no textbook gives the number of clauses."""
    if at_most_one not in (Method.PAIRWISE, Method.TEXTBOOK):
        raise click.UsageError(
            "--textbook says at most one in its own way; leave out --at-most-one"
        )
    if encoding not in (Encoding.MINIMAL, Encoding.EFFICIENT, Encoding.EXTENDED):
        raise click.UsageError(
            f"--textbook is for the encodings minimal, efficient and extended, not {encoding.value}"
        )


writer_options = gathered(
    "writer",
    _make_writer,
    [
        option(
            OptionGroup.ANSWER,
            "--to",
            type=click.Choice([kind.value for kind in FormulaKind]),
            help="Format: clauses, pseudo-Boolean constraints, clauses with soft givens, or a "
            "model in MiniZinc; by default the suffix of the output, else cnf.",
        ),
        encoding_option(Encoding.EXTENDED),
        method_option(
            "Encoding of at-most-one constraints. With some of them a solution may have several "
            "models, which matters for model counters: `satdoku encodings` marks these.",
            Method.PAIRWISE,
        ),
        option(
            OptionGroup.ANSWER,
            "--textbook",
            is_flag=True,
            help="Write exactly the clauses that the literature counts, with duplicates.",
        ),
        option(
            OptionGroup.ANSWER,
            "--unique",
            is_flag=True,
            help="Block the solution; the formula is unsatisfiable exactly if there is no other.",
        ),
        option(
            OptionGroup.ANSWER,
            "--names",
            is_flag=True,
            help="Add a comment with the name of each variable.",
        ),
        option(
            OptionGroup.ANSWER,
            "--annotate",
            is_flag=True,
            help="Add a comment before the clauses of each rule.",
        ),
        limit_options,
        force_option,
    ],
)
"""The options of all commands that write formulas; a command receives them as `writer`."""


@command(
    excludes=[
        ("-d", "-o", ""),
        ("--rules-only", "PUZZLE -d --unique", "the board of --rules-only is empty"),
        (
            "--to=opb .opb",
            "--encoding --at-most-one --textbook",
            "OPB says exactly one and at most one natively",
        ),
        (
            "--to=mzn .mzn",
            "--encoding --at-most-one --textbook --names --annotate",
            "MiniZinc has words for the rules, and no variables besides cells",
        ),
        ("--to=wcnf .wcnf", "--encoding=reduced", "givens are soft in WCNF"),
        ("--to=wcnf .wcnf", "--unique", "givens may be dropped in WCNF"),
    ],
    needs=[
        ("--timeout --conflicts", "--unique", "nothing is searched without"),
    ],
)
@puzzle_input
@option(
    OptionGroup.OUTPUT,
    "-d",
    "--directory",
    type=click.Path(path_type=Path),
    help="Write one file for each puzzle into this folder.",
)
@text_output_option
@click.option(
    "--rules-only",
    callback=read_box,
    metavar="RxC",
    help="Without a puzzle: export the rules of a board with these boxes.",
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
    """Write puzzles as formulas: DIMACS CNF for any SAT solver, OPB, WCNF, or MiniZinc.

    The formula of one puzzle is written to stdout or to a file; those of several puzzles are
    written into a folder, under names that end in the line number of the puzzle. Comments say which
    variable means what.

    In a file named .opb, "exactly one" and "at most one" are written as pseudo-Boolean constraints.
    In a file named .wcnf, rules are hard clauses and givens soft ones, in the format of the MaxSAT
    evaluations since 2022: the least cost is the least number of givens to drop. A file named .mzn
    is a model in MiniZinc, for CP solvers.

    \b
    satdoku export puzzle.txt | minisat /dev/stdin
    satdoku export puzzles.txt -d formulas --encoding reduced
    satdoku export --rules-only 3x3 --names -o rules.cnf
    satdoku export puzzle.txt -o p.opb && clasp p.opb | satdoku decode p.opb
    """
    talk = inputs.talk(quiet)
    if rules_only is not None:
        bare = Puzzle(Grid.empty(rules_only))
        writer.write_to(output, add_rules(bare, inputs.hints.rules, "--rule"))
        return ExitCode.ANSWERED
    require_different_stems(inputs.sources)
    if directory is None:
        require_distinct(inputs, [output])
    # Report contradictory options before any puzzle is read.
    writer.kind_for(output)
    tasks: Iterator[Task] = inputs.tasks(talk.refuse)
    if directory is None:
        tasks = _require_one(tasks)
    # All files are written even if a puzzle has no solution to block; the exit code reports it.
    codes = [_export_one(task, writer, directory, output, talk) for task in tasks]
    return talk.code_with(codes)


def _require_one(tasks: Iterator[Task]) -> Iterator[Task]:
    """Yield the task if it is the only one; several are refused before anything is written."""
    # Reading two puzzles is enough to refuse several, and a pipe may never end.
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
    except OutputError:
        raise  # a full disk is full for all puzzles
    except SatdokuError as error:
        talk.refuse(error)
    return ExitCode.ANSWERED
