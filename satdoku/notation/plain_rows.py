"""Rows of tables whose puzzle is a plain board, read and written by the block.

`rows_like` of a format returns the layout of rows that need no parsing: they differ from the row
that served as model only in the board and in fields that say nothing about the puzzle. Other rows
are left to the format, which also reports their faults. So a block has only plain boards and the
other fields of each row, which are written as the format would write them.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple, Protocol

from satdoku.notation.fields import split_fields
from satdoku.notation.plain_lines import MISTAKABLE, plain_board
from satdoku.notation.record import Record
from satdoku.notation.stated_rules import says_variant
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.value import value

# A longer row is no model for others, so that a block stays small.
_WIDEST = 4096


class RowsRead(ABC):
    """The contents of the rows of a block.

    `keys` are the names of the fields in a JSON object; None if the format has to write objects.
    """

    keys: Sequence[str] | None = ()
    delimiter = ","

    @property
    @abstractmethod
    def puzzles(self) -> Sequence[str]:
        """Return the board of each row, as it is written in the row."""

    @property
    def known(self) -> Sequence[str] | None:
        """Return the known solution of each row; None if none are compared."""
        return None

    @abstractmethod
    def record(self, index: int, line: int) -> Record:
        """Return a row as its format reads it; `line` is its place."""

    def table_rows(self) -> Sequence[str] | None:
        """Return each row as text, to which fields are added; None if there is no such text.

        A table of answers then begins with the puzzles.
        """
        return None

    def objects(self, is_ascii: bool = True) -> Sequence[str]:
        """Return a JSON object with the fields of each row, cut off where further entries follow.

        For example `{"id": 5, `, or `{` if there are no fields.
        """
        return ["{"] * len(self.puzzles)


class Part(NamedTuple):
    """A piece of a row's pattern; `group` names the meaning of its text, empty if it has none."""

    pattern: str
    group: str = ""


PUZZLE, KNOWN, VARIANT, FIELD = "puzzle", "known", "variant", "field"
"""The groups of a pattern. A row with a word for a variant is left to its format."""


@value(frozen=True)
class TextRows(ABC):
    """The layout of rows that are read in blocks: these parts, one after another.

    `width` is about the number of bytes of a row.
    """

    geometry: Geometry
    parts: tuple[Part, ...]
    width: int

    def measure(self, data: bytes, most: int) -> tuple[int, int]:
        """Return how many such rows a text begins with, at most `most`, and their bytes."""
        text = _decoded(data)
        text = text[: text.rfind("\n") + 1]
        if text.count("\n") > most:
            text = text[: -len(text.split("\n", most)[-1])]
        count = text.count("\n")
        if not self._are_all(text, count):
            count, text = self._first_of(text)
        return count, len(text) if text.isascii() else len(text.encode())

    @abstractmethod
    def read(self, text: str) -> RowsRead:
        """Return the contents of the rows of a text that `measure` found."""

    def column(self, found: Sequence[Sequence[str]], group: str) -> list[str]:
        """Return the texts of one group of the rows that `find` found."""
        place = self._groups.index(group)
        return [each[place] for each in found]

    def find(self, text: str) -> list[tuple[str, ...]]:
        """Return the texts of the groups of each row."""
        found = _compiled(self._pattern(has_groups=True)).findall(text)
        return found if len(self._groups) > 1 else [(each,) for each in found]

    def _are_all(self, text: str, count: int) -> bool:
        if VARIANT not in self._groups:
            return len(_compiled(self._pattern(has_groups=False)).findall(text)) == count
        found = self.find(text)
        return len(found) == count and not any(map(self._says_variant, set(found)))

    def _first_of(self, text: str) -> tuple[int, str]:
        """Return how many rows a text begins with, and their text."""
        pattern = _compiled(self._pattern(has_groups=True))
        count = end = 0
        while (row := pattern.match(text, end)) and not self._says_variant(row.groups("")):
            count, end = count + 1, row.end()
        return count, text[:end]

    def _says_variant(self, groups: Sequence[str]) -> bool:
        pairs = zip(self._groups, groups, strict=True)
        return any(_says_variant(text) for group, text in pairs if group == VARIANT)

    @property
    def _groups(self) -> list[str]:
        return [part.group for part in self.parts if part.group]

    def _pattern(self, has_groups: bool) -> str:
        begins = {True: "(", False: "(?:"}
        return "^" + "".join(
            f"{begins[has_groups and part.group != '']}{part.pattern})" for part in self.parts
        )


class Model(NamedTuple):
    """The board of a row that is the model for other rows: geometry, pattern and key."""

    geometry: Geometry
    name: str = ""

    @property
    def pattern(self) -> str:
        return f"[.0-{self.geometry.size}]{{{self.geometry.cell_count}}}"


def model_of(record: Record, text: str, name: str = "") -> Model | None:
    """Return the model of rows like a record with `text` as its board; None if it is no model."""
    is_row = record.column == 1 and "\n" not in record.text and len(record.text) <= _WIDEST
    board = plain_board(text) if is_row and len(text) != MISTAKABLE else None
    return None if board is None else Model(board.geometry, name)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> "re.Pattern[str]":
    return re.compile(pattern, re.MULTILINE)


@lru_cache(maxsize=4096)
def _says_variant(text: str) -> bool:
    return says_variant(text.strip('" '))


def _decoded(data: bytes) -> str:
    """Return the text of these bytes, up to the first byte that is no UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        return data[: error.start].decode()


class TextRead(RowsRead):
    """The contents of rows that were read from text."""

    def __init__(self, rows: TextRows, text: str) -> None:
        self._rows = rows
        self._text = text

    @cached_property
    def _found(self) -> list[tuple[str, ...]]:
        return self._rows.find(self._text)

    @cached_property
    def _lines(self) -> list[str]:
        return [line.rstrip("\r") for line in self._text.split("\n")[:-1]]

    @property
    def puzzles(self) -> Sequence[str]:
        return [text.strip('"') for text in self._rows.column(self._found, PUZZLE)]

    @property
    def known(self) -> Sequence[str] | None:
        if not any(part.group == KNOWN for part in self._rows.parts):
            return None
        return [text.strip('" ') for text in self._rows.column(self._found, KNOWN)]

    def record(self, index: int, line: int) -> Record:
        return Record(line, self._lines[index])


class RowsOfBlock(Protocol):
    """A reader of the rows of a block, for workers; see `Task.rows`."""

    @property
    def geometry(self) -> Geometry: ...

    def read(self, text: str) -> RowsRead: ...


# Characters that no field of a row has: quotes, line ends, and what old programs put at the end of
# a file.
_NO_FIELD = r'"\r\n\0\x1a'


@value(frozen=True)
class CsvRows(TextRows):
    """Rows of a CSV table; `names` are the column names, `puzzle_column` is counted from 0."""

    delimiter: str
    names: tuple[str, ...] = ()
    has_names_apart: bool = False
    """Whether a name or a comment is in a column with an unusual name, such as `Name`."""

    def read(self, text: str) -> RowsRead:
        return _CsvRead(self, text)


def any_field(delimiter: str, has_quotes: bool) -> str:
    """Return the pattern of any field."""
    bare = f"[^{delimiter}{_NO_FIELD}]*"
    return rf'(?: *"(?:[^{_NO_FIELD}]|"")*"|{bare})' if has_quotes else bare


def field_with(pattern: str, is_quoted: bool, group: str = "") -> list[Part]:
    """Return the parts of a field with this text, in quotes or not, and with spaces around it."""
    before, after = (' *" *', ' *"') if is_quoted else (" *", " *")
    return [Part(before), Part(pattern, group), Part(after)]


class _CsvRead(TextRead):
    def __init__(self, rows: CsvRows, text: str) -> None:
        super().__init__(rows, text)
        self._names = rows.names
        self.delimiter = rows.delimiter
        are_names = len(set(rows.names)) == len(rows.names) and not rows.has_names_apart
        self.keys = rows.names if are_names else None

    def table_rows(self) -> Sequence[str]:
        # A tab at the end of a row is the end of an empty field.
        ends = " \r" if self.delimiter == "\t" else None
        return [line.rstrip(ends) for line in self._lines]

    def objects(self, is_ascii: bool = True) -> Sequence[str]:
        names = self._names
        if not names:
            return super().objects(is_ascii)
        begin = "".join(f"{encode_basestring_ascii(name)}: \0, " for name in names)
        template = "{" + begin.replace("%", "%%").replace("\0", "%s")
        return [template % tuple(map(encode_basestring_ascii, self._texts(n))) for n in self._lines]

    def _texts(self, line: str) -> Sequence[str]:
        if '"' not in line:
            return line.split(self.delimiter)
        return [field.text for field in split_fields(line, self.delimiter)]


# Values of JSON that are written as they came: texts without escapes, and numbers in the shortest
# form. Braces in a text are left to the scanner of JSON.
JSON_TEXT = r'"[^"\\\x00-\x1f\x7f{}]*"'
_WHOLE = r"-?[1-9][0-9]{0,14}|0"
_DECIMAL = r"-?[1-9][0-9]{0,6}\.(?:0|[0-9]{0,6}[1-9])|-?0\.0{0,3}[1-9](?:[0-9]{0,6}[1-9])?|-?0\.0"
JSON_VALUE = rf"(?:{JSON_TEXT}|{_DECIMAL}|{_WHOLE}|null|true|false)"


@value(frozen=True)
class JsonRows(TextRows):
    """JSON objects, one a line, with these keys in this order; each value is a group."""

    names: tuple[str, ...]

    def read(self, text: str) -> RowsRead:
        return _JsonRead(self, text)


def json_rows(
    text: str, model: Model, special: Collection[str], variants: Collection[str], known: str | None
) -> JsonRows | None:
    """Return the layout of rows like the object in this text; None if the object is not plain.

    Entries with a `special` key have to be the same in all rows.
    """
    try:
        pairs: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    except ValueError:
        return None
    names = tuple(name for name, _ in pairs)
    is_plain = all(encode_basestring_ascii(name) == f'"{name}"' for name in names)
    is_twice = len(set(names)) < len(names)
    if not is_plain or is_twice or model.name in special or known in special:
        return None
    groups = {model.name: (f'"{model.pattern}"', PUZZLE), known: (JSON_VALUE, KNOWN)}
    groups |= {name: (JSON_VALUE, VARIANT) for name in variants if name not in groups}
    found = re.fullmatch(_pattern_of(names, {}), f"{text}\n")
    if found is None or (known is not None and known not in names):
        return None
    for name, said in zip(names, found.groups(), strict=True):
        if name in special:
            groups[name] = re.escape(said), FIELD
    parts = list(_parts_of(names, groups))
    return JsonRows(model.geometry, tuple(parts), len(text) + 1, names)


def _pattern_of(names: Sequence[str], groups: Mapping[str | None, tuple[str, str]]) -> str:
    parts = _parts_of(names, groups)
    return "".join(f"({part.pattern})" if part.group else part.pattern for part in parts)


def _parts_of(names: Sequence[str], groups: Mapping[str | None, tuple[str, str]]) -> Iterator[Part]:
    for number, name in enumerate(names):
        begin = r"\{ *" if number == 0 else " *, *"
        yield Part(f'{begin}"{re.escape(name)}" *: *')
        yield Part(*groups.get(name, (JSON_VALUE, FIELD)))
    yield Part(r" *\}\r?\n")


class _JsonRead(TextRead):
    def __init__(self, rows: JsonRows, text: str) -> None:
        super().__init__(rows, text)
        self.keys = self._names = rows.names

    def objects(self, is_ascii: bool = True) -> Sequence[str]:
        begin = "".join(f"{encode_basestring_ascii(name)}: \0, " for name in self._names)
        template = "{" + begin.replace("%", "%%").replace("\0", "%s")
        found = [template % each for each in self._found]
        if self._text.isascii() or not is_ascii:
            return found
        # The texts have no backslash, so only quotes and non-ASCII characters are changed.
        return [encode_basestring_ascii(each)[1:-1].replace('\\"', '"') for each in found]
