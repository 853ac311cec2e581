"""Finding the cells of a puzzle in its JSON text, when a fault has to be reported."""

import re
from collections.abc import Iterator, Sequence

from satdoku.notation.places import Place
from satdoku.notation.record import Record

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
