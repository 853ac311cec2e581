"""Rows of a CSV table that are read and written by the block."""

from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii

from satdoku.notation.plain_rows import Part, RowsRead, TextRead, TextRows
from satdoku.notation.tables.fields import split_fields

# Fields of a row. What old programs put at the end of a file is in none.
_NO_FIELD = r'"\r\n\0\x1a'


@dataclass(frozen=True)
class CsvRows(TextRows):
    """Rows of a CSV table; `names` are those in its header, `puzzle_column` is counted from 0."""

    delimiter: str
    names: tuple[str, ...] = ()
    has_names_apart: bool = False
    """Whether a name or a comment stands in a column that is called otherwise, such as `Name`."""

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
        return [line.rstrip() for line in self._lines]

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
