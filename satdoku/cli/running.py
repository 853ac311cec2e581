"""Running an answerer over all input: output, talk, progress, and the exit code."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import click

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import all_of, force_option, quiet_option
from satdoku.cli.talk import Talk
from satdoku.cli.writing import output_option
from satdoku.reporting.answerer import Answerer, Form

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
            help="Collect what is not unique or not readable, with the reason.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            help="Processes; if not given, one for a few puzzles and all cores for many.",
        ),
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


@dataclass(frozen=True, slots=True)
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

        talk = Talk(self.is_quiet)
        tasks = inputs.tasks(talk.refuse)
        first = list(islice(tasks, 1))
        for row in run(answerer, chain(first, tasks), self.jobs, self.cluster):
            sys.stdout.write(row.text)
            sys.stdout.flush()
            if row.message:
                talk.say(row.message)
        return ExitCode.ANSWERED
