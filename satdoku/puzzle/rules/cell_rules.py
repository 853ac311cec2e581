"""Base classes of rules with cells as argument: in order on a line, after a number, or as a set."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import MOST_NUMBER, read_cells, read_valued_cells, write_cells
from satdoku.puzzle.rules.rule import Drawing, Rule
from satdoku.puzzle.value import value


@value(frozen=True)
class LineRule(Rule):
    """A rule about cells in order."""

    fits_every_board: ClassVar[bool] = True
    form: ClassVar[str] = "CELLS"
    parts = {"CELLS": "the cells of the line, in order"}
    least: ClassVar[int] = 2
    """Least number of cells."""
    tint: ClassVar[str | None] = None
    """The colour of the line on a board; None if the rule is not drawn as a line."""
    has_bulb: ClassVar[bool] = False
    has_ends: ClassVar[bool] = False

    line: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(read_cells(argument, geometry))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.line, geometry)

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.line) < self.least:
            raise SatdokuError(f"a line has at least {self.least} cells, not {len(self.line)}")

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.line

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        # The cells of a rule that is not drawn as a line need not touch.
        return () if self.tint is None else (self.line,)

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        if self.tint is not None:
            yield ("line", self.line, self.tint, self.has_bulb, self.has_ends)

    def along(self, geometry: Geometry) -> str:
        """Return the names of the cells, for sentences."""
        return write_cells(self.line, geometry)


@value(frozen=True)
class NumberedRule(LineRule):
    """A line rule with a number before its cells."""

    form: ClassVar[str] = "NUMBER=CELLS"

    number: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        number, cells = read_valued_cells(argument, geometry)
        return cls(cells, cls.usual_number(geometry) if number is None else number)

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        """Return the number to use if the argument has none; a SatdokuError if the rule requires
        one.
        """
        raise SatdokuError(f"a number is missing, as in {cls.example}")

    def argument(self, geometry: Geometry) -> str:
        return f"{self.number}={super().argument(geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if not 0 < self.number < MOST_NUMBER:
            raise SatdokuError(f"the number {self.number} is not 1 or more")


@value(frozen=True)
class MarkedRule(Rule):
    """A rule about a set of marked cells."""

    fits_every_board: ClassVar[bool] = True
    form: ClassVar[str] = "CELLS"

    marked: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        # Sorted, so that rules with the same cells in another order are equal.
        return cls(tuple(sorted(read_cells(argument, geometry))))

    def argument(self, geometry: Geometry) -> str:
        return write_cells(self.marked, geometry)

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.marked
