"""Open an output that is a text file: begin it, resume it, or say why neither is possible."""

import bz2
import hashlib
import json
import lzma
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from stat import S_IMODE
from typing import Any, BinaryIO, NamedTuple

from satdoku.answering.output.output import (
    STDOUT,
    Output,
    Sink,
    StreamSink,
    Text,
    as_bytes,
    as_str,
    begin_rejects,
    closed_on_error,
    cut,
    open_rejects,
    refuse_without_sidecar,
    require_free,
    sidecar_of,
    sync,
    write_all,
)
from satdoku.answering.output.zst_member import ZstandardError, ZstandardMember, compress_member
from satdoku.errors import SatdokuError
from satdoku.files import AS_READ, ZSTANDARD
from satdoku.signals import signals_held

# Files of rows, which hold whole rows at any moment.
#
# A compressed file is a sequence of members, each of which can be decompressed on its own.
# Concatenated gzip members, bzip2 streams and xz streams are valid files, which every tool reads as
# one.

# A crash loses the rows of at most one second.
_SECONDS_BETWEEN_SAVES = 1.0
# Smaller members compress badly; larger ones hold more rows in memory until they are full.
RECORDS_A_MEMBER = 1000
# Bytes to read at once when a file is read back, which bounds memory; members are seldom larger.
_BYTES_AT_ONCE = 1 << 16
# A larger window would take up to 100 MB of memory, for members that are seldom so large.
_XZ_WINDOW = 1 << 20


class Codec(NamedTuple):
    """A compression. Equal input gives equal bytes, independent of the time of day."""

    compress: Callable[[bytes], bytes]
    make_decompressor: Callable[[], Any]
    error: type[Exception]


_GZIP = zlib.MAX_WBITS | 16  # window size that selects the gzip header and checksum
_XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": _XZ_WINDOW}]

_CODECS = {
    # Use zlib, because Python's gzip module writes the current time into the header.
    ".gz": Codec(
        lambda data: zlib.compress(data, level=9, wbits=_GZIP),
        lambda: zlib.decompressobj(wbits=_GZIP),
        zlib.error,
    ),
    # bz2 has no error class of its own and raises OSError.
    ".bz2": Codec(bz2.compress, bz2.BZ2Decompressor, OSError),
    ".xz": Codec(
        lambda data: lzma.compress(data, lzma.FORMAT_XZ, filters=_XZ),
        lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
        lzma.LZMAError,
    ),
    ZSTANDARD: Codec(compress_member, ZstandardMember, ZstandardError),
}


def find_codec(path: Path) -> Codec | None:
    """Return the codec for the suffix of a file; None for plain text."""
    return _CODECS.get(path.suffix)


def read_members(stream: BinaryIO, codec: Codec) -> Iterator[tuple[int, str]]:
    """Yield the text of each member and the offset behind it, up to the first incomplete member.

    A member counts only if its checksum is right: the readable part of a torn one may be wrong.
    """
    offset, data = 0, b""
    while True:
        decompressor = codec.make_decompressor()
        parts: list[bytes] = []
        while not decompressor.eof:
            data = data or stream.read(_BYTES_AT_ONCE)
            if not data:
                return
            # Catch errors of the codec only, not of reading: a disk error is not a torn member.
            try:
                parts.append(decompressor.decompress(data))
            except (codec.error, EOFError):
                return
            offset += len(data)
            data = decompressor.unused_data
        try:
            text = b"".join(parts).decode()
        except UnicodeDecodeError:
            return
        offset -= len(data)
        yield offset, text
        # The bytes read beyond this member belong to the next one.


class FileSink:
    """A plain file that is truncated to `size` and appended to; an empty one gets its opening."""

    def __init__(self, path: Path, size: int, opening: str) -> None:
        self._file = open_unbuffered(path)
        self._size = size
        try:
            self.roll_back()
            if size == 0:
                self.write(opening)
        except OSError:
            self.close()
            raise

    def write(self, text: Text, rows: int = 1) -> None:
        data = as_bytes(text)
        write_all(self._file, data)
        self._size += len(data)

    def roll_back(self) -> None:
        cut(self._file, self._size)

    def suspend(self) -> None:
        sync(self._file)

    def finish(self) -> None:
        sync(self._file)

    def close(self) -> None:
        self._file.close()


class Compressed(NamedTuple):
    """The state of a compressed file: what it contains and what is pending.

    Up to `begin` the file has full members. From `begin` to `end` it has the first `saved` of the
    `pending` rows, in smaller members that the next full member will overwrite.
    """

    begin: int
    end: int
    saved: int
    pending: list[str]


class MemberSink:
    """A compressed file in members of 1,000 rows each, so that its bytes depend on the rows alone.

    Once a second, and on an interruption, the rows of the unfinished member are saved too. The
    state changes in one assignment, so an interruption sees either the old or the new state.
    """

    def __init__(self, path: Path, codec: Codec, opening: str, state: Compressed) -> None:
        self._file = open_unbuffered(path)
        self._codec = codec
        self._opening = opening
        self._state = state
        self._last_save = time.monotonic()
        self.roll_back()

    def write(self, text: Text, rows: int = 1) -> None:
        text = as_str(text)
        if rows > 1:
            # Member boundaries must depend on the rows alone, not on how many are passed in one
            # call.
            for line in text.split("\n")[:-1]:
                self.write(f"{line}\n")
            return
        self._state.pending.append(text)
        if len(self._state.pending) >= RECORDS_A_MEMBER:
            self._complete()
        elif time.monotonic() - self._last_save > _SECONDS_BETWEEN_SAVES:
            self._save()

    def roll_back(self) -> None:
        cut(self._file, self._state.end)

    def suspend(self) -> None:
        self._save()
        sync(self._file)

    def finish(self) -> None:
        if self._state.pending or self._state.end == 0:
            self._complete()
        sync(self._file)

    def close(self) -> None:
        self._file.close()

    def _complete(self) -> None:
        """Write all pending rows as one full member, replacing the smaller ones saved before."""
        begin, _, _, pending = self._state
        # The smaller members are about to be overwritten, so from now on they do not count.
        self._state = Compressed(begin, begin, 0, pending)
        end = begin + self._put(begin, pending)
        self._state = Compressed(end, end, 0, [])

    def _save(self) -> None:
        begin, end, saved, pending = self._state
        if saved < len(pending) or end == 0:
            end += self._put(end, pending[saved:])
            self._state = Compressed(begin, end, len(pending), pending)
        self._last_save = time.monotonic()

    def _put(self, offset: int, rows: list[str]) -> int:
        opening = self._opening if offset == 0 else ""
        data = self._codec.compress((opening + "".join(rows)).encode(errors=AS_READ))
        cut(self._file, offset)
        write_all(self._file, data)
        return len(data)


def open_sink(path: Path, opening: str) -> Sink:
    """Open a file that begins with `opening`, compressed if its suffix names a codec."""
    codec = find_codec(path)
    if codec is not None:
        return MemberSink(path, codec, opening, Compressed(0, 0, 0, []))
    return FileSink(path, 0, opening)


class BesideSink:
    """A file with a temporary name, which `place` renames as soon as a row is written.

    Until then a full disk leaves an older file of the final name unchanged, and no empty file.
    """

    def __init__(self, sink: Sink, path: Path, place: Callable[[], None]) -> None:
        self._sink = sink
        self._path = path
        self._place: Callable[[], None] | None = place

    def write(self, text: Text, rows: int = 1) -> None:
        self._sink.write(text, rows)
        # The first rows of a compressed file may still be in memory.
        if self._place is not None and self._path.stat().st_size:
            self._move()

    def roll_back(self) -> None:
        self._sink.roll_back()

    def suspend(self) -> None:
        self._sink.suspend()
        self._move()

    def finish(self) -> None:
        self._sink.finish()
        self._move()

    def close(self) -> None:
        self._sink.close()
        if self._place is not None:
            self._path.unlink(missing_ok=True)
            sidecar_of(self._path).unlink(missing_ok=True)

    def _move(self) -> None:
        if self._place is not None:
            with signals_held():
                self._place()
                self._place = None


def open_unbuffered(path: Path) -> BinaryIO:
    """Open a file for reading and writing without a buffer.

    Create it if missing, never truncate.
    """
    if not path.exists():
        path.touch()
    stream: BinaryIO = path.open("r+b", buffering=0)
    return stream


# The sidecar of an unfinished output, and how much of that output can be kept.
#
# The sidecar `FILE.resume` identifies the run that writes FILE. It is created before FILE and
# deleted when the run is complete.

# Version of the sidecar's format; it is raised when the format changes.
_VERSION = 1
# Files may have gigabytes, so they are read in pieces.
_BYTES_HASHED_AT_ONCE = 1 << 20
# The parts of a large input have checksums of their own, so that several processes compute them.
_BYTES_A_PART = 1 << 26
_SUM, _SUM_OF_SUMS = "sha256", "sha256 of the sha256 of each 64 MiB"
# No run has more records, and Python refuses to parse numbers of thousands of digits.
_DIGITS_OF_A_NUMBER = 18


class Identity(NamedTuple):
    """Identity of a run: the options that change its answers, by name, and its input files.

    `usual` holds the default values: a sidecar written by a version without some option belongs to
    a run with that option's default. `jobs` processes compute the checksum of a large input.
    """

    options: Mapping[str, Any]
    inputs: Sequence[Path]
    usual: Mapping[str, Any] = {}
    jobs: int = 1

    def as_object(self, rejects: Path | None) -> dict[str, Any]:
        """Return the content of the sidecar; reads every input once for its checksum."""
        content = {
            "version": _VERSION,
            "options": dict(self.options),
            "rejects": str(rejects) if rejects else None,
            "inputs": [_fingerprint(path, self.jobs) for path in self.inputs],
        }
        # Convert to the values that reading a sidecar gives, with lists for tuples, to compare
        # both.
        plain: dict[str, Any] = json.loads(json.dumps(content, default=str))
        return plain


def write_sidecar(path: Path, content: dict[str, Any]) -> None:
    """Write the sidecar of `path` and flush it to disk."""
    with sidecar_of(path).open("wb", buffering=0) as stream:
        stream.write(json.dumps(content, indent=1).encode() + b"\n")
        sync(stream)


def read_options(path: Path) -> Mapping[str, Any]:
    """Return the options of the run that left this unfinished output; empty without a sidecar."""
    try:
        begun = _read_sidecar(path)
        options: dict[str, Any] = begun["options"]
    except (OSError, ValueError, TypeError, LookupError):
        # No error here: `require_same_run` reports a damaged sidecar.
        return {}
    return options if isinstance(options, dict) else {}


def require_same_run(path: Path, content: dict[str, Any], usual: Mapping[str, Any]) -> None:
    """Raise an error that names the differences if the output belongs to another run."""
    sidecar = sidecar_of(path)
    try:
        begun = _read_sidecar(path)
    except (OSError, ValueError):
        raise SatdokuError(f"{sidecar} cannot be read; --force begins {path} anew") from None
    if not isinstance(begun, dict) or begun.get("version") != _VERSION:
        raise SatdokuError(f"{path} was begun by another version of satdoku")
    if not _is_whole(begun):
        raise SatdokuError(f"{sidecar} is damaged; --force begins {path} anew")
    fault = _find_difference(begun, content, usual)
    if fault:
        raise SatdokuError(f"{path} cannot be resumed: {fault}; --force begins it anew")


def _read_sidecar(path: Path) -> Any:
    """Return the JSON of a sidecar, unchecked; raise ValueError if it is not JSON."""
    try:
        return json.loads(sidecar_of(path).read_text("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _is_whole(begun: dict[str, Any]) -> bool:
    """Whether the content of a sidecar has the shape that `Identity.as_object` produces."""
    # A sidecar may have been edited by hand or truncated by a full disk.
    options, inputs = begun.get("options"), begun.get("inputs")
    return (
        isinstance(options, dict)
        and isinstance(inputs, list)
        and all(isinstance(file, dict) and isinstance(file.get("path"), str) for file in inputs)
    )


def _find_difference(
    begun: dict[str, Any], content: dict[str, Any], usual: Mapping[str, Any]
) -> str:
    then, now = begun["options"], content["options"]
    for name in dict.fromkeys([*now, *then]):
        was, is_now = (options.get(name, usual.get(name)) for options in (then, now))
        # An option that is off, empty or 0 equals an option that is not given.
        if (was or None) != (is_now or None):
            return f"{name} was {_show(was)}, now it is {_show(is_now)}"
    if begun.get("rejects") != content["rejects"]:
        was, is_now = _show(begun.get("rejects")), _show(content["rejects"])
        return f"the file of rejects was {was}, now it is {is_now}"
    files, files_now = begun["inputs"], content["inputs"]
    if [file["path"] for file in files] != [file["path"] for file in files_now]:
        was, is_now = (" ".join(file["path"] for file in each) for each in (files, files_now))
        return f"the input was {was or 'empty'}, now it is {is_now or 'empty'}"
    for old, new in zip(files, files_now, strict=True):
        # Another size may also mean another kind of checksum, in the same version.
        if old.get("size") == new["size"] and old.keys() != new.keys():
            return f"another version of satdoku wrote the checksum of {new['path']}"
        if old != new:
            return f"{new['path']} has changed since"
    return ""


def _show(value: Any) -> str:
    return "not given" if value is None else str(value)


def _fingerprint(path: Path, jobs: int) -> dict[str, Any]:
    if not path.is_file():
        raise SatdokuError(f"{path} is not a regular file, so the run could not be resumed")
    size = path.stat().st_size
    try:
        if size <= _BYTES_A_PART:
            return {"path": str(path), "size": size, _SUM: _digest_of(path).hex()}
        # Imported here: small inputs need no further process.
        from satdoku.processes import map_in_children

        parts = [partial(_digest_of, path, begin) for begin in range(0, size, _BYTES_A_PART)]
        digests = b"".join(map_in_children(parts, jobs))
    except OSError as error:
        raise SatdokuError(f"{path} cannot be read: {error.strerror}") from None
    return {"path": str(path), "size": size, _SUM_OF_SUMS: hashlib.sha256(digests).hexdigest()}


def _digest_of(path: Path, begin: int = 0) -> bytes:
    """Return the checksum of a part of a file."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as stream:
        stream.seek(begin)
        rest = _BYTES_A_PART
        while block := stream.read(min(rest, _BYTES_HASHED_AT_ONCE)):
            digest.update(block)
            rest -= len(block)
    return digest.digest()


class Kept(NamedTuple):
    """Number of records answered in a plain file, and the offset behind the last one."""

    answered: int
    size: int


def find_kept_lines(path: Path, opening: str) -> Kept:
    """Count the lines of a plain output, up to one that is cut off or zeroed by a power cut."""
    expected = opening.encode(errors=AS_READ)
    with path.open("rb") as stream:
        found = stream.read(len(expected))
        if found != expected:
            return _begin_anew(path, expected, found)
        answered, size = 0, len(expected)
        position = size
        while block := stream.read(_BYTES_HASHED_AT_ONCE):
            good, zero, _ = block.partition(b"\0")
            answered += good.count(b"\n")
            if b"\n" in good:
                size = position + good.rindex(b"\n") + 1
            if zero:
                break
            position += len(block)
    return Kept(answered, size)


def find_kept_members(path: Path, codec: Codec, opening: str) -> tuple[int, Compressed]:
    """Return the number of answers in a compressed output, and the state to continue from."""
    answered = begin = end = 0
    pending: list[str] = []
    with path.open("rb") as stream:
        for offset, text in read_members(stream, codec):
            if end == 0:
                if not text.startswith(opening):
                    _refuse_opening(path)
                text = text[len(opening) :]
            rows = text.split("\n")[:-1]
            answered, end = answered + len(rows), offset
            # Smaller members were saved before the full one; the full one will overwrite them.
            if len(rows) == RECORDS_A_MEMBER:
                begin = offset
            else:
                pending += [row + "\n" for row in rows]
    return answered, Compressed(begin, end, len(pending), pending)


def read_answers(path: Path, opening: str, count: int) -> Iterator[str]:
    """Yield the first `count` answers of an output that has at least so many, with line ends."""
    codec = find_codec(path)
    with path.open("rb") as stream:
        if codec is None:
            pieces: Iterator[str] = (line.decode("utf-8", "replace") for line in stream)
        else:
            pieces = (text for _, text in read_members(stream, codec))
        lines = (line for piece in pieces for line in piece.split("\n")[:-1])
        # A table has a header of one line; JSON and plain outputs have none.
        for line in islice(lines, opening.count("\n"), opening.count("\n") + count):
            yield line + "\n"


def find_kept_rejects(stream: BinaryIO, answered: int) -> int:
    """Return the offset behind the rejects of the first `answered` records."""
    size = 0
    for line in stream:
        number, _, _ = line.partition(b"\t")
        is_number = number.isdigit() and len(number) <= _DIGITS_OF_A_NUMBER
        if not (line.endswith(b"\n") and is_number and int(number) <= answered):
            break
        size += len(line)
    return size


def _begin_anew(path: Path, expected: bytes, found: bytes) -> Kept:
    if not expected.startswith(found.rstrip(b"\0")):
        _refuse_opening(path)
    return Kept(0, 0)


def _refuse_opening(path: Path) -> None:
    raise SatdokuError(f"{path} cannot be resumed: it begins with another header")


def file_output(
    path: Path,
    opening: str = "",
    rejects: Path | None = None,
    identity: Identity | None = None,
    resume: bool = False,
    force: bool = False,
) -> Output:
    """Open an output file that begins with `opening`, compressed if its suffix says so.

    With an `identity` the run can be resumed; each row must then be one line. With `resume`, a
    missing file is begun. An existing file is replaced only with `force`.
    """
    if resume and identity is None:
        raise SatdokuError(
            "only a run that reads files and writes one line for each record can resume"
        )
    try:
        if path.exists() and not path.is_file():
            return _special_output(path, rejects, force)
        if resume and identity is not None and path.exists():
            return _continue(path, opening, rejects, identity)
        return _begin(path, opening, rejects, identity, force)
    except OSError as error:
        # The user did not ask for the sidecar, so the message names the output instead.
        is_sidecar = str(error.filename) == str(sidecar_of(path))
        place = path if is_sidecar else error.filename or path
        raise SatdokuError(f"{place} cannot be written: {error.strerror}") from None


def _begin(
    path: Path, opening: str, rejects: Path | None, identity: Identity | None, force: bool
) -> Output:
    require_free(path, force)
    require_free(rejects, force)
    content = identity.as_object(rejects) if identity is not None else None

    def begin() -> tuple[Sink, BinaryIO | None]:
        # Rejects are written before rows, so the output of a run with rejects has its final name
        # from the beginning. Windows cannot rename an open file.
        can_move = sys.platform != "win32" and os.access(path.resolve().parent, os.W_OK)
        is_beside = rejects is None and can_move
        sink = (_begin_beside if is_beside else _begin_here)(path, opening, content)
        with closed_on_error(sink):
            # Rejects are emptied after the sidecar exists: otherwise a run killed in between could
            # not be resumed.
            stream = begin_rejects(rejects)
            _sync_folder(path)
        return sink, stream

    # The first row may take hours, so report a file that cannot be written now.
    _require_openable(rejects)
    _require_openable(path)
    return Output(
        StreamSink(StringIO()),
        str(path),
        resumable=path if content is not None else None,
        begin=begin,
        takes_rejects=rejects is not None,
    )


def _begin_here(path: Path, opening: str, content: dict[str, Any] | None) -> Sink:
    # Delete the sidecar first: at no moment may an old output pass for the beginning of this one.
    sidecar_of(path).unlink(missing_ok=True)
    if path.exists():
        os.truncate(path, 0)
    if content is not None:
        write_sidecar(path, content)
    return open_sink(path, opening)


def _begin_beside(path: Path, opening: str, content: dict[str, Any] | None) -> Sink:
    # For a symbolic link, its target is replaced.
    target, sidecar = path.resolve(), sidecar_of(path)
    # The name is always the same, so that the next run overwrites what a killed run left there.
    beside = target.with_name(f".{target.name}.begun{target.suffix}")

    def place() -> None:
        if content is not None:
            write_sidecar(beside, content)
        sidecar.unlink(missing_ok=True)
        if target.exists():
            beside.chmod(S_IMODE(target.stat().st_mode))
            target.unlink()
        if content is not None:
            sidecar_of(beside).replace(sidecar)
        beside.replace(target)

    try:
        return BesideSink(open_sink(beside, opening), beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _continue(path: Path, opening: str, rejects: Path | None, identity: Identity) -> Output:
    if not sidecar_of(path).exists():
        return _finished(path, opening)
    require_same_run(path, identity.as_object(rejects), identity.usual)
    answered, sink = _continue_sink(path, opening)
    with closed_on_error(sink):
        stream = _continue_rejects(path, rejects, answered) if rejects is not None else None
    return Output(sink, str(path), stream, path, answered)


def _finished(path: Path, opening: str) -> Output:
    """Return an output that takes no rows, for a file that is complete already."""
    codec = find_codec(path)
    if codec is not None:
        answered, state = find_kept_members(path, codec, opening)
        size = state.end
    else:
        answered, size = find_kept_lines(path, opening)
    if size != path.stat().st_size:
        refuse_without_sidecar(path)  # the last line is torn
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
    """Open a device or a named pipe, which has no earlier content and cannot be resumed."""
    if path.is_dir():
        raise SatdokuError(f"{path} is a folder")
    require_free(rejects, force)
    reject_stream = begin_rejects(rejects)
    stream = path.open("w", encoding="utf-8", errors=AS_READ, newline="\n")
    return Output(StreamSink(stream, is_ours=True), str(path), reject_stream)


def _require_openable(path: Path | None) -> None:
    """Raise an error if the file cannot be opened for writing; leave it unchanged, or absent."""
    if path is None or str(path) == STDOUT or (path.exists() and not path.is_file()):
        return
    try:
        path.open("r+b", buffering=0).close()
    except FileNotFoundError:
        _require_creatable(path)


def _require_creatable(path: Path) -> None:
    """Raise an error if a file cannot be created in the folder of `path`.

    Another file is tried: if `path` were created, and left empty by a killed run, it would be a
    complete output to `--resume`.
    """
    trial = path.resolve().with_name(f".{os.getpid()}.begun")
    try:
        trial.touch()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    trial.unlink()


def _sync_folder(path: Path) -> None:
    """Flush new names in a folder to disk, where the system can sync folders."""
    with suppress(OSError):
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
