"""Files: compressed by suffix, written whole or not at all, never overwritten unasked."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from satdoku.errors import SatdokuError

_BYTES_AT_ONCE = 1 << 16

ESCAPED = "backslashreplace"
"""How to write what an encoding lacks: half of a surrogate pair in UTF-8, a star in Latin-1."""


def open_binary(path: Path | str) -> BinaryIO:
    """A file to read; decompressed while it is read if its name ends in .gz, .bz2 or .xz."""
    opener: Any = open
    suffix = Path(path).suffix
    if suffix == ".gz":
        from gzip import open as opener
    elif suffix == ".bz2":
        from bz2 import open as opener
    elif suffix == ".xz":
        from lzma import open as opener
    with readable(path):
        stream: BinaryIO = opener(path, "rb")  # noqa: SIM115 - the caller closes it
    return stream


def read_lines(path: Path | str) -> Iterator[bytes]:
    """The lines of a file, decompressed by suffix."""
    with readable(path), open_binary(path) as stream:
        yield from stream


class Flow:
    """The lines of a pipe or a terminal, as they come."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: Any = stream
        self._has_line = False

    def __iter__(self) -> Iterator[bytes]:
        begun: list[bytes] = []
        while chunk := self._stream.read1(_BYTES_AT_ONCE):
            first, *others = chunk.split(b"\n")
            begun.append(first)
            if others:
                lines = [b"".join(begun), *others[:-1]]
                begun = others[-1:]
                # Blank lines behind a board may be all that there is for a long time.
                last = max((n for n, line in enumerate(lines) if line.strip()), default=0)
                for number, line in enumerate(lines):
                    self._has_line = number < last
                    yield line + b"\n"
        self._has_line = True
        if any(begun):
            yield b"".join(begun)

    def is_at_hand(self) -> bool:
        """Whether another line, or the end, can be had without waiting for it."""
        return self._has_line or self._is_readable()

    def _is_readable(self) -> bool:
        import select

        try:
            return bool(select.select([self._stream], [], [], 0)[0])
        except (OSError, ValueError):
            return True  # not to be told of this kind of stream


@contextmanager
def readable(source: Path | str) -> Iterator[None]:
    """Whatever hinders reading the source becomes an error that says so."""
    try:
        yield
    except BrokenPipeError:
        raise
    except reading_errors() as error:
        reason = getattr(error, "strerror", None) or error
        raise SatdokuError(f"{source} cannot be read: {reason}") from None


def reading_errors() -> tuple[type[Exception], ...]:
    """What files raise, damaged compressed ones included; asked only when something is raised."""
    from lzma import LZMAError
    from zlib import error

    return OSError, EOFError, LZMAError, error


def read_text(path: Path) -> str:
    """All of a text file, decompressed by suffix."""
    try:
        with readable(path), open_binary(path) as stream:
            return stream.read().decode("utf-8")
    except UnicodeDecodeError:
        raise SatdokuError(f"{path} is not a text file") from None


@contextmanager
def new_file(path: Path, force: bool = False) -> Iterator[IO[str]]:
    """A text file that appears under its name only when it is complete.

    Compressed if the name ends in .gz or .xz, to the same bytes each time. An existing file is
    replaced only by `force`; a device or a pipe is written to as it is.
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
        raise SatdokuError(f"{path} cannot be written: {error.strerror or error}") from None


def require_writable(path: Path, force: bool = False) -> None:
    """Refuses a folder, and an existing file unless by `force`."""
    try:
        if path.is_dir():
            raise SatdokuError(f"{path} is a folder")
        if path.is_file() and not force:
            raise SatdokuError(f"{path} exists; --force overwrites it")
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _replacement(path: Path, suffix: str) -> Iterator[IO[str]]:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with _open_text(unfinished, suffix) as stream:
            yield stream
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _open_text(path: Path, suffix: str) -> Iterator[IO[str]]:
    import io

    with path.open("wb") as raw:
        if suffix == ".gz":
            from gzip import GzipFile

            binary: Any = GzipFile("", "wb", fileobj=raw, mtime=0)
        elif suffix == ".xz":
            from lzma import LZMAFile

            binary = LZMAFile(raw, "wb")  # noqa: SIM115 - closed with the text around it
        else:
            binary = raw
        with io.TextIOWrapper(binary, "utf-8", ESCAPED, newline="\n") as text:
            yield text
