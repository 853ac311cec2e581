"""A board with digits in some or all of its cells."""

from collections.abc import Mapping, Sequence
from math import isqrt

from satdoku.errors import SatdokuError, count_of, quote
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.value import Shown, fit_line, value

EMPTY = 0

# With up to nine digits a cell is one character; with more it is a number, and blanks separate
# cells.
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
                f"a board of {size}x{size} has {count} cells, not {len(self.digits)}"
            )
        # `min` and `max` instead of a loop, since millions of grids are made; the wrong cell is
        # looked for only if there is one.
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

        The line has a character for each cell or, with blanks between them, a number for each; a
        dot or 0 is an empty cell. Boxes are as square as possible unless a geometry is given.
        """
        # A line without blanks is one word, and each of its characters is a cell.
        cells = line.split() if len(line.split()) > 1 else list(line.strip())
        # If the number of cells is no square, the grid raises the error, with the right number.
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
        """Return a line that makes the grid again; for a large board only its size."""
        written = f"Grid.from_line({self.line!r}{self.geometry.as_argument})"
        size = f"{self.geometry.size}x{self.geometry.size}"
        return fit_line(written, f"<Grid {size} with {count_of(len(self.givens), 'digit')}>")

    @property
    def is_full(self) -> bool:
        return EMPTY not in self.digits

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Return the digits row by row."""
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
