"""No file may be read and written at once, under whatever names, or written twice."""

import os
import stat
import sys
from collections.abc import Hashable, Iterable
from typing import IO

import click

from satdoku.cli.inputs import Inputs


def require_distinct(inputs: Inputs, written: Iterable[str | None]) -> None:
    """Refuses to write what is read; None is standard output."""
    taken = {_identity_of_path(path): "read" for path in inputs.paths}
    if inputs.has_standard_input:
        taken[_identity_of_stream(sys.stdin)] = "read"
    for path in written:
        identity = _identity_of_stream(sys.stdout) if path is None else _identity_of_path(path)
        if identity is not None and identity in taken:
            name = "the file that the output goes to" if path is None else path
            raise click.UsageError(f"{name} is {taken[identity]} already; write to another file")
        taken[identity] = "written"


def _identity_of_path(path: str) -> Hashable:
    """The same for all names of a file; a file that is not there yet has one too."""
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
    """None for pipes and devices: what is written there is not what is read."""
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
