"""Cutting the line of a table into its fields, and writing fields.

A line is a row of the table: fields with line ends inside are not supported, so that a stray quote
cannot swallow the rest of a file.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

_DELIMITERS = ",;\t"
# No tabs before the quote: in a table with tabs they are empty fields.
_QUOTED = re.compile(r' *"((?:[^"]|"")*)"?')


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
    # Doubled quotes are part of the text, and the closing one makes the number odd.
    return is_quoted and line.count('"', last.start) % 2 == 0


def quote_field(text: str) -> str:
    """A field as it is written."""
    # A line end within a field would be that of the row.
    flat = " ".join(text.split())
    return '"' + flat.replace('"', '""') + '"' if re.search('[",;]', flat) else flat


def write_fields(values: Iterable[object]) -> str:
    """A line of a table; None is an empty field.

    >>> write_fields(["a, b", None, 3])
    '"a, b",,3\\n'
    """
    return ",".join("" if value is None else quote_field(str(value)) for value in values) + "\n"
