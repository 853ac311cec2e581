"""Progress reports of a run, and messages whose repeats are counted instead of printed."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from satdoku.answering.output.ending import format_rate, format_seconds
from satdoku.errors import FormatError
from satdoku.files import ALL_COMPRESSIONS, bounded_lines, open_binary, reading_errors
from satdoku.notation.plain_lines import Blocks

if TYPE_CHECKING:
    from pathlib import Path

# A shorter bar shows less than the percentage beside it; a longer bar shows no more than this.
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
    """Return done, total, rate, time left and counts in at most `width` characters.

    `earlier` of the `done` records were answered before this run and do not count for its rate. An
    estimated total is marked with `~`; None is an unknown total.

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


class Meter:
    """Counter of the records that were read; estimates the total.

    The total is exact once everything is read. Until then it is estimated from the share of bytes
    that were read; if an input is not a regular file, it is unknown.
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
        """Return the number of records; an estimate unless `is_exact`, None if it is unknown."""
        if self.is_exact:
            return self.records
        if not self._size:
            return None
        position = self._consumed + self._position_in_stream
        if not position or not self.records:
            return None
        return max(self.records, round(self.records * self._size / position))

    def begin_anew(self) -> None:
        """Forget what was read, as it is read again."""
        self._consumed = self.records = 0

    def count(self, records: Iterable[T], weigh: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
        """Yield the records and count them; `weigh` returns the weight of a record."""
        for record in records:
            self.records += weigh(record)
            yield record
        self.is_exact = True

    def read_lines(
        self,
        path: "Path",
        on_open: Callable[[Blocks], object] = lambda _: None,
        has_ranges: bool = False,
        is_trusted: bool = False,
    ) -> Iterator[bytes]:
        """Yield the lines of a file, decompressed by its suffix; errors name the path.

        For a compressed file, the position is that of the compressed data, a little ahead of the
        lines. A caller that receives the file by `on_open` may read blocks of it between two lines.
        With `has_ranges` blocks of a plain file may be large, and are read where they are answered;
        if the file `is_trusted`, nobody looks at them before.
        """
        is_compressed = path.suffix in ALL_COMPRESSIONS
        size = path.stat().st_size
        begin = self._consumed
        with open_binary(path) as stream:
            self._stream = stream if is_compressed else None
            number = 0
            name = "" if is_compressed or not has_ranges else os.path.abspath(path)
            blocks = Blocks(stream, name, is_trusted)
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
        """Return a callback that takes the share of a file that was read, if not read by lines."""
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
            return 0  # the decompressor does not report it


# A line of a terminal has room for this many places.
_MOST_PLACES = 4
# Upper bound on the kinds of messages that are remembered: in a run over a million puzzles, each
# may have its own message.
_MOST_KINDS = 1000
# Details that may differ between two messages about the same fault: numbers and quotes.
_DETAIL = r"'[^']*'|\"[^\"]*\"|\d+"


class _Repeated:
    """A message that was printed, and the places of its repeats, which were not."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.count = 0
        self.last = ""
        self.places: list[str] = []


class Said:
    """Registry of printed messages with the number of repeats of each."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Repeated] = {}

    def is_repeated(self, message: str, place: str, has_details: bool) -> bool:
        """Whether the message was printed before for another place; if so, count the repeat.

        With `has_details`, messages that differ only in numbers and quotes count as the same.
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
        """Yield a line for each message that was repeated, and forget the messages.

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
