"""Lines: neighbours lie apart, belong to different groups or are equal; renban; sum lines."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint, Sets, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import read_numbered_cells, write_cells
from satdoku.puzzle.rules.cages import DifferentDigits
from satdoku.puzzle.rules.cell_rules import LineRule
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.order import Edge, NumberedLine, PairLine
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Tint


class Whispers(NumberedLine):
    """Adjacent digits on a line differ by at least the number."""

    name: ClassVar[str] = "whispers"
    heading: ClassVar[str] = "whisper"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "2=r1c1,r1c2,r2c3"
    told: ClassVar[str] = "green lines: neighbours differ by at least {number}"
    tint: ClassVar["Tint"] = "green"
    form: ClassVar[str] = "[NUMBER=]CELLS"
    counts: ClassVar[bool] = False
    parts = {
        "NUMBER": "the least difference; 5 on 9x9 where none is said, half of the digits",
        "CELLS": "the cells of the line, in order",
    }
    why: ClassVar[str] = "but they differ by at least {} along the line"
    says: ClassVar[str] = "{} and {} differ by at least {n}"

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        # 5 on 9x9, as whispers are usually played; on other boards half of the digits, rounded up.
        return (geometry.size + 1) // 2

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) < number

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours on the line {self.along(geometry)} differ by at least {self.number}"


class Modular(NumberedLine):
    """Any `number` adjacent digits on a line have different remainders modulo `number`."""

    name: ClassVar[str] = "modular"
    heading: ClassVar[str] = "modular line"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "3=r1c1,r1c2,r2c1"
    told: ClassVar[str] = "teal lines: any {number} in a row differ in their remainders by {number}"
    tint: ClassVar["Tint"] = "teal"
    form: ClassVar[str] = "[NUMBER=]CELLS"
    parts = {
        "NUMBER": "what is divided by, and how many cells in a row differ; 3 if none is said",
        "CELLS": "the cells of the line, in order",
    }
    why: ClassVar[str] = "the same remainder by {} too near to each other on the line"
    says: ClassVar[str] = "{} and {} leave different remainders by {n}"

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        # Setters who give no number mean 3.
        return 3

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return near_on(self.line, self.number)

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one % number == other % number

    def sentence(self, geometry: Geometry) -> str:
        told = f"on the line {self.along(geometry)} leave different remainders by {self.number}"
        # Setters draw such lines too; all their digits have different remainders.
        is_short = len(self.line) < self.number
        return f"all digits {told}" if is_short else f"any {self.number} in a row {told}"


class Entropic(PairLine):
    """Any three adjacent digits on a line are a low, a middle and a high one."""

    name: ClassVar[str] = "entropic"
    heading: ClassVar[str] = "entropic line"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "r1c1,r1c2,r2c3"
    told: ClassVar[str] = "orange lines: any three in a row are a low, a middle and a high digit"
    example_board: ClassVar[Geometry] = Geometry(2, 3)
    tint: ClassVar["Tint"] = "orange"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "of the same third of the digits, too near to each other on the line"
    says: ClassVar[str] = "{} and {} are not both low, middle or high"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # There are three groups, so three cells in different groups have all of them.
        return near_on(self.line, 3)

    def number_on(self, geometry: Geometry) -> int:
        return geometry.size // 3

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return (one - 1) // number == (other - 1) // number

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        if geometry.size % 3:
            raise SatdokuError(f"{geometry.size} digits are not three groups of the same size")

    def sentence(self, geometry: Geometry) -> str:
        if len(self.line) < 3:
            return f"not both digits of {self.along(geometry)} are low, or middle, or high"
        return (
            f"any three in a row on the line {self.along(geometry)} are a low, a middle "
            "and a high digit"
        )


class Nabner(PairLine):
    """No two digits on a line are equal or consecutive, wherever they stand on it."""

    name: ClassVar[str] = "nabner"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "r1c1,r1c2"
    told: ClassVar[str] = "yellow lines: no two digits are equal or consecutive"
    tint: ClassVar["Tint"] = "yellow"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "equal or consecutive digits on a nabner line"
    says: ClassVar[str] = "{} and {} are neither equal nor consecutive"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # Each two cells of the line, not only neighbours: equal digits at its two ends are wrong
        # too.
        return tuple(combinations(self.line, 2))

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) <= 1

    def sentence(self, geometry: Geometry) -> str:
        return f"no two digits on the line {self.along(geometry)} are equal or consecutive"


class Palindrome(PairLine):
    """A line reads the same from both ends."""

    name: ClassVar[str] = "palindrome"
    example: ClassVar[str] = "r1c1,r1c2,r2c3"
    told: ClassVar[str] = "grey lines: the same from both ends"
    tint: ClassVar["Tint"] = "grey"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "but the line reads the same from both ends"
    says: ClassVar[str] = "{} and {} are equal, on a palindrome"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # With an odd number of cells, the middle one is its own partner.
        half = len(self.line) // 2
        return tuple(zip(self.line[:half], self.line[::-1], strict=False))

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != other

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.along(geometry)} reads the same from both ends"


def near_on(line: Sequence[int], count: int) -> list[Edge]:
    """Return each two cells of a line that are fewer than `count` places apart."""
    return [
        (cell, other)
        for place, cell in enumerate(line)
        for other in line[place + 1 : place + count]
    ]


# Lines of consecutive digits.


class Renban(DifferentDigits, LineRule):
    """The digits of a line are consecutive, in any order."""

    name: ClassVar[str] = "renban"
    heading: ClassVar[str] = "renban line"
    drawn_at_random: ClassVar[str] = "lines"
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
        # Each run of as many consecutive digits as the line has cells, by its lowest digit.
        runs = tuple(
            mask_of(range(first, first + count)) for first in range(1, geometry.size - count + 2)
        )
        yield Sets(self.line, runs, self.sentence(geometry))


# Lines that divide into parts of equal sum, such as ten lines.


@value(frozen=True)
class SumLine(LineRule, SteppedRule):
    """A line divides into consecutive parts, each of which sums to the number."""

    name: ClassVar[str] = "sum-line"
    example: ClassVar[str] = "5=r1c1,r1c2,r2c3"
    told: ClassVar[str] = "yellow lines: parts that sum to {total} each"
    why: ClassVar[str] = "but the line falls into parts that sum to {total} each"
    # Not green, which is the colour of whispers: boards have both.
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
        # A part ends where the sum so far is a multiple of the number, and no multiple may be
        # missed.
        ends = set(accumulate(numbers))
        return all(end in ends for end in range(self.total, sum(numbers) + 1, self.total)) and (
            sum(numbers) % self.total == 0
        )

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.total,)

    # A state is the sum of the last part so far.

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
