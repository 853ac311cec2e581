"""Calls of the compiled library: answer, count, delete givens, and measure many boards.

`native/judge.c` has judged every grid that is returned: each solution and, if there are several,
two different ones. Only the search of the library shows that a solution is unique, so the caller
compares some of these boards with a solver.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_char
from enum import IntEnum
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

from satdoku.errors import SatdokuError, WrongSolutionError
from satdoku.lanes.library import Library, engines_of, find_library

CELLS = 81

MOST_NODES = 5_000
"""Node limit: the number of cells chosen in a search before the board is left to a solver.

The boards of the collections take up to 323. A board without solution can take a million; a solver
needs milliseconds for it.
"""

ONE_IN = 1_000
"""One unique puzzle in this many is also answered by a solver.

That costs a microsecond per puzzle on average.
"""

NO_CELL = 255
"""Fills the rest of an order that is shorter than a board."""

MOST_BOARDS = 1 << 16
"""Most boards in one call of the library.

A single call skips unreadable boards, for a twentieth of a microsecond each. With fewer boards per
call, lanes would be idle at the end of a call more often.
"""

_DIGITS = bytes(range(10))
_DIGIT_OF = _DIGITS.ljust(256, b"\xff")


class Found(IntEnum):
    """The result for a board; `lanes.h` has the same list."""

    NONE = 0
    ONE = 1
    SEVERAL = 2
    OVER_BUDGET = 3
    UNREADABLE = 4
    WRONG = 5
    CHOSEN = 6


class Answers(NamedTuple):
    """Results: a byte of `found` per board, and space for its solution, valid only if unique."""

    found: bytearray
    solutions: bytearray


class ByteAlphabet(NamedTuple):
    """An alphabet of boards: a digit for each byte (above 9 if it is no digit), a byte for each
    digit.
    """

    digit_of: bytes = _DIGIT_OF
    text_of: bytes = _DIGITS


class Bank:
    """The memory of the library's search, for one thread. Call `close`, or leave it to Python."""

    def __init__(self, library: Library) -> None:
        self._entries = library.entries
        self._search = library.entries.lanes_open(library.engine)
        if not self._search:
            raise MemoryError("not enough memory for the compiled library")

    def answer(
        self,
        boards: bytes,
        stride: int = CELLS,
        alphabet: ByteAlphabet = ByteAlphabet(),  # noqa: B008 (nobody changes it)
        one_in: int = ONE_IN,
        most_nodes: int = MOST_NODES,
        most_boards: int = MOST_BOARDS,
    ) -> Answers:
        """Return the result for each board; boards are bytes in sequence, or lines with line feeds.

        >>> library = find_library()
        >>> two_empty_boards = bytes(162)
        >>> bytes(Bank(library).answer(two_empty_boards).found) if library else b"\\x02\\x02"
        b'\\x02\\x02'
        """
        count, rest = divmod(len(boards), stride)
        self._require(not rest)
        found, solutions = bytearray(count), bytearray(len(boards))
        for first in range(0, count, most_boards):
            number = min(most_boards, count - first)
            begin, size = first * stride, number * stride
            # Usually all boards fit into one call, and need not be copied.
            some = boards if number == count else boards[begin : begin + size]
            is_begun = self._entries.lanes_ask(
                self._search,
                *(some, size),
                *(alphabet.digit_of, len(alphabet.digit_of)),
                *(alphabet.text_of, len(alphabet.text_of)),
                *_writable(solutions, begin, size),
                *_writable(found, first, number),
                *(number, stride, most_nodes, one_in),
            )
            self._run(is_begun)
        return Answers(found, solutions)

    def counts(self, board: bytes, most: int, grids: bytearray | None = None) -> Iterator[int]:
        """Yield how many more solutions of a board were found; the board has one byte per digit.

        The sum is the number of all solutions, or `most`. Grids are written to `grids` as they are
        found, until it is full.
        """
        entries, search = self._entries, self._search
        room = _writable(bytearray() if grids is None else grids)
        self._require(entries.lanes_count(search, board, len(board), *room, most))
        counted, is_going_on = 0, True
        while is_going_on:
            is_going_on = bool(entries.lanes_work(search))
            self._require_right()
            before, counted = counted, min(entries.lanes_counted(search), most)
            yield counted - before

    def delete(
        self, puzzles: bytes, orders: bytes, enough: int = 0, most_nodes: int = MOST_NODES
    ) -> Answers:
        """Delete givens of puzzles with one solution in these orders, and return the results.

        An order is made by `order_of`. For each puzzle with the result ONE, `solutions` has the
        remaining givens, one byte per cell; other puzzles exceeded the node limit. After the first
        group that is needed, deleting stops as soon as at most `enough` givens are left.
        """
        count = len(puzzles) // CELLS
        found, left = bytearray(count), bytearray(len(puzzles))
        is_begun = self._entries.lanes_delete(
            self._search,
            *(puzzles, len(puzzles)),
            *(orders, len(orders)),
            *_writable(left),
            *_writable(found),
            *(count, enough, most_nodes),
        )
        self._run(is_begun)
        return Answers(found, left)

    def close(self) -> None:
        search, self._search = self._search, None
        self._entries.lanes_close(search)

    def __enter__(self) -> "Bank":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        # `_search` is missing or null if memory ran out in the constructor.
        if getattr(self, "_search", None):
            self.close()

    def _run(self, is_begun: int) -> None:
        self._require(is_begun)
        # Each call takes some milliseconds; Python handles Ctrl-C in between.
        while self._entries.lanes_work(self._search):
            pass
        self._require_right()

    def _require(self, is_begun: bool | int) -> None:
        if not is_begun:
            raise SatdokuError("these are no boards of 9x9 for the compiled library")

    def _require_right(self) -> None:
        if self._entries.lanes_is_wrong(self._search):
            raise WrongSolutionError(
                "this is a bug, please report it: the compiled library found a wrong grid"
            )


def order_of(groups: Sequence[Sequence[int]]) -> bytes:
    """Return groups of cells as the library reads them: it tries to delete their givens in turn.

    First all cells, then a mark at the last cell of each group.
    """
    cells = bytes(chain.from_iterable(groups))
    ends = b"\1" * len(cells)
    if len(groups) < len(cells):
        ends = b"".join([b"\1".rjust(len(group), b"\0") for group in groups])
    return cells.ljust(CELLS, bytes([NO_CELL])) + ends.ljust(CELLS, b"\0")


def draw_grid(library: Library, words: bytes, count: int) -> tuple[bytes, bytes] | None:
    """Draw a full grid and an order of the numbers below `count`, with `words` as the seed.

    They are those that `Chance` in `making/full_grid.py` draws from this seed. None if the seed is
    too long.
    """
    grid, order = bytearray(CELLS), bytearray(count)
    is_drawn = library.entries.grid_draw(*(words, len(words)), *_writable(grid), *_writable(order))
    return (bytes(grid), bytes(order)) if is_drawn else None


def read_lines(text: bytes, library: Library | None = None) -> bytearray | None:
    """Return the boards of the lines at the start of a text, each 81 digits or dots and a line end.

    Without `library`, the installed one is used; None if there is none.
    """
    library = library or find_library()
    if library is None:
        return None
    boards = bytearray(len(text) // (CELLS + 1) * CELLS)
    count = library.entries.lanes_read(text, len(text), *_writable(boards))
    del boards[count * CELLS :]
    return boards


def count_lines(text: bytes) -> int | None:
    """Return how many such lines a text starts with; None without the library."""
    library = find_library()
    return None if library is None else int(library.entries.lines_count(text, len(text)))


def write_lines(boards: bytes, library: Library | None = None) -> bytearray | None:
    """Return boards, with one byte per digit, as such lines, with dots for 0."""
    library = library or find_library()
    if library is None:
        return None
    lines = bytearray(len(boards) // CELLS * (CELLS + 1))
    if not library.entries.lanes_write(boards, len(boards), *_writable(lines)):
        raise SatdokuError("these are no boards of 9x9 for the compiled library")
    return lines


_kept = threading.local()


def own_bank(is_for_one: bool = False) -> Bank | None:
    """Return the bank of this thread, kept for further boards; None without the library.

    `is_for_one` chooses the narrowest vectors, which are fastest for one board at a time, as they
    have the fewest idle lanes.
    """
    library = find_library()
    if library is None:
        return None
    banks: dict[str, Bank] = _kept.__dict__
    name = "narrow" if is_for_one else "wide"
    bank = banks.get(name)
    if bank is None:
        if is_for_one:
            *_, library = engines_of(library.entries)
        bank = banks[name] = Bank(library)
    return bank


def _writable(memory: bytearray, begin: int = 0, size: int | None = None) -> tuple[Any, int]:
    size = len(memory) - begin if size is None else size
    return (c_char * size).from_buffer(memory, begin), size


# Calls of the compiled library that measure boards: canonical forms, ratings, estimates
#
# Python code elsewhere defines and computes the same values, more slowly; callers compare the two
# for one board in `ONE_IN`.


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
