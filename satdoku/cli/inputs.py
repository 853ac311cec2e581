"""The puzzles of a command, and their further rules, as given by arguments and options."""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from satdoku.answering.asked import READING, reading_values
from satdoku.answering.output.progress import Meter
from satdoku.answering.task import Task
from satdoku.cli.options import (
    Decorator,
    FileName,
    FormatName,
    OptionGroup,
    complete_rule,
    declared,
    gathered,
    option,
)
from satdoku.cli.sources import (
    Patience,
    decode,
    files_of,
    is_file,
    require_no_loose_rows,
    typed_lines,
)
from satdoku.cli.terminal import END_OF_INPUT, Talk
from satdoku.errors import FormatError, LateError, SatdokuError, quote
from satdoku.files import COMPRESSIONS, as_path, is_parquet, open_binary, read_text, readable
from satdoku.notation.hints import READABLE, Hints
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import MISTAKABLE, Flow, PlainLines, plain_board, plain_lines
from satdoku.notation.record import Record
from satdoku.notation.spelling import LARGEST_SIZE, Alphabet
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import LineOfFile, read_unsettled, require_rule_name
from satdoku.solving.limits import LimitReachedError

if TYPE_CHECKING:
    from satdoku.notation.parquet_file import ParquetReader
    from satdoku.notation.plain_lines import Blocks, FileLines
    from satdoku.notation.plain_rows import RowsOfBlock, TextRows
    from satdoku.notation.reading import PuzzleReader


# The records of all inputs, one after the other.

TYPED = "argument"
"""The source of typed puzzles; if there are several, the position is added."""

# Linux terminals keep this many characters of a line and drop the rest; links may be longer.
_LONGEST_TYPED = 4095
_CUT_BY_TERMINAL = (
    f"the terminal passes only {_LONGEST_TYPED:,} characters of a line; give a longer "
    "puzzle in quotes after the command, or in a file"
)

# This many lines without a pause count as pasted; a person who types needs no message after each.
_FEWEST_PASTED = 2
_NOT_WHOLE = "this board is not complete yet; continue, or end it with an empty line"

# Pasted text arrives in pieces with pauses of some milliseconds, over a slow connection perhaps a
# tenth of a second; a person who types needs longer for a line.
_PAUSE = 0.2


_Read = tuple[Parser, Record, Puzzle | None, int, float, "RowsOfBlock | FileLines | None"]
"""A parser, its record, the puzzle (None if not parsed yet), the number of puzzles, the seconds.

The last item reads the rows of a block, or is the place of its lines in a file.
"""


# At most this many rows of a table are tried as the model of plain rows.
_ROWS_LOOKED_AT = 3

# A board that contains the cells of most boards, for checks that do not depend on the board.
_ANY_BOARD = Geometry(5, 5)


class Tasks(Iterator[Task]):
    """Iterator of the tasks of all arguments, in order; of stdin if there are none.

    `refuse` is called with the error of a source that cannot be read; the others are still read.
    With `by_block`, plain lines of a file come as blocks, with `by_row` rows of a table too; if
    answers are quick (`is_quick`), blocks of a file may be large. If files are `trusted`, the lines
    of large blocks have the kind of those before, until an UnlikeLinesError says otherwise. A
    source also counts as unreadable if a puzzle takes more than `timeout` seconds from its first
    byte to its end. Remarks that are `told` are not repeated.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        format_name: str | None,
        hints: Hints,
        refuse: Callable[[SatdokuError], None],
        meter: Meter | None = None,
        by_block: bool = False,
        by_row: bool = False,
        timeout: float | None = None,
        is_trusted: bool = False,
        told: set[str] | None = None,
        is_quick: bool = True,
    ) -> None:
        self._patience = Patience(timeout)
        self._is_quick = is_quick and not self._patience.is_limited
        self._arguments = arguments or ("-",)
        self._by_block = by_block
        self._by_row = by_block and by_row
        self._is_trusted = is_trusted
        self._blocks: Blocks | Flow | None = None
        self._rows: TextRows | None = None
        self._looked = 0
        self._format_name = format_name
        self._hints = hints
        self._refuse = refuse
        self._meter = meter
        self._flow: Flow | None = None
        self._is_typing = False
        self._told: set[str] = set() if told is None else told
        self._reading = self._read_all()
        self._tasks: Iterator[Task] = self._reading
        if meter is not None:
            self._tasks = meter.count(self._reading, lambda task: task.puzzles)

    def __next__(self) -> Task:
        return next(self._tasks)

    def close(self) -> None:
        """Close the file that is being read."""
        self._reading.close()

    def is_at_hand(self) -> bool:
        """Whether the next task can be read without waiting for the writer of a pipe.

        False for typed puzzles, which are answered one by one.
        """
        return not self._is_typing and (self._flow is None or self._flow.is_at_hand())

    def _read_all(self) -> Generator[Task, None, None]:
        self._tell_gaps()
        number = 0
        for position, argument in enumerate(self._arguments, 1):
            for parser, record, bare, puzzles, seconds, rows in self._read(argument, position):
                yield Task(parser, record, number + 1, bare, puzzles, seconds, rows)
                number += puzzles

    def _read(self, argument: str, position: int) -> Iterator[_Read]:
        self._flow, self._blocks, self._is_typing = None, None, False
        self._rows, self._looked = None, 0
        try:
            # pyarrow reads Parquet, which needs random access: it is no stream of lines.
            if is_parquet(argument) and os.path.isfile(argument):
                table = self._open_table(argument)
                ways = self._by_row, self._is_trusted, self._is_quick
                for record, puzzles, rows in table.tasks(*ways):
                    yield table.parser, record, None, puzzles, 0, rows
                return
            lines, source = self._open(argument)
            if source == TYPED and len(self._arguments) > 1:
                source = f"{TYPED} {position}"
            if source.startswith(TYPED) and self._is_plain(argument):
                # The text is a plain line of cells, so no format detection is needed.
                parser = Parser(source=source, hints=self._hints)
                yield parser, Record(1, argument), None, 1, 0, None
                return
            if not self._is_typing:
                yield from self._read_in_time(lines, source)
                return
            for before, text in self._typed_texts(iter(lines)):
                yield from self._read_text(text, source, before)
        except SatdokuError as error:
            self._refuse(error)

    def _read_in_time(self, lines: Iterable[str], source: str) -> Iterator[_Read]:
        try:
            yield from self._read_text(self._patience.lines(lines), source)
        except LimitReachedError as limit:
            self._refuse(LateError(str(limit), source))

    def _is_plain(self, text: str) -> bool:
        """Whether the typed text is just a small board, which can be parsed directly."""
        is_told = self._format_name is not None or self._hints.tell_cells
        return not is_told and len(text) != MISTAKABLE and plain_board(text) is not None

    def _read_text(self, lines: Iterable[str], source: str, before: int = 0) -> Iterator[_Read]:
        """Yield the records of a text that comes after `before` lines of the same source."""
        # Imported here: a typed line of cells needs no format detection.
        from satdoku.notation.reading import PuzzleReader

        try:
            reader = PuzzleReader(
                lines, source, self._format_name, self._hints, is_at_hand=self._is_more_at_hand
            )
            for record in reader:
                placed = record._replace(line=record.line + before)
                self._tell_unread(reader, record, before)
                bare = reader.bare_puzzle(record)
                yield reader.parser, placed, bare, 1, self._patience.take(), None
                # A block may be taken only if no line that was read is still being processed.
                # Finding the layout of a table's rows takes longer than answering a few.
                blocks = self._blocks
                if blocks is not None and blocks.given == record.line and blocks.may_have_rows:
                    for block in self._take_blocks(blocks, reader.parser, record):
                        puzzles, text, rows = block
                        taken = Record(record.line + before + 1, text)
                        yield reader.parser, taken, None, puzzles, 0, rows
                        before += puzzles
        except FormatError as error:
            line = error.line and error.line + before
            self._refuse(FormatError(error.message, error.source, line, error.column))

    def _is_more_at_hand(self) -> bool:
        """Whether a further line can be read without waiting for the writer of a pipe."""
        return self._flow is None or self._is_typing or self._flow.is_at_hand()

    def _tell_unread(self, reader: "PuzzleReader", record: Record, before: int) -> None:
        """Report the parts of a record that are ignored; equal reports appear only once."""
        try:
            unread = reader.unread(record)
        except SatdokuError:
            return  # the record is invalid, which its parser reports
        if unread:
            self._tell_once(unread, f"{reader.source}:{record.line + before}: ")

    def _tell_gaps(self) -> None:
        """Report gaps in the shape of an option's rule: they may be intended, or a slip."""
        for text in self._hints.rules:
            try:
                gap = read_unsettled(text, _ANY_BOARD).find_gap(_ANY_BOARD)
            except SatdokuError:
                continue  # the puzzle's own check reports the error
            if gap:
                self._tell_once(f"--rule {text}: {gap} do not touch, so there is a gap")

    def _tell_once(self, remark: str, place: str = "") -> None:
        if remark not in self._told:
            self._told.add(remark)
            _remark(place + remark)

    def _take_blocks(
        self, blocks: "Blocks | Flow", parser: Parser, record: Record
    ) -> "Iterator[tuple[int, str, TextRows | FileLines | None]]":
        """Yield blocks of the plain rows after a record: number, text, and layout or place."""
        board = parser.plain_board(record)
        if board is not None:
            yield from _taken(blocks, plain_lines(board.geometry))
        elif self._by_row and (rows := self._rows_like(parser, record)):
            while (taken := blocks.take_rows(rows))[0]:
                yield taken

    def _rows_like(self, parser: Parser, record: Record) -> "TextRows | None":
        """Return the layout of the plain rows of this table, made from one of its first rows."""
        # Finding the layout costs as much as an answer, and a table of variants has no plain rows.
        if self._rows is None and self._looked < _ROWS_LOOKED_AT:
            self._looked += 1
            self._rows = parser.rows_like(record)
        return self._rows

    def _typed_texts(self, lines: Iterator[str]) -> Iterator[tuple[int, Iterable[str]]]:
        """Yield each typed text as soon as it is complete, with the number of lines before it.

        A text longer than a paste comes from a program and is read like a file.
        """
        from satdoku.notation.reading import is_no_paste, is_whole, is_whole_paste

        text: list[str] = []
        # The number of pauses in this text: without a pause it was pasted, not typed.
        before = pauses = 0
        for line in lines:
            text.append(line)
            if len(line.rstrip("\n")) == _LONGEST_TYPED:
                click.echo(_CUT_BY_TERMINAL, err=True)
            if is_no_paste(text):
                yield before, chain(text, lines)
                return
            is_pause = self._flow is not None and not self._flow.is_at_hand(_PAUSE)
            if not is_pause:
                continue
            is_ended = pauses == 1 and len(text) > 2 and not line.strip()
            is_read = pauses == 0 and is_whole_paste(text, self._format_name, self._hints)
            if is_ended or is_read or is_whole(text, self._format_name, self._hints):
                yield before, text
                before += len(text)
                text, pauses = [], 0
            else:
                if pauses == 0 and len(text) > _FEWEST_PASTED:
                    click.echo(_NOT_WHOLE, err=True)
                pauses += any(map(str.strip, text))
        # Ignore empty lines after the last puzzle; if there is no puzzle at all, the reader reports
        # it.
        if before == 0 or any(map(str.strip, text)):
            yield before, text

    def _open_table(self, argument: str) -> "ParquetReader":
        from satdoku.notation.parquet_file import ParquetReader

        if self._format_name is not None:
            raise SatdokuError(f"--from is for text, and {argument} is a Parquet file")
        path, meter = as_path(argument), self._meter
        note = (lambda share: None) if meter is None else meter.follow(path)
        return ParquetReader(path, self._hints, note)

    def _open(self, argument: str) -> tuple[Iterable[str], str]:
        if argument == "-":
            self._is_typing = sys.stdin.isatty()
            if self._is_typing:
                click.echo(
                    "Type or paste puzzles; an empty line ends an incomplete one, "
                    f"{END_OF_INPUT} ends the input.",
                    err=True,
                )
            wait = self._patience.wait
            self._flow = Flow(sys.stdin.buffer, "stdin", wait=wait)
            if not self._is_typing:
                self._set_blocks(self._flow)
            return decode(self._flow, "stdin"), "stdin"
        if is_file(argument):
            read = self._read_file if os.path.isfile(argument) else self._read_pipe
            return decode(read(argument), argument), argument
        board = self._hints.geometry
        return typed_lines(argument, None if board is None else board.board_count), TYPED

    def _read_file(self, name: str) -> Iterable[bytes]:
        path = as_path(name)
        meter = self._meter or Meter([path])
        has_ranges = self._by_row and self._is_quick
        return meter.read_lines(path, self._set_blocks, has_ranges, self._is_trusted)

    def _set_blocks(self, blocks: "Blocks | Flow") -> None:
        if self._by_block:
            self._blocks = blocks

    def _read_pipe(self, name: str) -> Iterator[bytes]:
        with readable(name), open_binary(name) as stream:
            # With compressed data, decompressed lines may be available while the pipe is empty.
            is_plain = not name.endswith(COMPRESSIONS)
            self._flow = (
                Flow(stream, name, wait=self._patience.wait) if is_plain else Flow(stream, name)
            )
            self._set_blocks(self._flow)
            yield from self._flow


def _taken(
    blocks: "Blocks | Flow", plain: PlainLines
) -> "Iterator[tuple[int, str, FileLines | None]]":
    while (taken := blocks.take_lines(plain))[0]:
        yield taken


def _remark(text: str) -> None:
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        click.echo(text, err=True)


def read_rule_names(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Check the names of rules; their arguments are parsed once the board is known."""
    for text in value:
        _require_known(text)
    return (*value, *ctx.meta.get(_FROM_FILES, ()))


_FROM_FILES = f"{__name__}.rules"


def read_rule_files(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    """Read rules from files, one a line.

    They are kept until `--rule` is processed, and added there.
    """
    rules: list[str] = []
    for name in value:
        try:
            lines = _read_file(name).splitlines()
        except SatdokuError as error:
            raise click.BadParameter(str(error)) from None
        for number, line in enumerate(lines, 1):
            # Text after # is a comment, for instance on the source of the rules. No argument
            # contains #.
            text = line.partition("#")[0].strip()
            if text:
                rule = LineOfFile(text, f"{name}:{number}")
                _require_known(rule, f"{rule.place}: ")
                rules.append(rule)
    ctx.meta[_FROM_FILES] = tuple(rules)


def _require_known(text: str, place: str = "") -> None:
    """Raise an error for a rule with an unknown name."""
    try:
        require_rule_name(text.partition(":")[0].strip())
    except SatdokuError as error:
        raise click.BadParameter(f"{place}{error}") from None


def read_regions_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | None:
    """Read one letter for each cell, from a file of that name or from the text itself."""
    if value is None:
        return None
    # Imported here: few runs have irregular regions.
    from satdoku.puzzle.rules.regions import read_regions, region_letters

    is_file = os.path.isfile(value)
    try:
        letters = region_letters(_read_file(value) if is_file else value)
        read_regions(letters)
    except SatdokuError as error:
        # A misspelt file name would otherwise be read as letters.
        other = "" if is_file else f"; and there is no file {quote(value)}"
        raise click.BadParameter(f"{error}{other}") from None
    return letters


def hinted_rules(rules: tuple[str, ...], regions: str | None) -> tuple[str, ...]:
    """Return the values of --rule and --regions as texts of rules."""
    return rules if regions is None else (f"regions:{regions}", *rules)


def _read_file(name: str) -> str:
    # Some editors on Windows write a byte order mark.
    return read_text(as_path(name)).removeprefix("\ufeff")


def reading_option(field: str, *names: str, **attributes: Any) -> Decorator:
    """Return the option that changes how puzzles are read, by its field in `Hints`."""
    return declared(OptionGroup.INPUT, READING[field], *names, **attributes)


rule_option = reading_option(
    "rules", "rules", multiple=True, callback=read_rule_names, shell_complete=complete_rule
)

rules_option = option(
    OptionGroup.INPUT,
    "--rules",
    "rule_files",
    multiple=True,
    # This option is processed before --rule, wherever it is on the command line, because its rules
    # are added there.
    is_eager=True,
    expose_value=False,
    callback=read_rule_files,
    metavar="FILE",
    help="Further rules from a file, one on each line, written as for --rule.",
)

RULE_PARAMETERS = (
    rule_option,
    rules_option,
    option(
        OptionGroup.INPUT,
        "--regions",
        callback=read_regions_option,
        metavar="FILE|TEXT",
        help="Irregular regions in place of boxes: a letter for each cell.",
    ),
)


def read_box(ctx: click.Context, param: click.Parameter, value: str | None) -> Geometry | None:
    """Parse a box shape such as 2x3: rows, then columns."""
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
    """Parse the name of an alphabet, or its symbols."""
    try:
        return None if value is None else Alphabet(value)
    except SatdokuError as error:
        raise click.BadParameter(str(error)) from None


class Inputs(NamedTuple):
    """The puzzles that a command was given, and how to parse them."""

    arguments: tuple[str, ...]
    format_name: str | None
    hints: Hints

    def tasks(
        self,
        refuse: Callable[[SatdokuError], None],
        meter: "Meter | None" = None,
        by_block: bool = False,
        by_row: bool = False,
        is_trusted: bool = False,
        told: set[str] | None = None,
        is_quick: bool = True,
    ) -> Tasks:
        """Yield the records of all sources, in order; of stdin if none is named; see `Tasks`."""
        context = click.get_current_context(silent=True)
        # The time limit of a command covers reading, too; most commands have one.
        timeout = None if context is None else context.params.get("timeout")
        source = self.arguments, self.format_name, self.hints
        ways = by_block, by_row, timeout
        return Tasks(*source, refuse, meter, *ways, is_trusted, told, is_quick)

    def talk(self, is_quiet: bool) -> Talk:
        """Return the Talk for messages about these puzzles."""
        return Talk(is_quiet, is_waiting=self.are_typed)

    def comparing(self, solution_column: str | None) -> "Inputs":
        """Return a copy with the name of the column that holds known solutions."""
        return self._replace(hints=replace(self.hints, solution_column=solution_column))

    def options(self) -> dict[str, Any]:
        """Return the options that change how puzzles are read, by option name."""
        return reading_values(self.format_name, self.hints)

    @property
    def paths(self) -> list[str]:
        """Return the files among the arguments, pipes included."""
        return [argument for argument in self.arguments if is_file(argument)]

    @property
    def sources(self) -> list[str]:
        """Return the names of all sources as in messages; all typed puzzles are one source."""
        files = self.paths
        # All typed puzzles share one name in messages, with their position among the arguments.
        has_typed = any(each != "-" and each not in files for each in self.arguments)
        standard_input = ["stdin"] if self.has_standard_input else []
        return [*files, *standard_input, *([TYPED] if has_typed else [])]

    @property
    def are_regular_files(self) -> bool:
        """Whether all inputs are files that can be read again."""
        # A named pipe has a path too, but its contents are gone once they are read.
        return bool(self.arguments) and all(map(os.path.isfile, self.arguments))

    @property
    def has_standard_input(self) -> bool:
        return not self.arguments or "-" in self.arguments

    @property
    def are_typed(self) -> bool:
        """Whether a person at a terminal types or pastes puzzles, and waits for each answer."""
        return self.has_standard_input and sys.stdin.isatty()


def _make_inputs(
    puzzles: tuple[str, ...],
    from_: str | None,
    box: Geometry | None,
    alphabet: Alphabet | None,
    column: str | None,
    rules_column: str | None,
    rules: tuple[str, ...],
    regions: str | None,
) -> Inputs:
    require_no_loose_rows(puzzles)
    puzzles = tuple(chain.from_iterable(map(files_of, puzzles)))
    further = hinted_rules(rules, regions)
    hints = Hints(box, alphabet, column, rules_column=rules_column, rules=further)
    return Inputs(puzzles, from_, hints)


def read_one(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Return a single argument as the arguments of a command."""
    return (value,)


def _input_of(argument: Decorator) -> Decorator:
    """Return a decorator for the argument of the puzzles, and the options for reading them."""
    return gathered("inputs", _make_inputs, [argument, *_READING])


_READING = [
    reading_option("format_name", "from_", type=FormatName(READABLE)),
    reading_option("geometry", callback=read_box),
    reading_option("alphabet", callback=read_alphabet),
    reading_option("column"),
    reading_option("rules_column"),
    *RULE_PARAMETERS,
]

puzzle_input = _input_of(
    click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]...", type=FileName())
)
"""The arguments and options by which every command takes its puzzles, as `inputs`."""

paired_input = _input_of(
    click.argument("puzzles", nargs=1, metavar="PUZZLES", callback=read_one, type=FileName())
)
"""Like `puzzle_input`, for a command with a second argument: takes one source of puzzles."""
