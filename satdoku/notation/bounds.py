"""How much of a text is read that may never come to a puzzle: a pipe may have no end."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from satdoku.errors import FormatError
from satdoku.files import memory_of
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Record
from satdoku.notation.spelling import LARGEST_SIZE

MOST_LINES = 600
"""Whatever is longer is a file and no paste: 81 lines for the cells of a board, and much prose."""

MOST_PASTED = 50_000
"""Characters of a paste, far more than any board among prose; many readings of it are tried."""


class Bounds(NamedTuple):
    """How much is read that may never come to a puzzle, in bytes but for the last one."""

    without_data: int = 16 << 20
    """Of empty lines and comments in a row: about as much as the longest line may have."""
    record: int = 32 << 20
    """Of most records: a line may have 16 MB, and comments as many."""
    long_record: int = 256 << 20
    """Of those with a cell on each line: a board of 1000x1000 and its solution take 160 MB."""
    unreadable: int = 100_000
    """A file in which so many puzzles are damaged, and none before them is whole, is no file of
    puzzles."""


# Cells of the largest board.
_MOST = LARGEST_SIZE**2

MOST_CELLS = 3 * _MOST
"""Cells of the largest board, of its solution, and of a third one beside them."""


# Characters that part cells; of all but spaces there is one between two of them.
_PARTING = ",;|\t"
_NUMBER = re.compile("[^ ]+")

# What stands between quotes and is longer than a board of one character a cell.
_LONG_PIECE = re.compile(rf'[^"]{{{_MOST},}}')


def require_few_cells(text: str, source: str, line: int, column: int = 1) -> None:
    """Refuses a line, or a list, with more cells than a puzzle has, before each takes memory.

    Boards side by side are parted by another sign than their cells, or stand in quotes.
    """
    if len(text) <= LARGEST_SIZE**2:
        return
    _require_at_most(
        MOST_CELLS if '"' in text or "{" in text else _MOST, text, source, line, column
    )
    for piece in _LONG_PIECE.finditer(text) if '"' in text else ():
        # Two boards have a quote between them.
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
    """The lines without line ends and without a byte order mark.

    A lone carriage return ends a line too, as old Macs wrote it.
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
    """The lines of a text; a FormatError where too many follow each other without a record.

    Readers keep lines until they know which puzzle these belong to. So a pipe from which nothing
    else comes would fill the memory, or be read for ever. Whoever makes records of the lines counts
    them in `records`, and knows whether they may be long.
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
        # Since the last line with data, and since the last look at the number of records: bytes,
        # and the line before.
        without_data = size = last_data = last_look = records = 0
        for number, line in enumerate(lines, 1):
            # A list in JSON may have any number of puzzles on its line.
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
        """The same records; a FormatError where so many of the first are all unreadable.

        Behind one that is readable there may be as many damaged ones as there are.
        """
        for count, record in enumerate(records, 1):
            yield record
            if is_readable(record):
                break
            if count == self._bounds.unreadable:
                raise FormatError(f"none of the first {count:,} puzzles can be read", self._source)
        yield from records
