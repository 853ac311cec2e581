"""Where the text of rows goes: a stream, or one of the files of `file_sinks.py`."""

import os
from contextlib import suppress
from errno import EINVAL
from typing import IO, BinaryIO, Protocol


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
