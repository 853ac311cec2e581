"""Cages: cells with different digits that have a given sum, or another property."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import ClassVar

from satdoku.errors import SatdokuError, count_of
from satdoku.puzzle.constraints import Constraint, Masks, Sets, mask_of
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.rules.arguments import (
    read_cells,
    read_numbered_cells,
    read_valued_cells,
    write_cells,
)
from satdoku.puzzle.rules.group_rule import GroupRule, Sum, SumRule, bounded
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule, why_crowded
from satdoku.puzzle.value import value

# Most sets of digits that a cage lists: cages on 16x16 have at most 12,870. Larger cages state only
# their sum.
_MOST_SETS = 15_000


class DifferentDigits(GroupRule):
    """Base of cages and lines whose digits differ from each other."""

    order_matters: ClassVar[bool] = False
    what: ClassVar[str]

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        has_twice = False
        for cells in self.groups(geometry):
            for cell, other in combinations(cells, 2):
                if digits[cell] == digits[other] != 0:
                    has_twice = True
                    why = f"in the {self.what} at {geometry.name_of(cells[0])}"
                    yield Clash(geometry, (cell, other), (digits[cell], digits[other]), why)
        # If a digit repeats, the sum is not reported: correcting the digit changes the sum.
        if not has_twice:
            yield from super().find_clashes(geometry, digits)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        is_twice = digit == other_digit and self.are_all_different(geometry, (cell, other))
        return is_twice or super().forbids_both(geometry, cell, digit, other, other_digit)

    def why_impossible(self, geometry: Geometry) -> str:
        crowds = (why_crowded(geometry, cells) for cells in self.groups(geometry))
        return next(filter(None, crowds), "") or super().why_impossible(geometry)

    def are_all_different(self, geometry: Geometry, cells: Sequence[int]) -> bool:
        return any(set(cells) <= set(group) for group in self.groups(geometry))

    def unit(self, geometry: Geometry, cells: tuple[int, ...]) -> Unit:
        """Return the cells as a unit."""
        return Unit(f"the {self.what} at {geometry.name_of(cells[0])}", None, cells)


@value(frozen=True)
class CageRule(DifferentDigits):
    """Base of cages: the digits differ, and the subclass adds a further condition."""

    fits_every_board: ClassVar[bool] = True
    what: ClassVar[str] = "cage"

    cage: tuple[int, ...]

    @property
    def corner(self) -> str:
        """Return the text in the corner of the cage."""
        return ""

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("cage", self.cage, self.corner)

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        # `reached` are the cells connected with the first cell so far; `rest` are the other cells.
        reached, rest = [self.cage[0]], list(self.cage[1:])
        for cell in reached:
            found = [other for other in rest if geometry.touch(cell, other)]
            reached += found
            rest = [other for other in rest if other not in found]
        return [(self.cage[0], rest[0])] if rest else ()

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.cage]


@value(frozen=True)
class Killer(CageRule, SumRule):
    """The digits of a cage differ and sum to the number in its corner, if it has one."""

    reads = "values"
    name: ClassVar[str] = "killer"
    label: ClassVar[str] = "cage"
    heading: ClassVar[str] = "killer cage"
    is_unmistakable: ClassVar[bool] = True
    drawn_at_random: ClassVar[str] = "cages"
    example: ClassVar[str] = "7=r1c1,r1c2,r2c2"
    told: ClassVar[str] = "dashed cages: no digit twice, and the sum is the number in the corner"
    why: ClassVar[str] = "but the cage sums to {total}"
    form: ClassVar[str] = "[SUM=]CELLS"
    parts = {"SUM": "what the digits sum to; without it they only differ", "CELLS": "the cage"}

    total: int | None = None

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        total, cells = read_valued_cells(argument, geometry)
        # Sorted, so that cages with the same cells are equal in whatever order they were listed,
        # and the number is shown in the first cell.
        return cls(tuple(sorted(cells)), total)

    def argument(self, geometry: Geometry) -> str:
        cells = write_cells(self.cage, geometry)
        return cells if self.total is None else f"{self.total}={cells}"

    def why_impossible(self, geometry: Geometry) -> str:
        count, total = len(self.cage), self.total
        crowd = why_crowded(geometry, self.cage)
        if crowd or self._has_values:
            return crowd or super().why_impossible(geometry)
        # Lowest and highest sum of `count` different digits.
        least = count * self.lowest + count * (count - 1) // 2
        most = least + count * (geometry.size - count)
        if total is None or least <= total <= most:
            return ""
        return bounded(f"the sum of {count_of(count, 'cell')}", least, most)

    @property
    def _has_values(self) -> bool:
        """Whether a cell of the cage may count otherwise than its digit."""
        return self.reading is not None and self.reading.affects(self.cage)

    @property
    def corner(self) -> str:
        return "" if self.total is None else str(self.total)

    def sentence(self, geometry: Geometry) -> str:
        cells = write_cells(self.cage, geometry)
        if self.total is None:
            return f"the cage {cells} holds different digits"
        return f"the cage {cells} holds different digits that sum to {self.total}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        if self.total is None:
            return []
        return [Sum(self.cage, (1,) * len(self.cage), self.total, self.total)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return self.total is None or sum(numbers) == self.total

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        yield self.unit(geometry, self.cage)
        if self.total is None:
            return
        # For a single cell a sum is a shorter constraint than a list of sets. An impossible sum has
        # no sets, and values are no digits of a set.
        is_listed = len(self.cage) > 1 and comb(geometry.size, len(self.cage)) <= _MOST_SETS
        if is_listed and not self._has_values and not self.why_impossible(geometry):
            found = sets_with_sum(geometry.size, len(self.cage), self.total, self.lowest)
            yield Sets(self.cage, found, self.sentence(geometry))
        else:
            yield from super().constraints(geometry)


@lru_cache(maxsize=512)
def sets_with_sum(size: int, count: int, total: int, lowest: int = 1) -> Masks:
    """Return the sets of `count` digits whose numbers sum to `total`, as masks.

    >>> [bin(mask) for mask in sets_with_sum(9, 2, 3)]
    ['0b110']
    """
    wanted = total - count * (lowest - 1)
    digits = range(1, size + 1)
    return tuple(mask_of(each) for each in combinations(digits, count) if sum(each) == wanted)


class SetCage(CageRule):
    """A cage whose rule depends only on the set of its digits."""

    form: ClassVar[str] = "CELLS"
    parts = {"CELLS": "the cage"}

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if comb(geometry.size, len(self.cage)) > _MOST_SETS:
            raise SatdokuError(f"a cage of {len(self.cage)} cells holds too many sets of digits")

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        yield self.unit(geometry, self.cage)
        kept = tuple(
            mask_of(digits)
            for digits in combinations(range(1, geometry.size + 1), len(self.cage))
            if self.is_kept(geometry, 0, [self.value(digit) for digit in digits])
        )
        yield Sets(self.cage, kept, self.sentence(geometry))


@value(frozen=True)
class Rellik(SetCage):
    """The digits of a cage differ, and no subset of them sums to its number."""

    name: ClassVar[str] = "rellik"
    label: ClassVar[str] = "rellik cage"
    example: ClassVar[str] = "3=r1c1,r1c2"
    told: ClassVar[str] = (
        "cages with a not: no digit twice, and neither one nor several sum to the number"
    )
    why: ClassVar[str] = "but neither one nor several digits of this cage sum to {total}"
    form: ClassVar[str] = "SUM=CELLS"
    parts = {"SUM": "what neither one nor several of the digits sum to", "CELLS": "the cage"}

    total: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        total, cells = read_numbered_cells(argument, geometry, cls.example)
        return cls(tuple(sorted(cells)), total)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.total}={write_cells(self.cage, geometry)}"

    @property
    def corner(self) -> str:
        return f"not {self.total}"

    def sentence(self, geometry: Geometry) -> str:
        cells = write_cells(self.cage, geometry)
        told = f"neither one nor several of them sum to {self.total}"
        return f"the cage {cells} holds different digits, and {told}"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        sums: set[int] = set()
        for number in numbers:
            sums |= {number, *(number + each for each in sums)}
        return self.total not in sums


class EqualityCage(SetCage):
    """The digits of a cage differ; as many are odd as even, and as many low as high."""

    name: ClassVar[str] = "equality-cage"
    corner: ClassVar[str] = "="
    example: ClassVar[str] = "r1c1,r1c2"
    told: ClassVar[str] = "cages with =: different digits, as many odd as even, as many low as high"
    why: ClassVar[str] = "but as many digits of this cage are odd as even, and low as high"

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(tuple(sorted(read_cells(argument, geometry))))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.cage, geometry)

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if len(self.cage) % 2:
            raise SatdokuError(
                f"{len(self.cage)} cells cannot hold as many odd digits as even ones"
            )

    def sentence(self, geometry: Geometry) -> str:
        cells = write_cells(self.cage, geometry)
        return f"the cage {cells} holds different digits, as many odd as even and low as high"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # Of an odd number of digits the middle one is neither low nor high, and is excluded from
        # these cages.
        half = geometry.size // 2
        low = sum(number < self.value(half + 1) for number in numbers)
        high = sum(number > self.value(geometry.size - half) for number in numbers)
        odd = sum(number % 2 for number in numbers)
        return 2 * odd == len(numbers) == 2 * low == 2 * high


def digits_with_sum(
    digits: Sequence[int], count: int, total: int, repeats: bool = False
) -> Iterator[tuple[int, ...]]:
    """Yield all ways to choose `count` ascending digits with this sum, each at most once.

    With `repeats` a digit may be chosen several times.

    >>> list(digits_with_sum(range(1, 10), 3, 8))
    [(1, 2, 5), (1, 3, 4)]
    """
    if not count:
        yield from [()] if not total else []
        return
    for place, digit in enumerate(digits):
        rest = digits[place if repeats else place + 1 :]
        least = digit * count if repeats else sum(digits[place : place + count])
        if least > total:
            return
        most = digit + (digits[-1] * (count - 1) if repeats else sum(rest[len(rest) - count + 1 :]))
        if (repeats or len(rest) >= count - 1) and most >= total:
            for others in digits_with_sum(rest, count - 1, total - digit, repeats):
                yield (digit, *others)
