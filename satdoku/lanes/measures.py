"""Calls of the compiled library that measure boards: canonical forms, ratings, estimates.

Python code elsewhere defines and computes the same values, more slowly; callers compare the two for
one board in `ONE_IN`.
"""

from collections.abc import Callable
from ctypes import c_char
from typing import Any, NamedTuple
from zlib import crc32

from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS, ONE_IN
from satdoku.lanes.library import Library, find_library


class Forms(NamedTuple):
    """For each board its smallest or largest twin, and the number of moves that lead to it.

    The number is 0 for a board that the library leaves to the caller.
    """

    boards: bytes
    ways: "memoryview[int]"


def find_forms(boards: bytes, is_largest: bool, library: Library | None = None) -> Forms | None:
    """Return the canonical forms of boards, one byte per digit; None without the library.

    >>> found = find_forms(bytes(81), is_largest=False)
    >>> found is None or found.ways[0] == 2 * 6**8
    True
    """
    library = library or find_library()
    if library is None:
        return None
    forms, ways = bytearray(len(boards)), bytearray(4 * (len(boards) // CELLS))
    find = library.entries.canonical_find
    _in_turns(
        boards,
        lambda begin, count: find(
            *_from(boards, begin * CELLS),
            *_writable(forms, begin * CELLS),
            *_writable(ways, 4 * begin),
            *(count, is_largest),
        ),
    )
    return Forms(bytes(forms), memoryview(ways).cast("I"))


BEYOND, LEFT = 254, 255
"""Bytes in place of a rating. BEYOND: no further candidate can be refuted. LEFT: the library leaves
the puzzle to the caller, as it contradicts itself or its solution.
"""


def find_ratings(puzzles: bytes, library: Library | None = None) -> bytes | None:
    """Return a byte per puzzle, its rating; puzzles have one byte per digit. None without the
    library.
    """
    library = library or find_library()
    if library is None:
        return None
    ratings = bytearray(len(puzzles) // CELLS)
    rate, engine = library.entries.lanes_rate, library.engine
    _in_turns(
        puzzles,
        lambda begin, count: rate(
            engine, *_from(puzzles, begin * CELLS), *_writable(ratings, begin), count
        ),
    )
    return bytes(ratings)


def find_estimates(puzzles: bytes, library: Library | None = None) -> bytes | None:
    """Return ER, EP and ED of each puzzle, as three bytes in tenths; None without the library.

    A number is 0 if it needs harder steps than are supported; the first is LEFT for a puzzle that
    the library leaves to the caller.
    """
    library = library or find_library()
    if library is None:
        return None
    numbers = bytearray(3 * (len(puzzles) // CELLS))
    find = library.entries.estimate_find
    _in_turns(
        puzzles,
        lambda begin, count: find(
            *_from(puzzles, begin * CELLS), *_writable(numbers, 3 * begin), count
        ),
    )
    return bytes(numbers)


def is_sample(board: bytes) -> bool:
    """Whether a board is compared with Python code; its digits decide, the same in every run."""
    return crc32(board) % ONE_IN == 0


def require_same(board: bytes, found: object, expected: object) -> None:
    """Raise an error if the library and the Python code differ."""
    if found != expected:
        raise SatdokuError(
            f"this is a bug, please report it: the compiled library says {found} of {list(board)}, "
            f"and Python {expected}; SATDOKU_LANES=0 does without the library"
        )


def _in_turns(boards: bytes, ask: Callable[[int, int], int]) -> None:
    """Call `ask` with the index of a board and a count, until all boards are answered.

    A call takes some milliseconds; Python handles Ctrl-C in between.
    """
    count, rest = divmod(len(boards), CELLS)
    if rest:
        raise SatdokuError(
            f"boards of 9x9 have {CELLS} bytes each, so {len(boards)} bytes are no boards"
        )
    done = 0
    while done < count:
        answered = ask(done, count - done)
        if not answered:
            raise MemoryError("not enough memory for the compiled library")
        done += answered


def _from(boards: bytes, begin: int) -> tuple[bytes, int]:
    rest = boards[begin:] if begin else boards
    return rest, len(rest)


def _writable(memory: bytearray, begin: int) -> tuple[Any, int]:
    size = len(memory) - begin
    return (c_char * size).from_buffer(memory, begin), size
