"""Plain lines, one character a cell, read and written without a loop over their cells.

Accepted are only lines that every reader would read alike: 1-9 and then A-Z for digits, and a dot
or a zero for an empty cell. All other texts are left to the formats. Lines of a file are processed
in blocks, so that less is done for each of them.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from satdoku.errors import UnlikeLinesError, UnseenFileError
from satdoku.files import LONGEST_LINE, reading_errors, too_long
from satdoku.puzzle.grid import Geometry, Grid

if TYPE_CHECKING:
    from satdoku.notation.parser import Parser
    from satdoku.notation.plain_rows import TextRows
    from satdoku.notation.record import Record

# The small boards whose shape follows from the length of the line alone; 5 and 7 are prime, so that
# boxes would be rows.
_SIZE_OF_LENGTH = {size * size: size for size in (4, 6, 8, 9)}

MISTAKABLE = 64
"""A length that is ambiguous: the cells of an 8x8 board, or the candidates of a 4x4 one."""

_BLANKS = ".0"
_SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Marks a character that is neither a digit nor a blank; no small board has 255 digits.
_NO_DIGIT = 255
# Marks a line end; no small board has 254 digits either.
_LINE_END = bytes([254])


_OF_LANES = 81  # cells of the boards that the compiled library supports
_FEWEST_COMPILED = 1 << 10  # bytes; with less than this the compiled reader does not pay


class PlainBoard(NamedTuple):
    """A small board, with its digits as one byte a cell."""

    geometry: Geometry
    digits: bytes

    @property
    def grid(self) -> Grid:
        return Grid(self.geometry, tuple(self.digits))


def plain_board(text: str) -> PlainBoard | None:
    """Return the board of a text that is only the cells of a small board; None for other texts."""
    size = _SIZE_OF_LENGTH.get(len(text))
    if size is None:
        return None
    geometry = Geometry.of_size(size)
    digits = plain_lines(geometry).read(text)
    return None if digits is None else PlainBoard(geometry, digits)


def plain_line(board: PlainBoard, solution: bytes) -> str:
    """Return the line of a solution, written as `plain_board` reads it."""
    return plain_lines(board.geometry).write(solution)


class PlainLines:
    """Reader and writer of the lines of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        symbols = _SYMBOLS[: geometry.size]
        digit_of = bytearray([_NO_DIGIT]) * 256
        for blank in _BLANKS:
            digit_of[ord(blank)] = 0
        for digit, symbol in enumerate(symbols, 1):
            digit_of[ord(symbol)] = digit
        self.geometry = geometry
        self._cell_count = geometry.cell_count
        self.width = geometry.cell_count + 1
        """The bytes of a line, with its end."""
        self._digit_of = bytes(digit_of)
        self._digit_or_end = self._digit_of[:10] + _LINE_END + self._digit_of[11:]
        self._symbol_of = (_BLANKS[0] + symbols).encode("ascii").ljust(256)

    def count(self, data: bytes) -> int:
        """Return how many of these lines a text begins with, each with its line end.

        >>> PlainLines(Geometry(2, 2)).count(b"1.....2..3.....4\\n" * 2 + b"# the end\\n")
        2
        """
        width = self.width
        counted = self._count_compiled(data) if len(data) >= _FEWEST_COMPILED else None
        if counted is not None:
            return counted
        seen = data[: len(data) // width * width].translate(self._digit_or_end)
        ends = seen[self._cell_count :: width]
        count = len(ends) - len(ends.lstrip(_LINE_END))
        # Lines do not count from the first misplaced character on.
        wrong = seen.find(_NO_DIGIT, 0, count * width)
        count = count if wrong < 0 else wrong // width
        if seen.count(_LINE_END, 0, count * width) == count:
            return count
        return next(
            number
            for number in range(count)
            if seen.find(_LINE_END, number * width, (number + 1) * width - 1) >= 0
        )

    def measure(self, data: bytes, most: int) -> tuple[int, int]:
        """Return how many of these lines a text begins with, at most so many, and their bytes."""
        count = min(self.count(data), most)
        return count, count * self.width

    def _count_compiled(self, data: bytes) -> int | None:
        return _bank().count_lines(data) if self._cell_count == _OF_LANES else None

    @property
    def has_library(self) -> bool:
        """Whether the compiled library reads these lines."""
        return self._count_compiled(b"") is not None

    def read_block(self, data: bytes) -> bytes:
        """Return the boards of a text that is lines of this kind, board after board."""
        boards = self._read_compiled(data)
        return data.translate(self._digit_of, b"\n") if boards is None else bytes(boards)

    def _read_compiled(self, data: bytes) -> bytearray | None:
        """Return the boards that a text begins with, by the compiled library; None without it."""
        # Ten times as fast as the code below, which takes a quarter of the time of the easiest
        # puzzles.
        return _bank().read_lines(data) if self._cell_count == _OF_LANES else None

    def write_block(self, boards: bytes) -> str:
        """Return the lines of boards, each with its line end."""
        if self._cell_count == _OF_LANES:
            written: bytearray | None = _bank().write_lines(boards)
            if written is not None:
                return written.decode("ascii")
        text, count = boards.translate(self._symbol_of), self._cell_count
        lines = bytearray(b"\n") * (len(boards) // count * (count + 1))
        for column in range(count):
            lines[column :: count + 1] = text[column::count]
        return lines.decode("ascii")

    def read(self, line: str) -> bytes | None:
        """Return the board of a line, one byte a cell; None for any other text.

        >>> lines = PlainLines(Geometry(2, 2))
        >>> lines.read("1.....2..3.....4")[:7], lines.read("1 2 3 4"), lines.read("5" * 16)
        (b'\\x01\\x00\\x00\\x00\\x00\\x00\\x02', None, None)
        """
        if len(line) != self._cell_count or not line.isascii():
            return None
        board = line.encode("ascii").translate(self._digit_of)
        return None if _NO_DIGIT in board else board

    def write(self, board: bytes) -> str:
        """Return the line of a board."""
        return board.translate(self._symbol_of).decode("ascii")


def _bank() -> Any:
    # Imported here: a puzzle that is typed needs nothing of the compiled library.
    from satdoku.lanes import bank

    return bank


@cache
def plain_lines(geometry: Geometry) -> PlainLines:
    """Return the reader for a geometry (cached, as its tables take time to make)."""
    return PlainLines(geometry)


# The first block is small, as answers come block by block, too. With 512 lines, the work for a
# block is a hundredth of that for its puzzles; 512 of the hardest puzzles take half a second.
_FIRST_LINES, _MOST_LINES = 64, 512
# Blocks of a file that workers read are larger: this process only writes their answers. Such a
# block is as much as an answerer gets at once.
_MOST_OF_FILE = 6144
# Answers to rows of a table are longer.
_MOST_OF_TABLE = 2048
# If fewer plain lines follow each other, as between comments, looking for blocks does not pay.
_FEWEST_LINES = 16


class PlainRows(Protocol):
    """Lines, or rows of a table, that can be taken from a stream by the block."""

    @property
    def width(self) -> int:
        """Return about how many bytes a row has."""

    def measure(self, data: bytes, most: int) -> tuple[int, int]:
        """Return how many of these rows a text begins with, at most so many, and their bytes."""


class FileLines(NamedTuple):
    """Plain rows given by their place in a file, from which they are read where they are answered.

    They are `number` lines of cells, or rows of a table with a `layout`. `first` and `last` are the
    first and the last row, which show whether the file has changed.
    """

    path: str
    begin: int
    size: int
    number: int
    geometry: Geometry
    first: bytes
    last: bytes
    layout: "TextRows | None" = None

    @property
    def is_table(self) -> bool:
        """Whether the rows have other columns beside their puzzle."""
        return self.layout is not None

    def row(self, record: "Record") -> "Record":
        """Return the record of a single row with its text."""
        return record._replace(text=self.read_bytes().decode().rstrip("\r\n"))

    def parts(self, parser: "Parser") -> "Iterable[tuple[Record, int, Any]] | None":
        """Return the rows as blocks and single records, with their numbers and readers.

        None if all rows are of one block.
        """
        return None

    def read_bytes(self) -> bytes:
        """Return the rows.

        UnseenFileError if there is no such file, or if it lacks them; UnlikeLinesError if rows
        between the first and the last one are not plain.
        """
        try:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(self.begin)
                data = file.read(self.size)
        except OSError as error:
            raise UnseenFileError(f"{self.path} cannot be read: {error.strerror}") from None
        is_right = data.startswith(self.first) and data.endswith(self.last)
        if not is_right or len(data) != self.size:
            raise UnseenFileError(f"{self.path} has changed while it was read")
        plain = self.layout or plain_lines(self.geometry)
        if plain.measure(data, self.number) != (self.number, self.size):
            raise UnlikeLinesError(f"{self.path} has lines of another kind, or has changed")
        return data


class Blocks:
    """A stream of lines from which blocks of plain lines can be taken between two lines.

    `given` is the number of lines that were read one by one. With a `path`, large blocks of this
    file name the place of their lines, which their reader compares. If it `is_trusted`, nobody
    looks at these lines before.
    """

    def __init__(self, stream: BinaryIO, path: str = "", is_trusted: bool = False) -> None:
        self._stream = stream
        self._path = path
        self._is_trusted = is_trusted
        self._place = 0  # of the next byte in the stream
        # Bytes that were read for a block and not used.
        self._ahead = BytesIO()
        self._are_worth_it = True
        self._are_plain = False  # whether only plain rows were found, in a file
        self._most = _FIRST_LINES
        self.given = 0
        self._taken = 0
        # The error that ended reading; raised after all data before it was returned.
        self._fault: Exception | None = None

    def readline(self, most: int) -> bytes:
        """Return the next line, or the first `most` bytes of a longer one; empty at the end."""
        line = self._ahead.readline(most)
        if not line.endswith(b"\n") and len(line) < most:
            if self._fault is not None:
                raise self._fault
            line += self._stream.readline(most - len(line))
        self.given += bool(line)
        self._place += len(line)
        if b"\r" in line:
            # The reader splits lines at lone carriage returns too.
            self.given += line.rstrip(b"\r\n").count(b"\r")
        return line

    @property
    def may_have_rows(self) -> bool:
        """Whether there may be rows to take; False if the stream was read to its end."""
        return not self._stream.closed or self._ahead.tell() < self._ahead.getbuffer().nbytes

    def take_lines(self, plain: PlainLines) -> tuple[int, str, FileLines | None]:
        """Like `take`, but return the place of the rows in a large file instead of their text."""
        if self._is_trusted and self._are_plain and self._most >= _MOST_OF_FILE:
            if lines := self._next_lines(plain):
                return lines.number, "", lines
            self._look_again()
        # Without the library, solving takes so long that the time of reading does not matter. For a
        # short file the library is not loaded just to answer this.
        is_by_place = bool(self._path) and self._most >= _MOST_LINES and plain.has_library
        place = self._place
        count, data = self._take(plain, _MOST_OF_FILE if is_by_place else _MOST_LINES)
        if not is_by_place or count <= _MOST_LINES:
            return count, data.decode(), None
        ends = data[: plain.width], data[-plain.width :]
        return count, "", FileLines(self._path, place, len(data), count, plain.geometry, *ends)

    def take_rows(self, layout: "TextRows") -> tuple[int, str, "TextRows | FileLines"]:
        """Like `take_lines`, for rows of a table; return their layout with their text."""
        if self._is_trusted and self._are_plain and self._most >= _MOST_LINES:
            if rows := self._next_rows(layout):
                return rows.number, "", rows
            self._is_trusted = False
        return (*self.take(layout), layout)

    def _next_lines(self, plain: PlainLines) -> FileLines | None:
        """Pass over many lines and return their place; None if they may not be plain lines."""
        if self._stream.closed:
            return None
        width, place = plain.width, self._place
        rest = os.fstat(self._stream.fileno()).st_size - place
        count = min(rest // width, _MOST_OF_FILE)
        if count <= _MOST_LINES:
            return None
        first = self._read_at(place, width)
        last = self._read_at(place + (count - 1) * width, width)
        if plain.count(first + last) < 2:
            return None  # there was a line of another kind before
        self._place += count * width
        self._taken += count * width
        return FileLines(self._path, place, count * width, count, plain.geometry, first, last)

    def _next_rows(self, layout: "TextRows") -> FileLines | None:
        """Pass over many rows and return their place; None at the end of the file."""
        place, wanted = self._place, _MOST_OF_TABLE * layout.width
        data = self._ahead.read()
        if not self._stream.closed:
            data += self._read(wanted - len(data))
        end = data.rfind(b"\n") + 1
        # Rows at the end are often followed by an empty line.
        is_last = len(data) < wanted
        self._ahead = BytesIO(data if is_last else data[end:])
        if is_last or not end:
            return None
        self._place += end
        self._taken += end
        first = data[: data.find(b"\n") + 1]
        last = data[data.rfind(b"\n", 0, end - 1) + 1 : end]
        count = data.count(b"\n")
        return FileLines(self._path, place, end, count, layout.geometry, first, last, layout)

    def _look_again(self) -> None:
        """Read the rest of the stream before its lines are given out."""
        self._is_trusted = False
        if not self._stream.closed:
            self._stream.seek(self._place)
            self._ahead = BytesIO()

    def _read_at(self, place: int, size: int) -> bytes:
        # The last line of a block and the first line of the next one are in one buffer.
        try:
            self._stream.seek(place)
            return self._stream.read(size)
        except reading_errors():
            return b""  # reading line by line tells where

    def take(self, plain: PlainRows) -> tuple[int, str]:
        """Return how many plain rows follow, up to a limit, and their text; 0 if there are none."""
        count, data = self._take(plain, _MOST_LINES)
        return count, data.decode()

    def _take(self, plain: PlainRows, most: int) -> tuple[int, bytes]:
        begin = self._ahead.tell()
        ahead = self._ahead.read()
        if ahead and not self._are_worth_it:
            self._ahead.seek(begin)
            return 0, b""
        # The stream is closed if it was read to its end to detect the format.
        wanted = 0 if self._stream.closed else self._most * plain.width - len(ahead)
        data = ahead + self._read(wanted)
        count, end = plain.measure(data, self._most)
        self._are_worth_it = count >= _FEWEST_LINES
        if not self._are_worth_it:
            count = end = 0
        self._ahead = BytesIO(data[end:])
        is_all = count == self._most or (count > 0 and data.find(b"\n", end) < 0)
        self._are_plain = bool(self._path) and is_all
        self._most = min(2 * self._most, most)
        self._taken += end
        self._place += end
        return count, data if end == len(data) else data[:end]

    def _read(self, wanted: int) -> bytes:
        """Return `wanted` bytes, or fewer if the data ends or is damaged before."""
        # Read in pieces, as a single call would lose the data before the damage.
        read: Any = getattr(self._stream, "read1", self._stream.read)
        pieces: list[bytes] = []
        while wanted > 0 and self._fault is None:
            try:
                piece: bytes = read(wanted)
            except reading_errors() as error:
                self._fault = error
                break
            if not piece:
                break
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def pass_taken(self) -> int:
        """Return the number of bytes taken for blocks since the last call."""
        taken, self._taken = self._taken, 0
        return taken


# The capacity of a pipe in Linux.
_BYTES_AT_ONCE = 1 << 16


class Flow:
    """The lines of a pipe or a terminal, as they arrive; `source` names it in errors.

    `wait` is called before each wait for data, with whether a line has begun; it may raise.
    """

    def __init__(
        self,
        stream: BinaryIO,
        source: str = "",
        longest: int = LONGEST_LINE,
        wait: "Callable[[Flow, bool], object]" = lambda flow, has_begun: None,
    ) -> None:
        self._stream: Any = stream
        self._source = source
        self._longest = longest
        self._wait = wait
        self._has_line = False
        self._ahead, self._begin = b"", 0
        self.given = 0
        """Number of lines that were read one by one."""

    def __iter__(self) -> Iterator[bytes]:
        begun: list[bytes] = []
        length = 0  # of the line that has begun
        while chunk := self._read(length > 0):
            end = chunk.rfind(b"\n") + 1
            first = chunk.find(b"\n") + 1 or len(chunk)
            begun.append(chunk[:first])
            length += first
            if length > self._longest:
                raise too_long(self._source, self.given + 1, self._longest)
            if not end:
                continue
            self._ahead, self._begin = chunk[:end], first
            # Blank lines after a board may be all that arrives for a long time.
            last = len(self._ahead.rstrip())
            line = b"".join(begun)
            while line:
                self._has_line = self._begin < last
                self.given += 1
                yield line
                next_end = self._ahead.find(b"\n", self._begin) + 1
                line = self._ahead[self._begin : next_end]
                self._begin = max(self._begin, next_end)
            begun, length = [chunk[end:]], len(chunk) - end
        self._has_line = True
        if any(begun):
            self.given += 1
            yield b"".join(begun)

    @property
    def may_have_rows(self) -> bool:
        """Whether there are rows to take, which have arrived and were not read line by line."""
        return self._begin < len(self._ahead)

    def take(self, plain: PlainRows) -> tuple[int, str]:
        """Return how many plain rows have arrived, up to a limit, and their text."""
        data = self._ahead[self._begin : self._begin + _MOST_LINES * plain.width]
        count, end = plain.measure(data, _MOST_LINES)
        if count < _FEWEST_LINES:
            return 0, ""
        self._begin += end
        return count, data[:end].decode()

    def take_lines(self, plain: PlainLines) -> tuple[int, str, None]:
        """Like `take`; rows of a pipe have no place in a file."""
        return (*self.take(plain), None)

    def take_rows(self, layout: "TextRows") -> tuple[int, str, "TextRows"]:
        return (*self.take(layout), layout)

    def _read(self, has_begun: bool) -> bytes:
        self._wait(self, has_begun)
        chunk: bytes = self._stream.read1(_BYTES_AT_ONCE)
        return chunk

    def is_at_hand(self, seconds: float = 0) -> bool:
        """Whether another line, or the end, arrives within this time."""
        return self._has_line or self.is_readable(seconds)

    def is_readable(self, seconds: float | None) -> bool:
        """Whether more data, or the end, arrives within this time."""
        import select

        try:
            return bool(select.select([self._stream], [], [], seconds)[0])
        except (OSError, ValueError):
            # Windows waits for sockets only; of its consoles it tells whether a key was pressed.
            is_console = sys.platform == "win32" and self._stream.isatty()
            return not is_console or _is_key_pressed(seconds)


def _is_key_pressed(seconds: float | None) -> bool:
    """Whether a key is pressed in the console within this time."""
    keyboard: Any = import_module("msvcrt")
    begun = time.monotonic()
    while not keyboard.kbhit():
        if seconds is not None and time.monotonic() - begun >= seconds:
            return False
        time.sleep(_SECONDS_BETWEEN_KEYS)
    return True


_SECONDS_BETWEEN_KEYS = 0.01
