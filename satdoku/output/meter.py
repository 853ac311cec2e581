"""Reading files line by line, and measuring how far the reading has come."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

from satdoku.errors import FormatError
from satdoku.files import bounded_lines, open_binary, reading_errors
from satdoku.notation.blocks import Blocks

T = TypeVar("T")

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


class Meter:
    """Counts the records that were read, and estimates how many there are in all.

    The number is exact once everything is read. Before, it is estimated from how many bytes of the
    files were read; where an input is no regular file, it is unknown.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
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
        self, path: Path, on_open: Callable[[Blocks], object] = lambda _: None
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

    def follow(self, path: Path) -> Callable[[float], None]:
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
