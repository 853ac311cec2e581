"""Limits on how much text is read without finding a puzzle: a pipe may have no end."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from satdoku.errors import FormatError
from satdoku.files import memory_of
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Record
from satdoku.notation.spelling import LARGEST_SIZE

MOST_LINES = 600
"""Most lines of a paste: 81 for the cells of a board, and much prose. A longer text is a file."""

MOST_PASTED = 50_000
"""Most characters of a paste: far more than any board among prose; many formats are tried on it."""


class Bounds(NamedTuple):
    """Limits on text that is read before a puzzle is found, in bytes except for `unreadable`."""

    without_data: int = 16 << 20
    """Consecutive empty lines and comments: about as many bytes as the longest line may have."""
    record: int = 32 << 20
    """One record of most formats: a line may have 16 MB, and comments as many."""
    long_record: int = 256 << 20
    """One record of formats with a cell on each line: 1000x1000 and its solution take 160 MB."""
    unreadable: int = 100_000
    """Number of damaged puzzles after which a file is refused if no puzzle was readable before."""


# Cells of the largest board.
_MOST = LARGEST_SIZE**2

MOST_CELLS = 3 * _MOST
"""Most cells of a record: the largest board, its solution, and a third board beside them."""


# Separators of cells other than a space; there is exactly one between two cells.
_PARTING = ",;|\t"
_NUMBER = re.compile("[^ ]+")

# Text without quotes that is longer than the largest board with one character a cell.
_LONG_PIECE = re.compile(rf'[^"]{{{_MOST},}}')


def require_few_cells(text: str, source: str, line: int, column: int = 1) -> None:
    """Refuse a line or list with more cells than a puzzle, before every cell takes memory.

    Boards on one line are separated by another sign than their cells, or are in quotes.
    """
    if len(text) <= LARGEST_SIZE**2:
        return
    _require_at_most(
        MOST_CELLS if '"' in text or "{" in text else _MOST, text, source, line, column
    )
    for piece in _LONG_PIECE.finditer(text) if '"' in text else ():
        # Cells are counted in each piece without quotes, as two boards have a quote between them.
        _require_at_most(_MOST, piece[0], source, line, column + piece.start())


def _require_at_most(most: int, text: str, source: str, line: int, column: int) -> None:
    if max(map(text.count, _PARTING)) > most + LARGEST_SIZE:
        raise _too_many(most, source, line, column)
    spaces, others = text.count(" "), sum(map(text.count, _PARTING))
    if spaces > MOST_CELLS or (spaces > _MOST and others < LARGEST_SIZE):
        words = sum(1 for _ in _NUMBER.finditer(text))
        if words > (MOST_CELLS if others else most):
            raise _too_many(most, source, line, column)


def _too_many(most: int, source: str, line: int, column: int) -> FormatError:
    largest = f"{LARGEST_SIZE}x{LARGEST_SIZE} is the largest board"
    return FormatError(f"more than {most:,} cells in one puzzle; {largest}", source, line, column)


_BYTE_ORDER_MARK = "\ufeff"


def without_ends(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines without line ends and without a byte order mark.

    A lone carriage return ends a line too, as in texts of old Macs.
    """
    is_first = True
    for line in lines:
        bare = (line.removeprefix(_BYTE_ORDER_MARK) if is_first else line).rstrip("\r\n")
        is_first = False
        if "\r" in bare:
            yield from bare.split("\r")
        else:
            yield bare


class BoundedLines:
    """The lines of a text; a FormatError if too many follow each other without a record.

    Readers buffer lines until they know which puzzle the lines belong to. Without a limit, a pipe
    of empty lines would fill the memory or be read forever. The reader that makes records of the
    lines counts them in `records`, and sets whether records may be long.
    """

    def __init__(self, lines: Iterable[str], source: str, bounds: Bounds) -> None:
        self._bounds = bounds
        self.records = 0
        self.has_long_records = False
        self._source = source
        self._lines = self._bounded(without_ends(lines))

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def __next__(self) -> str:
        return next(self._lines)

    def _bounded(self, lines: Iterable[str]) -> Iterator[str]:
        # Bytes and lines since the last line with data, and since the last check of `records`.
        without_data = size = last_data = last_look = records = 0
        for number, line in enumerate(lines, 1):
            if "\0" in line:
                # Beside a board it would pass for other text, though it may be a lost cell.
                column = line.index("\0") + 1
                raise FormatError("a NUL is no part of a puzzle", self._source, number, column)
            # A JSON list may have any number of puzzles on its line.
            if len(line) > LARGEST_SIZE**2 and line.lstrip()[:1] not in ("[", "{"):
                require_few_cells(line, self._source, number)
            memory = memory_of(line)
            size += memory
            if is_data(line):
                without_data, last_data = 0, number
            else:
                without_data += memory
                if without_data > self._bounds.without_data:
                    raise self._fault(last_data, number)
            longest = self._bounds.long_record if self.has_long_records else self._bounds.record
            if size > longest:
                if records == self.records:
                    raise self._fault(last_look, number)
                size, last_look, records = 0, number, self.records
            yield line

    def _fault(self, before: int, number: int) -> FormatError:
        where = "the last" if before else "the first"
        message = f"no puzzle found in {where} {number - before:,} lines"
        return FormatError(message, self._source)

    def until_readable(
        self, records: Iterator[Record], is_readable: Callable[[Record], bool]
    ) -> Iterator[Record]:
        """Yield the records; a FormatError if too many unreadable ones come before a readable one.

        After a readable record any number of damaged ones may follow.
        """
        for count, record in enumerate(records, 1):
            yield record
            if is_readable(record):
                break
            if count == self._bounds.unreadable:
                raise FormatError(f"none of the first {count:,} puzzles can be read", self._source)
        yield from records
