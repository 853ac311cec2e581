"""Opening an output that is a file of text: begin it, continue it, or say why neither."""

import os
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import BinaryIO

from satdoku.answering.output.file_sinks import (
    FileSink,
    MemberSink,
    find_codec,
    open_sink,
    open_unbuffered,
)
from satdoku.answering.output.output import (
    STDOUT,
    Output,
    begin_rejects,
    closed_on_error,
    open_rejects,
    refuse_without_sidecar,
    require_free,
    sidecar_of,
)
from satdoku.answering.output.resume import Identity as Identity
from satdoku.answering.output.resume import (
    find_kept_lines,
    find_kept_members,
    find_kept_rejects,
    require_same_run,
    write_sidecar,
)
from satdoku.answering.output.sinks import Sink, StreamSink
from satdoku.errors import SatdokuError
from satdoku.files import ESCAPED


def file_output(
    path: Path,
    opening: str = "",
    rejects: Path | None = None,
    identity: Identity | None = None,
    resume: bool = False,
    force: bool = False,
) -> Output:
    """Rows go to a file that begins with `opening`, compressed by its suffix.

    With an `identity` the run can be resumed; each row must then be one line. To `resume` a file
    that is not there is to begin it. What exists is replaced only by `force`.
    """
    if resume and identity is None:
        raise SatdokuError("only a run that reads files, and writes a line for each, can resume")
    try:
        if path.exists() and not path.is_file():
            return _special_output(path, rejects, force)
        if resume and identity is not None and path.exists():
            return _continue(path, opening, rejects, identity)
        return _begin(path, opening, rejects, identity, force)
    except OSError as error:
        # The sidecar is made beside the output unasked: the message names the output instead.
        is_sidecar = str(error.filename) == str(sidecar_of(path))
        place = path if is_sidecar else error.filename or path
        raise SatdokuError(f"{place} cannot be written: {error.strerror}") from None


def _begin(
    path: Path, opening: str, rejects: Path | None, identity: Identity | None, force: bool
) -> Output:
    require_free(path, force)
    require_free(rejects, force)
    sidecar = sidecar_of(path)
    content = identity.as_object(rejects) if identity is not None else None

    def begin() -> tuple[Sink, BinaryIO | None]:
        # An old output must not be taken for the beginning of this one, at no moment.
        sidecar.unlink(missing_ok=True)
        if path.exists():
            os.truncate(path, 0)
        if content is not None:
            write_sidecar(path, content)
        sink = open_sink(path, opening)
        with closed_on_error(sink):
            # Not before the sidecar is there: a run killed in between could not resume.
            stream = begin_rejects(rejects)
            _sync_folder(path)
        return sink, stream

    # The first row may take hours; a file that cannot be written is told before.
    _require_openable(rejects)
    _require_openable(path)
    return Output(
        StreamSink(StringIO()),
        str(path),
        resumable=path if content is not None else None,
        begin=begin,
        takes_rejects=rejects is not None,
    )


def _continue(path: Path, opening: str, rejects: Path | None, identity: Identity) -> Output:
    if not sidecar_of(path).exists():
        return _finished(path, opening)
    require_same_run(path, identity.as_object(rejects), identity.usual)
    answered, sink = _continue_sink(path, opening)
    with closed_on_error(sink):
        stream = _continue_rejects(path, rejects, answered) if rejects is not None else None
    return Output(sink, str(path), stream, path, answered)


def _finished(path: Path, opening: str) -> Output:
    """An output that is complete already, if it has an answer for every record: it takes no row."""
    codec = find_codec(path)
    if codec is not None:
        answered, state = find_kept_members(path, codec, opening)
        size = state.end
    else:
        answered, size = find_kept_lines(path, opening)
    if size != path.stat().st_size:
        refuse_without_sidecar(path)  # its last line is not whole
    return Output(StreamSink(StringIO()), str(path), answered=answered, is_finished=True)


def _continue_sink(path: Path, opening: str) -> tuple[int, Sink]:
    codec = find_codec(path)
    if codec is not None:
        answered, state = find_kept_members(path, codec, opening)
        return answered, MemberSink(path, codec, opening, state)
    kept = find_kept_lines(path, opening)
    return kept.answered, FileSink(path, kept.size, opening)


def _continue_rejects(path: Path, rejects: Path, answered: int) -> BinaryIO:
    size = 0
    if rejects.exists():
        with rejects.open("rb") as stream:
            size = find_kept_rejects(stream, answered)
    elif answered:
        raise SatdokuError(f"{path} cannot be resumed: its rejects, {rejects}, are missing")
    return open_rejects(rejects, size)


def _special_output(path: Path, rejects: Path | None, force: bool) -> Output:
    """A device or a named pipe, which is neither there before nor unfinished after."""
    if path.is_dir():
        raise SatdokuError(f"{path} is a folder")
    require_free(rejects, force)
    reject_stream = begin_rejects(rejects)
    stream = path.open("w", encoding="utf-8", errors=ESCAPED, newline="\n")
    return Output(StreamSink(stream, is_ours=True), str(path), reject_stream)


def _require_openable(path: Path | None) -> None:
    """Refuses a file that could not be opened to write, and leaves it as it is, or absent."""
    if path is None or str(path) == STDOUT or (path.exists() and not path.is_file()):
        return
    is_new = not path.exists()
    open_unbuffered(path).close()
    if is_new:
        path.unlink()


def _sync_folder(path: Path) -> None:
    """Makes new names durable, where a folder can be synced."""
    with suppress(OSError):
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
