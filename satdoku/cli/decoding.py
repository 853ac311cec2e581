"""The lines of a text that is read; what is no text is told by how it begins."""

from collections.abc import Iterable, Iterator
from itertools import chain

from satdoku.errors import FormatError
from satdoku.files import LONGEST_LINE, readable

_NO_TEXT = {
    b"\x1f\x8b": "this is compressed data; name a file that ends in .gz",
    b"\xfd7zXZ": "this is compressed data; name a file that ends in .xz",
    b"\x28\xb5\x2f\xfd": "this is compressed data; name a file that ends in .zst",
    b"PAR1": "this is a Parquet file; name a file that ends in .parquet",
    b"BZh": "this is compressed data; name a file that ends in .bz2",
}

# As Windows writes what it calls Unicode; the longer marks begin as the shorter ones do.
_WIDE = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
# Of a text without such a mark, so many bytes of its first line tell; a board has more.
_TELLING = 16

# What old programs end a file with: the end of DOS, and of C.
_ENDS = b"\x1a\0"


def decode(stream: Iterable[bytes], source: str) -> Iterator[str]:
    """The lines of a text; what is no text is an error with its line."""
    with readable(source):
        lines = iter(stream)
        first = next(lines, b"")
        encoding = _wide_encoding(first)
        if encoding is not None:
            yield from _decode_wide(chain([first], lines), encoding, source)
            return
        for number, line in enumerate(chain([first], lines), 1):
            text = line
            if b"\x1a" in line or b"\0" in line:
                bare = line.rstrip(b"\r\n")
                text = bare.rstrip(_ENDS) if bare.endswith((b"\x1a", b"\0")) else line
            if b"\0" in text or (number == 1 and line.startswith(tuple(_NO_TEXT))):
                raise FormatError(_describe_no_text(line), source, number)
            # A stray byte is the fault of the record that has it, and costs no other record.
            yield text.decode("utf-8", "replace")


def _describe_no_text(line: bytes) -> str:
    found = (message for sign, message in _NO_TEXT.items() if line.startswith(sign))
    return next(found, "this is binary data, not text")


def _wide_encoding(line: bytes) -> str | None:
    """The encoding of a text that begins like this, if it has two or four bytes a character."""
    marked = next((name for mark, name in _WIDE.items() if line.startswith(mark)), None)
    head = line[:_TELLING]
    if marked or len(head) < _TELLING or b"\0" not in head:
        return marked
    for name, (zeros, others) in {
        "utf-16-le": (head[1::2], head[::2]),
        "utf-16-be": (head[::2], head[1::2]),
    }.items():
        if not any(zeros) and all(others):
            return name
    return None


def _decode_wide(stream: Iterable[bytes], encoding: str, source: str) -> Iterator[str]:
    """The lines of a text that was cut at bytes which look like line ends, and may be none."""
    # Imported here: such texts are rare.
    from codecs import iterdecode

    begun: list[str] = []
    length = 0
    for piece in iterdecode(stream, encoding, "replace"):
        *ended, rest = piece.split("\n")
        for line in ended:
            yield "".join([*begun, line, "\n"])
            begun, length = [], 0
        begun.append(rest)
        length += len(rest)
        if length > LONGEST_LINE:
            raise FormatError("this line is too long for a puzzle", source)
    if length:
        yield "".join(begun)
