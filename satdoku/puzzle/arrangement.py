"""Boards of any shape: rows, columns and digits apart, holes, and cells beside the board.

An `Arrangement` is a geometry that is not a plain square. It is a set of cells, all with the same
range of digits, and an arrangement of some of them as a board. Cells of the board are numbered in
reading order, holes left out; cells beside the board follow, group by group, and have names of
their own.

An arrangement is written as one text, which `--box` and the entry `box` take:

    board:6x6:digits=9                        rows and columns of six cells, digits 1 to 9
    board:9x9:boxes=3x3:beside=VS*3+VT*2x4    a usual board, VS1 to VS3, and VT1 to VT8 in two rows
    board:4x4:raw:digits=2                    cells only: no rows, columns or boxes
    board:15x15:digits=9:boxes=3x3:areas=r1c1+r7c7
                                              two boards of 9x9 that share a box; the rest is holes

What is a plain square after all is read as a plain `Geometry`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.value import value

SIGN = "board:"
"""What begins the text of an arrangement."""

MOST_LINES = 60
"""The most rows, and the most columns: a larger number is a slip."""
MOST_BESIDE = 1_000
"""The most cells beside a board; published puzzles have up to two hundred."""
MOST_DIGITS = 36

Corner = tuple[int, int]
"""Row and column of the first cell of an area, counted from 0."""


class Group(NamedTuple):
    """Cells beside the board: `VS*3` is VS1 to VS3, and a group of one cell is called as itself.

    `width` is the length of its rows, 0 if none is said; then they are as long as the board's.
    """

    name: str
    length: int
    width: int = 0

    @property
    def names(self) -> list[str]:
        """Return the names of the cells, in order."""
        if self.length == 1:
            return [self.name]
        return [f"{self.name}{number}" for number in range(1, self.length + 1)]

    def __str__(self) -> str:
        if self.width:
            return f"{self.name}*{self.length // self.width}x{self.width}"
        return self.name if self.length == 1 else f"{self.name}*{self.length}"


@value(frozen=True)
class Arrangement(Geometry):
    """A board that is no plain square, with the cells beside it.

    `areas` are the corners of the square boards of which it consists, each with rows, columns and
    boxes; what no area covers is a hole. Without any, the whole board is one area. A `is_raw`
    board has no rows, columns and boxes. Without boxes, `box_rows` and `box_columns` are 0.

    >>> Arrangement.read("board:4x6:beside=VS*2").name_of(25)
    'VS2'
    """

    box_rows: int = 0
    box_columns: int = 0
    height: int = 9
    width: int = 9
    digits: int = 9
    is_raw: bool = False
    areas: tuple[Corner, ...] = ()
    groups: tuple[Group, ...] = ()

    is_plain = False

    def __post_init__(self) -> None:
        _require_size(self)
        _require_boxes(self)
        _require_areas(self)
        _require_groups(self.groups)

    @classmethod
    def read(cls, text: str) -> Geometry:
        """Return the board that a text describes; a plain geometry if it is a plain square."""
        return _read(text.strip())

    @property
    def simplest(self) -> Geometry:
        """Return the plain geometry that this board is, or else the arrangement itself."""
        return self if self.groups or self.core is None else self.core

    @cached_property
    def core(self) -> Geometry | None:
        """Return the plain board beside which there are further cells; None if it is not plain."""
        is_square = self.height == self.width == self.digits and not (self.is_raw or self.areas)
        return Geometry(self.box_rows, self.box_columns) if is_square and self.box_rows else None

    # Cells and their places.

    @cached_property
    def size(self) -> int:
        """Return the number of digits."""
        return self.digits

    @cached_property
    def places(self) -> tuple[Corner, ...]:
        """Return the row and column, from 0, of each cell of the board."""
        every = ((row, column) for row in range(self.height) for column in range(self.width))
        if not self.areas:
            return tuple(every)
        return tuple(place for place in every if self._areas_at(*place))

    @cached_property
    def board_count(self) -> int:
        return len(self.places)

    @cached_property
    def cell_count(self) -> int:
        return self.board_count + sum(group.length for group in self.groups)

    @cached_property
    def _cell_of_place(self) -> dict[Corner, int]:
        return {place: cell for cell, place in enumerate(self.places)}

    @cached_property
    def names_beside(self) -> tuple[str, ...]:
        """Return the names of the cells beside the board, in order."""
        return tuple(name for group in self.groups for name in group.names)

    @cached_property
    def _cell_of_name(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names_beside, self.board_count)}

    @property
    def beside_board(self) -> Sequence[tuple[str, int, int]]:
        return [(each.name, each.length, each.width or self.width) for each in self.groups]

    def cells_of(self, group: str) -> range:
        """Return the cells of a group by its name; empty for the board."""
        first = self.board_count
        for each in self.groups:
            if each.name == group:
                return range(first, first + each.length)
            first += each.length
        raise SatdokuError(f"there are no cells {quote(group, 20)} beside this board")

    def width_of(self, group: str) -> int:
        """Return how long the rows of a group are."""
        found = next((each.width for each in self.groups if each.name == group), 0)
        return found or self.width

    def cell_at(self, row: int, column: int) -> int | None:
        return self._cell_of_place.get((row, column))

    def cell_named(self, name: str) -> int | None:
        return self._cell_of_name.get(name.upper())

    def cells_named(self, name: str) -> Sequence[int]:
        found = self.cell_named(name)
        if found is not None:
            return (found,)
        is_group = any(group.name == name.upper() for group in self.groups)
        return self.cells_of(name.upper()) if is_group else ()

    def row_of(self, cell: int) -> int:
        return self.places[cell][0] if cell < self.board_count else -1

    def column_of(self, cell: int) -> int:
        return self.places[cell][1] if cell < self.board_count else -1

    def box_of(self, cell: int) -> int:
        """Return the first of the boxes with the cell; -1 if it is in none."""
        return next(iter(self.boxes_with(cell)), -1)

    def name_of(self, cell: int) -> str:
        if cell < self.board_count:
            row, column = self.places[cell]
            return f"r{row + 1}c{column + 1}"
        return self.names_beside[cell - self.board_count]

    def row_cells(self, row: int) -> Sequence[int]:  # type: ignore[override]
        return self._line((row, column) for column in range(self.width))

    def column_cells(self, column: int) -> Sequence[int]:  # type: ignore[override]
        return self._line((row, column) for row in range(self.height))

    def _line(self, places: Iterator[Corner]) -> tuple[int, ...]:
        found = (self._cell_of_place.get(place) for place in places)
        return tuple(cell for cell in found if cell is not None)

    def box_cells(self, box: int) -> tuple[int, ...]:
        return self.boxes[box].cells

    def beside(self, cell: int) -> Iterator[int]:
        if cell >= self.board_count:
            yield from self._beside_in_group(cell)
            return
        row, column = self.places[cell]
        for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            found = self._cell_of_place.get(place)
            if found is not None:
                yield found

    def _beside_in_group(self, cell: int) -> Iterator[int]:
        cells, width = self._group_with(cell)
        place = cell - cells.start
        ways = (
            (-width, True),
            (width, True),
            (-1, place % width > 0),
            (1, (place + 1) % width > 0),
        )
        for step, is_open in ways:
            if is_open and cell + step in cells:
                yield cell + step

    def _group_with(self, cell: int) -> tuple[range, int]:
        """Return the cells of the group with a cell, and the length of its rows."""
        for group in self.groups:
            cells = self.cells_of(group.name)
            if cell in cells:
                return cells, self.width_of(group.name)
        raise SatdokuError(f"there is no cell {cell} beside this board")

    def squares(self, cells: Iterable[int]) -> Iterator[tuple[int, ...]]:
        for cell in cells:
            if cell < self.board_count:
                yield from super().squares((cell,))
                continue
            group, width = self._group_with(cell)
            square = (cell, cell + 1, cell + width, cell + width + 1)
            if (cell - group.start + 1) % width and square[-1] in group:
                yield square

    def written_cells(self, cells: Iterable[int]) -> str:
        listed = tuple(cells)
        for group in self.groups:
            if group.length > 1 and listed == tuple(self.cells_of(group.name)):
                return group.name
        return super().written_cells(listed)

    def touch(self, one: int, other: int) -> bool:
        if one >= self.board_count or other >= self.board_count:
            return one == other
        places = zip(self.places[one], self.places[other], strict=True)
        return all(abs(here - there) < 2 for here, there in places)

    def peers_of(self, cell: int) -> frozenset[int]:
        units = (unit for unit in self.units if cell in unit.cells)
        return frozenset(other for unit in units for other in unit.cells) - {cell}

    # Rows, columns and boxes: those of each area.

    @property
    def _spans(self) -> list[tuple[str, int, int, int, int]]:
        """Return the name, the corner, and the numbers of rows and columns of each area."""
        if self.is_raw:
            return []
        if not self.areas:
            return [("", 0, 0, self.height, self.width)]
        side = self.digits
        return [
            (f"board {number} ", row, column, side, side)
            for number, (row, column) in enumerate(self.areas, 1)
        ]

    @cached_property
    def rows(self) -> tuple[Unit, ...]:
        return tuple(
            Unit(f"{name}row", row, self._line((top + row, left + c) for c in range(width)))
            for name, top, left, height, width in self._spans
            for row in range(height)
        )

    @cached_property
    def columns(self) -> tuple[Unit, ...]:
        return tuple(
            Unit(
                f"{name}column", column, self._line((top + r, left + column) for r in range(height))
            )
            for name, top, left, height, width in self._spans
            for column in range(width)
        )

    @cached_property
    def boxes(self) -> tuple[Unit, ...]:
        if not self.box_rows:
            return ()
        down, right = self.box_rows, self.box_columns
        found = []
        for name, top, left, height, width in self._spans:
            corners = [(r, c) for r in range(0, height, down) for c in range(0, width, right)]
            for number, (row, column) in enumerate(corners):
                inside = [
                    (top + row + r, left + column + c) for r in range(down) for c in range(right)
                ]
                found.append(Unit(f"{name}box", number, self._line(iter(inside))))
        return tuple(found)

    def rows_with(self, cell: int) -> Sequence[int]:
        return [first + row for first, row, _ in self._places_in_areas(cell, self.height)]

    def columns_with(self, cell: int) -> Sequence[int]:
        return [first + column for first, _, column in self._places_in_areas(cell, self.width)]

    def boxes_with(self, cell: int) -> Sequence[int]:
        if not self.box_rows:
            return ()
        _, _, _, height, width = self._spans[0] if self._spans else ("", 0, 0, 0, 0)
        across = width // self.box_columns
        count = height // self.box_rows * across
        return [
            first * count + row // self.box_rows * across + column // self.box_columns
            for first, row, column in self._places_in_areas(cell, 1)
        ]

    def _places_in_areas(self, cell: int, length: int) -> list[tuple[int, int, int]]:
        """Return for each area with the cell its number times `length`, and row and column in it.

        Computed from the corners and not from the units, so that each statement checks the other.
        """
        if self.is_raw or cell >= self.board_count:
            return []
        row, column = self.places[cell]
        if not self.areas:
            return [(0, row, column)]
        step = 1 if length == 1 else self.digits
        return [
            (number * step, row - self.areas[number][0], column - self.areas[number][1])
            for number in self._areas_at(row, column)
        ]

    def _areas_at(self, row: int, column: int) -> list[int]:
        side = self.digits
        return [
            number
            for number, (top, left) in enumerate(self.areas)
            if top <= row < top + side and left <= column < left + side
        ]

    # Text.

    @property
    def as_argument(self) -> str:
        return f", Geometry.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:  # type: ignore[override]
        return _read, (str(self),)

    @property
    def board_words(self) -> str:
        words = f"{self.height}x{self.width}"
        if self.digits != max(self.height, self.width):
            words += f" with {self.digits} digits"
        return words

    def __repr__(self) -> str:
        return f"Geometry.parse({str(self)!r})"

    def __str__(self) -> str:
        parts = [f"{SIGN}{self.height}x{self.width}"]
        parts += ["raw"] if self.is_raw else []
        parts += [f"digits={self.digits}"] if self.digits != max(self.height, self.width) else []
        parts += [f"boxes={self.box_rows}x{self.box_columns}"] if self.box_rows else []
        corners = "+".join(f"r{row + 1}c{column + 1}" for row, column in self.areas)
        parts += [f"areas={corners}"] if corners else []
        parts += [f"beside={'+'.join(map(str, self.groups))}"] if self.groups else []
        return ":".join(parts)


# Boards of several areas that have names: the first digits are those of 9x9.

_CROSS = "r1c1+r1c13+r7c7+r13c1+r13c13"
NAMED = {
    "samurai": f"board:21x21:digits=9:boxes=3x3:areas={_CROSS}",
    "twodoku": "board:15x15:digits=9:boxes=3x3:areas=r1c1+r7c7",
    "butterfly": "board:12x12:digits=9:boxes=3x3:areas=r1c1+r1c4+r4c1+r4c4",
    "flower": "board:15x15:digits=9:boxes=3x3:areas=r1c4+r4c1+r4c4+r4c7+r7c4",
    "sohei": "board:21x21:digits=9:boxes=3x3:areas=r1c7+r7c1+r7c13+r13c7",
    "windmill": "board:21x21:digits=9:boxes=3x3:areas=r1c4+r4c13+r7c7+r10c1+r13c10",
}
"""Well-known boards of several areas, by the names that people call them."""

_PLACE = "(?i)r([0-9]{1,4})c([0-9]{1,4})"
_TIMES = "(?i)([0-9]{1,9})x([0-9]{1,9})"
_GROUP = r"([A-Za-z]{1,12})(?:\*(?:([0-9]{1,9})x)?([0-9]{1,9}))?"
_EXAMPLE = "board:6x6:digits=9"


@lru_cache(maxsize=64)  # so that all boards of an arrangement share their units
def _read(text: str) -> Geometry:
    text = NAMED.get(text.lower(), text)
    first, *parts = text.removeprefix(SIGN).split(":")
    height, width = _numbers(first, f"a board is rows by columns, as in {_EXAMPLE}")
    fields: dict[str, object] = {"height": height, "width": width, "digits": max(height, width)}
    known = {"raw": _raw, "digits": _digits, "boxes": _boxes, "areas": _areas, "beside": _beside}
    for part in parts:
        name, _, argument = part.partition("=")
        if name not in known:
            raise SatdokuError(f"{quote(part, 40)} is none of {', '.join(known)} of a board")
        fields |= known.pop(name)(argument)
    return Arrangement(**fields).simplest  # type: ignore[arg-type]


def _numbers(text: str, fault: str) -> tuple[int, int]:
    found = re.fullmatch(_TIMES, text.strip())
    if found is None:
        raise SatdokuError(f"{quote(text, 40)} is no size: {fault}")
    return int(found[1]), int(found[2])


def _raw(text: str) -> dict[str, object]:
    return {"is_raw": True}


def _digits(text: str) -> dict[str, object]:
    if not (text.isdecimal() and text.isascii() and len(text) < 10):
        raise SatdokuError(f"{quote(text, 40)} is no number of digits, as in {_EXAMPLE}")
    return {"digits": int(text)}


def _boxes(text: str) -> dict[str, object]:
    rows, columns = _numbers(text, "boxes are rows by columns, as in boxes=3x3")
    if not rows or not columns:
        raise SatdokuError(f"a box of {text} has no cells; both numbers must be 1 or more")
    return {"box_rows": rows, "box_columns": columns}


def _areas(text: str) -> dict[str, object]:
    corners = []
    for word in text.split("+"):
        found = re.fullmatch(_PLACE, word.strip())
        if found is None:
            raise SatdokuError(
                f"{quote(word, 40)} is no first cell of an area, as in areas=r1c1+r7c7"
            )
        corners.append((int(found[1]) - 1, int(found[2]) - 1))
    return {"areas": tuple(corners)}


def _beside(text: str) -> dict[str, object]:
    groups = []
    for word in text.split("+"):
        found = re.fullmatch(_GROUP, word.strip())
        if found is None:
            raise SatdokuError(f"{quote(word, 40)} names no cells beside the board, as VS*3 does")
        rows, last = int(found[2] or 0), int(found[3] or 1)
        count, width = (rows * last, last) if found[2] else (last, 0)
        groups.append(Group(found[1].upper(), count, width))
    return {"groups": tuple(groups)}


def _require_size(arrangement: Arrangement) -> None:
    for number, what in ((arrangement.height, "rows"), (arrangement.width, "columns")):
        if not 1 <= number <= MOST_LINES:
            raise SatdokuError(f"a board has 1 to {MOST_LINES} {what}, not {number:,}")
    if not 1 <= arrangement.digits <= MOST_DIGITS:
        raise SatdokuError(
            f"a board of this kind has 1 to {MOST_DIGITS} digits, not {arrangement.digits:,}"
        )
    longest = max(arrangement.height, arrangement.width)
    if not (arrangement.is_raw or arrangement.areas) and arrangement.digits < longest:
        raise SatdokuError(
            f"a row or column of {longest} cells cannot hold {arrangement.digits} digits once "
            "each; a board without rows and columns is raw"
        )


def _require_boxes(arrangement: Arrangement) -> None:
    rows, columns = arrangement.box_rows, arrangement.box_columns
    if not rows:
        if arrangement.areas:
            raise SatdokuError("a board of several areas needs boxes, as in boxes=3x3")
        return
    if arrangement.is_raw:
        raise SatdokuError("a raw board has no boxes")
    side = (
        (arrangement.digits, arrangement.digits)
        if arrangement.areas
        else (arrangement.height, arrangement.width)
    )
    if rows * columns > arrangement.digits:
        raise SatdokuError(
            f"a box of {rows}x{columns} cells cannot hold {arrangement.digits} digits once"
        )
    if side[0] % rows or side[1] % columns:
        raise SatdokuError(f"boxes of {rows}x{columns} do not fill {side[0]}x{side[1]} cells")


def _require_areas(arrangement: Arrangement) -> None:
    side = arrangement.digits
    for row, column in arrangement.areas:
        if not (0 <= row <= arrangement.height - side and 0 <= column <= arrangement.width - side):
            raise SatdokuError(
                f"the area at r{row + 1}c{column + 1} has {side}x{side} cells, which are not all "
                f"on a board of {arrangement.height}x{arrangement.width}"
            )
    for one, other in combinations(arrangement.areas, 2):
        down, right = (abs(a - b) for a, b in zip(one, other, strict=True))
        meets = down < side and right < side
        is_aligned = not (down % arrangement.box_rows or right % arrangement.box_columns)
        if one == other or (meets and not is_aligned):
            names = " and ".join(f"r{row + 1}c{column + 1}" for row, column in (one, other))
            fault = (
                "are the same" if one == other else "share parts of boxes; they share whole ones"
            )
            raise SatdokuError(f"the areas at {names} {fault}")


def _require_groups(groups: Sequence[Group]) -> None:
    seen: set[str] = set()
    for group in groups:
        if group.length < 1:
            raise SatdokuError(f"the group {group.name} has no cells")
        if sum(each.length for each in groups) > MOST_BESIDE:
            largest = max(groups, key=lambda each: each.length)
            raise SatdokuError(
                f"at most {MOST_BESIDE:,} cells stand beside a board, and {largest.name} has "
                f"{largest.length:,}"
            )
        twice = seen.intersection(group.names)
        if twice:
            raise SatdokuError(f"two cells beside the board are called {min(twice)}")
        seen.update(group.names)
