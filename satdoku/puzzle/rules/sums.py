"""Sums of cells that may hold equal digits: sums with factors, little killers, arrows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError, quote
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import (
    DIAGONAL_STEPS,
    halves,
    numbers_and_cells,
    read_cell,
    read_cells,
    read_number,
    write_cells,
)
from satdoku.puzzle.rules.group_rule import Sum, SumRule
from satdoku.puzzle.rules.rule import Drawing, Rule
from satdoku.puzzle.value import value

# A sign, a factor and cells, as in `-2*r1c1`; a factor of more than four digits is a typing error.
_TERM = re.compile(r"(-?)(?:(\d{1,4})\*)?([a-z].*)", re.IGNORECASE)


@value(frozen=True)
class SumOf(SumRule):
    """Some cells, each with a factor, sum to a number."""

    reads = "values"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "sum"
    label: ClassVar[str] = "sum anywhere"
    example: ClassVar[str] = "6=r1c1,r2c2,r3c3"
    why: ClassVar[str] = "but they sum to {total}"
    form: ClassVar[str] = "SUM=CELLS"
    parts = {
        "SUM": "what the digits sum to",
        "CELLS": "the cells; `-r1c1` is taken away, `2*r1c1` counts twice",
    }

    terms: tuple[tuple[int, int], ...]
    total: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        before, after = numbers_and_cells(argument, "a number is missing", cls.example)
        terms: list[tuple[int, int]] = []
        for word in re.findall(r"[^\s,]+", after):
            match = _TERM.fullmatch(word)
            if match is None:
                raise SatdokuError(f"{quote(word)} is not a cell such as r1c1 or 2*r1c1")
            factor = int(match[2] or 1) * (-1 if match[1] else 1)
            terms += [(cell, factor) for cell in read_cells(match[3], geometry)]
        # A cell named twice is usually a typing error; a factor of 2 would be clear.
        cells = [cell for cell, _ in terms]
        for place, cell in enumerate(cells):
            if cell in cells[:place]:
                raise SatdokuError(f"{geometry.name_of(cell)} is named twice; give it a factor")
        if not cells:
            raise SatdokuError(f"the cells are missing, as in {cls.example}")
        return cls(tuple(terms), read_number(before))

    def argument(self, geometry: Geometry) -> str:
        return f"{self.total}={self._terms(geometry)}"

    def _terms(self, geometry: Geometry) -> str:
        words = []
        for cell, factor in self.terms:
            times = "" if abs(factor) == 1 else f"{abs(factor)}*"
            words.append(f"{'-' if factor < 0 else ''}{times}{geometry.name_of(cell)}")
        return ",".join(words)

    def sentence(self, geometry: Geometry) -> str:
        (wanted,) = self.sums(geometry)
        if {*wanted.factors} != {1}:
            return wanted.equation(geometry)
        return f"the digits in {self._terms(geometry)} sum to {self.total}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        cells, factors = zip(*self.terms, strict=True)
        return [Sum(cells, factors, self.total, self.total)]


_WORDS = {"d": "down", "u": "up", "r": "right", "l": "left"}


@value(frozen=True)
class LittleKiller(SumRule):
    """The digits along a diagonal sum to the number at its end; they may repeat."""

    reads = "values"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "little-killer"
    example: ClassVar[str] = "r1c2.dr=7"
    told: ClassVar[str] = "numbers with arrows outside: what the diagonal sums to"
    why: ClassVar[str] = "but this diagonal sums to {total}"
    form: ClassVar[str] = "CELL.WAY=SUM"
    parts = {
        "CELL": "the first cell of the diagonal, at the border",
        "WAY": "where it goes: dr is down and right, dl, ur, ul",
        "SUM": "what the digits along it sum to",
    }

    start: int
    way: str
    total: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        place, sign, number = argument.partition("=")
        name, dot, way = place.strip().lower().partition(".")
        if not sign or not dot or way not in DIAGONAL_STEPS:
            raise SatdokuError(
                f"{quote(argument)} is no diagonal with its sum, such as {cls.example}"
            )
        start = read_cell(name, geometry)
        if start >= geometry.board_count:
            raise SatdokuError(f"no diagonal begins at {name}, which is beside the board")
        return cls(start, way, read_number(number))

    def argument(self, geometry: Geometry) -> str:
        return f"{geometry.name_of(self.start)}.{self.way}={self.total}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        if self._is_whole(geometry):
            yield ("outside", self.start, *DIAGONAL_STEPS[self.way], str(self.total))

    def caption(self, geometry: Geometry) -> str:
        return super().caption(geometry) if self._is_whole(geometry) else self.sentence(geometry)

    def _is_whole(self, geometry: Geometry) -> bool:
        """Whether the diagonal begins at the border; the clue is drawn outside the board."""
        down, right = DIAGONAL_STEPS[self.way]
        before = geometry.row_of(self.start) - down, geometry.column_of(self.start) - right
        return geometry.cell_at(*before) is None

    def sentence(self, geometry: Geometry) -> str:
        down, right = (_WORDS[letter] for letter in self.way)
        place = geometry.name_of(self.start)
        return f"the diagonal from {place} {down} and {right} sums to {self.total}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # The diagonal runs from its first cell to the opposite border; the sum is over all its
        # cells.
        down, right = DIAGONAL_STEPS[self.way]
        row, column = geometry.row_of(self.start), geometry.column_of(self.start)
        cells: list[int] = []
        while (cell := geometry.cell_at(row, column)) is not None:
            cells.append(cell)
            row, column = row + down, column + right
        return [Sum(tuple(cells), (1,) * len(cells), self.total, self.total)]


@value(frozen=True)
class Arrow(SumRule):
    """The digits along an arrow's shaft sum to the number in its circle or pill."""

    reads = "values"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "arrow"
    drawn_at_random: ClassVar[str] = "arrows"
    example: ClassVar[str] = "r1c1=r2c2,r3c3"
    told: ClassVar[str] = "arrows: the digits along the shaft sum to the circle"
    why: ClassVar[str] = "but the circle is the sum of the shaft"
    form: ClassVar[str] = "CIRCLE=CELLS"
    parts = {
        "CIRCLE": "the cell of the circle, or the cells of a pill, read as one number",
        "CELLS": "the cells of the shaft",
    }

    circle: tuple[int, ...]
    shaft: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        circle, shaft = halves(argument, "the shaft is missing", cls.example)
        return cls(read_cells(circle, geometry), read_cells(shaft, geometry))

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.circle, geometry)}={write_cells(self.shaft, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        for cell in self.circle:
            if cell in self.shaft:
                raise SatdokuError(f"{geometry.name_of(cell)} is in the circle and on the shaft")
        if len(self.circle) > 1 and self.reading is not None:
            raise SatdokuError(
                f"a pill cannot be used with {self.reading.maker}: its number is read from digits"
            )
        if len(self.circle) > 1 and self.value(geometry.size) > 9:
            raise SatdokuError("a pill is read as one number, which needs digits up to 9")
        # A pill of four cells is a number above 1,000, which no shaft on 9x9 can reach.
        if len(self.circle) > 3:
            raise SatdokuError(f"a pill has two or three cells, not {len(self.circle)}")

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("shaft", self.circle, self.shaft)

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        # The shaft may start at any cell of a pill.
        leaves = (each for each in self.circle if geometry.touch(each, self.shaft[0]))
        return ((next(leaves, self.circle[0]), *self.shaft),)

    def sentence(self, geometry: Geometry) -> str:
        circle = write_cells(self.circle, geometry)
        what = "circle" if len(self.circle) == 1 else "pill"
        shaft = write_cells(self.shaft, geometry)
        return f"the digits along the arrow {shaft} sum to the number in its {what} {circle}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # The digits of a pill form a number: 2 and 3 are 23.
        tens = tuple(-(10**place) for place in reversed(range(len(self.circle))))
        return [Sum((*self.circle, *self.shaft), (*tens, *(1 for _ in self.shaft)), 0, 0)]
