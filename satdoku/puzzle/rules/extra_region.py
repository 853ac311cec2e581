"""An extra region: any cells, besides rows, columns and boxes, in which no digit stands twice."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.cell_lists import read_cells, write_cells
from satdoku.puzzle.rules.drawn import Drawn, Shade
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.unit_rule import UnitRule


@dataclass(frozen=True)
class ExtraRegion(UnitRule):
    """No digit stands twice in some cells; as many cells as digits then hold them all."""

    name: ClassVar[str] = "extra-region"
    example: ClassVar[str] = "r1c2,r2c3,r3c4"

    region: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(tuple(sorted(read_cells(argument, geometry))))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.region, geometry)

    def require_fit(self, geometry: Geometry) -> None:
        count, size = len(self.region), geometry.size
        if count > size:
            raise SatdokuError(f"an extra region of {count} cells cannot hold {size} digits once")

    def sentence(self, geometry: Geometry) -> str:
        return f"no digit stands twice in the extra region {write_cells(self.region, geometry)}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawn]:
        yield Shade(self.region)

    def caption(self, geometry: Geometry) -> str:
        return f"shaded cells at {geometry.name_of(self.region[0])}: no digit twice"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        # Several extra regions may be on a board; their first cells tell them apart for people.
        first = geometry.name_of(self.region[0])
        return (Unit(f"the extra region at {first}", None, self.region),)

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (0,) if cell in self.region else ()
