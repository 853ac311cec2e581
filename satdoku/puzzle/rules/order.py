"""Rules about pairs of cells, and about the order of digits: thermometers, greater-than, minima and
maxima.
"""

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from satdoku.puzzle.constraints import Constraint, Masks, Pair, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.cell_rules import LineRule, MarkedRule, NumberedRule
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule, why_crowded

# Base of rules that forbid pairs of numbers in two cells.

Edge = tuple[int, int]


class PairRule(Rule):
    """A rule that forbids certain pairs of numbers in two cells joined by an edge.

    `is_wrong` and `edges` are the definition. The constraints are tables, built once for each class
    of rule, number and board.
    """

    counts: ClassVar[bool] = True
    is_of_pairs: ClassVar[bool] = True
    why: ClassVar[str]
    """The end of a sentence about two cells that break the rule."""
    says: ClassVar[str]
    """A sentence which states that two cells keep the rule: `{}` is each cell, `{n}` the number."""

    @abstractmethod
    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        """Return the pairs of cells that the rule restricts."""

    @classmethod
    @abstractmethod
    def is_wrong(cls, one: int, other: int, number: Any) -> bool:
        """Whether two numbers, in the order of an edge, break the rule."""

    def number_on(self, geometry: Geometry) -> Any:
        """Return the third argument of `is_wrong`, such as a least difference or a text."""
        return 0

    def said_of_two(self, geometry: Geometry) -> str:
        """Return `says` with the number inserted, a template for the names of two cells."""
        return self.says.replace("{n}", str(self.number_on(geometry)))

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {cell for edge in self.edges(geometry) for cell in edge}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        if self.reading is not None:
            edges, number = self.edges(geometry), self.number_on(geometry)
            yield from self.reading.find_clashes(
                geometry,
                digits,
                edges,
                lambda _, numbers: not self.is_wrong(numbers[0], numbers[1], number),
                self.reason(geometry),
            )
            return
        for cell, other in self.edges(geometry):
            ours, theirs = digits[cell], digits[other]
            if EMPTY not in (ours, theirs) and self._is_wrong(geometry, ours, theirs):
                yield Clash(geometry, (cell, other), (ours, theirs), self.reason(geometry))

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        # Where cells count otherwise than their digits, no certificate asks.
        if self.reading is not None:
            return False
        edges = _edges_of(self, geometry)
        return ((cell, other) in edges and self._is_wrong(geometry, digit, other_digit)) or (
            (other, cell) in edges and self._is_wrong(geometry, other_digit, digit)
        )

    def reason(self, geometry: Geometry) -> str:
        """Return `why` with the number inserted if it has a place for one."""
        return self.why.format(self.number_on(geometry))

    def _is_wrong(self, geometry: Geometry, digit: int, other: int) -> bool:
        return self.is_wrong(self.value(digit), self.value(other), self.number_on(geometry))

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        number, sentence = self.number_on(geometry), self.said_of_two(geometry)
        if self.reading is not None:
            for edge in self.edges(geometry):
                yield self.reading.pair_of(geometry, edge, type(self), number, sentence)
            return
        excludes = _excluded(type(self), number, self.values(geometry))
        for cell, other in self.edges(geometry):
            yield Pair(cell, other, excludes, sentence)


# All edges of rules of one class with the same number share a table, so that thousands of pairs
# need few tables.
@lru_cache(maxsize=256)
def _excluded(kind: type[PairRule], number: Hashable, values: range) -> Masks:
    """Return, for each digit of the first cell, the mask of digits that the second may not hold."""
    masks = [
        mask_of(digit for digit, other in enumerate(values, 1) if kind.is_wrong(one, other, number))
        for one in values
    ]
    return (0, *masks)


# Cached, as the judge tests each pair of cells of the board for being an edge.
@lru_cache(maxsize=256)
def _edges_of(rule: PairRule, geometry: Geometry) -> frozenset[Edge]:
    return frozenset(rule.edges(geometry))


class PairLine(LineRule, PairRule):
    """A rule about each two successive cells of a line."""

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(pairwise(self.line))


class NumberedLine(NumberedRule, PairLine):
    """A rule about each two successive cells of a line, with a number such as a difference."""

    def number_on(self, geometry: Geometry) -> int:
        return self.number


class Thermo(PairLine):
    """Digits rise along a thermometer, from its bulb to its tip."""

    reads = "values"
    name: ClassVar[str] = "thermo"
    heading: ClassVar[str] = "thermometer"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "r1c1,r2c2,r3c3"
    told: ClassVar[str] = "thermometers: digits rise from the bulb on"
    counts: ClassVar[bool] = False
    parts = {"CELLS": "the cells of the thermometer, from its bulb on"}
    why: ClassVar[str] = "but digits rise along the thermometer"
    says: ClassVar[str] = "{} is less than {}, on a thermometer"
    tint: ClassVar[str] = "grey"
    has_bulb: ClassVar[bool] = True

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one >= other

    def sentence(self, geometry: Geometry) -> str:
        return f"digits rise along the thermometer {self.along(geometry)}"

    def why_impossible(self, geometry: Geometry) -> str:
        # A line that crosses itself cannot rise either; that is left to the solver.
        return why_crowded(geometry, self.line) if self.is_wrong(1, 1, 0) else ""


class SlowThermo(Thermo):
    """Digits rise or stay along a slow thermometer."""

    name: ClassVar[str] = "slow-thermo"
    label: ClassVar[str] = "slow thermometer"
    heading: ClassVar[str] = "slow thermometer"
    told: ClassVar[str] = "slow thermometers: digits rise or stay from the bulb on"
    why: ClassVar[str] = "but digits do not fall along the slow thermometer"
    says: ClassVar[str] = "{} is not more than {}, on a slow thermometer"
    tint: ClassVar[str] = "blue"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one > other

    def sentence(self, geometry: Geometry) -> str:
        return f"digits rise or stay along the slow thermometer {self.along(geometry)}"


class Greater(Thermo):
    """Each cell is greater than the next."""

    name: ClassVar[str] = "greater"
    label: ClassVar[str] = "inequality sign"
    drawn_at_random: ClassVar[str] = ""
    example: ClassVar[str] = "r1c1,r1c2"
    parts = {"CELLS": "cells of which each is greater than the next"}
    why: ClassVar[str] = "but the first is the greater one"
    says: ClassVar[str] = "{} is greater than {}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one <= other

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        return _signs(self.edges(geometry), geometry)

    def caption(self, geometry: Geometry) -> str:
        is_drawn = all(abs(a - b) in (1, geometry.size) for a, b in self.edges(geometry))
        return _SIGNS if is_drawn else self.sentence(geometry)

    def sentence(self, geometry: Geometry) -> str:
        return f"each cell is greater than the next of {self.along(geometry)}"


_SIGNS = "signs: open to the greater digit"


def _signs(edges: Iterable[Edge], geometry: Geometry) -> Iterator[Drawing]:
    """Yield a sign for each edge, whose first cell is the greater one."""
    for cell, other in edges:
        # The open side of the sign is at the greater cell. Cells that do not touch get no sign.
        if abs(cell - other) == 1:
            yield ("dot", (cell, other), ">" if cell < other else "<", False, False)
        elif abs(cell - other) == geometry.size:
            yield ("dot", (cell, other), "v" if cell < other else "^", False, False)


class Minimum(PairRule, MarkedRule):
    """Marked cells are less than all neighbours that are not marked."""

    reads = "values"
    name: ClassVar[str] = "minimum"
    label: ClassVar[str] = "minimum cell"
    example: ClassVar[str] = "r1c1,r3c4"
    counts: ClassVar[bool] = False
    told: ClassVar[str] = _SIGNS
    parts = {"CELLS": "the cells that are less than those at their sides"}
    why: ClassVar[str] = "but the first is a minimum"
    says: ClassVar[str] = "{} is less than {}, as a minimum"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one >= other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"{self.argument(geometry)}: less than the cells at their sides, "
            "other such cells not counted"
        )

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Setters draw a sign on each side of a cell, except towards another marked cell.
        is_least = not self.is_wrong(1, 2, 0)
        edges = self.edges(geometry)
        return _signs([(b, a) if is_least else (a, b) for a, b in edges], geometry)

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return [
            (cell, other)
            for cell in self.marked
            for other in sorted(geometry.beside(cell))
            if other not in self.marked
        ]

    def cells(self, geometry: Geometry) -> Collection[int]:
        # A marked cell whose neighbours are all marked has no edge, but belongs to the rule.
        return {*self.marked, *super().cells(geometry)}


class Maximum(Minimum):
    """Marked cells are greater than all neighbours that are not marked."""

    name: ClassVar[str] = "maximum"
    label: ClassVar[str] = "maximum cell"
    parts = {"CELLS": "the cells that are greater than those at their sides"}
    why: ClassVar[str] = "but the first is a maximum"
    says: ClassVar[str] = "{} is greater than {}, as a maximum"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one <= other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"{self.argument(geometry)}: greater than the cells at their sides, "
            "other such cells not counted"
        )


def all_edges(geometry: Geometry) -> Iterator[Edge]:
    """Yield each pair of cells that share a side, once."""
    for cell in range(geometry.board_count):
        # Yield an edge only from its lower cell number, so that it comes once.
        yield from ((cell, other) for other in sorted(geometry.beside(cell)) if other > cell)
