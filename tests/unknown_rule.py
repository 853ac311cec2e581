"""A rule that is in no registry, told to solvers in one shape of constraint or another."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Either,
    Machine,
    Pair,
    Sets,
    Some,
    Total,
    digits_of,
    every_digit,
)
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.rule import Clash, Rule


def by_allowed(others: int) -> Constraint:
    return Allowed(0, others, "{} is not 1")


def by_pair(others: int) -> Constraint:
    # Beside 1 in the first cell the second one could hold nothing.
    return Pair(0, 1, (0, others | 2, 0, 0, 0), "beside 1 in {} is nothing for {}")


def by_some(others: int) -> Constraint:
    return Some(((0, others),), "r1c1 is not 1")


def by_sets(others: int) -> Constraint:
    return Sets((0,), tuple(1 << digit for digit in digits_of(others)), "r1c1 is not 1")


def by_total(others: int) -> Constraint:
    return Total((0, 1), ((0, 0, 1, 1, 1), (0, 0, 0, 0, 0)), 1, 1, "r1c1 is not 1")


def by_machine(others: int) -> Constraint:
    return Machine((0,), (((-1, -1, 0, 0, 0),),), "r1c1 is not 1")


def by_either(others: int) -> Constraint:
    low, high = Allowed(0, 4, "{} is 2"), Allowed(0, others & ~4, "{} is neither 1 nor 2")
    return Either(((low,), (high,)), "r1c1 is 2, or it is neither 1 nor 2")


SHAPES = {
    "allowed": by_allowed,
    "pair": by_pair,
    "some": by_some,
    "sets": by_sets,
    "total": by_total,
    "machine": by_machine,
    "either": by_either,
}


@dataclass(frozen=True)
class NoOneInTheCorner(Rule):
    """The first cell does not hold 1, which is told to solvers in some shape."""

    name: ClassVar[str] = "no-one-in-the-corner"

    shape: str

    def sentence(self, geometry: Geometry) -> str:
        return "r1c1 does not hold 1"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return (0,)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        if digits[0] == 1:
            yield Clash(geometry, (0,), (1,), "it must not be 1")

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        return (cell, digit) == (0, 1)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        yield SHAPES[self.shape](every_digit(geometry.size) & ~2)
