"""Running an answerer over records: output, talk, progress, interruptions and the exit code.

All commands with a row for each of many records go this one way, `Run.do`. They differ in their
work: `puzzle_run.py` has that of answering puzzles, `generate.py` that of making them.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.asked import Column
from satdoku.answering.form import FactsForm, Form
from satdoku.answering.output.ending import Tally
from satdoku.answering.output.output import stream_output
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
from satdoku.batch.run import run
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import (
    FileName,
    OptionGroup,
    cluster_option,
    force_option,
    gathered,
    jobs_option,
    option,
    progress_option,
    quiet_option,
    resume_option,
)
from satdoku.cli.outputs import Albums, output_option, require_distinct
from satdoku.cli.terminal import ProgressLine, Talk, is_pipe, is_screen
from satdoku.errors import count_of
from satdoku.files import as_path, is_parquet
from satdoku.notation.outcomes import COLUMNS

if TYPE_CHECKING:
    from enum import Enum

    from satdoku.answering.output.ending import Tally
    from satdoku.answering.output.output import Output
    from satdoku.answering.task import Task
    from satdoku.batch.row import Row


NO_ALBUMS = Albums()


class UnfinishedError(Exception):
    """Ends a work, and leaves its output as one that can be resumed."""


class Work(ABC):
    """What a run is to do: where its records come from, and what becomes of their rows."""

    inputs: Inputs | None = None
    """The puzzles that are read; None where none are."""

    resume_needs: str
    """What has to be given so that a run can be resumed."""

    @abstractmethod
    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        """The answerer, and how the output begins."""

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[str]]:
        """The header of a table that is read, and what stands between its columns; the files that
        know their types.
        """
        return None, ()

    def is_at_hand(self) -> bool:
        """Whether the next record can be had without waiting for it."""
        return True

    @abstractmethod
    def records(self, output: "Output", talk: Talk) -> Iterator[Any]:
        """The records that the output has no row of yet."""

    @abstractmethod
    def keep(self, rows: "Iterable[Row]", output: "Output") -> "Iterator[Row]":
        """The rows as they are to be written; UnfinishedError where some are missing at the end."""

    @abstractmethod
    def describe_interruption(self, tally: Tally, output: "Output") -> str:
        """How many records are done, and how to go on; empty where nothing stays of them."""

    @abstractmethod
    def conclude(self, tally: Tally, output: "Output", talk: Talk, seconds: float) -> ExitCode:
        """Says what came of it, and returns the code for all of it."""


class Run:
    """What the user chose about a run; `output` None is standard output."""

    # By hand: what a dataclass writes by itself makes the program start later.
    def __init__(
        self,
        output: str | None = None,
        force: bool = False,
        resume: bool = False,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: bool | None = None,
        quiet: bool = False,
        is_json: bool = False,
        is_csv: bool = False,
        rejects: str | None = None,
    ) -> None:
        self.output = output
        self.is_forced = force
        self.is_resumed = resume
        self.jobs = jobs
        self.cluster = cluster
        self.has_progress = progress
        self.is_quiet = quiet
        self.is_json = is_json
        self.is_csv = is_csv or is_parquet(output)
        self.rejects = rejects

    def form_named(
        self,
        has_statistics: bool | None = None,
        columns: Iterable[Column] = tuple(map(Column, COLUMNS)),
    ) -> FactsForm | None:
        """The form that was asked for by name, if any was; a table has these columns of ours."""
        if not (self.is_json or self.is_csv):
            return None
        # Imported here: a person who reads lines need not wait for them.
        from satdoku.answering.fact_finder import Csv, Json

        return Json(has_statistics) if self.is_json else Csv(tuple(columns))

    def form_for(self, plain: FactsForm, columns: Iterable[Column] = ()) -> FactsForm:
        """The form of a question's answers: `plain` unless another was asked for by name.

        `columns` are the values that a table has, between the verdict and the reason.
        """
        if self.is_csv and not columns:
            raise click.UsageError(
                f"{self.output} would be a table, and these answers are prose; "
                "--json is for programs"
            )
        # Statistics are those of `solve` and `check`, which do not come here.
        return self.form_named(False, (Column("verdict"), *columns, Column("reason"))) or plain

    def do(self, work: Work, albums: Albums = NO_ALBUMS) -> ExitCode:
        """Does the work and returns the code for all of it; albums take the results of the rows."""
        # A dash is stdout, as it is of --output.
        others = [] if self.rejects is None else [None if self.rejects == "-" else self.rejects]
        # Before anything is opened: an output would be emptied, although it is still to be read.
        require_distinct(work.inputs, [self.output, *others, *albums.names])
        are_typed = work.inputs is not None and work.inputs.are_typed
        progress = self._progress(are_typed)
        talk = Talk(self.is_quiet, progress, are_typed)
        plan = work.plan(talk, progress)
        # Of this run alone; what an earlier one answered is added where that is said.
        tally = Tally()
        # Behind the plan, which reads the first records: faulty options leave no empty file.
        output = self._open(plan, work)
        try:
            with output:
                records = work.records(output, talk)
                rows = run(
                    plan.answerer,
                    records,
                    self.jobs,
                    self.cluster,
                    work.is_at_hand,
                    tell=talk.say,
                )
                try:
                    self._write(work.keep(rows, output), output, tally, talk, progress, albums)
                except KeyboardInterrupt:
                    talk.say_if_any(work.describe_interruption(tally, output))
                    talk.say_if_any(albums.loss)
                    raise
                finally:
                    # Whatever is said next, be it an error, stands on a line of its own; and no
                    # worker is at work any more when the output is closed.
                    progress.clear()
                    rows.close()
        except UnfinishedError:
            pass  # it has left the output as one that can be resumed
        talk.say_repeated()
        talk.say_if_any(albums.write())
        if output.is_finished:
            talk.say(f"{self.output} is already complete")
        return work.conclude(tally, output, talk, progress.seconds)

    def rest_of(self, output: "Output", written: str) -> str:
        """What an interruption leaves in a file, and how to go on; empty where there is none."""
        if output.can_resume:
            return f"--resume goes on with {self.output}"
        # Until something is written, a file is as it was.
        is_touched = self.output is not None and output.written
        return f"{self.output} has {written} alone" if is_touched else ""

    def _progress(self, are_typed: bool) -> ProgressLine:
        """A bar for a person who waits, where it stands on a line alone.

        Not where answers go into a pipe: the program behind it may print to the same terminal.
        """
        is_seen = sys.stderr.isatty() and not are_typed
        is_usual = is_seen and not self.is_quiet and not is_pipe(self.output)
        is_told = self.has_progress is None and not self.is_quiet and not sys.stderr.isatty()
        is_wanted = is_usual if self.has_progress is None else self.has_progress
        return ProgressLine(is_wanted, is_told=is_told)

    def _open(self, plan: Plan, work: Work) -> "Output":
        """Standard output or a file; without an identity the run cannot be resumed."""
        rejects = None if self.rejects is None else as_path(self.rejects)
        if self.output is None:
            output = stream_output(sys.stdout, rejects, self.is_forced)
            # Behind the opening of the file for rejects: where that fails nothing is printed.
            sys.stdout.write(plan.opening)
            return output
        path = as_path(self.output)
        if is_parquet(self.output):
            from satdoku.answering.output.parquet import InputTable, parquet_output

            columns, tables = work.columns_of_input()
            kinds = plan.answerer.form.kinds
            table = InputTable(columns, list(map(as_path, tables)))
            return parquet_output(path, plan.opening, kinds, table, rejects, self.is_forced)
        if plan.identity is None and self.is_resumed:
            raise click.UsageError(f"--resume needs {work.resume_needs}")
        from satdoku.answering.output.open_file import Identity, file_output

        names = [] if work.inputs is None else work.inputs.paths
        identity = None
        if plan.identity is not None:
            identity = Identity(plan.identity, list(map(as_path, names)), plan.usual)
        return file_output(path, plan.opening, rejects, identity, self.is_resumed, self.is_forced)

    def _write(
        self,
        rows: "Iterable[Row]",
        output: "Output",
        tally: Tally,
        talk: Talk,
        progress: ProgressLine,
        albums: Albums,
    ) -> None:
        # Asked once: the answer cannot change, and rows may come by the hundred thousand.
        shares_terminal = is_screen(self.output)
        for row in rows:
            if shares_terminal:
                progress.clear()
            output.write(row)
            tally.add(row)
            albums.add(row.result)
            for each in row.others or (row,):
                if not (each.reject and self.rejects):  # which says the same, with the reason
                    talk.tell_of(each)
            progress.show(tally, output.answered)


EXCLUDED = (
    ("--json", "--csv", ""),
    ("--resume", ".parquet", "--resume continues text, such as CSV; Parquet begins anew"),
    ("--resume", "--rejects=-", "what went to stdout cannot be cut"),
    ("--resume", "--draw --html", "--resume has no results of earlier puzzles to draw"),
)
"""What the options of every run exclude; see `GroupedCommand`."""

NEEDED = (
    ("--resume", "--output", "it goes on with a file"),
    ("--rejects=-", "--output", "a file for the answers, as stdout gets the rejects"),
)
"""What the options of every run need."""

_SHARED = [
    output_option,
    force_option,
    resume_option,
    jobs_option,
    cluster_option,
    progress_option,
    quiet_option,
]

_json_option = option(
    OptionGroup.ANSWER, "--json", "is_json", is_flag=True, help="One JSON object a puzzle."
)

making_options = gathered("run", Run, _SHARED)
"""The options of every run; a command that declares --json or --csv itself finds them in `run`."""

run_options = gathered(
    "run",
    Run,
    [
        _json_option,
        option(
            OptionGroup.ANSWER,
            "--csv",
            "is_csv",
            is_flag=True,
            help="A table; the columns of a CSV stay.",
        ),
        option(
            OptionGroup.MANY,
            "--rejects",
            metavar="FILE",
            type=FileName(),
            help="Collect what got no answer, such as unreadable records, with the reason.",
        ),
        *_SHARED,
    ],
)
"""The options of everything that gives one answer a puzzle; the command gets them as `run`."""

prose_options = gathered("run", Run, [_json_option, *_SHARED])
"""The same for answers of several lines each: they make no table, and none of them is a reject."""


# The work of answering the puzzles of an input, a row for each.

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
