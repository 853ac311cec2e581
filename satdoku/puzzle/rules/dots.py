"""Marks between two cells: differences, ratios and sums, alone or as Kropki dots and XV."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

from satdoku.errors import SatdokuError, count_of, quote
from satdoku.puzzle.constraints import Constraint
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import read_edges, write_cells
from satdoku.puzzle.rules.everywhere import NoDifference, NoRatio, NoRule, NoSum
from satdoku.puzzle.rules.order import Edge, NumberedLine, PairRule
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule
from satdoku.puzzle.value import value


def _dots(
    edges: Iterable[Edge], text: str, is_filled: bool = False, has_circle: bool = True
) -> Iterator[Drawing]:
    return (("dot", edge, text, is_filled, has_circle) for edge in edges)


class _Dots(NumberedLine):
    """Base of marks between each cell of a list and the next one."""

    reads = "values"

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        return (self.line,)


class Difference(_Dots):
    """Each two successive cells of the list differ by exactly the number."""

    name: ClassVar[str] = "difference"
    label: ClassVar[str] = "difference dot"
    example: ClassVar[str] = "1=r1c1,r1c2"
    told: ClassVar[str] = "white dots: digits with a difference of 1, or the one that is written"
    counts: ClassVar[bool] = False
    parts = {
        "NUMBER": "the difference",
        "CELLS": "cells of which each two that follow differ by it",
    }
    why: ClassVar[str] = "but they differ by {}"
    says: ClassVar[str] = "{} and {} differ by {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) != number

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Setters draw a difference of 1 as a dot without a number.
        text = "" if self.number == 1 else str(self.number)
        return _dots(self.edges(geometry), text)

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} differ by {self.number}"


class Ratio(_Dots):
    """Of each two successive cells of the list, one is `number` times the other."""

    name: ClassVar[str] = "ratio"
    label: ClassVar[str] = "ratio dot"
    example: ClassVar[str] = "2=r1c1,r1c2"
    told: ClassVar[str] = "black dots: one digit is twice the other, or so many times"
    parts = {"NUMBER": "the ratio", "CELLS": "cells of which each two that follow have it"}
    why: ClassVar[str] = "but one is {} times the other"
    says: ClassVar[str] = "{} and {} have the ratio {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one != number * other and other != number * one

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # Setters draw a ratio of 2 as a black dot without a number.
        text = "" if self.number == 2 else str(self.number)
        return _dots(self.edges(geometry), text, is_filled=True)

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} have the ratio {self.number}"


class PairSum(_Dots):
    """Each two successive cells of the list sum to the number."""

    name: ClassVar[str] = "pair-sum"
    example: ClassVar[str] = "5=r1c1,r1c2"
    told: ClassVar[str] = "V: digits sum to 5, X: to 10, or to the number that is written"
    parts = {"NUMBER": "the sum", "CELLS": "cells of which each two that follow have it"}
    why: ClassVar[str] = "but they sum to {}"
    says: ClassVar[str] = "{} and {} sum to {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other != number

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # 5 and 10 are drawn as V and X, as in XV puzzles; any other sum is drawn as a number.
        text = {5: "V", 10: "X"}.get(self.number, str(self.number))
        return _dots(self.edges(geometry), text, has_circle=False)

    def sentence(self, geometry: Geometry) -> str:
        return f"neighbours among {self.along(geometry)} sum to {self.number}"


@value(frozen=True)
class MarksRule(Rule):
    """Marks of two kinds between cells; if all marks are shown, unmarked edges are restricted too.

    The definition is a list of simpler rules, see `made_of`.
    """

    reads = "values"
    fits_every_board: ClassVar[bool] = True
    counts: ClassVar[bool] = True
    drawn_at_random: ClassVar[str] = "marks"
    kinds: ClassVar[tuple[str, str]]
    """The names of the two kinds in the argument."""
    shows: ClassVar[tuple[type[NumberedLine], type[NumberedLine]]]
    hides: ClassVar[tuple[type[NoRule], type[NoRule]]]
    numbers: ClassVar[tuple[int, int]]
    called: ClassVar[tuple[str, str]]
    """The plural of each kind's name, for sentences."""
    told: ClassVar[str]

    first: tuple[Edge, ...]
    second: tuple[Edge, ...]
    all_first: bool = False
    all_second: bool = False

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        edges: dict[str, list[Edge]] = {kind: [] for kind in cls.kinds}
        shown = dict.fromkeys(cls.kinds, False)
        # The argument is converted to lower case, as the letters of XV may be typed in either case.
        # Each name begins another mark.
        for word in re.split(r"/|[\s,]+(?=[a-z-]+(?!\w))", argument.lower().strip()):
            kind, sign, cells = word.strip().partition("=")
            if sign and kind in edges:
                edges[kind] += read_edges([cells], geometry)
            elif word == "all":
                # All marks of both kinds are shown, even if an earlier part of the text said
                # otherwise.
                shown = dict.fromkeys(cls.kinds, True)
            elif word.removeprefix("all-") in shown:
                shown[word.removeprefix("all-")] = True
            else:
                raise SatdokuError(
                    f"{quote(word)} is none of {cls.kinds[0]}=CELL,CELL, "
                    f"{cls.kinds[1]}=CELL,CELL and all"
                )
        # Sorted, so that rules with the same marks in another order are equal.
        one, other = (
            tuple(sorted({(min(edge), max(edge)) for edge in edges[kind]})) for kind in cls.kinds
        )
        return cls(one, other, *(shown[kind] for kind in cls.kinds))

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
        """Yield the simpler rules that together define this one."""
        # A mark of either kind exempts its edge from both restrictions: 1 and 2 fit either dot.
        marked = (*self.first, *self.second)
        for kind, number, edges in zip(
            self.shows, self.numbers, (self.first, self.second), strict=True
        ):
            for edge in edges:
                yield kind(line=edge, number=number, lowest=self.lowest, reading=self.reading)
        for hidden, number, is_shown in zip(
            self.hides, self.numbers, (self.all_first, self.all_second), strict=True
        ):
            if is_shown:
                yield hidden(number, marked, lowest=self.lowest, reading=self.reading)

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        for rule in self.made_of():
            # Edges without a mark are not drawn; the caption explains their meaning.
            if isinstance(rule, NumberedLine):
                yield from rule.drawing(geometry)

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        return (*self.first, *self.second)

    def caption(self, geometry: Geometry) -> str:
        return self.told + self.said_of_all()

    def said_of_all(self) -> str:
        """Return the end of a sentence, which states that all marks are shown; empty if they are
        not.
        """
        shown = zip(self.called, (self.all_first, self.all_second), strict=True)
        kinds = " and ".join(kind for kind, is_all in shown if is_all)
        return f"; all {kinds} are given" if kinds else ""

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
    label: ClassVar[str] = "kropki dot"
    is_unmistakable: ClassVar[bool] = True
    example: ClassVar[str] = "white=r1c1,r1c2/black=r4c3,r4c4"
    form: ClassVar[str] = "white=CELL,CELL/black=CELL,CELL/all"
    parts = {
        "white=CELL,CELL": "a white dot: digits that follow each other; any number of these",
        "black=CELL,CELL": "a black dot: one digit is twice the other; any number of these",
        "all": "where there is no dot there is no such pair; all-white, all-black for one kind",
    }
    kinds = ("white", "black")
    shows = (Difference, Ratio)
    hides = (NoDifference, NoRatio)
    numbers = (1, 2)
    called = ("white dots", "black dots")
    told = "white dots: digits with a difference of 1; black dots: one is twice the other"

    def sentence(self, geometry: Geometry) -> str:
        counts = [
            f"{count_of(len(edges), noun)} {meaning}"
            for edges, noun, meaning in (
                (self.first, "white one", "between consecutive digits"),
                (self.second, "black one", "where one is twice the other"),
            )
            if edges
        ]
        return f"dots: {', '.join(counts) or 'none'}{self.said_of_all()}"


class XV(MarksRule):
    """X between digits that sum to 10, V between digits that sum to 5."""

    name: ClassVar[str] = "xv"
    label: ClassVar[str] = "XV sign"
    heading: ClassVar[str] = "XV"
    is_unmistakable: ClassVar[bool] = True
    example: ClassVar[str] = "v=r1c1,r1c2"
    form: ClassVar[str] = "x=CELL,CELL/v=CELL,CELL/all"
    parts = {
        "x=CELL,CELL": "an X: two digits that sum to 10; any number of these",
        "v=CELL,CELL": "a V: two digits that sum to 5; any number of these",
        "all": "where there is no letter there is no such sum; all-x, all-v for one of them",
    }
    kinds = ("x", "v")
    shows = (PairSum, PairSum)
    hides = (NoSum, NoSum)
    numbers = (10, 5)
    called = ("X", "V")
    told = "V: digits sum to 5, X: to 10"

    def sentence(self, geometry: Geometry) -> str:
        # Letters that do not occur are left out: "no X" would read as a rule that forbids X.
        counts = [
            f"{len(edges)} {letter} between digits that sum to {total}"
            for letter, edges, total in (("X", self.first, 10), ("V", self.second, 5))
            if edges
        ]
        return f"letters: {', '.join(counts) or 'none'}{self.said_of_all()}"
