"""Files of rows, which hold whole rows at any moment.

A compressed file is a row of members, each of which can be read without the others: gzip members,
bzip2 and xz streams may follow one another, and every tool reads them as one file.
"""

import bz2
import lzma
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from satdoku.answering.output.sinks import Sink, cut, sync, write_all
from satdoku.files import ESCAPED

# A crash costs the rows of a second at most.
_SECONDS_BETWEEN_SAVES = 1.0
# Small members compress badly, and the rows of a large one are held until it is full.
RECORDS_A_MEMBER = 1000
# Bounds the memory for reading a file back; a member is seldom longer.
_BYTES_AT_ONCE = 1 << 16
# A larger window would take xz to 100 MB of memory, for members that are seldom so long.
_XZ_WINDOW = 1 << 20


class Codec(NamedTuple):
    """One way to compress. The same bytes give the same member, whatever the time of day."""

    compress: Callable[[bytes], bytes]
    make_decompressor: Callable[[], Any]
    error: type[Exception]


_GZIP = zlib.MAX_WBITS | 16  # a window that asks for the header and the checksum of gzip
_XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": _XZ_WINDOW}]

_CODECS = {
    # By zlib, since Python's gzip puts the time of day into its header.
    ".gz": Codec(
        lambda data: zlib.compress(data, level=9, wbits=_GZIP),
        lambda: zlib.decompressobj(wbits=_GZIP),
        zlib.error,
    ),
    # bz2 raises what the system raises: it has no error of its own.
    ".bz2": Codec(bz2.compress, bz2.BZ2Decompressor, OSError),
    ".xz": Codec(
        lambda data: lzma.compress(data, lzma.FORMAT_XZ, filters=_XZ),
        lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
        lzma.LZMAError,
    ),
}


def find_codec(path: Path) -> Codec | None:
    """What the suffix of a file asks for; None is plain text."""
    return _CODECS.get(path.suffix)


def read_members(stream: BinaryIO, codec: Codec) -> Iterator[tuple[int, str]]:
    """The text of every member and the offset behind it, up to the first that is not whole.

    A member counts only with its checksum: what can be got out of a torn one may be wrong.
    """
    offset, data = 0, b""
    while True:
        decompressor = codec.make_decompressor()
        parts: list[bytes] = []
        while not decompressor.eof:
            data = data or stream.read(_BYTES_AT_ONCE)
            if not data:
                return
            # Not what reading raises: a disk that fails is no torn member.
            try:
                parts.append(decompressor.decompress(data))
            except (codec.error, EOFError):
                return
            offset += len(data)
            data = decompressor.unused_data
        try:
            text = b"".join(parts).decode()
        except UnicodeDecodeError:
            return
        offset -= len(data)
        yield offset, text
        # What was read beyond this member belongs to the next.


class FileSink:
    """A plain file, cut to `size` and continued there; with nothing in it, it gets its opening."""

    def __init__(self, path: Path, size: int, opening: str) -> None:
        self._file = open_unbuffered(path)
        self._size = size
        try:
            self.roll_back()
            if size == 0:
                self.write(opening)
        except OSError:
            self.close()
            raise

    def write(self, text: str, rows: int = 1) -> None:
        data = text.encode(errors=ESCAPED)
        write_all(self._file, data)
        self._size += len(data)

    def roll_back(self) -> None:
        cut(self._file, self._size)

    def suspend(self) -> None:
        sync(self._file)

    def finish(self) -> None:
        sync(self._file)

    def close(self) -> None:
        self._file.close()


class Compressed(NamedTuple):
    """What is in a compressed file, and what is still to come.

    Up to `begin` it has full members, from there to `end` the first `saved` of the `pending` rows,
    in smaller members that the next full one will replace.
    """

    begin: int
    end: int
    saved: int
    pending: list[str]


class MemberSink:
    """A compressed file in members of 1,000 rows each, so that its bytes depend on the rows alone.

    Now and then, and when the run is interrupted, the rows of the unfinished member are saved too.
    The state changes in one assignment: an interruption finds the old one or the new one.
    """

    def __init__(self, path: Path, codec: Codec, opening: str, state: Compressed) -> None:
        self._file = open_unbuffered(path)
        self._codec = codec
        self._opening = opening
        self._state = state
        self._last_save = time.monotonic()
        self.roll_back()

    def write(self, text: str, rows: int = 1) -> None:
        if rows > 1:
            # Where a member ends depends on the rows alone, not on how many come together.
            for line in text.splitlines(keepends=True):
                self.write(line)
            return
        self._state.pending.append(text)
        if len(self._state.pending) >= RECORDS_A_MEMBER:
            self._complete()
        elif time.monotonic() - self._last_save > _SECONDS_BETWEEN_SAVES:
            self._save()

    def roll_back(self) -> None:
        cut(self._file, self._state.end)

    def suspend(self) -> None:
        self._save()
        sync(self._file)

    def finish(self) -> None:
        if self._state.pending or self._state.end == 0:
            self._complete()
        sync(self._file)

    def close(self) -> None:
        self._file.close()

    def _complete(self) -> None:
        """Writes all pending rows as one member, instead of those that were saved."""
        begin, _, _, pending = self._state
        # The smaller members are about to be overwritten, so from now on they do not count.
        self._state = Compressed(begin, begin, 0, pending)
        end = begin + self._put(begin, pending)
        self._state = Compressed(end, end, 0, [])

    def _save(self) -> None:
        begin, end, saved, pending = self._state
        if saved < len(pending) or end == 0:
            end += self._put(end, pending[saved:])
            self._state = Compressed(begin, end, len(pending), pending)
        self._last_save = time.monotonic()

    def _put(self, offset: int, rows: list[str]) -> int:
        opening = self._opening if offset == 0 else ""
        data = self._codec.compress((opening + "".join(rows)).encode(errors=ESCAPED))
        cut(self._file, offset)
        write_all(self._file, data)
        return len(data)


def open_sink(path: Path, opening: str) -> Sink:
    """A file that begins with `opening`; compressed if its suffix says so."""
    codec = find_codec(path)
    if codec is not None:
        return MemberSink(path, codec, opening, Compressed(0, 0, 0, []))
    return FileSink(path, 0, opening)


def open_unbuffered(path: Path) -> BinaryIO:
    """A file for reading and writing, made if missing, not cut."""
    if not path.exists():
        path.touch()
    stream: BinaryIO = path.open("r+b", buffering=0)
    return stream
