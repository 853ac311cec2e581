"""Lines in parts of the same sum, such as ten lines."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import read_numbered_cells, write_cells
from satdoku.puzzle.rules.cell_rules import LineRule
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Tint


@value(frozen=True)
class SumLine(LineRule, SteppedRule):
    """A line falls into parts, one behind the other, each of which sums to the same number."""

    name: ClassVar[str] = "sum-line"
    example: ClassVar[str] = "5=r1c1,r1c2,r2c3"
    told: ClassVar[str] = "yellow lines: parts that sum to {total} each"
    why: ClassVar[str] = "but the line falls into parts that sum to {total} each"
    # Not green, which is for whispers: both are met on one board.
    tint: ClassVar["Tint"] = "yellow"
    form: ClassVar[str] = "SUM=CELLS"
    parts = {"SUM": "what each part sums to", "CELLS": "the cells of the line, in order"}

    total: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        total, cells = read_numbered_cells(argument, geometry, cls.example)
        return cls(cells, total)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.total}={write_cells(self.line, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if self.total < 1:
            raise SatdokuError(f"the sum {self.total} is not 1 or more")

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.along(geometry)} falls into parts that sum to {self.total} each"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # A part ends where all so far is a multiple of the sum, and each multiple is met.
        ends = set(accumulate(numbers))
        return all(end in ends for end in range(self.total, sum(numbers) + 1, self.total)) and (
            sum(numbers) % self.total == 0
        )

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.total,)

    # A state is what the last part sums to so far.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return 0

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, int)
        return (state + number) % key[0] if state + number <= key[0] else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == 0
