"""Cutting JSON text into puzzles while it streams in.

[["5", "3", ...], ...]                    one puzzle: a list of rows
[ [[5, 3, ...], ...], [[...]], ... ]      a list of puzzles
{"puzzle": ..., "name": ...}              one object a line, or printed over many lines
["53..7....", ...]                        rows, or whole puzzles, as strings
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from satdoku.notation.lists.board import LONGEST_CELL
from satdoku.notation.record import Record
from satdoku.notation.sizes import size_of_count
from satdoku.notation.symbols import MOST_SYMBOLS

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')

Position = tuple[int, int]
"""A line of the text, counted from 1, and a place in it, counted from 0."""


class _State(Enum):
    """Where in the text the scanner is."""

    OUTSIDE = "outside of all brackets"
    UNSURE = "in a list that is a puzzle, unless it turns out to hold puzzles"
    BETWEEN = "in a list of puzzles, but in none of them"
    PUZZLE = "in an object, or in a list within a list of puzzles"


class _Scanner:
    """Follows the brackets of JSON text, and knows where the current puzzle began.

    In every state the following holds:

        state     brackets that are open   _start is
        OUTSIDE   none                     None
        UNSURE    one or more              the outermost bracket
        BETWEEN   one                      None
        PUZZLE    more than _around        the bracket of the puzzle

    `_lines` are the lines from that of `_start` on; where it is None, the last of them is the
    current line. `_first` is the number of the first.
    """

    def __init__(self) -> None:
        self._state = _State.OUTSIDE
        self._depth = 0
        self._around = 0
        self._start: Position | None = None
        self._first = 0
        self._lines: list[str] = []
        # While the scanner is unsure: the first list in the outermost one, and the strings in it.
        self._inner: Position | None = None
        self._strings: list[Record] = []

    def read(self, number: int, line: str) -> Iterator[Record]:
        """The puzzles that end on this line."""
        if self._is_torn(line):
            yield self._take(self._end())
            self._state, self._depth = _State.OUTSIDE, 0
        # Most lines are whole puzzles, or none at all; no bracket of these need be followed.
        if self._state is _State.OUTSIDE and _is_no_json(line):
            if line.strip():
                yield Record(number, line)
        elif self._state is _State.OUTSIDE and _is_one_puzzle(line):
            yield Record(number, line)
        else:
            yield from self._follow_line(number, line)

    def finish(self) -> Iterator[Record]:
        """What is left at the end of the text."""
        if self._start is not None:
            yield self._take(self._end())

    def _follow_line(self, number: int, line: str) -> Iterator[Record]:
        if self._start is None:
            self._lines, self._first = [], number
        self._lines.append(line)
        for mark in _MARK.finditer(line):
            if mark[0][0] == '"':
                yield from self._follow_string(Record(number, mark[0], "", mark.start() + 1))
            elif mark[0] in "[{":
                self._open(mark[0], (number, mark.start()))
            elif self._state is not _State.OUTSIDE:
                yield from self._close((number, mark.end()))

    def _open(self, bracket: str, start: Position) -> None:
        self._depth += 1
        if self._state is _State.OUTSIDE:
            self._begin(_State.UNSURE if bracket == "[" else _State.PUZZLE, start, 0)
        elif self._state is _State.BETWEEN:
            self._begin(_State.PUZZLE, start, 1)
        elif self._state is _State.UNSURE:
            self._look_into_list(bracket, start)

    def _look_into_list(self, bracket: str, start: Position) -> None:
        """A list of objects, or of lists of lists, is a list of puzzles."""
        if self._depth == 2 and bracket == "{":
            self._begin(_State.PUZZLE, start, 1)
        elif self._depth == 2:
            self._inner = self._inner or start
        elif self._depth == 3 and bracket == "[" and self._inner is not None:
            self._begin(_State.PUZZLE, self._inner, 1)

    def _begin(self, state: _State, start: Position, around: int) -> None:
        """Be in what began at `start`, inside of `around` other brackets."""
        self._state, self._start, self._around = state, start, around
        self._lines = self._lines[start[0] - self._first :]
        self._first = start[0]

    def _close(self, end: Position) -> Iterator[Record]:
        self._depth -= 1
        if self._state is _State.PUZZLE and self._depth == self._around:
            yield self._take(end)
            self._state = _State.BETWEEN if self._around else _State.OUTSIDE
        elif self._state is _State.UNSURE and self._depth == 0:
            # As many strings as each has characters are rows; any other number of them are puzzles.
            if self._strings and len(self._strings) != _length(self._strings[0]):
                yield from self._take_strings()
            else:
                yield self._take(end)
            self._state = _State.OUTSIDE
        elif self._state is _State.BETWEEN:
            self._state = _State.OUTSIDE

    def _follow_string(self, record: Record) -> Iterator[Record]:
        """Strings are puzzles, rows or cells: by where they are, and how long they are."""
        if self._state in (_State.OUTSIDE, _State.BETWEEN):
            yield record
        elif self._state is _State.UNSURE:
            if self._inner is None:
                yield from self._add_string(record)
            elif self._depth == 2 and _length(record) > LONGEST_CELL:
                # The inner list has rows, so the outer one has puzzles.
                self._begin(_State.PUZZLE, self._inner, 1)

    def _add_string(self, record: Record) -> Iterator[Record]:
        """A string in the outermost list: a row, or a puzzle as far as its length allows.

        16 strings of 16 characters are rows of one board; once a 17th comes, or if they are longer
        than any row, they are puzzles.
        """
        self._strings.append(record)
        length = _length(self._strings[0])
        if size_of_count(length) is None:
            self._strings = []
        elif length > MOST_SYMBOLS or len(self._strings) > length:
            yield from self._take_strings()
            self._state = _State.BETWEEN

    def _take_strings(self) -> Iterator[Record]:
        yield from self._strings
        self._strings, self._start = [], None

    def _is_torn(self, line: str) -> bool:
        """Whether a puzzle begins at the left margin while another one is not finished."""
        # So an object that is cut off costs no puzzle but its own.
        if self._start is None:
            return False
        opening = self._lines[0][self._start[1] :][:2]
        if opening.startswith("{"):
            return line.startswith("{")
        return opening == "[[" and line.startswith("[[")

    def _end(self) -> Position:
        """Where the lines that were read so far end."""
        return self._first + len(self._lines) - 1, len(self._lines[-1])

    def _take(self, end: Position) -> Record:
        """The record from where the puzzle began to `end`."""
        assert self._start is not None
        (line, column), (last, stop) = self._start, end
        lines = self._lines[: last - line + 1]
        if len(lines) == 1:  # in one slice: the line may hold thousands of puzzles
            lines = [lines[0][column:stop]]
        else:
            lines = [lines[0][column:], *lines[1:-1], lines[-1][:stop]]
        self._start = self._inner = None
        self._strings = []
        return Record(line, "\n".join(lines), "", column + 1)


def _length(record: Record) -> int:
    """How many characters a string has, without its quotes."""
    return len(record.text) - len('""')


def _is_no_json(line: str) -> bool:
    """Whether a line cannot begin or end a JSON value; it is a record, whose fault is reported."""
    return not line.lstrip().startswith(("[", "{", '"', "]", ",", "}"))


def _is_one_puzzle(line: str) -> bool:
    """Whether a line is an object or a list of rows from its first to its last character."""
    if line.startswith("{") and line.endswith("}"):
        return line.count("{") == line.count("}") == 1
    if not line.startswith("[[") or not line.endswith("]]"):
        return False
    # `[["53..7....", ...], ...]` is a list of puzzles, each a list of rows.
    holds_long_string = line[2:3] == '"' and line.find('"', 3) - 3 > LONGEST_CELL
    has_one_list_of_lists = "[[" not in line[1:] and "]]" not in line[:-1] and "{" not in line
    return has_one_list_of_lists and not holds_long_string


def split_json(lines: Iterable[str]) -> Iterator[Record]:
    """The text of each puzzle, once it is complete."""
    scanner = _Scanner()
    for number, line in enumerate(lines, 1):
        yield from scanner.read(number, line)
    yield from scanner.finish()
