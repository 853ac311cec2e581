"""Files: compressed by suffix, written whole or not at all, never overwritten unasked."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from satdoku.errors import SatdokuError


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
    try:
        stream: BinaryIO = opener(path, "rb")  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise SatdokuError(f"{path} cannot be read: {error.strerror}") from None
    return stream


@contextmanager
def new_file(path: Path, force: bool = False) -> Iterator[IO[str]]:
    """A text file that appears under its name only when it is complete.

    Compressed if the name ends in .gz or .xz, to the same bytes each time. An existing file is
    replaced only by `force`.
    """
    if path.is_dir():
        raise SatdokuError(f"{path} is a folder")
    if path.exists() and not force:
        raise SatdokuError(f"{path} exists; --force overwrites it")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with _open_text(unfinished, path.suffix) as stream:
            yield stream
        unfinished.replace(path)
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
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
        with io.TextIOWrapper(binary, "utf-8", newline="\n") as text:
            yield text


def read_text(path: Path) -> str:
    """All of a text file, decompressed by suffix."""
    try:
        with open_binary(path) as stream:
            return stream.read().decode("utf-8")
    except UnicodeDecodeError:
        raise SatdokuError(f"{path} is not a text file") from None
    except (OSError, EOFError) as error:
        raise SatdokuError(f"{path} cannot be read: {error}") from None
