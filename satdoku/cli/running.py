"""Run an answerer over records: output, messages, progress, interruptions, exit code.

All commands that write a row for each of many records use `Run.do` with a `Work`: `PuzzleRun` below
answers puzzles, and `generate.py` makes them. The destinations of output come first.
"""

import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import click

import satdoku
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
from satdoku.answering.task import Task
from satdoku.batch.run import run
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import TYPED, Inputs
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
from satdoku.cli.terminal import ProgressLine, Talk, is_pipe, is_screen
from satdoku.errors import SatdokuError, count_of
from satdoku.files import as_path, is_parquet, new_file
from satdoku.notation.outcomes import COLUMNS

if TYPE_CHECKING:
    from enum import Enum
    from pathlib import Path

    from satdoku.answering.output.ending import Tally
    from satdoku.answering.output.output import Output
    from satdoku.answering.task import Task
    from satdoku.batch.row import Row
    from satdoku.cli.commands.draw import Album


# The output of a command: stdout, a file, or a folder with a file for each puzzle.
#
# No file may be read and written in the same run, under whatever names, or written twice. With
# --draw and --html a command writes an album of its answers beside its output.

# Eight digits, so that names sort like lines up to line 99,999,999.
_DIGITS_OF_A_LINE = 8


def read_output(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a file; None for stdout, which a dash names too."""
    return None if value == "-" else value


output_option = option(
    OptionGroup.OUTPUT,
    "-o",
    "--output",
    callback=read_output,
    metavar="FILE",
    type=FileName(),
    help="Write to a file instead of stdout; compressed if it ends in .gz, .bz2, .xz or .zst, a "
    "table with types if in .parquet.",
)


@contextmanager
def output_stream(name: str | None, force: bool, is_table: bool = False) -> Iterator[IO[str]]:
    """Open stdout, or a file that appears under its name when it is complete.

    A CSV table may go to a Parquet file, which cannot hold other text.
    """
    if name is None:
        yield sys.stdout
        return
    if is_parquet(name) and not is_table:
        raise click.UsageError(f"{name} would be a table, but this output is not one")
    path = as_path(name)
    if is_parquet(name):
        from satdoku.answering.output.parquet import new_table

        with new_table(path, force) as table:
            yield cast(IO[str], table)
        return
    with new_file(path, force) as stream:
        yield stream


def require_distinct(
    inputs: Inputs | None, written: Iterable[str | None], further: Sequence[str] = ()
) -> None:
    """Refuse to write a file that is read, or to write a file twice; None is stdout.

    `further` are files that are read besides the puzzles.
    """
    # Compare files by their identity in the system: a file or folder may have several names.
    taken = {
        _identity_of_path(path): "read" for path in (*(inputs.paths if inputs else ()), *further)
    }
    if inputs is not None and inputs.has_standard_input:
        taken[_identity_of_stream(sys.stdin)] = "read"
    for path in written:
        identity = _identity_of_stream(sys.stdout) if path is None else _identity_of_path(path)
        if identity is not None and identity in taken:
            name = "the file that the output goes to" if path is None else path
            raise click.UsageError(f"{name} is {taken[identity]} already; write to another file")
        taken[identity] = "written"


def require_end(inputs: Inputs, output: str | None) -> None:
    """Refuse a stdout that is redirected to an input, as in `convert p.txt >> p.txt`.

    The command would read its own output without end. A file named by --output may be an input: it
    is replaced when all of it has been read.
    """
    if output is None:
        require_distinct(inputs, [None])


def make_folder(path: "Path") -> None:
    """Create the folder if it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SatdokuError(f"the folder {path} cannot be made: {error.strerror}") from None


def file_name(task: Task) -> str:
    """Return a name for the files of a puzzle: it sorts like the input and has its line number.

    The name is the source without its suffixes and the line of the puzzle: `puzzles-00000012`. A
    second puzzle in a line adds its column; typed puzzles are counted instead.
    """
    record = task.record
    stem = _stem(task.parser.source)
    if stem.partition(" ")[0] == TYPED:
        return f"{TYPED}-{task.number:0{_DIGITS_OF_A_LINE}}"
    # Otherwise the second puzzle of a line would get the name of the first.
    column = f"-{record.column:0{_DIGITS_OF_A_LINE}}" if record.column > 1 else ""
    return f"{stem}-{record.line:0{_DIGITS_OF_A_LINE}}{column}"


def require_different_stems(sources: Iterable[str]) -> None:
    """Raise an error for sources whose puzzles would get equal names in one folder."""
    source_of: dict[str, str] = {}
    for source in sources:
        other = source_of.setdefault(_stem(source), source)
        if other is not source:
            raise click.UsageError(
                f"the puzzles of {other} and {source} would get the same file names; "
                "write them to different folders"
            )


def program() -> str:
    """Return our name and version, as files quote it: `satdoku 0.2.0`."""
    return f"satdoku {satdoku.__version__}"


def _stem(source: str) -> str:
    return os.path.basename(source).split(".")[0] or "puzzle"


def _identity_of_path(path: str) -> Hashable:
    """Return a value that is equal for all names of a file, even one that does not exist yet."""
    try:
        return _identity(os.stat(path))
    except OSError:
        return os.path.realpath(path)


def _identity_of_stream(stream: IO[str]) -> Hashable:
    try:
        return _identity(os.fstat(stream.fileno()))
    except (OSError, ValueError):
        return None


def _identity(found: os.stat_result) -> Hashable:
    """Return the identity of a file; None for pipes and devices, which may be read and written."""
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


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


PAGE_NEEDS = ("--html=-", "--output", "a file for the answers, as stdout gets the page")
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


class UnfinishedError(Exception):
    """Ends a run whose output stays unfinished and can be resumed."""


class Work(ABC):
    """The work of a run: the source of its records, and the handling of their rows."""

    inputs: Inputs | None = None
    """The puzzles to read; None if none are read."""

    further_files: Sequence[str] = ()
    """The files that are read besides the puzzles, such as one with answers to grade."""

    written_files: Sequence[str] = ()
    """The files that are written besides the output."""

    resume_needs: str
    """The options that a run needs so that it can be resumed."""

    @abstractmethod
    def plan(self, talk: Talk, progress: ProgressLine) -> Plan:
        """Return the answerer, and the beginning of the output."""

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[str]]:
        """Return the header and delimiter of an input table, and the files that know its types."""
        return None, ()

    def is_at_hand(self) -> bool:
        """Whether the next record can be read without waiting."""
        return True

    @abstractmethod
    def records(self, output: "Output", talk: Talk) -> Iterator[Any]:
        """Yield the records that have no row in the output yet."""

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

    # Written by hand, because generating it with `dataclass` delays the start.
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

        `columns` are those of a table between the verdict and the reason.
        """
        if self.is_csv and not columns:
            raise click.UsageError(
                f"{self.output} would be a table, but these answers are prose; "
                "--json is for programs"
            )
        # Statistics are for `solve` and `check` only, which do not call this.
        return self.form_named(False, (Column("verdict"), *columns, Column("reason"))) or plain

    def do(self, work: Work, albums: Albums = NO_ALBUMS) -> ExitCode:
        """Do the work and return the exit code; albums take the results of the rows."""
        # A dash means stdout, as for --output.
        others = [] if self.rejects is None else [None if self.rejects == "-" else self.rejects]
        # Before any file is opened: opening an output truncates it, even if it is an input.
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
        # After the plan, which reads the first records, so that faulty options leave no empty file.
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
                    # The next message, even an error, gets its own line, and all workers have ended
                    # when the output is closed.
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
        """Return a progress bar if a person waits and nothing else is printed on its line.

        No bar if answers go into a pipe: the next program may print to the same terminal.
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
            # After the rejects are opened, so that nothing is printed if that fails.
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

        names = [*([] if work.inputs is None else work.inputs.paths), *work.further_files]
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
        # Determined once, because it cannot change and there may be a hundred thousand rows.
        shares_terminal = is_screen(self.output)
        for row in rows:
            if shares_terminal:
                progress.clear()
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
    ("--rejects=-", "--output", "a file for the answers, as stdout gets the rejects"),
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
            help="Write a CSV table; the columns of a CSV input are kept.",
        ),
        option(
            OptionGroup.MANY,
            "--rejects",
            metavar="FILE",
            type=FileName(),
            help="Collect records without an answer, such as unreadable ones, with the reason.",
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
    """Answers every puzzle; each row passes `sift`, in this process and in input order."""

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
        # Files allow progress as a share; the length of a pipe is unknown.
        meter = progress.meter(self.inputs.paths)
        self._source = self.inputs.tasks(
            talk.refuse, meter, self._answerer.takes_blocks, self._answerer.takes_rows
        )
        tasks = self._complete(self._source, talk)
        if self._answerer.form.is_one_table:
            tasks = refuse_other_tables(tasks, talk.refuse)
        conditions = conditions_of(self._run, self.inputs)
        self._first = list(islice(tasks, records_to_see(self._answerer.form, conditions)))
        self._tasks = chain(self._first, tasks)
        watched = self._answerer.watched(progress.show_work, talk.say)
        self._plan = make_plan(watched, self._first, conditions)
        return self._plan

    def _complete(self, tasks: "Iterator[Task]", talk: Talk) -> "Iterator[Task]":
        """Return the tasks, each with its further data, such as an answer to grade."""
        return tasks

    def is_at_hand(self) -> bool:
        return self._source.is_at_hand()

    def columns_of_input(self) -> tuple[tuple[str, str] | None, Sequence[str]]:
        if not self._first:
            return None, ()
        # An output table takes the types of its columns from Parquet inputs.
        tables = list(filter(is_parquet, self.inputs.paths))
        return self._first[0].parser.format.columns, tables

    def records(self, output: "Output", talk: Talk) -> "Iterator[Task]":
        if not output.answered:
            return self._tasks
        from satdoku.answering.output.open_file import read_answers

        name = str(self._run.output)
        lines = read_answers(as_path(name), self._plan.opening, output.answered)
        # A run that stopped within a block continues at the next line of the block.
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
    # As in a plan: boards get titles only if there is a second one.
    first = list(islice(tasks, records_to_see(form, conditions)))
    # `settle_form` returns a form of the same class, which its type does not express.
    settled = cast("FormT", settle_form(form, len(first), conditions))
    return settled, chain(first, tasks)
