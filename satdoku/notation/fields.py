"""The fields of a table's lines, and the column names in its header.

A line is a row of the table, unless a quote is closed on a later line before any other row, so that
a stray quote cannot swallow the rest of a file.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from satdoku.notation.cells import find_cells
from satdoku.notation.exchange.seen import is_link
from satdoku.notation.record import PUZZLE_NAMES
from satdoku.notation.spelling import CELL_CHARACTERS

_DELIMITERS = ",;\t"
MOST_COLUMNS = 16_384
"""The column limit of spreadsheets."""

# Only spaces may precede a quote, as tabs may separate empty fields.
_QUOTE = re.compile(' *"')


class Field(NamedTuple):
    """The text of a field and its start in the line, from 0."""

    text: str
    start: int


def find_delimiter(line: str) -> str:
    """Return the character between the fields of a line: a comma if there is one.

    A bar only counts in a header, as bars are also drawn between the boxes of a board.
    """
    usual = next((d for d in _DELIMITERS if d in line), "")
    return usual or ("|" if _has_barred_names(line) else ",")


def _has_barred_names(line: str) -> bool:
    names = [name.strip(' "').lower() for name in line.split("|")]
    return len(names) > 1 and bool(names[0]) and not set(names).isdisjoint(PUZZLE_NAMES)


def split_fields(line: str, delimiter: str) -> list[Field]:
    """Split a line into fields, with quotes around a field removed.

    >>> [field.text for field in split_fields('1,"a, b",', ",")]
    ['1', 'a, b', '']
    """
    return list(_fields(line, delimiter))


def split_few_fields(line: str, delimiter: str) -> list[Field]:
    """Like `split_fields`, but return one field, the whole line, if there would be too many.

    Each field takes a hundred times its text in memory, and a line that is no table may be a
    million cells.
    """
    # Without quotes the fields can be counted before they are made.
    if '"' not in line and line.count(delimiter) > MOST_COLUMNS:
        return [Field(line, 0)]
    fields = list(islice(_fields(line, delimiter), MOST_COLUMNS + 1))
    return fields if len(fields) <= MOST_COLUMNS else [Field(line, 0)]


def _fields(line: str, delimiter: str) -> Iterator[Field]:
    start = end = 0
    while end < len(line) or not start:
        quote = _QUOTE.match(line, start)
        close = _end_of_quoted(line, quote.end()) if quote else start
        end = line.find(delimiter, close)
        end = len(line) if end < 0 else end
        if quote:
            yield Field(line[quote.end() : close].replace('""', '"'), quote.end())
        else:
            yield Field(line[start:end], start)
        start = end + 1


def _end_of_quoted(line: str, start: int) -> int:
    """Return where the closing quote of a field is; doubled quotes are part of its text.

    A regular expression would keep a hundred bytes for each character, for backtracking.
    """
    end = line.find('"', start)
    while end >= 0 and line.startswith('"', end + 1):
        end = line.find('"', end + 2)
    return len(line) if end < 0 else end


def has_open_quote(line: str, last: Field) -> bool:
    """Whether the last field of a line began with a quote that was not closed."""
    is_quoted = line[last.start - 1 : last.start] == '"'
    # Doubled quotes are part of the text, and the closing one makes the number odd.
    return is_quoted and line.count('"', last.start) % 2 == 0


# The most characters of a row with line breaks; answers of models may be long.
_LONGEST_ROW = 1_000_000


class Rows(Iterator[tuple[int, str]]):
    """The lines of a table with their numbers, from which a row may take those that follow.

    `width` is the number of columns; without a header it is 0, and each line is a row.
    """

    def __init__(
        self, lines: Iterable[str], delimiter: str, width: int, puzzle_column: int
    ) -> None:
        self._lines = enumerate(lines, 1)
        self._ahead: deque[tuple[int, str]] = deque()
        self._delimiter = delimiter
        self._width = width
        self._puzzle_column = puzzle_column

    def __next__(self) -> tuple[int, str]:
        return self._ahead.popleft() if self._ahead else next(self._lines)

    def completed(self, line: str) -> str:
        """Return the row that begins with a line: with further lines if its quote ends there.

        >>> rows = Rows(['4",5', "6"], ",", 3, 1)
        >>> rows.completed('1,"2'), next(rows)
        ('1,"2\\n4",5', (2, '6'))
        """
        # Fast path: nearly all rows have no quotes, or close them.
        if '"' not in line or line.count('"') % 2 == 0 or not self._width:
            return line
        if not has_open_quote(line, split_fields(line, self._delimiter)[-1]):
            return line
        taken: list[tuple[int, str]] = []
        begun, size, quotes = [line], len(line), line.count('"')
        for number, further in self:
            taken.append((number, further))
            begun.append(further)
            size += len(further)
            quotes += further.count('"')
            if size > _LONGEST_ROW or self._is_row(further):
                break
            if quotes % 2 == 0:
                row = "\n".join(begun)
                if self._is_whole(row):
                    return row
                break
        self._ahead.extendleft(reversed(taken))
        return line

    def _is_row(self, line: str) -> bool:
        """Whether a line is a row by itself, with a board where it has to be."""
        if line.count(self._delimiter) < max(self._width - 1, 1):
            return False
        fields = split_few_fields(line, self._delimiter)
        has_board = len(fields) > self._puzzle_column and is_board(
            fields[self._puzzle_column].text.strip(), None
        )
        return len(fields) == self._width and has_board

    def _is_whole(self, row: str) -> bool:
        """Whether all fields are there, and a delimiter stands behind each closing quote."""
        fields = split_fields(row, self._delimiter)
        is_closed = not has_open_quote(row, fields[-1]) and len(fields) == self._width
        return is_closed and not any("\n" in self._outside(row, field) for field in fields)

    def _outside(self, row: str, field: Field) -> str:
        """Return the text of a field without quotes; empty for a quoted field.

        If text follows the closing quote of a field, return a line end.
        """
        if row[field.start - 1 : field.start] != '"':
            return field.text
        close = _end_of_quoted(row, field.start) + 1
        return "\n" if row[close:].partition(self._delimiter)[0].strip(" ") else ""


def quote_field(text: str) -> str:
    """Return a field as it is written, quoted if needed."""
    # A line end inside a field would end the row.
    flat = " ".join(text.split())
    return '"' + flat.replace('"', '""') + '"' if re.search('[",;|]', flat) else flat


def write_fields(values: Iterable[object]) -> str:
    """Return a line of a table; None is an empty field.

    >>> write_fields(["a, b", None, 3])
    '"a, b",,3\\n'
    """
    return ",".join("" if value is None else quote_field(str(value)) for value in values) + "\n"


def as_text(text: str) -> str:
    """Return a text with the sign U+FFFD for each byte that was no UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def has_raw_bytes(text: str) -> bool:
    """Whether a text has bytes that are no UTF-8; see `begins_table`."""
    return not text.isascii() and re.search("[\udc80-\udcff]", text) is not None


def begins_table(line: str) -> bool:
    """Whether a first line is surely a table's header: bytes that are no UTF-8 stay as they came.

    They are in the text as Python's `surrogateescape` decodes them.
    """
    fields = split_few_fields(line, find_delimiter(line))
    return len(fields) > 1 and has_puzzle_name(fields)


# The longest column name, such as `difficulty by sudoku explainer`; from 8x8 on, boards without
# separators are longer.
_LONGEST_NAME = 40
# Fewest characters of a damaged board: more than a date, time or number such as 20260131 has.
_FEWEST_CELLS_OF_DAMAGED = 9


def has_puzzle_name(fields: Sequence[Field]) -> bool:
    """Whether a field is one of the usual names of columns with puzzles."""
    return any(field.text.strip().lower() in PUZZLE_NAMES for field in fields)


def has_column_names(fields: Sequence[Field]) -> bool:
    """Whether a line may be the header of a table: words, and nothing like a board."""
    # A single field has to be a known name: other words may be a title, or a row of letters.
    if len(fields) == 1 or has_puzzle_name(fields):
        return has_puzzle_name(fields)
    texts = [field.text.strip() for field in fields]
    if any(len(text) > _LONGEST_NAME or _is_cells(text) for text in texts):
        return False
    # `a,b` is no row, as the smallest board has four columns; `a,b,c,d` may be a row of letters.
    is_too_short_for_a_row = len(texts) < 4 and any(map(str.isalpha, texts))
    return is_too_short_for_a_row or any(map(_has_words, texts))


def is_too_wide(line: str, delimiter: str) -> bool:
    """Whether a line begins with a name and has more columns than are read."""
    if len(line) < MOST_COLUMNS or line.count(delimiter) < MOST_COLUMNS:
        return False
    first = line.partition(delimiter)[0].strip(' "')
    return len(first) > 2 and first.replace("_", "").isalpha()


def is_header(fields: Sequence[Field]) -> bool:
    """Whether the first line of a known table holds names: letters and no cells."""
    texts = [field.text.strip() for field in fields]
    if any(is_board(text, None) or _is_cells(text) for text in texts):
        return False
    return any(character.isalpha() for text in texts for character in text)


def is_board(text: str, size: int | None) -> bool:
    """Whether a field has as many cells as a board, or is a link, which may hold one."""
    if is_link(text):
        return True
    return find_cells(text, size).size is not None and not _has_words(text)


def _has_words(text: str) -> bool:
    """Whether a text is a name: short, and with three small letters in a row.

    `sudoku_explainer` has as many characters as a 4x4 board has cells, but is a name.
    """
    return len(text) <= _LONGEST_NAME and re.search("[a-z]{3}", text) is not None


def _is_cells(text: str) -> bool:
    """Whether a field has only digits and blanks, as an intact or damaged board has."""
    return len(text) >= _FEWEST_CELLS_OF_DAMAGED and not text.strip(CELL_CHARACTERS + " ")
