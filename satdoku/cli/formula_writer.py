"""Which formulas `satdoku export` writes, as its options say."""

from dataclasses import dataclass
from pathlib import Path

import click
from click.core import ParameterSource

from satdoku.answering.task import Task
from satdoku.cli.help import Group, option
from satdoku.cli.options import (
    encoding_option,
    force_option,
    gathered,
    limit_options,
    method_option,
)
from satdoku.cli.outputs import file_name, make_folder, output_stream, program
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.kinds import FormulaKind, kind_of_output, write_formula
from satdoku.encoding.files.write import Export
from satdoku.encoding.size import require_possible, require_possible_natively
from satdoku.errors import SatdokuError
from satdoku.files import new_file
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import find_solutions
from satdoku.solving.settings import Settings


class NoSolutionError(SatdokuError):
    """A puzzle without the solution that was to be blocked."""


@dataclass(frozen=True)
class FormulaWriter:
    """Writes formulas as the options say."""

    kind: FormulaKind | None
    encoding: Encoding
    at_most_one: Method
    is_blocking: bool
    has_names: bool
    has_reasons: bool
    limits: Limits
    is_forced: bool

    def kind_for(self, output: str | None) -> FormulaKind:
        """What to write: as --to says, or as the name of the output promises, else CNF.

        Refuses options that this kind of formula has no use for.
        """
        promised = None if output is None else kind_of_output(output)
        if self.kind and promised not in (None, self.kind):
            raise click.UsageError(f"--to {self.kind.value} contradicts the name {output}")
        kind = self.kind or promised or FormulaKind.CNF
        _refuse_useless(kind, self.encoding)
        return kind

    def write_to(self, output: str | None, puzzle: Puzzle) -> None:
        """One formula to standard output or to a file."""
        kind = self.kind_for(output)
        budget = Budget(self.limits)
        # Before the file is begun: what is refused, or takes too long to solve, leaves none.
        export = self._export(kind, puzzle, budget)
        with output_stream(output, self.is_forced) as stream:
            write_formula(kind, export, stream, program(), budget.require)

    def write_into(self, directory: Path, task: Task, puzzle: Puzzle) -> None:
        """One formula into a folder, named after its puzzle."""
        kind = self.kind_for(None)
        budget = Budget(self.limits)
        export = self._export(kind, puzzle, budget)
        # Only now: where the puzzle is refused, no empty folder is left.
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
        settings = Settings(limits=budget.limits)
        solution = next(find_solutions(puzzle, settings), None)
        if solution is None:
            raise NoSolutionError("there is no solution that --unique could block")
        return solution


def _refuse_useless(kind: FormulaKind, encoding: Encoding) -> None:
    """Refuses options, by name, that play no part in a formula of this kind."""
    if kind is FormulaKind.OPB:
        for name in ("encoding", "at_most_one", "textbook"):
            if _is_given(name):
                raise click.UsageError(
                    f"--{name.replace('_', '-')} is for clauses; "
                    "OPB says exactly one and at most one natively"
                )
    if kind is FormulaKind.WCNF:
        if encoding is Encoding.REDUCED:
            raise click.UsageError(
                "--encoding reduced follows from the givens, which are soft in WCNF"
            )
        if _is_given("unique"):
            raise click.UsageError("--unique blocks a solution; in WCNF the givens may be dropped")


def _is_given(option: str) -> bool:
    # The value alone does not tell: a person may have typed what is the default.
    source = click.get_current_context().get_parameter_source(option)
    return source not in (None, ParameterSource.DEFAULT)


def _make_writer(
    to: str | None,
    encoding: Encoding,
    at_most_one: Method,
    textbook: bool,
    unique: bool,
    names: bool,
    annotate: bool,
    timeout: float | None,
    conflicts: int | None,
    force: bool,
) -> FormulaWriter:
    if (timeout or conflicts) and not unique:
        raise click.UsageError("--timeout and --conflicts limit the search that --unique needs")
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
        Limits(timeout, conflicts),
        force,
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


writer_options = gathered(
    "writer",
    _make_writer,
    [
        option(
            Group.ANSWER,
            "--to",
            type=click.Choice([kind.value for kind in FormulaKind]),
            help="What to write: clauses, pseudo-Boolean constraints, or clauses with soft "
            "givens; if not given, the name of the output says it, else cnf.",
        ),
        encoding_option(Encoding.EXTENDED),
        method_option(
            "How at-most-one constraints are said. By some of them a solution may have several "
            "models, which matters to counters of models: `satdoku encodings` marks these.",
            Method.PAIRWISE,
        ),
        option(
            Group.ANSWER,
            "--textbook",
            is_flag=True,
            help="Exactly the clauses that the literature counts, those stated twice included.",
        ),
        option(
            Group.ANSWER,
            "--unique",
            is_flag=True,
            help="Block the puzzle's solution: unsatisfiable exactly when it is the only one.",
        ),
        option(
            Group.ANSWER, "--names", is_flag=True, help="A comment with the name of each variable."
        ),
        option(
            Group.ANSWER,
            "--annotate",
            is_flag=True,
            help="A comment with the rule before its clauses.",
        ),
        limit_options,
        force_option,
    ],
)
"""The options of everything that writes formulas; the command gets them as `writer`."""
