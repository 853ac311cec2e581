"""Where the text of rows goes: a stream, or a file that holds whole rows at any moment.

A compressed file is a row of members, each of which can be read without the others: gzip members,
bzip2 and xz streams may follow one another, and every tool reads them as one file.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import EINVAL
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from satdoku.files import ESCAPED

if TYPE_CHECKING:
    from pathlib import Path

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


def find_codec(path: "Path") -> Codec | None:
    """What the suffix of a file asks for; None is plain text."""
    if path.suffix == ".gz":
        return _gzip()
    if path.suffix == ".bz2":
        return _bz2()
    if path.suffix == ".xz":
        return _xz()
    return None


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


def _gzip() -> Codec:
    import zlib

    window = zlib.MAX_WBITS | 16  # which asks for the header and the checksum of gzip
    return Codec(
        # By zlib, since Python's gzip puts the time of day into its header.
        compress=lambda data: zlib.compress(data, level=9, wbits=window),
        make_decompressor=lambda: zlib.decompressobj(wbits=window),
        error=zlib.error,
    )


def _bz2() -> Codec:
    import bz2

    # bz2 raises what the system raises: it has no error of its own.
    return Codec(bz2.compress, bz2.BZ2Decompressor, OSError)


def _xz() -> Codec:
    import lzma

    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": _XZ_WINDOW}]
    return Codec(
        compress=lambda data: lzma.compress(data, lzma.FORMAT_XZ, filters=filters),
        make_decompressor=lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
        error=lzma.LZMAError,
    )


class Sink(Protocol):
    """Takes the text of rows: one, or so many `rows` of a line each."""

    def write(self, text: str, rows: int = 1) -> None: ...

    def roll_back(self) -> None:
        """Removes what a `write` that failed or was interrupted left behind."""

    def suspend(self) -> None:
        """Makes durable what was written; the run may go on later."""

    def finish(self) -> None:
        """Makes the end durable."""

    def close(self) -> None: ...


class StreamSink:
    """A stream, such as standard output; its reader gets each row at once."""

    def __init__(self, stream: IO[str], is_ours: bool = False) -> None:
        self._stream = stream
        self._is_ours = is_ours

    def write(self, text: str, rows: int = 1) -> None:
        if text:
            self._stream.write(text)
            self._stream.flush()

    def roll_back(self) -> None:
        """Nothing: what was sent to a stream cannot be removed."""

    def suspend(self) -> None:
        """Nothing: every row was sent at once."""

    def finish(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        if self._is_ours:
            # If something could not be written, the error was raised where it was.
            with suppress(OSError):
                self._stream.close()


class FileSink:
    """A plain file, cut to `size` and continued there; with nothing in it, it gets its opening."""

    def __init__(self, path: "Path", size: int, opening: str) -> None:
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

    def __init__(self, path: "Path", codec: Codec, opening: str, state: Compressed) -> None:
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


def open_sink(path: "Path", opening: str) -> Sink:
    """A file that begins with `opening`; compressed if its suffix says so."""
    codec = find_codec(path)
    if codec is not None:
        return MemberSink(path, codec, opening, Compressed(0, 0, 0, []))
    return FileSink(path, 0, opening)


def open_unbuffered(path: "Path") -> BinaryIO:
    """A file for reading and writing, made if missing, not cut."""
    if not path.exists():
        path.touch()
    stream: BinaryIO = path.open("r+b", buffering=0)
    return stream


def write_all(file: BinaryIO, data: bytes) -> None:
    """Writes it all; a disk that fills up takes a part first and refuses the rest."""
    written = file.write(data)
    while written < len(data):
        data = data[written:]
        written = file.write(data)


def cut(file: BinaryIO, size: int) -> None:
    """Makes a file end at `size`, and goes there."""
    file.truncate(size)
    file.seek(size)


def sync(file: BinaryIO) -> None:
    """Makes durable what was written; pipes and devices know no such thing."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno != EINVAL:
            raise
