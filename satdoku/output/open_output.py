"""Opening an output that is not resumed: a stream, or a table; `open_file.py` opens text files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from satdoku.errors import SatdokuError
from satdoku.files import require_known_compression, require_writable
from satdoku.output.output import Output, open_rejects, sidecar_of
from satdoku.output.sinks import Sink, StreamSink


def stream_output(stream: IO[str], rejects: Path | None = None, force: bool = False) -> Output:
    """Rows go to a stream, which stays open; it cannot be resumed."""
    require_free(rejects, force)
    try:
        return Output(StreamSink(stream), rejects=begin_rejects(rejects))
    except OSError as error:
        raise SatdokuError(f"{rejects} cannot be written: {error.strerror}") from None


def parquet_output(
    path: Path,
    opening: str,
    known: int = 0,
    sources: Sequence[Path] = (),
    rejects: Path | None = None,
    force: bool = False,
) -> Output:
    """Rows of CSV go to a Parquet file; `known` columns are those of the input.

    They are taken with their types from `sources`, where these are files of Parquet.
    """
    # Imported here, as is pyarrow: few runs write Parquet.
    from satdoku.output.parquet import InputColumns, ParquetSink

    require_writable(path, force)
    require_free(rejects, force)
    source = InputColumns(sources) if sources else None
    try:
        sink = ParquetSink(path, opening, known, source)
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
    with closed_on_error(sink):
        return Output(sink, str(path), begin_rejects(rejects))


def begin_rejects(path: Path | None) -> BinaryIO | None:
    """The file for rejects, empty; None where none was asked for."""
    return open_rejects(path, 0) if path is not None else None


def require_free(path: Path | None, force: bool) -> None:
    """Refuses a compression that we have not, and an existing file unless by `force`."""
    if path is not None:
        require_known_compression(path)
    if path is None or force or not path.is_file():
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
