"""From lines to puzzles: the reader cuts, the parser understands, possibly in another process."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from satdoku.errors import FormatError
from satdoku.notation.detection import is_comment
from satdoku.notation.format import Format
from satdoku.notation.formats import detect_format, format_named
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.puzzle import Puzzle

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Parser:
    """Turns the records of one text into puzzles; small, and can be sent to other processes."""

    format: Format
    source: str = ""
    hints: Hints = field(default_factory=Hints)

    def __call__(self, record: Record) -> Puzzle:
        return self.format.parse(record, self.hints, self.source)


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
        self._seen: list[str] = []

    @cached_property
    def parser(self) -> Parser:
        """The parser for the format of this text; reads as many lines as it takes to tell."""
        found = format_named(self._format_name) if self._format_name else self._detect()
        is_whole = False
        while not self._has_data:
            if not self._read_line():
                raise self._nothing_found()
        while (prepared := self._prepare(found, is_whole)) is None:
            is_whole = not self._read_line()
        return Parser(prepared, self.source, self.hints)

    def _prepare(self, found: Format, is_whole: bool) -> Format | None:
        return found.prepare(self._seen, is_whole, self.hints, self.source)

    def _nothing_found(self) -> FormatError:
        return FormatError("no puzzle found", self.source or "-")

    def __iter__(self) -> Iterator[Record]:
        parser = self.parser
        is_empty = True
        for record in parser.format.split(chain(self._seen, self._rest), self.hints):
            is_empty = False
            yield record
        if is_empty:
            raise self._nothing_found()

    _has_data = False

    def _read_line(self) -> bool:
        line = next(self._rest, None)
        if line is None:
            return False
        self._seen.append(line)
        self._has_data = self._has_data or (bool(line.strip()) and not is_comment(line))
        return True

    def _detect(self) -> Format:
        while self._read_line():
            found = self._has_data and detect_format(self._seen, False, self.hints)
            if found:
                return found
        if not self._has_data:
            raise self._nothing_found()
        return detect_format(self._seen, True, self.hints) or format_named("line")


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
