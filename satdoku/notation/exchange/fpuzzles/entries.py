"""The shapes of list entries in f-puzzles, and the equivalent arguments of our rules.

An entry is one object in the list of a key, such as `{"cells": ["R1C1", "R1C2"], "value": "9"}`.
Each shape reads the arguments of our rules from entries, and writes entries for an argument.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.notation.exchange.foreign import (
    our_cell,
    our_cells,
    our_diagonal,
    our_line,
    placed,
    row_and_column,
    their_cells,
    their_place,
    without_loops,
)
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS, diagonal_places

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
    """Yield the entries of a key, each with its place in words, also empty ones.

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
        raise RuleError(f"{place}: {quote(rest)} is there, but no cells")
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
    """A cell in each entry; all of them together are one rule."""

    keys = frozenset({"cell"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cell(entry.get("cell"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cell": cell} for cell in their_cells(argument)]


@dataclass(frozen=True)
class Indexers(EntryShape):
    """Cells in each entry; all of them together are one rule."""

    keys = frozenset({"cells"})
    is_joined = True

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        yield our_cells(entry.get("cells"), size)

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        return [{"cells": [cell]} for cell in their_cells(argument)]


@dataclass(frozen=True)
class CellList(EntryShape):
    """Some cells, and a value if `has_value`."""

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
    """Several lines in each entry, each a rule of its own; perhaps one value for all of them."""

    keys = frozenset({"lines", "value"})

    has_value: bool = False
    may_loop: bool = False
    """Whether only neighbours on the line matter, so that it may return to a cell."""
    least: int = 2
    """Least number of cells with a meaning: a click of the mouse makes a line of a single cell."""

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
    """The cells of a circle or pill, and shafts, each of which begins in it."""

    keys = frozenset({"cells", "lines"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        circle = our_cells(entry.get("cells"), size)
        for line in lines_of(entry):
            shaft = our_cells(line, size).split(",")
            # The first cell of a shaft is the cell of the circle from which it is drawn.
            shaft = shaft[1:] if shaft[0] in circle.split(",") else shaft
            # A circle alone is a drawing: setters' programs have no sum of an empty shaft.
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
    """A number beside a row or column; without a number it is no clue."""

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
    """A number where a diagonal begins, one step outside; without a number it is no clue."""

    keys = frozenset({"cell", "cells", "value", "direction"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        diagonal = our_diagonal(entry.get("cell"), entry.get("direction"), size)
        # A clue of 0 was not filled in.
        if value := value_of(entry).lstrip("0"):
            yield f"{diagonal}={value}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        diagonal, _, value = argument.partition("=")
        start, _, way = diagonal.partition(".")
        (row, column), (down, right) = row_and_column(start), DIAGONAL_STEPS[way]
        cells = [f"R{row}C{column}" for row, column in diagonal_places(row, column, way, size)]
        outside = f"R{row - down}C{column - right}"
        return [{"cell": outside, "cells": cells, "direction": way.upper(), "value": value}]


@dataclass(frozen=True)
class Clones(EntryShape):
    """Cells, and as many cells with the same digits."""

    keys = frozenset({"cells", "cloneCells"})

    def arguments(self, entry: Entry, size: int) -> Iterator[str]:
        first, second = (our_cells(entry.get(key), size) for key in ("cells", "cloneCells"))
        yield f"{first}={second}"

    def entries(self, argument: str, size: int) -> list[dict[str, Any]]:
        first, second = (their_cells(cells) for cells in _split(argument))
        return [{"cells": first, "cloneCells": second}]


@dataclass(frozen=True)
class Quadruples(EntryShape):
    """Four cells around a corner, and digits that stand in them."""

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


def _edge(entry: Entry, size: int) -> str:
    cells = our_cells(entry.get("cells"), size)
    if cells.count(",") != 1:
        raise RuleError(f"{quote(cells)} are not two cells")
    return cells


class Meaning(NamedTuple):
    """The meaning of rules of dots and letters in a normal form: marks, and what is forbidden.

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
            # `kropki` and `xv` have marks and what is forbidden in one argument.
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
"""The sum for each letter; if no letter is given, `no-sum` has this number."""
_COLOURS = {
    "kropki": {"white": ("difference", "1"), "black": ("ratio", "2")},
    "xv": {"x": ("xv", "x"), "v": ("xv", "v")},
}


def _dots_of(
    name: str, argument: str
) -> tuple[list[tuple[str, str, frozenset[str]]], set[tuple[str, str]]]:
    """Return the marks of `kropki` or `xv`, and the kinds and values that are given in full."""
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
    # Sorted, since the order of sets differs between processes.
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
