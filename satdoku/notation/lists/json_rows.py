"""JSON objects on a line each that are read and written by the block."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import Any

from satdoku.notation.plain_rows import (
    FIELD,
    KNOWN,
    PUZZLE,
    VARIANT,
    Model,
    Part,
    RowsRead,
    TextRead,
    TextRows,
)

# Values of JSON that are written as they came: texts without escapes, and numbers in the shortest
# form. Braces in a text are left to the scanner of JSON.
JSON_TEXT = r'"[^"\\\x00-\x1f\x7f{}]*"'
_WHOLE = r"-?[1-9][0-9]{0,14}|0"
_DECIMAL = r"-?[1-9][0-9]{0,6}\.(?:0|[0-9]{0,6}[1-9])|-?0\.0{0,3}[1-9](?:[0-9]{0,6}[1-9])?|-?0\.0"
JSON_VALUE = rf"(?:{JSON_TEXT}|{_DECIMAL}|{_WHOLE}|null|true|false)"


@dataclass(frozen=True)
class JsonRows(TextRows):
    """JSON objects, one a line, with these keys in this order; each value is a group."""

    names: tuple[str, ...]

    def read(self, text: str) -> RowsRead:
        return _JsonRead(self, text)


def json_rows(
    text: str, model: Model, special: Collection[str], variants: Collection[str], known: str | None
) -> JsonRows | None:
    """Return the rows that look like the object in this text; None if it is no plain one.

    The entries of these `special` keys have to be the same.
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
        # There is no backslash in it, so only quotes and other characters than ASCII are changed.
        return [encode_basestring_ascii(each)[1:-1].replace('\\"', '"') for each in found]
