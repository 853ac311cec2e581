"""The table of ISS classes and our rules, used in both directions.

Clues outside the board have several ways to name rows, columns and diagonals.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations, pairwise
from types import ModuleType
from typing import NamedTuple

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, placed, row_and_column
from satdoku.notation.exchange.iss.items import (
    DIGITS,
    Args,
    ArgsShape,
    CellNames,
    CircleAndShaft,
    Corner,
    DigitsAndCells,
    DigitsShape,
    EqualSums,
    Item,
    Neighbours,
    NumberAndCells,
    PairTables,
    Plain,
    SameValues,
    Weighted,
    groups_of,
    named_groups_of,
    number_of,
    our_cell,
    our_cells,
    place_of,
    read_pairs,
    sides_of,
    their_cells,
    weighted_sum,
)
from satdoku.puzzle.constraints import RegionClue, RegionWord
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import diagonal_places
from satdoku.puzzle.value import value

# Classes of ISS that stand for several rules of ours, or for a choice of them.
#
# These classes are only read; for writing, each of our rules has a class of its own.


class ReadOnly(DigitsShape):
    """A constraint class that we read only; what it says is written as one of the others."""

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return []


def _cells(args: Args, board: Geometry) -> list[str]:
    return our_cells(args, board).split(",")


class SumOfRepeated(ReadOnly):
    """The sum of a cage that names a cell twice, and so counts it twice."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        total, *names = args or [""]
        cells = _cells(names, board)
        if total not in ("", "0") and len(set(cells)) < len(cells):
            yield weighted_sum(number_of(total), ((cell, 1) for cell in cells))


class CellsBehindNumber(ReadOnly):
    """Cells after a number, which our rule does not need."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        yield our_cells(args[1:], board)


class Counts(ReadOnly):
    """Counts of digits, then cells: `2319` stands for two 3s and one 9 among the cells."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        digits = [digit for count, digit in _counts_of_digits(args) for _ in range(count)]
        if digits:
            yield f"{'/'.join(map(str, digits))}={our_cells(args[1:], board)}"


class CountsOfNone(ReadOnly):
    """Like `Counts`, with counts of 0: `03` makes all digits but 3 candidates of the cells."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        none = [digit for count, digit in _counts_of_digits(args) if not count]
        left = [str(digit) for digit in self.digits(board) if digit not in none]
        if none:
            cells = _cells(args[1:], board)
            yield ",".join(f"{cell}={'/'.join(left)}" for cell in dict.fromkeys(cells))


def _counts_of_digits(args: Args) -> list[tuple[int, int]]:
    clue = args[0] if args else ""
    if not clue.isdecimal() or len(clue) % 2:
        raise RuleError(f"{quote(clue)} is not counts, each with its digit")
    numbers = list(map(int, clue))
    found = list(zip(numbers[::2], numbers[1::2], strict=True))
    counted = [digit for count, digit in found if count]
    if len(set(counted)) < len(counted):
        raise RuleError(f"{clue} counts a digit twice")
    return found


class PairsOfOneCell(ReadOnly):
    """A relation of neighbours on a line that repeats a cell, whose digit is related to itself."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        packed, *rest = args or [""]
        for group in groups_of(rest):
            twice = dict.fromkeys(one for one, other in pairwise(group) if one == other)
            if twice:
                allowed = [str(a) for a, b in read_pairs(packed, self.digits(board)) if a == b]
                cells = (our_cell(name, board) for name in twice)
                yield ",".join(f"{cell}={'/'.join(allowed)}" for cell in cells)


class Pointing(ReadOnly):
    """Two cells, then a line: the second is the position at which the first one's digit stands."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        cells = _cells(args, board)
        if len(cells) < 3:
            raise RuleError(f"{len(cells)} cells are no line that says where a digit stands")
        value, control, *behind = cells
        yield joined(
            [f"candidates:{control}={number}", *_clones(value, cell)]
            for number, cell in enumerate(behind, 1)
            if number in self.digits(board) and not (control == cell == value)
        )


def _clones(one: str, other: str) -> list[str]:
    # A cell that points to itself adds nothing.
    return [f"clone:{one}={other}"] if one != other else []


class Lunchbox(ReadOnly):
    """A sum, then cells: the cells between their least and their greatest digit have that sum."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        total, cells = number_of(args[0] if args else ""), _cells(args[1:], board)
        if len(cells) > board.size:
            raise RuleError(f"{len(cells)} cells cannot hold {board.size} digits once")
        ends = list(combinations(range(len(cells)), 2))
        # If no digits fit, the rule is impossible: a solver will find that, or another alternative
        # holds.
        fitting = [
            (one, other) for one, other in ends if self._fits(total, other - one - 1, board)
        ] or [(0, len(cells) - 1)]
        if len(cells) < 3:
            if total or len(cells) < 2:
                raise RuleError(f"nothing between {len(cells)} cells sums to {total}")
            return
        yield joined(self._choice(total, cells, one, other) for one, other in fitting)

    def _choice(self, total: int, cells: list[str], one: int, other: int) -> list[str]:
        """Return the rules for these two places holding the least and the greatest digit."""
        between, outside = cells[one + 1 : other], cells[:one] + cells[other + 1 :]
        line = ",".join([cells[one], *between, *outside, cells[other]])
        rules = [f"sum:{total}={','.join(between)}"] if between else []
        return [*rules, f"between:{line}"]

    def _fits(self, total: int, count: int, board: Geometry) -> bool:
        """Whether `count` different digits between the lowest and the highest can have the sum."""
        digits = self.digits(board)[1:-1]
        return count <= len(digits) and (
            sum(digits[:count]) <= total <= sum(digits[len(digits) - count :])
        )


class LineOfSums(NumberAndCells):
    """A sum and a line that is no loop."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        if not is_loop(args):
            yield from super().read(args, board)


# The largest sum that ISS accepts; each sum is an automaton with as many states.
_LARGEST_SUM = 30


class LoopOfSums(ReadOnly):
    """A loop that divides into parts with the same sum; the first part may begin anywhere.

    There is one automaton for each sum that the first part may have reached before the first cell
    of the list.
    """

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        if not is_loop(args):
            return
        total, cells = number_of(args[0]), our_cells(args[1:-1], board)
        if not 1 <= total <= _LARGEST_SUM:
            raise RuleError(f"parts of a loop may sum to 1 to {_LARGEST_SUM}, not to {total}")
        digits = self.digits(board)
        yield joined(
            [f"machine:{cells}:{_automata().from_within(total, begun, digits)}"]
            for begun in range(total)
        )


def is_loop(args: Args) -> bool:
    """Whether the last argument says that a line is a loop."""
    return bool(args) and args[-1] == "LOOP"


def joined(choices: "Sequence[list[str]] | Iterator[list[str]]") -> str:
    """Return the argument of our rule `either`; these rules have no sign that splits choices."""
    return "|".join("&".join(rules) for rules in choices)


_LINE = "([RC])([1-9A-Za-z])"


class LineAndEnds(ArgsShape):
    """A row or column, the clue at its beginning, the clue at its end; either may be empty."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        line, first, last = ([*args, "", "", ""])[:3]
        name, ends = _our_line(line, board)
        if first:
            yield f"{name}={number_of(first)}"
        if last:
            yield f"{name}.{ends}={number_of(last)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        line, _, value = argument.partition("=")
        name, _, end = line.partition(".")
        return [
            [_their_line(name), "", value] if end in ("left", "up") else [_their_line(name), value]
        ]


class RankAndEnds(LineAndEnds):
    """A line and its ranks; whether other lines may be equal is stated by another class."""

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return super().write(argument.partition(":")[0], board)


class NumberAndLine(ArgsShape):
    """A number and a row or column."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        number, line = ([*args, "", ""])[:2]
        yield f"{_our_line(line, board)[0]}={number_of(number)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        line, _, value = argument.partition("=")
        return [[value, _their_line(line.partition(".")[0])]]


def _our_line(name: str, board: Geometry) -> tuple[str, str]:
    """Return our name of a row or column, and of its reverse."""
    match = re.fullmatch(_LINE, name)
    number = int(match[2], 36) if match else 0
    most = board.height if match and match[1] == "R" else board.width
    if not (match and number <= most):
        raise RuleError(f"{quote(name)} is not a row or column such as R1")
    return (f"row{number}", "left") if match[1] == "R" else (f"col{number}", "up")


def _their_line(name: str) -> str:
    letter = "R" if name.startswith("row") else "C"
    return letter + DIGITS[int(name[len("row") :])]


class NumberAndDiagonal(ArgsShape):
    """A number and the cell at the border by which ISS names a diagonal.

    From the left border diagonals lead down and right, from the top down and left, from the right
    up and left, from the bottom up and right.
    """

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        number, name = ([*args, "", ""])[:2]
        row, column = place_of(name, board)
        way = _way_from(row, column, board)
        if not way:
            raise RuleError(f"no diagonal is named by r{row}c{column}")
        yield f"r{row}c{column}.{way}={number_of(number)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        diagonal, _, value = argument.partition("=")
        start, _, way = diagonal.partition(".")
        cells = diagonal_places(*row_and_column(start), way, board.size)
        # Only one of the two ends of a diagonal is a name for it in ISS.
        for first in (cells[0], cells[-1]):
            way = _way_from(*first, board)
            others = diagonal_places(*first, way, board.size) if way else []
            if len(cells) > 1 and set(others) == set(cells):
                return [[value, *their_cells(f"r{first[0]}c{first[1]}")]]
        raise SatdokuError("a diagonal that does not lead from border to border")


def _way_from(row: int, column: int, board: Geometry) -> str:
    """Return the direction of the diagonal that a cell names; empty if it names none."""
    if column == 1 and row < board.height:
        return "dr"
    if row == 1:
        return "dl"
    if column == board.width and row < board.height:
        return "ul"
    if row == board.height and 1 < column < board.width:
        return "ur"
    return ""


class ControlAndCells(ArgsShape):
    """A cell, then the cells to which its digit refers."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        control, *cells = args or [""]
        # A cell that is named twice counts once.
        yield f"{our_cell(control, board)}={our_cells(list(dict.fromkeys(cells)), board)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return [their_cells(argument)]


class GroupAndDigits(ArgsShape):
    """Arguments: a group of cells beside the board or empty for the board, digits, and a number."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        group, digits, count = ([*args, "", "", ""])[:3]
        if group and not board.cells_named(group):
            raise RuleError(f"there are no cells {quote(group)} beside this board")
        said = "/".join(str(number_of(digit)) for digit in digits.split("_"))
        many = f":{number_of(count)}" if count else ""
        yield said + many + (f"={group.upper()}" if group else "")

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        before, _, group = argument.partition("=")
        digits, _, count = before.partition(":")
        if group and ("," in group or board.is_plain):
            raise SatdokuError("some cells of a board that hang together")
        return [[group, digits.replace("/", "_"), *filter(None, [count])]]


@value(frozen=True)
class InAutomata(ArgsShape):
    """The shape of that name in the module for automata."""

    name: str

    def counted_from(self, lowest: int) -> ArgsShape:
        shape: ArgsShape = getattr(_automata(), self.name)()
        return shape.counted_from(lowest)

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        return self.counted_from(1).read(args, board)

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return self.counted_from(1).write(argument, board)


def _automata() -> ModuleType:
    """Import the module for automata at its first use, as few strings have one."""
    return import_module("satdoku.notation.exchange.iss.automata")


class Class(NamedTuple):
    """A class with arguments of that shape, and the rule that it stands for."""

    name: str
    rule: str
    shape: ArgsShape


# A class or rule may be in several entries; each shape handles the arguments that it knows.
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
    Class("FullRank", "full-rank", RankAndEnds()),
    Class("FullRankTies", "no-equal-lines", Plain("none")),
    Class("Quad", "quadruple", Corner()),
    Class("ContainAtLeast", "contain", DigitsAndCells()),
    Class("ContainExact", "contain-exact", DigitsAndCells()),
    Class("Indexing", "column-indexer", CellNames("C")),
    Class("Indexing", "row-indexer", CellNames("R")),
    Class("LookAndSay", "contain-exact", Counts()),
    Class("LookAndSay", "candidates", CountsOfNone()),
    Class("ValueIndexing", "either", Pointing()),
    Class("CountingCircles", "counting-circles", CellNames()),
    Class("CountDistinct", "count-distinct", ControlAndCells()),
    Class("ConnectedValues", "connected", GroupAndDigits()),
    Class("SameValues", "clone", SameValues(is_of_cells=True)),
    Class("SameValues", "same-digits", SameValues()),
    Class("WhiteDot", "difference", Neighbours("1")),
    Class("BlackDot", "ratio", Neighbours("2")),
    Class("X", "pair-sum", Neighbours("10")),
    Class("V", "pair-sum", Neighbours("5")),
    Class("GreaterThan", "greater", Neighbours()),
    Class("Pair", "pair", PairTables(may_loop=True)),
    Class("Pair", "candidates", PairsOfOneCell()),
    Class("PairX", "each-pair", PairTables()),
    Class("Binary", "pair", PairTables(is_old=True, may_loop=True)),
    Class("BinaryX", "each-pair", PairTables(is_old=True)),
    Class("Regex", "machine", InAutomata("Expressions")),
    Class("NFA", "machine", InAutomata("Automata")),
)

DOTS = {"WhiteDot": "white", "BlackDot": "black", "X": "x", "V": "v"}
"""Classes of marks at edges, and the names of the marks in our rules `kropki` and `xv`."""


# Chaos construction in ISS: the regions of cells are variables CC1, CC2, ...
#
# All classes about them are one rule of ours. `.ChaosCount~R1C1~0~CC1~CC2` has the cell with the
# number, 0 (or 1 if that cell is not counted), and the counted cells; `.ChaosArrow` has arms of
# cells with `-` between them. Without cells they mean the surrounding cells, or all four
# directions.

RULE = "hidden-regions"
CHAOS = "ChaosConstruction"
CLASSES_OF_REGIONS = (CHAOS, "ChaosArrow", "ChaosCount")
"""Classes that have a meaning only with hidden regions."""
_WORDS = {"ChaosArrow": "reach", "ChaosCount": "count"}
_REGION = "CC([0-9]{1,4})"


def without_hidden_regions(items: Sequence[Item], foreign: ForeignBoard) -> list[Item]:
    """Return the classes not about hidden regions; add the rule for the others to `foreign`."""
    kept = [item for item in items if not _is_of_regions(item)]
    found = [item for item in items if _is_of_regions(item)]
    if not found:
        return kept
    if all(item.name != CHAOS for item in found):
        raise RuleError(f"{found[0].place}: there are no hidden regions without {CHAOS}")
    words: list[str] = []
    for item in found:
        with placed(item.place):
            words += _words_of(item, foreign)
    # Boxes or drawn regions are kept beside hidden ones.
    has_boxes = foreign.regions is None or any(foreign.regions)
    words += ["boxes"] if has_boxes else [] if words else ["no-boxes"]
    foreign.add_rule(RULE, "/".join(words), CHAOS)
    return kept


def _is_of_regions(item: Item) -> bool:
    named = any(
        re.fullmatch(_REGION, arg.partition("_")[0]) for arg in item.args if arg.startswith("CC")
    )
    return named or item.name in CLASSES_OF_REGIONS or any(map(_is_of_regions, item.items))


def _words_of(item: Item, foreign: ForeignBoard) -> Iterator[str]:
    """Yield the clues of a class, as the argument of our rule has them."""
    board = foreign.geometry
    if item.name == CHAOS:
        if any(item.args):
            raise RuleError(f"{quote('~'.join(item.args))} is not understood")
        return
    if item.name in _WORDS:
        first, offset, *cells = [*item.args, "", ""]
        sides = [side for side in sides_of(list(filter(None, cells))) if side != [""]]
        word = _WORDS[item.name] + ("-beside" if _offset_of(offset) else "")
        arms = [
            [our_cell(first, board)],
            *([_cell(each, board) for each in side] for side in sides),
        ]
        yield f"{word}={_joined(arms)}"
    elif item.name == "CountDistinct":
        first, *cells = item.args or [""]
        named = [our_cell(first, board), *(_cell(each, board) for each in cells)]
        yield f"regions={','.join(named)}"
    elif item.name == "SameValues" and number_of(item.args[0]) == len(item.args) - 1:
        yield f"same={','.join(_cell(each, board) for each in item.args[1:])}"
    elif item.name == "AllDifferent":
        yield f"apart={','.join(_cell(each, board) for each in item.args)}"
    elif item.name == "NFA":
        yield from _counts_of_regions(item, foreign)
    else:
        raise RuleError(f"hidden regions in {item.name} cannot be read")


def _joined(arms: Sequence[Sequence[str]]) -> str:
    """Return the arms as one text, which names the cell with the number, their beginning, once."""
    ((first,), *further) = arms
    if not further:
        return first
    if any(arm[0] != first for arm in further):
        raise RuleError(f"{first} says something of another cell's region")
    # At the border an arm may be only its first cell.
    behind = [",".join(arm[1:]) for arm in further if arm[1:]]
    if not behind:
        raise RuleError(f"there are no cells beside {first}")
    return "+".join([f"{first},{behind[0]}", *behind[1:]])


def _counts_of_regions(item: Item, foreign: ForeignBoard) -> Iterator[str]:
    """Yield the clues for automata on hidden regions that count cells.

    Raise RuleError for automata that do anything else.
    """
    board = foreign.geometry
    for _, group in named_groups_of(item.args[1:]):
        offset = _automata().counts_like_first(
            item.args[0], len(group), range(foreign.lowest, foreign.lowest + board.size)
        )
        if offset is None:
            raise RuleError("an automaton on hidden regions can be read only if it counts cells")
        word = "count-beside" if offset else "count"
        arms = [[our_cell(group[0], board)], [_cell(each, board) for each in group[1:]]]
        yield f"{word}={_joined(arms)}"


def _offset_of(text: str) -> bool:
    if text not in ("", "0", "1"):
        raise RuleError(f"{quote(text)} is neither 0 nor 1")
    return text == "1"


def _cell(name: str, board: Geometry) -> str:
    """Return the cell whose region has this name."""
    match = re.fullmatch(_REGION, name)
    number = int(match[1]) if match else 0
    if not 1 <= number <= board.board_count:
        raise RuleError(f"{quote(name)} is not the region of a cell, CC1 to CC{board.board_count}")
    return board.name_of(number - 1)


def write_hidden_regions(clues: Sequence[RegionClue], geometry: Geometry) -> list[str]:
    """Return the classes for hidden regions with these clues."""
    return [f".{CHAOS}", *(_write_clue(clue, geometry) for clue in clues)]


_CLASS_OF: Mapping[RegionWord, str] = {
    "count": "ChaosCount",
    "reach": "ChaosArrow",
    "regions": "CountDistinct",
    "apart": "AllDifferent",
    "same": "SameValues",
}


def _write_clue(clue: RegionClue, geometry: Geometry) -> str:
    arms = ["~".join(f"CC{cell + 1}" for cell in arm) for arm in clue.arms]
    (first,) = their_cells(geometry.name_of(clue.cells[0]))
    name = f".{_CLASS_OF[clue.word]}"
    if clue.word == "regions":
        return "~".join([name, first, arms[-1]])
    if clue.word == "apart":
        return "~".join([name, *arms])
    if clue.word == "same":
        return "~".join([name, str(len(clue.cells)), *arms])
    return "~".join([name, first, str(clue.offset), "~-~".join(arms)])
