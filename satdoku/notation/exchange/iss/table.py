"""Which classes of ISS are which rules of ours: a line for each, read in both directions.

Those for clues outside the board name rows, columns and diagonals in ways of their own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.iss.automata import Automata
from satdoku.notation.exchange.iss.cases import (
    CellsBehindNumber,
    Counts,
    CountsOfNone,
    LineOfSums,
    LoopOfSums,
    Lunchbox,
    Pointing,
    SumOfRepeated,
)
from satdoku.notation.exchange.iss.items import (
    DIGITS,
    Args,
    ArgsShape,
    CellNames,
    CircleAndShaft,
    Corner,
    DigitsAndCells,
    EqualSums,
    Neighbours,
    NumberAndCells,
    Plain,
    SameValues,
    Weighted,
    number_of,
    place_of,
    their_cells,
)
from satdoku.notation.exchange.iss.packed import Expressions, PairTables
from satdoku.notation.exchange.names import row_and_column
from satdoku.puzzle.rules.arguments import diagonal_places

_LINE = re.compile("([RC])([1-9A-Za-z])")


@dataclass(frozen=True)
class LineAndEnds(ArgsShape):
    """A row or column, the clue at its beginning, the clue at its end; either may be empty."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        line, first, last = ([*args, "", "", ""])[:3]
        name, ends = _our_line(line, size)
        if first:
            yield f"{name}={number_of(first)}"
        if last:
            yield f"{name}.{ends}={number_of(last)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        line, _, value = argument.partition("=")
        name, _, end = line.partition(".")
        return [
            [_their_line(name), "", value] if end in ("left", "up") else [_their_line(name), value]
        ]


@dataclass(frozen=True)
class NumberAndLine(ArgsShape):
    """A number and a row or column."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        number, line = ([*args, "", ""])[:2]
        yield f"{_our_line(line, size)[0]}={number_of(number)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        line, _, value = argument.partition("=")
        return [[value, _their_line(line.partition(".")[0])]]


def _our_line(name: str, size: int) -> tuple[str, str]:
    """Our name of a row or column, and of the way back along it."""
    match = _LINE.fullmatch(name)
    number = int(match[2], 36) if match else 0
    if not (match and number <= size):
        raise RuleError(f"{quote(name)} is not a row or column such as R1")
    return (f"row{number}", "left") if match[1] == "R" else (f"col{number}", "up")


def _their_line(name: str) -> str:
    letter = "R" if name.startswith("row") else "C"
    return letter + DIGITS[int(name[len("row") :])]


@dataclass(frozen=True)
class NumberAndDiagonal(ArgsShape):
    """A number and the cell at the border by which ISS names a diagonal.

    From the left border diagonals lead down and right, from the top down and left, from the right
    up and left, from the bottom up and right.
    """

    def read(self, args: Args, size: int) -> Iterator[str]:
        number, name = ([*args, "", ""])[:2]
        row, column = place_of(name, size)
        way = _way_from(row, column, size)
        if not way:
            raise RuleError(f"no diagonal is named by r{row}c{column}")
        yield f"r{row}c{column}.{way}={number_of(number)}"

    def write(self, argument: str, size: int) -> list[list[str]]:
        diagonal, _, value = argument.partition("=")
        start, _, way = diagonal.partition(".")
        cells = diagonal_places(*row_and_column(start), way, size)
        # ISS has a name for it at one of its ends only.
        for first in (cells[0], cells[-1]):
            way = _way_from(*first, size)
            if way and len(cells) > 1 and set(diagonal_places(*first, way, size)) == set(cells):
                return [[value, *their_cells(f"r{first[0]}c{first[1]}")]]
        raise SatdokuError("a diagonal that does not lead from border to border")


def _way_from(row: int, column: int, size: int) -> str:
    """Where the diagonal leads that is named by a cell; empty where none is."""
    if column == 1 and row < size:
        return "dr"
    if row == 1:
        return "dl"
    if column == size and row < size:
        return "ul"
    if row == size and 1 < column < size:
        return "ur"
    return ""


class Class(NamedTuple):
    """A class with arguments of that shape, and the rule that it stands for."""

    name: str
    rule: str
    shape: ArgsShape


# A class or a rule may stand in several lines: each shape reads and writes what it understands.
CLASSES = (
    Class("AntiKnight", "anti-knight", Plain()),
    Class("AntiKing", "anti-king", Plain()),
    Class("AntiConsecutive", "non-consecutive", Plain()),
    Class("DisjointSets", "disjoint-groups", Plain()),
    Class("Windoku", "windoku", Plain()),
    Class("GlobalEntropy", "global-entropy", Plain()),
    Class("GlobalMod", "global-modular", Plain()),
    Class("AntiTaxicab", "anti-taxicab", Plain()),
    Class("DutchFlatmates", "dutch-flatmates", Plain()),
    Class("Diagonal", "diagonal", Plain("1", "/")),
    Class("Diagonal", "diagonal", Plain("-1", "\\")),
    Class("AllDifferent", "extra-region", CellNames()),
    Class("Cage", "killer", NumberAndCells(nothing="0", may_repeat=True)),
    Class("Cage", "sum", SumOfRepeated()),
    Class("Lunchbox", "killer", CellsBehindNumber()),
    Class("Lunchbox", "either", Lunchbox()),
    Class("RellikCage", "rellik", NumberAndCells()),
    Class("EqualityCage", "equality-cage", CellNames()),
    Class("Sum", "sum", Weighted()),
    Class("EqualSum", "sum", EqualSums()),
    Class("Thermo", "thermo", CellNames()),
    Class("Arrow", "arrow", CircleAndShaft()),
    Class("PillArrow", "arrow", CircleAndShaft(is_pill=True)),
    Class("DoubleArrow", "double-arrow", CellNames()),
    Class("Palindrome", "palindrome", CellNames()),
    Class("Renban", "renban", CellNames()),
    Class("Whisper", "whispers", NumberAndCells(usual="5", may_loop=True)),
    Class("Modular", "modular", NumberAndCells()),
    Class("Entropic", "entropic", CellNames()),
    Class("RegionSumLine", "region-sum", CellNames()),
    Class("SumLine", "sum-line", LineOfSums()),
    Class("SumLine", "either", LoopOfSums()),
    Class("Between", "between", CellNames()),
    Class("Lockout", "lockout", NumberAndCells(usual="4")),
    Class("Zipper", "zipper", CellNames()),
    Class("LittleKiller", "little-killer", NumberAndDiagonal()),
    Class("Sandwich", "sandwich", NumberAndLine()),
    Class("XSum", "x-sum", LineAndEnds()),
    Class("Skyscraper", "skyscraper", LineAndEnds()),
    Class("HiddenSkyscraper", "hidden-skyscraper", LineAndEnds()),
    Class("NumberedRoom", "numbered-room", LineAndEnds()),
    Class("Quad", "quadruple", Corner()),
    Class("ContainAtLeast", "contain", DigitsAndCells()),
    Class("ContainExact", "contain-exact", DigitsAndCells()),
    Class("Indexing", "column-indexer", CellNames("C")),
    Class("Indexing", "row-indexer", CellNames("R")),
    Class("LookAndSay", "contain-exact", Counts()),
    Class("LookAndSay", "candidates", CountsOfNone()),
    Class("ValueIndexing", "either", Pointing()),
    Class("CountingCircles", "counting-circles", CellNames()),
    Class("SameValues", "clone", SameValues(is_of_cells=True)),
    Class("SameValues", "same-digits", SameValues()),
    Class("WhiteDot", "difference", Neighbours("1")),
    Class("BlackDot", "ratio", Neighbours("2")),
    Class("X", "pair-sum", Neighbours("10")),
    Class("V", "pair-sum", Neighbours("5")),
    Class("GreaterThan", "greater", Neighbours()),
    Class("Pair", "pair", PairTables(may_loop=True)),
    Class("PairX", "each-pair", PairTables()),
    Class("Binary", "pair", PairTables(is_old=True, may_loop=True)),
    Class("BinaryX", "each-pair", PairTables(is_old=True)),
    Class("Regex", "machine", Expressions()),
    Class("NFA", "machine", Automata()),
)

DOTS = {"WhiteDot": "white", "BlackDot": "black", "X": "x", "V": "v"}
"""Marks at edges, and what our rules `kropki` and `xv` call them."""
