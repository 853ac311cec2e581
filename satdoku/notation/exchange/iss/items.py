"""The shapes of arguments in ISS strings, and the arguments of our rules that say the same.

`.Cage~9~R1C1~R1C2` is the class `Cage` with three arguments. Each shape reads arguments of our
rules from those of a class, and writes them for one of ours.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.names import without_loops

Args = Sequence[str]

# Rows and columns above 9 are letters, as in base 36.
_CELL = re.compile("[Rr]([1-9A-Za-z])[Cc]([1-9A-Za-z])")
_OURS = re.compile(r"r(\d+)c(\d+)")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Signs of numbers up to 35."""


def place_of(name: str, size: int) -> tuple[int, int]:
    """Row and column of a cell, counted from 1."""
    match = _CELL.fullmatch(name)
    row, column = (int(match[1], 36), int(match[2], 36)) if match else (0, 0)
    if not (match and row <= size and column <= size):
        raise RuleError(f"{quote(name)} is not a cell of a board of {size}x{size}")
    return row, column


def our_cell(name: str, size: int) -> str:
    row, column = place_of(name, size)
    return f"r{row}c{column}"


def our_cells(names: Args, size: int) -> str:
    if not names:
        raise RuleError("cells are missing")
    return ",".join(our_cell(name, size) for name in names)


def their_cells(cells: str) -> list[str]:
    """Our cells as ISS names them."""
    return [f"R{DIGITS[int(row)]}C{DIGITS[int(column)]}" for row, column in _OURS.findall(cells)]


def number_of(text: str) -> int:
    """A whole number; a RuleError for any other text."""
    if not re.fullmatch("-?[0-9]{1,6}", text):
        raise RuleError(f"{quote(text)} is not a number")
    return int(text)


class ArgsShape(ABC):
    """What the arguments of a class look like; `size` is that of the board."""

    def counted_from(self, lowest: int) -> "ArgsShape":
        """The shape on a board whose lowest digit is another one, where that matters."""
        return self

    @abstractmethod
    def read(self, args: Args, size: int) -> Iterator[str]:
        """The argument of each of our rules that the class with these arguments stands for."""

    @abstractmethod
    def write(self, argument: str, size: int) -> list[list[str]]:
        """The arguments of each class that stands for our rule."""


@dataclass(frozen=True)
class DigitsShape(ArgsShape):
    """A shape that has to know the digits of the board, of which `first` is the lowest."""

    first: int = 1

    def counted_from(self, lowest: int) -> ArgsShape:
        return replace(self, first=lowest)

    def digits(self, size: int) -> range:
        """All digits of the board."""
        return range(self.first, self.first + size)


@dataclass(frozen=True)
class Plain(ArgsShape):
    """No arguments, or one that is always the same; `ours` is the argument of our rule."""

    theirs: str = ""
    ours: str = ""

    def read(self, args: Args, size: int) -> Iterator[str]:
        if [arg for arg in args if arg] == ([self.theirs] if self.theirs else []):
            yield self.ours

    def write(self, argument: str, size: int) -> list[list[str]]:
        return [[self.theirs] if self.theirs else []] if argument == self.ours else []


@dataclass(frozen=True)
class CellNames(ArgsShape):
    """Some cells, perhaps behind a letter that tells rules of one class apart."""

    letter: str = ""

    def read(self, args: Args, size: int) -> Iterator[str]:
        if not self.letter:
            yield our_cells(args, size)
        elif args and args[0] == self.letter:
            yield our_cells(args[1:], size)

    def write(self, argument: str, size: int) -> list[list[str]]:
        if "/" in argument:
            raise SatdokuError("a line that is split otherwise than by regions")
        return [[*self.letter, *their_cells(argument)]]


@dataclass(frozen=True)
class NumberAndCells(ArgsShape):
    """A number, then cells; it is `usual` where it is not said, and none where it is `nothing`.

    Cells that may be named twice are read as a set, whose sum another shape has then.
    """

    usual: str = ""
    nothing: str = ""
    may_loop: bool = False
    may_repeat: bool = False

    def read(self, args: Args, size: int) -> Iterator[str]:
        first, *cells = args or [""]
        # ISS leaves out a number that is the usual one, and begins with the first cell.
        if self.usual and _CELL.fullmatch(first):
            first, cells = self.usual, list(args)
        value = "" if first in ("", self.nothing) else str(number_of(first))
        line = our_cells(cells, size)
        if self.may_repeat and len(set(line.split(","))) < len(cells):
            value, line = "", ",".join(dict.fromkeys(line.split(",")))
        # Where only neighbours on a line matter, a loop is a line and the way back.
        for part in without_loops(line) if self.may_loop else [line]:
            yield f"{value}={part}" if value else part

    def write(self, argument: str, size: int) -> list[list[str]]:
        value, _, cells = argument.rpartition("=")
        return [[value or self.usual or self.nothing, *their_cells(cells)]]


@dataclass(frozen=True)
class DigitsAndCells(ArgsShape):
    """Digits, then cells: `1_2_2~R1C1~...`."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        digits = [str(number_of(digit)) for digit in args[0].split("_")] if args else []
        yield f"{'/'.join(digits)}={our_cells(args[1:], size)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        digits, _, cells = argument.partition("=")
        return [["_".join(digits.split("/")), *their_cells(cells)]]


@dataclass(frozen=True)
class Corner(ArgsShape):
    """The top left one of four cells, then digits."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        corner, *digits = args or [""]
        if digits:
            yield f"{'/'.join(str(number_of(d)) for d in digits)}={our_cell(corner, size)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        digits, _, corner = argument.partition("=")
        return [[*their_cells(corner), *digits.split("/")]]


@dataclass(frozen=True)
class CircleAndShaft(ArgsShape):
    """A circle, or so many cells of a pill, then the shaft; a pill is read in reading order."""

    is_pill: bool = False

    def read(self, args: Args, size: int) -> Iterator[str]:
        count = number_of(args[0]) if self.is_pill and args else 1
        cells = list(args[1:] if self.is_pill else args)
        # Its digits are one number, however they are named: read from the left, or from above.
        pill = sorted(cells[:count], key=lambda name: place_of(name, size))
        yield f"{our_cells(pill, size)}={our_cells(cells[count:], size)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        circle, shaft = (their_cells(cells) for cells in argument.split("="))
        if self.is_pill != (len(circle) > 1):
            return []
        if circle != sorted(circle, key=lambda name: place_of(name, size)):
            raise SatdokuError("a pill that is not read from left to right")
        return [[*([str(len(circle))] if self.is_pill else []), *circle, *shaft]]


@dataclass(frozen=True)
class Weighted(ArgsShape):
    """A sum, perhaps with a factor for each cell: `22_=_2_-1~R1C1~R1C2`."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        total, terms = read_weighted(args)
        yield weighted_sum(total, ((our_cell(name, size), factor) for name, factor in terms))

    def write(self, argument: str, size: int) -> list[list[str]]:
        total, _, terms = argument.partition("=")
        words = [term.rpartition("*") for term in terms.split(",")]
        # A minus stands before the factor, or before the cell where the factor is 1.
        factors = [
            ("-" if "-" in number + cell else "") + (number.strip("-") or "1")
            for number, _, cell in words
        ]
        head = total if set(factors) == {"1"} else f"{total}_=_{'_'.join(factors)}"
        return [[head, *(their_cells(cell)[0] for _, _, cell in words)]]


def read_weighted(args: Args) -> tuple[int, list[tuple[str, int]]]:
    """What a sum comes to, and its cells, each with its factor."""
    total, _, factors = (args[0] if args else "").partition("_=_")
    names = args[1:]
    numbers = list(map(number_of, factors.split("_"))) if factors else [1] * len(names)
    if len(numbers) != len(names) or not names:
        raise RuleError(f"{len(numbers)} factors for {len(names)} cells")
    return number_of(total), list(zip(names, numbers, strict=True))


def weighted_sum(total: int, terms: Iterable[tuple[str, int]]) -> str:
    """The argument of our rule `sum`; a cell that is named twice counts for both."""
    factors: dict[str, int] = {}
    for cell, factor in terms:
        factors[cell] = factors.get(cell, 0) + factor
    words = []
    for cell, factor in factors.items():
        times = "" if abs(factor) == 1 else f"{abs(factor)}*"
        words.append(f"{'-' if factor < 0 else ''}{times}{cell}")
    # A cell on both sides of an equation has 0 for a factor, and is only named where all have.
    kept = [word for word in words if not word.startswith("0*")] or words[:1]
    return f"{total}={','.join(kept)}"


@dataclass(frozen=True)
class EqualSums(ArgsShape):
    """Groups of cells with `-` between them, all with the same sum."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        groups = [our_cells(part, size).split(",") for part in sides_of(args)]
        # All sums are equal where each is that of the group before it; the same cells are at once.
        for one, other in pairwise(groups):
            if sorted(one) != sorted(other):
                terms = [*((cell, 1) for cell in one), *((cell, -1) for cell in other)]
                yield weighted_sum(0, terms)

    def write(self, argument: str, size: int) -> list[list[str]]:
        return []  # written as a sum


def sides_of(args: Args) -> list[list[str]]:
    """The groups of cells of an equation, which a `-` parts."""
    return [side.split("~") for side in "~".join(args).split("~-~")]


@dataclass(frozen=True)
class Neighbours(ArgsShape):
    """Cells of which each two that share a side have the relation, the earlier one first."""

    value: str = ""

    def read(self, args: Args, size: int) -> Iterator[str]:
        for edge in edges_among(args, size):
            yield f"{self.value}={edge}" if self.value else edge

    def write(self, argument: str, size: int) -> list[list[str]]:
        value, _, cells = argument.rpartition("=")
        if value != self.value:
            return []
        names = their_cells(cells)
        edges = [list(edge) for edge in pairwise(names)]
        if any(not edges_among(edge, size) for edge in edges):
            raise SatdokuError("cells that share no side")
        return edges


def edges_among(names: Args, size: int) -> list[str]:
    """Each two of the cells that share a side, in the order of the list, as `r1c1,r1c2`."""
    places = [place_of(name, size) for name in names]
    return [
        f"r{one[0]}c{one[1]},r{other[0]}c{other[1]}"
        for one, other in combinations(places, 2)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    ]


@dataclass(frozen=True)
class SameValues(ArgsShape):
    """How many groups hold the same values, then their cells; `is_of_cells` if groups are cells."""

    is_of_cells: bool = False

    def read(self, args: Args, size: int) -> Iterator[str]:
        if (number_of(args[0] if args else "") == len(args) - 1) == self.is_of_cells:
            yield from _same_groups(args, size)

    def write(self, argument: str, size: int) -> list[list[str]]:
        first, second = (their_cells(cells) for cells in argument.split("="))
        if not self.is_of_cells:
            return [["2", *first, *second]]
        return [["2", one, other] for one, other in zip(first, second, strict=True)]


def _same_groups(args: Args, size: int) -> Iterator[str]:
    """Each group with the next one."""
    count, cells = number_of(args[0]), args[1:]
    if count < 1 or not cells or len(cells) % count:
        raise RuleError(f"{len(cells)} cells are not {count} groups")
    width = len(cells) // count
    groups = [our_cells(cells[at : at + width], size) for at in range(0, len(cells), width)]
    yield from (f"{one}={other}" for one, other in pairwise(groups))
