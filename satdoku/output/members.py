"""Compressed files as a row of members, each of which can be read without the others.

gzip members, bzip2 and xz streams may follow one another; every tool reads them as one file.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

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


def find_codec(path: Path) -> Codec | None:
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
    import gzip
    import zlib

    return Codec(
        # Without the time of day that gzip puts into its header.
        compress=lambda data: gzip.compress(data, mtime=0),
        # 16 stands for the header and the checksum of gzip, in zlib's own way of asking.
        make_decompressor=lambda: zlib.decompressobj(wbits=zlib.MAX_WBITS | 16),
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
