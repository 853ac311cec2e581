"""What is told of a run while it goes on: how far it is, and messages, each of them said once."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from satdoku.answering.output.ending import format_rate, format_seconds
from satdoku.errors import FormatError
from satdoku.files import bounded_lines, open_binary, reading_errors
from satdoku.notation.plain_lines import Blocks

if TYPE_CHECKING:
    from pathlib import Path

# A shorter bar says less than the percentage beside it; a longer one says no more.
_LEAST_BAR, _MOST_BAR = 10, 30


def progress_line(
    done: int,
    total: int | None,
    seconds: float,
    counts: Sequence[tuple[str, int]] = (),
    width: int = 80,
    earlier: int = 0,
    is_exact: bool = True,
) -> str:
    """Done, total, rate, time left and counts, in at most `width` characters.

    `earlier` of the `done` records were answered before this run, so they do not count for its
    rate. An estimated total has a `~` before it; None is no total at all.

    >>> progress_line(500, 2000, 2.0, [("unique", 499), ("none", 1)], width=79)
    '[######------------------]  25% 500/2,000  250/s  0:06 left  499 unique, 1 none'
    """
    fresh = done - earlier
    numbers = f"{done:,}"
    parts = [format_rate(fresh, seconds)]
    if total is not None:
        total = max(total, done)
        mark = "" if is_exact else "~"
        numbers = f"{_percentage(done, total)} {done:,}/{mark}{total:,}"
        if fresh and done < total:
            parts.append(f"{format_seconds(seconds / fresh * (total - done))} left")
    words = ", ".join(f"{count:,} {name}" for name, count in counts)
    line = "  ".join(part for part in (numbers, *parts, words) if part)
    room = width - len(line) - len("[] ")
    if total is not None and room >= _LEAST_BAR:
        line = f"{_bar(done, total, min(room, _MOST_BAR))} {line}"
    return line[:width]


def _percentage(done: int, total: int) -> str:
    return f"{done * 100 // total if total else 100:3}%"


def _bar(done: int, total: int, length: int) -> str:
    filled = length * done // total if total else length
    return f"[{'#' * filled}{'-' * (length - filled)}]"


T = TypeVar("T")

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


class Meter:
    """Counts the records that were read, and estimates how many there are in all.

    The number is exact once everything is read. Before, it is estimated from how many bytes of the
    files were read; where an input is no regular file, it is unknown.
    """

    def __init__(self, paths: Iterable["Path"]) -> None:
        sizes = [path.stat().st_size if path.is_file() else 0 for path in paths]
        self._size = sum(sizes) if all(sizes) else 0
        self._consumed = 0
        self._stream: BinaryIO | None = None
        self.records = 0
        self.is_exact = False

    @property
    def total(self) -> int | None:
        """How many records there are; an estimate unless `is_exact`, None if it is unknown."""
        if self.is_exact:
            return self.records
        if not self._size:
            return None
        position = self._consumed + self._position_in_stream
        if not position or not self.records:
            return None
        return max(self.records, round(self.records * self._size / position))

    def count(self, records: Iterable[T], weigh: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
        """The same records, counted; `weigh` says for how many one stands."""
        for record in records:
            self.records += weigh(record)
            yield record
        self.is_exact = True

    def read_lines(
        self, path: "Path", on_open: Callable[[Blocks], object] = lambda _: None
    ) -> Iterator[bytes]:
        """The lines of a file, decompressed by its suffix; damaged data is an error with its path.

        For a compressed file the position is that of the system: a little ahead of the lines. Who
        is given the file `on_open` may take blocks of it between two lines.
        """
        is_compressed = path.suffix in _COMPRESSED
        size = path.stat().st_size
        begin = self._consumed
        with open_binary(path) as stream:
            self._stream = stream if is_compressed else None
            number = 0
            blocks = Blocks(stream)
            on_open(blocks)
            try:
                lines = bounded_lines(blocks, str(path))
                for number, line in enumerate(lines, 1):  # noqa: B007 - the error names it
                    if not is_compressed:
                        self._consumed += len(line) + blocks.pass_taken()
                    yield line
            except reading_errors() as error:
                reason = " ".join(str(error).split())
                raise FormatError(f"damaged data ({reason})", str(path), number + 1) from None
            finally:
                self._stream = None
        self._consumed = begin + size

    def follow(self, path: "Path") -> Callable[[float], None]:
        """What to tell which share of a file is read, where it is not read by lines."""
        begin, size = self._consumed, path.stat().st_size

        def note(share: float) -> None:
            self._consumed = begin + round(share * size)

        return note

    @property
    def _position_in_stream(self) -> int:
        if self._stream is None:
            return 0
        try:
            return os.lseek(self._stream.fileno(), 0, os.SEEK_CUR)
        except OSError:
            return 0  # what decompresses it does not say


# As many places as a line has room for.
_MOST_PLACES = 4
# Of a million puzzles each may have a message of its own; so many kinds are remembered.
_MOST_KINDS = 1000
# What differs between two messages about the same fault: numbers, and what was found.
_DETAIL = r"'[^']*'|\"[^\"]*\"|\d+"


class _Repeated:
    """A message that was said, and how often it was not said again."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.count = 0
        self.last = ""
        self.places: list[str] = []


class Said:
    """The messages that were said, and how often each would have been said again."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Repeated] = {}

    def is_repeated(self, message: str, place: str, has_details: bool) -> bool:
        """Whether the message was said before, at another place; then it is counted.

        With `has_details`, messages are the same if they differ in numbers and quotes alone.
        """
        kind = re.sub(_DETAIL, "", message) if has_details else message
        said = self._kinds.get(kind)
        if said is None:
            if len(self._kinds) < _MOST_KINDS:
                self._kinds[kind] = _Repeated(message)
            return False
        said.count += 1
        said.last = f"{place}: {message}"
        if len(said.places) < _MOST_PLACES:
            said.places.append(place)
        return True

    def take_summary(self) -> Iterator[str]:
        """A line for each message that was repeated; it is forgotten then.

        >>> said = Said()
        >>> [said.is_repeated("a row is short", f"p.txt:{n}", False) for n in (3, 5, 7)]
        [False, True, True]
        >>> list(said.take_summary()), list(said.take_summary())
        (['a row is short: 2 more times, at p.txt:5, p.txt:7'], [])
        """
        kinds, self._kinds = self._kinds, {}
        for said in kinds.values():
            if said.count == 1:
                yield said.last
            elif said.count:
                rest = ", ..." if said.count > len(said.places) else ""
                places = ", ".join(said.places) + rest
                yield f"{said.message}: {said.count:,} more times, at {places}"
