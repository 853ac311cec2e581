"""The shapes of arguments in ISS strings, and the equivalent arguments of our rules.

`.Cage~9~R1C1~R1C2` is the class `Cage` with three arguments. Each shape reads arguments of our
rules from those of a class, and writes them for one of ours.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from satdoku.errors import FormatError, RuleError, SatdokuError, quote
from satdoku.notation.exchange.foreign import placed, without_loops
from satdoku.notation.exchange.seen import LONGEST_PACKED
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.value import value

Args = Sequence[str]

# Rows and columns above 9 are letters, as in base 36.
_CELL = re.compile("[Rr]([1-9A-Za-z])[Cc]([1-9A-Za-z])")
_OURS = r"r(\d+)c(\d+)|([A-Za-z]+\d*)"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Symbols of numbers up to 35."""


def cell_of(name: str, board: Geometry) -> int:
    """Return the cell that a name stands for, on the board or beside it."""
    match = _CELL.fullmatch(name)
    if match:
        cell = board.cell_at(int(match[1], 36) - 1, int(match[2], 36) - 1)
    else:
        cell = board.cell_named(name)
    if cell is None:
        size = f"{board.height}x{board.width}"
        beside = "" if match or board.is_plain else ", or beside it"
        raise RuleError(f"{quote(name)} is not a cell of a board of {size}{beside}")
    return cell


def place_of(name: str, board: Geometry) -> tuple[int, int]:
    """Return the row and column of a cell of the board, counted from 1."""
    cell = cell_of(name, board)
    if cell >= board.board_count:
        raise RuleError(f"{quote(name)} is beside the board, and not on it")
    return board.row_of(cell) + 1, board.column_of(cell) + 1


def our_cell(name: str, board: Geometry) -> str:
    return board.name_of(cell_of(name, board))


def our_cells(names: Args, board: Geometry) -> str:
    if not names:
        raise RuleError("cells are missing")
    return ",".join(our_cell(name, board) for name in names)


def their_cells(cells: str) -> list[str]:
    """Return our cells as ISS names them."""
    return [
        name or f"R{DIGITS[int(row)]}C{DIGITS[int(column)]}"
        for row, column, name in re.findall(_OURS, cells)
    ]


def number_of(text: str) -> int:
    """Return a whole number; a RuleError for any other text."""
    if not re.fullmatch("-?[0-9]{1,6}", text):
        raise RuleError(f"{quote(text)} is not a number")
    return int(text)


class ArgsShape(ABC):
    """The shape of the arguments of a class."""

    def counted_from(self, lowest: int) -> "ArgsShape":
        """Return the shape for a board with another lowest digit, if that matters."""
        return self

    @abstractmethod
    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        """Yield the argument of each of our rules that a class with these arguments stands for."""

    @abstractmethod
    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        """Return the arguments of each class that stands for our rule."""


@value(frozen=True)
class DigitsShape(ArgsShape):
    """A shape that depends on the digits of the board, of which `first` is the lowest."""

    first: int = 1

    def counted_from(self, lowest: int) -> ArgsShape:
        return replace(self, first=lowest)

    def digits(self, board: Geometry) -> range:
        """Return all digits of the board."""
        return range(self.first, self.first + board.size)


@value(frozen=True)
class Plain(ArgsShape):
    """No arguments, or a constant one; `ours` is the argument of our rule."""

    theirs: str = ""
    ours: str = ""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        if [arg for arg in args if arg] == ([self.theirs] if self.theirs else []):
            yield self.ours

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return [[self.theirs] if self.theirs else []] if argument == self.ours else []


@value(frozen=True)
class CellNames(ArgsShape):
    """Some cells, perhaps after a letter that tells rules of one class apart."""

    letter: str = ""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        if not self.letter:
            yield our_cells(args, board)
        elif args and args[0] == self.letter:
            yield our_cells(args[1:], board)

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        if "/" in argument:
            raise SatdokuError("a line that is split otherwise than by regions")
        return [[*self.letter, *their_cells(argument)]]


@value(frozen=True)
class NumberAndCells(ArgsShape):
    """A number, then cells; `usual` is the default number, and `nothing` stands for no number.

    With `may_repeat`, a list that names a cell twice is read without the repetition and without the
    number; `SumOfRepeated` reads its sum.
    """

    usual: str = ""
    nothing: str = ""
    may_loop: bool = False
    may_repeat: bool = False

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        first, *cells = args or [""]
        # If ISS leaves out the usual number, the arguments begin with the first cell.
        if self.usual and first[:1].isalpha():
            first, cells = self.usual, list(args)
        value = "" if first in ("", self.nothing) else str(number_of(first))
        line = our_cells(cells, board)
        if self.may_repeat and len(set(line.split(","))) < len(cells):
            value, line = "", ",".join(dict.fromkeys(line.split(",")))
        # If only neighbours matter, a loop is split into a line and the way back.
        for part in without_loops(line) if self.may_loop else [line]:
            yield f"{value}={part}" if value else part

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        value, _, cells = argument.rpartition("=")
        if value and value == self.nothing:
            raise SatdokuError(f"the number {value}, which stands for no number there")
        return [[value or self.usual or self.nothing, *their_cells(cells)]]


class DigitsAndCells(ArgsShape):
    """Digits, then cells: `1_2_2~R1C1~...`."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        digits = [str(number_of(digit)) for digit in args[0].split("_")] if args else []
        yield f"{'/'.join(digits)}={our_cells(args[1:], board)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        digits, _, cells = argument.partition("=")
        return [["_".join(digits.split("/")), *their_cells(cells)]]


class Corner(ArgsShape):
    """The top left one of four cells, then digits."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        corner, *digits = args or [""]
        if digits:
            yield f"{'/'.join(str(number_of(d)) for d in digits)}={our_cell(corner, board)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        digits, _, corner = argument.partition("=")
        return [[*their_cells(corner), *digits.split("/")]]


@value(frozen=True)
class CircleAndShaft(ArgsShape):
    """A circle, or the number of a pill's cells and these cells, then the shaft."""

    is_pill: bool = False

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        count = number_of(args[0]) if self.is_pill and args else 1
        cells = list(args[1:] if self.is_pill else args)
        # The digits of a pill are one number in reading order, however its cells are listed.
        pill = sorted(cells[:count], key=lambda name: cell_of(name, board))
        yield f"{our_cells(pill, board)}={our_cells(cells[count:], board)}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        circle, shaft = (their_cells(cells) for cells in argument.split("="))
        if self.is_pill != (len(circle) > 1):
            return []
        if circle != sorted(circle, key=lambda name: cell_of(name, board)):
            raise SatdokuError("a pill whose cells are not in reading order cannot be written")
        return [[*([str(len(circle))] if self.is_pill else []), *circle, *shaft]]


class Weighted(ArgsShape):
    """A sum, perhaps with a factor for each cell: `22_=_2_-1~R1C1~R1C2`."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        total, terms = read_weighted(args)
        yield weighted_sum(total, ((our_cell(name, board), factor) for name, factor in terms))

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        total, _, terms = argument.partition("=")
        words = [term.rpartition("*") for term in terms.split(",")]
        # A minus stands before the factor, or before the cell if the factor is 1.
        factors = [
            ("-" if "-" in number + cell else "") + (number.strip("-") or "1")
            for number, _, cell in words
        ]
        head = total if set(factors) == {"1"} else f"{total}_=_{'_'.join(factors)}"
        return [[head, *(their_cells(cell)[0] for _, _, cell in words)]]


def read_weighted(args: Args) -> tuple[int, list[tuple[str, int]]]:
    """Return the total of a sum, and its cells, each with its factor."""
    total, _, factors = (args[0] if args else "").partition("_=_")
    names = args[1:]
    numbers = list(map(number_of, factors.split("_"))) if factors else [1] * len(names)
    if len(numbers) != len(names) or not names:
        raise RuleError(f"{len(numbers)} factors for {len(names)} cells")
    return number_of(total), list(zip(names, numbers, strict=True))


def weighted_sum(total: int, terms: Iterable[tuple[str, int]]) -> str:
    """Return the argument of our rule `sum`; factors of a cell that is named twice are added."""
    factors: dict[str, int] = {}
    for cell, factor in terms:
        factors[cell] = factors.get(cell, 0) + factor
    words = []
    for cell, factor in factors.items():
        times = "" if abs(factor) == 1 else f"{abs(factor)}*"
        words.append(f"{'-' if factor < 0 else ''}{times}{cell}")
    # A cell on both sides of an equation has factor 0, and is kept only if all have.
    kept = [word for word in words if not word.startswith("0*")] or words[:1]
    return f"{total}={','.join(kept)}"


class EqualSums(ArgsShape):
    """Groups of cells with `-` between them, all with the same sum."""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        groups = [our_cells(part, board).split(",") for part in sides_of(args)]
        # Each group is compared with the one before; groups of the same cells are equal anyway.
        for one, other in pairwise(groups):
            if sorted(one) != sorted(other):
                terms = [*((cell, 1) for cell in one), *((cell, -1) for cell in other)]
                yield weighted_sum(0, terms)

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        return []  # written as a sum


def sides_of(args: Args) -> list[list[str]]:
    """Split the arguments of an equation at `-` into its sides, each a list of cells."""
    return [side.split("~") for side in "~".join(args).split("~-~")]


@value(frozen=True)
class Neighbours(ArgsShape):
    """Cells with a relation between any two that share a side; the list gives their order."""

    value: str = ""

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        for edge in edges_among(args, board):
            yield f"{self.value}={edge}" if self.value else edge

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        value, _, cells = argument.rpartition("=")
        if value != self.value:
            return []
        names = their_cells(cells)
        edges = [list(edge) for edge in pairwise(names)]
        if any(not edges_among(edge, board) for edge in edges):
            raise SatdokuError("cells that share no side")
        return edges


def edges_among(names: Args, board: Geometry) -> list[str]:
    """Return all pairs of cells that share a side, in the order of the list, as `r1c1,r1c2`."""
    cells = [cell_of(name, board) for name in names]
    return [
        f"{board.name_of(one)},{board.name_of(other)}"
        for one, other in combinations(cells, 2)
        if one in board.beside(other)
    ]


@value(frozen=True)
class SameValues(ArgsShape):
    """The number of groups with equal values, then their cells; `is_of_cells` if each has one."""

    is_of_cells: bool = False

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        if (number_of(args[0] if args else "") == len(args) - 1) == self.is_of_cells:
            yield from _same_groups(args, board)

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        first, second = (their_cells(cells) for cells in argument.split("="))
        if not self.is_of_cells:
            return [["2", *first, *second]]
        return [["2", one, other] for one, other in zip(first, second, strict=True)]


def _same_groups(args: Args, board: Geometry) -> Iterator[str]:
    """Yield an equation of each group with the next one."""
    count, cells = number_of(args[0]), args[1:]
    if count < 1 or not cells or len(cells) % count:
        raise RuleError(f"{len(cells)} cells are not {count} groups")
    width = len(cells) // count
    groups = [our_cells(cells[at : at + width], board) for at in range(0, len(cells), width)]
    yield from (f"{one}={other}" for one, other in pairwise(groups))


# Relations of two cells, as ISS packs them.
#
# A relation has a bit for each two digits a and b, ordered by a and then b, six bits to a
# character; zeros at the end are left out. Names, as `_name`, and groups of cells follow, with an
# empty argument between groups.

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
BITS = 6
"""Bits in a character."""


def read_pairs(packed: str, digits: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of digits that a packed relation allows."""
    wrong = next((sign for sign in packed if sign not in SIGNS), None)
    if wrong is not None:
        raise RuleError(f"{quote(wrong)} is no sign of a packed relation")
    # The first bit of a character is its lowest, so each character is reversed.
    bits = "".join(format(SIGNS.index(sign), f"0{BITS}b")[::-1] for sign in packed)
    size = len(digits)
    if "1" in bits[size * size :]:
        raise RuleError(f"this relation is of more than {size} digits")
    pairs = [(a, b) for a in digits for b in digits]
    return [pair for pair, bit in zip(pairs, bits, strict=False) if bit == "1"]


def write_pairs(allowed: Sequence[tuple[int, int]], digits: Sequence[int]) -> str:
    """Return the packed relation."""
    known = set(allowed)
    bits = "".join(str(int((a, b) in known)) for a in digits for b in digits).rstrip("0")
    groups = (bits[at : at + BITS].ljust(BITS, "0") for at in range(0, len(bits), BITS))
    return "".join(SIGNS[int(group[::-1], 2)] for group in groups)


def groups_of(args: Args) -> Iterator[list[str]]:
    """Yield the groups of cells after a relation."""
    yield from (group for _, group in named_groups_of(args))


def named_groups_of(args: Args) -> Iterator[tuple[str, list[str]]]:
    """Yield the groups of cells after a relation, each with its name, which may be empty."""
    name, group = "", list[str]()
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            group.append(arg)
            continue
        if group:
            yield name, group
        name, group = arg.removeprefix("_"), []


_SWAPPED = str.maketrans("-_", "_-")


@value(frozen=True)
class PairTables(DigitsShape):
    """A class with a packed table of pairs of digits, and the cells whose neighbours obey it.

    Older strings have the last two characters of the alphabet swapped, and another class name.
    """

    is_old: bool = False
    may_loop: bool = False

    def read(self, args: Args, board: Geometry) -> Iterator[str]:
        packed = args[0] if args else ""
        if self.is_old:
            packed = packed.translate(_SWAPPED)
        pairs = read_pairs(packed, self.digits(board))
        if not pairs:
            raise RuleError("this relation holds of no two digits")
        table = "/".join(f"{a}-{b}" for a, b in pairs)
        for group in groups_of(args[1:]):
            # A cell that follows itself in the list is left to `PairsOfOneCell`.
            cells = our_cells([cell for cell, _ in groupby(group)], board)
            if len(group) > 1 and "," not in cells:
                continue
            # A relation along a line only concerns neighbours, so the line may return to a cell.
            for part in without_loops(cells) if self.may_loop else [cells]:
                yield f"{part}:{table}"

    def write(self, argument: str, board: Geometry) -> list[list[str]]:
        if self.is_old:
            return []
        cells, _, table = argument.partition(":")
        entries = [entry.partition("-") for entry in table.split("/")]
        if not all(a.isdecimal() and b.isdecimal() for a, _, b in entries):
            return []  # an expression; the writer of rules makes a table of it
        pairs = [(int(a), int(b)) for a, _, b in entries]
        packed = write_pairs(pairs, self.digits(board))
        return [[packed, "_", *their_cells(cells)]]


# Strings of ISS as a tree of classes: `.Cage~9~R1C1~R1C2.Thermo~R4C4~R5C5`.
#
# A string is a row of classes, each after a dot, with arguments after `~`. A class without a name
# has givens and candidates: `.~R1C1_5~R2C2_1_9`. `.Or`, `.And` and `.Replicate` contain classes up
# to their `.End`, so a string is parsed into a tree. Blanks are ignored, and lines that begin with
# `#` are comments.

GIVEN = "Given"
"""The class without a name."""

# More than the longest class name; a message quotes at most this much of an unknown one.
_LONGEST_NAME = 30
HOLDERS = ("Or", "And", "Replicate")
# Limit on classes: no puzzle has as many, and `Replicate` could make them without end.
_MOST_ITEMS = 20_000
# Each level takes a few nested calls, and Python's stack has some hundreds.
_DEEPEST = 50


class Item(NamedTuple):
    """A class with its arguments and inner classes; `place` is its name in messages."""

    name: str
    args: list[str]
    items: list["Item"]
    place: str


def parse_items(text: str) -> list[Item]:
    """Return the classes of a string, each with its inner classes."""
    if len(text) > LONGEST_PACKED:
        raise FormatError(f"this has {len(text):,} characters; up to {LONGEST_PACKED:,} are read")
    root: list[Item] = []
    open_items = [root]
    count: dict[str, int] = {}
    place = ""
    for name, *args in _parts(text):
        if name == "End":
            open_items.pop()
        else:
            count[name] = count.get(name, 0) + 1
            place = name if name == GIVEN else f"{name[:_LONGEST_NAME]} {count[name]}"
            open_items[-1].append(Item(name, args, [], place))
        if name in HOLDERS:
            open_items.append(open_items[-1][-1].items)
        if not 0 < len(open_items) <= _DEEPEST:
            raise RuleError(
                f"{place}: classes hold each other more than {_DEEPEST} deep"
                if open_items
                else "there is an .End without a beginning"
            )
    if len(open_items) > 1:
        raise RuleError("an .End is missing")
    if sum(count.values()) > _MOST_ITEMS:
        raise RuleError(f"there are more than {_MOST_ITEMS:,} classes")
    return root


def _parts(text: str) -> Iterator[list[str]]:
    """Yield each class of a string: its name, then its arguments."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    # Comments end with their line, so they are removed before lines are joined.
    first, *parts = "".join("".join(lines).split()).split(".")
    if first:
        raise RuleError(f"{quote(first)} is no class behind a dot")
    for part in filter(None, parts):  # a surplus dot is ignored
        name, *args = part.split("~")
        yield [name or GIVEN, *args]


def unfolded(items: Sequence[Item], board: Geometry) -> list[Item]:
    """Return the classes with `.And` and `.Replicate` replaced by what they contain."""
    found: list[Item] = []
    for item in items:
        if item.name == "And":
            found += unfolded(item.items, board)
        elif item.name == "Replicate":
            for move in _moves(item, board):
                found += unfolded([_moved(each, move) for each in item.items], board)
                if len(found) > _MOST_ITEMS:
                    raise RuleError(f"{item.place}: there are too many classes")
        else:
            found.append(item)
    return found


Move = Callable[[str], str]
"""A function from the name of a cell to the name of the cell that a copy has in its place."""


def _moves(item: Item, board: Geometry) -> Iterator[Move]:
    """Yield the move of each copy of a template; bits from the origin on mark where one begins."""
    packed, origin = ([*item.args, "", ""])[:2]
    with placed(item.place):
        places, width = _layer_of(cell_of(origin or "R1C1", board), board)
    name_of = {place: board.name_of(cell) for cell, place in places.items()}
    start = places[cell_of(origin or "R1C1", board)]
    for at, sign in enumerate(packed):
        if sign not in SIGNS:
            raise RuleError(f"{item.place}: {quote(sign)} is no sign of packed cells")
        for bit in range(BITS):
            if SIGNS.index(sign) >> bit & 1:
                # Bits count cells from the origin on, across the ends of rows.
                to = divmod(start[0] * width + start[1] + at * BITS + bit, width)
                by = (to[0] - start[0], to[1] - start[1])
                yield partial(_name_after, places, name_of, by, board, item.place)


def _layer_of(cell: int, board: Geometry) -> tuple[dict[int, tuple[int, int]], int]:
    """Return row and column of each cell of the board, or of the cell's group; and the width."""
    if cell < board.board_count:
        cells: Iterable[int] = range(board.board_count)
        return {each: (board.row_of(each), board.column_of(each)) for each in cells}, board.width
    assert isinstance(board, Arrangement)
    group = next(each.name for each in board.groups if cell in board.cells_of(each.name))
    width = board.width_of(group)
    return {each: divmod(n, width) for n, each in enumerate(board.cells_of(group))}, width


def _name_after(
    places: Mapping[int, tuple[int, int]],
    name_of: Mapping[tuple[int, int], str],
    by: tuple[int, int],
    board: Geometry,
    place: str,
    name: str,
) -> str:
    """Return the name of the cell `by` rows and columns further on; other texts unchanged."""
    if not (_CELL.fullmatch(name) or board.cell_named(name) is not None):
        return name
    with placed(place):
        cell = cell_of(name, board)
    here = places.get(cell)
    if here is None:
        raise RuleError(f"{place}: {name} is not among the cells that are repeated")
    to = name_of.get((here[0] + by[0], here[1] + by[1]))
    if to is None:
        raise RuleError(f"{place}: {name} is moved off the board")
    return their_cells(to)[0]


def _moved(item: Item, move: Move) -> Item:
    """Return the class with its cells moved."""
    # An argument with a cell begins with the cell, perhaps followed by digits.
    args = []
    for arg in item.args:
        name, sign, rest = arg.partition("_")
        args.append(f"{move(name)}{sign}{rest}")
    return Item(item.name, args, [_moved(each, move) for each in item.items], item.place)
