"""Rules about single cells (odd, even, listed digits), and the numbers that digits stand for."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError, join, quote
from satdoku.puzzle.constraints import Allowed, Constraint, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import DIGITS, read_cell, write_cells
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule
from satdoku.puzzle.value import value

# Most cells named in a sentence; readers would skip longer lists.
_MOST_CELLS_IN_A_SENTENCE = 3


@value(frozen=True)
class Candidates(Rule):
    """Each cell of the rule holds one of the digits listed for it.

    `sets` has pairs of a cell and its digits, in the order of cells.
    """

    reads = "digits"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "candidates"
    label: ClassVar[str] = "given candidates"
    example: ClassVar[str] = "r1c1=1/2,r3c4=3"
    told: ClassVar[str] = "small digits: their cell holds one of them"

    form: ClassVar[str] = "CELL=DIGITS,CELL=DIGITS"
    parts = {
        "CELL": "a cell that holds one of some digits",
        "DIGITS": "these digits, such as 1/2/9",
    }
    counts: ClassVar[bool] = True

    sets: tuple[tuple[int, tuple[int, ...]], ...]

    @classmethod
    def of(cls, digits_at: Mapping[int, Collection[int]]) -> "Candidates":
        """Return the rule for cells with their digits."""
        ordered = sorted(digits_at.items())
        return cls(tuple((cell, tuple(sorted(set(digits)))) for cell, digits in ordered))

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        digits_at: dict[int, tuple[int, ...]] = {}
        for word in re.split(r"[\s,]+", argument.strip()):
            name, _, text = word.partition("=")
            if word.isdecimal():
                raise SatdokuError("write slashes between digits, as in r1c1=1/2/9")
            cell = read_cell(name, geometry)
            numbers = text.split("/")
            # Longer numbers are typing errors, and Python refuses to parse very long ones.
            if not all(number.isdecimal() and len(number) < 5 for number in numbers):
                raise SatdokuError(f"{quote(word)} is not a cell with digits such as r1c1=1/2/9")
            if cell in digits_at:
                raise SatdokuError(f"{name} has two candidate sets")
            digits_at[cell] = tuple(map(int, numbers))
        # `require_fit` checks that these are digits of the board, as the rule may also be made
        # without parsing.
        return cls.of(digits_at)

    def argument(self, geometry: Geometry) -> str:
        return ",".join(
            f"{geometry.name_of(cell)}={'/'.join(map(str, digits))}" for cell, digits in self.sets
        )

    def require_fit(self, geometry: Geometry) -> None:
        for cell, digits in self.sets:
            wrong = [digit for digit in digits if digit not in self.values(geometry)]
            if wrong:
                raise SatdokuError(
                    f"the candidate {wrong[0]} of {geometry.name_of(cell)} is not a digit "
                    f"{self.lowest}-{self.value(geometry.size)}"
                )

    def sentence(self, geometry: Geometry) -> str:
        if len(self.sets) > _MOST_CELLS_IN_A_SENTENCE:
            return f"{len(self.sets)} cells hold one of their candidates"
        return "; ".join(
            f"{geometry.name_of(cell)} holds {_list(digits)}" for cell, digits in self.sets
        )

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Drawings count digits from 1, even if the lowest digit of the puzzle is another number.
        shift = 1 - self.lowest
        for cell, digits in self.sets:
            yield ("pencil", cell, tuple(digit + shift for digit in digits))

    def cells(self, geometry: Geometry) -> Collection[int]:
        return [cell for cell, _ in self.sets]

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell, allowed in self.sets:
            if digits[cell] != EMPTY and self.value(digits[cell]) not in allowed:
                why = f"it must be {_list(allowed)}"
                yield Clash(geometry, (cell,), (digits[cell],), why)

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        return any(
            cell == place and self.value(digit) not in allowed for place, allowed in self.sets
        )

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for cell, digits in self.sets:
            mask = mask_of(digit - self.lowest + 1 for digit in digits)
            yield Allowed(cell, mask, f"{{}} holds {_list(digits)}")


def _list(digits: Sequence[int]) -> str:
    """Return digits in words, with `or` before the last: `1, 2 or 9`."""
    return join([*map(str, digits)] or ["no digit"], "or")


class Odd(MarkedRule):
    """Some cells hold odd digits."""

    reads = "digits"
    name: ClassVar[str] = "odd"
    label: ClassVar[str] = "odd cell"
    example: ClassVar[str] = "r1c1,r2c4"
    parts = {"CELLS": "the cells that hold odd digits"}
    counts: ClassVar[bool] = True
    remainder: ClassVar[int] = 1
    shape: ClassVar[str] = "circle"

    def sentence(self, geometry: Geometry) -> str:
        verb = "holds" if len(self.marked) == 1 else "hold"
        noun = "digit" if len(self.marked) == 1 else "digits"
        article = f"an {self.name} " if len(self.marked) == 1 else f"{self.name} "
        return f"{write_cells(self.marked, geometry)} {verb} {article}{noun}"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Filled, as in magazines; circles of arrows and lines are not filled.
        yield ("mark", self.marked, self.shape, True)

    def caption(self, geometry: Geometry) -> str:
        return f"grey {self.shape}s: {self.name} digits"

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell in self.marked:
            if digits[cell] != EMPTY and self.forbids(geometry, cell, digits[cell]):
                yield Clash(geometry, (cell,), (digits[cell],), f"it must be {self.name}")

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        return cell in self.marked and self.value(digit) % 2 != self.remainder

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # The first digit is 1, which is odd, unless digits count from another number.
        first = 1 if self.lowest % 2 == self.remainder else 2
        allowed = mask_of(range(first, geometry.size + 1, 2))
        for cell in self.marked:
            yield Allowed(cell, allowed, f"{{}} is {self.name}")


class Even(Odd):
    """Some cells hold even digits."""

    name: ClassVar[str] = "even"
    label: ClassVar[str] = "even cell"
    parts = {"CELLS": "the cells that hold even digits"}
    remainder: ClassVar[int] = 0
    shape: ClassVar[str] = "square"


@value(frozen=True)
class Digits(Rule):
    """The digits of the puzzle stand for these numbers, and all other rules use the numbers."""

    reads = "digits"
    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "digits"
    label: ClassVar[str] = "other digits"
    is_of_the_board: ClassVar[bool] = True
    example: ClassVar[str] = "0-3"
    form: ClassVar[str] = "FIRST-LAST"
    parts = {"FIRST": "the lowest digit", "LAST": "the highest one, as many as the board has"}

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, dash, last = argument.partition("-")
        numbers = (first.strip(), last.strip())
        if not dash or not all(n.isdecimal() and len(n) < 4 for n in numbers):
            raise SatdokuError(f"{quote(argument)} is not a range such as 0-8")
        lowest, highest = map(int, numbers)
        if highest - lowest + 1 != geometry.size:
            raise SatdokuError(
                f"{argument} has {max(0, highest - lowest + 1)} digits, "
                f"a board of {geometry.board_words} needs {geometry.size}"
            )
        return cls(lowest=lowest)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.lowest}-{self.value(geometry.size)}"

    def require_fit(self, geometry: Geometry) -> None:
        highest = self.value(geometry.size)
        if self.lowest > 1 and highest > 9:
            raise SatdokuError(f"digits end at 9, or begin at 0 or 1; {highest} has no symbol")

    def symbols(self, geometry: Geometry) -> tuple[str, ...]:
        """Return the symbols of the digits; empty if they are the usual ones, or if 36 are not
        enough.
        """
        # There are 36 symbols; boards above 36x36 are written in numbers.
        found = tuple(DIGITS[self.lowest : self.value(geometry.size) + 1])
        return found if self.lowest != 1 and len(found) == geometry.size else ()

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits are {self.lowest} to {self.value(geometry.size)}"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return ()

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        return iter(())

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        return iter(())
