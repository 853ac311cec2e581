"""Where puzzles come from: typed as an argument, from files, or from standard input."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Layout
from satdoku.notation.symbols import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.reporting.answerer import Task

Command = Callable[..., Any]


class BoxType(click.ParamType):
    """A box shape such as 2x3: rows, then columns."""

    name = "RxC"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Geometry:
        rows, x, columns = str(value).lower().partition("x")
        if not (x and rows.isdecimal() and columns.isdecimal()):
            self.fail(f"{value!r} is not a box shape such as 3x3 (rows x columns)", param, ctx)
        if not 1 <= int(rows) * int(columns) <= 1000:
            self.fail(f"boxes of {value} are out of reach", param, ctx)
        return Geometry(int(rows), int(columns))


class AlphabetType(click.ParamType):
    """An alphabet by name, or its symbols."""

    name = "ALPHABET"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Alphabet:
        try:
            return Alphabet(value)
        except SatdokuError as error:
            self.fail(str(error), param, ctx)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The puzzles that a command was given, and how they are written."""

    arguments: tuple[str, ...]
    format_name: str | None
    layout: Layout

    def readers(self) -> Iterator[PuzzleReader]:
        """A reader for each argument, in order; standard input when there is none."""
        for argument in self.arguments or ("-",):
            lines, source = _open(argument)
            yield PuzzleReader(lines, source, self.format_name, self.layout)

    def tasks(self, refuse: Callable[[SatdokuError], None]) -> Iterator[Task]:
        """The records of all sources; one that cannot be read at all is told to `refuse`."""
        number = 0
        for reader in self.readers():
            try:
                for record in reader:
                    number += 1
                    yield Task(reader.parser, record, number)
            except SatdokuError as error:
                refuse(error)

    @property
    def paths(self) -> list[str]:
        """The files among the arguments."""
        return [argument for argument in self.arguments if is_file(argument)]


def puzzle_input(command: Command) -> Command:
    """The arguments and options by which every command takes its puzzles."""

    def collect(
        puzzles: tuple[str, ...],
        from_: str | None,
        box: Geometry | None,
        alphabet: Alphabet | None,
        column: str | None,
        **others: Any,
    ) -> Any:
        layout = Layout(box, alphabet, column, others.pop("solution_column", None))
        return command(inputs=Inputs(puzzles, from_, layout), **others)

    collect.__name__, collect.__doc__ = command.__name__, command.__doc__
    collect.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    for decorate in reversed(_INPUT_PARAMETERS):
        decorate(collect)
    return collect


_INPUT_PARAMETERS = (
    click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]...", type=str),
    click.option(
        "--from",
        "from_",
        type=click.Choice(list(FORMATS)),
        help="Format of the input; detected if not given.",
    ),
    click.option(
        "--box",
        type=BoxType(),
        help="Box shape where the text does not show it: 2x3 is two rows by three columns.",
    ),
    click.option(
        "--alphabet",
        type=AlphabetType(),
        help="Digits above 9: 1 (1-9A-Z), 0 (0-9A-Z), A (A-Z), numbers, or all symbols in order.",
    ),
    click.option("--column", metavar="NAME|INDEX", help="CSV column of the puzzles, from 1."),
)


def is_file(argument: str) -> bool:
    """Whether an argument names a file or a pipe; a typed puzzle may be no possible name."""
    try:
        mode = os.stat(argument).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _open(argument: str) -> tuple[Iterable[str], str]:
    if argument == "-":
        return _standard_input(), "stdin"
    if is_file(argument):
        from satdoku.files import open_binary

        return _decode(open_binary(argument), argument), argument
    if _looks_like_puzzle(argument):
        return argument.splitlines(), "argument"
    if os.path.isdir(argument):
        raise SatdokuError(f"{argument} is a folder; name the files in it")
    raise SatdokuError(f"{argument!r} is neither a file nor a puzzle")


def _looks_like_puzzle(argument: str) -> bool:
    """Whether to read an argument as a puzzle, so that its faults are reported as such."""
    known = sum(character in "0123456789.*_-?xX |,\n" for character in argument)
    return argument.lstrip().startswith("[") or (
        len(argument) >= 16 and known >= 0.6 * len(argument) and "/" not in argument
    )


def _standard_input() -> Iterator[str]:
    if sys.stdin.isatty():
        click.echo("Type or paste puzzles; end with Ctrl-D.", err=True)
    return _decode(sys.stdin.buffer, "stdin")


def _decode(stream: Iterable[bytes], source: str) -> Iterator[str]:
    """The lines of a text; what is no text is an error with its line."""
    try:
        for number, line in enumerate(stream, 1):
            if b"\0" in line:
                raise FormatError("this is binary data, not text", source, number)
            yield line.decode("utf-8", "replace")
    except (OSError, EOFError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise SatdokuError(f"{source} cannot be read: {error}") from None
