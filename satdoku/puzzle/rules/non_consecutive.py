"""Non-consecutive: no cell holds a digit one more or one less than its neighbour's."""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from satdoku.puzzle.constraints import Constraint, Pair, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.rule import Clash, Rule

_WHY = "consecutive digits side by side"


class NonConsecutive(Rule):
    """Cells that share a side do not hold consecutive digits, such as 4 and 5."""

    name: ClassVar[str] = "non-consecutive"

    def sentence(self, geometry: Geometry) -> str:
        return "no two cells that share a side hold consecutive digits"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.cell_count)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        size = geometry.size
        for cell, digit in enumerate(digits):
            right = [cell + 1] if geometry.column_of(cell) + 1 < size else []
            below = [cell + size] if geometry.row_of(cell) + 1 < size else []
            # Neighbours to the left and above have met this cell before.
            for other in right + below:
                if EMPTY not in (digit, digits[other]) and abs(digit - digits[other]) == 1:
                    yield Clash(geometry, (cell, other), (digit, digits[other]), _WHY)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        rows = abs(geometry.row_of(cell) - geometry.row_of(other))
        columns = abs(geometry.column_of(cell) - geometry.column_of(other))
        return rows + columns == 1 and abs(digit - other_digit) == 1

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        size, every = geometry.size, every_digit(geometry.size)
        # 5 is 0b101: the bits of the digits before and after, where the board has such digits.
        next_to = (0, *((5 << digit - 1) & every for digit in range(1, size + 1)))
        for lines in (geometry.rows, geometry.columns):
            for line in lines:
                for cell, other in zip(line.cells, line.cells[1:], strict=False):
                    yield Pair(cell, other, next_to, "{} and {} share a side and do not follow")
