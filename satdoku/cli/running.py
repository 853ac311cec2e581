"""Running an answerer over all input: output, talk, progress, and the exit code."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from satdoku.cli.completion import FileName
from satdoku.cli.exit_codes import ExitCode, code_of
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import all_of, force_option, jobs_option, quiet_option
from satdoku.cli.progress import Progress
from satdoku.cli.same_file import require_distinct
from satdoku.cli.talk import Talk
from satdoku.cli.writing import output_option
from satdoku.errors import SatdokuError
from satdoku.notation.formats import format_named
from satdoku.reporting.answerer import Answerer
from satdoku.reporting.table import columns_of, csv_opening
from satdoku.reporting.task import LINEWISE, Form, Task

if TYPE_CHECKING:
    from pathlib import Path

    from satdoku.output.output import Output
    from satdoku.output.resume import Identity

Command = Callable[..., Any]

run_options = all_of(
    [
        click.option("--json", "is_json", is_flag=True, help="One JSON object a puzzle."),
        click.option("--csv", "is_csv", is_flag=True, help="A table; the columns of a CSV stay."),
        output_option,
        force_option,
        click.option("--resume", is_flag=True, help="Continue an interrupted run into --output."),
        click.option(
            "--rejects",
            metavar="FILE",
            type=FileName(),
            help="Collect what is not unique or not readable, with the reason.",
        ),
        jobs_option,
        click.option(
            "--dask",
            "cluster",
            metavar="ADDRESS",
            help="Run on a Dask cluster: tcp://host:8786, or local.",
        ),
        click.option(
            "--progress/--no-progress",
            default=None,
            help="A progress bar on stderr; by default if it is a terminal.",
        ),
        quiet_option,
    ]
)


@dataclass(frozen=True)
class Run:
    """The options of a run over all input."""

    form: Form | None
    output: str | None
    is_forced: bool
    is_resumed: bool
    rejects: str | None
    jobs: int | None
    cluster: str | None
    has_progress: bool | None
    is_quiet: bool

    @classmethod
    def take(cls, options: dict[str, Any]) -> "Run":
        """The run among a command's options, which are taken out."""
        is_json, is_csv = options.pop("is_json"), options.pop("is_csv")
        if is_json and is_csv:
            raise click.UsageError("--json and --csv exclude each other")
        output, rejects = options.pop("output"), options.pop("rejects")
        return cls(
            form=Form.JSON if is_json else Form.CSV if is_csv else None,
            output=None if output == "-" else output,
            is_forced=options.pop("force"),
            is_resumed=options.pop("resume"),
            rejects=rejects,
            jobs=options.pop("jobs"),
            cluster=options.pop("cluster"),
            has_progress=options.pop("progress"),
            is_quiet=options.pop("quiet"),
        )

    def answer(self, inputs: Inputs, answerer: Answerer) -> ExitCode:
        """Answers every puzzle and returns the code for all of them."""
        from satdoku.batch.run import run
        from satdoku.output.tally import Tally

        rejects = [self.rejects] if self.rejects is not None else []
        require_distinct(inputs, [self.output, *rejects])
        progress = Progress(self._wants_progress)
        talk = Talk(self.is_quiet, progress)
        source = inputs.tasks(talk.refuse, progress.meter(inputs.paths))
        tasks: Iterator[Task] = source
        if answerer.form is Form.CSV or (answerer.form is Form.GRIDS and not answerer.to):
            tasks = _refuse_other_tables(tasks, talk.refuse)
        # A slow pipe should not wait for its second puzzle where that does not matter.
        looks_ahead = self.output is None and (
            answerer.screen is not None
            or (answerer.form is Form.JSON and answerer.has_statistics is None)
        )
        first = list(islice(tasks, 2 if looks_ahead else 1))
        answerer = _adapt(answerer, is_single=looks_ahead and len(first) == 1)
        tally = Tally()
        with self._open(inputs, answerer, first) as output:
            rest = islice(chain(first, tasks), output.answered, None)
            rows = run(answerer, rest, self.jobs, self.cluster, source.is_at_hand)
            try:
                for row in rows:
                    output.write(row)
                    tally.add(row)
                    if row.message:
                        talk.say(row.message)
                    progress.show(tally, output.answered)
            except KeyboardInterrupt:
                if output.can_resume:
                    done = f"{tally.total + output.answered:,} puzzles are answered"
                    talk.say(f"{done}; --resume goes on with {self.output}")
                raise
            finally:
                progress.clear()
                rows.close()
        if tally.total + output.answered > 1:
            talk.say(tally.summarize(progress.seconds, output.answered))
        return ExitCode.FAILED if talk.has_refused else code_of(tally.counts)

    def require_plain(self) -> None:
        """Refuses what only a run with one answer a puzzle can do."""
        only_there = {
            "--rejects": self.rejects,
            "--resume": self.is_resumed,
            "--jobs": self.jobs,
            "--dask": self.cluster,
        }
        for name, value in only_there.items():
            if value:
                raise click.UsageError(f"{name} is for one answer a puzzle, not for -n or --all")

    @property
    def _wants_progress(self) -> bool:
        if self.has_progress is not None:
            return self.has_progress
        return not self.is_quiet and sys.stderr.isatty()

    def _open(self, inputs: Inputs, answerer: Answerer, first: Sequence[Task]) -> "Output":
        from satdoku.output.open_output import file_output, stream_output

        opening = opening_of(answerer, first)
        rejects = _path(self.rejects)
        if self.output is None:
            if self.is_resumed:
                raise click.UsageError("--resume continues a file; name it by --output")
            output = stream_output(sys.stdout, rejects, self.is_forced)
            sys.stdout.write(opening)
            return output
        identity = _identity(inputs, answerer, first)
        if self.is_resumed and identity is None:
            raise click.UsageError(
                "--resume needs files as input, and an output with a line for each puzzle: "
                "--json, --csv or --to line"
            )
        path = _path(self.output)
        assert path is not None
        return file_output(path, opening, rejects, identity, self.is_resumed, self.is_forced)


def _adapt(answerer: Answerer, is_single: bool) -> Answerer:
    """A single puzzle gets its statistics, and on a terminal both of its solutions."""
    has_statistics = is_single if answerer.has_statistics is None else answerer.has_statistics
    draws = answerer.form is Form.SCREEN or is_single
    return replace(
        answerer, has_statistics=has_statistics, screen=answerer.screen if draws else None
    )


def _refuse_other_tables(
    tasks: Iterator[Task], refuse: Callable[[SatdokuError], None]
) -> Iterator[Task]:
    """Without the sources whose columns differ from the first: one table cannot hold both."""
    first = seen = None
    is_fitting = True
    for task in tasks:
        if task.parser is not seen:
            seen = task.parser
            first = first or seen
            is_fitting = columns_of(seen) == columns_of(first)
            if not is_fitting:
                refuse(SatdokuError(f"{seen.source} has not the columns of {first.source}"))
        if is_fitting:
            yield task


def opening_of(answerer: Answerer, first: Sequence[Task]) -> str:
    """What stands before the first row."""
    if not first:
        return ""
    if answerer.form is Form.CSV:
        return csv_opening(first[0].parser)
    if answerer.form is not Form.GRIDS:
        return ""
    if answerer.to:
        return format_named(answerer.to).opening(answerer.hints)
    return first[0].parser.format.answer_opening()


def _identity(inputs: Inputs, answerer: Answerer, first: Sequence[Task]) -> "Identity | None":
    """What makes a run the same run, if it can be resumed at all."""
    from pathlib import Path

    from satdoku.output.resume import Identity

    paths = [Path(name) for name in inputs.paths]
    if not first or len(paths) != len(inputs.arguments) or not all(map(Path.is_file, paths)):
        return None
    if answerer.form is Form.GRIDS:
        name = answerer.to or first[0].parser.format.name
        if name not in LINEWISE or (len(paths) > 1 and not answerer.to):
            return None
    elif answerer.form not in (Form.VERDICTS, Form.JSON, Form.CSV):
        return None
    settings = answerer.settings
    options = {
        "the form of the output": answerer.form.value,
        "--to": answerer.to,
        "--any": answerer.is_any,
        "--stats": answerer.has_statistics,
        "--from": inputs.format_name,
        "the layout of the input": inputs.hints,
        "--solver": settings.engine,
        "--encoding": settings.encoding.value,
        "--at-most-one": settings.at_most_one and settings.at_most_one.value,
        "--timeout": settings.limits.timeout,
        "--conflicts": settings.limits.conflicts,
    }
    return Identity(options, paths)


def _path(name: str | None) -> "Path | None":
    from pathlib import Path

    return None if name is None else Path(name)
