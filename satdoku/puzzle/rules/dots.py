"""Dots and letters between cells: differences, ratios, sums of two, and what follows where a puzzle
shows all of them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Constraint
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.cell_lists import read_cells, write_cells
from satdoku.puzzle.rules.order import all_edges
from satdoku.puzzle.rules.pair_rule import Edge, NumberedLine, PairRule, read_number
from satdoku.puzzle.rules.rule import Clash, Rule


class Difference(NumberedLine):
    """Cells that follow each other in the list differ by just so much."""

    name: ClassVar[str] = "difference"
    example: ClassVar[str] = "1=r1c1,r1c2"
    counts: ClassVar[bool] = False
    parts = MappingProxyType(
        {"NUMBER": "the difference", "CELLS": "cells of which each two that follow differ by it"}
    )
    why: ClassVar[str] = "but they differ by {}"
    says: ClassVar[str] = "{} and {} differ by {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) != number

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} differ by {self.number}"


class Ratio(NumberedLine):
    """Of cells that follow each other in the list one is so many times the other."""

    name: ClassVar[str] = "ratio"
    example: ClassVar[str] = "2=r1c1,r1c2"
    parts = MappingProxyType(
        {"NUMBER": "the ratio", "CELLS": "cells of which each two that follow have it"}
    )
    why: ClassVar[str] = "but one is {} times the other"
    says: ClassVar[str] = "{} and {} have the ratio {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != number * other and other != number * one

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} have the ratio {self.number}"


class PairSum(NumberedLine):
    """Cells that follow each other in the list sum to just so much; `sum` says it to users."""

    name: ClassVar[str] = "pair-sum"
    example: ClassVar[str] = "5=r1c1,r1c2"
    parts = MappingProxyType(
        {"NUMBER": "the sum", "CELLS": "cells of which each two that follow have it"}
    )
    why: ClassVar[str] = "but they sum to {}"
    says: ClassVar[str] = "{} and {} sum to {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other != number

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} sum to {self.number}"


@dataclass(frozen=True)
class NoRule(PairRule):
    """Some relation holds of no two cells that share a side, but for the edges that are named."""

    form: ClassVar[str] = "NUMBER/CELL,CELL"
    number: int
    marked: tuple[Edge, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, *words = argument.split("/")
        return cls(read_number(first), tuple(_read_edges(words, geometry)))

    def number_on(self, geometry: Geometry) -> int:
        return self.number

    def argument(self, geometry: Geometry) -> str:
        return "/".join([str(self.number), *(write_cells(e, geometry) for e in self.marked)])

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        marked = {frozenset(edge) for edge in self.marked}
        return [edge for edge in all_edges(geometry) if frozenset(edge) not in marked]

    def exceptions(self, geometry: Geometry) -> str:
        """What ends a sentence where some edges are marked."""
        names = " or ".join(write_cells(edge, geometry) for edge in self.marked[:3])
        more = " and others" if len(self.marked) > 3 else ""
        return f", but for {names}{more}" if self.marked else ""


_EDGES = "two cells side by side of which it may hold all the same; any number of these"


class NoDifference(NoRule):
    """No two cells that share a side differ by so much, but for the marked ones."""

    name: ClassVar[str] = "no-difference"
    example: ClassVar[str] = "2/r1c1,r1c2"
    counts: ClassVar[bool] = False
    parts = MappingProxyType({"NUMBER": "the difference", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with a difference of {} and without a dot"
    says: ClassVar[str] = "{} and {} do not differ by {n}, without a dot"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) == number

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells that share a side differ by {self.number}{self.exceptions(geometry)}"


class NoRatio(NoRule):
    """Of no two cells that share a side one is so many times the other, but for the marked ones."""

    name: ClassVar[str] = "no-ratio"
    example: ClassVar[str] = "3/r1c1,r1c2"
    parts = MappingProxyType({"NUMBER": "the ratio", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with the ratio {} and without a dot"
    says: ClassVar[str] = "{} and {} do not have the ratio {n}, without a dot"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return number * other == one or number * one == other

    def sentence(self, geometry: Geometry) -> str:
        return (
            f"no two cells that share a side have the ratio {self.number}"
            f"{self.exceptions(geometry)}"
        )


class NoSum(NoRule):
    """No two cells that share a side sum to so much, but for the marked ones."""

    name: ClassVar[str] = "no-sum"
    example: ClassVar[str] = "4/r1c1,r1c2"
    parts = MappingProxyType({"NUMBER": "the sum", "CELL,CELL": _EDGES})
    why: ClassVar[str] = "side by side with a sum of {} and without a mark"
    says: ClassVar[str] = "{} and {} do not sum to {n}, without a mark"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other == number

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells that share a side sum to {self.number}{self.exceptions(geometry)}"


@dataclass(frozen=True)
class MarksRule(Rule):
    """Marks of two kinds between cells, of which all may be shown.

    All that it says is said by the simpler rules that it is made of.
    """

    counts: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, str]]
    """What the two kinds are called in the argument."""
    shows: ClassVar[tuple[type[NumberedLine], type[NumberedLine]]]
    hides: ClassVar[tuple[type[NoRule], type[NoRule]]]
    numbers: ClassVar[tuple[int, int]]

    first: tuple[Edge, ...]
    second: tuple[Edge, ...]
    all_first: bool = False
    all_second: bool = False

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        edges: dict[str, list[Edge]] = {kind: [] for kind in cls.kinds}
        shown = dict.fromkeys(cls.kinds, False)
        for word in argument.split("/"):
            kind, sign, cells = word.partition("=")
            if sign and kind in edges:
                edges[kind] += _read_edges([cells], geometry)
            elif word == "all":
                shown = dict.fromkeys(cls.kinds, True)
            elif word.removeprefix("all-") in shown:
                shown[word.removeprefix("all-")] = True
            else:
                raise SatdokuError(
                    f"{word[:20]!r} is none of {cls.kinds[0]}=CELL,CELL, "
                    f"{cls.kinds[1]}=CELL,CELL and all"
                )
        one, other = cls.kinds
        return cls(tuple(edges[one]), tuple(edges[other]), shown[one], shown[other])

    def argument(self, geometry: Geometry) -> str:
        words = [
            f"{kind}={write_cells(edge, geometry)}"
            for kind, edges in zip(self.kinds, (self.first, self.second), strict=True)
            for edge in edges
        ]
        shown = (self.all_first, self.all_second)
        if all(shown):
            return "/".join([*words, "all"])
        return "/".join(
            [*words, *(f"all-{k}" for k, s in zip(self.kinds, shown, strict=True) if s)]
        )

    def made_of(self) -> Iterator[PairRule]:
        """The simpler rules."""
        marked = (*self.first, *self.second)
        for kind, number, edges in zip(
            self.shows, self.numbers, (self.first, self.second), strict=True
        ):
            for edge in edges:
                yield kind(line=edge, number=number, lowest=self.lowest)
        for hidden, number, is_shown in zip(
            self.hides, self.numbers, (self.all_first, self.all_second), strict=True
        ):
            if is_shown:
                yield hidden(number, marked, lowest=self.lowest)

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {cell for rule in self.made_of() for cell in rule.cells(geometry)}

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for rule in self.made_of():
            yield from rule.find_clashes(geometry, digits)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return any(
            rule.forbids_both(geometry, cell, digit, other, other_digit) for rule in self.made_of()
        )

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for rule in self.made_of():
            yield from rule.constraints(geometry)


class Kropki(MarksRule):
    """White dots between consecutive digits, black ones between a digit and its double."""

    name: ClassVar[str] = "kropki"
    example: ClassVar[str] = "white=r1c1,r1c2/black=r4c3,r4c4"
    form: ClassVar[str] = "white=CELL,CELL/black=CELL,CELL/all"
    parts = MappingProxyType(
        {
            "white=CELL,CELL": "a white dot: digits that follow each other; any number of these",
            "black=CELL,CELL": "a black dot: one digit is twice the other; any number of these",
            "all": "where there is no dot there is no such pair; all-white, all-black for one kind",
        }
    )
    kinds = ("white", "black")
    shows = (Difference, Ratio)
    hides = (NoDifference, NoRatio)
    numbers = (1, 2)

    def sentence(self, geometry: Geometry) -> str:
        white, black = len(self.first), len(self.second)
        text = f"dots: {_count(white, 'white one')} between consecutive digits"
        text += f", {_count(black, 'black one')} where one is twice the other"
        if self.all_first and self.all_second:
            return f"{text}; all dots are given"
        if self.all_first or self.all_second:
            return f"{text}; all {'white' if self.all_first else 'black'} dots are given"
        return text


class XV(MarksRule):
    """X between digits that sum to 10, V between digits that sum to 5."""

    name: ClassVar[str] = "xv"
    example: ClassVar[str] = "v=r1c1,r1c2"
    form: ClassVar[str] = "x=CELL,CELL/v=CELL,CELL/all"
    parts = MappingProxyType(
        {
            "x=CELL,CELL": "an X: two digits that sum to 10; any number of these",
            "v=CELL,CELL": "a V: two digits that sum to 5; any number of these",
            "all": "where there is no letter there is no such sum; all-x, all-v for one of them",
        }
    )
    kinds = ("x", "v")
    shows = (PairSum, PairSum)
    hides = (NoSum, NoSum)
    numbers = (10, 5)

    def sentence(self, geometry: Geometry) -> str:
        text = f"{_count(len(self.first), 'X', 'X')} between digits that sum to 10"
        text = f"letters: {text}, {_count(len(self.second), 'V', 'V')} to 5"
        if self.all_first and self.all_second:
            return f"{text}; all are given"
        if self.all_first or self.all_second:
            return f"{text}; every {'X' if self.all_first else 'V'} is given"
        return text


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number or 'no'} {noun if number == 1 else nouns or noun + 's'}"


def _read_edges(words: Sequence[str], geometry: Geometry) -> Iterator[Edge]:
    for word in words:
        cells = read_cells(word, geometry)
        if len(cells) != 2:
            raise SatdokuError(f"{word[:30]!r} names {len(cells)} cells, not two")
        yield cells[0], cells[1]
