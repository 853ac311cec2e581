"""Finds the compiled library, tries it, and says why there is none.

Whatever is wrong with it, nothing is raised: those who would ask it do without, and get the same
answers later.
"""

import os
from collections.abc import Iterator
from ctypes import CDLL, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("lanes.so")

VERSION = 6
"""What the library must call itself; `entries.c` has the same number."""

_ANEW = "python setup.py build_lanes --inplace builds it anew"

VARIABLE = "SATDOKU_LANES"
"""With the value 0 in the environment, of the caller's processes too, the library is left alone."""

_BYTES = (c_char_p, c_size_t)
_MEMORY = (c_void_p, c_size_t)
# What each entry takes and gives; ctypes would take all for C's `int`, and cut addresses in half.
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
    "lanes_count": ((c_void_p, *_BYTES, *_MEMORY, c_uint64), c_int),
    "lanes_counted": ((c_void_p,), c_uint64),
    "lanes_delete": (
        (c_void_p, *_BYTES, *_BYTES, *_MEMORY, *_MEMORY, c_size_t, c_size_t, c_uint64),
        c_int,
    ),
    "grid_draw": ((*_BYTES, *_MEMORY, *_MEMORY), c_int),
    "walk_number": ((c_int,), c_int),
    "walk_size": ((), c_size_t),
    "walk_is_sound": ((c_void_p,), c_int),
    "walk_advance": ((c_void_p, c_int64), None),
}


class Library(NamedTuple):
    """The entries of the library, and the number and title of the engine for this processor."""

    entries: Any
    engine: int
    title: str
    width: int


class LibraryState(NamedTuple):
    """The library, or why there is none."""

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
    """Whether a library in a checkout was built before its sources changed.

    Elsewhere nobody changes them, and files have the times of their installation.
    """
    if not file.exists() or not (file.parents[2] / "setup.py").exists():
        return False
    built = file.stat().st_mtime
    return any(source.stat().st_mtime > built for source in file.parent.glob("native/*.[ch]"))


def find_library() -> Library | None:
    """The library, loaded when it is asked for first; None where there is none."""
    return find_state().library


def find_state() -> LibraryState:
    """The library, or why there is none."""
    if os.environ.get(VARIABLE) == "0":
        return LibraryState(None, f"{VARIABLE}=0 turns it off")
    return _load_once(FILE)


@cache
def _load_once(file: Path) -> LibraryState:
    return load(file)


def load(file: Path) -> LibraryState:
    """The library of a file."""
    try:
        if not file.exists():
            return LibraryState(None, "it was not built, as a rule for want of a C compiler")
        entries = CDLL(str(file))
        # First of all: an older library may lack the others, or mean something else by them.
        version = entries.lanes_version()
        if version != VERSION:
            return LibraryState(None, f"{file} is of version {version} and not {VERSION}; {_ANEW}")
        for name, (arguments, result) in _ENTRIES.items():
            entry = getattr(entries, name)
            entry.argtypes, entry.restype = arguments, result
    except (OSError, AttributeError) as error:
        return LibraryState(None, f"{file} cannot be used: {_in_one_line(error)}")
    fastest = next(engines_of(entries), None)
    return LibraryState(fastest, "" if fastest else f"{file} has nothing for this processor")


def engines_of(entries: Any) -> Iterator[Library]:
    """The library with each of its engines that this processor can run, the fastest first."""
    number = 0
    while (title := entries.lanes_engine(number)) is not None:
        if title:
            yield Library(entries, number, title.decode(), entries.lanes_width(number))
        number += 1


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())
