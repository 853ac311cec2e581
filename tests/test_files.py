import bz2
import errno
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from satdoku.errors import SatdokuError
from satdoku.files import (
    new_file,
    open_binary,
    read_lines,
    read_text,
    require_known_compression,
)
from satdoku.notation.plain_lines import Flow, plain_lines
from satdoku.puzzle.grid import Geometry
from tests.each import for_each

TEXT = "one\ntwo é\n" * 1000
SUFFIXES = ["", ".gz", ".bz2", ".xz"]
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}

every_suffix = for_each("suffix", SUFFIXES)
every_compression = for_each("suffix", COMPRESS)


class FullDisk(io.FileIO):
    """A file on a disk that has room for so many bytes."""

    room = 100

    def write(self, data: Any) -> int:
        written = bytes(data)
        self.room -= len(written)
        if self.room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(written)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_there(path: Path, mode: str = "r") -> Any:
        assert mode == "wb"
        return io.BufferedWriter(FullDisk(path, "w"))

    monkeypatch.setattr(Path, "open", open_there)


def write(path: Path, text: str = TEXT, force: bool = False) -> None:
    with new_file(path, force) as stream:
        stream.write(text)


def write_and_raise(path: Path, error: BaseException) -> None:
    with new_file(path, force=True) as stream:
        stream.write(TEXT)
        raise error


def require_fault(path: Path, *words: str, force: bool = False) -> None:
    with pytest.raises(SatdokuError) as caught:
        write(path, force=force)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert all(word in message for word in words), message


@every_compression
def test_a_file_is_read_by_its_suffix(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](TEXT.encode()))
    with open_binary(path) as stream:
        assert stream.read().decode() == TEXT
    assert b"".join(read_lines(path)).decode() == read_text(path) == TEXT


@every_suffix
def test_what_was_written_reads_back(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt{suffix}"
    write(path)
    assert read_text(path) == TEXT
    assert list(tmp_path.iterdir()) == [path]


@every_suffix
def test_the_bytes_are_the_same_each_time(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    write(first)
    monkeypatch.setattr("time.time", lambda: 1e9)
    write(second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("name", ["a.zip", "a.GZ", "a.Zst"])
def test_names_of_compressed_files_that_would_be_plain_are_refused(name: str) -> None:
    with pytest.raises(SatdokuError, match=f"{name} would be no .* files are compressed as .gz"):
        require_known_compression(Path(name))


def test_compressed_files_are_smaller(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        write(tmp_path / f"a{suffix}")
    sizes = [(tmp_path / f"a{suffix}").stat().st_size for suffix in SUFFIXES]
    assert sizes[0] == len(TEXT.encode()) > 10 * max(sizes[1:])


@every_suffix
def test_the_name_appears_when_the_file_is_complete(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    with new_file(path) as stream:
        stream.write(TEXT)
        stream.flush()
        assert not path.exists()
    assert read_text(path) == TEXT


@every_suffix
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SatdokuError])
def test_nothing_is_left_after_an_error(
    suffix: str, error: type[BaseException], tmp_path: Path
) -> None:
    with pytest.raises(error):
        write_and_raise(tmp_path / f"a{suffix}", error("stop"))
    assert list(tmp_path.iterdir()) == []


@every_suffix
def test_an_existing_file_survives_an_error(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="stop"):
        write_and_raise(path, ValueError("stop"))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_existing_file_is_overwritten_by_force_only(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    require_fault(path, "exists", "--force")
    assert path.read_bytes() == b"old"
    write(path, force=True)
    assert read_text(path) == TEXT


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write(link, force=True)
    assert link.is_symlink()
    assert read_text(target) == TEXT


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_is_refused(force: bool, tmp_path: Path) -> None:
    require_fault(tmp_path, "is a folder", force=force)


@pytest.mark.parametrize("name", ["missing/a", "x" * 300, "file/a"])
def test_a_path_that_cannot_be_written_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    require_fault(tmp_path / name, "cannot be written")


@every_suffix
def test_a_full_disk_leaves_nothing_behind(suffix: str, tmp_path: Path, full_disk: None) -> None:
    text = "".join(map(str, range(20_000)))
    path = tmp_path / f"a{suffix}"
    with pytest.raises(SatdokuError, match="cannot be written: No space left"):
        write(path, text)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_at_the_last_byte_leaves_nothing_behind(
    tmp_path: Path, full_disk: None
) -> None:
    """Nothing is written before the file is closed."""
    with pytest.raises(SatdokuError, match="No space left"):
        write(tmp_path / "a", "x" * 101)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device_is_reported() -> None:
    require_fault(Path("/dev/full"), "No space left")


@pytest.mark.parametrize("force", [False, True])
def test_a_device_is_written_to_and_stays(force: bool) -> None:
    path = Path(os.devnull)
    write(path, force=force)
    assert not path.is_file()


@for_each("reader", [open_binary, read_text, lambda path: list(read_lines(path))])
@for_each("suffix", COMPRESS)
def test_a_missing_file_is_named(
    reader: Callable[[Path], object], suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"a{suffix}"
    with pytest.raises(SatdokuError, match="cannot be read: No such file") as caught:
        reader(path)
    assert str(path) in str(caught.value)


@for_each("reader", [read_text, lambda path: list(read_lines(path))])
@for_each("suffix", [".gz", ".bz2", ".xz"])
@for_each(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"plain text",
        lambda data: data[:20] + bytes(byte ^ 255 for byte in data[20:]),
        lambda data: data[:-8] + bytes(8),
    ],
)
def test_damaged_data_is_an_error_with_the_path(
    reader: Callable[[Path], object],
    suffix: str,
    damage: Callable[[bytes], bytes],
    tmp_path: Path,
) -> None:
    path = tmp_path / f"a{suffix}"
    text = "".join(map(str, range(5_000)))
    path.write_bytes(damage(COMPRESS[suffix](text.encode())))
    with pytest.raises(SatdokuError, match="cannot be read") as caught:
        reader(path)
    assert str(path) in str(caught.value)


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SatdokuError, match="is not a text file"):
        read_text(path)


def pipe_of(*chunks: bytes) -> Flow:
    """A pipe from which each read takes one of these."""

    rest = list(chunks)

    class Chunks(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return rest.pop(0) if rest else b""

    return Flow(Chunks())


@pytest.mark.parametrize(
    "chunks",
    [
        (b"one\ntwo\n\nthree",),
        (b"on", b"e", b"\ntwo\n", b"\nthree"),
        (b"one\ntwo\n\nth", b"ree"),
        (b"one\n", b"two\n", b"\n", b"three"),
    ],
)
def test_a_pipe_has_the_lines_that_a_file_has(chunks: tuple[bytes, ...]) -> None:
    assert list(pipe_of(*chunks)) == [b"one\n", b"two\n", b"\n", b"three"]
    assert list(pipe_of(*chunks, b"\n")) == [b"one\n", b"two\n", b"\n", b"three\n"]


def test_an_empty_pipe_has_no_lines() -> None:
    assert list(pipe_of()) == []
    assert list(pipe_of(b"\n", b"\n")) == [b"\n", b"\n"]


@pytest.mark.skipif(os.name == "nt", reason="pipes cannot be asked there")
def test_a_pipe_knows_what_is_at_hand() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream:
        flow = Flow(stream)
        lines = iter(flow)
        assert not flow.is_at_hand()
        os.write(writing, b"one\ntwo\n\n\n")
        assert flow.is_at_hand()
        assert next(lines) == b"one\n"
        assert flow.is_at_hand()
        assert next(lines) == b"two\n"
        assert not flow.is_at_hand(), "blank lines are no reason to wait for what follows"
        os.write(writing, b"three")
        assert [next(lines), next(lines)] == [b"\n", b"\n"]
        assert flow.is_at_hand()
        os.close(writing)
        assert [next(lines), next(lines, b"")] == [b"three", b""]
        assert flow.is_at_hand(), "the end is there"


def test_plain_lines_of_a_pipe_are_taken_as_far_as_they_have_come() -> None:
    plain = plain_lines(Geometry(2, 2))
    line = b"1.....2..3.....4\n"
    flow = pipe_of(line * 40 + b"# 3\n" + line * 5 + line[:7], line[7:] + line * 20)
    lines = iter(flow)
    assert next(lines) == line
    assert flow.take(plain) == (39, (line * 39).decode())
    assert (next(lines), flow.take(plain)) == (b"# 3\n", (0, ""))
    # What has not come as a whole is not taken, and fewer lines than are worth it neither.
    assert [next(lines) for _ in range(6)] == [line] * 6
    assert flow.take(plain) == (20, (line * 20).decode())
    assert list(lines) == []


def test_a_file_of_zstandard_is_written_as_it_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.zst"
    with new_file(path) as stream:
        stream.write("one\ntwo\n")
    assert path.read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    assert list(read_lines(path)) == [b"one\n", b"two\n"]


def test_a_console_of_windows_tells_whether_a_key_was_pressed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a puzzle that was typed would be answered only after the next line."""

    class Console(io.BytesIO):
        def isatty(self) -> bool:
            return True

    pressed = [False, False, True]
    keyboard = SimpleNamespace(kbhit=lambda: pressed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", keyboard)
    monkeypatch.setattr(sys, "platform", "win32")
    flow = Flow(Console())  # `select` refuses it, as Windows refuses consoles
    assert not flow.is_readable(0)
    assert flow.is_readable(None)
    assert not pressed
    assert Flow(io.BytesIO()).is_readable(0)
