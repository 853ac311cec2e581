"""Base of rules that are checked on groups of cells, once all cells of a group are filled."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar, NamedTuple

from satdoku.errors import join
from satdoku.puzzle.constraints import Constraint, Total
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.rule import Clash, Rule


class GroupRule(Rule):
    """Groups of cells, and a definition that checks the numbers in one group."""

    counts: ClassVar[bool] = True
    why: ClassVar[str]
    """The end of a sentence about a group that breaks the rule; `{total}` inserts the field
    `total`.
    """
    order_matters: ClassVar[bool] = True
    """Whether the order of the numbers in a group matters."""

    @abstractmethod
    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        """Return the groups, each with its cells in order."""

    @abstractmethod
    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        """Whether the numbers in the cells of a group, in the group's order, keep the rule."""

    def reason(self, geometry: Geometry) -> str:
        """Return `why`, with the fields of the rule inserted."""
        return self.why.format(**vars(self))

    def counted(self, geometry: Geometry) -> "Sequence[Counted]":
        """Return bounds on weighted sums of digits that follow from the definition.

        The check of certificates uses them, since large groups have too many fillings to try.
        """
        return ()

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {cell for group in self.groups(geometry) for cell in group}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        if self.reading is not None:
            groups, is_kept = self.groups(geometry), partial(self.is_kept, geometry)
            why = self.reason(geometry)
            yield from self.reading.find_clashes(geometry, digits, groups, is_kept, why)
            return
        for number, cells in enumerate(self.groups(geometry)):
            found = tuple(digits[cell] for cell in cells)
            # A group with empty cells is not judged.
            if EMPTY not in found and not self._is_right(geometry, number, found):
                yield Clash(geometry, cells, found, self.reason(geometry))

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        # Where cells count otherwise than their digits, no certificate asks.
        if self.reading is not None:
            return False
        groups = _groups_of(self, geometry).get((cell,), ())
        return any(not self._is_right(geometry, group, (digit,)) for group in groups)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        if self.reading is not None:
            return False
        # The caller may name the two cells in either order; a group has its own order.
        groups = _groups_of(self, geometry)
        return any(
            not self._is_right(geometry, group, digits)
            for cells, digits in (
                ((cell, other), (digit, other_digit)),
                ((other, cell), (other_digit, digit)),
            )
            for group in groups.get(cells, ())
        )

    def _is_right(self, geometry: Geometry, group: int, digits: Sequence[int]) -> bool:
        return self.is_kept(geometry, group, [self.value(digit) for digit in digits])


# Cached, since the check of certificates asks about pairs of digits for every clause of a formula.
# Only groups of one or two cells can answer.
@lru_cache(maxsize=256)
def _groups_of(rule: GroupRule, geometry: Geometry) -> dict[tuple[int, ...], list[int]]:
    """Return the indices of the groups of one or two cells, keyed by these cells."""
    found: dict[tuple[int, ...], list[int]] = {}
    for number, cells in enumerate(rule.groups(geometry)):
        # In a larger group two digits alone are never wrong, as other cells may compensate.
        if len(cells) <= 2:
            found.setdefault(cells, []).append(number)
    return found


class Counted(NamedTuple):
    """Cells, a table of weights of the digits for each cell, and bounds on the weighted sum."""

    cells: tuple[int, ...]
    worths: tuple[tuple[int, ...], ...]
    low: int
    high: int


class Sum(NamedTuple):
    """Cells with factors: the sum of their numbers times the factors is from `low` to `high`."""

    cells: tuple[int, ...]
    factors: tuple[int, ...]
    low: int
    high: int

    def equation(self, geometry: Geometry) -> str:
        """Return an exact sum as an equation: `r1c1+r1c2-r2c2 = 3`, or `r1c1+r1c2 = r2c2`."""
        terms = list(zip(self.cells, self.factors, strict=True))
        off = [(cell, -factor) for cell, factor in terms if factor < 0]
        on = [(cell, factor) for cell, factor in terms if factor > 0]
        if self.low == 0 and on and off:
            return f"{_added(on, geometry)} = {_added(off, geometry)}"
        return f"{_added([*on, *((c, -f) for c, f in off)], geometry)} = {self.low}"


def _added(terms: Sequence[tuple[int, int]], geometry: Geometry) -> str:
    """Return cells with factors as a sum."""
    words = [
        f"{'-' if factor < 0 else '+'}{f'{abs(factor)}*' * (abs(factor) != 1)}{name}"
        for name, factor in ((geometry.name_of(cell), factor) for cell, factor in terms)
    ]
    return "".join(words).removeprefix("+")


class SumRule(GroupRule):
    """A rule whose groups are sums of numbers with factors.

    The sums are the definition; `counted` states the same bounds for digits instead of numbers.
    """

    @abstractmethod
    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        """Return the sum of each group."""

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        """Return the statement of one sum, as the reason of its clauses."""
        return self.sentence(geometry)

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [each.cells for each in self.sums(geometry)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        wanted = self.sums(geometry)[group]
        return wanted.low <= sum(map(int.__mul__, numbers, wanted.factors)) <= wanted.high

    def why_impossible(self, geometry: Geometry) -> str:
        for _, worths, low, high in self.counted(geometry):
            least, most = (sum(end(each[1:]) for each in worths) for end in (min, max))
            # Not for arrows: their sum is the shaft minus the circle, with total 0, and its bounds
            # would say little.
            if low == high != 0 and not least <= low <= most:
                return bounded("the sum", least, most)
        return ""

    def counted(self, geometry: Geometry) -> Sequence[Counted]:
        if self.reading is not None:
            found = (self.reading.counted(geometry, each) for each in self.sums(geometry))
            return [each for each in found if each is not None]
        return [
            Counted(
                cells,
                tuple(
                    # Entry 0 is 0, as an empty cell adds nothing.
                    (0, *(self.value(digit) * factor for digit in range(1, geometry.size + 1)))
                    for factor in factors
                ),
                low,
                high,
            )
            for cells, factors, low, high in self.sums(geometry)
        ]

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        if self.reading is not None:
            for number, wanted in enumerate(self.sums(geometry)):
                sentence = self.total_sentence(geometry, number)
                yield from self.reading.sum_of(geometry, wanted, sentence)
            return
        for number, each in enumerate(self.counted(geometry)):
            yield Total(*each, self.total_sentence(geometry, number))


def sums_of(values: Sequence[int], count: int) -> set[int]:
    """Return all sums of `count` of these numbers.

    >>> sorted(sums_of([1, 2, 4], 2))
    [3, 5, 6]
    """
    sums: list[set[int]] = [{0}, *(set[int]() for _ in range(count))]
    for value in values:
        for fewer in reversed(range(count)):
            sums[fewer + 1] |= {known + value for known in sums[fewer]}
    return sums[count]


def bounded(what: str, least: int, most: int) -> str:
    """Return bounds on a value in words: one number, or a range.

    >>> bounded("the sum", 45, 45), bounded("the sum", 3, 17)
    ('the sum is 45', 'the sum can be 3 to 17')
    """
    return f"{what} is {least}" if least == most else f"{what} can be {least} to {most}"


def spans_of(numbers: Collection[int]) -> str:
    """Return numbers in words, with runs of consecutive numbers shortened to their ends.

    >>> spans_of({1, 3, 5, 6, 7})
    '1, 3 or 5 to 7'
    """
    begins = sorted(n for n in numbers if n - 1 not in numbers)
    ends = sorted(n for n in numbers if n + 1 not in numbers)
    spans = zip(begins, ends, strict=True)
    words = [str(low) if low == high else f"{low} to {high}" for low, high in spans]
    return join(words, "or")
