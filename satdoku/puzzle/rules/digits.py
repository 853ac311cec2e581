"""Digits that count from another number than 1, such as 0 to 8."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.rule import Clash, Rule


@dataclass(frozen=True)
class Digits(Rule):
    """The digits of the puzzle are these numbers; all other rules count in them."""

    name: ClassVar[str] = "digits"
    example: ClassVar[str] = "0-3"
    form: ClassVar[str] = "FIRST-LAST"
    parts = MappingProxyType(
        {"FIRST": "the lowest digit", "LAST": "the highest one, as many as the board has"}
    )

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, dash, last = argument.partition("-")
        numbers = (first.strip(), last.strip())
        if not dash or not all(n.isdecimal() and len(n) < 4 for n in numbers):
            raise SatdokuError(f"{argument[:20]!r} is not a range such as 0-8")
        lowest, highest = map(int, numbers)
        if highest - lowest + 1 != geometry.size:
            raise SatdokuError(
                f"{argument} has {max(0, highest - lowest + 1)} digits, "
                f"a board of {geometry.size}x{geometry.size} needs {geometry.size}"
            )
        return cls(lowest=lowest)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.lowest}-{self.value(geometry.size)}"

    def require_fit(self, geometry: Geometry) -> None:
        highest = self.value(geometry.size)
        if self.lowest > 1 and highest > 9:
            raise SatdokuError(f"digits end at 9, or begin at 0 or 1; {highest} has no symbol")

    def symbols(self, geometry: Geometry) -> tuple[str, ...]:
        """What the digits are written as; none where they are the usual ones."""
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        found = tuple(digits[self.lowest : self.value(geometry.size) + 1])
        return found if self.lowest != 1 and len(found) == geometry.size else ()

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits are {self.lowest} to {self.value(geometry.size)}"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return ()

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        return iter(())

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        return iter(())
