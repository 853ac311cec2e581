"""The lines of a text that is read; what is no text is told by how it begins."""

from collections.abc import Iterable, Iterator

from satdoku.errors import FormatError
from satdoku.files import readable

_NO_TEXT = {
    b"\xff\xfe": "this is UTF-16; save it as UTF-8",
    b"\xfe\xff": "this is UTF-16; save it as UTF-8",
    b"\x1f\x8b": "this is compressed data; name a file that ends in .gz",
    b"\xfd7zXZ": "this is compressed data; name a file that ends in .xz",
    b"PAR1": "this is a Parquet file; name a file that ends in .parquet",
    b"BZh": "this is compressed data; name a file that ends in .bz2",
}


def decode(stream: Iterable[bytes], source: str) -> Iterator[str]:
    """The lines of a text; what is no text is an error with its line."""
    with readable(source):
        for number, line in enumerate(stream, 1):
            if b"\0" in line or (number == 1 and line.startswith(tuple(_NO_TEXT))):
                raise FormatError(_describe_no_text(line), source, number)
            # A stray byte is the fault of the record that has it, and costs no other record.
            yield line.decode("utf-8", "replace")


def _describe_no_text(line: bytes) -> str:
    found = (message for sign, message in _NO_TEXT.items() if line.startswith(sign))
    return next(found, "this is binary data, not text")
