"""JSON: lists of rows, strings, or objects with a puzzle among other entries."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.errors import FormatError, SatdokuError, SolutionError, count_of, quote
from satdoku.notation.bounds import require_few_cells
from satdoku.notation.cells import (
    find_cells,
    grid_of_cells,
    read_cells,
    read_row,
    spelling_of_line,
)
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import (
    agreed,
    is_foreign,
    is_link,
    puzzle_of_link,
    unread_of_link,
)
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.record import (
    PUZZLE_NAMES,
    Place,
    PlaceOf,
    Record,
    find_name,
    free_name,
    with_place,
)
from satdoku.notation.rule_entries import (
    RULE_KEYS,
    VARIANT_COLUMNS,
    publication_entries,
    read_publication,
    refuse_rules_beside,
    regions_size,
    says_more,
    variants_applied,
    with_chosen_rules,
    with_digits,
    with_rule_entries,
    write_rule_entries,
)
from satdoku.notation.spelling import (
    MOST_SYMBOLS,
    NUMBERS,
    ZEROS,
    Spelling,
    agreed_geometry,
    cells_beside,
    decide_geometry,
    has_boxes,
    is_blank,
    read_digits,
    row_fault,
    size_of_count,
    spelling_by_symbols,
    spelling_of,
    split_every,
    write_cells,
    write_rows,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import UNPUBLISHED, Puzzle
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.notation.exchange.foreign import ForeignBoard
    from satdoku.notation.plain_rows import TextRows


# Boards as lists: rows of numbers, strings or None (as on LeetCode), and arrays.
#
# numpy, pandas and polars are not imported. Iterating over a frame yields column names in pandas,
# and columns in polars, which would transpose the board. So each library is asked for rows by its
# own method.

LONGEST_CELL = 3
"""Longest string for a cell, as numbers have up to three digits; a longer string is a row."""

_SYMBOL_OF = {str(number): symbol for number, symbol in enumerate(ZEROS.symbols(MOST_SYMBOLS))}
_NUMBER_OF = {symbol: int(number) for number, symbol in _SYMBOL_OF.items()}


def read_lists(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> Grid:
    """Return the board of a list of rows, or of a flat list of all cells."""
    if hints.geometry is not None and not hints.geometry.is_plain:
        return _read_any_lists(rows, hints.geometry, hints, place_of, source)
    try:
        size = _size_of_flat(rows, hints) or _size_of_rows(rows, hints, place_of, source)
        geometry = decide_geometry(size, hints.geometry)
    except FormatError as error:
        raise with_place(error, source, place_of(0)) from None
    cells, alphabet = list_cells(rows, size), hints.alphabet
    # `isinstance` would accept True as a number.
    if all(cell is None or type(cell) is int for cell in _values(rows)):
        if alphabet is not None and alphabet.is_counted:
            # With digits from 0 on, the number 12 is the symbol C.
            cells = [_SYMBOL_OF.get(cell, cell) for cell in cells]
        else:
            # Numbers are read as numbers, even if the user says that digits are letters.
            alphabet = NUMBERS
    return Grid(geometry, read_digits(cells, size, alphabet, place_of, source))


def _read_any_lists(
    rows: Sequence[object], board: Geometry, hints: Hints, place_of: PlaceOf, source: str
) -> Grid:
    """Return a board of any shape: a list for each row, with null for holes."""
    texts = ["."] * board.cell_count
    if len(rows) != board.height:
        message = f"{count_of(len(rows), 'row')} found, expected {board.height}"
        raise FormatError(message, source, *place_of(0))
    for number, row in enumerate(rows):
        cells = list(row) if isinstance(row, list | tuple | str) else []
        if len(cells) != board.width:
            message = row_fault(number + 1, len(cells), board.width)
            raise FormatError(message, source, *place_of(0))
        for column, inside in enumerate(cells):
            cell = board.cell_at(number, column)
            if cell is not None:
                texts[cell] = _cell_text(inside)
            elif inside not in (None, " ", "", 0, "."):
                message = f"{quote(str(inside))} is in r{number + 1}c{column + 1}, a hole"
                raise FormatError(message, source, *place_of(0))
    return grid_of_cells(texts, board, hints, lambda _: place_of(0), source)


def lists_of_board(grid: Grid, spelling: Spelling) -> list[object]:
    """Return the rows of a board of any shape: numbers or signs, and null for holes."""
    board = grid.geometry
    is_counted = spelling.alphabet is not None and spelling.alphabet.is_counted
    texts: Sequence[object] = spelling.texts(grid) if is_counted else grid.digits
    rows = []
    for row in range(board.height):
        cells = [board.cell_at(row, column) for column in range(board.width)]
        rows.append([None if cell is None else texts[cell] for cell in cells])
    return list[object](rows)


def with_cells_beside(grid: Grid, value: object, hints: Hints) -> Grid:
    """Return a grid with the digits of an entry `beside`: `{"VS1": 4}`."""
    entry = value.get("beside") if isinstance(value, dict) else None
    if not entry:
        return grid
    if not isinstance(entry, dict):
        raise SatdokuError("the entry 'beside' must be an object such as {\"VS1\": 4}")
    board, lowest = grid.geometry, 1
    if hints.alphabet is not None and hints.alphabet.is_counted:
        lowest = int(hints.alphabet.symbols(board.size)[0])
    digits = {}
    for name, digit in entry.items():
        cell = board.cell_named(str(name))
        if cell is None:
            raise SatdokuError(f"{quote(str(name), 20)} is no cell beside this board")
        highest = lowest + board.size - 1
        if type(digit) is not int or not lowest <= digit <= highest:
            raise SatdokuError(f"{quote(str(digit))} at {name} is not a digit {lowest}-{highest}")
        digits[cell] = digit - lowest + 1
    return grid.with_digits(digits)


def write_lists(cells: Sequence[object], solution: Grid, spelling: Spelling) -> list[object]:
    """Return a solution in the form of its puzzle's list: flat or rows, numbers or strings."""
    size = solution.geometry.size
    is_flat = len(cells) != size
    texts = spelling.texts(solution)
    if not is_flat and all(isinstance(row, str) for row in cells):
        return [spelling.separator(size).join(row) for row in split_every(texts, size)]
    found: Sequence[object] = solution.digits
    if _has_strings(_values(cells)):
        found = texts
    elif spelling.alphabet is not None and spelling.alphabet.is_counted:
        found = [_NUMBER_OF[text] for text in texts]
    return list(found) if is_flat else [list(row) for row in split_every(found, size)]


def list_cells(rows: Sequence[object], size: int) -> list[str]:
    """Return the texts of all cells of a board, row by row; an empty cell is a dot."""
    if len(rows) != size:
        return list(map(_cell_text, rows))
    return [cell for row in rows for cell in _row_cells(row, size)]


def _row_cells(row: object, size: int) -> Sequence[str]:
    if isinstance(row, str):
        return read_row(row).cells(size) or list(row)
    return [_cell_text(cell) for cell in _values([row])]


def _cell_text(cell: object) -> str:
    # False means no digit, as null does; True is no digit and is left to fail.
    if cell is None or cell is False:
        return "."
    return str(cell).strip() or "."


def _values(rows: Sequence[object]) -> list[object]:
    """Return the values of the list; a row that is a string is one value."""
    return [cell for row in rows for cell in (row if isinstance(row, list | tuple) else [row])]


def _has_strings(values: Sequence[object]) -> bool:
    """Whether digits are strings: some value is one, or all values if there are only blanks.

    Boards of numbers may have strings for blanks, as in `[5, ".", 3]`.
    """
    strings = [value for value in values if isinstance(value, str)]
    return len(strings) == len(values) or not all(map(is_blank, strings))


def _size_of_flat(rows: Sequence[object], hints: Hints) -> int | None:
    """Return the size of the board if the list is flat; None for other lists."""
    has_rows = any(
        isinstance(row, list | tuple) or (isinstance(row, str) and len(row) > LONGEST_CELL)
        for row in rows
    )
    return None if has_rows else size_of_count(len(rows), hints.size)


def _likely_size(rows: Sequence[object]) -> int:
    """Return the number of rows or, if no row has that length, the most frequent length.

    The most frequent length counts only if a board of that size has boxes.
    """
    lists = [row for row in rows if isinstance(row, list | tuple | str)]
    counts = Counter(len(_row_cells(row, len(rows))) for row in lists)
    usual = counts.most_common(1)[0][0] if counts else 0
    return usual if len(rows) not in counts and has_boxes(usual) else len(rows)


def _size_of_rows(rows: Sequence[object], hints: Hints, place_of: PlaceOf, source: str) -> int:
    """Return the size of the board by the numbers of rows and of cells in each row."""
    size = hints.size or _likely_size(rows)
    cells_before = 0
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list | tuple | str):
            message = f"{quote(str(row))} is not a row of {size} cells"
            raise FormatError(message, source, *place_of(cells_before))
        count = len(_row_cells(row, size))
        if count != size:
            raise FormatError(row_fault(number, count, size), source, *place_of(cells_before))
        cells_before += count
    if len(rows) != size or not rows:
        message = f"{count_of(len(rows), 'row')} found, expected {size or 'some'}"
        raise FormatError(message, source, *place_of(0))
    return size


def rows_of(value: Any) -> Any:
    """Return the rows of an array or frame, and of a list with floats; other values unchanged.

    A table of an unknown library is refused, as it may give columns instead of rows.
    """
    library = type(value).__module__.partition(".")[0]
    if library == "polars":
        found = value.rows() if hasattr(value, "rows") else value.to_list()
    elif library == "pandas":
        found = value.to_numpy().tolist()
    elif library == "numpy":
        found = value.tolist()
    elif hasattr(value, "columns"):
        kind = f"{library}.{type(value).__name__}"
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", "puzzle")
    elif isinstance(value, list | tuple) and _has_floats(value):
        found = value  # such as `tolist` of a frame gives
    else:
        return value
    return _with_plain_cells(found)


def _has_floats(rows: Iterable[Any]) -> bool:
    cells = chain.from_iterable(row if isinstance(row, list | tuple) else (row,) for row in rows)
    return any(isinstance(cell, float) for cell in cells)


def _with_plain_cells(value: Any) -> Any:
    """Return the lists with whole floats as integers and missing values as None.

    In pandas, a column with missing cells is one of floats: 5 becomes 5.0, an empty cell NaN.
    """
    if isinstance(value, list | tuple):
        return [_with_plain_cells(each) for each in value]
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value
    return None if type(value).__name__ in ("NAType", "NaTType") else value


# Entries of JSON objects, by the names that users and data sets give them, and their places.
#
# Places are computed only to report a fault.

# A message lists at most this many keys; most data sets have fewer.
_MOST_KEYS = 12


def puzzle_key(value: object, hints: Hints) -> str:
    """Return the key of the puzzle in an object; empty if the value is no object.

    It is the key that the user chose, or else the first of the usual names.
    """
    if hints.column is not None:
        return _chosen_key(value, hints.column, "--column")
    if not isinstance(value, dict):
        return ""
    keys = (find_name(value, name) for name in PUZZLE_NAMES)
    key = next((key for key in keys if key is not None), None)
    if key is None:
        name, found = PUZZLE_NAMES[0], _keys_of(value)
        raise FormatError(f"this object has no {name!r}, {found}; --column names it")
    return key


def solution_key(value: object, hints: Hints) -> str | None:
    """Return the key of the known solution; None if there is none, or if none is to be compared."""
    if hints.solution_column is None:
        return None
    return _chosen_key(value, hints.solution_column, "--solution-column")


def _chosen_key(value: object, name: str, option: str) -> str:
    """Return the key of that name; a SatdokuError if the record lacks it."""
    if not isinstance(value, dict):
        raise FormatError(f"{option} names a key of an object, and this is none")
    key = find_name(value, name.strip())
    if key is not None:
        return key
    # Keys of nested objects, with dots between them.
    first, dot, rest = name.strip().partition(".")
    outer = find_name(value, first)
    if not dot or outer is None:
        raise FormatError(f"this object has no {first!r}, {_keys_of(value)}")
    return f"{outer}.{_chosen_key(value[outer], rest, option)}"


def cells_at(value: object, key: str) -> object:
    """Return the value at a key that was found in an object; the value itself if it is no object.

    >>> cells_at({"data": {"puzzle": "1..."}}, "data.puzzle")
    '1...'
    """
    while isinstance(value, dict):
        if key in value:
            return value[key]
        first, _, key = key.partition(".")
        value = value[first]
    return value


def around(value: object, key: str) -> object:
    """Return the entries beside the cells at a key, from all enclosing objects."""
    if not isinstance(value, dict) or key in value:
        return value
    first, _, rest = key.partition(".")
    inner = around(value[first], rest)
    return {**value, **inner} if isinstance(inner, dict) else value


def _keys_of(value: dict[str, object]) -> str:
    keys = ", ".join(map(quote, list(value)[:_MOST_KEYS]))
    return f"only {keys}" if keys else "as it is empty"


_SCALAR = r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+'


class JsonPlaces:
    """The places of a list's cells in its text; `key` is the list's key in an object, or empty."""

    def __init__(self, record: Record, key: str, rows: Sequence[object]) -> None:
        self._record = record
        self._key = key
        self._has_strings = bool(rows) and isinstance(rows[0], str)

    def __call__(self, cell: int) -> Place:
        """Return the place of a cell; the end of the text if the list has fewer cells."""
        for start, count in self._cells():
            if cell < count:
                return self._place(start + cell)
            cell -= count
        return self._place(len(self._record.text.rstrip()) - 1)

    def _cells(self) -> Iterator[tuple[int, int]]:
        """Yield where cells begin in the text, and how many follow there side by side."""
        text = self._record.text
        key = re.search(rf'"{re.escape(self._key)}"\s*:', text) if self._key else None
        # The search begins at the key, as earlier keys of the object would be taken for cells.
        for scalar in re.compile(_SCALAR).finditer(text, key.end() if key else 0):
            length = len(scalar[0]) - len('""')
            if self._has_strings and length > 1:
                yield scalar.start() + 1, length
            else:
                yield scalar.start(), 1

    def _place(self, index: int) -> Place:
        text = self._record.text
        above = text.count("\n", 0, index)
        column = index - text.rfind("\n", 0, index)
        return self._record.line + above, column + (0 if above else self._record.column - 1)


# Split JSON text into puzzles while it is read.
#
#     [["5", "3", ...], ...]                    one puzzle: a list of rows
#     [ [[5, 3, ...], ...], [[...]], ... ]      a list of puzzles
#     {"puzzle": ..., "name": ...}              an object on one line, or on many
#     ["53..7....", ...]                        rows, or whole puzzles, as strings

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')

Position = tuple[int, int]
"""A line of the text, counted from 1, and an offset in it, counted from 0."""


class _State(Enum):
    """The position of the scanner relative to puzzles."""

    OUTSIDE = "outside of all brackets"
    UNSURE = "in a list that is a puzzle, unless it turns out to hold puzzles"
    BETWEEN = "in a list of puzzles, but in none of them"
    PUZZLE = "in an object, or in a list within a list of puzzles"


class _Scanner:
    """A scanner of the brackets in JSON text that tracks where the current puzzle began.

    The invariant of each state:

        state     brackets that are open   _start is
        OUTSIDE   none                     None
        UNSURE    one or more              the outermost bracket
        BETWEEN   one                      None
        PUZZLE    more than _around        the bracket of the puzzle

    `_lines` are the lines from `_start` on; if `_start` is None, the last one is the current line.
    `_first` is the number of the first line in `_lines`.
    """

    def __init__(self) -> None:
        self._state = _State.OUTSIDE
        self._depth = 0
        self._around = 0
        self._start: Position | None = None
        self._first = 0
        self._lines: list[str] = []
        # In state UNSURE: the first list in the outermost one, and the strings in it.
        self._inner: Position | None = None
        self._strings: list[Record] = []

    def read(self, number: int, line: str) -> Iterator[Record]:
        """Yield the puzzles that end on this line."""
        if self._is_torn(line):
            yield self._take(self._end())
            self._state, self._depth = _State.OUTSIDE, 0
        # Fast path: most lines are one puzzle or none, so that their brackets need not be followed.
        if self._state is _State.OUTSIDE and _is_no_json(line):
            if line.strip():
                yield Record(number, line)
        elif self._state is _State.OUTSIDE and _is_one_puzzle(line):
            yield Record(number, line)
        else:
            yield from self._follow_line(number, line)

    def finish(self) -> Iterator[Record]:
        """Yield the records that are left at the end of the text."""
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
        """Decide whether a list has puzzles: a list of objects, or of lists of lists, does."""
        if self._depth == 2 and bracket == "{":
            self._begin(_State.PUZZLE, start, 1)
        elif self._depth == 2:
            self._inner = self._inner or start
        elif self._depth == 3 and bracket == "[" and self._inner is not None:
            self._begin(_State.PUZZLE, self._inner, 1)

    def _begin(self, state: _State, start: Position, around: int) -> None:
        """Enter a state for a value that began at `start` and is inside `around` other brackets."""
        self._state, self._start, self._around = state, start, around
        self._lines = self._lines[start[0] - self._first :]
        self._first = start[0]

    def _close(self, end: Position) -> Iterator[Record]:
        self._depth -= 1
        if self._state is _State.PUZZLE and self._depth == self._around:
            yield self._take(end)
            self._state = _State.BETWEEN if self._around else _State.OUTSIDE
        elif self._state is _State.UNSURE and self._depth == 0:
            # Strings are rows if each has as many characters as there are strings, and puzzles
            # otherwise.
            if self._strings and len(self._strings) != _length(self._strings[0]):
                yield from self._take_strings()
            else:
                yield self._take(end)
            self._state = _State.OUTSIDE
        elif self._state is _State.BETWEEN:
            self._state = _State.OUTSIDE

    def _follow_string(self, record: Record) -> Iterator[Record]:
        """Decide by place and length whether a string is a puzzle, a row or a cell."""
        if self._state in (_State.OUTSIDE, _State.BETWEEN):
            yield record
        elif self._state is _State.UNSURE:
            if self._inner is None:
                yield from self._add_string(record)
            elif self._depth == 2 and _length(record) > LONGEST_CELL:
                # The inner list has rows, so the outer list has puzzles.
                self._begin(_State.PUZZLE, self._inner, 1)

    def _add_string(self, record: Record) -> Iterator[Record]:
        """Add a string of the outermost list: a row, or a puzzle, as its length allows.

        16 strings of 16 characters are rows of one board; a 17th string, or strings longer than any
        row, are puzzles.
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
        """Whether a new puzzle begins at the left margin while another one is not finished."""
        # A truncated object then costs no other puzzle.
        if self._start is None:
            return False
        opening = self._lines[0][self._start[1] :][:2]
        if opening.startswith("{"):
            return line.startswith("{")
        return opening == "[[" and line.startswith("[[")

    def _end(self) -> Position:
        """Return the end of the lines that were read so far."""
        return self._first + len(self._lines) - 1, len(self._lines[-1])

    def _take(self, end: Position) -> Record:
        """Return the record from the beginning of the puzzle to `end`."""
        assert self._start is not None
        (line, column), (last, stop) = self._start, end
        lines = self._lines[: last - line + 1]
        if len(lines) == 1:  # one slice, as the line may hold thousands of puzzles
            lines = [lines[0][column:stop]]
        else:
            lines = [lines[0][column:], *lines[1:-1], lines[-1][:stop]]
        self._start = self._inner = None
        self._strings = []
        return Record(line, "\n".join(lines), "", column + 1)


def _length(record: Record) -> int:
    """Return the number of characters of a string, without its quotes."""
    return len(record.text) - len('""')


def _is_no_json(line: str) -> bool:
    """Whether a line cannot begin or end a JSON value; it becomes a record with a fault."""
    return not line.lstrip().startswith(("[", "{", '"', "]", ",", "}"))


def _is_one_puzzle(line: str) -> bool:
    """Whether a line is one object or one list of rows, from its first to its last character."""
    if line.startswith("{") and line.endswith("}"):
        return line.count("{") == line.count("}") == 1
    if not line.startswith("[[") or not line.endswith("]]"):
        return False
    # `[["53..7....", ...], ...]` is a list of puzzles, each a list of rows.
    holds_long_string = line[2:3] == '"' and line.find('"', 3) - 3 > LONGEST_CELL
    has_one_list_of_lists = "[[" not in line[1:] and "]]" not in line[:-1] and "{" not in line
    return has_one_list_of_lists and not holds_long_string


def split_json(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the text of each puzzle as soon as it is complete."""
    scanner = _Scanner()
    for number, line in enumerate(lines, 1):
        yield from scanner.read(number, line)
    yield from scanner.finish()


# A bracket followed by a word is a section such as `[Puzzle]`, or prose, and not a list.
_WORD_IN_BRACKETS = r"\[\s*(?!null\b)[A-Za-z]"


class JsonFormat(Format):
    """A JSON value for each puzzle, written as rows, or as an object if it has more than cells."""

    name: ClassVar[str] = "json"
    description: ClassVar[str] = "a list of rows, or an object with puzzle, name, comment, box"
    is_linewise: ClassVar[bool] = True
    has_fields: ClassVar[bool] = True
    has_long_records: ClassVar[bool] = True
    takes_any_board: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        text = head.first.text.lstrip()
        return text[0] in "[{" and not re.match(_WORD_IN_BRACKETS, text)

    def is_unmistakable(self, head: Head) -> bool:
        """Whether the first line is an object whose puzzle is null, so that none is looked for."""
        names = "|".join([*PUZZLE_NAMES, *map(re.escape, filter(None, [head.hints.column]))])
        is_null = rf'(?i)\s*{{.*"(?:{names})"\s*:\s*(?:null|"\s*").*}}\s*'
        return re.fullmatch(is_null, head.first.text) is not None

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_json(lines)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        value = _load(record, source)
        place = record.line, record.column
        if is_foreign(value):
            return _read_foreign(value, hints, source, place)
        try:
            key = puzzle_key(value, hints)
            beside = self._beside(value, key, hints)
            hints = self._with_shape(hints, beside)
        except SatdokuError as error:
            raise with_place(error, source, place) from None
        named = _text_of(beside, "name"), _text_of(beside, "comment")
        try:
            if (link := _link_in(cells_at(value, key))) is not None:
                # The place of the link within the object is not known.
                puzzle = puzzle_of_link(link, source, (0, 0), hints, *named)
            else:
                puzzle = Puzzle(_read_grid(value, key, record, hints, source), *named)
            if not puzzle.geometry.is_plain:
                puzzle = puzzle.with_grid(with_cells_beside(puzzle.grid, beside, hints))
            if isinstance(beside, dict):
                refuse_rules_beside(beside, RULE_KEYS)
                if puzzle.publication is UNPUBLISHED:
                    puzzle = replace(puzzle, publication=read_publication(beside))
            return with_rule_entries(puzzle, beside)
        except SatdokuError as error:
            raise with_place(error, source, place) from None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        value = _load(record, source)
        place = record.line, record.column
        try:
            key = solution_key(value, hints)
            # A data set may have solutions for some of its puzzles only.
            if key is None or cells_at(value, key) in (None, "", []):
                return None
        except SatdokuError as error:
            raise with_place(error, source, place) from None
        try:
            beside = self._beside(value, key, hints)
            return _read_grid(value, key, record, self._with_shape(hints, beside), source)
        except SatdokuError as error:
            fault = with_place(error, source, place)
            message = f"the known solution: {fault.message}"
            raise SolutionError(message, fault.source, fault.line, fault.column) from None

    def _beside(self, value: object, key: str, hints: Hints) -> object:
        """Return the entries beside the cells at a key, with the rules that the user chose."""
        beside = around(value, key)
        return with_chosen_rules(beside, hints) if isinstance(beside, dict) else beside

    def _with_shape(self, hints: Hints, value: object) -> Hints:
        """Return the hints with the board shape in the value; a SatdokuError for an invalid box."""
        if isinstance(value, dict):
            hints = with_digits(hints, value)
        return replace(hints, geometry=agreed_geometry(hints.geometry, _shown_box(value)))

    def unread(self, record: Record, hints: Hints) -> str:
        # Fast path: most records have none of these signs, and are not parsed again.
        if not any(sign in record.text for sign in _OF_INTEREST):
            return ""
        value = _load(record, "")
        if is_foreign(value):
            return _foreign_of(value).unread
        key = puzzle_key(value, hints)
        link = _link_in(cells_at(value, key))
        told = "" if link is None else unread_of_link(link)
        beside = self._beside(value, key, hints)
        applied = variants_applied(beside) if isinstance(beside, dict) else ""
        return "; ".join(filter(None, (told, applied)))

    def rows_like(self, record: Record, hints: Hints) -> "TextRows | None":
        from satdoku.notation.plain_rows import json_rows, model_of  # imported here as in tables

        value = _load(record, "")
        key = puzzle_key(value, hints)
        cells = value.get(key) if isinstance(value, dict) else None
        model = model_of(record, cells, key) if isinstance(cells, str) else None
        if model is None or not isinstance(value, dict):
            return None
        special = {name for name in value if says_more(name, hints)}
        variants = {name for name in value if name.strip().lower() in VARIANT_COLUMNS} - special
        return json_rows(record.text, model, special, variants, solution_key(value, hints))

    def fields_of(self, record: Record) -> dict[str, Any]:
        try:
            value = _load(record, "")
        except FormatError:
            return {}
        # No entries of ours are added to a board of another program: no program would read both.
        return value if isinstance(value, dict) and not is_foreign(value) else {}

    def can_hold(self, rule: Rule) -> bool:
        return True

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        """Return the JSON text: numbers in any spelling, but strings if 0 may be a digit."""
        rows: list[object] = [list(row) for row in puzzle.grid.rows]
        shown = spelling_by_symbols(puzzle, spelling)
        box = puzzle.geometry
        more: dict[str, object] = {"name": puzzle.name, "comment": puzzle.comment}
        if not box.is_plain:
            rows = lists_of_board(puzzle.grid, shown)
            more |= {"box": str(box), "beside": cells_beside(puzzle.grid, shown)}
        elif shown.alphabet is not None and shown.alphabet.is_counted:
            rows = list(write_rows(puzzle.grid, shown))
        has_usual_box = box == Geometry.of_size(box.size) and box.box_rows > 1
        more |= publication_entries(puzzle)
        if box.is_plain and not (has_usual_box or puzzle.regions):
            more["box"] = str(box)
        more |= write_rule_entries(puzzle)
        # Rows alone are written if they say everything: any program can read those.
        if not any(more.values()):
            return _dump(rows)
        return _dump({"puzzle": rows} | {key: entry for key, entry in more.items() if entry})

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """Return the solution as rows in the puzzle's form, or its object with a `solution`."""
        value = _load(record, "")
        if isinstance(value, dict) and is_foreign(value):
            return _dump({**value, free_name("solution", value): list(solution.digits)})
        cells = _find_puzzle(value, hints)
        beside = self._beside(value, puzzle_key(value, hints), hints)
        board = solution.geometry
        shaped = self._with_shape(hints, beside)
        spelling = Spelling(shaped.alphabet) if not board.is_plain else None
        spelling = spelling or _spelling_of(cells, shaped, board.size)
        answer: object
        if not board.is_plain and not isinstance(cells, str):
            answer = lists_of_board(solution, spelling)
            if isinstance(value, dict) and (found := cells_beside(solution, spelling)):
                value = {**value, free_name("cells", value): found}
        elif isinstance(cells, str):
            answer = write_cells(solution, spelling)
        else:
            answer = write_lists(cells, solution, spelling)
        if not isinstance(value, dict):
            return _dump(answer)
        # A solution that came with the puzzle is kept, as in a table.
        return _dump({**value, free_name("solution", value): answer})

    def missing_answer(self, record: Record | None = None) -> str:
        return "null\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        value = _load(record, "")
        if is_foreign(value) or "board:" in record.text:
            return Spelling(hints.alphabet)
        return _spelling_of(_find_puzzle(value, hints), hints, size)


# Signs of a board of another program, a link, or a word for the kind of puzzle.
_OF_INTEREST = ('"grid"', '"cells"', "/", "ariant", 'ype"', 'ind"')


def _spelling_of(cells: str | Sequence[object], hints: Hints, size: int) -> Spelling:
    if isinstance(cells, str):
        return spelling_of_line(cells.strip(), hints, size)
    return spelling_of(list_cells(cells, size), size, hints.alphabet)


def _load(record: Record, source: str) -> object:
    # Parsed numbers take a hundred times their text in memory.
    require_few_cells(record.text, source, record.line, record.column)
    import json  # slow to import, and only texts in JSON need it

    try:
        return json.loads(record.text, object_pairs_hook=_with_each_key_once)
    except FormatError as error:
        raise with_place(error, source, (record.line, record.column)) from None
    except json.JSONDecodeError as error:
        column = error.colno + (record.column - 1 if error.lineno == 1 else 0)
        hint = "; JSON has double quotes" if record.text[error.pos : error.pos + 1] == "'" else ""
        message = f"this is not JSON ({error.msg}{hint})"
        raise FormatError(message, source, record.line + error.lineno - 1, column) from None
    except (ValueError, RecursionError):
        message = "this JSON has more digits or brackets than any puzzle"
        raise FormatError(message, source, record.line, record.column) from None


def _with_each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; a FormatError if it has a key twice, as either value may be meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise FormatError(f"this object has the key {quote(twice)} more than once")
    return found


def _link_in(cells: object) -> str | None:
    """Return the link in place of cells; None if there is none."""
    return cells if isinstance(cells, str) and is_link(cells) else None


def _foreign_of(value: Any) -> "ForeignBoard":
    from satdoku.notation.exchange.links import read_object  # needed for few JSON texts

    return read_object(value)


def _read_foreign(value: object, hints: Hints, source: str, place: Place) -> Puzzle:
    """Return the puzzle of an object that another program has written."""
    try:
        return agreed(_foreign_of(value).puzzle(), hints)
    except SatdokuError as error:
        raise with_place(error, source, place) from None


def dump_line(value: object, is_ascii: bool = True) -> str:
    """Return a value as one line of JSON."""
    import json

    return json.dumps(value, ensure_ascii=is_ascii) + "\n"


def _dump(value: object) -> str:
    return dump_line(value, is_ascii=False)


def _find_puzzle(value: object, hints: Hints) -> str | Sequence[object]:
    """Return the cells of a value that was parsed as a puzzle before."""
    return _require_cells(cells_at(value, puzzle_key(value, hints)))


def _require_cells(cells: object, key: str = "") -> str | Sequence[object]:
    if key and (cells is None or (isinstance(cells, str) and not cells.strip())):
        raise FormatError(f"no puzzle in {quote(key)}")
    if isinstance(cells, str | list):
        return cells
    raise FormatError(f"{quote(str(cells))} is not a puzzle: a list of rows or a string")


def _read_grid(value: object, key: str, record: Record, hints: Hints, source: str) -> Grid:
    """Return the board at a key of an object, or the board that is the value itself."""
    try:
        cells = _require_cells(cells_at(value, key), key)
    except SatdokuError as error:
        raise with_place(error, source, (record.line, record.column)) from None
    if isinstance(cells, str):
        return _read_string(cells, record, hints, source)
    return read_lists(cells, hints, JsonPlaces(record, key.rpartition(".")[2], cells), source)


def _shown_box(value: object) -> Geometry | None:
    """Return the box shape of an object, `"2x3"` or `[2, 3]`; None without one."""
    if not isinstance(value, dict):
        return None
    box = value.get("box")
    if box is None:
        # Regions give the size of the board; its boxes are the usual ones, which regions replace.
        size = regions_size(value)
        return None if size is None else Geometry.of_size(size)
    return Geometry.parse("x".join(map(str, box)) if isinstance(box, list) else str(box))


def _text_of(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, dict) else None
    return "" if text is None else str(text)


def _read_string(text: str, record: Record, hints: Hints, source: str) -> Grid:
    """Return the puzzle in a string; places are right unless escapes precede them."""
    start = max(record.text.find(text), 0)  # not found if it has escapes
    line = record.line + record.text.count("\n", 0, start)
    column = start - (record.text.rfind("\n", 0, start) + 1)
    column += record.column if line == record.line else 1
    found = find_cells(" ".join(text.split()), hints.size)
    return read_cells(found, hints, source, (line, column))
