"""Names for the files of a puzzle: they sort like the input and lead back to its line."""

from collections.abc import Iterable
from pathlib import Path

import click

from satdoku.cli.inputs import TYPED
from satdoku.reporting.task import Task

_DIGITS_OF_A_LINE = 8


def file_name(task: Task) -> str:
    """The source without its endings, then the line of the puzzle: `puzzles-00000012`.

    A puzzle within a line adds its column; typed ones have no line and are counted.
    """
    record = task.record
    stem = _stem(task.parser.source)
    if stem.partition(" ")[0] == TYPED:
        return f"{TYPED}-{task.number:0{_DIGITS_OF_A_LINE}}"
    column = f"-{record.column:0{_DIGITS_OF_A_LINE}}" if record.column > 1 else ""
    return f"{stem}-{record.line:0{_DIGITS_OF_A_LINE}}{column}"


def require_different_stems(paths: Iterable[str]) -> None:
    """Refuses files whose puzzles would get the same names in one folder."""
    path_of: dict[str, str] = {}
    for path in paths:
        other = path_of.setdefault(_stem(path), path)
        if other is not path:
            raise click.UsageError(
                f"the puzzles of {other} and {path} would get the same file names; "
                "write them to different folders"
            )


def _stem(source: str) -> str:
    return Path(source).name.split(".")[0] or "puzzle"
