"""Where puzzles come from: typed as an argument, from files, or from standard input."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from satdoku.answering.task import Task
from satdoku.cli.completion import FileName
from satdoku.cli.decoding import decode
from satdoku.cli.options import gathered
from satdoku.cli.rule_options import RULE_PARAMETERS, hinted_rules, size_of_regions
from satdoku.errors import SatdokuError
from satdoku.files import Flow, is_parquet, open_binary, readable
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.sizes import FEWEST_CELLS, LARGEST_SIZE
from satdoku.notation.symbols import CELL_CHARACTERS, Alphabet
from satdoku.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from satdoku.notation.tables.parquet_file import ParquetReader
    from satdoku.output.meter import Meter

TYPED = "argument"
"""The source of puzzles that were typed; its position is added where there are several."""

# No usual file system has longer names, so what is longer names no file.
_LONGEST_NAME = 255
# The share of digits and blanks in a puzzle with faults; names of files with dates have less.
_LEAST_KNOWN = 0.6


def read_box(ctx: click.Context, param: click.Parameter, value: str | None) -> Geometry | None:
    """A box shape such as 2x3: rows, then columns."""
    if value is None:
        return None
    try:
        box = Geometry.parse(value)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None
    if box.size > LARGEST_SIZE:
        raise click.BadParameter(f"boxes of {value} make no board of 1 to {LARGEST_SIZE} digits")
    return box


def read_alphabet(ctx: click.Context, param: click.Parameter, value: str | None) -> Alphabet | None:
    """An alphabet by its name, or its symbols."""
    try:
        return None if value is None else Alphabet(value)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None


@dataclass(frozen=True)
class Inputs:
    """The puzzles that a command was given, and how they are written."""

    arguments: tuple[str, ...]
    format_name: str | None
    hints: Hints

    def tasks(
        self, refuse: Callable[[SatdokuError], None], meter: "Meter | None" = None
    ) -> "Tasks":
        """The records of all sources, in order; standard input when none is named.

        `refuse` is called with the error of a source that cannot be read; the others are read.
        """
        return Tasks(self, refuse, meter)

    def comparing(self, solution_column: str | None) -> "Inputs":
        """The same, with the column of a table that holds known solutions."""
        return replace(self, hints=replace(self.hints, solution_column=solution_column))

    def options(self) -> dict[str, Any]:
        """What changes how the puzzles are read, by the names that users know."""
        hints = self.hints
        return {
            "--from": self.format_name,
            "--box": hints.geometry and str(hints.geometry),
            "--alphabet": hints.alphabet and hints.alphabet.name,
            "--column": hints.column,
            "--solution-column": hints.solution_column,
            "--rule": " ".join(hints.rules) or None,
        }

    @property
    def paths(self) -> list[str]:
        """The files among the arguments, pipes included."""
        return [argument for argument in self.arguments if is_file(argument)]

    @property
    def sources(self) -> list[str]:
        """What messages call the places that puzzles come from; those that are typed are one."""
        files = self.paths
        has_typed = any(each != "-" and each not in files for each in self.arguments)
        standard_input = ["stdin"] if self.has_standard_input else []
        return [*files, *standard_input, *([TYPED] if has_typed else [])]

    @property
    def are_regular_files(self) -> bool:
        """Whether there is nothing but files that can be read again."""
        return bool(self.arguments) and all(map(os.path.isfile, self.arguments))

    @property
    def has_standard_input(self) -> bool:
        return not self.arguments or "-" in self.arguments


class Tasks(Iterator[Task]):
    """The records of all sources, one after the other."""

    def __init__(
        self, inputs: Inputs, refuse: Callable[[SatdokuError], None], meter: "Meter | None"
    ) -> None:
        self._inputs = inputs
        self._refuse = refuse
        self._meter = meter
        self._flow: Flow | None = None
        tasks = self._read_all()
        self._tasks = tasks if meter is None else meter.count(tasks)

    def __next__(self) -> Task:
        return next(self._tasks)

    def is_at_hand(self) -> bool:
        """Whether the next one can be had without waiting for the writer of a pipe."""
        return self._flow is None or self._flow.is_at_hand()

    def _read_all(self) -> Iterator[Task]:
        number = 0
        arguments = self._inputs.arguments or ("-",)
        for position, argument in enumerate(arguments, 1):
            try:
                reader = self._reader(argument, f" {position}" if len(arguments) > 1 else "")
                for record in reader:
                    number += 1
                    yield Task(reader.parser, record, number)
            except SatdokuError as error:
                self._refuse(error)

    def _reader(self, argument: str, position: str) -> "PuzzleReader | ParquetReader":
        """What cuts a source into records; a typed one is called by its position as well."""
        name, hints = self._inputs.format_name, self._inputs.hints
        if is_parquet(argument) and os.path.isfile(argument):
            return self._open_table(argument)
        lines, source = self._open(argument)
        return PuzzleReader(lines, source + position * (source == TYPED), name, hints)

    def _open_table(self, argument: str) -> "ParquetReader":
        from pathlib import Path

        from satdoku.notation.tables.parquet_file import ParquetReader

        if self._inputs.format_name is not None:
            raise SatdokuError(f"--from is for text, and {argument} is a Parquet file")
        path = Path(argument)
        self._flow = None
        meter = self._meter
        note = (lambda share: None) if meter is None else meter.follow(path)
        return ParquetReader(path, self._inputs.hints, note)

    def _open(self, argument: str) -> tuple[Iterable[str], str]:
        self._flow = None
        if argument == "-":
            if sys.stdin.isatty():
                click.echo("Type or paste puzzles; end with Ctrl-D.", err=True)
            self._flow = Flow(sys.stdin.buffer, "stdin")
            return decode(self._flow, "stdin"), "stdin"
        if is_file(argument):
            read = self._read_file if os.path.isfile(argument) else self._read_pipe
            return decode(read(argument), argument), argument
        return _typed_lines(argument), TYPED

    def _read_file(self, name: str) -> Iterable[bytes]:
        from pathlib import Path

        from satdoku.output.meter import Meter

        path = Path(name)
        return (self._meter or Meter([path])).read_lines(path)

    def _read_pipe(self, name: str) -> Iterator[bytes]:
        with readable(name), open_binary(name) as stream:
            self._flow = Flow(stream, name)
            yield from self._flow


def _make_inputs(
    puzzles: tuple[str, ...],
    from_: str | None,
    box: Geometry | None,
    alphabet: Alphabet | None,
    column: str | None,
    rules: tuple[str, ...],
    regions: str | None,
) -> Inputs:
    _require_no_loose_rows(puzzles)
    hints = Hints(
        box or size_of_regions(regions), alphabet, column, rules=hinted_rules(rules, regions)
    )
    return Inputs(puzzles, from_, hints)


puzzle_input = gathered(
    "inputs",
    _make_inputs,
    [
        click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]...", type=FileName()),
        click.option(
            "--from",
            "from_",
            type=click.Choice(list(FORMATS)),
            help="Format of the input; detected if not given.",
        ),
        click.option(
            "--box",
            callback=read_box,
            metavar="RxC",
            help="Box shape where the text does not show it: 2x3 is two rows by three columns.",
        ),
        click.option(
            "--alphabet",
            callback=read_alphabet,
            metavar="ALPHABET",
            help="Digits above 9: 1 (1-9A-Z), 0 (0-9A-Z), A (A-Z), numbers, or all symbols in "
            "order.",
        ),
        click.option(
            "--column", metavar="NAME|INDEX", help="Column of the puzzles, or key in JSON."
        ),
        *RULE_PARAMETERS,
    ],
)
"""The arguments and options by which every command takes its puzzles, as `inputs`."""


def is_file(argument: str) -> bool:
    """Whether an argument names a file or a pipe. A puzzle may be too long for a name: no error."""
    try:
        mode = os.stat(argument).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def is_input(argument: str) -> bool:
    """Whether an argument is a file, or a puzzle, be it one with a fault."""
    return is_file(argument) or _looks_like_puzzle(argument)


def _require_no_loose_rows(arguments: Sequence[str]) -> None:
    """The shell takes a board apart that was pasted without quotes."""
    count = len(arguments)
    if count > 1 and all(len(each) == count and not is_input(each) for each in arguments):
        raise click.UsageError(
            f"these {count} arguments look like the rows of one puzzle; put quotes around them all"
        )


def _typed_lines(argument: str) -> list[str]:
    if _looks_like_puzzle(argument):
        return argument.splitlines()
    if os.path.isdir(argument):
        raise SatdokuError(f"{argument} is a folder; name the files in it")
    if _looks_like_path(argument):
        raise SatdokuError(f"there is no file {argument}")
    raise SatdokuError(
        f"{argument!r} is neither a file nor a puzzle (a puzzle has a character for every cell)"
    )


def _looks_like_puzzle(argument: str) -> bool:
    """Whether to read an argument as a puzzle, so that its faults are reported as such.

    Most of its characters are digits or blanks then: `53..7.... 6..q95...` is a puzzle
    with a wrong character, `sudokus-2026-01-31.txt` a file that is not there.
    """
    if argument.lstrip()[:1] in ("[", "{") or len(argument) > _LONGEST_NAME:
        return True
    known = sum(character in CELL_CHARACTERS + " |,\n" for character in argument)
    is_long = len(argument) >= FEWEST_CELLS
    return is_long and known >= _LEAST_KNOWN * len(argument) and "/" not in argument


def _looks_like_path(argument: str) -> bool:
    _, suffix = os.path.splitext(argument)
    # An x may be a blank, behind another one.
    return os.sep in argument or suffix[1:].strip("xX").isalpha()
