"""Boards: the shape of a board (`Geometry`), and a board with digits in its cells (`Grid`)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import isqrt
from typing import ClassVar, NamedTuple

from satdoku.errors import SatdokuError, count_of, quote
from satdoku.puzzle.value import Shown, fit_line, value

# The shape of a board: which cells, rows, columns and boxes there are.
#
# A geometry is given by its boxes, R rows by C columns; the board then has N = R*C digits, rows,
# columns and boxes. Cells are numbered from 0, row by row. This is 2x3, a board of 6x6:
#
#      0  1  2 |  3  4  5
#      6  7  8 |  9 10 11      box 0 | box 1
#     ---------+---------      ------+------
#     12 13 14 | 15 16 17      box 2 | box 3
#        ...                   ...

# At most nine digits: more than any board needs, and few enough for Python to parse quickly.
_BOX_SHAPE = r"\s*([0-9]{1,9})\s*[xX]\s*([0-9]{1,9})\s*"


class Unit(NamedTuple):
    """Cells in which no digit repeats: a row, a column, a box, or a unit that a rule adds.

    `number` counts the units of a kind from 0; it is None for the only unit of its kind.
    """

    kind: str
    number: int | None
    cells: tuple[int, ...]

    def __str__(self) -> str:
        """Return the name that users see, counted from 1: `row 3`."""
        return self.kind if self.number is None else f"{self.kind} {self.number + 1}"


@value(frozen=True)
class Geometry:
    """A board whose boxes have `box_rows` rows and `box_columns` columns."""

    box_rows: int = 3
    box_columns: int = 3

    is_plain: ClassVar[bool] = True
    """Whether the board has as many rows, columns and boxes as digits, and no other cells.

    All other boards are instances of the subclass in `arrangement.py`.
    """

    def __post_init__(self) -> None:
        if self.box_rows < 1 or self.box_columns < 1:
            raise SatdokuError(f"a box of {self} has no cells; both numbers must be 1 or more")

    @classmethod
    @lru_cache(maxsize=16)  # Cached, so that all boards of a shape share their units.
    def of_size(cls, size: int) -> "Geometry":
        """Return the usual box shape for `size` digits: nearly square, wide rather than high.

        >>> Geometry.of_size(6)
        Geometry(box_rows=2, box_columns=3)
        """
        if size < 1:
            raise SatdokuError(f"a board of {size} digits has no cells")
        # The largest divisor up to the square root. For a prime size it is 1, and the boxes equal
        # the rows.
        box_rows = next(r for r in range(int(size**0.5), 0, -1) if size % r == 0)
        return cls(box_rows, size // box_rows)

    @classmethod
    def parse(cls, text: str) -> "Geometry":
        """Return the shape that a text names: rows and columns of a box, or a board of another
        shape.

        >>> Geometry.parse("2x3")
        Geometry(box_rows=2, box_columns=3)
        """
        shape = re.fullmatch(_BOX_SHAPE, text)
        if shape is None and is_arrangement(text):
            # Imported here because few boards need it.
            from satdoku.puzzle.arrangement import Arrangement

            return Arrangement.read(text)
        if shape is None:
            raise SatdokuError(f"{quote(text)} is not a box shape such as 2x3, rows by columns")
        return cls(int(shape[1]), int(shape[2]))

    # Cached, like the units below: loops over all cells read it often, and all boards of one shape
    # share one geometry.
    @cached_property
    def size(self) -> int:
        """Return the number of digits, which is also the number of rows, columns and boxes."""
        return self.box_rows * self.box_columns

    @cached_property
    def cell_count(self) -> int:
        return self.size * self.size

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return self.size

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return self.size

    @property
    def board_count(self) -> int:
        """Return the number of cells on the board, without those beside the board."""
        return self.cell_count

    @property
    def core(self) -> "Geometry | None":
        """Return the plain board with the same cell numbers (without cells beside it); None if
        there is none.
        """
        return self

    def row_of(self, cell: int) -> int:
        return cell // self.size

    def column_of(self, cell: int) -> int:
        return cell % self.size

    def box_of(self, cell: int) -> int:
        row, column = divmod(cell, self.size)
        return row // self.box_rows * self.box_rows + column // self.box_columns

    def cell_at(self, row: int, column: int) -> int | None:
        """Return the cell of a row and a column, counted from 0; None where there is none."""
        on_board = 0 <= row < self.size and 0 <= column < self.size
        return row * self.size + column if on_board else None

    @property
    def beside_board(self) -> Sequence[tuple[str, int, int]]:
        """Return each group of cells beside the board: name, number of cells, length of a row."""
        return ()

    def cell_named(self, name: str) -> int | None:
        """Return the cell beside the board with this name; None if no cell has it."""
        return None

    def cells_named(self, name: str) -> Sequence[int]:
        """Return the cell with this name, or all cells of the group with this name, beside the
        board.
        """
        return ()

    def rows_with(self, cell: int) -> Sequence[int]:
        """Return the indices in `rows` of the rows that contain the cell."""
        return (self.row_of(cell),)

    def columns_with(self, cell: int) -> Sequence[int]:
        """Return the indices in `columns` of the columns that contain the cell."""
        return (self.column_of(cell),)

    def boxes_with(self, cell: int) -> Sequence[int]:
        """Return the indices in `boxes` of the boxes that contain the cell."""
        return (self.box_of(cell),)

    def row_cells(self, row: int) -> range:
        return range(row * self.size, (row + 1) * self.size)

    def column_cells(self, column: int) -> range:
        return range(column, self.cell_count, self.size)

    def box_cells(self, box: int) -> tuple[int, ...]:
        top = box // self.box_rows * self.box_rows
        left = box % self.box_rows * self.box_columns
        return tuple(
            row * self.size + column
            for row in range(top, top + self.box_rows)
            for column in range(left, left + self.box_columns)
        )

    @cached_property
    def rows(self) -> tuple[Unit, ...]:
        return tuple(Unit("row", n, tuple(self.row_cells(n))) for n in range(self.size))

    @cached_property
    def columns(self) -> tuple[Unit, ...]:
        return tuple(Unit("column", n, tuple(self.column_cells(n))) for n in range(self.size))

    @cached_property
    def boxes(self) -> tuple[Unit, ...]:
        return tuple(Unit("box", n, self.box_cells(n)) for n in range(self.size))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Return all rows, then all columns, then all boxes."""
        return self.rows + self.columns + self.boxes

    def beside(self, cell: int) -> Iterator[int]:
        """Yield the cells that share a side with `cell`: above, below, left and right.

        >>> list(Geometry(3, 3).beside(1))
        [10, 0, 2]
        """
        row, column = divmod(cell, self.size)
        if row > 0:
            yield cell - self.size
        if row < self.size - 1:
            yield cell + self.size
        if column > 0:
            yield cell - 1
        if column < self.size - 1:
            yield cell + 1

    def squares(self, cells: Iterable[int]) -> "Iterator[tuple[int, ...]]":
        """Yield the 2x2 squares of cells whose upper left cell is among these."""
        for cell in cells:
            row, column = self.row_of(cell), self.column_of(cell)
            places = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
            found = [self.cell_at(*place) for place in places]
            square = tuple(each for each in found if each is not None)
            if len(square) == len(found):
                yield square

    def written_cells(self, cells: Iterable[int]) -> str:
        """Return the names of cells, as text arguments of rules list them."""
        return ",".join(map(self.name_of, cells))

    def peers_of(self, cell: int) -> frozenset[int]:
        """Return the other cells that share a row, a column or a box with `cell`.

        >>> len(Geometry(3, 3).peers_of(40))
        20
        """
        return frozenset(
            (
                *self.row_cells(self.row_of(cell)),
                *self.column_cells(self.column_of(cell)),
                *self.box_cells(self.box_of(cell)),
            )
        ) - {cell}

    def touch(self, one: int, other: int) -> bool:
        """Whether two cells share a side or a corner, or are the same.

        >>> Geometry(3, 3).touch(0, 10), Geometry(3, 3).touch(8, 9)
        (True, False)
        """
        places = zip(divmod(one, self.size), divmod(other, self.size), strict=True)
        return all(abs(here - there) < 2 for here, there in places)

    def name_of(self, cell: int) -> str:
        """Return the row and column of a cell, counted from 1.

        >>> Geometry(3, 3).name_of(80)
        'r9c9'
        """
        row, column = divmod(cell, self.size)
        return f"r{row + 1}c{column + 1}"

    @property
    def board_words(self) -> str:
        """Return the size of the board in words: `9x9`."""
        return f"{self.size}x{self.size}"

    @property
    def whole_words(self) -> str:
        """Return the size of the board and the number of cells beside it in words."""
        beside = self.cell_count - self.board_count
        return self.board_words + (f" and {count_of(beside, 'cell')} beside it" if beside else "")

    @property
    def as_argument(self) -> str:
        """Return the geometry argument for `repr`; empty if the size implies the boxes."""
        return "" if self == Geometry.of_size(self.size) else f", {self!r}"

    def __reduce__(self) -> tuple[type["Geometry"], tuple[int, int]]:
        """Pickle as two numbers, without the cached units."""
        return Geometry, (self.box_rows, self.box_columns)

    def __str__(self) -> str:
        """Return the box shape as options spell it: `3x3`."""
        return f"{self.box_rows}x{self.box_columns}"


WELL_KNOWN = ("samurai", "twodoku", "butterfly", "flower", "sohei", "windmill")
"""The names of well-known boards of several areas, which `arrangement.py` defines."""


def is_arrangement(text: str) -> bool:
    """Whether a text names a board of another shape, such as `board:6x6:digits=9` or `samurai`."""
    lower = text.strip().lower()
    return lower.startswith("board:") or lower in WELL_KNOWN


# Smallest useful group: for two different cells, the bound on the sum of the group is hardly better
# than the sum of the bounds of the cells.
_LEAST_UNIT = 3


def groups_that_differ(
    cells: Iterable[int],
    units: Iterable[frozenset[int]],
    differs: Callable[[int, Sequence[int]], bool],
) -> Iterator[list[int]]:
    """Yield the cells in groups in which all digits differ. Larger groups give tighter bounds on
    sums.

    `differs` tells whether a cell differs from all of some others.
    """
    left = list(cells)
    # Take the largest intersection first. If the order followed a line through three rows, a box
    # would take cells from a row that has more of them.
    inside = [unit.intersection(left) for unit in units] if len(left) >= _LEAST_UNIT else []
    while inside:
        largest = max(inside, key=len)
        if len(largest) < _LEAST_UNIT:
            break
        yield sorted(largest)
        for cell in largest:
            left.remove(cell)
        inside = [others - largest for others in inside if len(others) >= _LEAST_UNIT]
    # The remaining cells may differ because of other rules, such as chess moves.
    groups: list[list[int]] = []
    for cell in left:
        for group in groups:
            if differs(cell, group):
                group.append(cell)
                break
        else:
            groups.append([cell])
    yield from groups


EMPTY = 0

# With up to nine digits a cell is one character; with more, cells are numbers separated by blanks.
_MOST_CHARACTERS = 9


@value(frozen=True, repr=False)
class Grid(Shown):
    """The digits of a board, cell by cell; 0 is an empty cell.

    >>> Grid.from_line("1.....2..3.....4")
    Grid.from_line('1.....2..3.....4')
    """

    geometry: Geometry
    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        size, count = self.geometry.size, self.geometry.cell_count
        if len(self.digits) != count:
            raise SatdokuError(
                f"a board of {self.geometry.board_words} has {count} cells, not {len(self.digits)}"
            )
        # `min` and `max` instead of a loop, since millions of grids are made; the loop that finds
        # the wrong cell runs only if there is one.
        if self.digits and not (min(self.digits) >= EMPTY and max(self.digits) <= size):
            cell = next(c for c, digit in enumerate(self.digits) if not 0 <= digit <= size)
            raise SatdokuError(
                f"{self.digits[cell]} at {self.geometry.name_of(cell)} is not a digit 1-{size}"
            )

    @classmethod
    def empty(cls, geometry: Geometry) -> "Grid":
        return cls(geometry, (EMPTY,) * geometry.cell_count)

    @classmethod
    def from_line(cls, line: str, geometry: Geometry | None = None) -> "Grid":
        """Return the grid of a line as `line` writes it; `satdoku.parse` reads other formats.

        The line has one character per cell, or one number per cell with blanks between them; a dot
        or 0 is an empty cell. Boxes are as square as possible unless a geometry is given.
        """
        # A line without blanks is one word, and each of its characters is a cell.
        cells = line.split() if len(line.split()) > 1 else list(line.strip())
        # If the number of cells is not a square, the constructor of the grid raises the error,
        # which states the right number.
        geometry = geometry or Geometry.of_size(max(1, isqrt(len(cells))))
        wrong = next((cell for cell in cells if cell != "." and not cell.isdecimal()), None)
        if wrong is not None:
            raise SatdokuError(f"{quote(wrong)} is neither a digit nor a dot")
        return cls(geometry, tuple(0 if cell == "." else int(cell) for cell in cells))

    @property
    def line(self) -> str:
        """Return all cells on one line: one character each for up to nine digits, else numbers."""
        texts = [str(digit) if digit else "." for digit in self.digits]
        return ("" if self.geometry.size <= _MOST_CHARACTERS else " ").join(texts)

    def __repr__(self) -> str:
        """Return a constructor call that makes the grid again; for a large board only its size."""
        written = f"Grid.from_line({self.line!r}{self.geometry.as_argument})"
        size = self.geometry.board_words
        return fit_line(written, f"<Grid {size} with {count_of(len(self.givens), 'digit')}>")

    @property
    def is_full(self) -> bool:
        return EMPTY not in self.digits

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Return the digits row by row."""
        if not self.geometry.is_plain:
            cells = map(self.geometry.row_cells, range(self.geometry.height))
            return [tuple(self.digits[cell] for cell in row) for row in cells]
        size = self.geometry.size
        return [self.digits[start : start + size] for start in range(0, len(self.digits), size)]

    @property
    def givens(self) -> dict[int, int]:
        """Return the digit of every cell that is not empty."""
        return {cell: digit for cell, digit in enumerate(self.digits) if digit != EMPTY}

    def with_digits(self, changes: Mapping[int, int]) -> "Grid":
        """Return a copy of the board with other digits in some cells."""
        digits = list(self.digits)
        for cell, digit in changes.items():
            digits[cell] = digit
        return Grid(self.geometry, tuple(digits))

    def differences(self, other: "Grid") -> tuple[int, ...]:
        """Return the cells in which two boards differ."""
        pairs: Sequence[tuple[int, int]] = list(zip(self.digits, other.digits, strict=True))
        return tuple(cell for cell, (ours, theirs) in enumerate(pairs) if ours != theirs)
