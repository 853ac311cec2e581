"""Opening what a run over all input writes to."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from satdoku.answering.plan import Plan
from satdoku.cli.inputs import Inputs
from satdoku.files import is_parquet

if TYPE_CHECKING:
    from satdoku.answering.task import Task
    from satdoku.cli.running import Run
    from satdoku.output.output import Output


def open_output(run: "Run", plan: Plan, inputs: Inputs, first: Sequence["Task"]) -> "Output":
    """What the rows of a run are written to: standard output, a text, or a table with types."""
    from pathlib import Path

    from satdoku.output.open_output import file_output, stream_output

    if is_parquet(run.output):
        return _open_table(run, plan, inputs, first)

    rejects = None if run.rejects is None else Path(run.rejects)
    if run.output is None:
        if run.is_resumed:
            raise click.UsageError("--resume continues a file; name it by --output")
        output = stream_output(sys.stdout, rejects, run.is_forced)
        sys.stdout.write(plan.opening)
        return output
    identity = None
    if plan.identity is not None:
        from satdoku.output.resume import Identity

        identity = Identity(plan.identity, [Path(name) for name in inputs.paths])
    elif run.is_resumed:
        raise click.UsageError(
            "--resume needs files as input, and an output with a line for each puzzle: "
            "--json, --csv or --to line"
        )
    path = Path(run.output)
    return file_output(path, plan.opening, rejects, identity, run.is_resumed, run.is_forced)


def _open_table(run: "Run", plan: Plan, inputs: Inputs, first: Sequence["Task"]) -> "Output":
    """A Parquet file, with the columns of the input and their types where it had any."""
    from pathlib import Path

    from satdoku.notation.tables.fields import split_fields
    from satdoku.output.open_output import parquet_output

    if run.is_resumed:
        raise click.UsageError("--resume continues text, such as CSV; Parquet begins anew")
    header, delimiter = (first[0].parser.format.columns if first else None) or ("", "")
    return parquet_output(
        Path(str(run.output)),
        plan.opening,
        len(split_fields(header, delimiter)) if header else 0,
        [Path(name) for name in inputs.paths if first and is_parquet(name)],
        None if run.rejects is None else Path(run.rejects),
        run.is_forced,
    )
