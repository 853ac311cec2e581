"""The output of a run: rows and rejects, in a stream or in files that survive an interruption.

The rejects of a row are on the disk before the row is in the file. So after any interruption there
may be rejects too many, never too few; those that go beyond the rows are cut off on resuming.
`open_file.py` opens text files, which can be resumed; what cannot be resumed is opened here.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from functools import partial
from types import TracebackType
from typing import IO, TYPE_CHECKING, BinaryIO, NoReturn, Protocol

from satdoku.batch.row import Row
from satdoku.errors import SatdokuError
from satdoku.files import ESCAPED, require_known_compression

if TYPE_CHECKING:
    from pathlib import Path


# Where the text of rows goes: a stream, or one of the files of `file_sinks.py`.


class Sink(Protocol):
    """Takes the text of rows: one, or so many `rows` of a line each."""

    def write(self, text: str, rows: int = 1) -> None: ...

    def roll_back(self) -> None:
        """Removes what a `write` that failed or was interrupted left behind."""

    def suspend(self) -> None:
        """Makes durable what was written; the run may go on later."""

    def finish(self) -> None:
        """Makes the end durable."""

    def close(self) -> None: ...


class StreamSink:
    """A stream, such as standard output; its reader gets each row at once."""

    def __init__(self, stream: IO[str], is_ours: bool = False) -> None:
        self._stream = stream
        self._is_ours = is_ours

    def write(self, text: str, rows: int = 1) -> None:
        if text:
            self._stream.write(text)
            self._stream.flush()

    def roll_back(self) -> None:
        """Nothing: what was sent to a stream cannot be removed."""

    def suspend(self) -> None:
        """Nothing: every row was sent at once."""

    def finish(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        if self._is_ours:
            # If something could not be written, the error was raised where it was.
            with suppress(OSError):
                self._stream.close()


def write_all(file: BinaryIO, data: bytes) -> None:
    """Writes it all; a disk that fills up takes a part first and refuses the rest."""
    written = file.write(data)
    while written < len(data):
        data = data[written:]
        written = file.write(data)


def cut(file: BinaryIO, size: int) -> None:
    """Makes a file end at `size`, and goes there."""
    file.truncate(size)
    file.seek(size)


def sync(file: BinaryIO) -> None:
    """Makes durable what was written; pipes and devices know no such thing."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno != EINVAL:
            raise


_SIDECAR = ".resume"
# Writing through to the disk takes milliseconds, too long for every row that is rejected.
_SECONDS_BETWEEN_SYNCS = 0.2
# So many rows wait at most, so that memory stays bounded where answers come fast.
_MOST_HELD = 1024


class Output:
    """Takes rows in order; use it as a context, which ends in a complete or a resumable output.

    `answered` records have their row in it already, from a run before; the caller passes them over.
    If it `is_finished`, nothing told of that run, and it can only be complete: it takes no row.
    With a way to `begin` it, which opens its files, the first row begins it: a run that is refused
    before leaves what was there.
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
        """Whether an interrupted run can be continued."""
        return self._resumable is not None

    def write(self, row: Row) -> None:
        """Writes a row at once, or with those that follow within a moment."""
        if self.is_finished:
            refuse_without_sidecar(self._name)
        has_reject = bool(row.reject) and self._takes_rejects
        if not (row.text or has_reject):
            # Something is said of each record that is refused, and of none that is left out.
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
                # The error under way matters more than one that may follow from it.
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
        # Where a write fails this stays true, and what is half written is rolled back.
        self._is_pouring = True
        # Before the rows: so there may be rejects too many, but never too few.
        if self._has_held_reject and self._rejects is not None:
            text = "".join(row.reject for row in rows)
            self._tell_errors(partial(self._put_rejects, self._rejects, text), self._rejects.name)
            self._has_held_reject = False
        for row in rows:
            self._require_line(row)
            self._sink.write(row.text, row.records)
            self.written += row.records
        self._is_pouring = False

    def _require_line(self, row: Row) -> None:
        if self.can_resume and (row.text.count("\n") != row.records or row.text[-1] != "\n"):
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
            # Last of all: as long as the sidecar is there, the run counts as unfinished.
            sidecar_of(self._resumable).unlink(missing_ok=True)

    def _suspend(self, is_refused: bool) -> None:
        if self._is_pouring:
            self._sink.roll_back()
        else:
            self._pour()
        if not self.written and (is_refused or not self.can_resume):
            return
        # What was interrupted can be resumed, even before its first row.
        self._open()
        self._sink.suspend()

    def _put_rejects(self, rejects: BinaryIO, text: str) -> None:
        write_all(rejects, text.encode(errors=ESCAPED))
        if self.can_resume:
            sync(rejects)
            self._last_sync = time.monotonic()

    # Not a context manager: that would cost as much as writing the row.
    def _tell_errors(self, write: Callable[[], None], name: str = "") -> None:
        try:
            write()
        except BrokenPipeError:
            raise
        except OSError as error:
            message = f"{name or self._name} cannot be written: {error.strerror or error}"
            if self.can_resume:
                message += f"; what is in {self._name} stays, and --resume goes on from there"
            raise SatdokuError(message) from None


# What stands for stdout where a file for rejects is named.
STDOUT = "-"


def open_rejects(path: "Path", size: int) -> BinaryIO:
    """The file of rejects, cut to `size`; stdout stays as it is, and open."""
    if str(path) == STDOUT:
        # By its number, which a redirection has too; a copy, since who writes here closes it.
        return open("stdout", "wb", buffering=0, opener=lambda *_: os.dup(1))
    if path.exists() and not path.is_file():
        # A pipe or a device has nothing in it that could be cut.
        return path.open("wb", buffering=0)
    stream: BinaryIO = path.open("r+b" if path.exists() else "x+b", buffering=0)
    cut(stream, size)
    return stream


def sidecar_of(path: "Path") -> "Path":
    """The file that says of which run an unfinished output is (`resume.py`)."""
    return path.with_name(path.name + _SIDECAR)


def refuse_without_sidecar(path: "Path | str") -> NoReturn:
    """What is to be resumed has nothing beside it that says of which run it is."""
    sidecar = os.path.basename(path) + _SIDECAR
    raise SatdokuError(
        f"{path} cannot be resumed: there is no {sidecar} beside it, and it is no complete output "
        "of this run; --force begins it anew"
    )


def stream_output(stream: IO[str], rejects: "Path | None" = None, force: bool = False) -> Output:
    """Rows go to a stream, which stays open; it cannot be resumed."""
    require_free(rejects, force)
    try:
        return Output(StreamSink(stream), rejects=begin_rejects(rejects))
    except OSError as error:
        raise SatdokuError(f"{rejects} cannot be written: {error.strerror}") from None


def begin_rejects(path: "Path | None") -> BinaryIO | None:
    """The file for rejects, empty; None where none was asked for."""
    return open_rejects(path, 0) if path is not None else None


def require_free(path: "Path | None", force: bool) -> None:
    """Refuses a compression that we have not, and an existing file unless by `force`."""
    if path is None or str(path) == STDOUT:
        return
    require_known_compression(path)
    if force or not path.is_file():
        return
    hint = ", --resume goes on with it" if sidecar_of(path).exists() else ""
    raise SatdokuError(f"{path} exists; --force overwrites it{hint}")


@contextmanager
def closed_on_error(sink: Sink) -> Iterator[None]:
    """Closes a sink whose output cannot be opened after all."""
    try:
        yield
    except BaseException:
        sink.close()
        raise
