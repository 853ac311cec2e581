"""What answering puzzles and making them have in common: options, output, progress bar."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from satdoku.cli.drawing import Albums
from satdoku.cli.inputs import Inputs
from satdoku.cli.options import (
    cluster_option,
    force_option,
    gathered,
    jobs_option,
    progress_option,
    quiet_option,
    resume_option,
)
from satdoku.cli.outputs import output_option, require_distinct
from satdoku.cli.terminal import Progress, is_pipe

if TYPE_CHECKING:
    from pathlib import Path

    from satdoku.output.output import Output
    from satdoku.output.resume import Identity


class AnyRun:
    """What the user chose about a run; `output` None is standard output."""

    # By hand: what a dataclass writes by itself makes the program start later.
    def __init__(
        self,
        output: str | None = None,
        is_forced: bool = False,
        is_resumed: bool = False,
        jobs: int | None = None,
        cluster: str | None = None,
        has_progress: bool | None = None,
        is_quiet: bool = False,
    ) -> None:
        self.output = output
        self.is_forced = is_forced
        self.is_resumed = is_resumed
        self.jobs = jobs
        self.cluster = cluster
        self.has_progress = has_progress
        self.is_quiet = is_quiet

    def _progress(self, is_typed: bool = False) -> Progress:
        """A bar for a person who waits, where it stands on a line alone.

        Not where answers go into a pipe: the program behind it may print to the same terminal.
        """
        is_seen = sys.stderr.isatty() and not is_typed
        is_usual = is_seen and not self.is_quiet and not is_pipe(self.output)
        return Progress(is_usual if self.has_progress is None else self.has_progress)

    def _require_files(
        self, albums: Albums, inputs: Inputs | None = None, others: Iterable[str] = ()
    ) -> None:
        """Refuses files that would be lost, and drawings that would lack what was done before."""
        require_distinct(inputs, [self.output, *others, *albums.names])
        if albums and self.is_resumed:
            raise click.UsageError("--resume has no results of earlier puzzles to draw")

    def _open_text(
        self,
        opening: str,
        identity: "Identity | None",
        resume_needs: str,
        rejects: "Path | None" = None,
    ) -> "Output":
        """Standard output or a file; without an `identity` the run cannot be resumed."""
        if self.output is None:
            if self.is_resumed:
                raise click.UsageError("--resume needs a file to continue; name it by --output")
            from satdoku.output.output import stream_output

            output = stream_output(sys.stdout, rejects, self.is_forced)
            # Behind the opening of the file for rejects: where that fails nothing is printed.
            sys.stdout.write(opening)
            return output
        if identity is None and self.is_resumed:
            raise click.UsageError(resume_needs)
        from pathlib import Path

        from satdoku.output.open_file import file_output

        path = Path(self.output)
        return file_output(path, opening, rejects, identity, self.is_resumed, self.is_forced)

    def _open_table(
        self,
        opening: str,
        known: int = 0,
        sources: "Sequence[Path]" = (),
        rejects: "Path | None" = None,
    ) -> "Output":
        """A Parquet file; `known` columns come from the input, with types if from `sources`."""
        from pathlib import Path

        from satdoku.output.output import parquet_output

        if self.is_resumed:
            raise click.UsageError("--resume continues text, such as CSV; Parquet begins anew")
        path = Path(str(self.output))
        return parquet_output(path, opening, known, sources, rejects, self.is_forced)

    def describe_rest(self, output: "Output", written: str) -> str:
        """What an interruption leaves in a file, and how to go on; empty where there is none."""
        if output.can_resume:
            return f"--resume goes on with {self.output}"
        return "" if self.output is None else f"{self.output} has {written} alone"


def _make_run(
    output: str | None,
    force: bool,
    resume: bool,
    jobs: int | None,
    cluster: str | None,
    progress: bool | None,
    quiet: bool,
) -> AnyRun:
    return AnyRun(output, force, resume, jobs, cluster, progress, quiet)


any_run_options = gathered(
    "chosen",
    _make_run,
    [
        output_option,
        force_option,
        resume_option,
        jobs_option,
        cluster_option,
        progress_option,
        quiet_option,
    ],
)
"""The options of every run, as `chosen`; each kind of run gathers them once more with its own."""
