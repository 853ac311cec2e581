"""The fields of a CSV line, and what they may be.

A line is a row of the table: fields with line ends inside are not supported, so that a stray quote
cannot swallow the rest of a file.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.notation.lines.cells import find_cells

PUZZLE_NAMES = (
    "puzzle",
    "puzzles",
    "quiz",
    "quizzes",
    "question",
    "sudoku",
    "grid",
    "board",
    "givens",
)
_DELIMITERS = ",;\t"
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"?')
_LONGEST_NAME = 40


class Field(NamedTuple):
    """The text of a field and where it begins in its line, from 0."""

    text: str
    start: int


def find_delimiter(line: str) -> str:
    """The character between the fields of a line: a comma where there is one."""
    return next((d for d in _DELIMITERS if d in line), ",")


def split_fields(line: str, delimiter: str) -> list[Field]:
    """The fields of a line; quotes around a field are taken off.

    >>> [field.text for field in split_fields('1,"a, b",', ",")]
    ['1', 'a, b', '']
    """
    fields = []
    start = 0
    while True:
        quoted = _QUOTED.match(line, start)
        end = line.find(delimiter, quoted.end() if quoted else start)
        end = len(line) if end < 0 else end
        if quoted:
            fields.append(Field(quoted[1].replace('""', '"'), quoted.start(1)))
        else:
            fields.append(Field(line[start:end], start))
        if end == len(line):
            return fields
        start = end + 1


def has_open_quote(line: str, last: Field) -> bool:
    """Whether the last field of a line began with a quote that was not closed."""
    is_quoted = line[last.start - 1 : last.start] == '"'
    return is_quoted and line.count('"', last.start) % 2 == 0


def quote_field(text: str) -> str:
    """A field as it is written."""
    flat = " ".join(text.split())
    return '"' + flat.replace('"', '""') + '"' if re.search('[",;]', flat) else flat


def is_board(text: str, size: int | None) -> bool:
    """Whether a field has as many cells as a board."""
    return find_cells(text, size).size is not None and not _has_words(text)


def has_puzzle_name(line: str) -> bool:
    """Whether a field is one of the names that columns of puzzles usually have."""
    fields = split_fields(line, find_delimiter(line))
    return any(field.text.strip().lower() in PUZZLE_NAMES for field in fields)


def has_column_names(line: str) -> bool:
    """Whether a line may be the header of a table: words, and nothing like a board."""
    texts = [field.text.strip() for field in split_fields(line, find_delimiter(line))]
    if len(texts) == 1 or has_puzzle_name(line):
        return has_puzzle_name(line)
    if not _is_short(texts) or any(map(_is_cells, texts)):
        return False
    is_too_short_for_a_row = len(texts) < 4 and any(map(str.isalpha, texts))
    return is_too_short_for_a_row or any(map(_has_words, texts))


def is_header_line(line: str) -> bool:
    """Whether the first line of a table, known to be one, holds names: letters and no cells."""
    texts = [field.text.strip() for field in split_fields(line, find_delimiter(line))]
    may_be_cells = any(is_board(text, None) or _is_cells(text) for text in texts)
    return not may_be_cells and any(character.isalpha() for character in line)


def _has_words(text: str) -> bool:
    return re.search("[a-z]{3}", text) is not None and len(text) <= _LONGEST_NAME


def _is_short(texts: Sequence[str]) -> bool:
    return all(len(text) <= _LONGEST_NAME for text in texts)


def _is_cells(text: str) -> bool:
    """Whether a field has nothing but digits and blanks, as a good or a damaged board has."""
    return len(text) > 8 and not text.strip("0123456789.*_-?xX ")
