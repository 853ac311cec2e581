"""Clues outside the grid, at the end of a row or column.

Skyscrapers, hidden skyscrapers and numbered rooms; sandwiches and x-sums.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Either,
    Enclosed,
    Machine,
    Masks,
    Pair,
    Sets,
    every_digit,
)
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import OutsideLine, halves, read_line, read_number
from satdoku.puzzle.rules.cages import sets_with_sum
from satdoku.puzzle.rules.group_rule import GroupRule, spans_of, sums_of
from satdoku.puzzle.rules.machine_rule import State, SteppedRule, Table, build_layers
from satdoku.puzzle.rules.reasons import (
    Line,
    why_not_at_place,
    why_not_between,
    why_not_first,
    why_not_hidden,
    why_not_seen,
)
from satdoku.puzzle.rules.rule import Clash, Drawing, Left, Rule
from satdoku.puzzle.value import value


@value(frozen=True)
class OutsideRule(GroupRule):
    """A number at the end of a line that restricts the digits of the line."""

    form: ClassVar[str] = "LINE=NUMBER"
    sign: ClassVar[str] = ""
    """Prefix of the drawn number, by which kinds of clues differ."""
    is_digit: ClassVar[bool] = False
    """Whether the clue has to be a digit of the board, not a sum or a count."""
    is_same_from_both_ends: ClassVar[bool] = False
    """Whether the clues at both ends of a line are always equal."""
    drawn_at_random: ClassVar[str] = "outside"

    line: OutsideLine
    number: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        line, number = halves(argument, "a number is missing", cls.example)
        if line.strip().isdecimal():
            raise SatdokuError(f"write the line before the number: {number.strip()[:20]}={line}")
        return cls(read_line(line, geometry), read_number(number))

    def argument(self, geometry: Geometry) -> str:
        return f"{self.line}={self.number}"

    def require_fit(self, geometry: Geometry) -> None:
        if self.line.number >= (geometry.height if self.line.is_row else geometry.width):
            raise SatdokuError(f"{self.line} is not on a board of {geometry.board_words}")
        if self.is_digit and self.number not in self.values(geometry):
            raise SatdokuError(f"{self.number} is no digit of this board")

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # The clue stands at the end from which the line is read.
        first = self.line.cells(geometry)[0]
        step = -1 if self.line.is_reversed else 1
        down, right = (0, step) if self.line.is_row else (step, 0)
        yield ("outside", first, down, right, self.sign + str(self.number))

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line.cells(geometry)]

    def _line(self, geometry: Geometry, left: Left) -> Line:
        cells = self.line.cells(geometry)
        masks = [left.masks[cell] for cell in cells]
        return Line(geometry, cells, masks, self.lowest, left.are_different, left.is_brief)

    def reached(self, geometry: Geometry) -> set[int]:
        """Return the possible clues of a line of different digits; empty if they are not known."""
        return set()

    def why_impossible(self, geometry: Geometry) -> str:
        reached = self.reached(geometry)
        outside = reached and self.number not in reached
        return f"it can be {spans_of(reached)}" if outside else ""


LINE_PART = (
    "a row or column from its left or upper end, where the clue stands: row3, col4; "
    "row3.left, col4.up: read leftwards, upwards, with the clue at the right, below"
)
"""The meaning of LINE in the arguments of these rules."""


class SkylineRule(OutsideRule, SteppedRule):
    """A clue about those digits of a line that are greater than all digits before them."""

    fits_every_board: ClassVar[bool] = True

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number,)

    @classmethod
    @abstractmethod
    def highest(cls, state: State) -> int | None:
        """Return the highest number before a state; None if it does not matter in that state."""

    @classmethod
    def step_where_different(
        cls, key: tuple[int, ...], state: State, number: int, least: int
    ) -> State | None:
        """Return `step` for a line of different digits; None also for states that cannot occur
        there.

        `least` is a lower bound on the highest of the numbers so far.

        This leaves a third to two thirds of the states, and puzzles with two dozen clues take half
        as long.
        """
        after = cls.step(key, state, number)
        if after is None:
            return None
        highest = cls.highest(after)
        return None if highest is not None and highest < least else after

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Machine | None:
        # On larger boards, building the table of one clue takes longer than solving many puzzles.
        # A line of more cells than there are digits has equal ones.
        if geometry.size > 16 or len(cells) > geometry.size:
            return None
        key, values = self.machine_key(geometry), self.values(geometry)
        layers = _layers_where_different(type(self), key, len(cells), values)
        return Machine(cells, layers, self.sentence(geometry))


# Cached, as many lines have the same kind of clue with the same number.
@lru_cache(maxsize=256)
def _layers_where_different(
    kind: type[SkylineRule], key: tuple[int, ...], length: int, numbers: range
) -> Table:
    def step(state: tuple[int, State], number: int) -> tuple[int, State] | None:
        count, before = state
        # The lower bound: the highest of n different digits is at least the n-th lowest digit.
        after = kind.step_where_different(key, before, number, numbers[count])
        return None if after is None else (count + 1, after)

    def is_end(state: tuple[int, State]) -> bool:
        return kind.is_end(key, state[1])

    return build_layers(length, numbers, (0, kind.start(key)), step, is_end)


class Skyscraper(SkylineRule):
    """The number of visible digits of a line from its end: digits greater than all before them.

    Digits are heights, so a 0 is never visible.
    """

    name: ClassVar[str] = "skyscraper"
    is_unmistakable: ClassVar[bool] = True
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
        """Return the words that every sentence of the rule adds on boards with a 0."""
        return ", where 0 is not seen" if self.lowest == 0 else ""

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # The initial height is 0, so that a digit 0 is not visible.
        return len(set(accumulate(numbers, max, initial=0)) - {0}) == self.number

    def reached(self, geometry: Geometry) -> set[int]:
        return set(range(1, len([height for height in self.values(geometry) if height]) + 1))

    def why_none(self, geometry: Geometry, left: Left) -> str:
        return why_not_seen(self._line(geometry, left), self.number)

    # State of the machine: the highest digit so far, and how many digits were visible.

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
    """The first hidden digit of a line: the first with a greater digit before it."""

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
        # The highest digit is never hidden.
        return set(self.values(geometry)[:-1])

    def why_none(self, geometry: Geometry, left: Left) -> str:
        digit = self.number - self.lowest + 1
        return why_not_hidden(self._line(geometry, left), digit)

    # State of the machine: the highest digit while all are visible, then "found".

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
        # As digits differ, the clue's own digit cannot be both visible and hidden.
        return None if after == key[0] else after


class NumberedRoom(OutsideRule):
    """The clue's digit stands at the position that the first digit of the line states."""

    fits_every_board: ClassVar[bool] = True

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
        # The fault lies in the first cell and the cell at that position alone.
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

    def why_none(self, geometry: Geometry, left: Left) -> str:
        return why_not_at_place(self._line(geometry, left), self.number - self.lowest + 1)

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        cells = self.line.cells(geometry)
        if cell != cells[0]:
            return False
        # At position 1 the first digit, which is 1, is itself the clue's digit.
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


# Clues about sums: sandwiches and x-sums.

# Most sets of digits listed for a clue. Up to 12x12 no clue has more, and listing takes
# milliseconds. On 16x16 it would take half a second, so a machine is used.
_MOST_SETS = 1000


def _has_few_sets(geometry: Geometry) -> bool:
    return comb(geometry.size, geometry.size // 2) <= _MOST_SETS


class Sandwich(OutsideRule, SteppedRule):
    """The digits between the lowest and the highest digit of a line sum to the clue."""

    name: ClassVar[str] = "sandwich"
    label: ClassVar[str] = "sandwich sum"
    is_same_from_both_ends: ClassVar[bool] = True
    is_unmistakable: ClassVar[bool] = True
    example: ClassVar[str] = "row2=3"
    told: ClassVar[str] = (
        "numbers outside: what lies between the lowest and highest digit sums to it"
    )
    why: ClassVar[str] = "but the digits between the lowest and the highest sum to {number}"
    parts = {
        "LINE": LINE_PART,
        "NUMBER": "what lies between the lowest and highest digit sums to it",
    }

    def sentence(self, geometry: Geometry) -> str:
        low, high = self.value(1), self.value(geometry.size)
        return f"in {self.line.in_words} the digits between {low} and {high} sum to {self.number}"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        ends = [place for place, n in enumerate(numbers) if n in self._ends(geometry)]
        # If a digit repeats, there may be more or fewer ends than two; that fault is reported
        # elsewhere.
        return len(ends) == 2 and sum(numbers[ends[0] + 1 : ends[1]]) == self.number

    def _ends(self, geometry: Geometry) -> tuple[int, int]:
        return self.value(1), self.value(geometry.size)

    def reached(self, geometry: Geometry) -> set[int]:
        _, *middle, _ = self.values(geometry)
        return {n for count in range(len(middle) + 1) for n in sums_of(middle, count)}

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Enclosed | None:
        # Every digit has to be in the line, and the lowest must differ from the highest.
        size = geometry.size
        if len(cells) != size or size < 2 or not _has_few_sets(geometry):
            return None
        ends = 1 << 1 | 1 << size
        sets = tuple(
            each
            for count in range(size - 1)
            for each in sets_with_sum(size, count, self.number, self.lowest)
            if not each & ends
        )
        return Enclosed(cells, sets, self.sentence(geometry))

    def why_none(self, geometry: Geometry, left: Left) -> str:
        cells = self.line.cells(geometry)
        cases = self.by_cases(geometry, 0, cells) if left.are_different else None
        if cases is None:
            return ""
        return why_not_between(self._line(geometry, left), self.number, cases.sets)

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number, *self._ends(geometry))

    # State of the machine: "before" the first end, then the sum so far, then "behind" the second
    # end.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return "before"

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        # The two ends may come in either order; digits after the second end are not added.
        total, *ends = key
        if state == "behind":
            return None if number in ends else state
        if state == "before":
            return 0 if number in ends else state
        assert isinstance(state, int)
        if number in ends:
            return "behind" if state == total else None
        return state + number if state + number <= total else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == "behind"


class XSum(OutsideRule, SteppedRule):
    """The first X digits of a line sum to the clue; X is the first digit."""

    name: ClassVar[str] = "x-sum"
    heading: ClassVar[str] = "X-sum"
    example: ClassVar[str] = "col1=6"
    sign: ClassVar[str] = "x"
    told: ClassVar[str] = "x outside: the first X digits sum to it, X the first one"
    why: ClassVar[str] = "but as many digits as the first one says sum to {number}"
    parts = {"LINE": LINE_PART, "NUMBER": "what as many digits as the first one says sum to"}
    fits_every_board: ClassVar[bool] = True

    def sentence(self, geometry: Geometry) -> str:
        return f"in {self.line.in_words} the first X digits sum to {self.number}, X the first one"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        first = numbers[0]
        return 0 <= first <= len(numbers) and sum(numbers[:first]) == self.number

    def reached(self, geometry: Geometry) -> set[int]:
        if not geometry.is_plain:
            return set()  # the digits of a line may repeat, or some may be missing
        values = self.values(geometry)
        return {
            first + rest
            for first in values
            if first <= len(values)
            for rest in sums_of([n for n in values if n != first], max(first - 1, 0))
        }

    def _sets_behind(self, geometry: Geometry, digit: int) -> Masks:
        """Return the sets of digits that may follow the first digit."""
        first = self.value(digit)
        if first > len(self.line.cells(geometry)):
            return ()
        rest, count = self.number - first, max(first, 1) - 1
        sets = sets_with_sum(geometry.size, count, rest, self.lowest)
        return tuple(each for each in sets if not each >> digit & 1)

    def by_cases(self, geometry: Geometry, machine: int, cells: tuple[int, ...]) -> Either | None:
        # One case for each first digit.
        if not (geometry.is_plain and _has_few_sets(geometry)):
            return None
        choices: list[tuple[Constraint, ...]] = []
        for digit in range(1, geometry.size + 1):
            first = self.value(digit)
            # If digits count from 0, X may be 0, and no digit is added.
            behind = cells[1 : max(first, 1)]
            sets = self._sets_behind(geometry, digit)
            if not sets:
                continue
            begins = Allowed(cells[0], 1 << digit, "")
            # A list of one cell needs no sets, and an empty one no constraint.
            if len(behind) > 1:
                choices.append((begins, Sets(behind, sets, "")))
            else:
                choices.append((begins, *(Allowed(cell, sum(sets), "") for cell in behind)))
        return Either(tuple(choices), self.sentence(geometry))

    def why_none(self, geometry: Geometry, left: Left) -> str:
        cells = self.line.cells(geometry)
        if not left.are_different or self.by_cases(geometry, 0, cells) is None:
            return ""
        behind = {
            digit: self._sets_behind(geometry, digit) for digit in range(1, geometry.size + 1)
        }
        return why_not_first(self._line(geometry, left), self.number, behind)

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return (self.number, geometry.size)

    # State of the machine: how many of the first X digits are left, and the sum that they must
    # have.

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return "first"

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        total, length = key
        if state == "first":
            # If digits count from 0, X may be 0, and no digit is added.
            left, rest = max(number - 1, 0), total - number
            return (left, rest) if left < length else None
        assert isinstance(state, tuple)
        left, rest = state
        if left == 0:
            return state if rest == 0 else None
        return (left - 1, rest - number) if rest >= number else None

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == (0, 0)
