"""Members of a .zst file: each is a frame of Zstandard and a frame that only has its checksum.

A frame with a checksum of its own is not written by every library. The second frame is one that
every reader skips (RFC 8878, 3.1.2).
"""

from io import BytesIO
from zlib import crc32

from satdoku.files import open_zstandard

_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little")
_SUM_SIZE = len(_SKIPPED) + 4
_SHORTEST_HEADER, _LONGEST_HEADER = 2, 14
_RUN, _RESERVED = 1, 3


class ZstandardError(Exception):
    """Data that is no member, or whose checksum is wrong."""


class _Kept(BytesIO):
    """A buffer that outlives the compressing stream above it."""

    def close(self) -> None:
        pass


def compress_member(data: bytes) -> bytes:
    """Return a member with this content."""
    buffer = _Kept()
    with open_zstandard(buffer, "wb") as stream:
        stream.write(data)
    frame = buffer.getvalue()
    return frame + _checksum(frame)


class ZstandardMember:
    """Decompressor of one member, like those of bz2 and lzma."""

    def __init__(self) -> None:
        self.eof = False
        self.unused_data = b""
        self._data = b""

    def decompress(self, data: bytes) -> bytes:
        """Return the content once the last piece of a member is given; empty before that."""
        self._data += data
        end = _end_of_frame(self._data)
        if end is None or len(self._data) < end + _SUM_SIZE:
            return b""
        frame, rest = self._data[:end], self._data[end:]
        if rest[:_SUM_SIZE] != _checksum(frame):
            raise ZstandardError("the checksum is wrong")
        self.eof, self.unused_data = True, rest[_SUM_SIZE:]
        with open_zstandard(BytesIO(frame), "rb") as stream:
            return stream.read()


def _checksum(frame: bytes) -> bytes:
    return _SKIPPED + crc32(frame).to_bytes(4, "little")


def _end_of_frame(data: bytes) -> int | None:
    """Return the length of the frame at the beginning; None if it is not whole."""
    if data[:4] != _MAGIC[: len(data)]:
        raise ZstandardError("this is no frame")
    if len(data) < len(_MAGIC) + _LONGEST_HEADER:
        return None
    about = data[len(_MAGIC)]
    is_single = about >> 5 & 1
    content_size = (is_single, 2, 4, 8)[about >> 6]
    place = len(_MAGIC) + _SHORTEST_HEADER - is_single + (0, 1, 2, 4)[about & 3] + content_size
    is_last = False
    while not is_last:
        block = int.from_bytes(data[place : place + 3], "little")
        is_last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind == _RESERVED:
            raise ZstandardError("this is no block")
        place += 3 + (1 if kind == _RUN else size)
        if place > len(data):
            return None
    return place + 4 * (about >> 2 & 1)
