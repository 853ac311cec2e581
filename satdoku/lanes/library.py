"""Find, load and test the compiled library, or state why it is missing.

No fault of the library raises an error: callers then use other code, with the same answers, more
slowly.
"""

import os
from collections.abc import Iterator
from ctypes import CDLL, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("lanes.so")

VERSION = 9
"""The version that the library has to report; `entries.c` has the same number."""

_ANEW = "`pip install -e .` rebuilds it"

VARIABLE = "SATDOKU_LANES"
"""The environment variable that turns the library off, also in child processes (values: `_OFF`)."""

_OFF = ("0", "no", "off", "false")
_ON = ("", "1", "yes", "on", "true")

_BYTES = (c_char_p, c_size_t)
_MEMORY = (c_void_p, c_size_t)
# Argument and result types of each entry; by default ctypes assumes C's `int` everywhere, which
# would truncate addresses.
_ENTRIES: dict[str, tuple[tuple[Any, ...], Any]] = {
    "lanes_version": ((), c_int),
    "lanes_engine": ((c_int,), c_char_p),
    "lanes_width": ((c_int,), c_int),
    "lanes_open": ((c_int,), c_void_p),
    "lanes_close": ((c_void_p,), None),
    "lanes_work": ((c_void_p,), c_int),
    "lanes_is_wrong": ((c_void_p,), c_int),
    "lanes_ask": (
        (
            c_void_p,
            *_MEMORY,
            *_BYTES,
            *_BYTES,
            *_MEMORY,
            *_MEMORY,
            *(c_size_t,) * 2,
            *(c_uint64,) * 2,
        ),
        c_int,
    ),
    "lanes_read": ((*_BYTES, *_MEMORY), c_size_t),
    "lanes_write": ((*_BYTES, *_MEMORY), c_int),
    "lines_count": (_BYTES, c_size_t),
    "lanes_count": ((c_void_p, *_BYTES, *_MEMORY, c_uint64), c_int),
    "lanes_counted": ((c_void_p,), c_uint64),
    "lanes_delete": (
        (c_void_p, *_BYTES, *_BYTES, *_MEMORY, *_MEMORY, c_size_t, c_size_t, c_uint64),
        c_int,
    ),
    "canonical_find": ((*_BYTES, *_MEMORY, *_MEMORY, c_size_t, c_int), c_size_t),
    "estimate_find": ((*_BYTES, *_MEMORY, c_size_t), c_size_t),
    "lanes_rate": ((c_int, *_BYTES, *_MEMORY, c_size_t), c_size_t),
    "grid_draw": ((*_BYTES, *_MEMORY, *_MEMORY), c_int),
    "walk_number": ((c_int,), c_int),
    "walk_size": ((), c_size_t),
    "walk_is_sound": ((c_void_p,), c_int),
    "walk_advance": ((c_void_p, c_int64), None),
    "proof_open": ((*_BYTES, c_int, *_BYTES, c_int), c_void_p),
    "proof_advance": ((c_void_p, c_uint64), c_int),
    "proof_counted": ((c_void_p, c_int), c_int64),
    "proof_steps": ((c_void_p, *_MEMORY), c_size_t),
    "proof_close": ((c_void_p,), None),
}


class Library(NamedTuple):
    """The entries of the library, and number and title of the engine chosen for this processor."""

    entries: Any
    engine: int
    title: str
    width: int


class LibraryState(NamedTuple):
    """The library, or the reason why there is none."""

    library: Library | None
    reason: str = ""

    def __str__(self) -> str:
        if self.library is None:
            return f"compiled library: none, {self.reason}"
        kind = f"{self.library.title}, {self.library.width} boards side by side"
        return f"compiled library: {kind}" + (
            f"; older than its sources, {_ANEW}" if is_old() else ""
        )


def is_old(file: Path = FILE) -> bool:
    """Whether the library in a checkout is older than its sources.

    False in an installed package, where sources do not change and files have the times of the
    installation.
    """
    if not file.exists() or not (file.parents[2] / "setup.py").exists():
        return False
    built = file.stat().st_mtime
    return any(source.stat().st_mtime > built for source in file.parent.glob("native/*.[ch]"))


def find_library() -> Library | None:
    """Return the library, loaded on first use; None if there is none."""
    return find_state().library


def find_state() -> LibraryState:
    """Return the library, or the reason why there is none."""
    value = os.environ.get(VARIABLE, "")
    if _word(value) in _OFF:
        return LibraryState(None, f"{VARIABLE}={value} turns it off")
    return _load_once(FILE)


def fault_of_variable() -> str:
    """Return a message if the value of the environment variable is invalid, else an empty text."""
    value = os.environ.get(VARIABLE, "")
    if _word(value) in (*_OFF, *_ON):
        return ""
    return (
        f"{VARIABLE}={value!r} is neither on nor off, so the compiled library stays on; "
        f"{', '.join(_OFF)} turn it off"
    )


def _word(value: str) -> str:
    return value.strip().lower()


@cache
def _load_once(file: Path) -> LibraryState:
    return load(file)


def load(file: Path) -> LibraryState:
    """Load the library from a file, and test it."""
    try:
        if not file.exists():
            return LibraryState(None, "it was not built, usually because there was no C compiler")
        if fault := _fault_of(file):
            return LibraryState(None, f"{file} cannot be used: {fault}")
        entries = CDLL(str(file))
        # Checked first: in a library of another version, entries may be missing or have changed.
        version = entries.lanes_version()
        if version != VERSION:
            return LibraryState(None, f"{file} is of version {version} and not {VERSION}; {_ANEW}")
        for name, (arguments, result) in _ENTRIES.items():
            entry = getattr(entries, name)
            entry.argtypes, entry.restype = arguments, result
    except (OSError, AttributeError) as error:
        return LibraryState(None, f"{file} cannot be used: {_in_one_line(error)}")
    fastest = next(engines_of(entries), None)
    return LibraryState(fastest, "" if fastest else f"{file} has no code for this processor")


def engines_of(entries: Any) -> Iterator[Library]:
    """Yield the library with each engine that this processor can run, the fastest first."""
    number = 0
    while (title := entries.lanes_engine(number)) is not None:
        if title:
            yield Library(entries, number, title.decode(), entries.lanes_width(number))
        number += 1


def _fault_of(file: Path) -> str:
    """Return what is wrong with a file before it is loaded; empty if nothing is wrong.

    Opening a FIFO would wait forever. If an ELF file is truncated, the loader of Linux maps pages
    beyond its end, and the process dies of SIGBUS when it touches one; the loaders of other systems
    check the size themselves.
    """
    if not file.is_file():
        return "it is not a file"
    with file.open("rb") as stream:
        head = stream.read(_ELF_HEAD)
    size = file.stat().st_size
    whole = _size_of_elf(head) if head.startswith(b"\x7fELF") else 0
    return f"it was cut short, to {size:,} of {whole:,} bytes" if size < whole else ""


_ELF_HEAD = 64


def _size_of_elf(head: bytes) -> int:
    """Return the end of the section table, which linkers write at the end of the file."""
    if len(head) < _ELF_HEAD:
        return _ELF_HEAD
    byte_order = "<" if head[5] == 1 else ">"
    address = "Q" if head[4] == 2 else "I"
    fields = unpack_from(f"{byte_order}HHI{address * 3}IHHHHHH", head, 16)
    begin, entry, count = fields[5], fields[10], fields[11]
    return int(begin + entry * count)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())
