"""Line rules: relations of neighbours, renban, sum lines, and lines whose parts are compared."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, groupby, pairwise
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint, Either, Sets, Some, mask_of
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import read_cells, read_numbered_cells, write_cells
from satdoku.puzzle.rules.cages import DifferentDigits
from satdoku.puzzle.rules.cell_rules import LineRule, NumberedRule
from satdoku.puzzle.rules.group_rule import Sum, SumRule
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.order import Edge, NumberedLine, PairLine
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.rule import Drawing, Rule
from satdoku.puzzle.value import value


class Whispers(NumberedLine):
    """Adjacent digits on a line differ by at least the number."""

    reads = "values"
    name: ClassVar[str] = "whispers"
    label: ClassVar[str] = "whisper line"
    heading: ClassVar[str] = "whisper"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "2=r1c1,r1c2,r2c3"
    told: ClassVar[str] = "green lines: neighbours differ by at least {number}"
    tint: ClassVar[str] = "green"
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
        # The usual whispers on 9x9 have 5; other boards use half the number of digits, rounded up.
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
    tint: ClassVar[str] = "teal"
    form: ClassVar[str] = "[NUMBER=]CELLS"
    parts = {
        "NUMBER": "what is divided by, and how many cells in a row differ; 3 if none is said",
        "CELLS": "the cells of the line, in order",
    }
    why: ClassVar[str] = "the same remainder by {} too near to each other on the line"
    says: ClassVar[str] = "{} and {} leave different remainders by {n}"

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        # Without a number, setters mean 3.
        return 3

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return near_on(self.line, self.number)

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one % number == other % number

    def sentence(self, geometry: Geometry) -> str:
        told = f"on the line {self.along(geometry)} leave different remainders by {self.number}"
        # Setters draw such short lines too; all their digits have different remainders.
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
    tint: ClassVar[str] = "orange"
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
    """No two digits on a line are equal or consecutive, adjacent or not."""

    name: ClassVar[str] = "nabner"
    label: ClassVar[str] = "nabner line"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "r1c1,r1c2"
    told: ClassVar[str] = "yellow lines: no two digits are equal or consecutive"
    tint: ClassVar[str] = "yellow"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "equal or consecutive digits on a nabner line"
    says: ClassVar[str] = "{} and {} are neither equal nor consecutive"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # All pairs of cells, not only neighbours: equal digits at the two ends are wrong too.
        return tuple(combinations(self.line, 2))

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) <= 1

    def sentence(self, geometry: Geometry) -> str:
        return f"no two digits on the line {self.along(geometry)} are equal or consecutive"


class Palindrome(PairLine):
    """A line reads the same from both ends."""

    name: ClassVar[str] = "palindrome"
    label: ClassVar[str] = "palindrome line"
    example: ClassVar[str] = "r1c1,r1c2,r2c3"
    told: ClassVar[str] = "grey lines: the same from both ends"
    tint: ClassVar[str] = "grey"
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
    """Return all pairs of cells of a line that are fewer than `count` places apart."""
    return [
        (cell, other)
        for place, cell in enumerate(line)
        for other in line[place + 1 : place + count]
    ]


# Lines whose digits are consecutive.


class Renban(DifferentDigits, LineRule):
    """The digits of a line are consecutive, in any order."""

    name: ClassVar[str] = "renban"
    heading: ClassVar[str] = "renban line"
    drawn_at_random: ClassVar[str] = "lines"
    example: ClassVar[str] = "r1c1,r2c1,r2c2"
    told: ClassVar[str] = "purple lines: consecutive digits in any order"
    why: ClassVar[str] = "but the line holds consecutive digits"
    tint: ClassVar[str] = "purple"
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
        # Each run of consecutive digits that has the length of the line, by its lowest digit.
        runs = tuple(
            mask_of(range(first, first + count)) for first in range(1, geometry.size - count + 2)
        )
        yield Sets(self.line, runs, self.sentence(geometry))


# Lines that divide into parts with the same sum, such as ten lines.


@value(frozen=True)
class SumLine(LineRule, SteppedRule):
    """A line divides into consecutive parts, each of which sums to the number."""

    name: ClassVar[str] = "sum-line"
    example: ClassVar[str] = "5=r1c1,r1c2,r2c3"
    told: ClassVar[str] = "yellow lines: parts that sum to {total} each"
    why: ClassVar[str] = "but the line falls into parts that sum to {total} each"
    # Yellow, not green: boards with both kinds have green whispers.
    tint: ClassVar[str] = "yellow"
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
        # A part ends where the running sum is a multiple of the number; no multiple may be skipped.
        ends = set(accumulate(numbers))
        whole = sum(numbers)
        # A line of zeros has no part.
        if whole == 0 or whole % self.total:
            return False
        return all(end in ends for end in range(self.total, whole + 1, self.total))

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.total,)

    # State of the machine: the sum of the current part so far; the whole sum before the first part.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return key[0]

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, int)
        if number == 0:
            return state
        so_far = state % key[0] + number
        return so_far % key[0] if so_far <= key[0] else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == 0


# Lines whose parts are compared. On between and lockout lines the ends bound the inner digits; on
# region sums, zippers and double arrows the parts have equal sums.


class Between(LineRule, SteppedRule):
    """The digits on a line lie between the digits at its ends."""

    name: ClassVar[str] = "between"
    label: ClassVar[str] = "between line"
    example: ClassVar[str] = "r1c1,r1c2,r2c1"
    told: ClassVar[str] = "grey lines between circles: digits between those in the circles"
    why: ClassVar[str] = "but what is on the line lies between its ends"
    tint: ClassVar[str] = "grey"
    has_ends: ClassVar[bool] = True
    counts: ClassVar[bool] = False
    parts = {"CELLS": "the cells of the line, from circle to circle"}
    least: ClassVar[int] = 3
    cases_are_of_different: ClassVar[bool] = False

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits on the line {self.along(geometry)} lie between those at its ends"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        return all(low < number < high for number in numbers[1:-1])

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either | None:
        # One case for each end being the lower one. A cell is greater than another if, for each
        # digit d, the other is below d or the cell is above d.
        (one, *inner, other), (below, above) = cells, _below_and_above(geometry.size)
        choices = []
        for low, high in ((one, other), (other, one)):
            rising = [step for cell in inner for step in ((low, cell), (cell, high))]
            choices.append(
                tuple(
                    Some(((cell, below[d]), (next_cell, above[d])), "")
                    for cell, next_cell in rising
                    for d in range(1, geometry.size + 1)
                )
            )
        return Either(tuple(choices), self.sentence(geometry))

    # State of the machine: number of cells left, first digit, and lowest and highest digit after it
    # so far. The number of cells left tells which cell is the last one.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line),)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        if not state:
            return (key[0] - 1, number, 0, 0)
        left, first, low, high = state
        if left > 1:
            # Of the inner digits only the lowest and highest so far matter; 0 means none yet. If
            # the first digit lies between them, no last digit can be right.
            lows = (number, number) if not low else (min(low, number), max(high, number))
            return (left - 1, first, *lows) if not lows[0] <= first <= lows[1] else None
        return "kept" if first < low <= high < number or number < low <= high < first else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"


class Lockout(NumberedRule, SteppedRule):
    """The ends of a line differ by at least the number; its other digits lie outside them."""

    name: ClassVar[str] = "lockout"
    label: ClassVar[str] = "lockout line"
    example: ClassVar[str] = "2=r1c1,r2c1,r2c2"
    why: ClassVar[str] = "but the ends differ by at least {number} and lock out what is between"
    tint: ClassVar[str] = "blue"
    has_ends: ClassVar[bool] = True
    form: ClassVar[str] = "[NUMBER=]CELLS"
    counts: ClassVar[bool] = False
    parts = {
        "NUMBER": "the least difference of the ends; 4 on 9x9 where none is said",
        "CELLS": "the cells of the line, from end to end",
    }
    least: ClassVar[int] = 3
    cases_are_of_different: ClassVar[bool] = False

    @classmethod
    def usual_number(cls, geometry: Geometry) -> int:
        return (geometry.size - 1) // 2

    def caption(self, geometry: Geometry) -> str:
        ends = f"the ends differ by at least {self.number}"
        return f"blue lines with circles: {ends}, the rest lies outside"

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"the ends of the line {self.along(geometry)} differ by at least {self.number}, and "
            "no digit on it is one of them or between them"
        )

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, high = sorted((numbers[0], numbers[-1]))
        is_outside = all(number < low or number > high for number in numbers[1:-1])
        return high - low >= self.number and is_outside

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either:
        # One case for each end being the lower one.
        size, (one, *inner, other) = geometry.size, cells
        below, above = _below_and_above(size)
        choices = []
        for low, high in ((one, other), (other, one)):
            apart = [
                ((low, below[d]), (high, above[min(size, d + self.number - 1)]))
                for d in range(1, size + 1)
            ]
            outside = [
                ((cell, below[d] | above[d]), (low, above[d]), (high, below[d]))
                for cell in inner
                for d in range(1, size + 1)
            ]
            choices.append(tuple(Some(each, "") for each in (*apart, *outside)))
        return Either(tuple(choices), self.sentence(geometry))

    # State of the machine: the first digit, and the nearest digits below and above it so far.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (len(self.line), self.number, geometry.size + 1)

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return ()

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        length, least, _ = key
        if not state:
            return (length - 1, number, 0, key[2])
        left, first, below, above = state
        if left == 1:
            is_free = below < number < above
            return "kept" if is_free and abs(first - number) >= least else None
        if number == first:
            return None
        if number < first:
            return (left - 1, first, max(below, number), above)
        return (left - 1, first, below, min(above, number))

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "kept"


@value(frozen=True)
class RegionSum(SumRule):
    """A line has the same sum in each region that it passes through.

    If `segments` is empty, the line is split by the regions of the puzzle; if it returns to a
    region, a new segment begins.
    """

    reads = "values"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "region-sum"
    label: ClassVar[str] = "region sum line"
    heading: ClassVar[str] = "region sum line"
    example: ClassVar[str] = "r1c1,r1c2,r1c3"
    told: ClassVar[str] = "blue lines: the same sum in each region"
    why: ClassVar[str] = "but the line has the same sum in each region"
    form: ClassVar[str] = "CELLS"
    parts = {
        "CELLS": "the line, split where it leaves a box or region; or its parts, between slashes"
    }

    line: tuple[int, ...]
    segments: tuple[tuple[int, ...], ...] = ()
    regions: tuple[int, ...] = ()

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        line = read_cells(argument.replace("/", ","), geometry)
        if "/" not in argument:
            return cls(line)
        return cls(line, tuple(read_cells(part, geometry) for part in argument.split("/")))

    def argument(self, geometry: Geometry) -> str:
        return "/".join(write_cells(part, geometry) for part in self.segments or (self.line,))

    def beside(self, others: Sequence[Rule]) -> Rule:
        # A puzzle without irregular regions uses its boxes.
        rule = super().beside(others)
        regions = next((each.region_of for each in others if isinstance(each, Regions)), ())
        assert isinstance(rule, RegionSum)
        return rule if rule.regions == regions else replace(rule, regions=regions)

    def require_fit(self, geometry: Geometry) -> None:
        if not (self.segments or self.regions or geometry.is_plain or geometry.boxes):
            raise SatdokuError(
                "no boxes or regions split this line; write slashes between its parts"
            )

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        yield ("line", self.line, "blue")

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.argument(geometry)} has the same sum in each region"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return self.line

    def _parts(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        if self.segments:
            return self.segments
        region_of = self.regions.__getitem__ if self.regions else geometry.box_of
        return [tuple(cells) for _, cells in groupby(self.line, region_of)]

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        return [equal_sums(one, other) for one, other in pairwise(self._parts(geometry))]

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        return self.sums(geometry)[group].equation(geometry)


class Zipper(LineRule, SumRule):
    """Each two cells at the same distance from the middle of a line sum to the digit in the middle.

    If the middle is between two cells, all these pairs have the same sum.
    """

    reads = "values"
    name: ClassVar[str] = "zipper"
    label: ClassVar[str] = "zipper line"
    example: ClassVar[str] = "r1c1,r2c2,r3c3"
    told: ClassVar[str] = "purple lines with circles: cells as far from the middle sum to it"
    why: ClassVar[str] = "but the line is a zipper"
    tint: ClassVar[str] = "purple"
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def sentence(self, geometry: Geometry) -> str:
        middle = "the digit there" if len(self.line) % 2 else "the same"
        return f"each two cells as far from the middle of {self.along(geometry)} sum to {middle}"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # Without a middle cell, all pairs are compared with the innermost pair.
        half, line = len(self.line) // 2, self.line
        pairs = list(zip(line[:half], line[: -half - 1 : -1], strict=True))
        if len(line) % 2:
            return [equal_sums(pair, (line[half],)) for pair in pairs]
        return [equal_sums(pair, pairs[-1]) for pair in pairs[:-1]]

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        return f"{self.sums(geometry)[group].equation(geometry)}, on a zipper"


class SequenceLine(LineRule, SumRule):
    """The digits of a line go up, go down or stay by equal steps, as 2, 4, 6 and 8 do."""

    reads = "values"
    name: ClassVar[str] = "sequence"
    label: ClassVar[str] = "sequence line"
    example: ClassVar[str] = "r1c1,r2c2,r2c3"
    told: ClassVar[str] = "teal lines: equal steps from digit to digit"
    why: ClassVar[str] = "but the steps along the line are equal"
    tint: ClassVar[str] = "teal"
    counts: ClassVar[bool] = False
    least: ClassVar[int] = 3

    def sentence(self, geometry: Geometry) -> str:
        return f"the steps from digit to digit along the line {self.along(geometry)} are equal"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        # A cell between two others holds the middle of their digits.
        near = zip(self.line, self.line[1:], self.line[2:], strict=False)
        return [Sum((one, middle, other), (1, -2, 1), 0, 0) for one, middle, other in near]

    def total_sentence(self, geometry: Geometry, group: int) -> str:
        one, middle, other = map(geometry.name_of, self.sums(geometry)[group].cells)
        return f"{middle} is the middle of {one} and {other}, on a sequence line"


class DoubleArrow(LineRule, SumRule):
    """The sum of the two ends of a line equals the sum of the cells between them."""

    reads = "values"
    name: ClassVar[str] = "double-arrow"
    example: ClassVar[str] = "r1c1,r2c2,r3c3,r4c4"
    told: ClassVar[str] = "orange lines with circles: the circles sum to what lies between them"
    why: ClassVar[str] = "but the ends sum to what lies between them"
    tint: ClassVar[str] = "orange"
    has_ends: ClassVar[bool] = True
    least: ClassVar[int] = 3

    def sentence(self, geometry: Geometry) -> str:
        return f"both ends of {self.along(geometry)} sum to as much as the cells between them"

    def sums(self, geometry: Geometry) -> Sequence[Sum]:
        return [equal_sums((self.line[0], self.line[-1]), self.line[1:-1])]


def _below_and_above(size: int) -> tuple[list[int], list[int]]:
    """Return two lists, indexed by digit from 0 on: the masks of lower digits, and of higher
    digits.
    """
    digits = range(size + 1)
    below = [mask_of(range(1, digit)) for digit in digits]
    return below, [mask_of(range(digit + 1, size + 1)) for digit in digits]


def equal_sums(one: Sequence[int], other: Sequence[int]) -> Sum:
    """Return the statement that two lists of cells have equal sums."""
    if not one or not other:
        raise SatdokuError("a sum needs a cell on either side")
    return Sum((*one, *other), (*(1 for _ in one), *(-1 for _ in other)), 0, 0)
