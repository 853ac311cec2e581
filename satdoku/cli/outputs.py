"""The output of a command: stdout, a file, or a folder with a file for each puzzle.

No file may be read and written in the same run, under whatever names, or written twice.
"""

import os
import stat
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

import click

import satdoku
from satdoku.answering.task import Task
from satdoku.cli.inputs import TYPED, Inputs
from satdoku.cli.options import Decorator, FileName, OptionGroup, option
from satdoku.errors import SatdokuError
from satdoku.files import as_path, is_parquet, new_file

if TYPE_CHECKING:
    from pathlib import Path

# Eight digits, so that names sort like lines up to line 99,999,999.
_DIGITS_OF_A_LINE = 8


def _read_output(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a file; None for stdout, which a dash names too."""
    return None if value == "-" else value


def output_option_with(help: str) -> Decorator:
    """Return the option --output with this help."""
    return option(
        OptionGroup.OUTPUT,
        "-o",
        "--output",
        callback=_read_output,
        metavar="FILE",
        type=FileName(),
        help=help,
    )


output_option = output_option_with(
    "Write to a file instead of stdout: compressed if its name ends in .gz, .bz2, .xz or .zst, a "
    "table with types if in .parquet."
)
text_output_option = output_option_with(
    "Write to a file instead of stdout, compressed if its name ends in .gz, .bz2, .xz or .zst."
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
    # Without its column, the second puzzle of a line would get the name of the first.
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
