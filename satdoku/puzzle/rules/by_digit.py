"""Rules of the whole board that are about certain digits: anti-taxicab, Dutch flat mates."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from satdoku.puzzle.constraints import Constraint, Pair, Some, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.everywhere import ApartRule
from satdoku.puzzle.rules.group_rule import GroupRule


class AntiTaxicab(ApartRule):
    """Two cells with the same digit n are never n steps apart, counted up, down and sideways."""

    name: ClassVar[str] = "anti-taxicab"
    counts: ClassVar[bool] = True
    why: ClassVar[str] = "as many steps apart as the digit says"

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells hold the same digit {self.why}"

    def are_apart(self, geometry: Geometry, first: int, second: int, digit: int) -> bool:
        return _steps(geometry, first, second) == self.value(digit)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # One tuple for all pairs with the same distance: there are thousands.
        excludes_at = {
            self.value(digit): tuple(
                1 << digit if each == digit else 0 for each in range(geometry.size + 1)
            )
            for digit in range(1, geometry.size + 1)
        }
        for first, second in combinations(range(geometry.cell_count), 2):
            excludes = excludes_at.get(_steps(geometry, first, second))
            if excludes is not None:
                yield Pair(first, second, excludes, f"{{}} and {{}} differ, or are not {self.why}")


def _steps(geometry: Geometry, one: int, other: int) -> int:
    rows = abs(geometry.row_of(one) - geometry.row_of(other))
    return rows + abs(geometry.column_of(one) - geometry.column_of(other))


class DutchFlatmates(GroupRule):
    """The middle digit has the lowest one directly above it, or the highest directly below."""

    name: ClassVar[str] = "dutch-flatmates"

    def sentence(self, geometry: Geometry) -> str:
        low, middle, high = self._numbers(geometry)
        return f"every {middle} has a {low} directly above it, or a {high} directly below"

    def _numbers(self, geometry: Geometry) -> tuple[int, int, int]:
        return self.value(1), self.value((geometry.size + 1) // 2), self.value(geometry.size)

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        """Each cell with those above and below it, where there are any."""
        size, count = geometry.size, geometry.cell_count
        return [
            (cell, *(each for each in (cell - size, cell + size) if 0 <= each < count))
            for cell in range(count)
        ]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, middle, high = self._numbers(geometry)
        here, *others = numbers
        if here != middle:
            return True
        above = others[0] if geometry.row_of(group) > 0 else None
        below = others[-1] if geometry.row_of(group) + 1 < geometry.size else None
        return above == low or below == high

    def reason(self, geometry: Geometry) -> str:
        low, middle, high = self._numbers(geometry)
        return f"but a {middle} has a {low} above it, or a {high} below"

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        size, sentence = geometry.size, self.sentence(geometry)
        elsewhere = every_digit(size) & ~(1 << (size + 1) // 2)
        for cell in range(geometry.cell_count):
            choices = [(cell, elsewhere)]
            if geometry.row_of(cell) > 0:
                choices.append((cell - size, 1 << 1))
            if geometry.row_of(cell) + 1 < size:
                choices.append((cell + size, 1 << size))
            yield Some(tuple(choices), sentence)
