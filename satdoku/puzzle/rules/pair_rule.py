"""Rules that say of two cells at a time which numbers do not go together."""

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from satdoku.puzzle.constraints import Constraint, Masks, Pair, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.cell_rules import LineRule, NumberedRule
from satdoku.puzzle.rules.rule import Clash, Rule

Edge = tuple[int, int]


class PairRule(Rule):
    """Numbers of two cells that an edge joins do not go together in some way.

    `is_wrong` and `edges` are the definition. The constraints are tables made of it once for each
    kind of rule, number and board.
    """

    counts: ClassVar[bool] = True
    why: ClassVar[str]
    """Ends a sentence about two cells that break the rule."""
    says: ClassVar[str]
    """Says that two cells keep the rule: `{}` stands for the name of each, `{n}` for the number."""

    @abstractmethod
    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        """The cells that the rule speaks of together."""

    @classmethod
    @abstractmethod
    def is_wrong(cls, one: int, other: int, number: Any) -> bool:
        """Whether two numbers, in the order of an edge, break the rule."""

    def number_on(self, geometry: Geometry) -> Any:
        """What `is_wrong` needs to know besides them: a least difference, or a text."""
        return 0

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {cell for edge in self.edges(geometry) for cell in edge}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell, other in self.edges(geometry):
            ours, theirs = digits[cell], digits[other]
            if EMPTY not in (ours, theirs) and self._is_wrong(geometry, ours, theirs):
                yield Clash(geometry, (cell, other), (ours, theirs), self.reason(geometry))

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        edges = _edges_of(self, geometry)
        return ((cell, other) in edges and self._is_wrong(geometry, digit, other_digit)) or (
            (other, cell) in edges and self._is_wrong(geometry, other_digit, digit)
        )

    def reason(self, geometry: Geometry) -> str:
        """`why`, with the number in it where there is one."""
        return self.why.format(self.number_on(geometry))

    def _is_wrong(self, geometry: Geometry, digit: int, other: int) -> bool:
        return self.is_wrong(self.value(digit), self.value(other), self.number_on(geometry))

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        number = self.number_on(geometry)
        excludes = _excluded(type(self), number, self.values(geometry))
        sentence = self.says.replace("{n}", str(number))
        for cell, other in self.edges(geometry):
            yield Pair(cell, other, excludes, sentence)


# A table for all edges of all rules of a kind: thousands of pairs of a board share a few.
@lru_cache(maxsize=256)
def _excluded(kind: type[PairRule], number: Hashable, values: range) -> Masks:
    """For each digit of the first cell those that the second one does not hold."""
    masks = [
        mask_of(digit for digit, other in enumerate(values, 1) if kind.is_wrong(one, other, number))
        for one in values
    ]
    return (0, *masks)


# The judge asks for each two cells of the board whether they are an edge.
@lru_cache(maxsize=256)
def _edges_of(rule: PairRule, geometry: Geometry) -> frozenset[Edge]:
    return frozenset(rule.edges(geometry))


class PairLine(LineRule, PairRule):
    """A rule about each two cells that follow each other on a line."""

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(pairwise(self.line))


class NumberedLine(NumberedRule, PairLine):
    """A rule about cells that follow each other, with a number: a difference, a modulus."""

    def number_on(self, geometry: Geometry) -> int:
        return self.number
