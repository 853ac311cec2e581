"""Numbered rooms: the first digit of a line says at which place of it a clue stands."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Allowed, Constraint, Pair, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.outside import LINE_PART, OutsideRule
from satdoku.puzzle.rules.rule import Clash


class NumberedRoom(OutsideRule):
    """The first digit of a line says at which place of it the clue stands."""

    name: ClassVar[str] = "numbered-room"
    example: ClassVar[str] = "row1=3"
    sign: ClassVar[str] = "n"
    told: ClassVar[str] = "n outside: that digit stands where the first digit says"
    parts = MappingProxyType(
        {"LINE": LINE_PART, "NUMBER": "the digit that stands where the first digit says"}
    )

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if not self.lowest <= self.number <= self.value(geometry.size):
            raise SatdokuError(f"{self.number} is no digit of this board")

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"in {self.line.in_words}, {self.number} stands at the place that the first digit says"
        )

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        place = numbers[0]
        return 1 <= place <= len(numbers) and numbers[place - 1] == self.number

    def why(self, geometry: Geometry, group: int) -> str:
        return f"but {self.number} stands at the place that the first digit says"

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        # Two cells of the line break the rule, whatever the others hold.
        cells = self.line.cells(geometry)
        first, said = cells[0], digits[cells[0]]
        if said == EMPTY:
            return
        if self.forbids(geometry, first, said):
            why = "it says where in its line the clue stands"
            yield Clash(geometry, (first,), (said,), why)
            return
        other = cells[self.value(said) - 1]
        if digits[other] != EMPTY and self.value(digits[other]) != self.number:
            yield Clash(geometry, (first, other), (said, digits[other]), self.why(geometry, 0))

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        cells = self.line.cells(geometry)
        if cell != cells[0]:
            return False
        place = self.value(digit)
        is_clue = place != 1 or place == self.number
        return not 1 <= place <= len(cells) or not is_clue

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        first = self.line.cells(geometry)[0]
        if other == first:
            cell, digit, other, other_digit = other, other_digit, cell, digit
        place = self.value(digit)
        cells = self.line.cells(geometry)
        return (
            cell == first
            and 1 <= place <= len(cells)
            and cells[place - 1] == other
            and self.value(other_digit) != self.number
        )

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        cells = self.line.cells(geometry)
        every = every_digit(geometry.size)
        clue = 1 << self.number - self.lowest + 1
        allowed = 0
        for digit in range(1, geometry.size + 1):
            place = self.value(digit)
            if 2 <= place <= len(cells):
                excludes = [0] * (geometry.size + 1)
                excludes[digit] = every & ~clue
                sentence = f"{{}} is not {place}, or {{}} is {self.number}"
                yield Pair(cells[0], cells[place - 1], tuple(excludes), sentence)
            if 2 <= place <= len(cells) or place == self.number == 1:
                allowed |= 1 << digit
        yield Allowed(cells[0], allowed, "{} says where the clue stands")
