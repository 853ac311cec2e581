"""What arguments of rules name: cells, two cells side by side, and rows or columns with an end.

Cells are `r1c1`, several with commas or spaces, ranges `r1c1-3`; lines are `row3`, `col4.up`.
Rules whose argument is nothing but cells, of a line in their order, or marked, are made here.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.drawn import Drawn, Line, Tint
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value

# Four digits are more than any board has rows; longer numbers are slips. `re` compiles these when
# they are met: many rules name no line.
_CELLS = r"r(\d{1,4})(?:-(\d{1,4}))?c(\d{1,4})(?:-(\d{1,4}))?"
_LINE = r"(row|col|column|r|c)(\d{1,4})(?:\.(left|up|right|down))?"


def read_cells(text: str, geometry: Geometry) -> tuple[int, ...]:
    """The cells that a text lists, in its order; each may be named once.

    >>> read_cells("r1c1, r2c2-3", Geometry(2, 2))
    (0, 5, 6)
    """
    cells: list[int] = []
    for word in re.split(r"[\s,]+", text.strip()):
        cells += _read_word(word, geometry)
    for index, cell in enumerate(cells):
        if cell in cells[:index]:
            raise SatdokuError(f"{geometry.name_of(cell)} is named twice in {text!r}")
    return tuple(cells)


def read_cell(text: str, geometry: Geometry) -> int:
    """The one cell that a text names."""
    cells = _read_word(text.strip(), geometry)
    if len(cells) != 1:
        raise SatdokuError(f"{text!r} names {len(cells)} cells, not one")
    return cells[0]


def write_cells(cells: Iterable[int], geometry: Geometry) -> str:
    """The names of cells with commas between them, as `read_cells` takes them."""
    return ",".join(map(geometry.name_of, cells))


def _read_word(word: str, geometry: Geometry) -> list[int]:
    match = re.fullmatch(_CELLS, word, re.IGNORECASE)
    if match is None:
        raise SatdokuError(f"{word[:20]!r} is not a cell such as r1c1, or a range such as r1c1-3")
    first_row, last_row, first_column, last_column = match.groups()
    rows = _range(first_row, last_row, word, geometry)
    columns = _range(first_column, last_column, word, geometry)
    return [(row - 1) * geometry.size + column - 1 for row in rows for column in columns]


def _range(first: str, last: str | None, word: str, geometry: Geometry) -> range:
    begin, end = int(first), int(last or first)
    if not 1 <= begin <= end <= geometry.size:
        raise SatdokuError(f"{word} is not on a board of {geometry.size}x{geometry.size}")
    return range(begin, end + 1)


def read_edges(words: Sequence[str], geometry: Geometry) -> Iterator[tuple[int, int]]:
    """The two cells that each word names."""
    for word in words:
        cells = read_cells(word, geometry)
        if len(cells) != 2:
            raise SatdokuError(f"{word[:30]!r} names {len(cells)} cells, not two")
        yield cells[0], cells[1]


class OutsideLine(NamedTuple):
    """A row or column, counted from 0, and whether it is read from its far end."""

    is_row: bool
    number: int
    is_reversed: bool = False

    def cells(self, geometry: Geometry) -> tuple[int, ...]:
        """The cells in the order in which they are read."""
        line = geometry.row_cells if self.is_row else geometry.column_cells
        cells = tuple(line(self.number))
        return cells[::-1] if self.is_reversed else cells

    def __str__(self) -> str:
        """As arguments name it: `row3`, `col4.up`."""
        end = (".left" if self.is_row else ".up") if self.is_reversed else ""
        return f"{'row' if self.is_row else 'col'}{self.number + 1}{end}"

    @property
    def in_words(self) -> str:
        """As sentences name it: `row 3 from the right`."""
        end = (" from the right" if self.is_row else " from below") if self.is_reversed else ""
        return f"{'row' if self.is_row else 'column'} {self.number + 1}{end}"


def read_line(text: str, geometry: Geometry) -> OutsideLine:
    """The line that a text names."""
    match = re.fullmatch(_LINE, text.strip(), re.IGNORECASE)
    if match is None:
        raise SatdokuError(f"{text[:20]!r} is not a line such as row3 or col4.up")
    is_row = match[1].lower().startswith("r")
    end = (match[3] or "").lower()
    # A row has no upper end: who writes that has mixed up the two, and the number means another
    # line.
    if end in (("up", "down") if is_row else ("left", "right")):
        raise SatdokuError(f"a {'row' if is_row else 'column'} is not read {end}, as {text} says")
    number = int(match[2])
    if not 1 <= number <= geometry.size:
        raise SatdokuError(f"{text} is not on a board of {geometry.size}x{geometry.size}")
    return OutsideLine(is_row, number - 1, end in ("left", "up"))


@value(frozen=True)
class LineRule(Rule):
    """A rule along cells in a certain order."""

    form: ClassVar[str] = "CELLS"
    parts = MappingProxyType({"CELLS": "the cells of the line, in order"})
    least: ClassVar[int] = 2
    """How many cells there are at the least."""
    tint: ClassVar[Tint | None] = None
    """The colour of the line on a board; None where the rule is drawn in another way, or not."""
    has_bulb: ClassVar[bool] = False
    has_ends: ClassVar[bool] = False

    line: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(read_cells(argument, geometry))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.line, geometry)

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.line) < self.least:
            raise SatdokuError(f"a line has at least {self.least} cells, not {len(self.line)}")

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.line

    def find_gap(self, geometry: Geometry) -> str:
        # What is not drawn as a line may speak of any two cells.
        for one, other in pairwise(self.line if self.tint is not None else ()):
            places = zip(divmod(one, geometry.size), divmod(other, geometry.size), strict=True)
            if any(abs(here - there) > 1 for here, there in places):
                return f"{geometry.name_of(one)} and {geometry.name_of(other)}"
        return ""

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        if self.tint is not None:
            yield Line(self.line, self.tint, self.has_bulb, self.has_ends)

    def along(self, geometry: Geometry) -> str:
        """The names of the cells, for sentences."""
        return write_cells(self.line, geometry)


@value(frozen=True)
class MarkedRule(Rule):
    """A rule about some cells whose order does not matter."""

    form: ClassVar[str] = "CELLS"

    marked: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        # Sorted, so that the same cells in another order are the same rule.
        return cls(tuple(sorted(read_cells(argument, geometry))))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.marked, geometry)

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.marked
