"""Rules that say of some cells at a time, when all are full, whether they are right."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from satdoku.errors import join
from satdoku.puzzle.constraints import Constraint, Total
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.rule import Clash, Rule


class GroupRule(Rule):
    """Some groups of cells, and a definition for the numbers in one of them."""

    counts: ClassVar[bool] = True
    why: ClassVar[str]
    """Ends a sentence about a group that breaks the rule; `{total}` is the rule's field `total`."""
    order_matters: ClassVar[bool] = True
    """Whether it matters which cell of a group has which of its digits."""

    @abstractmethod
    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        """The groups, each with its cells in order."""

    @abstractmethod
    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        """Whether the numbers in all cells of a group, in their order, keep the rule."""

    def reason(self, geometry: Geometry) -> str:
        """`why`, with the fields of the rule in it."""
        return self.why.format(**vars(self))

    def counted(self, geometry: Geometry) -> "Sequence[Counted]":
        """What the digits of some cells count for together, wherever the rule is kept.

        It follows from the definition. The check of certificates asks for it, since large groups
        have too many fillings to be tried.
        """
        return ()

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {cell for group in self.groups(geometry) for cell in group}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for number, cells in enumerate(self.groups(geometry)):
            found = tuple(digits[cell] for cell in cells)
            # An unfinished group is no fault: what its empty cells will hold is not known.
            if EMPTY not in found and not self._is_right(geometry, number, found):
                yield Clash(geometry, cells, found, self.reason(geometry))

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        groups = _groups_of(self, geometry).get((cell,), ())
        return any(not self._is_right(geometry, group, (digit,)) for group in groups)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        # A group has its cells in an order of its own, and the two may be asked about in either.
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


# Asked about each two digits of two cells, by the check of certificates for every clause of a
# formula: so the few groups that can answer are looked up.
@lru_cache(maxsize=256)
def _groups_of(rule: GroupRule, geometry: Geometry) -> dict[tuple[int, ...], list[int]]:
    """The numbers of the groups with one or two cells, by these."""
    found: dict[tuple[int, ...], list[int]] = {}
    for number, cells in enumerate(rule.groups(geometry)):
        # Of a larger group no two digits are wrong by themselves: the other cells may make up for
        # them.
        if len(cells) <= 2:
            found.setdefault(cells, []).append(number)
    return found


class Counted(NamedTuple):
    """Cells, what each digit counts for in each of them, and between which sums all that lies."""

    cells: tuple[int, ...]
    worths: tuple[tuple[int, ...], ...]
    low: int
    high: int


class Sum(NamedTuple):
    """Cells whose numbers, each times its factor, sum to `low` to `high`."""

    cells: tuple[int, ...]
    factors: tuple[int, ...]
    low: int
    high: int


class SumRule(GroupRule):
    """A rule of which each group is a sum of numbers, each with its factor.

    The sums are the definition, and `counted` says the same of digits instead of numbers.
    """

    @abstractmethod
    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        """What each group sums to."""

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        """What a sum says, for people who ask for the reason of a clause."""
        return self.sentence(geometry)

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [each.cells for each in self.sums(geometry)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        wanted = self.sums(geometry)[group]
        return wanted.low <= sum(map(int.__mul__, numbers, wanted.factors)) <= wanted.high

    def why_impossible(self, geometry: Geometry) -> str:
        for _, worths, low, high in self.counted(geometry):
            least, most = (sum(end(each[1:]) for each in worths) for end in (min, max))
            # Of an arrow people know the circle, and not what is left of it without its shaft.
            if low == high != 0 and not least <= low <= most:
                return bounded("the sum", least, most)
        return ""

    def counted(self, geometry: Geometry) -> Sequence[Counted]:
        return [
            Counted(
                cells,
                tuple(
                    # Counted from 0, where an empty cell counts for nothing.
                    (0, *(self.value(digit) * factor for digit in range(1, geometry.size + 1)))
                    for factor in factors
                ),
                low,
                high,
            )
            for cells, factors, low, high in self.sums(geometry)
        ]

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for number, each in enumerate(self.counted(geometry)):
            yield Total(*each, self.total_sentence(geometry, number))


def sums_of(values: Sequence[int], count: int) -> set[int]:
    """What so many of these numbers sum to.

    >>> sorted(sums_of([1, 2, 4], 2))
    [3, 5, 6]
    """
    sums: list[set[int]] = [{0}, *(set[int]() for _ in range(count))]
    for value in values:
        for fewer in reversed(range(count)):
            sums[fewer + 1] |= {known + value for known in sums[fewer]}
    return sums[count]


def bounded(what: str, least: int, most: int) -> str:
    """That something is a number, or can be one between two.

    >>> bounded("the sum", 45, 45), bounded("the sum", 3, 17)
    ('the sum is 45', 'the sum can be 3 to 17')
    """
    return f"{what} is {least}" if least == most else f"{what} can be {least} to {most}"


def spans_of(numbers: Collection[int]) -> str:
    """Numbers in words, those that follow each other by their ends.

    >>> spans_of({1, 3, 5, 6, 7})
    '1, 3 or 5 to 7'
    """
    begins = sorted(n for n in numbers if n - 1 not in numbers)
    ends = sorted(n for n in numbers if n + 1 not in numbers)
    spans = zip(begins, ends, strict=True)
    words = [str(low) if low == high else f"{low} to {high}" for low, high in spans]
    return join(words, "or")
