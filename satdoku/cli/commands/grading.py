"""The commands about answers: `grade` compares boards, `judge` follows claims one by one."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import click

from satdoku.answering.fact_finder import FactFinder, Plain, Prose
from satdoku.answering.grader import Grader, JudgeOfClaims
from satdoku.answering.output.ending import Ending
from satdoku.answering.plan import Plan
from satdoku.answering.task import Task
from satdoku.cli.inputs import Inputs, paired_input
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    asked_options,
    command,
    gathered,
    limit_options,
    option,
)
from satdoku.cli.running import EXCLUDED, NEEDED, PuzzleRun, Run, run_options
from satdoku.cli.sources import decode, is_file, looks_like_path
from satdoku.cli.terminal import ProgressLine, Talk
from satdoku.errors import SatdokuError, count_of
from satdoku.files import as_path, is_parquet, read_lines
from satdoku.notation.answers import read_answers, read_answers_of_table
from satdoku.solving.limits import Limits

# A single short word is no answer, but perhaps a misspelt name; r1c1 names a cell.
_NAME = r"(?!r\d+c\d)[^\W\d][\w-]{,14}"


class Answers(NamedTuple):
    """A file with answers, `-` for stdin, or a single answer as text; and their column."""

    argument: str
    answer_column: str | None = None

    @property
    def paths(self) -> list[str]:
        """Return the file, if the argument names one."""
        return [self.argument] if is_file(self.argument) else []

    def read(self, is_single: bool) -> Iterator[str | None]:
        """Yield the answers; with `is_single` puzzle, all of a plain text is one answer."""
        if is_parquet(self.argument) and is_file(self.argument):
            return read_answers_of_table(as_path(self.argument), self.answer_column)
        lines, source = self._open()
        return read_answers(lines, source, self.answer_column, is_single)

    def _open(self) -> tuple[Iterable[str], str]:
        if self.argument == "-":
            return decode(sys.stdin.buffer, "stdin"), "stdin"
        if is_file(self.argument):
            return decode(read_lines(self.argument), self.argument), self.argument
        is_name = re.fullmatch(_NAME, self.argument) is not None
        if is_name or os.path.isdir(self.argument) or looks_like_path(self.argument):
            raise SatdokuError(f"there is no file {self.argument} with answers")
        return self.argument.splitlines(keepends=True), "answer"


answers_input = gathered(
    "answers",
    Answers,
    [
        click.argument("argument", metavar="ANSWERS", type=FileName()),
        option(
            OptionGroup.INPUT,
            "--answer-column",
            "answer_column",
            metavar="NAME",
            help="Column or key of the answers, if it has no usual name such as answer or "
            "response.",
        ),
    ],
)
"""The second argument of a command, which it receives as `answers`."""


class AnswerRun(PuzzleRun):
    """The work of `grade` and `judge`: asks about each puzzle and its answer in another file."""

    def __init__(self, run: Run, inputs: Inputs, answers: Answers, finder: FactFinder) -> None:
        if "-" in inputs.arguments and answers.argument == "-":
            raise click.UsageError("only one of puzzles and answers can come from stdin")
        super().__init__(run, inputs, finder)
        self._answers = answers
        self.further_files = answers.paths

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        plan = super().plan(talk, progress)
        identity = None
        if plan.identity is not None and self._answers.paths:
            identity = {**plan.identity, "--answer-column": self._answers.answer_column}
        self._plan = plan._replace(identity=identity)
        return self._plan

    def _complete(self, tasks: Iterator[Task], talk: Talk) -> Iterator[Task]:
        first = list(islice(tasks, 2))
        answers = self._answers.read(is_single=len(first) == 1)
        count = 0
        for count, task in enumerate(chain(first, tasks), 1):  # noqa: B007 - used behind the loop
            yield task._replace(beside=next(answers, None))
        left = sum(1 for answer in answers if answer is not None)
        # If there is no puzzle at all, a message has said so already.
        if left and count:
            source = self._answers.argument if self._answers.paths else "the answers"
            more, puzzles = count_of(left, "answer"), count_of(count, "puzzle")
            talk.refuse(SatdokuError(f"{source}: {more} more than the {puzzles}"))


# The commands


@command(excludes=EXCLUDED, needs=NEEDED)
@paired_input
@answers_input
@limit_options
@run_options
def grade(inputs: Inputs, answers: Answers, limits: Limits, run: Run) -> int:
    """Grade answers to puzzles: right, wrong, incomplete, malformed or missing.

    PUZZLES and ANSWERS are files or typed texts, in the same order. Answers are a column of CSV, a
    key of JSON lines, or lines of text; an empty line is a missing answer. For a single puzzle, the
    whole text is the answer.

    An answer is right if it keeps all givens and rules, so any solution counts where a puzzle has
    several. For a wrong answer, the output names the wrong cells, the changed givens and a
    broken rule. The exit code is 0 if all answers are right.

    \b
    satdoku grade puzzles.txt answers.txt
    satdoku grade bench.csv outputs.jsonl --answer-column response --csv -o graded.csv
    """
    grader = Grader(run.form_for(Plain(Ending.RIGHT), Grader.columns), limits)
    return run.do(AnswerRun(run, inputs, answers, grader))


@command(excludes=EXCLUDED, needs=NEEDED)
@paired_input
@answers_input
@asked_options(JudgeOfClaims)
@limit_options
@run_options
def judge(inputs: Inputs, answers: Answers, asked: dict[str, Any], limits: Limits, run: Run) -> int:
    """Judge claims about puzzles, one by one: does each follow from the board at that point?

    PUZZLES and ANSWERS are the same as for `grade`. A claim is written like r3c6: 5, r3c6 is not 4
    or "place 5 in row 3, column 6", with any words around it; clauses that begin with "if" are
    ignored. A text without claims is read as a grid. A true claim is entered on the board, and the
    next one may rest on it.

    \b
    wrong    no solution agrees, or the board has another digit there
    filled   the board has this digit already
    follows  a single places the digit, or one pattern excludes it
    unseen   true, but only after other steps; their number and size are printed
    guess    true, but no steps of the --level lead to it
    open     some solutions agree, and others do not

    \b
    satdoku judge puzzle.txt answer.txt
    satdoku judge puzzles.jsonl answers.jsonl --answer-column response --json
    """
    columns = JudgeOfClaims.columns_with(asked)
    finder = JudgeOfClaims(run.form_for(Prose(), columns), limits, **asked)
    return run.do(AnswerRun(run, inputs, answers, finder))
