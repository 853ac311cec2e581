"""Rules that cells hold certain digits, or the same digits: quadruples, clones, circles."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import ClassVar

from satdoku.errors import SatdokuError, join, word_of
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Either,
    Some,
    Total,
    counting,
    every_digit,
)
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import (
    halves,
    numbers_and_cells,
    read_cell,
    read_cells,
    read_number,
    write_cells,
)
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.group_rule import Counted, GroupRule
from satdoku.puzzle.rules.machine_rule import (
    Layer,
    LazyTable,
    MachineRule,
    Table,
    build_layers,
)
from satdoku.puzzle.rules.order import Edge, PairRule
from satdoku.puzzle.rules.rule import Drawing, Rule
from satdoku.puzzle.value import value

# Most sets of cells for which clauses over sets are shorter than a counter: 15 of 81 cells have 10
# to the power of 15 such sets.
_MOST_SETS = 200


@value(frozen=True)
class Contain(GroupRule):
    """Each listed digit stands in some cells at least as often as it is listed."""

    reads = "digits"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "contain"
    label: ClassVar[str] = "contained digits"
    example: ClassVar[str] = "1/2=r1c1,r2c2,r3c3"
    form: ClassVar[str] = "DIGITS=CELLS"
    parts = {
        "DIGITS": "digits with slashes between; one may stand twice",
        "CELLS": "where they stand",
    }

    is_exact: ClassVar[bool] = False
    """Whether a digit stands in the cells exactly as often as it is listed."""

    digits: tuple[int, ...]
    group: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        before, after = numbers_and_cells(argument, "the digits are missing", cls.example)
        # Digits without separators would form one number, which no board has as a digit.
        is_run = before.strip().isdecimal() and len(before.strip()) > 1 and geometry.size <= 9
        if is_run or "," in before or " " in before.strip():
            raise SatdokuError(f"write slashes between digits, as in {cls.example}")
        digits = tuple(sorted(map(read_number, before.split("/"))))
        return cls(digits, cls.read_group(after, geometry))

    @classmethod
    def read_group(cls, text: str, geometry: Geometry) -> tuple[int, ...]:
        """Return the cells that a text names."""
        return tuple(sorted(read_cells(text, geometry)))

    def argument(self, geometry: Geometry) -> str:
        return f"{'/'.join(map(str, self.digits))}={self.where(geometry)}"

    def where(self, geometry: Geometry) -> str:
        """Return the cells as the argument names them."""
        return write_cells(self.group, geometry)

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.digits) > len(self.group):
            raise SatdokuError(f"{len(self.group)} cells do not hold {len(self.digits)} digits")
        for digit in self.digits:
            if digit not in self.values(geometry):
                raise SatdokuError(
                    f"{digit} is not a digit {self.lowest}-{self.value(geometry.size)}"
                )

    def sentence(self, geometry: Geometry) -> str:
        return f"{write_cells(self.group, geometry)} contain {self._counted_digits(once='')}"

    def _counted_digits(self, once: str) -> str:
        """Return the digits, each with its number if it is listed more than once: `two 5s`."""
        counts = Counter(self.digits).items()
        return join([f"{word_of(n)} {d}s" if n > 1 else f"{once}{d}" for d, n in counts])

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.group]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return all(numbers.count(digit) >= self.digits.count(digit) for digit in self.digits)

    def reason(self, geometry: Geometry) -> str:
        return f"but these cells hold {join([*map(str, self.digits)])}"

    def counted(self, geometry: Geometry) -> Sequence[Counted]:
        """Return how often each digit stands in the cells: at least, or exactly, as listed."""
        cells, found = self.group, []
        for number, count in Counter(self.digits).items():
            once = counting(number - self.lowest + 1, geometry.size)
            most = count if self.is_exact else len(cells)
            found.append(Counted(cells, (once,) * len(cells), count, most))
        return found

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        sentence = self.sentence(geometry)
        counts = Counter(self.digits).items()
        for (digit, count), counted in zip(counts, self.counted(geometry), strict=True):
            if self.is_exact or comb(len(self.group), count - 1) > _MOST_SETS:
                yield Total(*counted, sentence)
                continue
            mask = 1 << digit - self.lowest + 1
            # "At least `count` times": if any `count - 1` cells are left out, one of the others
            # holds the digit. So a small count needs no auxiliary variables.
            for cells in combinations(self.group, len(self.group) - count + 1):
                yield Some(tuple((cell, mask) for cell in cells), sentence)


_AROUND = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Steps from the upper left cell of a 2x2 square to each of its cells."""


class Quadruple(Contain):
    """The digits in a circle stand in the four cells around it."""

    name: ClassVar[str] = "quadruple"
    label: ClassVar[str] = "quadruple circle"
    example: ClassVar[str] = "1/2=r1c1"
    told: ClassVar[str] = "circles at corners: these digits stand around them"
    form: ClassVar[str] = "DIGITS=CELL"
    parts = {
        "DIGITS": "the digits of the circle with slashes between, up to four",
        "CELL": "of the four cells around it the one above and to the left",
    }

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Without a blank, numbers of two characters would run together.
        joint = " " if max(self.digits) > 9 else ""
        yield ("dot", self.group, joint.join(map(str, self.digits)))

    @classmethod
    def read_group(cls, text: str, geometry: Geometry) -> tuple[int, ...]:
        # A circle is named by its upper left cell, so cells of the last row and column name none.
        corner = read_cell(text, geometry)
        row, column = geometry.row_of(corner), geometry.column_of(corner)
        around = [geometry.cell_at(row + down, column + right) for down, right in _AROUND]
        if corner >= geometry.board_count or None in around:
            raise SatdokuError(f"{text} has no four cells below and to the right of it")
        return tuple(cell for cell in around if cell is not None)

    def where(self, geometry: Geometry) -> str:
        return geometry.name_of(self.group[0])


class ContainExact(Contain):
    """Each listed digit stands in some cells exactly as often as it is listed."""

    name: ClassVar[str] = "contain-exact"
    label: ClassVar[str] = "exact digits"
    is_exact: ClassVar[bool] = True
    example: ClassVar[str] = "1/2=r1c1,r2c2,r3c3"

    def sentence(self, geometry: Geometry) -> str:
        cells = write_cells(self.group, geometry)
        return f"{cells} contain exactly {self._counted_digits(once='one ')}"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return all(numbers.count(digit) == self.digits.count(digit) for digit in self.digits)


@value(frozen=True)
class SameDigits(GroupRule):
    """Two groups of cells hold the same digits, each as often, in any order."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "same-digits"
    example: ClassVar[str] = "r1c1,r2c3=r3c2,r4c4"
    why: ClassVar[str] = "but the first and the second half of them hold the same digits"
    form: ClassVar[str] = "CELLS=OTHERS"
    parts = {"CELLS": "some cells", "OTHERS": "as many that hold the same digits, each as often"}
    counts: ClassVar[bool] = False

    one: tuple[int, ...]
    other: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        one, other = halves(argument, "the other cells are missing", cls.example)
        return cls(
            tuple(sorted(read_cells(one, geometry))), tuple(sorted(read_cells(other, geometry)))
        )

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.one, geometry)}={write_cells(self.other, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.one) != len(self.other):
            raise SatdokuError(f"{len(self.one)} cells do not hold the digits of {len(self.other)}")
        for cell in set(self.one) & set(self.other):
            raise SatdokuError(f"{geometry.name_of(cell)} is on both sides")

    def sentence(self, geometry: Geometry) -> str:
        one, other = (write_cells(cells, geometry) for cells in (self.one, self.other))
        return f"{one} hold the same digits as {other}, each as often"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [(*self.one, *self.other)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        half = len(numbers) // 2
        return sorted(numbers[:half]) == sorted(numbers[half:])

    def counted(self, geometry: Geometry) -> Sequence[Counted]:
        """Return, for each digit, the statement that both groups hold it equally often."""
        (cells,), half, found = self.groups(geometry), len(self.one), []
        for digit in range(1, geometry.size + 1):
            once = counting(digit, geometry.size)
            less = tuple(-times for times in once)
            found.append(Counted(cells, (once,) * half + (less,) * half, 0, 0))
        return found

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for each in self.counted(geometry):
            yield Total(*each, self.sentence(geometry))


@value(frozen=True)
class Clone(PairRule):
    """Each cell of a shape holds the same digit as the matching cell of another shape."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "clone"
    example: ClassVar[str] = "r1c1,r1c2=r3c3,r4c4"
    form: ClassVar[str] = "CELLS=OTHERS"
    counts: ClassVar[bool] = False
    parts = {
        "CELLS": "the cells of a shape",
        "OTHERS": "those that hold the same, in the same order",
    }
    why: ClassVar[str] = "but these shapes are clones"
    says: ClassVar[str] = "{} and {} are equal, at the same place of clones"

    shape: tuple[int, ...]
    copy: tuple[int, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, second = halves(argument, "a second shape is missing", cls.example)
        return cls(read_cells(first, geometry), read_cells(second, geometry))

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.shape, geometry)}={write_cells(self.copy, geometry)}"

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.shape) != len(self.copy):
            raise SatdokuError(
                f"a shape of {len(self.shape)} cells is no clone of one with {len(self.copy)}"
            )
        for cell, other in zip(self.shape, self.copy, strict=True):
            if cell == other:
                raise SatdokuError(f"{geometry.name_of(cell)} is its own clone")

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != other

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(zip(self.shape, self.copy, strict=True))

    def sentence(self, geometry: Geometry) -> str:
        both = f"{write_cells(self.shape, geometry)} and {write_cells(self.copy, geometry)}"
        one = len(self.shape) == 1
        return f"{both} are equal" if one else f"{both} hold the same digits, one by one"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield from (("shade", self.shape), ("shade", self.copy))

    def caption(self, geometry: Geometry) -> str:
        first, second = geometry.name_of(self.shape[0]), geometry.name_of(self.copy[0])
        return f"shaded shapes at {first} and {second}: the same digits, one by one"


# Counting circles: a digit in a circle is the number of circles with that digit.


class CountingCircles(MarkedRule, MachineRule):
    """A digit in a circle is the number of circles with that digit."""

    name: ClassVar[str] = "counting-circles"
    label: ClassVar[str] = "counting circle"
    example: ClassVar[str] = "r1c1,r2c3,r3c4"
    why: ClassVar[str] = "but a digit in a circle says how many circles hold it"
    parts = {"CELLS": "the cells with circles, all of the puzzle"}
    cases_are_of_different: ClassVar[bool] = False

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("mark", self.marked, "circle")

    def sentence(self, geometry: Geometry) -> str:
        # With more cells the sentence would be too long to read.
        if len(self.marked) > 5:
            return (
                f"each digit in the {len(self.marked)} circles stands in as many of them as it says"
            )
        return f"each digit in {self.argument(geometry)} stands in as many of them as it says"

    def machine_sentence(self, geometry: Geometry, machine: int) -> str:
        number, circles = self.value(machine + 1), len(self.marked)
        if not 0 < number <= circles:
            return f"{number} stands in none of the {circles} circles"
        return f"{number} stands in {number} of the {circles} circles, or in none"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.marked]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return all(count == number for number, count in Counter(numbers).items())

    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Sequence[Layer]]]:
        """Return a machine for each digit, which counts the circles with it."""
        # A total cannot state "0 or exactly n", but a machine can.
        count, values = len(self.marked), self.values(geometry)
        return [
            (self.marked, LazyTable(count, _counter, count, values, number)) for number in values
        ]

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either:
        """Return a choice: the digit is in no circle, or in as many circles as its number.

        Totals can count rows, columns or boxes instead of cells, as each has the digit once: for 45
        circles this takes a sixth of the time of a machine, for 23 half of it.
        """
        digit, size = machine + 1, geometry.size
        number = self.value(digit)
        others = every_digit(size) & ~(1 << digit)
        choices: list[tuple[Constraint, ...]] = [tuple(Allowed(cell, others, "") for cell in cells)]
        if 0 < number <= len(cells):
            worths = (counting(digit, size),) * len(cells)
            choices.append((Total(cells, worths, number, number, ""),))
        return Either(tuple(choices), "")


@lru_cache(maxsize=128)
def _counter(length: int, numbers: range, counted: int) -> Table:
    """Return a machine over `length` cells that accepts 0 or `counted` cells with the number
    `counted`.
    """

    def step(count: int, number: int) -> int | None:
        count += number == counted
        # A surplus cannot be undone by later cells, so reject at once; this also bounds the states.
        return count if count <= max(counted, 0) else None

    return build_layers(length, numbers, 0, step, lambda count: count in (0, counted))
