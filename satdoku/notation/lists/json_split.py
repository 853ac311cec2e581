"""Cutting JSON text into puzzles while it streams in.

[["5", "3", ...], ...]                    one puzzle: a list of rows
[ [[5, 3, ...], ...], [[...]], ... ]      a list of puzzles
{"puzzle": ..., "name": ...}              one object a line, or printed over many lines
["53..7....", ...]                        rows, or whole puzzles, as strings
"""

import re
from collections.abc import Iterable, Iterator

from satdoku.notation.digits import size_of_count
from satdoku.notation.record import Record

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_LONGEST_ROW = 36
_LONGEST_CELL = 3

Place = tuple[int, int]


class _Scanner:
    """Follows the brackets of JSON text, and knows where the current puzzle began."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._lines: list[str] = []
        self._first = 0
        self._depth = 0
        self._is_list_of_puzzles = False
        self._start: Place | None = None
        self._second: Place | None = None
        self._strings: list[Record] = []

    def read(self, number: int, line: str) -> Iterator[Record]:
        """The puzzles that end on this line."""
        if self._is_torn(line):
            yield self._take((number - 1, len(self._lines[-1])))
            self._reset()
        if not self._depth and not line.lstrip().startswith(("[", "{", '"', "]", ",", "}")):
            yield from [Record(number, line)] * bool(line.strip())
            return
        if not self._depth and not self._is_list_of_puzzles and _is_one_puzzle(line):
            yield Record(number, line)
            return
        if self._start is None:
            self._lines, self._first = [], number
        self._lines.append(line)
        for mark in _MARK.finditer(line):
            yield from self._follow(mark[0], (number, mark.start()), (number, mark.end()))

    def finish(self) -> Iterator[Record]:
        """What is left at the end of the text."""
        if self._start is not None:
            yield self._take((self._first + len(self._lines) - 1, len(self._lines[-1])))

    def _follow(self, mark: str, start: Place, end: Place) -> Iterator[Record]:
        if mark[0] == '"':
            yield from self._follow_string(mark, start, end)
        elif mark in "[{":
            self._open(mark, start)
        elif self._depth:
            yield from self._close(end)

    def _open(self, mark: str, start: Place) -> None:
        self._depth += 1
        if self._depth == 1 and not self._is_list_of_puzzles:
            self._start = start
        elif self._depth == 2 and (self._is_list_of_puzzles or self._is_list_of(mark)):
            self._is_list_of_puzzles, self._start = True, start
        elif self._depth == 2 and self._second is None:
            self._second = start
        elif self._depth == 3 and self._second and mark == "[" and self._is_list_of(mark):
            self._is_list_of_puzzles, self._start = True, self._second

    def _is_list_of(self, mark: str) -> bool:
        """Whether the outermost bracket is a list that now turns out to hold puzzles."""
        if self._start is None or self._is_list_of_puzzles:
            return False
        outer = self._lines[self._start[0] - self._first][self._start[1]]
        return outer == "[" and (mark == "{" or self._depth == 3)

    def _close(self, end: Place) -> Iterator[Record]:
        self._depth -= 1
        if self._depth == 1 and self._is_list_of_puzzles and self._start is not None:
            yield self._take(end)
        elif self._depth == 0:
            if self._strings and len(self._strings) != len(self._strings[0].text) - 2:
                yield from self._strings
            elif self._start is not None:
                yield self._take(end)
            self._reset_between()

    def _reset_between(self) -> None:
        lines, first = self._lines, self._first
        self._reset()
        self._lines, self._first = lines[-1:], first + len(lines) - 1

    def _follow_string(self, mark: str, start: Place, end: Place) -> Iterator[Record]:
        record = Record(start[0], mark, "", start[1] + 1)
        if self._depth == 0 or (self._depth == 1 and self._is_list_of_puzzles):
            yield record
        elif self._depth == 2 and self._holds_rows(mark):
            self._is_list_of_puzzles, self._start, self._second = True, self._second, None
        elif self._depth == 1 and self._second is None and self._is_outer_list():
            self._strings.append(record)
            cell_count = len(self._strings[0].text) - 2
            if size_of_count(cell_count) is None:
                self._strings = []
            elif cell_count > _LONGEST_ROW or len(self._strings) > cell_count:
                yield from self._strings
                self._strings, self._start, self._is_list_of_puzzles = [], None, True

    def _holds_rows(self, mark: str) -> bool:
        """Whether the inner list turns out to hold strings of rows, so that it is a puzzle."""
        return bool(self._second) and self._is_outer_list() and len(mark) > _LONGEST_CELL + 2

    def _is_outer_list(self) -> bool:
        if self._start is None:
            return False
        return self._lines[self._start[0] - self._first][self._start[1]] == "["

    def _is_torn(self, line: str) -> bool:
        """Whether a puzzle begins at the left margin while another one is not finished."""
        if self._start is None or not self._lines:
            return False
        opening = self._lines[self._start[0] - self._first][self._start[1] :][:2]
        is_object = opening.startswith("{")
        return line.startswith("{") if is_object else opening == "[[" and line.startswith("[[")

    def _take(self, end: Place) -> Record:
        """The record from where the puzzle began to `end`."""
        assert self._start is not None
        (line, column), (last, stop) = self._start, end
        lines = self._lines[line - self._first : last - self._first + 1]
        if len(lines) == 1:  # in one slice: the line may hold thousands of puzzles
            lines = [lines[0][column:stop]]
        else:
            lines = [lines[0][column:], *lines[1:-1], lines[-1][:stop]]
        self._start = self._second = None
        return Record(line, "\n".join(lines), "", column + 1)


def _is_one_puzzle(line: str) -> bool:
    """Whether a line is an object or a list of rows from its first to its last character."""
    if line.startswith("{") and line.endswith("}"):
        return line.count("{") == line.count("}") == 1
    if not line.startswith("[[") or not line.endswith("]]"):
        return False
    holds_long_string = line[2:3] == '"' and line.find('"', 3) - 3 > _LONGEST_CELL
    has_one_list_of_lists = "[[" not in line[1:] and "]]" not in line[:-1] and "{" not in line
    return has_one_list_of_lists and not holds_long_string


def split_json(lines: Iterable[str]) -> Iterator[Record]:
    """The text of each puzzle, once it is complete."""
    scanner = _Scanner()
    for number, line in enumerate(lines, 1):
        yield from scanner.read(number, line)
    yield from scanner.finish()
