"""Puzzles of SudokuMaker: a list of cells, and elements, each with a number for its kind.

    {"formatVersion": "1.5.0", "puzzle": {"name": "...", "author": "...", "comment": "...",
     "cells": [{"given": true, "value": 5}, {}, ...],
     "constraints": [{"type": 1, "regions": [0, 0, 0, 1, ...]}, {"type": 13}, ...]}}

Each place on the board has one number. Cells are counted from 0 in reading order. Corners are
counted in rows that are longer by one than rows of cells; cells outside and cells of the board are
counted together, in rows that are longer by two. The edges to the left of a row's cells come first,
then the edges below them.

An element without a rule of ours is refused by its name, and custom code by the setter's name for
it: without it the board would be another puzzle.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, permutations
from math import dist, isqrt
from operator import or_
from typing import Any

from satdoku.errors import RuleError, SatdokuError, count_of, quote
from satdoku.notation.exchange.foreign import (
    LARGEST,
    ForeignBoard,
    geometry_of,
    placed,
    text_of,
    without_loops,
)
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import Constraints, Masks
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Publication, Puzzle, constraints_of
from satdoku.puzzle.rules.arguments import DIAGONAL_STEPS, read_cell, read_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.regions import Windoku
from satdoku.puzzle.rules.rule import Rule

PROGRAM = "SudokuMaker"

Element = Mapping[str, Any]
Text = tuple[str, str]
"""The name and the argument of a rule of ours."""

_REGIONS, _ROWS_AND_COLUMNS, _CUSTOM = 1, 2003, 1000
_DIFFERENCE, _RATIO, _XV = 200, 201, 202
_DRAWN = {2000: "line", 2001: "cage", 2002: "symbol", 4000: "fog", 4001: "fog"}
_SILENT = {0, _REGIONS, _ROWS_AND_COLUMNS, *_DRAWN}

_WHOLE = {
    10: ("diagonal", "\\"),
    11: ("diagonal", "/"),
    12: ("anti-king", ""),
    13: ("anti-knight", ""),
    14: ("disjoint-groups", ""),
    15: ("non-consecutive", ""),
}
"""Elements about the whole board, and the rules that they stand for."""

_MARKED = {
    100: "even",
    101: "odd",
    102: "maximum",
    103: "minimum",
    600: "row-indexer",
    601: "column-indexer",
}
"""Elements whose cells form one rule together, even if they are in several elements."""

_NAMES = {
    **{kind: rule for kind, (rule, _) in _WHOLE.items()},
    **_MARKED,
    16: "global entropy",
    _DIFFERENCE: "differences",
    _RATIO: "ratios",
    _XV: "XV",
    300: "thermometers",
    301: "killer cages",
    302: "clones",
    303: "quadruples",
    304: "look-and-say cages",
    305: "extra region",
    400: "renban lines",
    401: "whispers",
    402: "palindromes",
    403: "between lines",
    404: "region sum lines",
    405: "sequence lines",
    406: "entropy lines",
    407: "lockout lines",
    408: "arrows",
    409: "double arrows",
    500: "little killers",
    501: "sandwich sums",
    502: "X-sums",
    503: "skyscrapers",
    504: "numbered rooms",
    _REGIONS: "regions",
    _ROWS_AND_COLUMNS: "rows and columns",
}
"""What messages call the elements."""


def is_sudokumaker(value: object) -> bool:
    """Whether a JSON value is a puzzle of SudokuMaker."""
    puzzle = value.get("puzzle") if isinstance(value, dict) else None
    return (
        isinstance(puzzle, dict)
        and isinstance(puzzle.get("cells"), list)
        and isinstance(puzzle.get("constraints"), list)
    )


def read_sudokumaker(value: Mapping[str, Any]) -> ForeignBoard:
    """Return the contents of the puzzle; a RuleError for a part that cannot be kept."""
    puzzle = value["puzzle"]
    elements = [each for each in puzzle["constraints"] if not _is_off(each)]
    _require_known(elements)
    board = _board_of(puzzle, elements)
    foreign = board.foreign
    foreign.name = text_of(puzzle, "name")
    foreign.publication = Publication(
        text_of(puzzle, "author"), text_of(puzzle, "comment"), PROGRAM
    )
    _read_regions(board, elements)
    _read_cells(board, puzzle["cells"])
    for element in elements:
        name = _name_of(element)
        for rule, argument in _rules_of(board, element):
            foreign.add_rule(rule, argument, name)
    for kind, rule in _MARKED.items():
        named = [each.get("cells") for each in elements if each["type"] == kind]
        if cells := [cell for each in named for cell in _list(each, rule)]:
            foreign.add_rule(rule, ",".join(dict.fromkeys(board.cells(cells, rule))), rule)
    for rule, argument, name in _rules_of_edges(board, elements):
        foreign.add_rule(rule, argument, name)
    foreign.join_diagonals()
    _tell_drawings(foreign, elements)
    return foreign


def _is_off(element: Any) -> bool:
    if not isinstance(element, dict) or type(element.get("type")) is not int:
        raise RuleError(f"{quote(str(element))} is no element of SudokuMaker")
    return bool(element.get("disabled"))


def _name_of(element: Element) -> str:
    """Return what an element is called in messages; custom code as its setter calls it."""
    kind = element["type"]
    if kind == _CUSTOM:
        definition = element.get("definition")
        said = definition.get("name") if isinstance(definition, dict) else ""
        return f"the custom code {quote(str(element.get('name') or said or 'without a name'))}"
    return _NAMES.get(kind, f"an element of the kind {kind}")


def _require_known(elements: Iterable[Element]) -> None:
    for element in elements:
        kind = element["type"]
        if kind not in {*_SILENT, *_WHOLE, *_MARKED, *_READERS, _DIFFERENCE, _RATIO, _XV}:
            what = f"has {_name_of(element)}, which satdoku has no rule for"
            raise RuleError(f"this puzzle of SudokuMaker {what}")


def _tell_drawings(foreign: ForeignBoard, elements: Iterable[Element]) -> None:
    """Report the elements that are only drawn, as they may stand for a rule in words."""
    counts: dict[str, int] = {}
    for element in elements:
        word = _DRAWN.get(element["type"])
        if word:
            listed = element.get(f"{word}s")
            counts[word] = counts.get(word, 0) + (len(listed) if isinstance(listed, list) else 1)
    counts = {word: count for word, count in counts.items() if count}
    if counts:
        told = (word if word == "fog" else count_of(count, word) for word, count in counts.items())
        foreign.drawn.append(f"drawings ({', '.join(told)})")
        if foreign.publication.rules_text:
            foreign.drawn.append("rules in words")


@dataclass
class _Board:
    """The board that is read, and the numbers of places on it."""

    foreign: ForeignBoard
    height: int
    width: int

    def cell(self, number: Any, place: str) -> str:
        """Return the name of a cell by its number."""
        count = self.height * self.width
        if type(number) is not int or not 0 <= number < count:
            raise RuleError(f"{place}: {quote(str(number))} is not the number of a cell")
        return self.cell_at(*divmod(number, self.width), place)

    def cell_at(self, row: int, column: int, place: str) -> str:
        found = self.foreign.geometry.cell_at(row, column) if self.holds(row, column) else None
        if found is None:
            raise RuleError(f"{place}: r{row + 1}c{column + 1} is not on the board")
        return self.foreign.geometry.name_of(found)

    def holds(self, row: int, column: int) -> bool:
        return 0 <= row < self.height and 0 <= column < self.width

    def cells(self, numbers: Any, place: str) -> list[str]:
        return [self.cell(number, place) for number in _list(numbers, place)]

    def edge(self, number: Any, place: str) -> str:
        """Return the two cells beside an edge."""
        pair, column = divmod(_number(number, place), self.width)
        row, is_below = divmod(pair, 2)
        other = (row + 1, column) if is_below else (row, column - 1)
        cells = sorted([(row, column), other])
        return ",".join(self.cell_at(*each, place) for each in cells)

    def corner(self, number: Any, place: str) -> str:
        """Return the cell above and to the left of a corner."""
        row, column = divmod(_number(number, place), self.width + 1)
        self.cell_at(row, column, place)
        return self.cell_at(row - 1, column - 1, place)

    def outside(self, number: Any, place: str) -> tuple[int, int]:
        """Return row and column of a cell outside of the board, from -1."""
        row, column = divmod(_number(number, place), self.width + 2)
        return row - 1, column - 1

    def line(self, number: Any, place: str) -> str:
        """Return the row or column of a clue outside, and its end: `col4` or `col4.up`."""
        row, column = self.outside(number, place)
        if row in (-1, self.height) and 0 <= column < self.width:
            return f"col{column + 1}" + (".up" if row >= 0 else "")
        if column in (-1, self.width) and 0 <= row < self.height:
            return f"row{row + 1}" + (".left" if column >= 0 else "")
        raise RuleError(f"{place}: {number} is not a place beside the board")

    def diagonal(self, number: Any, slope: int, place: str) -> str:
        """Return where a diagonal begins on the board, and its direction: `r1c3.dl`."""
        row, column = self.outside(number, place)
        # A slope of 1 rises to the right, -1 falls.
        ways = [(way, step) for way, step in DIAGONAL_STEPS.items() if step[0] * step[1] == -slope]
        for way, (down, right) in ways if not self.holds(row, column) else ():
            if self.holds(row + down, column + right):
                return f"{self.cell_at(row + down, column + right, place)}.{way}"
        raise RuleError(f"{place}: no diagonal begins at the place {number}")


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise RuleError(f"{place}: {quote(str(value))} is not a list")
    return value


def _number(value: Any, place: str) -> int:
    if type(value) is not int or value < 0:
        raise RuleError(f"{place}: {quote(str(value))} is not a number")
    return value


def _entries(element: Element, key: str) -> list[Mapping[str, Any]]:
    """Return the objects that an element lists."""
    place = _name_of(element)
    found = _list(element.get(key), place)
    odd = next((each for each in found if not isinstance(each, dict)), None)
    if odd is not None:
        raise RuleError(f"{place}: {quote(str(odd))} is not an object")
    return found


# The board: its shape, regions and givens.


def _board_of(puzzle: Mapping[str, Any], elements: Sequence[Element]) -> _Board:
    """Return the empty board; rows and columns are a rule only where the puzzle says so."""
    height, width = _shape_of(puzzle)
    is_free = puzzle.get("type") == "custom"
    lowest = _whole(puzzle, "minDigit", 1)
    highest = _HIGHEST_DIGIT if is_free else max(height, width)
    count = _whole(puzzle, "maxDigit", highest) - lowest + 1
    if not 1 <= count <= LARGEST:
        raise RuleError(
            f"minDigit {lowest} and maxDigit {lowest + count - 1} make {count} digits; "
            f"1 to {LARGEST} can be read"
        )
    areas = [_areas(each, height, width) for each in elements if each["type"] == _ROWS_AND_COLUMNS]
    is_raw = is_free and not areas
    corners = {corner for each in areas for corner in _corners(each, height, width, count)}
    if height == width == count and not is_raw and not corners:
        foreign = ForeignBoard(PROGRAM, geometry_of(count))
    else:
        with placed("the board"):
            usual = Geometry.of_size(count)
            boxes = (usual.box_rows, usual.box_columns) if corners else (0, 0)
            board = Arrangement(*boxes, height, width, count, is_raw, tuple(sorted(corners)))
            foreign = ForeignBoard(PROGRAM, board.simplest)
    foreign.set_lowest(lowest)
    return _Board(foreign, height, width)


_HIGHEST_DIGIT = 9
Corner = tuple[int, int]
Area = tuple[int, int, int, int]
"""The first row and column of a part of the board, from 0, and its height and width."""


def _shape_of(puzzle: Mapping[str, Any]) -> tuple[int, int]:
    count = len(puzzle["cells"])
    side = _whole(puzzle, "size", isqrt(count))
    width, height = _whole(puzzle, "width", side), _whole(puzzle, "height", side)
    if not (0 < width <= LARGEST and height <= LARGEST) or width * height != count:
        raise RuleError(f"this puzzle of SudokuMaker has {count:,} cells, not {height}x{width}")
    return height, width


def _whole(puzzle: Mapping[str, Any], key: str, usual: int) -> int:
    value = puzzle.get(key)
    return usual if value is None else _number(value, key)


def _areas(element: Element, height: int, width: int) -> list[Area]:
    """Return the parts (top, left, height, width) in whose rows and columns no digit repeats."""
    if not element.get("areas"):
        return [(0, 0, height, width)]
    keys = ("y", "x", "height", "width")
    place = _name_of(element)
    found = []
    for each in _entries(element, "areas"):
        top, left, high, wide = (_number(each.get(key), place) for key in keys)
        found.append((top, left, high, wide))
    return found


def _corners(areas: Iterable[Area], height: int, width: int, count: int) -> Iterator[Corner]:
    for area in areas:
        if area != (0, 0, height, width):
            if area[2:] != (count, count):
                high, wide = area[2:]
                what = f"satdoku does not read a part of {high}x{wide} with {count} digits"
                raise RuleError(f"{_NAMES[_ROWS_AND_COLUMNS]}: {what}")
            yield area[:2]


def _read_regions(board: _Board, elements: Sequence[Element]) -> None:
    """Read regions; a board without the element has neither regions nor the usual boxes."""
    foreign, place = board.foreign, _NAMES[_REGIONS]
    layouts = [_layout(board, each) for each in elements if each["type"] == _REGIONS]
    if isinstance(foreign.geometry, Arrangement) and foreign.geometry.areas:
        # Boards of several areas have the usual boxes.
        if [set(_regions_in(board, layout)) for layout in layouts] != [_boxes_in(board)]:
            raise RuleError(f"{place}: only boxes are read on boards of several parts")
        return
    if foreign.geometry.is_plain:
        foreign.set_regions([None] * board.height * board.width)
        # Regions that do not hold every digit are read as groups of cells that differ.
        first = [number for number in layouts[0] if number is not None] if layouts else []
        if {first.count(number) for number in first} == {foreign.size}:
            foreign.set_regions(layouts.pop(0))
    for layout in layouts:
        for cells in _regions_in(board, layout):
            if len(cells) > 1:
                foreign.add_rule("extra-region", ",".join(cells), place)


def _regions_in(board: _Board, layout: Sequence[int | None]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each region, in reading order."""
    for name in dict.fromkeys(number for number in layout if number is not None):
        numbers = [cell for cell, other in enumerate(layout) if other == name]
        yield tuple(board.cells(numbers, _NAMES[_REGIONS]))


def _boxes_in(board: _Board) -> set[tuple[str, ...]]:
    geometry = board.foreign.geometry
    return {tuple(map(geometry.name_of, sorted(box.cells))) for box in geometry.boxes}


def _layout(board: _Board, element: Element) -> list[int | None]:
    """Return the number of each cell's region; -1 is none."""
    place, count = _name_of(element), board.height * board.width
    numbers = _list(element.get("regions"), place)
    if len(numbers) != count or not all(type(number) is int for number in numbers):
        raise RuleError(f"{place}: there are {count} cells, and not a number for each")
    return [number if number >= 0 else None for number in numbers]


def _read_cells(board: _Board, cells: Sequence[Any]) -> None:
    own = 0
    for number, cell in enumerate(cells):
        if not cell:
            continue
        if not isinstance(cell, dict):
            raise RuleError(f"the cell {number} is not an object")
        if cell.get("value") is None:
            continue
        if not cell.get("given"):
            own += 1
            continue
        place = divmod(number, board.width)
        board.cell(number, "givens")
        board.foreign.add_digit(*place, cell["value"])
    if own:
        board.foreign.drawn.append(f"{count_of(own, 'digit')} not given")


# Elements that are read one by one.


def _rules_of(board: _Board, element: Element) -> Iterator[Text]:
    kind = element["type"]
    if kind in _WHOLE:
        yield _WHOLE[kind]
    elif kind in _READERS:
        yield from _READERS[kind](board, element)


def _lines(rule: str, key: str = "lines") -> Callable[[_Board, Element], Iterator[Text]]:
    """Return a reader of lines, each of which is a rule; lines of one cell are ignored."""

    def read(board: _Board, element: Element) -> Iterator[Text]:
        for cells in _lines_of(board, element, key):
            yield rule, ",".join(cells)

    return read


def _lines_of(board: _Board, element: Element, key: str = "lines") -> Iterator[list[str]]:
    place = _name_of(element)
    for numbers in _list(element.get(key), place):
        cells = board.cells(numbers, place)
        if len(cells) > 1:
            yield cells


def _thermometers(board: _Board, element: Element) -> Iterator[Text]:
    rule = "slow-thermo" if element.get("slow") else "thermo"
    yield from _lines(rule, "thermometers")(board, element)


def _whispers(board: _Board, element: Element) -> Iterator[Text]:
    least = _number(element.get("minDifference"), _name_of(element))
    for cells in _lines_of(board, element):
        for part in without_loops(",".join(cells)):
            yield "whispers", f"{least}={part}"


def _lockout(board: _Board, element: Element) -> Iterator[Text]:
    for cells in _lines_of(board, element):
        yield "lockout", f"4={','.join(cells)}"


def _region_sums(board: _Board, element: Element) -> Iterator[Text]:
    if element.get("singleRegionTotals"):
        raise RuleError(f"{_name_of(element)}: satdoku does not read sums of whole regions")
    yield from _lines("region-sum")(board, element)


def _cages(board: _Board, element: Element) -> Iterator[Text]:
    place = _name_of(element)
    for cage in _entries(element, "cages"):
        cells = ",".join(board.cells(cage.get("cells"), place))
        total = _number(cage.get("value") or 0, place)
        if cells:
            yield "killer", f"{total}={cells}" if total else cells


def _extra_region(board: _Board, element: Element) -> Iterator[Text]:
    cells = board.cells(element.get("cells"), _name_of(element))
    if len(cells) > 1:
        yield "extra-region", ",".join(cells)


def _arrows(board: _Board, element: Element) -> Iterator[Text]:
    place = _name_of(element)
    for entry in _entries(element, "bulbsWithArrows"):
        bulb = _bulb(board, entry.get("bulbCells"), place)
        for numbers in _list(entry.get("arrows"), place):
            shaft = board.cells(numbers, place)
            # A shaft begins in the bulb, whose cell is not added.
            shaft = shaft[1:] if shaft[:1] and shaft[0] in bulb else shaft
            if bulb and shaft:
                yield "arrow", f"{','.join(bulb)}={','.join(shaft)}"


def _bulb(board: _Board, numbers: Any, place: str) -> list[str]:
    """Return the cells of a circle or pill; a pill is read to the right, or down."""
    cells = board.cells(numbers, place)
    rows, columns = ({divmod(number, board.width)[at] for number in numbers} for at in (0, 1))
    if len(rows) > 1 and len(columns) > 1:
        raise RuleError(f"{place}: the circle {','.join(cells)} is neither in a row nor a column")
    return board.cells(sorted(numbers), place)


def _quadruples(board: _Board, element: Element) -> Iterator[Text]:
    place = _name_of(element)
    for clue in _entries(element, "clues"):
        digits = [_number(each, place) for each in _list(clue.get("digits"), place)]
        if digits:
            corner = board.corner(clue.get("corner"), place)
            yield "quadruple", f"{'/'.join(map(str, digits))}={corner}"


def _little_killers(board: _Board, element: Element) -> Iterator[Text]:
    place = _name_of(element)
    for clue in _entries(element, "clues"):
        if clue.get("value") is not None:
            slope = clue.get("diagonal")
            if slope not in (1, -1):
                raise RuleError(f"{place}: {quote(str(slope))} is no direction of a diagonal")
            diagonal = board.diagonal(clue.get("outerCell"), slope, place)
            yield "little-killer", f"{diagonal}={_number(clue['value'], place)}"


def _outside(
    rule: str, is_same_from_both_ends: bool = False
) -> Callable[[_Board, Element], Iterator[Text]]:
    """Return a reader of clues outside; a clue without a value is only drawn."""

    def read(board: _Board, element: Element) -> Iterator[Text]:
        place = _name_of(element)
        for clue in _entries(element, "clues"):
            if clue.get("diagonal") is not None:
                raise RuleError(f"{place}: satdoku does not read clues for diagonals")
            if clue.get("value") is not None:
                line = board.line(clue.get("outerCell"), place)
                line = line.partition(".")[0] if is_same_from_both_ends else line
                yield rule, f"{line}={_number(clue['value'], place)}"

    return read


# Groups of digits: on some lines and squares, any few adjacent cells have a digit of each group.


def _groups_of(board: _Board, element: Element) -> list[tuple[int, ...]]:
    """Return groups of digits from numbers that have a bit for each digit."""
    place, lowest = _name_of(element), board.foreign.lowest
    highest = lowest + board.foreign.size - 1
    groups = []
    for number in _list(element.get("groups"), place):
        bits = _number(number, place)
        groups.append(tuple(d for d in range(lowest, highest + 1) if bits >> d & 1))
    every = [digit for group in groups for digit in group]
    if not groups or not all(groups) or len(set(every)) < len(every):
        raise RuleError(f"{place}: the groups of digits are empty, or share digits")
    return groups


_MOST_GROUPS = 4


def _thirds(lowest: int, size: int) -> dict[str, list[tuple[int, ...]]]:
    """Return the groups of low, middle and high digits, and those of the same remainder mod 3."""
    digits = tuple(range(lowest, lowest + size))
    groups = {"modular": sorted(digits[start::3] for start in range(3))}
    if size % 3 == 0:
        third = size // 3
        groups["entropy"] = [digits[start : start + third] for start in range(0, size, third)]
    return groups


def _global_entropy(board: _Board, element: Element) -> Iterator[Text]:
    groups = _groups_of(board, element)
    usual = _thirds(board.foreign.lowest, board.foreign.size)
    # The rule global-modular needs groups of the same size, while modular lines do not.
    for kind in usual if "entropy" in usual else ():
        if sorted(groups) == usual[kind]:
            yield f"global-{kind}", ""
            return
    geometry, place = board.foreign.geometry, _name_of(element)
    kinds = _classes_of(groups, board, place)
    for row in range(board.height - 1):
        for column in range(board.width - 1):
            square = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
            if any(geometry.cell_at(*each) is None for each in square):
                continue
            cells = ",".join(board.cell_at(*each, place) for each in square)
            for kind in kinds:
                yield "machine", f"{cells}:.*{kind}.*"


def _entropy_lines(board: _Board, element: Element) -> Iterator[Text]:
    groups = _groups_of(board, element)
    usual = _thirds(board.foreign.lowest, board.foreign.size)
    for cells in _lines_of(board, element):
        if sorted(groups) == usual.get("entropy"):
            yield "entropic", ",".join(cells)
        elif sorted(groups) == usual["modular"]:
            yield "modular", f"3={','.join(cells)}"
        else:
            yield from _mixed(cells, _classes_of(groups, board, _name_of(element)))


def _mixed(cells: Sequence[str], kinds: Sequence[str]) -> Iterator[Text]:
    """Yield the rules that any N adjacent cells of a line have a digit of each of the N groups."""
    length = min(len(cells), len(kinds))
    orders = "|".join("".join(order) for order in permutations(kinds, length))
    for start in range(len(cells) - length + 1):
        yield "machine", f"{','.join(cells[start : start + length])}:{orders}"


def _classes_of(groups: Sequence[tuple[int, ...]], board: _Board, place: str) -> list[str]:
    """Return groups of digits as character classes of the rule `machine`."""
    highest = board.foreign.lowest + board.foreign.size - 1
    if highest > _HIGHEST_DIGIT or len(groups) > _MOST_GROUPS:
        raise RuleError(
            f"{place}: satdoku does not read {len(groups)} groups of digits up to {highest}"
        )
    return [f"[{_joined(group)}]" for group in groups]


def _joined(digits: Iterable[int]) -> str:
    return "".join(map(str, digits))


_READERS: dict[int, Callable[[_Board, Element], Iterator[Text]]] = {
    16: _global_entropy,
    300: _thermometers,
    301: _cages,
    303: _quadruples,
    305: _extra_region,
    400: _lines("renban"),
    401: _whispers,
    402: _lines("palindrome"),
    403: _lines("between"),
    404: _region_sums,
    405: _lines("sequence"),
    406: _entropy_lines,
    407: _lockout,
    408: _arrows,
    409: _lines("double-arrow"),
    500: _little_killers,
    501: _outside("sandwich", is_same_from_both_ends=True),
    502: _outside("x-sum"),
    503: _outside("skyscraper"),
    504: _outside("numbered-room"),
}


# Dots and letters on edges, and what holds at edges without any.


def _rules_of_edges(board: _Board, elements: Sequence[Element]) -> Iterator[tuple[str, str, str]]:
    """Yield our rules for all dots and letters together, each with the name of its element."""
    names = {kind: _NAMES[kind] for kind in (_DIFFERENCE, _RATIO, _XV)}
    of_kind = {kind: [each for each in elements if each["type"] == kind] for kind in names}
    usual = {_DIFFERENCE: 1, _RATIO: 2, _XV: 0}
    clues = {kind: _edges_of(board, of_kind[kind], usual[kind]) for kind in names}
    hidden = {
        kind: [
            _number(value, names[kind])
            for each in of_kind[kind]
            for value in _list(each.get("negative") or [], names[kind])
        ]
        for kind in names
    }
    rules = {_DIFFERENCE: "difference", _RATIO: "ratio", _XV: "pair-sum"}
    dots = (_DIFFERENCE, _RATIO)
    are_usual = all(value == usual[kind] for kind in dots for value, _ in clues[kind])
    shown = [len(hidden[kind]) for kind in dots]
    if are_usual and (clues[_DIFFERENCE] or clues[_RATIO]) and shown == [0, 0]:
        parts = [f"white={edge}" for _, edge in clues[_DIFFERENCE]]
        parts += [f"black={edge}" for _, edge in clues[_RATIO]]
        yield "kropki", "/".join(parts), names[_DIFFERENCE]
        clues = {**clues, _DIFFERENCE: [], _RATIO: []}
    letters = {10: "x", 5: "v"}
    if parts := [f"{letters[value]}={edge}" for value, edge in clues[_XV] if value in letters]:
        yield "xv", "/".join(parts), names[_XV]
    for kind, name in names.items():
        for value, edge in clues[kind]:
            if kind != _XV or value not in letters:
                yield rules[kind], f"{value}={edge}", name
        # An edge with a dot of either colour is exempt from what the other colour forbids.
        kinds = dots if kind in dots else (_XV,)
        marked = [edge for each in kinds for _, edge in clues[each]]
        for value in dict.fromkeys(hidden[kind]):
            rule = "no-sum" if kind == _XV else f"no-{rules[kind]}"
            yield rule, "/".join([str(value), *dict.fromkeys(marked)]), name


def _edges_of(board: _Board, elements: Iterable[Element], usual: int) -> list[tuple[int, str]]:
    """Return the value and the edge of each clue."""
    found = []
    for element in elements:
        place = _name_of(element)
        for clue in _entries(element, "clues"):
            value = _number(clue.get("value") or usual, place)
            if value:
                found.append((value, board.edge(clue.get("edge"), place)))
    return found


# Writing puzzles for SudokuMaker: the inverse of the readers above, for plain boards.


class _Numbers:
    """The numbers of places on a board, from their names in arguments of rules."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.size = geometry.size

    def cell(self, name: str) -> int:
        return read_cell(name, self.geometry)

    def cells(self, names: str) -> list[int]:
        return list(read_cells(names, self.geometry))

    def edge(self, cells: tuple[int, int]) -> int:
        """Return the edge of two cells: edges in a row are counted first, then those below it."""
        (row, column), (other_row, other) = (divmod(cell, self.size) for cell in sorted(cells))
        return (2 * row + other_row - row) * self.size + max(column, other)

    def corner(self, name: str) -> int:
        row, column = divmod(self.cell(name), self.size)
        return (row + 1) * (self.size + 1) + column + 1

    def outside(self, row: int, column: int) -> int:
        """Return the number of a place in or around the board; the board begins at 0, 0."""
        return (row + 1) * (self.size + 2) + column + 1

    def line(self, name: str) -> int:
        """Return the place beside a row or column: `col4`, or `col4.up` for its other end."""
        line, _, is_far = name.partition(".")
        place, beside = int(line[3:]) - 1, self.size if is_far else -1
        return self.outside(*((place, beside) if line.startswith("row") else (beside, place)))


Entry = tuple[dict[str, Any], str, list[Any]]
"""An element without one of its lists, the key of that list, and the items of the list."""

_Writer = Callable[[str, _Numbers], Entry]


def _write_line(kind: int, key: str = "lines", **more: Any) -> _Writer:
    return lambda argument, on: ({"type": kind, **more}, key, [on.cells(argument)])


def _write_whispers(argument: str, on: _Numbers) -> Entry:
    least, _, cells = argument.partition("=")
    return {"type": 401, "minDifference": int(least)}, "lines", [on.cells(cells)]


def _write_of_number(kind: int, only: str) -> _Writer:
    """Return a writer of lines with a number; SudokuMaker has only the number `only`."""

    def write(argument: str, on: _Numbers) -> Entry:
        number, _, cells = argument.partition("=")
        if number != only:
            what = f"has {_NAMES[kind]} with {only} only, and this puzzle some with {number}"
            raise SatdokuError(f"SudokuMaker {what}")
        groups = {"groups": _masks(on, "modular")} if kind == _ENTROPY_LINES else {}
        return {"type": kind, **groups}, "lines", [on.cells(cells)]

    return write


def _write_region_sum(argument: str, on: _Numbers) -> Entry:
    if "/" in argument:
        what = "splits lines for sums by regions, and this puzzle some otherwise"
        raise SatdokuError(f"SudokuMaker {what}")
    return {"type": 404}, "lines", [on.cells(argument)]


def _write_entropic(argument: str, on: _Numbers) -> Entry:
    return {"type": _ENTROPY_LINES, "groups": _masks(on, "entropy")}, "lines", [on.cells(argument)]


def _masks(on: _Numbers, kind: str) -> list[int]:
    """Return groups of digits as numbers with a bit for each digit."""
    groups = _thirds(1, on.size)[kind]
    return [sum(1 << digit for digit in group) for group in groups]


def _write_cage(argument: str, on: _Numbers) -> Entry:
    total, equals, cells = argument.rpartition("=")
    cage = {"cells": on.cells(cells), "value": int(total) if equals else 0}
    return {"type": 301}, "cages", [cage]


def _write_arrow(argument: str, on: _Numbers) -> Entry:
    circle, shaft = (on.cells(part) for part in argument.split("="))
    # A shaft begins in the cell of the circle that is nearest.
    places = {cell: divmod(cell, on.size) for cell in (*circle, shaft[0])}
    bulb = min(circle, key=lambda cell: dist(places[cell], places[shaft[0]]))
    entry = {"bulbCells": circle, "arrows": [[bulb, *shaft]]}
    return {"type": 408}, "bulbsWithArrows", [entry]


def _write_quadruple(argument: str, on: _Numbers) -> Entry:
    digits, _, cell = argument.partition("=")
    clue = {"corner": on.corner(cell), "digits": list(map(int, digits.split("/")))}
    return {"type": 303}, "clues", [clue]


def _write_little_killer(argument: str, on: _Numbers) -> Entry:
    start, _, total = argument.partition("=")
    name, _, way = start.partition(".")
    (row, column), (down, right) = divmod(on.cell(name), on.size), DIAGONAL_STEPS[way]
    place = on.outside(row - down, column - right)
    clue = {"value": int(total), "outerCell": place, "diagonal": -down * right}
    return {"type": 500}, "clues", [clue]


def _write_outside(kind: int) -> _Writer:
    def write(argument: str, on: _Numbers) -> Entry:
        line, _, value = argument.partition("=")
        return {"type": kind}, "clues", [{"value": int(value), "outerCell": on.line(line)}]

    return write


def _write_dots(kinds: Mapping[str, tuple[int, int]]) -> _Writer:
    """Return a writer of dots or letters with a word for each kind and value."""

    def write(argument: str, on: _Numbers) -> Entry:
        word, _, cells = argument.partition("=")
        kind, value = kinds[word]
        line = on.cells(cells)
        edges = map(on.edge, zip(line[::2], line[1::2], strict=True))
        return {"type": kind}, "clues", [{"value": value, "edge": edge} for edge in edges]

    return write


def _write_values(kind: int) -> _Writer:
    def write(argument: str, on: _Numbers) -> Entry:
        value, _, cells = argument.partition("=")
        edges = map(on.edge, pairwise(on.cells(cells)))
        return {"type": kind}, "clues", [{"value": int(value), "edge": edge} for edge in edges]

    return write


def _write_negative(kind: int) -> _Writer:
    # The dots of the puzzle show which edges are exempt.
    return lambda argument, on: ({"type": kind}, "negative", [int(argument.partition("/")[0])])


_ENTROPY_LINES = 406
_LETTERS = {"x": (_XV, 10), "v": (_XV, 5)}
_COLOURS = {"white": (_DIFFERENCE, 1), "black": (_RATIO, 2)}

_WRITERS: dict[str, _Writer] = {
    **{rule: _write_line(kind, "cells") for kind, rule in _MARKED.items()},
    "thermo": _write_line(300, "thermometers", slow=False),
    "slow-thermo": _write_line(300, "thermometers", slow=True),
    "killer": _write_cage,
    "quadruple": _write_quadruple,
    "extra-region": lambda argument, on: ({"type": 305, "cells": on.cells(argument)}, "", []),
    "renban": _write_line(400),
    "whispers": _write_whispers,
    "palindrome": _write_line(402),
    "sequence": _write_line(405),
    "between": _write_line(403),
    "region-sum": _write_region_sum,
    "entropic": _write_entropic,
    "modular": _write_of_number(_ENTROPY_LINES, "3"),
    "lockout": _write_of_number(407, "4"),
    "arrow": _write_arrow,
    "double-arrow": _write_line(409),
    "little-killer": _write_little_killer,
    "sandwich": _write_outside(501),
    "x-sum": _write_outside(502),
    "skyscraper": _write_outside(503),
    "numbered-room": _write_outside(504),
    "kropki": _write_dots(_COLOURS),
    "xv": _write_dots(_LETTERS),
    "difference": _write_values(_DIFFERENCE),
    "ratio": _write_values(_RATIO),
    "pair-sum": _write_values(_XV),
    "no-difference": _write_negative(_DIFFERENCE),
    "no-ratio": _write_negative(_RATIO),
    "no-sum": _write_negative(_XV),
}
"""The writer of each rule; rules about the whole board are in `_WHOLE`."""

_OF_PARTS = ("kropki", "xv")
_SPREAD = {"diagonals": (10, 11)}
_GLOBAL = {"global-entropy": "entropy", "global-modular": "modular"}


def can_hold(rule: Rule) -> bool:
    """Whether SudokuMaker has an element for a rule."""
    whole = {name for name, _ in _WHOLE.values()}
    return rule.name in {*whole, *_WRITERS, *_SPREAD, *_GLOBAL, "regions", Windoku.name}


def _entries_of(rule: Rule, on: _Numbers) -> Iterator[Entry]:
    """Yield the elements for a rule."""
    name, argument = rule.name, rule.argument(on.geometry)
    usual = [kind for kind, text in _WHOLE.items() if text == (name, argument)]
    for kind in _SPREAD.get(name, usual):
        yield {"type": kind}, "", []
    if isinstance(rule, Windoku):
        for unit in rule.units(on.geometry):
            yield {"type": 305, "cells": list(unit.cells)}, "", []
    if name in _GLOBAL:
        yield {"type": 16, "groups": _masks(on, _GLOBAL[name])}, "", []
    if name in _WRITERS:
        for part in argument.split("/") if name in _OF_PARTS else [argument]:
            head, key, entries = _WRITERS[name](part, on)
            # Marked cells are a list of numbers, while lines are a list of such lists.
            yield head, key, entries[0] if key == "cells" else entries


def write_sudokumaker(puzzle: Puzzle) -> dict[str, Any]:
    """Return the puzzle as SudokuMaker has it; a SatdokuError for rules that it cannot hold.

    The object is read again as a check, and refused unless it is the same puzzle.
    """
    geometry = puzzle.geometry
    elements: list[dict[str, Any]] = [{"type": 0}]
    region_of = puzzle.regions.region_of if puzzle.regions else ()
    if Boxes() in puzzle.rules:
        region_of = tuple(map(geometry.box_of, range(geometry.cell_count)))
    if region_of:
        elements.append({"type": _REGIONS, "regions": list(region_of)})
    known: dict[str, dict[str, Any]] = {}
    for head, key, entries in chain.from_iterable(
        _entries_of(rule, _Numbers(geometry)) for rule in puzzle.further_rules
    ):
        # Elements of the same kind are merged into one element with all entries.
        name = json.dumps(head) if key else str(len(known))
        known.setdefault(name, head).setdefault(key, []).extend(entries)
    for each in known.values():
        each.pop("", None)
        # The element of an edge clue also states what holds at edges without a clue.
        is_of_edges = each["type"] in (_DIFFERENCE, _RATIO, _XV)
        elements.append({"clues": [], "negative": [], **each} if is_of_edges else each)
    written: dict[str, Any] = {
        "name": puzzle.name,
        "author": puzzle.author or puzzle.comment,
        "comment": puzzle.rules_text,
        "cells": [{"given": True, "value": d} if d else {} for d in puzzle.grid.digits],
        "constraints": elements,
    }
    if geometry != Geometry():
        written |= {"type": "sudoku", "size": geometry.size}
    found = {"formatVersion": "1.5.0", "puzzle": written}
    _require_same(found, puzzle)
    return found


def sudokumaker_text(puzzle: Puzzle) -> str:
    """Return the puzzle as JSON of SudokuMaker, compressed as in its links."""
    return pack(json.dumps(write_sudokumaker(puzzle), ensure_ascii=False, separators=(",", ":")))


def _require_same(found: Mapping[str, Any], puzzle: Puzzle) -> None:
    try:
        again = read_sudokumaker(found).puzzle()
        meant = [_meaning(constraints_of(each.geometry, each.rules)) for each in (again, puzzle)]
        is_same = again.grid.digits == puzzle.grid.digits and meant[0] == meant[1]
    except RuleError:
        is_same = False
    if not is_same:
        rules = ", ".join(dict.fromkeys(rule.name for rule in puzzle.further_rules))
        raise SatdokuError(f"SudokuMaker cannot hold these rules as they are used here: {rules}")


def _meaning(constraints: Constraints) -> list[object]:
    """Return the constraints without order and words, to compare them; a unit is a set of cells."""
    units = frozenset(frozenset(unit.cells) for unit in constraints.units)
    pairs: dict[tuple[int, int], Masks] = {}
    for pair in constraints.pairs:
        for first, second, masks in pair.both_ways():
            pairs[first, second] = tuple(map(or_, pairs.get((first, second), masks), masks))
    allowed: dict[int, int] = {}
    for each in constraints.allowed:
        allowed[each.cell] = allowed.get(each.cell, each.digits) & each.digits
    return [units, pairs, allowed, {each._replace(sentence="") for each in constraints.wider}]
