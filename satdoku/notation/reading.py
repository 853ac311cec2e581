"""From lines to puzzles: the reader cuts, the parser understands, possibly in another process."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from satdoku.errors import FormatError
from satdoku.notation.detection import Head
from satdoku.notation.format import Format
from satdoku.notation.formats import detect_format, format_named
from satdoku.notation.hinted_rules import add_rules
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.puzzle.puzzle import Puzzle

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Parser:
    """Turns the records of one text into puzzles; small, and can be sent to other processes."""

    format: Format
    source: str = ""
    hints: Hints = field(default_factory=Hints)

    def __call__(self, record: Record) -> Puzzle:
        puzzle = self.format.parse(record, self.hints, self.source)
        return add_rules(puzzle, self.hints.rules, self.source, record.line)


class PuzzleReader:
    """The puzzles of a text that comes in line by line.

    Iterating gives records; `parser` makes puzzles of them. A record with a fault raises its
    FormatError in the parser only, so the caller can report it and go on.

    >>> reader = PuzzleReader(["1.3.3.12.1.323.1 easy"])
    >>> [reader.parser(record).name for record in reader]
    ['easy']
    """

    def __init__(
        self,
        lines: Iterable[str],
        source: str = "",
        format_name: str | None = None,
        hints: Hints | None = None,
    ) -> None:
        self.source = source
        self.hints = hints or Hints()
        self._format_name = format_name
        self._rest = _clean(lines)
        self._head = Head(self.hints)

    @cached_property
    def parser(self) -> Parser:
        """The parser for the format of this text; reads as many lines as it takes to tell."""
        named = format_named(self._format_name) if self._format_name else None
        self._read_first()
        found = named or self._detect()
        self._require_fields(found)
        while (prepared := found.prepare(self._head, self.source)) is None:
            self._read_line()
        return Parser(prepared, self.source, self.hints)

    def __iter__(self) -> Iterator[Record]:
        parser = self.parser
        is_empty = True
        for record in parser.format.split(chain(self._head.lines, self._rest), self.hints):
            is_empty = False
            yield record
        if is_empty:
            raise self._nothing_found()

    def _read_first(self) -> None:
        """Read up to the first line that is neither empty nor a comment."""
        while not self._head.has_data:
            if self._head.is_whole:
                raise self._nothing_found()
            self._read_line()

    def _detect(self) -> Format:
        while (found := detect_format(self._head)) is None:
            self._read_line()
        return found

    def _require_fields(self, found: Format) -> None:
        """Refuses a chosen column where there is none: it must not be ignored."""
        chosen = {"--column": self.hints.column, "--solution-column": self.hints.solution_column}
        for option, column in chosen.items():
            if column is not None and not found.has_fields:
                message = f"{option} is for tables and JSON objects; this is read as {found.name}"
                raise FormatError(message, self.source)

    def _read_line(self) -> None:
        """Take a further line into the head, or note that there is none."""
        line = next(self._rest, None)
        if line is None:
            self._head.end()
        else:
            self._head.add(line)

    def _nothing_found(self) -> FormatError:
        return FormatError("no puzzle found", self.source or "-")


def _clean(lines: Iterable[str]) -> Iterator[str]:
    """The lines without line ends and without a byte order mark."""
    iterator = iter(lines)
    for first in iterator:
        yield first.removeprefix(_BYTE_ORDER_MARK).rstrip("\r\n")
        break
    for line in iterator:
        yield line.rstrip("\r\n")


def read_puzzles(
    lines: Iterable[str],
    source: str = "",
    format_name: str | None = None,
    hints: Hints | None = None,
) -> Iterator[Puzzle]:
    """The puzzles of a text, up to its first fault."""
    reader = PuzzleReader(lines, source, format_name, hints)
    return map(reader.parser, reader)
