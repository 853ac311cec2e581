"""Files: compressed by suffix, written atomically, overwritten only on request."""

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import BufferedReader, BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from satdoku.errors import OutputError, PlacedError, SatdokuError

if TYPE_CHECKING:
    from pathlib import Path

# Approximate memory of a Python string besides its characters.
_BYTES_A_STRING = 64

LONGEST_LINE = 16 << 20
"""Longest line of a puzzle in bytes: two grids of 1000x1000 in numbers take ten million."""

_MODULES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}

ZSTANDARD = ".zst"
"""The suffix of files that are compressed by a library that may be missing."""

COMPRESSIONS = tuple(_MODULES)
"""The suffixes of files that are compressed and decompressed by Python itself."""

ALL_COMPRESSIONS = (*COMPRESSIONS, ZSTANDARD)

# Suffixes of compressions that are not supported.
_OTHER_COMPRESSIONS = (".7z", ".br", ".lz", ".lz4", ".lzma", ".rar", ".tgz", ".z", ".zip")

# Limits on decompressed data: a minimum, and a factor. Formulas of empty boards, the most regular
# that satdoku writes, shrink to a 25th; a file of zeros, made to fill memories, to a 1000th.
_LEAST_UNPACKED, _MOST_TIMES = 16 << 20, 250

PARQUET = ".parquet"
"""The suffix of Parquet files (typed tables), which only pyarrow reads and writes."""

ESCAPED = "backslashreplace"
"""The error handler for characters that an encoding lacks.

Examples are half of a surrogate pair in UTF-8, and a star in Latin-1.
"""

AS_READ = "satdoku.as_read"
"""The error handler for outputs: bytes that were no UTF-8 stay, other characters are escaped."""


def raw_bytes(error: UnicodeError) -> tuple[bytes, int] | None:
    """Return the byte that a character of an encoding error stands for; None if it is another."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start]
    is_raw = "\udc80" <= lacking <= "\udcff"
    return (lacking.encode("utf-8", "surrogateescape"), error.start + 1) if is_raw else None


codecs.register_error(AS_READ, lambda e: raw_bytes(e) or codecs.backslashreplace_errors(e))


def memory_of(text: str) -> int:
    """Return about how many bytes a text takes in memory; an empty one takes some too."""
    return len(text) + _BYTES_A_STRING


def is_parquet(name: str | None) -> bool:
    """Whether a file is a Parquet file, by its name."""
    return name is not None and name.endswith(PARQUET)


def as_path(name: str) -> "Path":
    """Return the path of that name."""
    # Imported here for all callers: a typed puzzle needs no path, and the import takes a tenth of
    # the time for solving it.
    from pathlib import Path

    return Path(name)


def open_binary(path: "Path | str") -> BinaryIO:
    """Open a file for reading, decompressed if its name ends in .gz, .bz2, .xz or .zst."""
    with readable(path):
        return _opener(os.path.splitext(path)[1])(path, "rb")


def _opener(suffix: str) -> Callable[..., BinaryIO]:
    """Return the function that opens files with this suffix; imported on use for a quick start."""
    if suffix == ZSTANDARD:
        return open_zstandard
    found: Callable[..., BinaryIO]
    found = import_module(_MODULES[suffix]).open if suffix in _MODULES else open
    return found


def open_zstandard(file: Any, mode: str) -> BinaryIO:
    """Open a Zstandard file, a path or a stream, with the library that `_zstandard` finds."""
    library = _zstandard(file)
    if library.__name__ != "pyarrow":
        opened: BinaryIO = library.open(file, mode)
        return opened
    if mode == "wb":
        written: Any = library.CompressedOutputStream(file, "zstd")
        return cast(BinaryIO, written)
    source = file if hasattr(file, "read") else library.OSFile(str(file))
    raw: Any = library.CompressedInputStream(source, "zstd")
    return BufferedReader(raw)


def _zstandard(file: Any) -> Any:
    """Return the module that reads and writes Zstandard.

    The first that is installed of Python's own (from 3.14 on), zstandard and pyarrow.
    """
    for name in ("compression.zstd", "zstandard"):
        try:
            return import_module(name)
        except ImportError:
            continue
    try:
        import pyarrow
    except ImportError:
        message = f"{file} needs pip install zstandard, or the program zstd and a pipe"
        raise SatdokuError(message) from None
    return pyarrow


def read_lines(path: "Path | str", longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """Yield the lines of a file, decompressed by suffix."""
    with readable(path), open_binary(path) as stream:
        yield from bounded_lines(stream, str(path), longest)


class LineStream(Protocol):
    """A stream from which lines can be read one by one."""

    def readline(self, most: int, /) -> bytes: ...


def bounded_lines(stream: LineStream, source: str, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """Yield the lines of a stream; a line that is too long raises an error.

    Without the limit, a device without line ends, or a small compressed file of zeros, would fill
    the memory.
    """
    lines = iter(partial(stream.readline, longest + 1), b"")
    for number, line in enumerate(lines, 1):
        if len(line) > longest:
            raise too_long(source, number, longest)
        yield line


def too_long(source: str, number: int, longest: int) -> PlacedError:
    """Return the error for a line that is longer than allowed."""
    return PlacedError(f"this line is longer than {_in_megabytes(longest)}", source, number)


def _in_megabytes(count: int) -> str:
    return f"{count / (1 << 20):,.3g} MB"


@contextmanager
def readable(source: "Path | str") -> Iterator[None]:
    """Turn errors of reading the source into a SatdokuError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except reading_errors() as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise SatdokuError(f"{source} cannot be read: {reason}") from None


def reading_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of reading, decompression included; called only after an error."""
    errors = {"lzma": "LZMAError", "zlib": "error", "zstandard": "ZstdError"}
    errors["compression.zstd"] = "ZstdError"
    # Only a module that has been imported can have raised an error.
    others = [
        getattr(sys.modules[module], name)
        for module, name in errors.items()
        if sys.modules.get(module) is not None
    ]
    return OSError, EOFError, *others


def read_text(path: "Path", most: int = LONGEST_LINE) -> str:
    """Return a whole text file of at most `most` bytes, decompressed by its suffix."""
    return unpack_text(read_data(path, most), path)


def read_data(path: "Path", most: int) -> bytes:
    """Return the bytes of a file as stored; a file of more than `most` bytes is refused."""
    with readable(path), path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise SatdokuError(f"{path} is larger than {_in_megabytes(most)}")
    return data


def unpack_text(data: bytes, path: "Path") -> str:
    """Return the text of a file with these bytes, decompressed by its suffix.

    A file that unpacks to far more than its size is refused, which bounds memory.
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
    """Open a text file that appears under its name only when it is complete.

    It is compressed if the name ends in .gz, .bz2, .xz or .zst, to the same bytes each time. An
    existing file is replaced only with `force`; a device or a pipe is written to directly.
    """
    require_writable(path, force)
    try:
        if path.exists() and not path.is_file():
            with _open_text(path, path.suffix) as stream:
                yield stream
        else:
            # For a symbolic link, its target is replaced.
            with _replacement(path.resolve(), path.suffix) as stream:
                yield stream
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from None


def require_writable(path: "Path", force: bool = False) -> None:
    """Refuse a path that cannot be written, and an existing file without `force`.

    It cannot be written if it is a folder, if its folder does not exist, or if its compression is
    not supported.
    """
    require_known_compression(path)
    try:
        if path.is_dir():
            raise SatdokuError(f"{path} is a folder")
        path.parent.stat()  # OSError if there is no such folder
        if path.is_file() and not force:
            raise SatdokuError(f"{path} exists; --force overwrites it")
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None


def require_known_compression(path: "Path") -> None:
    """Refuse a name whose suffix is a compression that is not supported."""
    suffix = path.suffix.lower()
    # Only lower-case suffixes are compressed; a file named .GZ would hold plain text.
    is_other = path.suffix not in ALL_COMPRESSIONS
    if suffix in _OTHER_COMPRESSIONS or (suffix in ALL_COMPRESSIONS and is_other):
        raise SatdokuError(
            f"{path} would be no {path.suffix} file: files are compressed as "
            f"{', '.join(ALL_COMPRESSIONS)}"
        )
    if path.suffix == ZSTANDARD:
        _zstandard(path)


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
    return TextIOWrapper(binary, "utf-8", AS_READ, newline="\n")


def _compressor(raw: BinaryIO, suffix: str) -> Any:
    """Return a compressing stream to a file; it is closed with the text stream above it."""
    if suffix == ".gz":
        # Write no time stamp, so that the bytes are reproducible.
        return import_module("gzip").GzipFile("", "wb", fileobj=raw, mtime=0)
    return _opener(suffix)(raw, "wb") if suffix in (*_MODULES, ZSTANDARD) else raw
