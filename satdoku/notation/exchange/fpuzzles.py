"""Boards of f-puzzles: JSON with a grid of objects, and a list of entries for each kind of rule.

    {"size": 9, "title": "...", "grid": [[{"value": 5, "given": true}, {}, ...], ...],
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "9"}], "antiknight": true}

A key without a rule of ours is refused by name: without it the board would be another puzzle. Only
keys that are drawings in f-puzzles too are left out, and reported.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from satdoku.errors import RuleError, SatdokuError, count_of, quote
from satdoku.notation.exchange.foreign import (
    ForeignBoard,
    add_looks,
    geometry_of,
    is_solution,
    looks_of,
    our_cell,
    our_cells,
    our_diagonal,
    our_line,
    placed,
    row_and_column,
    text_of,
    their_cells,
    their_place,
    without_loops,
)
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.puzzle import Publication, Puzzle
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS, diagonal_places, write_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.regions import Windoku
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.single_cells import Candidates

# The shapes of list entries in f-puzzles, and the equivalent arguments of our rules.
#
# An entry is one object in the list of a key, such as `{"cells": ["R1C1", "R1C2"], "value": "9"}`.
# Each shape reads the arguments of our rules from entries, and writes entries for an argument.

Entry = Mapping[str, Any]


class EntryShape(ABC):
    """The shape of the entries of a key; `size` is that of the board."""

    keys: ClassVar[frozenset[str]]
    """The fields that an entry may have, besides colours, widths and the like."""
    is_joined: ClassVar[bool] = False
    """Whether all entries together are one rule, and each is a part of its argument."""

    @abstractmethod
    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        """Yield the argument of each of our rules that the entry stands for."""

    @abstractmethod
    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        """Return the entries for one of our rules."""


_SILENT = frozenset({
    "outlineC", "baseC", "fontC", "size", "width", "height", "angle", "fromConstraint", "cArray",
    "fromRangskSolver", "isNewConstraint", "hidden", "color", "opacity",
})  # fmt: skip
"""The fields of entries that define their look."""


def entries_of(
    board: Mapping[str, Any], key: str, known: Collection[str]
) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of a key, empty ones included, each with its place in words.

    A RuleError for a field outside `known`, as it might change the meaning of the entry.
    """
    listed = board.get(key) or []
    if not isinstance(listed, list):
        raise RuleError(f"{key} is not a list")
    for number, entry in enumerate(listed, 1):
        place = f"{key} {number}"
        if not isinstance(entry, dict):
            raise RuleError(f"{place}: {quote(str(entry))} is not an object")
        for name, said in entry.items():
            if name not in known and name not in _SILENT and said:
                raise RuleError(f"{place}: {quote(name)} is not known")
        yield place, entry


def value_of(entry: Entry) -> str:
    """Return the value of an entry: a number as text, empty if there is none."""
    # Some programs write numbers as text, others do not.
    value = entry.get("value")
    text = "" if value is None else str(value).strip()
    if text and not text.isdecimal():
        raise RuleError(f"the value {quote(text)} is not a number")
    return text


def is_empty(entry: Entry, place: str) -> bool:
    """Return whether an entry has no content, as f-puzzles leaves it when its cells are erased.

    A RuleError with the place for an entry that names no cell and yet has content: its cells are
    lost, and without the rule the board would be another puzzle.
    """
    if any(entry.get(key) for key in _NAMING):
        return False
    odd = next((key for key in _LISTING if not isinstance(entry.get(key), list | None)), None)
    said = (key for key, value in entry.items() if value and key not in _SILENT | {"direction"})
    if (rest := odd or next(said, None)) is not None:
        raise RuleError(f"{place}: there is {quote(rest)}, but no cell that it is about")
    return True


_LISTING = ("cells", "cloneCells", "lines")
_NAMING = ("cell", *_LISTING)
"""The fields of an entry that name cells."""


def _split(argument: str) -> tuple[str, str]:
    """Split an argument into the value before `=` (empty if there is none) and the rest."""
    value, _, rest = argument.rpartition("=")
    return value, rest


@dataclass(frozen=True)
class Marked(EntryShape):
    """Entries with one cell each; the cells of all entries together are one rule."""

    keys = frozenset({"cell"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cell(entry.get("cell"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cell": cell} for cell in their_cells(argument)]


@dataclass(frozen=True)
class Indexers(EntryShape):
    """Entries with a list of cells each; the cells of all entries together are one rule."""

    keys = frozenset({"cells"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cells(entry.get("cells"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cells": [cell]} for cell in their_cells(argument)]


@dataclass(frozen=True)
class CellList(EntryShape):
    """Entries with a list of cells, and a value if `has_value`."""

    keys = frozenset({"cells", "value"})

    has_value: bool = False

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        cells = our_cells(entry.get("cells"), size)
        value = value_of(entry) if self.has_value else ""
        yield f"{value}={cells}" if value else cells

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        value, cells = _split(argument)
        entry = {"cells": their_cells(cells)}
        return [{**entry, "value": value} if value else entry]


@dataclass(frozen=True)
class LineList(EntryShape):
    """Entries with several lines, each a rule of its own, and perhaps one value for all lines."""

    keys = frozenset({"lines", "value"})

    has_value: bool = False
    may_loop: bool = False
    """Whether only neighbours on the line matter, so that it may return to a cell."""
    least: int = 2
    """Fewest cells of a line with a meaning: a click of the mouse makes a line of one cell."""

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        value = value_of(entry) if self.has_value else ""
        for line in lines_of(entry):
            cells = our_cells(line, size)
            if cells.count(",") + 1 < self.least:
                continue
            for part in without_loops(cells) if self.may_loop else [cells]:
                yield f"{value}={part}" if value else part

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        value, cells = _split(argument)
        if "/" in cells:
            raise SatdokuError("a line that is split otherwise than by regions")
        entry = {"lines": [their_cells(cells)]}
        return [{**entry, "value": value} if value else entry]


def lines_of(entry: Entry) -> list[object]:
    """Return the lines of an entry, each a list of cells; empty lines are left out."""
    lines = entry.get("lines") or []
    if not isinstance(lines, list):
        raise RuleError(f"{quote(str(lines))} is not a list of lines")
    return [line for line in lines if line]


@dataclass(frozen=True)
class Arrows(EntryShape):
    """Entries with the cells of a circle or pill, and with shafts that begin in it."""

    keys = frozenset({"cells", "lines"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        circle = our_cells(entry.get("cells"), size)
        for line in lines_of(entry):
            shaft = our_cells(line, size).split(",")
            # The first cell of a shaft is the cell of the circle from which it is drawn.
            shaft = shaft[1:] if shaft[0] in circle.split(",") else shaft
            # A circle without a shaft is only drawn; no program for setters gives it a sum of 0.
            if shaft:
                yield f"{circle}={','.join(shaft)}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        # f-puzzles draws a shaft from within its circle; our arguments leave that cell out.
        circle, shaft = (their_cells(cells) for cells in _split(argument))
        return [{"cells": circle, "lines": [[_nearest(circle, shaft[0]), *shaft]]}]


def _nearest(circle: list[str], cell: str) -> str:
    """Return the cell of a pill from which a shaft begins."""
    row, column = row_and_column(cell)

    def distance(other: str) -> int:
        at_row, at_column = row_and_column(other)
        return max(abs(row - at_row), abs(column - at_column))

    return min(circle, key=distance)


@dataclass(frozen=True)
class LineClue(EntryShape):
    """Entries with a number beside a row or column; an entry without a number is no clue."""

    keys = frozenset({"cell", "value"})

    either_end: bool = False
    """Whether the clue is the same from either end of its line."""

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        line = our_line(entry.get("cell"), size)
        if value := value_of(entry):
            yield f"{line.partition('.')[0] if self.either_end else line}={value}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        line, _, value = argument.partition("=")
        return [{"cell": their_place(line, size), "value": value}]


@dataclass(frozen=True)
class Diagonals(EntryShape):
    """Diagonals, each with a number one step outside its beginning if it is a clue."""

    keys = frozenset({"cell", "cells", "value", "direction"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        diagonal = our_diagonal(entry.get("cell"), entry.get("direction"), size)
        # A value of 0 means that the clue was not filled in.
        if value := value_of(entry).lstrip("0"):
            yield f"{diagonal}={value}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        diagonal, _, value = argument.partition("=")
        if value == "0":
            raise SatdokuError("a diagonal with the sum 0")
        start, _, way = diagonal.partition(".")
        (row, column), (down, right) = row_and_column(start), DIAGONAL_STEPS[way]
        cells = [f"R{row}C{column}" for row, column in diagonal_places(row, column, way, size)]
        outside = f"R{row - down}C{column - right}"
        return [{"cell": outside, "cells": cells, "direction": way.upper(), "value": value}]


@dataclass(frozen=True)
class Clones(EntryShape):
    """Entries with some cells, and as many other cells with the same digits."""

    keys = frozenset({"cells", "cloneCells"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        first, second = (our_cells(entry.get(key), size) for key in ("cells", "cloneCells"))
        yield f"{first}={second}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        first, second = (their_cells(cells) for cells in _split(argument))
        return [{"cells": first, "cloneCells": second}]


@dataclass(frozen=True)
class Quadruples(EntryShape):
    """Entries with the four cells around a corner, and digits that stand in them."""

    keys = frozenset({"cells", "values"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        cells = our_cells(entry.get("cells"), size).split(",")
        corner = min(map(row_and_column, cells))
        # Our rule stores only the corner, so other cells would be replaced silently.
        if {row_and_column(cell) for cell in cells} != set(_four_cells(*corner)):
            raise RuleError(f"{','.join(cells)} are not four cells around a corner")
        values = entry.get("values")
        if not isinstance(values, list) or not all(str(value).isdecimal() for value in values):
            raise RuleError(f"{quote(str(values))} is not a list of digits")
        if values:
            yield f"{'/'.join(map(str, values))}=r{corner[0]}c{corner[1]}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        digits, cell = _split(argument)
        cells = [f"R{row}C{column}" for row, column in _four_cells(*row_and_column(cell))]
        return [{"cells": cells, "values": [int(digit) for digit in digits.split("/")]}]


def _four_cells(row: int, column: int) -> list[tuple[int, int]]:
    return [(row + down, column + right) for down in (0, 1) for right in (0, 1)]


# Dots and letters on edges of f-puzzles, and the rules for edges without them.
#
# White dots are differences, black ones ratios; X and V are sums of 10 and 5. If all of them are
# given, as `negative` or `nonconsecutive` says, the cells of an edge without a mark have none of
# these relations. An edge with a dot of either colour is exempt from what the other colour forbids.

KEYS = ("difference", "ratio", "xv", "negative", "nonconsecutive")
"""The keys that are read and written here."""

RULES = (
    "difference", "ratio", "pair-sum", "kropki", "xv", "non-consecutive", "no-difference",
    "no-ratio", "no-sum",
)  # fmt: skip
"""The rules that are read and written here."""

_SUMS = {"x": "x", "v": "v", "10": "x", "5": "v"}
Edge = tuple[str, str]
Text = tuple[str, str, str]
"""The name of a rule, its argument, and the key that it comes from."""


_DOTS = ("difference", "ratio", "xv")


def read_dots(board: Mapping[str, Any], size: int) -> Iterator[Text]:
    """Yield our rules for all dots and letters of a board."""
    negative = board.get("negative") or []
    if not isinstance(negative, list) or not set(negative) <= {"ratio", "xv"}:
        raise RuleError(f"negative: satdoku has no rule for {quote(str(negative))}")
    differences = _edges_by_value(board, "difference", "1", size)
    ratios = _edges_by_value(board, "ratio", "2", size)
    yield from _kropki(differences, ratios, bool(board.get("nonconsecutive")), "ratio" in negative)
    yield from _xv(board, "xv" in negative, size)


def _kropki(
    differences: dict[str, list[str]],
    ratios: dict[str, list[str]],
    has_all_differences: bool,
    has_all_ratios: bool,
) -> Iterator[Text]:
    has_dots = bool(differences or ratios)
    if has_all_differences and not has_dots:
        yield "non-consecutive", "", "nonconsecutive"
        has_all_differences = False
    # Dots without a number are Kropki dots, which are one rule; all others are a rule for each
    # number.
    are_usual = set(differences) <= {"1"} and set(ratios) <= {"2"}
    if has_dots and are_usual and has_all_differences == has_all_ratios:
        parts = [f"white={edge}" for edge in differences.get("1", ())]
        parts += [f"black={edge}" for edge in ratios.get("2", ())]
        yield "kropki", "/".join([*parts, *(["all"] if has_all_ratios else [])]), "difference"
    else:
        yield from _each_dot(differences, ratios)
        yield from _hidden_dots(differences, ratios, has_all_differences, has_all_ratios)


def _each_dot(differences: dict[str, list[str]], ratios: dict[str, list[str]]) -> Iterator[Text]:
    for rule, found in (("difference", differences), ("ratio", ratios)):
        for value, edges in found.items():
            yield from ((rule, f"{value}={edge}", rule) for edge in edges)


def _hidden_dots(
    differences: dict[str, list[str]],
    ratios: dict[str, list[str]],
    has_all_differences: bool,
    has_all_ratios: bool,
) -> Iterator[Text]:
    """Yield the rules for edges without a dot, if all dots are shown."""
    marked = [edge for found in (differences, ratios) for edges in found.values() for edge in edges]
    if has_all_differences:
        yield "no-difference", "/".join(["1", *marked]), "nonconsecutive"
    if has_all_ratios:
        # Each ratio that is shown somewhere is forbidden at other edges, not only 2.
        for value in ratios or ("2",):
            yield "no-ratio", "/".join([value, *marked]), "negative"


def _xv(board: Mapping[str, Any], has_all: bool, size: int) -> Iterator[Text]:
    edges: dict[str, list[str]] = {}
    for place, entry in _entries(board, "xv"):
        letter = str(entry.get("value") or "").strip().lower()
        with placed(place):
            if letter and letter not in _SUMS:
                raise RuleError(f"{quote(letter)} is neither X nor V")
            if letter:  # an edge without a letter has not been filled in
                edges.setdefault(_SUMS[letter], []).append(_edge(entry, size))
    if has_all and not edges:
        yield from (("no-sum", value, "negative") for value in ("10", "5"))
    elif edges:
        parts = [f"{letter}={edge}" for letter in "xv" for edge in edges.get(letter, ())]
        yield "xv", "/".join([*parts, *(["all"] if has_all else [])]), "xv"


def _edges_by_value(
    board: Mapping[str, Any], key: str, usual: str, size: int
) -> dict[str, list[str]]:
    """Return the edges with a dot, by the value in it."""
    found: dict[str, list[str]] = {}
    for place, entry in _entries(board, key):
        with placed(place):
            found.setdefault(value_of(entry) or usual, []).append(_edge(entry, size))
    return found


def _entries(board: Mapping[str, Any], key: str) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of a key that name cells, each with its place in words."""
    found = entries_of(board, key, ("cells", "value"))
    return ((place, entry) for place, entry in found if not is_empty(entry, place))


def empty_dots(board: Mapping[str, Any]) -> list[str]:
    """Return the places of dots and letters without content."""
    found = [each for key in _DOTS for each in entries_of(board, key, ("cells", "value"))]
    return [place for place, entry in found if is_empty(entry, place)]


def _edge(entry: Entry, size: int) -> str:
    cells = our_cells(entry.get("cells"), size)
    if cells.count(",") != 1:
        raise RuleError(f"{quote(cells)} are not two cells")
    return cells


class Meaning(NamedTuple):
    """What dots and letters mean, in a form that is equal for rules of equal meaning.

    A mark has the kind, the value and the two cells. An entry of `forbidden` has the kind, the
    value, and the edges that are exempt.
    """

    marks: frozenset[tuple[str, str, frozenset[str]]]
    forbidden: frozenset[tuple[str, str, frozenset[frozenset[str]]]]


def meaning_of(rules: Iterable[tuple[str, str]]) -> Meaning:
    """Return the meaning of rules by their names and arguments."""
    marks: list[tuple[str, str, frozenset[str]]] = []
    forbidden = []
    for name, argument in rules:
        if name in KINDS:
            value, _, cells = argument.rpartition("=")
            mark = _SUMS.get(value, value) if name == "pair-sum" else value
            for pair in pairwise(cells.split(",")):
                marks.append((KINDS[name], mark or _USUAL[name], frozenset(pair)))
        elif name in _FORBIDDING:
            value, *edges = argument.split("/")
            exempt = frozenset(frozenset(edge.split(",")) for edge in edges)
            forbidden.append((_FORBIDDING[name], value or "1", exempt))
        else:
            # The argument of `kropki` or `xv` names marks, and the kinds of which all marks are
            # given.
            found, all_of = _dots_of(name, argument)
            marks += found
            exempt = frozenset(edge for _, _, edge in found)
            forbidden += [(kind, value, exempt) for kind, value in all_of]
    return Meaning(frozenset(marks), frozenset(forbidden))


KINDS = {"difference": "difference", "ratio": "ratio", "pair-sum": "xv"}
_USUAL = {"difference": "1", "ratio": "2"}
_FORBIDDING = {
    "non-consecutive": "difference",
    "no-difference": "difference",
    "no-ratio": "ratio",
    "no-sum": "xv",
}
NUMBERS = {"x": "10", "v": "5"}
"""The sums that letters stand for; `no-sum` forbids these at edges without a letter."""
_COLOURS = {
    "kropki": {"white": ("difference", "1"), "black": ("ratio", "2")},
    "xv": {"x": ("xv", "x"), "v": ("xv", "v")},
}


def _dots_of(
    name: str, argument: str
) -> tuple[list[tuple[str, str, frozenset[str]]], set[tuple[str, str]]]:
    """Return the marks of `kropki` or `xv`, and the kinds and values with all marks given."""
    marks: list[tuple[str, str, frozenset[str]]] = []
    all_of: set[tuple[str, str]] = set()
    colours = _COLOURS[name]
    for part in argument.split("/"):
        colour, _, cells = part.partition("=")
        if colour.startswith("all"):
            # `all` means every colour, `all-x` one of them.
            named = colours.get(colour.removeprefix("all-"))
            all_of |= {named} if named else set(colours.values())
            continue
        kind, value = colours[colour]
        line = cells.split(",")
        marks += [
            (kind, value, frozenset(edge)) for edge in zip(line[::2], line[1::2], strict=True)
        ]
    return marks, {(kind, NUMBERS.get(value, value)) for kind, value in all_of}


def _can_stand(kind: str, value: str, edge: frozenset[str]) -> bool:
    """Whether f-puzzles has such a mark: between cells that share a side; for sums only X and V."""
    places = [row_and_column(cell) for cell in edge]
    apart = sum(abs(one - other) for one, other in zip(*places, strict=True))
    return apart == 1 and (kind != "xv" or value in _SUMS.values())


def write_dots(rules: Sequence[tuple[str, str]], size: int) -> dict[str, Any] | None:
    """Return the keys for these rules, by names and arguments; None if no keys are equivalent.

    The result is read again as a check: an edge may be exempt in one program and not in the other.
    """
    meaning = meaning_of(rules)
    if not all(_can_stand(*mark) for mark in meaning.marks):
        return None
    keys: dict[str, Any] = {}
    # Marks are sorted, since the order of sets differs between processes.
    for kind, value, edge in sorted(meaning.marks, key=lambda mark: (*mark[:2], sorted(mark[2]))):
        entry: dict[str, Any] = {"cells": their_cells(",".join(sorted(edge)))}
        # A dot without a number has the usual one.
        if value != _USUAL.get(kind):
            entry["value"] = value
        keys.setdefault(kind, []).append(entry)
    kinds = {kind for kind, _, _ in meaning.forbidden}
    if "difference" in kinds:
        keys["nonconsecutive"] = True
    if negative := sorted(kinds - {"difference"}):
        keys["negative"] = negative
    again = meaning_of([(name, argument) for name, argument, _ in read_dots(keys, size)])
    return keys if again == meaning else None


# The table of f-puzzles keys and our rules, used in both directions.


class Listed(NamedTuple):
    """A key of f-puzzles with a list: the rule that its entries mean, and their shape."""

    key: str
    rule: str
    shape: EntryShape
    is_one_rule: bool = False
    """Whether all entries are one rule, which compares none of its cells with each other."""


FLAGS: dict[str, tuple[str, str]] = {
    "diagonal+": ("diagonal", "/"),
    "diagonal-": ("diagonal", "\\"),
    "antiknight": ("anti-knight", ""),
    "antiking": ("anti-king", ""),
    "disjointgroups": ("disjoint-groups", ""),
}
"""Keys that are true or false, with the name of our rule and its argument."""

LISTED = (
    Listed("odd", "odd", Marked()),
    Listed("even", "even", Marked()),
    Listed("minimum", "minimum", Marked(), is_one_rule=True),
    Listed("maximum", "maximum", Marked(), is_one_rule=True),
    Listed("extraregion", "extra-region", CellList()),
    Listed("killercage", "killer", CellList(has_value=True)),
    Listed("thermometer", "thermo", LineList()),
    Listed("slowthermometer", "slow-thermo", LineList()),
    Listed("arrow", "arrow", Arrows()),
    Listed("palindrome", "palindrome", LineList()),
    Listed("renban", "renban", LineList()),
    Listed("whispers", "whispers", LineList(has_value=True, may_loop=True)),
    Listed("regionsumline", "region-sum", LineList()),
    Listed("entropicline", "entropic", LineList()),
    Listed("modularline", "modular", LineList(has_value=True)),
    Listed("nabner", "nabner", LineList()),
    # A line of two cells has no cells between its ends, and no meaning.
    Listed("zipperline", "zipper", LineList(least=3)),
    Listed("doublearrow", "double-arrow", LineList()),
    Listed("betweenline", "between", LineList(least=3)),
    Listed("lockout", "lockout", LineList(has_value=True)),
    Listed("littlekillersum", "little-killer", Diagonals()),
    # The digits between two others are the same from both ends of a line.
    Listed("sandwichsum", "sandwich", LineClue(either_end=True)),
    Listed("xsum", "x-sum", LineClue()),
    Listed("skyscraper", "skyscraper", LineClue()),
    Listed("clone", "clone", Clones()),
    Listed("quadruple", "quadruple", Quadruples()),
    Listed("rowindexer", "row-indexer", Indexers()),
    Listed("columnindexer", "column-indexer", Indexers()),
    Listed("boxindexer", "box-indexer", Indexers()),
)
"""Keys whose entries are rules by themselves.

Dots and letters on edges are read by `read_dots`, as rules of unmarked edges depend on all marks.
"""

DRAWN = ("line", "rectangle", "circle", "text", "cage")
"""Keys of drawings; a drawing may stand for a rule, but only the rules in words would say so."""

SILENT = frozenset({
    "size", "grid", "title", "author", "ruleset", "solution", "successMessage", "disabledlogic",
    "truecandidatesoptions", "fogofwar", "foglight",
})  # fmt: skip
"""Keys that are read elsewhere, or do not restrict digits."""

SILENT_IN_CELLS = frozenset({
    "value", "given", "region", "givenPencilMarks", "cornerPencilMarks", "centerPencilMarks", "c",
    "cArray", "highlight",
})  # fmt: skip
"""Fields of cells that are read elsewhere, or do not restrict digits."""


PROGRAM = "f-puzzles"

Board = Mapping[str, Any]


def is_fpuzzles(value: object) -> bool:
    """Whether a JSON value is a board of f-puzzles: its grid has objects for cells."""
    grid = value.get("grid") if isinstance(value, dict) else None
    return (
        isinstance(grid, list)
        and bool(grid)
        and all(isinstance(row, list) and all(isinstance(c, dict) for c in row) for row in grid)
    )


def read_fpuzzles(board: Board) -> ForeignBoard:
    """Return the contents of the board; a RuleError for a part that cannot be kept."""
    foreign = ForeignBoard(PROGRAM, geometry_of(board.get("size", len(board["grid"]))))
    foreign.name = text_of(board, "title")
    foreign.publication = Publication(
        text_of(board, "author"), text_of(board, "ruleset"), PROGRAM, _drawings(board)
    )
    _require_known(board)
    _read_cells(foreign, board["grid"])
    for key, rule, argument in _flags(board):
        foreign.add_rule(rule, argument, key)
    empty: list[str] = []
    for listed in LISTED:
        for argument, place in _arguments(board, listed, foreign.size, empty):
            foreign.add_rule(listed.rule, argument, place)
    for rule, argument, key in read_dots(board, foreign.size):
        foreign.add_rule(rule, argument, key)
    if empty := empty + empty_dots(board):
        foreign.drawn.append(f"empty entries ({', '.join(empty)})")
    drawn = [count_of(len(board[key]), key) for key in DRAWN if board.get(key)]
    if drawn:
        foreign.drawn.append(f"drawings ({', '.join(drawn)})")
        if text_of(board, "ruleset"):
            foreign.drawn.append("rules in words")
    return foreign


# Keys, and fields of cells, that are only kept for boards of f-puzzles and have no meaning here.
_KEPT = (*DRAWN, "fogofwar", "foglight", "successMessage", "solution")
_LOOKS = ("c", "cArray", "highlight")
_CENTRE, _CORNER = "centerPencilMarks", "cornerPencilMarks"
# Digits and marks that a person has entered while solving, which are no part of the puzzle.
_POSITION = ("value", _CENTRE, _CORNER)
_KEPT_IN_CELLS = (*_LOOKS, *_POSITION)
_CELLS = "grid"


def _drawings(board: Board) -> dict[str, Any]:
    """Return the entries of the board that are kept unchanged; entries of cells by cell number."""
    found = {key: board[key] for key in _KEPT if board.get(key)}
    cells = (
        {**cell, "value": 0} if cell.get("given") else cell for row in board[_CELLS] for cell in row
    )
    in_cells = looks_of(list(cells), _KEPT_IN_CELLS)
    return found | ({_CELLS: in_cells} if in_cells else {})


def _draw(board: dict[str, Any], puzzle: Puzzle) -> None:
    """Add the entries that `_drawings` kept; the solution only if it still is one."""
    if puzzle.publication.program != PROGRAM:
        return
    kept = puzzle.publication.drawings
    board |= {key: kept[key] for key in _KEPT if key in kept}
    if "solution" in board and not is_solution(board["solution"], puzzle):
        del board["solution"]
    cells = [cell for row in board[_CELLS] for cell in row]
    for known, keys in ((True, _LOOKS), (False, _KEPT_IN_CELLS)):
        # Looks that were kept for givens go to givens only, and entered digits to the other cells.
        some = [cell if bool(cell.get("given")) is known else {} for cell in cells]
        add_looks(some, kept.get(_CELLS), keys)


class Position(NamedTuple):
    """Digits and marks that a person has entered while solving, by the number of the cell."""

    entered: Mapping[int, int]
    centre: Mapping[int, Sequence[int]]
    corner: Mapping[int, Sequence[int]]


def position_of(puzzle: Puzzle) -> Position:
    """Return the position that a board of f-puzzles came with; malformed entries are left out."""
    looks = puzzle.publication.drawings.get(_CELLS)
    count, size = puzzle.geometry.cell_count, puzzle.geometry.size
    cells = {
        int(cell): look
        for cell, look in (looks.items() if isinstance(looks, Mapping) else ())
        if cell.isdecimal() and int(cell) < count and isinstance(look, Mapping)
    }

    def marks(key: str) -> dict[int, list[int]]:
        listed = ((cell, look.get(key)) for cell, look in cells.items())
        lists = {cell: found for cell, found in listed if isinstance(found, list)}
        return {
            cell: [each for each in found if type(each) is int and 1 <= each <= size]
            for cell, found in lists.items()
        }

    values = {cell: look.get("value") for cell, look in cells.items()}
    entered = {c: v for c, v in values.items() if type(v) is int and 1 <= v <= size}
    return Position(entered, marks(_CENTRE), marks(_CORNER))


def with_position(puzzle: Puzzle, position: Position) -> Puzzle:
    """Return the puzzle whose links to f-puzzles have this position.

    Unchanged if it came from another program, whose own links have no place for it.
    """
    about = puzzle.publication
    if about.program not in ("", PROGRAM):
        return puzzle
    looks = about.drawings.get(_CELLS)
    known = looks if isinstance(looks, Mapping) else {}
    made: dict[str, Any] = {}
    for cell in map(str, range(puzzle.geometry.cell_count)):
        before = known.get(cell)
        said = before if isinstance(before, Mapping) else {}
        look = {key: value for key, value in said.items() if key not in _POSITION}
        parts = zip(_POSITION, position, strict=True)
        look |= {key: part[int(cell)] for key, part in parts if int(cell) in part}
        made |= {cell: look} if look else {}
    drawings = {**about.drawings, _CELLS: made}
    about = replace(about, program=PROGRAM, drawings=drawings)
    return replace(puzzle, publication=about)


def _flags(board: Board) -> Iterator[tuple[str, str, str]]:
    """Yield the keys that are true, each with the name of our rule and its argument."""
    # Both diagonals are one rule here, which other formats know as well.
    has_both = all(board.get(key) for key in _BOTH_DIAGONALS)
    if has_both:
        yield _BOTH_DIAGONALS[0], "diagonals", ""
    for key, (rule, argument) in FLAGS.items():
        if board.get(key) and not (has_both and key in _BOTH_DIAGONALS):
            yield key, rule, argument


def _require_known(board: Board) -> None:
    """Refuse the first key that is neither a rule of ours nor a drawing; empty ones are ignored."""
    known = {*FLAGS, *(listed.key for listed in LISTED), *KEYS, *DRAWN, *SILENT}
    for key, value in board.items():
        # A setting that was switched on and off stays in the board as `false`, `null` or `[]`.
        if key not in known and value:
            raise RuleError(
                f"this board of f-puzzles has {quote(key)}, which satdoku has no rule for"
            )


def _read_cells(foreign: ForeignBoard, grid: list[list[Board]]) -> None:
    size = foreign.size
    if len(grid) != size or any(len(row) != size for row in grid):
        raise RuleError(f"the grid of this board does not have {size} rows of {size} cells")
    # Links also store digits that a person has entered; they are not part of the puzzle.
    own = 0
    for row, cells in enumerate(grid):
        for column, cell in enumerate(cells):
            _require_known_cell(cell, f"R{row + 1}C{column + 1}")
            if cell.get("value") and cell.get("given"):
                foreign.add_digit(row, column, cell["value"])
            own += bool(cell.get("value")) and not cell.get("given")
            if marks := cell.get("givenPencilMarks"):
                foreign.allow(row, column, marks)
    if own:
        foreign.drawn.append(f"{count_of(own, 'digit')} not given")
    _read_regions(foreign, grid)
    _read_parities(foreign, grid)


# Older boards store in the cell what newer ones have in a list.
_PARITY = "parity"
_PARITIES = ("odd", "even")


def _read_parities(foreign: ForeignBoard, grid: list[list[Board]]) -> None:
    cells = [cell for row in grid for cell in row]
    for rule in _PARITIES:
        marked = [
            foreign.geometry.name_of(place)
            for place, cell in enumerate(cells)
            if str(cell.get(_PARITY)).lower() == rule
        ]
        if marked:
            foreign.add_rule(rule, ",".join(marked), _PARITY)


def _require_known_cell(cell: Board, place: str) -> None:
    for key in cell:
        is_known = key == _PARITY and str(cell[key]).lower() in _PARITIES
        if key not in SILENT_IN_CELLS and cell[key] and not is_known:
            raise RuleError(f"the cell {place} has {quote(key)}, which satdoku does not know")


def _read_regions(foreign: ForeignBoard, grid: list[list[Board]]) -> None:
    """Read regions by number; null is none, and a cell without an entry is in its usual box."""
    cells = [cell for row in grid for cell in row]
    if not any("region" in cell for cell in cells):
        return
    box_of = foreign.geometry.box_of
    regions = [cell.get("region", box_of(place)) for place, cell in enumerate(cells)]
    odd = next((r for r in regions if r is not None and type(r) is not int), None)
    if odd is not None:
        raise RuleError(f"{quote(str(odd))} is not the number of a region")
    foreign.set_regions(regions)


def _arguments(
    board: Board, listed: Listed, size: int, empty: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield the arguments of our rules for a key, each with the place of its entry in words.

    The places of entries without content are added to `empty`.
    """
    parts: list[str] = []
    for place, entry in entries_of(board, listed.key, listed.shape.keys):
        is_nothing = is_empty(entry, place)
        with placed(place):
            found = [] if is_nothing else list(listed.shape.arguments(entry, size))
        parts += found
        if not found:
            empty.append(place)
        if not listed.shape.is_joined:
            yield from ((argument, place) for argument in parts)
            parts = []
    if parts:
        yield ",".join(dict.fromkeys(parts)), listed.key


_LISTED_OF = {listed.rule: listed for listed in LISTED}
_BOTH_DIAGONALS = ("diagonal+", "diagonal-")
# The rules of the table, and those that f-puzzles states in cells of its grid or by several
# entries. Whether it can hold a rule with these arguments is only known when the rule is written.
_HELD = {*_LISTED_OF, *RULES, "diagonal", "diagonals", "windoku", "regions", "candidates"} | {
    rule for rule, _ in FLAGS.values()
}


def can_hold(rule: Rule) -> bool:
    """Whether f-puzzles can hold a rule."""
    return rule.name in _HELD


def fpuzzles_text(puzzle: Puzzle) -> str:
    """Return the JSON of f-puzzles for a puzzle, on one line."""
    # The text has no blanks, which would make links longer.
    return json.dumps(write_fpuzzles(puzzle), ensure_ascii=False, separators=(",", ":"))


def packed_text(puzzle: Puzzle) -> str:
    """Return the puzzle as JSON of f-puzzles, compressed as in its links."""
    return pack(fpuzzles_text(puzzle))


def write_fpuzzles(puzzle: Puzzle) -> dict[str, Any]:
    """Return the board as f-puzzles has it; a SatdokuError for a rule that it cannot hold."""
    size = puzzle.geometry.size
    board: dict[str, Any] = {"size": size}
    words = {
        "title": puzzle.name,
        "author": puzzle.author or puzzle.comment,
        "ruleset": puzzle.rules_text,
    }
    board |= {key: text for key, text in words.items() if text}
    board[_CELLS] = _write_cells(puzzle)
    _draw(board, puzzle)
    for rule in puzzle.further_rules:
        for name, argument in _as_listed(rule, puzzle.geometry):
            _write_rule(board, name, argument, size)
    # Rules of dots are written together: what holds at edges without a dot depends on all of them.
    dots = [(r.name, r.argument(puzzle.geometry)) for r in puzzle.further_rules if r.name in RULES]
    keys = write_dots(dots, size)
    if keys is None:
        raise SatdokuError(f"f-puzzles cannot hold the rule {dots[-1][0]} as it is used here")
    return board | keys


def _as_listed(rule: Rule, geometry: Geometry) -> Iterator[tuple[str, str]]:
    """Yield the rule by name and argument; windows are extra regions in f-puzzles."""
    if not isinstance(rule, Windoku):
        yield rule.name, rule.argument(geometry)
        return
    for unit in rule.units(geometry):
        yield "extra-region", write_cells(unit.cells, geometry)


def _write_rule(board: dict[str, Any], name: str, argument: str, size: int) -> None:
    """Add the entries of a rule, or set its key to true."""
    if name in _LISTED_OF:
        listed = _LISTED_OF[name]
        if listed.is_one_rule and listed.key in board:
            raise SatdokuError(f"f-puzzles has one list of {name} cells, and this puzzle several")
        try:
            entries = listed.shape.entries(argument, size)
        except SatdokuError as error:
            raise SatdokuError(f"f-puzzles cannot hold the rule {name}: {error}") from None
        board.setdefault(listed.key, []).extend(entries)
        return
    named = [key for key, flag in FLAGS.items() if flag == (name, argument)]
    board |= dict.fromkeys(_BOTH_DIAGONALS if name == "diagonals" else named, True)


def _regions_of(puzzle: Puzzle) -> Sequence[int]:
    """Return the number of each cell's region, -1 for none; empty if regions are usual boxes."""
    geometry = puzzle.geometry
    if puzzle.regions:
        return puzzle.regions.region_of
    if Boxes() not in puzzle.rules:
        return [-1] * geometry.cell_count
    is_usual = geometry == Geometry.of_size(geometry.size)
    return [] if is_usual else list(map(geometry.box_of, range(geometry.cell_count)))


def _write_cells(puzzle: Puzzle) -> list[list[dict[str, Any]]]:
    cells: list[dict[str, Any]] = [
        {"value": digit, "given": True} if digit else {} for digit in puzzle.grid.digits
    ]
    for cell, region in zip(cells, _regions_of(puzzle), strict=False):
        cell["region"] = region if region >= 0 else None
    marks = [rule for rule in puzzle.further_rules if isinstance(rule, Candidates)]
    for place, digits in (pair for rule in marks for pair in rule.sets):
        # Several rules may name a cell; f-puzzles has one list for it.
        both = set(cells[place].get("givenPencilMarks", digits)).intersection(digits)
        if not both:
            name = puzzle.geometry.name_of(place)
            raise SatdokuError(f"f-puzzles cannot say that {name} holds no digit at all")
        if puzzle.grid.digits[place] not in {EMPTY, *both}:
            name = puzzle.geometry.name_of(place)
            raise SatdokuError(f"f-puzzles cannot say that the given of {name} is excluded")
        cells[place]["givenPencilMarks"] = sorted(both)
    size = puzzle.geometry.size
    return [cells[start : start + size] for start in range(0, len(cells), size)]
