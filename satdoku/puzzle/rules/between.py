"""Lines whose ends say what lies on them: between lines and lockout lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.cells_rule import LineRule
from satdoku.puzzle.rules.drawn import Tint
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.pair_rule import NumberedLine, read_valued_cells
from satdoku.puzzle.rules.rule import Rule


class Between(LineRule, SteppedRule):
    """The digits on a line lie between the digits at its ends."""

    name: ClassVar[str] = "between"
    example: ClassVar[str] = "r1c1,r1c2,r2c1"
    tint: ClassVar[Tint] = Tint.GREY
    has_ends: ClassVar[bool] = True
    counts: ClassVar[bool] = False
    parts = MappingProxyType({"CELLS": "the cells of the line, from circle to circle"})
    least: ClassVar[int] = 3

    def caption(self, geometry: Geometry) -> str:
        return "lines between circles: digits between those in the circles"

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits on the line {self.along(geometry)} lie between those at its ends"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        return all(low < number < high for number in numbers[1:-1])

    def why(self, geometry: Geometry, group: int) -> str:
        return "but what is on the line lies between its ends"

    # A state has the first digit, and the lowest and highest one behind it so far. The last cell
    # is told from the others by how many are left.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line),)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        if not state:
            return (key[0] - 1, number, 0, 0)
        left, first, low, high = state
        if left > 1:
            # Only the lowest and the highest so far matter to what comes, 0 for none yet. With the
            # first digit between them, it is at no end of what lies on the line.
            lows = (number, number) if not low else (min(low, number), max(high, number))
            return (left - 1, first, *lows) if not lows[0] <= first <= lows[1] else None
        return "kept" if first < low <= high < number or number < low <= high < first else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"


@dataclass(frozen=True)
class Lockout(LineRule, SteppedRule):
    """The ends of a line differ by so much at least, and what is on it lies outside of them."""

    name: ClassVar[str] = "lockout"
    example: ClassVar[str] = "2=r1c1,r2c1,r2c2"
    tint: ClassVar[Tint] = Tint.BLUE
    has_ends: ClassVar[bool] = True
    form: ClassVar[str] = "[NUMBER=]CELLS"
    counts: ClassVar[bool] = False
    parts = MappingProxyType(
        {
            "NUMBER": "the least difference of the ends; 4 on 9x9 where none is said",
            "CELLS": "the cells of the line, from end to end",
        }
    )
    least: ClassVar[int] = 3

    number: int = 0

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        number, cells = read_valued_cells(argument, geometry)
        return cls(cells, (geometry.size - 1) // 2 if number is None else number)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.number}={write_cells(self.line, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        NumberedLine.require_number(self.number)

    def caption(self, geometry: Geometry) -> str:
        return f"lockout lines: the ends differ by at least {self.number}, the rest lies outside"

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"the ends of the line {self.along(geometry)} differ by at least {self.number}, and "
            "no digit on it is one of them or between them"
        )

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        is_outside = all(number < low or number > high for number in numbers[1:-1])
        return high - low >= self.number and is_outside

    def why(self, geometry: Geometry, group: int) -> str:
        return f"but the ends differ by at least {self.number} and lock out what is between"

    # A state has the first digit, and those next to it below and above that were on the line.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line), self.number, geometry.size + 1)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        length, least, _ = key
        if not state:
            return (length - 1, number, 0, key[2])
        left, first, below, above = state
        if left == 1:
            is_free = below < number < above
            return "kept" if is_free and abs(first - number) >= least else None
        if number == first:
            return None
        if number < first:
            return (left - 1, first, max(below, number), above)
        return (left - 1, first, below, min(above, number))

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"
