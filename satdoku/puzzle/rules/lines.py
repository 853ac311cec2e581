"""Lines on which neighbours lie apart, belong to different groups or are equal."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.pair_rule import Edge, NumberedLine, PairLine

if TYPE_CHECKING:
    from satdoku.puzzle.rules.drawn import Tint


class Whispers(NumberedLine):
    """Digits that follow each other on a line differ by so much at least."""

    name: ClassVar[str] = "whispers"
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
        # 5 on 9x9, where whispers come from; elsewhere half of the digits too, rounded up.
        return (geometry.size + 1) // 2

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) < number

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours on the line {self.along(geometry)} differ by at least {self.number}"


class Modular(NumberedLine):
    """Any `number` digits in a row on a line leave different remainders when divided by it."""

    name: ClassVar[str] = "modular"
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
        # Setters who say no number mean 3.
        return 3

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return near_on(self.line, self.number)

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one % number == other % number

    def sentence(self, geometry: Geometry) -> str:
        told = f"on the line {self.along(geometry)} leave different remainders by {self.number}"
        # Setters draw such lines, and mean that their digits differ in this way.
        is_short = len(self.line) < self.number
        return f"all digits {told}" if is_short else f"any {self.number} in a row {told}"


class Entropic(PairLine):
    """Any three digits in a row on a line are a low, a middle and a high one."""

    name: ClassVar[str] = "entropic"
    example: ClassVar[str] = "r1c1,r1c2,r2c3"
    told: ClassVar[str] = "orange lines: any three in a row are a low, a middle and a high digit"
    example_board: ClassVar[Geometry] = Geometry(2, 3)
    tint: ClassVar["Tint"] = "orange"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "of the same third of the digits, too near to each other on the line"
    says: ClassVar[str] = "{} and {} are not both low, middle or high"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # There are three groups, so three cells have all of them where no two have the same one.
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
    example: ClassVar[str] = "r1c1,r1c2"
    told: ClassVar[str] = "yellow lines: no two digits are equal or consecutive"
    tint: ClassVar["Tint"] = "yellow"
    counts: ClassVar[bool] = False
    why: ClassVar[str] = "equal or consecutive digits on a nabner line"
    says: ClassVar[str] = "{} and {} are neither equal nor consecutive"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # Each two of the line, not only neighbours: so equal digits are as wrong at its two ends.
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
        # The cell in the middle of an odd number of them is its own partner.
        half = len(self.line) // 2
        return tuple(zip(self.line[:half], self.line[::-1], strict=False))

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != other

    def sentence(self, geometry: Geometry) -> str:
        return f"the line {self.along(geometry)} reads the same from both ends"


def near_on(line: Sequence[int], count: int) -> list[Edge]:
    """Each two cells of a line that are less than `count` places apart."""
    return [
        (cell, other)
        for place, cell in enumerate(line)
        for other in line[place + 1 : place + count]
    ]
