"""Cells that hold odd digits, and cells that hold even ones."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.puzzle.constraints import Allowed, Constraint, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.cell_lists import read_cells, write_cells
from satdoku.puzzle.rules.drawn import Drawn, Mark, MarkShape
from satdoku.puzzle.rules.rule import Clash, Rule


@dataclass(frozen=True)
class Odd(Rule):
    """Some cells hold odd digits."""

    name: ClassVar[str] = "odd"
    example: ClassVar[str] = "r1c1,r2c4"
    form: ClassVar[str] = "CELLS"
    parts = MappingProxyType({"CELLS": "the cells that hold odd digits"})
    counts: ClassVar[bool] = True
    remainder: ClassVar[int] = 1
    shape: ClassVar[MarkShape] = MarkShape.CIRCLE

    marked: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(tuple(sorted(read_cells(argument, geometry))))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.marked, geometry)

    def sentence(self, geometry: Geometry) -> str:
        verb = "holds" if len(self.marked) == 1 else "hold"
        noun = "digit" if len(self.marked) == 1 else "digits"
        article = f"an {self.name} " if len(self.marked) == 1 else f"{self.name} "
        return f"{write_cells(self.marked, geometry)} {verb} {article}{noun}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield Mark(self.marked, self.shape)

    def caption(self, geometry: Geometry) -> str:
        return f"{self.shape.value}s: {self.name} digits"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.marked

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell in self.marked:
            if digits[cell] != EMPTY and self.forbids(geometry, cell, digits[cell]):
                yield Clash(geometry, (cell,), (digits[cell],), f"it must be {self.name}")

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        return cell in self.marked and self.value(digit) % 2 != self.remainder

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # The first digit is 1, which is odd, unless digits count from another number.
        first = 1 if self.lowest % 2 == self.remainder else 2
        allowed = mask_of(range(first, geometry.size + 1, 2))
        for cell in self.marked:
            yield Allowed(cell, allowed, f"{{}} is {self.name}")


class Even(Odd):
    """Some cells hold even digits."""

    name: ClassVar[str] = "even"
    parts = MappingProxyType({"CELLS": "the cells that hold even digits"})
    remainder: ClassVar[int] = 0
    shape: ClassVar[MarkShape] = MarkShape.SQUARE
