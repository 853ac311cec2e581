"""A board with digits on it, some of them possibly missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry

EMPTY = 0


@dataclass(frozen=True)
class Grid:
    """The digits of a board, cell by cell; 0 is an empty cell."""

    geometry: Geometry
    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        size, count = self.geometry.size, self.geometry.cell_count
        if len(self.digits) != count:
            raise SatdokuError(
                f"a board of {size}x{size} has {count} cells, not {len(self.digits)}"
            )
        if self.digits and not (min(self.digits) >= EMPTY and max(self.digits) <= size):
            cell = next(c for c, digit in enumerate(self.digits) if not 0 <= digit <= size)
            raise SatdokuError(
                f"{self.digits[cell]} at {self.geometry.name_of(cell)} is not a digit 1-{size}"
            )

    @classmethod
    def empty(cls, geometry: Geometry) -> "Grid":
        return cls(geometry, (EMPTY,) * geometry.cell_count)

    @property
    def is_full(self) -> bool:
        return EMPTY not in self.digits

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The digits row by row."""
        size = self.geometry.size
        return [self.digits[start : start + size] for start in range(0, len(self.digits), size)]

    @property
    def givens(self) -> dict[int, int]:
        """The digit of every cell that has one."""
        return {cell: digit for cell, digit in enumerate(self.digits) if digit != EMPTY}

    def with_digits(self, changes: Mapping[int, int]) -> "Grid":
        """The same board with other digits in some cells."""
        digits = list(self.digits)
        for cell, digit in changes.items():
            digits[cell] = digit
        return Grid(self.geometry, tuple(digits))

    def differences(self, other: "Grid") -> tuple[int, ...]:
        """The cells in which two boards differ."""
        pairs: Sequence[tuple[int, int]] = list(zip(self.digits, other.digits, strict=True))
        return tuple(cell for cell, (ours, theirs) in enumerate(pairs) if ours != theirs)
