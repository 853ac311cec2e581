"""The output of a run: rows and rejects, in a stream or in files that survive an interruption.

The rejects of a row are on disk before the row is in the file. So after an interruption there may
be too many rejects, never too few; surplus ones are cut off on resuming. `open_file.py` opens text
files, which can be resumed; outputs that cannot be resumed are opened here.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from functools import partial
from types import TracebackType
from typing import IO, TYPE_CHECKING, BinaryIO, NoReturn, Protocol

from satdoku.batch.row import Row, SharedText
from satdoku.errors import SatdokuError
from satdoku.files import AS_READ, require_known_compression

if TYPE_CHECKING:
    from pathlib import Path


# Sinks: where the text of rows goes, a stream or one of the files of `open_file.py`.


Text = str | SharedText


class Sink(Protocol):
    """Base class of sinks; takes the text of one row, or of `rows` rows of one line each."""

    def write(self, text: Text, rows: int = 1) -> None: ...

    def roll_back(self) -> None:
        """Remove what a failed or interrupted `write` left behind."""

    def suspend(self) -> None:
        """Flush to disk; the run may go on later."""

    def finish(self) -> None:
        """Write the end of the output and flush it to disk."""

    def close(self) -> None: ...


class StreamSink:
    """A stream such as standard output; each row is flushed to its reader at once."""

    def __init__(self, stream: IO[str], is_ours: bool = False) -> None:
        self._stream = stream
        self._is_ours = is_ours
        # ASCII is written as it is where the stream would change neither letters nor line ends.
        encoding = (getattr(stream, "encoding", None) or "").lower()
        is_plain = os.linesep == "\n" and encoding in ("utf-8", "ascii")
        self._binary: BinaryIO | None = getattr(stream, "buffer", None) if is_plain else None

    def write(self, text: Text, rows: int = 1) -> None:
        if isinstance(text, SharedText) and self._binary is not None:
            self._stream.flush()
            write_all(self._binary, text.data)
            self._binary.flush()
        elif text:
            self._stream.write(as_str(text))
            self._stream.flush()

    def roll_back(self) -> None:
        """No-op: what was sent to a stream cannot be removed."""

    def suspend(self) -> None:
        """No-op: every row was sent at once."""

    def finish(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        if self._is_ours:
            # A failed write has raised its own error already.
            with suppress(OSError):
                self._stream.close()


def as_str(text: Text) -> str:
    return text if isinstance(text, str) else str(text.data, "ascii")


def as_bytes(text: Text) -> bytes | memoryview:
    return text.encode(errors=AS_READ) if isinstance(text, str) else text.data


def write_all(file: BinaryIO, data: bytes | memoryview) -> None:
    """Write all bytes, in several calls if the system takes only part of them."""
    written = file.write(data)
    while written < len(data):
        data = data[written:]
        written = file.write(data)


def cut(file: BinaryIO, size: int) -> None:
    """Truncate a file to `size` and seek to its end."""
    file.truncate(size)
    file.seek(size)


def sync(file: BinaryIO) -> None:
    """Flush the file to disk (fsync). No-op for pipes and devices, which cannot be synced."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno != EINVAL:
            raise


_SIDECAR = ".resume"
# An fsync takes milliseconds, too long for one after every rejected row.
_SECONDS_BETWEEN_SYNCS = 0.2
# Upper bound on rows held back, so that memory stays bounded if answers come fast.
_MOST_HELD = 1024


class Output:
    """A destination of rows in order; a context manager that leaves a complete or resumable output.

    `answered` records have their rows in the output already, from an earlier run; the caller skips
    them. If it `is_finished`, the output has no sidecar and must be complete: it takes no row. With
    a function `begin`, which opens the files, the first row begins the output: a run that is
    refused before that leaves existing files untouched.
    """

    def __init__(
        self,
        sink: Sink,
        name: str = "the output",
        rejects: BinaryIO | None = None,
        resumable: "Path | None" = None,
        answered: int = 0,
        is_finished: bool = False,
        begin: "Callable[[], tuple[Sink, BinaryIO | None]] | None" = None,
        takes_rejects: bool = False,
    ) -> None:
        self._sink = sink
        self._begin = begin
        self._has_refused = False
        self._name = name
        self._rejects = rejects
        self._takes_rejects = takes_rejects or rejects is not None
        self._resumable = resumable
        self._held: list[Row] = []
        self._has_held_reject = False
        self._last_sync = 0.0
        self._is_pouring = False
        self.answered = answered
        self.is_finished = is_finished
        self.written = answered

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted run can be resumed."""
        return self._resumable is not None

    def write(self, row: Row) -> None:
        """Write a row at once, or together with rows that follow within a moment."""
        if self.is_finished:
            refuse_without_sidecar(self._name)
        has_reject = bool(row.reject) and self._takes_rejects
        if not (row.text or row.shared or has_reject):
            # A refused record has a message; a record that is left out has none.
            self._has_refused |= bool(row.message)
            return
        self._held.append(row)
        self._has_held_reject |= has_reject
        if self._has_held_reject and self.can_resume and self._is_too_soon:
            return
        self._tell_errors(self._pour)

    def __enter__(self) -> "Output":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._tell_errors(self._finish)
            else:
                # The current error matters more than an error of the cleanup.
                with suppress(OSError):
                    self._suspend(isinstance(error, SatdokuError))
        finally:
            self._sink.close()
            if self._rejects is not None:
                self._rejects.close()

    @property
    def _is_too_soon(self) -> bool:
        is_soon = time.monotonic() - self._last_sync < _SECONDS_BETWEEN_SYNCS
        return is_soon and len(self._held) < _MOST_HELD

    def _open(self) -> None:
        if self._begin is not None:
            self._sink, self._rejects = self._begin()
            self._begin = None

    def _pour(self) -> None:
        if self._held:
            self._open()
        rows, self._held = self._held, []
        # If a write fails, `_is_pouring` stays true, and the partial write is rolled back.
        self._is_pouring = True
        # Rejects come first: after a crash there may be too many of them, but never too few.
        if self._has_held_reject and self._rejects is not None:
            text = "".join(row.reject for row in rows)
            self._tell_errors(partial(self._put_rejects, self._rejects, text), self._rejects.name)
            self._has_held_reject = False
        for row in rows:
            self._require_line(row)
            self._sink.write(row.shared or row.text, row.records)
            self.written += row.records
        self._is_pouring = False

    def _require_line(self, row: Row) -> None:
        # Blocks have a line a record by their definition (`Form.of_block`), and lines take long to
        # count.
        is_line = row.records > 1 or (row.text.count("\n") == 1 and row.text[-1] == "\n")
        if self.can_resume and not is_line:
            raise ValueError(f"a resumable output takes one line a record, not {row.text!r}")

    def _finish(self) -> None:
        self._pour()
        if self._begin is not None and self._has_refused:
            return
        self._open()
        self._sink.finish()
        if self._resumable is not None:
            if self._rejects is not None:
                sync(self._rejects)
            # This is the last step: while the sidecar exists, the run counts as unfinished.
            sidecar_of(self._resumable).unlink(missing_ok=True)

    def _suspend(self, is_refused: bool) -> None:
        if self._is_pouring:
            self._sink.roll_back()
        else:
            self._pour()
        if not self.written and (is_refused or not self.can_resume):
            return
        # Open the files, so that an interruption before the first row can be resumed as well.
        self._open()
        self._sink.suspend()

    def _put_rejects(self, rejects: BinaryIO, text: str) -> None:
        write_all(rejects, text.encode(errors=AS_READ))
        if self.can_resume:
            sync(rejects)
            self._last_sync = time.monotonic()

    # This is no context manager, as that would cost as much as writing the row.
    def _tell_errors(self, write: Callable[[], None], name: str = "") -> None:
        try:
            write()
        except BrokenPipeError:
            raise
        except OSError as error:
            message = f"{name or self._name} cannot be written: {error.strerror or error}"
            if self.can_resume and self.written:
                message += f"; what is in {self._name} stays, and --resume goes on from there"
            raise SatdokuError(message) from None


# File name that means stdout for the rejects.
STDOUT = "-"


def open_rejects(path: "Path", size: int) -> BinaryIO:
    """Open the file of rejects, truncated to `size`; stdout is neither truncated nor closed."""
    if str(path) == STDOUT:
        # Duplicate descriptor 1, which respects redirections; the caller closes the copy.
        return open("stdout", "wb", buffering=0, opener=lambda *_: os.dup(1))
    if path.exists() and not path.is_file():
        # Pipes and devices have nothing to truncate.
        return path.open("wb", buffering=0)
    stream: BinaryIO = path.open("r+b" if path.exists() else "x+b", buffering=0)
    cut(stream, size)
    return stream


def sidecar_of(path: "Path") -> "Path":
    """Return the path of the sidecar, which identifies the run of an unfinished output."""
    return path.with_name(path.name + _SIDECAR)


def refuse_without_sidecar(path: "Path | str") -> NoReturn:
    """Raise the error for an output without a sidecar, which cannot be resumed."""
    sidecar = os.path.basename(path) + _SIDECAR
    raise SatdokuError(
        f"{path} cannot be resumed: there is no {sidecar} beside it, and it is "
        "not a complete output of this run; --force begins it anew"
    )


def stream_output(stream: IO[str], rejects: "Path | None" = None, force: bool = False) -> Output:
    """Open an output that writes to a stream. The stream stays open; the run cannot be resumed."""
    require_free(rejects, force)
    try:
        return Output(StreamSink(stream), rejects=begin_rejects(rejects))
    except OSError as error:
        raise SatdokuError(f"{rejects} cannot be written: {error.strerror}") from None


def begin_rejects(path: "Path | None") -> BinaryIO | None:
    """Open an empty file for rejects; None if none was asked for."""
    return open_rejects(path, 0) if path is not None else None


def require_free(path: "Path | None", force: bool) -> None:
    """Raise an error for an unknown compression, or for an existing file without `force`."""
    if path is None or str(path) == STDOUT:
        return
    require_known_compression(path)
    if force or not path.is_file():
        return
    hint = ", --resume goes on with it" if sidecar_of(path).exists() else ""
    raise SatdokuError(f"{path} exists; --force overwrites it{hint}")


@contextmanager
def closed_on_error(sink: Sink) -> Iterator[None]:
    """Close an open sink if an error occurs while the rest of the output is opened."""
    try:
        yield
    except BaseException:
        sink.close()
        raise
