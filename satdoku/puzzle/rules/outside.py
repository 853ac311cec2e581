"""Clues outside the grid, at the end of a row or column; skyscrapers and numbered rooms."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Allowed, Constraint, Machine, Pair, every_digit
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.rules.arguments import OutsideLine, halves, read_line, read_number
from satdoku.puzzle.rules.group_rule import GroupRule, spans_of
from satdoku.puzzle.rules.machine_rule import State, SteppedRule, Table, build_layers
from satdoku.puzzle.rules.rule import Clash, Rule
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Drawn


@value(frozen=True)
class OutsideRule(GroupRule):
    """A number at the end of a line that says something of the digits in it."""

    form: ClassVar[str] = "LINE=NUMBER"
    sign: ClassVar[str] = ""
    """What stands before the number outside, to tell kinds of clues apart."""
    is_digit: ClassVar[bool] = False
    """Whether the number is a digit of the board."""

    line: OutsideLine
    number: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        line, number = halves(argument, "a number is missing", cls.example)
        if line.strip().isdecimal():
            raise SatdokuError(f"the line stands before the number: {number.strip()[:20]}={line}")
        return cls(read_line(line, geometry), read_number(number))

    def argument(self, geometry: Geometry) -> str:
        return f"{self.line}={self.number}"

    def require_fit(self, geometry: Geometry) -> None:
        if self.line.number >= geometry.size:
            raise SatdokuError(f"{self.line} is not on a board of {geometry.size}x{geometry.size}")
        if self.is_digit and self.number not in self.values(geometry):
            raise SatdokuError(f"{self.number} is no digit of this board")

    def drawing(self, geometry: Geometry) -> "Iterator[Drawn]":
        # Imported here: most puzzles are never drawn.
        from satdoku.puzzle.rules.drawn import Outside

        # The clue stands at the end from which its line is read, and speaks of what lies behind.
        first = self.line.cells(geometry)[0]
        step = -1 if self.line.is_reversed else 1
        down, right = (0, step) if self.line.is_row else (step, 0)
        yield Outside(first, down, right, self.sign + str(self.number))

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line.cells(geometry)]

    def reached(self, geometry: Geometry) -> set[int]:
        """The numbers that a line of different digits can have; empty where that is not known."""
        return set()

    def why_impossible(self, geometry: Geometry) -> str:
        reached = self.reached(geometry)
        outside = reached and self.number not in reached
        return f"it can be {spans_of(reached)}" if outside else ""


LINE_PART = (
    "a row or column from its left or upper end, where the clue stands: row3, col4; "
    "row3.left, col4.up: read leftwards, upwards, with the clue at the right, below"
)
"""What LINE stands for in the arguments of these rules."""


class SkylineRule(OutsideRule, SteppedRule):
    """A clue about which digits of a line are greater than all before them."""

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number,)

    @classmethod
    @abstractmethod
    def highest(cls, state: State) -> int | None:
        """The highest number before a state; None where it matters no more."""

    @classmethod
    def step_where_different(
        cls, key: tuple[int, ...], state: State, number: int, least: int
    ) -> State | None:
        """The same as `step` for a line of different digits: None as well where that cannot be.

        `least` is the least that the highest of the numbers so far can be.

        A third to two thirds of the states are left, and puzzles with two dozen clues take half as
        long.
        """
        after = cls.step(key, state, number)
        if after is None:
            return None
        highest = cls.highest(after)
        return None if highest is not None and highest < least else after

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Machine | None:
        # Above that, to make the table of each clue takes longer than many puzzles do.
        if geometry.size > 16:
            return None
        key, values = self.machine_key(geometry), self.values(geometry)
        layers = _layers_where_different(type(self), key, len(cells), values)
        return Machine(cells, layers, self.sentence(geometry))


# Clues of a kind come again on many lines.
@lru_cache(maxsize=256)
def _layers_where_different(
    kind: type[SkylineRule], key: tuple[int, ...], length: int, numbers: range
) -> Table:
    def step(state: tuple[int, State], number: int) -> tuple[int, State] | None:
        count, before = state
        # Three different digits are not all below the third lowest.
        after = kind.step_where_different(key, before, number, numbers[count])
        return None if after is None else (count + 1, after)

    def is_end(state: tuple[int, State]) -> bool:
        return kind.is_end(key, state[1])

    return build_layers(length, numbers, (0, kind.start(key)), step, is_end)


class Skyscraper(SkylineRule):
    """So many digits of a line are seen from its end: those greater than all before them.

    Digits are heights, so where they count from 0 a 0 is never seen.
    """

    name: ClassVar[str] = "skyscraper"
    example: ClassVar[str] = "row1.left=2"
    sign: ClassVar[str] = "s"
    told: ClassVar[str] = "s outside: so many digits are greater than all before them"
    why: ClassVar[str] = "but {number} of them are greater than all before"
    parts = {
        "LINE": LINE_PART,
        "NUMBER": "how many digits are greater than all before them; a 0 is never one of these",
    }

    def sentence(self, geometry: Geometry) -> str:
        seen = f"{self.number} digits are" if self.number != 1 else "one digit is"
        where = f"in {self.line.in_words}"
        return f"{where}, {seen} seen, each greater than all before{self._where_0_is_not_seen}"

    def caption(self, geometry: Geometry) -> str:
        return super().caption(geometry) + self._where_0_is_not_seen

    def reason(self, geometry: Geometry) -> str:
        return super().reason(geometry) + self._where_0_is_not_seen

    @property
    def _where_0_is_not_seen(self) -> str:
        """What is added to all words about the rule on boards that have a 0."""
        return ", where 0 is not seen" if self.lowest == 0 else ""

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # The ground, of height 0, stands before all of them.
        return len(set(accumulate(numbers, max, initial=0)) - {0}) == self.number

    def reached(self, geometry: Geometry) -> set[int]:
        return set(range(1, len([height for height in self.values(geometry) if height]) + 1))

    # A state is the highest digit so far, and how many were seen.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return (0, 0)

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        assert isinstance(state, tuple)
        highest, seen = state
        if number <= highest:
            return state
        return (number, seen + 1) if seen < key[0] else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        assert isinstance(state, tuple)
        return bool(state[1] == key[0])

    @classmethod
    def highest(cls, state: State) -> int | None:
        assert isinstance(state, tuple)
        return int(state[0])


class HiddenSkyscraper(SkylineRule):
    """The first digit of a line that is not seen from its end, behind a greater one."""

    name: ClassVar[str] = "hidden-skyscraper"
    example: ClassVar[str] = "row1.left=2"
    sign: ClassVar[str] = "h"
    is_digit: ClassVar[bool] = True
    told: ClassVar[str] = "h outside: the first digit behind a greater one"
    why: ClassVar[str] = "but the first digit behind a greater one is {number}"
    parts = {"LINE": LINE_PART, "NUMBER": "the first digit that stands behind a greater one"}

    def sentence(self, geometry: Geometry) -> str:
        return f"in {self.line.in_words}, {self.number} is the first digit behind a greater one"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        seen = accumulate(numbers, max)
        hidden = (number for number, high in zip(numbers, seen, strict=True) if number < high)
        return next(hidden, None) == self.number

    def reached(self, geometry: Geometry) -> set[int]:
        # The highest digit is seen from everywhere.
        return set(self.values(geometry)[:-1])

    # A state is the highest digit as long as all are seen.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return -1

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        if state == "found":
            return state
        assert isinstance(state, int)
        if number >= state:
            return number
        return "found" if number == key[0] else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "found"

    @classmethod
    def highest(cls, state: State) -> int | None:
        return state if isinstance(state, int) else None

    @classmethod
    def step_where_different(
        cls, key: tuple[int, ...], state: State, number: int, least: int
    ) -> State | None:
        after = super().step_where_different(key, state, number, least)
        # The digit of the clue comes once, so it is not seen.
        return None if after == key[0] else after


class NumberedRoom(OutsideRule):
    """The first digit of a line says at which place of it the clue stands."""

    name: ClassVar[str] = "numbered-room"
    example: ClassVar[str] = "row1=3"
    sign: ClassVar[str] = "n"
    is_digit: ClassVar[bool] = True
    told: ClassVar[str] = "n outside: that digit stands where the first digit says"
    why: ClassVar[str] = "but {number} stands at the place that the first digit says"
    parts = {"LINE": LINE_PART, "NUMBER": "the digit that stands where the first digit says"}

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"in {self.line.in_words}, {self.number} stands at the place that the first digit says"
        )

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        place = numbers[0]
        return 1 <= place <= len(numbers) and numbers[place - 1] == self.number

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        # Two cells of the line break the rule, whatever the others hold.
        cells = self.line.cells(geometry)
        first, said = cells[0], digits[cells[0]]
        if said == EMPTY:
            return
        if self.forbids(geometry, first, said):
            why = "it says where in its line the clue stands"
            yield Clash(geometry, (first,), (said,), why)
            return
        other = cells[self.value(said) - 1]
        if digits[other] != EMPTY and self.value(digits[other]) != self.number:
            yield Clash(geometry, (first, other), (said, digits[other]), self.reason(geometry))

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        cells = self.line.cells(geometry)
        if cell != cells[0]:
            return False
        # At place 1 the first digit, which is 1 then, is the clue itself.
        place = self.value(digit)
        return not 1 <= place <= len(cells) or (place == 1 and self.number != 1)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        cells = self.line.cells(geometry)
        if other == cells[0]:
            cell, digit, other, other_digit = other, other_digit, cell, digit
        place = self.value(digit)
        return (
            cell == cells[0]
            and 1 <= place <= len(cells)
            and cells[place - 1] == other
            and self.value(other_digit) != self.number
        )

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        cells = self.line.cells(geometry)
        every = every_digit(geometry.size)
        clue = 1 << self.number - self.lowest + 1
        allowed = 0
        for digit in range(1, geometry.size + 1):
            place = self.value(digit)
            if 2 <= place <= len(cells):
                excludes = [0] * (geometry.size + 1)
                excludes[digit] = every & ~clue
                sentence = f"if {{}} is {place}, {{}} is {self.number}"
                yield Pair(cells[0], cells[place - 1], tuple(excludes), sentence)
            if 2 <= place <= len(cells) or place == self.number == 1:
                allowed |= 1 << digit
        yield Allowed(cells[0], allowed, "{} says where the clue stands")
