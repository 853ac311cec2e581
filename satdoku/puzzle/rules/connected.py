"""Shades and counts of any cells: what hangs together, squares, how many digits are different."""

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError, join
from satdoku.puzzle.constraints import (
    Connected,
    Constraint,
    Distinct,
    Some,
    Total,
    every_digit,
    mask_of,
)
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import (
    halves,
    read_cell,
    read_cells,
    read_number,
    write_cells,
)
from satdoku.puzzle.rules.group_rule import GroupRule
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule
from satdoku.puzzle.value import value

# Nobody reads a sentence with more names than this.
_MOST_NAMED = 9


@value(frozen=True)
class ShadeRule(Rule):
    """A rule about the cells of an area that hold one of some digits: those are shaded."""

    reads = "digits"
    fits_every_board: ClassVar[bool] = True
    counts: ClassVar[bool] = True
    form: ClassVar[str] = "DIGITS[=CELLS]"

    numbers: tuple[int, ...]
    area: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        numbers, _, cells = argument.partition("=")
        return cls(_read_numbers(numbers), _read_area(cells, geometry))

    def argument(self, geometry: Geometry) -> str:
        return "/".join(map(str, self.numbers)) + self._written_area(geometry)

    def _written_area(self, geometry: Geometry) -> str:
        is_board = self.area == tuple(range(geometry.board_count))
        return "" if is_board else f"={geometry.written_cells(self.area)}"

    def require_fit(self, geometry: Geometry) -> None:
        for number in self.numbers:
            if number not in self.values(geometry):
                highest = self.value(geometry.size)
                raise SatdokuError(f"{number} is not a digit {self.lowest}-{highest}")

    def where(self, geometry: Geometry) -> str:
        """Return the area in words, for sentences."""
        if self.area == tuple(range(geometry.board_count)):
            return "the cells"
        if len(self.area) > _MOST_NAMED:
            ends = (geometry.name_of(self.area[0]), geometry.name_of(self.area[-1]))
            return f"the cells {ends[0]} to {ends[1]}"
        return f"the cells {write_cells(self.area, geometry)}"

    def said(self) -> str:
        """Return the digits in words."""
        return join([*map(str, self.numbers)], "or")

    def mask(self) -> int:
        return mask_of(number - self.lowest + 1 for number in self.numbers)

    def shaded(self, digits: Sequence[int]) -> set[int]:
        """Return the shaded cells: those of the area that hold one of the digits."""
        return {
            cell for cell in self.area if digits[cell] and self.value(digits[cell]) in self.numbers
        }

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.area


@value(frozen=True)
class ConnectedRule(ShadeRule):
    """The cells with one of some digits hang together by their sides; there is one at least."""

    name: ClassVar[str] = "connected"
    label: ClassVar[str] = "connected digits"
    example: ClassVar[str] = "1/2/3"
    form: ClassVar[str] = "DIGITS[:COUNT][=CELLS]"
    parts = {
        "DIGITS": "digits with slashes between; cells that hold one of them hang together",
        "COUNT": "how many cells these are; any number where it is not said",
        "CELLS": "the cells of which this is said, or a group beside the board; all of the board "
        "where none are named",
    }

    count: int | None = None

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        before, _, cells = argument.partition("=")
        numbers, colon, count = before.partition(":")
        how_many = read_number(count) if colon else None
        return cls(_read_numbers(numbers), _read_area(cells, geometry), how_many)

    def argument(self, geometry: Geometry) -> str:
        count = "" if self.count is None else f":{self.count}"
        return "/".join(map(str, self.numbers)) + count + self._written_area(geometry)

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if self.count is not None and not 1 <= self.count <= len(self.area):
            raise SatdokuError(
                f"{len(self.area)} cells do not have {self.count} that hang together"
            )

    def sentence(self, geometry: Geometry) -> str:
        many = "" if self.count is None else f", and are {self.count}"
        where = self.where(geometry)
        return f"of {where} those with {self.said()} hang together by their sides{many}"

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        if any(digits[cell] == EMPTY for cell in self.area):
            return
        inside = self.shaded(digits)
        waiting = [min(inside)] if inside else []
        reached: set[int] = set()
        while waiting:
            cell = waiting.pop()
            if cell not in reached:
                reached.add(cell)
                waiting += inside.intersection(geometry.beside(cell)) - reached
        held = tuple(digits[cell] for cell in self.area)
        if not inside:
            yield Clash(geometry, self.area, held, f"but one of them holds {self.said()}")
        elif reached != inside:
            why = f"but the cells with {self.said()} hang together"
            yield Clash(geometry, self.area, held, why)
        elif self.count not in (None, len(inside)):
            why = f"but {self.count} of them hold {self.said()}"
            yield Clash(geometry, self.area, held, why)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        sentence, here = self.sentence(geometry), set(self.area)
        beside = tuple(
            tuple(other for other in geometry.beside(cell) if other in here) for cell in self.area
        )
        yield Connected(self.area, beside, self.mask(), sentence)
        if self.count is not None:
            inside = self.mask()
            worths = tuple(inside >> digit & 1 for digit in range(geometry.size + 1))
            yield Total(self.area, (worths,) * len(self.area), self.count, self.count, sentence)


class NoSquare(ShadeRule, GroupRule):
    """No four cells of a 2x2 square all hold one of some digits."""

    name: ClassVar[str] = "no-square"
    label: ClassVar[str] = "no 2x2 of some digits"
    example: ClassVar[str] = "1/2"
    parts = {
        "DIGITS": "digits with slashes between; no 2x2 cells all hold one of them",
        "CELLS": "the cells of which this is said, or a group beside the board; all of the board "
        "where none are named",
    }

    def sentence(self, geometry: Geometry) -> str:
        where = self.where(geometry)
        return f"of {where} no 2x2 square holds only {self.said()}"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        here = set(self.area)
        return [square for square in geometry.squares(self.area) if here.issuperset(square)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return not set(numbers).issubset(self.numbers)

    def reason(self, geometry: Geometry) -> str:
        return f"and a 2x2 square holds only {self.said()}"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.area

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        outside = every_digit(geometry.size) & ~self.mask()
        for square in self.groups(geometry):
            names = write_cells(square, geometry)
            yield Some(tuple((c, outside) for c in square), f"{names} hold not only {self.said()}")


@value(frozen=True)
class CountDistinct(Rule):
    """A cell says how many different digits some cells hold."""

    name: ClassVar[str] = "count-distinct"
    label: ClassVar[str] = "count of different digits"
    example: ClassVar[str] = "r1c1=r2c2,r3c3"
    form: ClassVar[str] = "CELL=CELLS"
    fits_every_board: ClassVar[bool] = True
    counts: ClassVar[bool] = True
    parts = {
        "CELL": "the cell with the number",
        "CELLS": "the cells whose different digits it counts",
    }

    control: int
    counted: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        one, cells = halves(argument, "the counted cells are missing", cls.example)
        return cls(read_cell(one, geometry), read_cells(cells, geometry))

    def argument(self, geometry: Geometry) -> str:
        return f"{geometry.name_of(self.control)}={write_cells(self.counted, geometry)}"

    def sentence(self, geometry: Geometry) -> str:
        name, cells = geometry.name_of(self.control), write_cells(self.counted, geometry)
        return f"{name} says how many different digits {cells} hold"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return dict.fromkeys((self.control, *self.counted)).keys()

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("mark", (self.control,), "square")

    def caption(self, geometry: Geometry) -> str:
        return self.sentence(geometry)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        held = tuple(digits[cell] for cell in (self.control, *self.counted))
        if EMPTY in held or len(set(held[1:])) == self.value(held[0]):
            return
        cells = (self.control, *(cell for cell in self.counted if cell != self.control))
        why = f"and {geometry.name_of(self.control)} does not count the different digits"
        yield Clash(geometry, cells, tuple(digits[cell] for cell in cells), why)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        yield Distinct(self.control, self.counted, self.lowest - 1, self.sentence(geometry))


def _read_numbers(text: str) -> tuple[int, ...]:
    words = text.split("/")
    if not all(word.strip().isdecimal() for word in words):
        raise SatdokuError(f"{text.strip()[:20]!r} is no list of digits such as 1/2")
    return tuple(sorted({read_number(word) for word in words}))


def _read_area(text: str, geometry: Geometry) -> tuple[int, ...]:
    if not text.strip():
        return tuple(range(geometry.board_count))
    return tuple(sorted(read_cells(text, geometry)))
