"""Rules of the whole board that are about certain digits: anti-taxicab, Dutch flat mates."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from satdoku.puzzle.constraints import Constraint, Pair, Some, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.group_rule import GroupRule
from satdoku.puzzle.rules.rule import Clash, Rule

_AS_FAR = "as many steps apart as the digit says"


class AntiTaxicab(Rule):
    """No digit stands as many steps, up, down or sideways, from the same digit as it says."""

    name: ClassVar[str] = "anti-taxicab"
    counts: ClassVar[bool] = True

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells hold the same digit {_AS_FAR}"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.cell_count)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        cells_with: defaultdict[int, list[int]] = defaultdict(list)
        for cell, digit in enumerate(digits):
            cells_with[digit].append(cell)
        cells_with.pop(EMPTY, None)
        for digit, cells in cells_with.items():
            for first, second in combinations(cells, 2):
                if _steps(geometry, first, second) == self.value(digit):
                    yield Clash(geometry, (first, second), (digit, digit), _AS_FAR)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return digit == other_digit and _steps(geometry, cell, other) == self.value(digit)

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
                yield Pair(first, second, excludes, f"{{}} and {{}} differ, or are not {_AS_FAR}")


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

    def why(self, geometry: Geometry, group: int) -> str:
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
