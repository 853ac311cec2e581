"""Counting circles: a digit in a circle says how many circles hold it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from satdoku.puzzle.constraints import Allowed, Constraint, Either, Total, counting, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.drawn import Drawn, Mark, MarkShape
from satdoku.puzzle.rules.machine_rule import MachineRule, Table, build_layers


class CountingCircles(MarkedRule, MachineRule):
    """A digit in a circle says how many circles hold it."""

    name: ClassVar[str] = "counting-circles"
    example: ClassVar[str] = "r1c1,r2c3,r3c4"
    why: ClassVar[str] = "but a digit in a circle says how many circles hold it"
    parts = {"CELLS": "the cells with circles, all of the puzzle"}
    cases_are_of_different: ClassVar[bool] = False

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield Mark(self.marked, MarkShape.CIRCLE)

    def sentence(self, geometry: Geometry) -> str:
        # More names than that nobody reads in a sentence.
        if len(self.marked) > 5:
            return (
                f"each digit in the {len(self.marked)} circles stands in as many of them as it says"
            )
        return f"each digit in {self.argument(geometry)} stands in as many of them as it says"

    def machine_sentence(self, geometry: Geometry, machine: int) -> str:
        number, circles = self.value(machine + 1), len(self.marked)
        if not 0 < number <= circles:
            return f"{number} stands in none of the {circles} circles"
        return f"{number} stands in {number} of the {circles} circles, or in none"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.marked]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return all(count == number for number, count in Counter(numbers).items())

    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Table]]:
        """One for each digit, which counts it."""
        # A sum cannot say "none or just so many"; a machine that counts can.
        count, values = len(self.marked), self.values(geometry)
        return [(self.marked, _counter(count, values, number)) for number in values]

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either:
        """The digit is in no circle, or in as many as it says.

        A sum looks at rows, columns or boxes in place of cells, as each has the digit once: of 45
        circles it takes a sixth of the time of a machine, of 23 a half.
        """
        digit, size = machine + 1, geometry.size
        number = self.value(digit)
        others = every_digit(size) & ~(1 << digit)
        choices: list[tuple[Constraint, ...]] = [tuple(Allowed(cell, others, "") for cell in cells)]
        if 0 < number <= len(cells):
            worths = (counting(digit, size),) * len(cells)
            choices.append((Total(cells, worths, number, number, ""),))
        return Either(tuple(choices), "")


@lru_cache(maxsize=128)
def _counter(length: int, numbers: range, counted: int) -> Table:
    """A machine that reads `length` cells: it accepts a number in none or in as many as it says."""

    def step(count: int, number: int) -> int | None:
        count += number == counted
        # One too many is never mended, so the machine stops there; that also bounds its states.
        return count if count <= max(counted, 0) else None

    return build_layers(length, numbers, 0, step, lambda count: count in (0, counted))
