"""The work of answering the puzzles of an input, a row for each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar, cast

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.form import Form
from satdoku.answering.plan import (
    Conditions,
    LineByLine,
    Plan,
    earlier_endings,
    make_plan,
    records_to_see,
    refuse_other_tables,
    settle_form,
)
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs
from satdoku.cli.outputs import Albums
from satdoku.cli.running import NO_ALBUMS, Run, Work
from satdoku.cli.terminal import ProgressLine, Talk
from satdoku.errors import count_of
from satdoku.files import as_path, is_parquet

if TYPE_CHECKING:
    from enum import Enum

    from satdoku.answering.output.ending import Tally
    from satdoku.answering.output.output import Output
    from satdoku.answering.task import Task
    from satdoku.batch.row import Row

FormT = TypeVar("FormT", bound=Form)


class PuzzleRun(Work):
    """Answers every puzzle; each row passes `sift`, in this process and in the order of input."""

    resume_needs = "files as input, and an output with a line for each puzzle, as --json has"

    def __init__(
        self,
        run: Run,
        inputs: Inputs,
        answerer: PuzzleAnswerer,
        sift: "Callable[[Row], Row] | None" = None,
    ) -> None:
        self.inputs: Inputs = inputs
        self._run = run
        self._answerer = answerer
        self._sift = sift
        self._earlier: set[Enum] = set()

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        # Files tell how far a run is; of a pipe nobody knows how much is still to come.
        meter = progress.meter(self.inputs.paths)
        self._source = self.inputs.tasks(talk.refuse, meter, self._answerer.takes_blocks)
        tasks: Iterator[Task] = self._source
        if self._answerer.form.is_one_table:
            tasks = refuse_other_tables(tasks, talk.refuse)
        conditions = conditions_of(self._run, self.inputs)
        self._first = list(islice(tasks, records_to_see(self._answerer.form, conditions)))
        self._tasks = chain(self._first, tasks)
        watched = self._answerer.watched(progress.show_work, talk.say)
        self._plan = make_plan(watched, self._first, conditions)
        return self._plan

    def is_at_hand(self) -> bool:
        return self._source.is_at_hand()

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[str]]:
        if not self._first:
            return None, ()
        # A table of the output takes the types of its columns from input in Parquet.
        tables = list(filter(is_parquet, self.inputs.paths))
        return self._first[0].parser.format.columns, tables

    def records(self, output: "Output", talk: Talk) -> "Iterator[Task]":
        if not output.answered:
            return self._tasks
        from satdoku.answering.output.open_file import read_answers

        name = str(self._run.output)
        lines = read_answers(as_path(name), self._plan.opening, output.answered)
        # A run that stopped within a block goes on behind the line that it had reached.
        each = LineByLine(self._tasks)
        self._earlier = set(earlier_endings(self._plan.answerer, each, lines, name))
        return each.rest

    def keep(self, rows: "Iterable[Row]", output: "Output") -> "Iterator[Row]":
        return iter(rows) if self._sift is None else map(self._sift, rows)

    def describe_interruption(self, tally: "Tally", output: "Output") -> str:
        rest = self._run.rest_of(output, "these answers")
        return rest and f"{tally.total + output.answered:,} puzzles are answered; {rest}"

    def conclude(self, tally: "Tally", output: "Output", talk: Talk, seconds: float) -> ExitCode:
        if not output.is_finished and tally.total + output.answered > 1:
            said = (tally.summarize(seconds, output.answered), self._answerer.basis)
            talk.say("; ".join(filter(None, said)))
        if tally.rejected and self._run.rejects:
            rejects = count_of(tally.rejected, "reject")
            where = "stdout" if self._run.rejects == "-" else self._run.rejects
            talk.say(f"{where} has {rejects}, with the reasons")
        return talk.code_with([code_of(self._earlier | set(tally.counts))])


def answer(
    run: Run,
    inputs: Inputs,
    answerer: PuzzleAnswerer,
    sift: "Callable[[Row], Row] | None" = None,
    albums: Albums = NO_ALBUMS,
) -> ExitCode:
    """Answers every puzzle and returns the code for all of them."""
    return run.do(PuzzleRun(run, inputs, answerer, sift), albums)


def conditions_of(run: Run, inputs: Inputs) -> Conditions:
    """What the plan of a run depends on besides its first records."""
    file_count = len(inputs.paths) if inputs.are_regular_files else 0
    return Conditions(run.output is not None, file_count, inputs.options(), inputs.are_typed)


def settle(
    run: Run, form: FormT, tasks: "Iterator[Task]", inputs: Inputs
) -> "tuple[FormT, Iterator[Task]]":
    """The form for as many tasks as there are, and the tasks."""
    conditions = conditions_of(run, inputs)
    # As in a plan: whether boards get titles depends on whether there is a second one.
    first = list(islice(tasks, records_to_see(form, conditions)))
    # `settle_form` gives a form of the same class, but its type promises only a form.
    settled = cast("FormT", settle_form(form, len(first), conditions))
    return settled, chain(first, tasks)
