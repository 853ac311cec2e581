"""The shapes of what f-puzzles lists under a key, and the arguments of ours that say the same.

An entry is one object in the list of a key, such as `{"cells": ["R1C1", "R1C2"], "value": "9"}`.
Each shape reads the arguments of our rules from it, and writes it for one of these.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.names import (
    our_cell,
    our_cells,
    our_diagonal,
    our_line,
    row_and_column,
    their_cells,
    their_place,
    without_loops,
)
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS, diagonal_places

Entry = Mapping[str, Any]


class EntryShape(ABC):
    """What the entries of a key look like; `size` is that of the board."""

    keys: ClassVar[frozenset[str]]
    """What an entry may say; colours, widths and the like aside."""
    is_joined: ClassVar[bool] = False
    """Whether all entries together are one rule, and each says a part of its argument."""

    @abstractmethod
    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        """The argument of each of our rules that the entry stands for."""

    @abstractmethod
    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        """The entries for one of our rules."""


_SILENT = frozenset({
    "outlineC", "baseC", "fontC", "size", "width", "height", "angle", "fromConstraint", "cArray",
    "fromRangskSolver", "isNewConstraint", "hidden", "color", "opacity",
})  # fmt: skip
"""What entries say of how they look."""


def entries_of(
    board: Mapping[str, Any], key: str, known: Collection[str]
) -> Iterator[tuple[str, Entry]]:
    """The entries of a key, each with its place in words, be they empty.

    What one says besides `known` may change what it means, so that is a RuleError.
    """
    listed = board.get(key) or []
    if not isinstance(listed, list):
        raise RuleError(f"{key} is not a list")
    for number, entry in enumerate(listed, 1):
        place = f"{key} {number}"
        if not isinstance(entry, dict):
            raise RuleError(f"{place}: {quote(str(entry))} is not an object")
        for name, said in entry.items():
            if name not in known and name not in _SILENT and said:
                raise RuleError(f"{place}: {quote(name)} is not known")
        yield place, entry


def value_of(entry: Entry) -> str:
    """What an entry says as its value: a number as text, empty where there is none."""
    # Some programs write numbers as text, others do not.
    value = entry.get("value")
    text = "" if value is None else str(value).strip()
    if text and not text.isdecimal():
        raise RuleError(f"the value {quote(text)} is not a number")
    return text


def is_empty(entry: Entry, place: str) -> bool:
    """Return whether an entry says nothing, as f-puzzles leaves it when its cells are rubbed out.

    RuleError, which names the place, for an entry that names no cell and yet says something: its
    cells are lost, and without the rule the board would be another puzzle.
    """
    if any(entry.get(key) for key in _NAMING):
        return False
    odd = next((key for key in _LISTING if not isinstance(entry.get(key), list | None)), None)
    said = (key for key, value in entry.items() if value and key not in _SILENT | {"direction"})
    if (rest := odd or next(said, None)) is not None:
        raise RuleError(f"{place}: {quote(rest)} is there, but no cells")
    return True


_LISTING = ("cells", "cloneCells", "lines")
_NAMING = ("cell", *_LISTING)
"""What names cells in an entry."""


def _split(argument: str) -> tuple[str, str]:
    """The value before `=`, empty where there is none, and what is behind it."""
    value, _, rest = argument.rpartition("=")
    return value, rest


@dataclass(frozen=True)
class Marked(EntryShape):
    """A cell in each entry; all of them together are one rule."""

    keys = frozenset({"cell"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cell(entry.get("cell"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cell": cell} for cell in their_cells(argument)]


@dataclass(frozen=True)
class Indexers(EntryShape):
    """Cells in each entry; all of them together are one rule."""

    keys = frozenset({"cells"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cells(entry.get("cells"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cells": [cell]} for cell in their_cells(argument)]


@dataclass(frozen=True)
class CellList(EntryShape):
    """Some cells, and a value where `has_value`."""

    keys = frozenset({"cells", "value"})

    has_value: bool = False

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        cells = our_cells(entry.get("cells"), size)
        value = value_of(entry) if self.has_value else ""
        yield f"{value}={cells}" if value else cells

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        value, cells = _split(argument)
        entry = {"cells": their_cells(cells)}
        return [{**entry, "value": value} if value else entry]


@dataclass(frozen=True)
class LineList(EntryShape):
    """Several lines in each entry, each a rule of its own; perhaps one value for all of them."""

    keys = frozenset({"lines", "value"})

    has_value: bool = False
    may_loop: bool = False
    """Whether only neighbours on the line matter, so that it may come back to a cell."""
    least: int = 2
    """Of how many cells a line says something: a click of the mouse makes one of a single cell."""

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        value = value_of(entry) if self.has_value else ""
        for line in lines_of(entry):
            cells = our_cells(line, size)
            if cells.count(",") + 1 < self.least:
                continue
            for part in without_loops(cells) if self.may_loop else [cells]:
                yield f"{value}={part}" if value else part

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        value, cells = _split(argument)
        if "/" in cells:
            raise SatdokuError("a line that is split otherwise than by regions")
        entry = {"lines": [their_cells(cells)]}
        return [{**entry, "value": value} if value else entry]


def lines_of(entry: Entry) -> list[object]:
    """The lines of an entry, each a list of cells; without those that have none."""
    lines = entry.get("lines") or []
    if not isinstance(lines, list):
        raise RuleError(f"{quote(str(lines))} is not a list of lines")
    return [line for line in lines if line]


@dataclass(frozen=True)
class Arrows(EntryShape):
    """The cells of a circle or pill, and shafts, each of which begins in it."""

    keys = frozenset({"cells", "lines"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        circle = our_cells(entry.get("cells"), size)
        for line in lines_of(entry):
            shaft = our_cells(line, size).split(",")
            # The first cell of a shaft lies in the circle, of which it is drawn from.
            shaft = shaft[1:] if shaft[0] in circle.split(",") else shaft
            # A circle alone is a drawing: setters' programs know no sum of nothing.
            if shaft:
                yield f"{circle}={','.join(shaft)}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        # There a shaft is drawn from within its circle, which our arguments leave out.
        circle, shaft = (their_cells(cells) for cells in _split(argument))
        return [{"cells": circle, "lines": [[_nearest(circle, shaft[0]), *shaft]]}]


def _nearest(circle: list[str], cell: str) -> str:
    """The cell of a pill from which a shaft begins."""
    row, column = row_and_column(cell)

    def distance(other: str) -> int:
        at_row, at_column = row_and_column(other)
        return max(abs(row - at_row), abs(column - at_column))

    return min(circle, key=distance)


@dataclass(frozen=True)
class LineClue(EntryShape):
    """A number beside a row or column; without a number it is no clue."""

    keys = frozenset({"cell", "value"})

    either_end: bool = False
    """Whether it makes no difference from which end a line is read."""

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        line = our_line(entry.get("cell"), size)
        if value := value_of(entry):
            yield f"{line.partition('.')[0] if self.either_end else line}={value}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        line, _, value = argument.partition("=")
        return [{"cell": their_place(line, size), "value": value}]


@dataclass(frozen=True)
class Diagonals(EntryShape):
    """A number where a diagonal begins, one step outside; without a number it is no clue."""

    keys = frozenset({"cell", "cells", "value", "direction"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        diagonal = our_diagonal(entry.get("cell"), entry.get("direction"), size)
        # A clue of 0 is one that nobody has filled in.
        if value := value_of(entry).lstrip("0"):
            yield f"{diagonal}={value}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        diagonal, _, value = argument.partition("=")
        start, _, way = diagonal.partition(".")
        (row, column), (down, right) = row_and_column(start), DIAGONAL_STEPS[way]
        cells = [f"R{row}C{column}" for row, column in diagonal_places(row, column, way, size)]
        outside = f"R{row - down}C{column - right}"
        return [{"cell": outside, "cells": cells, "direction": way.upper(), "value": value}]


@dataclass(frozen=True)
class Clones(EntryShape):
    """Cells, and as many that hold the same."""

    keys = frozenset({"cells", "cloneCells"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        first, second = (our_cells(entry.get(key), size) for key in ("cells", "cloneCells"))
        yield f"{first}={second}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        first, second = (their_cells(cells) for cells in _split(argument))
        return [{"cells": first, "cloneCells": second}]


@dataclass(frozen=True)
class Quadruples(EntryShape):
    """Four cells around a corner, and digits that stand in them."""

    keys = frozenset({"cells", "values"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        cells = our_cells(entry.get("cells"), size).split(",")
        corner = min(map(row_and_column, cells))
        # Our rule knows the corner alone, so other cells would be changed without a word.
        if {row_and_column(cell) for cell in cells} != set(_four_cells(*corner)):
            raise RuleError(f"{','.join(cells)} are not four cells around a corner")
        values = entry.get("values")
        if not isinstance(values, list) or not all(str(value).isdecimal() for value in values):
            raise RuleError(f"{quote(str(values))} is not a list of digits")
        if values:
            yield f"{'/'.join(map(str, values))}=r{corner[0]}c{corner[1]}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        digits, cell = _split(argument)
        cells = [f"R{row}C{column}" for row, column in _four_cells(*row_and_column(cell))]
        return [{"cells": cells, "values": [int(digit) for digit in digits.split("/")]}]


def _four_cells(row: int, column: int) -> list[tuple[int, int]]:
    return [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
