"""The rules of a usual puzzle, and how further rules are added to them.

They do not stand in `registry.py`, which imports every rule: most puzzles need these alone.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.unit_rule import UnitRule

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Drawn


class Rows(UnitRule):
    """Every digit stands once in each row."""

    name: ClassVar[str] = "rows"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each row"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.rows

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.row_of(cell),)


class Columns(UnitRule):
    """Every digit stands once in each column."""

    name: ClassVar[str] = "columns"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each column"

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.columns

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.column_of(cell),)


class Boxes(UnitRule):
    """Every digit stands once in each box of the board's box shape."""

    name: ClassVar[str] = "boxes"

    def sentence(self, geometry: Geometry) -> str:
        return "every digit stands once in each box"

    def drawing(self, geometry: Geometry) -> "Iterator[Drawn]":
        # Rows and columns draw nothing, since every board shows its lines anyway.
        # Imported here: most puzzles are never drawn.
        from satdoku.puzzle.rules.drawn import Border

        yield from (Border(unit.cells) for unit in geometry.boxes)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.boxes

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return (geometry.box_of(cell),)


CLASSIC: tuple[Rule, ...] = (Rows(), Columns(), Boxes())
"""The rules of every puzzle that names no others."""


def arrange(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules without repeats; of boxes and regions only the regions, in the place of the boxes."""
    distinct = list(dict.fromkeys(rules))
    regions = [rule for rule in distinct if isinstance(rule, UnitRule) and rule.stands_in_for_boxes]
    if len(regions) > 1:
        raise SatdokuError("a puzzle has one set of regions, not two different ones")
    # Puzzles are equal when their rules are, in the same order. So regions go to the place of the
    # boxes, whether they were given first or last.
    if regions and Boxes() in distinct:
        distinct.remove(regions[0])
        distinct[distinct.index(Boxes())] = regions[0]
    return tuple(rule.beside(distinct) for rule in distinct)
