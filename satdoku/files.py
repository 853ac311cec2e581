"""Files: compressed by suffix, written whole or not at all, never overwritten unasked."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import BufferedReader, BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from satdoku.errors import OutputError, PlacedError, SatdokuError

if TYPE_CHECKING:
    from pathlib import Path

# What Python takes for a string besides its characters, about.
_BYTES_A_STRING = 64

LONGEST_LINE = 16 << 20
"""Bytes of a line that holds a puzzle: two grids of 1000x1000 in numbers take ten million."""

_MODULES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}

COMPRESSIONS = tuple(_MODULES)
"""The suffixes by which files are compressed and decompressed."""

# Suffixes that promise a compression which we do not have.
_OTHER_COMPRESSIONS = (".7z", ".br", ".lz", ".lz4", ".lzma", ".rar", ".tgz", ".z", ".zip", ".zst")

# What a compressed file may hold. Formulas of empty boards, the most regular that we write, shrink
# to a 25th; zeros to a 1000th, and a file of those was made to fill memories.
_LEAST_UNPACKED, _MOST_TIMES = 16 << 20, 250

PARQUET = ".parquet"
"""The suffix of files that are tables with types, which only pyarrow reads and writes."""

ESCAPED = "backslashreplace"
"""How to write what an encoding lacks: half of a surrogate pair in UTF-8, a star in Latin-1."""


def memory_of(text: str) -> int:
    """About how many bytes it takes to keep a text; an empty one takes some too."""
    return len(text) + _BYTES_A_STRING


def is_parquet(name: str | None) -> bool:
    """Whether a file is one of Parquet, told by its name."""
    return name is not None and name.endswith(PARQUET)


def as_path(name: str) -> "Path":
    """A path of that name."""
    # Imported here for all: a puzzle that is typed needs no path, and to import this takes a tenth
    # of the time that solving it takes.
    from pathlib import Path

    return Path(name)


def open_binary(path: "Path | str") -> BinaryIO:
    """A file to read; decompressed while it is read if its name ends in .gz, .bz2, .xz, .zst."""
    with readable(path):
        return _opener(os.path.splitext(path)[1])(path, "rb")


def _opener(suffix: str) -> Callable[..., BinaryIO]:
    """What opens files with this suffix; imported when needed, as starting has to be quick."""
    if suffix == ".zst":
        return _open_zstandard
    found: Callable[..., BinaryIO]
    found = import_module(_MODULES[suffix]).open if suffix in _MODULES else open
    return found


def _open_zstandard(path: Any, mode: str) -> BinaryIO:
    """A file of Zstandard to read, by what can: Python from 3.14 on, zstandard, or pyarrow."""
    for name in ("compression.zstd", "zstandard"):
        try:
            found: BinaryIO = import_module(name).open(path, mode)
            return found
        except ImportError:
            continue
    try:
        import pyarrow
    except ImportError:
        raise SatdokuError(
            f"{path} needs pip install zstandard, or: zstd -dc {path} | satdoku"
        ) from None
    raw: Any = pyarrow.CompressedInputStream(pyarrow.OSFile(str(path)), "zstd")
    return BufferedReader(raw)


def read_lines(path: "Path | str", longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file, decompressed by suffix."""
    with readable(path), open_binary(path) as stream:
        yield from bounded_lines(stream, str(path), longest)


class LineStream(Protocol):
    """What lines can be read from, one by one."""

    def readline(self, most: int, /) -> bytes: ...


def bounded_lines(stream: LineStream, source: str, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a stream; one that is too long is an error before it fills the memory.

    Without a bound, a device that never ends a line, or a small compressed file of zeros, would.
    """
    lines = iter(partial(stream.readline, longest + 1), b"")
    for number, line in enumerate(lines, 1):
        if len(line) > longest:
            raise too_long(source, number, longest)
        yield line


def too_long(source: str, number: int, longest: int) -> PlacedError:
    """What is wrong with a line that is longer than it may be."""
    return PlacedError(f"this line is longer than {_in_megabytes(longest)}", source, number)


def _in_megabytes(count: int) -> str:
    return f"{count / (1 << 20):,.3g} MB"


@contextmanager
def readable(source: "Path | str") -> Iterator[None]:
    """Whatever hinders reading the source becomes an error that says so."""
    try:
        yield
    except BrokenPipeError:
        raise
    except reading_errors() as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise SatdokuError(f"{source} cannot be read: {reason}") from None


def reading_errors() -> tuple[type[Exception], ...]:
    """What files raise, damaged compressed ones included; asked only when something is raised."""
    from lzma import LZMAError
    from zlib import error

    # Of those that may have been imported to read a file.
    others = [
        getattr(sys.modules[module], name)
        for module, name in (("zstandard", "ZstdError"), ("compression.zstd", "ZstdError"))
        if sys.modules.get(module) is not None
    ]
    return OSError, EOFError, LZMAError, error, *others


def read_text(path: "Path", most: int = LONGEST_LINE) -> str:
    """All of a text file that has at most so many bytes, decompressed by its suffix."""
    return unpack_text(read_data(path, most), path)


def read_data(path: "Path", most: int) -> bytes:
    """The bytes of a file as they are on the disk; a file of more than `most` is refused."""
    with readable(path), path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise SatdokuError(f"{path} is larger than {_in_megabytes(most)}")
    return data


def unpack_text(data: bytes, path: "Path") -> str:
    """The text of a file whose bytes these are, decompressed by its suffix.

    It takes memory in proportion to the file: what unpacks to far more is refused.
    """
    if path.suffix in COMPRESSIONS:
        most = _LEAST_UNPACKED + _MOST_TIMES * len(data)
        with readable(path), _opener(path.suffix)(BytesIO(data), "rb") as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise SatdokuError(f"{path} unpacks to more than {_in_megabytes(most)}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SatdokuError(f"{path} is not a text file") from None


@contextmanager
def new_file(path: "Path", force: bool = False) -> Iterator[TextIOWrapper]:
    """A text file that appears under its name only when it is complete.

    Compressed if the name ends in .gz, .bz2 or .xz, to the same bytes each time. An existing file
    is replaced only by `force`; a device or a pipe is written to as it is.
    """
    require_writable(path, force)
    try:
        if path.exists() and not path.is_file():
            with _open_text(path, path.suffix) as stream:
                yield stream
        else:
            # A link stays one: what it leads to is replaced.
            with _replacement(path.resolve(), path.suffix) as stream:
                yield stream
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from None


def require_writable(path: "Path", force: bool = False) -> None:
    """Refuses what cannot be written, and an existing file unless by `force`.

    That is a folder, a name in a folder that is not there, or a compression that we have not.
    """
    require_known_compression(path)
    try:
        if path.is_dir():
            raise SatdokuError(f"{path} is a folder")
        path.parent.stat()  # OSError where there is no such folder
        if path.is_file() and not force:
            raise SatdokuError(f"{path} exists; --force overwrites it")
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None


def require_known_compression(path: "Path") -> None:
    """Refuses a name that promises a compression which we do not have."""
    if path.suffix.lower() in _OTHER_COMPRESSIONS:
        raise SatdokuError(
            f"{path} would be no {path.suffix} file: files are compressed as "
            f"{', '.join(COMPRESSIONS)}"
        )


@contextmanager
def _replacement(path: "Path", suffix: str) -> Iterator[TextIOWrapper]:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with _open_text(unfinished, suffix) as stream:
            yield stream
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _open_text(path: "Path", suffix: str) -> Iterator[TextIOWrapper]:
    with path.open("wb") as raw, _as_text(_compressor(raw, suffix)) as text:
        yield text


def _as_text(binary: Any) -> TextIOWrapper:
    return TextIOWrapper(binary, "utf-8", ESCAPED, newline="\n")


def _compressor(raw: BinaryIO, suffix: str) -> Any:
    """What compresses on the way to a file; it is closed with the text that is written to it."""
    if suffix == ".gz":
        # Without the time: the same bytes again.
        return import_module("gzip").GzipFile("", "wb", fileobj=raw, mtime=0)
    return _opener(suffix)(raw, "wb") if suffix in _MODULES else raw
