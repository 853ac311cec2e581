"""What lies beside an unfinished output, and how much of that output can be kept.

`FILE.resume` says of which run FILE is the output. It is there before FILE is, and goes when the
run is complete.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from satdoku.answering.output.file_sinks import (
    RECORDS_A_MEMBER,
    Codec,
    Compressed,
    find_codec,
    read_members,
)
from satdoku.answering.output.output import sidecar_of
from satdoku.answering.output.sinks import sync
from satdoku.errors import SatdokuError

# Of what stands in the file beside an output; another version would read it wrongly.
_VERSION = 1
# Outputs have gigabytes: they are read in pieces.
_BYTES_HASHED_AT_ONCE = 1 << 20
# No run has more records; Python refuses to read numbers of thousands of digits.
_DIGITS_OF_A_NUMBER = 18


class Identity(NamedTuple):
    """What a run is: the options that change its answers, by name, and the files it reads.

    `usual` is what options are where nobody gives them: a sidecar of a version that did not know an
    option yet is of a run that had the usual value.
    """

    options: Mapping[str, Any]
    inputs: Sequence[Path]
    usual: Mapping[str, Any] = {}

    def as_object(self, rejects: Path | None) -> dict[str, Any]:
        """The content of the sidecar; reads every input once for its checksum."""
        content = {
            "version": _VERSION,
            "options": dict(self.options),
            "rejects": str(rejects) if rejects else None,
            "inputs": [_fingerprint(path) for path in self.inputs],
        }
        # As it would be read from a sidecar, with lists for tuples: the two are compared.
        plain: dict[str, Any] = json.loads(json.dumps(content, default=str))
        return plain


def write_sidecar(path: Path, content: dict[str, Any]) -> None:
    """Says, durably, of which run `path` is going to be the output."""
    with sidecar_of(path).open("wb", buffering=0) as stream:
        stream.write(json.dumps(content, indent=1).encode() + b"\n")
        sync(stream)


def read_options(path: Path) -> Mapping[str, Any]:
    """The options of the run whose unfinished output this is; none where nothing tells of it."""
    try:
        begun = _read_sidecar(path)
        options: dict[str, Any] = begun["options"]
    except (OSError, ValueError, TypeError, LookupError):
        # Not told here: `require_same_run` says what is wrong with a damaged sidecar.
        return {}
    return options if isinstance(options, dict) else {}


def require_same_run(path: Path, content: dict[str, Any], usual: Mapping[str, Any]) -> None:
    """Refuses to continue the output of another run, and says what differs."""
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
    """What is written beside an output, whatever that is; ValueError where it is no JSON."""
    try:
        return json.loads(sidecar_of(path).read_text("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _is_whole(begun: dict[str, Any]) -> bool:
    """Whether the content of a sidecar has the shape that `Identity.as_object` gives it."""
    # A sidecar may have been edited by hand, or cut short by a full disk.
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
        # What is off, empty or 0 is as good as not given.
        if (was or None) != (is_now or None):
            return f"{name} was {_show(was)}, now it is {_show(is_now)}"
    if begun.get("rejects") != content["rejects"]:
        was, is_now = _show(begun.get("rejects")), _show(content["rejects"])
        return f"the file of rejects was {was}, now it is {is_now}"
    files, files_now = begun["inputs"], content["inputs"]
    if [file["path"] for file in files] != [file["path"] for file in files_now]:
        was, is_now = (" ".join(file["path"] for file in each) for each in (files, files_now))
        return f"the input was {was or 'empty'}, now it is {is_now or 'empty'}"
    changed = [new["path"] for old, new in zip(files, files_now, strict=True) if old != new]
    return f"{changed[0]} has changed since" if changed else ""


def _show(value: Any) -> str:
    return "not given" if value is None else str(value)


def _fingerprint(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise SatdokuError(f"{path} is not a regular file, so the run could not be resumed")
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BYTES_HASHED_AT_ONCE):
                digest.update(block)
    except OSError as error:
        raise SatdokuError(f"{path} cannot be read: {error.strerror}") from None
    return {"path": str(path), "size": path.stat().st_size, "sha256": digest.hexdigest()}


class Kept(NamedTuple):
    """How many records are answered in a plain file, and where the last of them ends."""

    answered: int
    size: int


def find_kept_lines(path: Path, opening: str) -> Kept:
    """What is whole in a plain output: lines that end, and no block that a power cut zeroed."""
    expected = opening.encode()
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
    """What is whole in a compressed output: the number of answers, and the state to go on from."""
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
            # Smaller members were saved before a full one could be; it will replace them.
            if len(rows) == RECORDS_A_MEMBER:
                begin = offset
            else:
                pending += [row + "\n" for row in rows]
    return answered, Compressed(begin, end, len(pending), pending)


def read_answers(path: Path, opening: str, count: int) -> Iterator[str]:
    """The first `count` answers in an output, which has so many: lines with their ends."""
    codec = find_codec(path)
    with path.open("rb") as stream:
        if codec is None:
            pieces: Iterator[str] = (line.decode("utf-8", "replace") for line in stream)
        else:
            pieces = (text for _, text in read_members(stream, codec))
        lines = (line for piece in pieces for line in piece.split("\n")[:-1])
        # A header is one line; a JSON or a plain output has none.
        for line in islice(lines, opening.count("\n"), opening.count("\n") + count):
            yield line + "\n"


def find_kept_rejects(stream: BinaryIO, answered: int) -> int:
    """Where the rejects of the first `answered` records end."""
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
