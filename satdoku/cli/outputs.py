"""The output of a command: stdout, a file, or a folder with a file for each puzzle.

No file may be read and written in the same run, under whatever names, or written twice. With --draw
and --html a command writes an album of its answers beside its output.
"""

import os
import stat
import sys
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, cast

import click

import satdoku
from satdoku.answering.task import Task
from satdoku.cli.inputs import TYPED, Inputs
from satdoku.cli.options import Decorator, FileName, OptionGroup, option
from satdoku.errors import SatdokuError
from satdoku.files import as_path, is_parquet, new_file

if TYPE_CHECKING:
    from pathlib import Path

    from satdoku.cli.commands.draw import Album

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
    help="Write to a file instead of stdout; compressed if it ends in .gz, .bz2 or .xz, a table "
    "with types if in .parquet.",
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


def require_distinct(inputs: Inputs | None, written: Iterable[str | None]) -> None:
    """Refuse to write a file that is read, or to write a file twice; None is stdout."""
    # Compare files by their identity in the system: a file or folder may have several names.
    taken = {_identity_of_path(path): "read" for path in (inputs.paths if inputs else ())}
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
