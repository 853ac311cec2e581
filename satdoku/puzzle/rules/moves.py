"""Cells a chess move apart hold different digits: anti-knight and anti-king."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint, Pair
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.rule import Clash, Rule


class MoveRule(Rule):
    """No digit stands a certain move away from itself."""

    why: ClassVar[str]
    """How two cells lie to one another: `a knight's move apart`."""
    steps: ClassVar[Sequence[tuple[int, int]]]
    """The moves that lead down, or to the right in the same row; the others are their reverses."""

    @abstractmethod
    def is_move(self, rows: int, columns: int) -> bool:
        """The definition: whether cells so many rows and columns apart must differ."""

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells {self.why} hold the same digit"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.cell_count)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        cells_with: defaultdict[int, list[int]] = defaultdict(list)
        for cell, digit in enumerate(digits):
            cells_with[digit].append(cell)
        cells_with.pop(EMPTY, None)
        for digit, cells in cells_with.items():
            for first, second in combinations(cells, 2):
                if self._are_a_move_apart(geometry, first, second):
                    yield Clash(geometry, (first, second), (digit, digit), self.why)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return digit == other_digit and self._are_a_move_apart(geometry, cell, other)

    def _are_a_move_apart(self, geometry: Geometry, first: int, second: int) -> bool:
        rows = abs(geometry.row_of(first) - geometry.row_of(second))
        columns = abs(geometry.column_of(first) - geometry.column_of(second))
        return self.is_move(rows, columns)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        size = geometry.size
        # One tuple for all pairs: there are hundreds, and thousands on large boards.
        same_digit = (0, *(1 << digit for digit in range(1, size + 1)))
        sentence = f"{{}} and {{}} differ, {self.why}"
        for row in range(size):
            for column in range(size):
                for down, right in self.steps:
                    if row + down < size and 0 <= column + right < size:
                        cell = row * size + column
                        yield Pair(cell, cell + down * size + right, same_digit, sentence)


@dataclass(frozen=True)
class AntiMove(MoveRule):
    """Cells any move apart, such as one row and three columns, hold different digits."""

    name: ClassVar[str] = "anti-move"
    example: ClassVar[str] = "1,3"
    form: ClassVar[str] = "ROWS,COLUMNS"
    parts = MappingProxyType(
        {"ROWS": "how far one way", "COLUMNS": "how far the other way; both ways round"}
    )

    one: int
    other: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        numbers = [word.strip() for word in argument.split(",")]
        if len(numbers) != 2 or not all(n.isdecimal() and len(n) < 4 for n in numbers):
            raise SatdokuError(f"{argument[:20]!r} is not a move such as 1,3")
        one, other = sorted(map(int, numbers))
        return cls(one, other)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.one},{self.other}"

    def require_fit(self, geometry: Geometry) -> None:
        if self.other == 0:
            raise SatdokuError("a move leads to another cell, so not both numbers are 0")

    @property
    def why(self) -> str:  # type: ignore[override]
        return f"a move of {self.one} by {self.other} apart"

    @property
    def steps(self) -> Sequence[tuple[int, int]]:  # type: ignore[override]
        one, other = self.one, self.other
        moves = {(a, b * sign) for a, b in ((one, other), (other, one)) for sign in (1, -1)}
        return sorted((a, b) for a, b in moves if a > 0 or b > 0)

    def is_move(self, rows: int, columns: int) -> bool:
        return (rows, columns) in ((self.one, self.other), (self.other, self.one))


class AntiKnight(MoveRule):
    """Cells a knight's move apart hold different digits."""

    name: ClassVar[str] = "anti-knight"
    why: ClassVar[str] = "a knight's move apart"
    steps = ((1, -2), (1, 2), (2, -1), (2, 1))

    def is_move(self, rows: int, columns: int) -> bool:
        return {rows, columns} == {1, 2}


class AntiKing(MoveRule):
    """Cells that touch, be it at a corner, hold different digits."""

    name: ClassVar[str] = "anti-king"
    why: ClassVar[str] = "a king's move apart"
    steps = ((0, 1), (1, -1), (1, 0), (1, 1))

    def is_move(self, rows: int, columns: int) -> bool:
        return max(rows, columns) == 1
