"""The entries of a JSON object, by the names that users and data sets give them, and their places.

A place is looked for when a fault has to be reported.
"""

import re
from collections.abc import Iterator, Sequence

from satdoku.errors import FormatError, quote
from satdoku.notation.hints import Hints
from satdoku.notation.record import PUZZLE_NAMES, Place, Record, find_name

# As many as a message can name; data sets have fewer, as a rule.
_MOST_KEYS = 12


def puzzle_key(value: object, hints: Hints) -> str:
    """The key under which an object has its puzzle; empty for what is no object.

    That is the key that the user chose, or else the first of the usual names.
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
    """The key of the known solution; None where the user wants none compared."""
    if hints.solution_column is None:
        return None
    return _chosen_key(value, hints.solution_column, "--solution-column")


def _chosen_key(value: object, name: str, option: str) -> str:
    """The key of that name; where a record has none, the option cannot apply, which is an error."""
    if not isinstance(value, dict):
        raise FormatError(f"{option} names a key of an object, and this is none")
    key = find_name(value, name.strip())
    if key is not None:
        return key
    # Keys of objects in objects, with dots between them.
    first, dot, rest = name.strip().partition(".")
    outer = find_name(value, first)
    if not dot or outer is None:
        raise FormatError(f"this object has no {first!r}, {_keys_of(value)}")
    return f"{outer}.{_chosen_key(value[outer], rest, option)}"


def cells_at(value: object, key: str) -> object:
    """What an object has under a key that was found in it; the value itself if it is no object.

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
    """All that stands beside the cells under a key: the entries of the objects that they are in."""
    if not isinstance(value, dict) or key in value:
        return value
    first, _, rest = key.partition(".")
    inner = around(value[first], rest)
    return {**value, **inner} if isinstance(inner, dict) else value


def _keys_of(value: dict[str, object]) -> str:
    keys = ", ".join(map(quote, list(value)[:_MOST_KEYS]))
    return f"only {keys}" if keys else "as it is empty"


_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


class JsonPlaces:
    """Where the cells of a list begin; `key` is the name of the list if it is in an object."""

    def __init__(self, record: Record, key: str, rows: Sequence[object]) -> None:
        self._record = record
        self._key = key
        self._has_strings = bool(rows) and isinstance(rows[0], str)

    def __call__(self, cell: int) -> Place:
        """The place of a cell; the end of the text if the list has less of them."""
        for start, count in self._cells():
            if cell < count:
                return self._place(start + cell)
            cell -= count
        return self._place(len(self._record.text.rstrip()) - 1)

    def _cells(self) -> Iterator[tuple[int, int]]:
        """Where cells begin in the text, and how many stand there side by side."""
        text = self._record.text
        key = re.search(rf'"{re.escape(self._key)}"\s*:', text) if self._key else None
        # Keys of an object before it would be taken for cells, so the search begins behind the key.
        for scalar in _SCALAR.finditer(text, key.end() if key else 0):
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
