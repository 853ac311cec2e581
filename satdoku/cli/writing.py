"""Where a command's output goes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from satdoku.cli.completion import FileName

output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=FileName(),
    help="Write to a file instead of stdout; compressed if it ends in .gz or .xz.",
)


@contextmanager
def output_stream(name: str | None, force: bool) -> Iterator[IO[str]]:
    """Standard output, or a file that appears when it is complete."""
    if name in (None, "-"):
        yield sys.stdout
        return
    # Files need much that a puzzle at a terminal does without.
    from pathlib import Path

    from satdoku.files import new_file

    with new_file(Path(str(name)), force) as stream:
        yield stream
