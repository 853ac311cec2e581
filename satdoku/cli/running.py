"""Run an answerer over records: output, messages, progress, interruptions, exit code.

All commands that write a row for each of many records use `Run.do` with a `Work`: `PuzzleRun` below
answers puzzles, and `generate.py` makes them.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from io import StringIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import click

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.asked import Column
from satdoku.answering.form import FactsForm, Form, Lines
from satdoku.answering.output.ending import Tally
from satdoku.answering.output.output import stream_output
from satdoku.answering.plan import (
    Conditions,
    LineByLine,
    Plan,
    SourceRows,
    count_rows,
    earlier_endings,
    make_plan,
    records_to_see,
    refuse_other_tables,
    settle_form,
    tasks_behind,
)
from satdoku.answering.task import Task
from satdoku.batch.run import available_processors, run
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import (
    Decorator,
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
from satdoku.cli.outputs import output_option, require_distinct
from satdoku.cli.terminal import ProgressLine, Talk, is_pipe, is_screen
from satdoku.errors import FormatError, SatdokuError, UnlikeLinesError, count_of
from satdoku.files import as_path, is_parquet
from satdoku.notation.outcomes import COLUMNS
from satdoku.signals import signals_held

if TYPE_CHECKING:
    from enum import Enum

    from satdoku.answering.output.output import Output
    from satdoku.batch.row import Row
    from satdoku.cli.commands.draw import Album


# With --draw and --html a command writes an album of its answers beside its output.


class Albums:
    """The files of answers that a command writes beside its output; often there are none."""

    def __init__(self, *albums: "Album | None") -> None:
        self._albums = [album for album in albums if album is not None]

    def __bool__(self) -> bool:
        return bool(self._albums)

    @property
    def names(self) -> list[str | None]:
        """Return the names of the files; None for stdout."""
        return [album.name for album in self._albums]

    def add(self, found: Any) -> None:
        """Add an answer about one more puzzle to each file."""
        for album in self._albums:
            album.add(found)

    def write(self) -> str:
        """Write all files, and return a message about them."""
        return "; ".join(filter(None, [album.write() for album in self._albums]))

    @property
    def loss(self) -> str:
        """Return the message for an interruption: which files are not written."""
        return "; ".join(f"{name} is not written" for name in self.names)


def albums_of(
    drawing: str | None,
    is_forced: bool,
    page: str | None = None,
    has_slides: bool = False,
    plot: str | None = None,
) -> Albums:
    """Open the files of these names; with a page, the drawing has slides too."""
    if drawing is None and page is None and plot is None:
        return Albums()
    # Imported here: most runs draw nothing, and drawing modules are slow to import.
    from satdoku.cli.commands.draw import open_albums

    return Albums(*open_albums(drawing, is_forced, page, has_slides, plot))


PAGE_NEEDS = ("--html=-", "--output", "the page goes to stdout, so the answers need a file")
"""The options that commands with --html need."""


def html_option(what: str) -> Decorator:
    """Return the option --html; commands differ in the content of their pages."""
    return option(
        OptionGroup.OUTPUT,
        "--html",
        "page",
        metavar="FILE",
        type=FileName(),
        help=f"Also write a page that {what}.",
    )


def draw_option(what: str) -> Decorator:
    """Return the option --draw; commands differ in the content of their drawings."""
    return option(
        OptionGroup.OUTPUT,
        "--draw",
        "drawing",
        metavar="FILE",
        type=FileName(),
        help=f"Also draw {what}, into a file that ends in .svg, .png, .pdf or .txt.",
    )


NO_ALBUMS = Albums()


LinesT = TypeVar("LinesT", bound=Lines)


class UnfinishedError(Exception):
    """The end of a run whose output stays unfinished and can be resumed."""


class Work(ABC):
    """The work of a run: the source of its records, and the handling of their rows."""

    inputs: Inputs | None = None
    """The puzzles to read; None if none are read."""

    further_files: Sequence[str] = ()
    """The files that are read besides the puzzles, such as one with answers to grade."""

    written_files: Sequence[str] = ()
    """The files that are written besides the output."""

    answers_a_record: int = 1
    """How many rows of output each record of the input has."""

    resume_needs: str
    """The options that a run needs so that it can be resumed."""

    @abstractmethod
    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        """Return the answerer, and the beginning of the output."""

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[SourceRows]]:
        """Return the header and delimiter of an input table, and the files that know its types."""
        return None, ()

    def is_at_hand(self) -> bool:
        """Whether the next record can be read without waiting."""
        return True

    @abstractmethod
    def records(self, output: "Output", talk: Talk) -> Iterator[Any]:
        """Yield the records that have no row in the output yet."""

    def again(self, answered: int, talk: Talk) -> Iterator[Any]:
        """Return the records after the first `answered` ones, whose text is now read here first."""
        raise NotImplementedError

    @abstractmethod
    def keep(self, rows: "Iterable[Row]", output: "Output") -> "Iterator[Row]":
        """Yield the rows to write; raise UnfinishedError at the end if some are missing."""

    @abstractmethod
    def describe_interruption(self, tally: Tally, output: "Output") -> str:
        """Return how many records are done and how to resume; empty if no output is kept."""

    @abstractmethod
    def conclude(self, tally: Tally, output: "Output", talk: Talk, seconds: float) -> ExitCode:
        """Print a summary, and return the exit code of the run."""


class Run:
    """The options of a run; `output` is None for stdout."""

    # This method is written by hand, because generating it with `dataclass` delays the start.
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
        """Return the form that an option asks for, None without one.

        `columns` are those of a table.
        """
        if not (self.is_json or self.is_csv):
            return None
        # Imported here: plain output for a person needs no such form.
        from satdoku.answering.fact_finder import Csv, Json

        return Json(has_statistics) if self.is_json else Csv(tuple(columns))

    def form_for(self, plain: FactsForm, columns: Iterable[Column] = ()) -> FactsForm:
        """Return the form that an option asks for, else `plain`.

        `columns` are the columns of a table between the verdict and the reason.
        """
        if self.is_csv and not columns:
            raise click.UsageError(
                f"{self.output} would be a table, but these answers are prose; "
                "--json is for programs"
            )
        # Statistics are for `solve` and `check` only, which do not call this.
        named = self.form_named(False, (Column("verdict"), *columns, Column("reason")))
        return named or (self.on_screen(plain) if isinstance(plain, Lines) else plain)

    def on_screen(self, lines: LinesT) -> LinesT:
        """Return the form of lines for this run; on a terminal, stderr tells of the faults."""
        # With --rejects, stderr says nothing of them.
        are_told = is_screen(self.output) and self.rejects is None and sys.stderr.isatty()
        return replace(lines, faults_are_told=True) if are_told else lines

    def do(self, work: Work, albums: Albums = NO_ALBUMS) -> ExitCode:
        """Do the work and return the exit code; albums take the results of the rows."""
        # A dash means stdout, as for --output.
        others = [] if self.rejects is None else [None if self.rejects == "-" else self.rejects]
        # Check this before any file is opened: opening an output truncates it, even if it is an
        # input.
        require_distinct(
            work.inputs,
            [self.output, *others, *albums.names, *work.written_files],
            work.further_files,
        )
        are_typed = work.inputs is not None and work.inputs.are_typed
        progress = self._progress(are_typed)
        talk = Talk(self.is_quiet, progress, are_typed)
        plan = work.plan(talk, progress)
        # Counts of this run only; those of an earlier run are added where they are printed.
        tally = Tally()
        # Open the output after the plan, which reads the first records, so that faulty options
        # leave no empty file.
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
                    again=lambda: work.again(tally.total + output.answered, talk),
                )
                try:
                    self._write(work.keep(rows, output), output, tally, talk, progress, albums)
                except KeyboardInterrupt:
                    talk.say_if_any(work.describe_interruption(tally, output))
                    talk.say_if_any(albums.loss)
                    raise
                finally:
                    # Clear the line, so that the next message, even an error, gets its own. Close
                    # the rows, so that all workers have ended when the output is closed.
                    progress.clear()
                    rows.close()
        except UnfinishedError:
            pass  # the output is left resumable
        talk.say_repeated()
        talk.say_if_any(albums.write())
        if output.is_finished:
            talk.say(f"{self.output} is already complete")
        return work.conclude(tally, output, talk, progress.seconds)

    def rest_of(self, output: "Output", written: str) -> str:
        """Return what an interrupted run says of its output file, and how to resume it.

        Empty if nothing was written to a file.
        """
        if output.can_resume:
            return f"--resume goes on with {self.output}"
        # Until something is written, the file is unchanged.
        is_touched = self.output is not None and output.written
        return f"{self.output} has {written} alone" if is_touched else ""

    def _progress(self, are_typed: bool) -> ProgressLine:
        """Return the progress bar, shown if asked for, or by default if stderr is a terminal.

        By default there is none while a person types puzzles, or if answers go into a pipe: the
        next program may print to the same terminal.
        """
        is_seen = sys.stderr.isatty() and not are_typed
        is_usual = is_seen and not self.is_quiet and not is_pipe(self.output)
        is_told = self.has_progress is None and not self.is_quiet and not sys.stderr.isatty()
        is_wanted = is_usual if self.has_progress is None else self.has_progress
        return ProgressLine(is_wanted, is_told=is_told)

    def _open(self, plan: Plan, work: Work) -> "Output":
        """Open stdout or a file; without an identity the run cannot be resumed."""
        rejects = None if self.rejects is None else as_path(self.rejects)
        if self.output is None:
            output = stream_output(sys.stdout, rejects, self.is_forced)
            # Print the opening after the rejects are opened, so that nothing is printed if that
            # fails.
            sys.stdout.write(plan.opening)
            return output
        path = as_path(self.output)
        if is_parquet(self.output):
            from satdoku.answering.output.parquet import (
                InputTable,
                parquet_output,
                picked_output,
            )

            columns, tables = work.columns_of_input()
            if columns is None and not plan.opening:
                return stream_output(StringIO(), rejects, self.is_forced)  # there is no record
            if plan.answerer.form.picks_rows:
                return picked_output(path, as_path(tables[0].source), rejects, self.is_forced)
            kinds = plan.answerer.form.kinds
            table = InputTable(columns, tables, work.answers_a_record)
            return parquet_output(path, plan.opening, kinds, table, rejects, self.is_forced)
        if plan.identity is None and self.is_resumed:
            raise click.UsageError(f"--resume needs {work.resume_needs}")
        from satdoku.answering.output.open_file import Identity, file_output

        names = [*([] if work.inputs is None else work.inputs.paths), *work.further_files]
        identity = None
        if plan.identity is not None:
            jobs = self.jobs or available_processors()
            identity = Identity(plan.identity, list(map(as_path, names)), plan.usual, jobs)
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
        # Find this out once, because it cannot change and there may be a hundred thousand rows.
        shares_terminal = is_screen(self.output)
        for row in rows:
            if shares_terminal:
                progress.clear()
            # A signal in between would leave a row in the file that is not counted. Pipes may
            # block, and take signals.
            with signals_held() if output.can_resume else nullcontext():
                output.write(row)
                tally.add(row)
            albums.add(row.result)
            for each in row.others or (row,):
                if not (each.reject and self.rejects):  # the reject says the same, with the reason
                    talk.tell_of(each)
            progress.show(tally, output.answered)


EXCLUDED = (
    ("--json", "--csv", ""),
    ("--resume", ".parquet", "--resume continues text, such as CSV; Parquet begins anew"),
    ("--resume", "--rejects=-", "what went to stdout cannot be cut"),
    ("--resume", "--draw --html", "--resume has no results of earlier puzzles to draw"),
)
"""Excluded combinations of the options of every run; see `GroupedCommand`."""

NEEDED = (
    ("--resume", "--output", "it continues a file"),
    ("--rejects=-", "--output", "the rejects go to stdout, so the answers need a file"),
)
"""Options that the options of every run need."""

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
    OptionGroup.ANSWER,
    "--json",
    "is_json",
    is_flag=True,
    help="Print a JSON object for each puzzle.",
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
            help="Write a CSV table; the columns of a CSV input are kept.",
        ),
        option(
            OptionGroup.MANY,
            "--rejects",
            metavar="FILE",
            type=FileName(),
            help="Write failed records, such as unreadable ones, into this file, with the reason.",
        ),
        *_SHARED,
    ],
)
"""The options of commands with one answer for each puzzle; received as `run`."""

prose_options = gathered("run", Run, [_json_option, *_SHARED])
"""Options of commands with several lines for each answer: no table and no rejects."""


# Answering the puzzles of an input, one row for each.

FormT = TypeVar("FormT", bound=Form)


class PuzzleRun(Work):
    """The work of answering every puzzle; rows pass `sift` in this process, in input order."""

    resume_needs = "files as input, and an output with a line for each puzzle, as --json has"

    trusts_files: ClassVar[bool] = True
    """Whether lines of files may be passed to workers by their place, without a look at them."""

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
        self._refused: set[str] = set()
        self._told: set[str] = set()
        self._source_rows: list[SourceRows] = []

    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        # For files, progress is the share that was read; the length of a pipe is unknown.
        self._meter = progress.meter(self.inputs.paths)
        tasks = self._read(talk, self.trusts_files and self.inputs.are_regular_files)
        conditions = conditions_of(self._run, self.inputs)
        self._first = list(islice(tasks, records_to_see(self._answerer.form, conditions)))
        if self._answerer.has_values_of_boards and self._first:
            self._require_fitting_values(self._first[0])
        self._tasks = chain(self._first, tasks)
        watched = self._answerer.watched(progress.show_work, talk.say)
        if is_parquet(self._run.output) and self.columns_of_input()[1]:
            watched = watched.in_form(watched.form.beside_copies())
        self._plan = make_plan(watched, self._first, conditions)
        return self._plan

    def _require_fitting_values(self, task: Task) -> None:
        """Raise an OptionError for an option that does not fit the first puzzle."""
        with suppress(FormatError):  # its own row tells of an unreadable puzzle
            self._answerer.read_values(task.parse())

    def _read(self, talk: Talk, is_trusted: bool = False) -> "Iterator[Task]":
        """Return the tasks of all sources; what was told before is not told again."""
        known = frozenset(self._refused)

        def refuse(error: SatdokuError) -> None:
            self._refused.add(str(error))
            if str(error) not in known:
                talk.refuse(error)

        answerer = self._answerer
        blocks = answerer.takes_blocks, answerer.takes_rows
        self._source = self.inputs.tasks(
            refuse, self._meter, *blocks, is_trusted, self._told, answerer.is_quick
        )
        tasks = self._complete(self._source, talk)
        if answerer.form.is_one_table:
            tasks = refuse_other_tables(tasks, refuse)
        # An output table takes the types of its columns from its inputs, if all are Parquet.
        names = self.inputs.arguments
        has_types = bool(names) and all(map(is_parquet, [self._run.output, *names]))
        return count_rows(tasks, self._source_rows) if has_types else tasks

    def _complete(self, tasks: "Iterator[Task]", talk: Talk) -> "Iterator[Task]":
        """Return the tasks, each with its further data, such as an answer to grade."""
        return tasks

    def is_at_hand(self) -> bool:
        return self._source.is_at_hand()

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[SourceRows]]:
        return (self._first[0].parser.format.columns if self._first else None), self._source_rows

    def records(self, output: "Output", talk: Talk) -> "Iterator[Task]":
        if not output.answered:
            return self._tasks
        try:
            return self._go_on(self._tasks, output.answered)
        except UnlikeLinesError:
            return self._go_on(self.again(0, talk), output.answered)

    def _go_on(self, tasks: "Iterator[Task]", answered: int) -> "Iterator[Task]":
        """Return the tasks after the answers in the output, and note how those ended."""
        from satdoku.answering.output.open_file import read_answers

        name = str(self._run.output)
        lines = read_answers(as_path(name), self._plan.opening, answered)
        # A run that stopped within a block continues at the next line of the block.
        each = LineByLine(tasks)
        self._earlier = set(earlier_endings(self._plan.answerer, each, lines, name))
        return each.rest

    def again(self, answered: int, talk: Talk) -> "Iterator[Task]":
        self._source.close()
        if self._meter is not None:
            self._meter.begin_anew()
        return tasks_behind(self._read(talk), answered)

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
    """Answer every puzzle and return the exit code."""
    return run.do(PuzzleRun(run, inputs, answerer, sift), albums)


def conditions_of(run: Run, inputs: Inputs) -> Conditions:
    """Return the conditions of a plan besides the first records."""
    file_count = len(inputs.paths) if inputs.are_regular_files else 0
    return Conditions(run.output is not None, file_count, inputs.options(), inputs.are_typed)


def settle(
    run: Run, form: FormT, tasks: "Iterator[Task]", inputs: Inputs
) -> "tuple[FormT, Iterator[Task]]":
    """Return the form for this number of tasks, and an iterator of all tasks."""
    conditions = conditions_of(run, inputs)
    # Read as many tasks as a plan does: boards get titles only if there is a second one.
    first = list(islice(tasks, records_to_see(form, conditions)))
    # `settle_form` returns a form of the same class, which its type does not express.
    settled = cast("FormT", settle_form(form, len(first), conditions))
    return settled, chain(first, tasks)
