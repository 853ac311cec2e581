"""Files and pipes that are larger than anything that is read: an error, in little memory."""

import bz2
import gzip
import io
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from satdoku.errors import PlacedError, SatdokuError
from satdoku.files import bounded_lines, read_data, read_lines, read_text
from satdoku.notation.plain_lines import Flow


def test_a_line_of_a_stream_has_a_bound() -> None:
    lines = bounded_lines(io.BytesIO(b"one\nfour\nthree"), "p.txt", longest=5)
    assert list(lines) == [b"one\n", b"four\n", b"three"]
    lines = bounded_lines(io.BytesIO(b"one\nthree\n"), "p.txt", longest=5)
    assert next(lines) == b"one\n"
    with pytest.raises(PlacedError, match=r"p\.txt:2: this line is longer than"):
        next(lines)


def test_a_line_of_a_pipe_has_a_bound() -> None:
    def pipe(*chunks: bytes) -> Flow:
        rest = list(chunks)

        class Chunks(io.BytesIO):
            def read1(self, size: int | None = -1) -> bytes:
                return rest.pop(0) if rest else b""

        return Flow(Chunks(), "stdin", longest=6)

    assert list(pipe(b"one\ntwo\n", b"three", b"\nfour")) == [
        b"one\n",
        b"two\n",
        b"three\n",
        b"four",
    ]
    with pytest.raises(PlacedError, match="stdin:3: this line is longer than"):
        list(pipe(b"one\ntwo\nth", b"ree", b"four", b"\n"))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero here")
def test_a_device_without_end_is_an_error() -> None:
    with pytest.raises(PlacedError, match="/dev/zero:1: this line is longer than"):
        next(read_lines("/dev/zero"))


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(
    suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / f"zeros{suffix}"
    path.write_bytes(compress(bytes(24 << 20)))
    with pytest.raises(SatdokuError, match=r"zeros.* unpacks to more than"):
        read_text(path)
    with pytest.raises(PlacedError, match=r"zeros.*:1: this line is longer than"):
        next(read_lines(path))


def test_a_file_that_is_larger_than_it_may_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 11)
    assert read_data(path, 11) == b"x" * 11
    with pytest.raises(SatdokuError, match="a is larger than"):
        read_data(path, 10)
