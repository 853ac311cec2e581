"""Lines of consecutive digits."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from satdoku.puzzle.constraints import Constraint, Sets, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cages import DifferentDigits
from satdoku.puzzle.rules.cell_rules import LineRule

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Tint


class Renban(DifferentDigits, LineRule):
    """The digits of a line are consecutive, in any order."""

    name: ClassVar[str] = "renban"
    example: ClassVar[str] = "r1c1,r2c1,r2c2"
    told: ClassVar[str] = "purple lines: consecutive digits in any order"
    why: ClassVar[str] = "but the line holds consecutive digits"
    tint: ClassVar["Tint"] = "purple"
    counts: ClassVar[bool] = False
    what: ClassVar[str] = "line"

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.along(geometry)} holds consecutive digits, in any order"

    def require_fit(self, geometry: Geometry) -> None:
        DifferentDigits.require_fit(self, geometry)

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return max(numbers) - min(numbers) == len(numbers) - 1

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        count = len(self.line)
        yield self.unit(geometry, self.line)
        # So many digits without a gap, by the lowest of them.
        runs = tuple(
            mask_of(range(first, first + count)) for first in range(1, geometry.size - count + 2)
        )
        yield Sets(self.line, runs, self.sentence(geometry))
