"""Units, in which no digit repeats, and the classic ones: rows, columns and boxes."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint
from satdoku.puzzle.grid import EMPTY, Geometry, Unit
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule, adapt

Digits = tuple[int, ...]


class UnitRule(Rule):
    """A rule about units: groups of cells in each of which all digits differ.

    A unit of as many cells as there are digits therefore holds every digit.
    """

    reads = "digits"
    preposition: ClassVar[str] = "in"
    """The preposition before a unit's name: digits are `in` row 3, but `on` a diagonal."""

    @abstractmethod
    def units(self, geometry: Geometry) -> Sequence[Unit]:
        """Return the units, each with all its cells."""

    @abstractmethod
    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        """Return the indices of the units that contain the cell.

        This is the definition. It is written independently of `units`, so that a test can compare
        the two.
        """

    def cells(self, geometry: Geometry) -> Collection[int]:
        return frozenset(cell for unit in self.units(geometry) for cell in unit.cells)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for unit, read in _readers(self, geometry):
            found = read(digits)
            # Fast path, as nearly every unit is right: there is no fault if only the 0 of empty
            # cells repeats.
            repeats = len(found) - len(set(found))
            if not repeats or repeats == found.count(EMPTY) - 1:
                continue
            first_with: dict[int, int] = {}
            for cell in unit.cells:
                digit = digits[cell]
                first = first_with.setdefault(digit, cell)
                if first != cell and digit != EMPTY:
                    yield Clash(
                        geometry, (first, cell), (digit, digit), f"{self.preposition} {unit}", unit
                    )

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return digit == other_digit and self.are_all_different(geometry, (cell, other))

    def are_all_different(self, geometry: Geometry, cells: Sequence[int]) -> bool:
        shared = set(self.units_at(geometry, cells[0]))
        for cell in cells[1:]:
            shared.intersection_update(self.units_at(geometry, cell))
        return bool(shared)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        yield from self.units(geometry)


# Cached for few puzzle kinds: one run uses rows, columns, boxes and one or two other rules.
@lru_cache(maxsize=16)
def _readers(rule: UnitRule, geometry: Geometry) -> "list[tuple[Unit, itemgetter[Digits]]]":
    """Return the units with two or more cells, each with a getter of its digits from a board."""
    units = rule.units(geometry)
    return [(unit, itemgetter(*unit.cells)) for unit in units if len(unit.cells) > 1]


def _said_of(geometry: Geometry, lines: str, rule: UnitRule) -> str:
    if not (geometry.is_plain or rule.units(geometry)):
        return "no rule on this board"
    # On boards that are not plain, a line may have fewer cells than there are digits.
    told = "every digit stands once in" if geometry.is_plain else "no digit stands twice in"
    return f"{told} {lines}"


class Rows(UnitRule):
    """Every digit stands once in each row."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "rows"
    is_of_the_board: ClassVar[bool] = True

    def sentence(self, geometry: Geometry) -> str:
        return _said_of(geometry, "each row", self)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.rows

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return geometry.rows_with(cell)


class Columns(UnitRule):
    """Every digit stands once in each column."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "columns"
    is_of_the_board: ClassVar[bool] = True

    def sentence(self, geometry: Geometry) -> str:
        return _said_of(geometry, "each column", self)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.columns

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return geometry.columns_with(cell)


class Boxes(UnitRule):
    """Every digit stands once in each box of the board's box shape."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "boxes"
    is_of_the_board: ClassVar[bool] = True

    def sentence(self, geometry: Geometry) -> str:
        return _said_of(geometry, "each box", self)

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Rows and columns have no drawing of their own: every board shows their lines.
        yield from (("border", unit.cells) for unit in geometry.boxes)

    def units(self, geometry: Geometry) -> Sequence[Unit]:
        return geometry.boxes

    def units_at(self, geometry: Geometry, cell: int) -> Collection[int]:
        return geometry.boxes_with(cell)


CLASSIC: tuple[Rule, ...] = (Rows(), Columns(), Boxes())
"""The rules of a puzzle whose source names no rules."""


def arrange(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the rules without duplicates; regions replace the boxes if there are both."""
    distinct = list(dict.fromkeys(rules))
    regions = [rule for rule in distinct if rule.stands_in_for_boxes]
    if len(regions) > 1:
        raise SatdokuError("a puzzle has one set of regions, not two different ones")
    # Other rules use the numbers that `digits` sets, so a second such rule would only change
    # sentences.
    if sum(rule.name == "digits" for rule in distinct) > 1:
        raise SatdokuError("a puzzle has one set of digits, not two different ones")
    # Puzzles are equal if their rules are equal and in the same order. So regions take the index of
    # the boxes, whether they were given first or last.
    if regions and Boxes() in distinct:
        distinct.remove(regions[0])
        distinct[distinct.index(Boxes())] = regions[0]
    return adapt(distinct, distinct)
