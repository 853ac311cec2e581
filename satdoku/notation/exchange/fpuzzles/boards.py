"""Boards of f-puzzles: JSON with a grid of objects, and a list of entries for each kind of rule.

    {"size": 9, "title": "...", "grid": [[{"value": 5, "given": true}, {}, ...], ...],
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "9"}], "antiknight": true}

A key without a rule of ours is refused by name: without it the board would be another puzzle. Only
keys that are drawings in f-puzzles too are left out, and reported.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from satdoku.errors import RuleError, SatdokuError, count_of, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of, placed
from satdoku.notation.exchange.fpuzzles.entries import (
    KEYS,
    RULES,
    entries_of,
    is_empty,
    read_dots,
    write_dots,
)
from satdoku.notation.exchange.fpuzzles.table import (
    DRAWN,
    FLAGS,
    LISTED,
    SILENT,
    SILENT_IN_CELLS,
    Listed,
)
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.further_units import Windoku
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.single_cells import Candidates

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
    foreign.name = _text(board, "title")
    foreign.comment = _text(board, "author")
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
    if empty:
        foreign.drawn.append(f"empty entries ({', '.join(empty)})")
    drawn = [count_of(len(board[key]), key) for key in DRAWN if board.get(key)]
    if drawn:
        foreign.drawn.append(f"drawings ({', '.join(drawn)})")
        if _text(board, "ruleset"):
            foreign.drawn.append("rules in words")
    return foreign


def _flags(board: Board) -> Iterator[tuple[str, str, str]]:
    """Yield the keys that are true, each with the name of our rule and its argument."""
    # Both diagonals are one rule here, which other formats know as well.
    has_both = all(board.get(key) for key in _BOTH_DIAGONALS)
    if has_both:
        yield _BOTH_DIAGONALS[0], "diagonals", ""
    for key, (rule, argument) in FLAGS.items():
        if board.get(key) and not (has_both and key in _BOTH_DIAGONALS):
            yield key, rule, argument


def _text(board: Board, key: str) -> str:
    return str(board.get(key) or "")


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
    # Links also store digits that a solver has entered; they are not part of the puzzle.
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
# The rules that `table.py` names, and what f-puzzles says in the cells of its grid, or by several
# entries. Whether a rule can be held as it is used here is seen when it is written.
_HELD = {*_LISTED_OF, *RULES, "diagonal", "diagonals", "windoku", "regions", "candidates"} | {
    rule for rule, _ in FLAGS.values()
}


def can_hold(rule: Rule) -> bool:
    """Whether f-puzzles can hold a rule."""
    return rule.name in _HELD


def fpuzzles_text(puzzle: Puzzle) -> str:
    """Return the JSON of f-puzzles for a puzzle, on one line."""
    # Without blanks, which would make links longer.
    return json.dumps(write_fpuzzles(puzzle), ensure_ascii=False, separators=(",", ":"))


def packed_text(puzzle: Puzzle) -> str:
    """Return `fpuzzles_text`, packed as in links."""
    return pack(fpuzzles_text(puzzle))


def write_fpuzzles(puzzle: Puzzle) -> dict[str, Any]:
    """Return the board as f-puzzles has it; a SatdokuError for a rule that it cannot hold."""
    size = puzzle.geometry.size
    board: dict[str, Any] = {"size": size}
    board |= {
        key: text for key, text in (("title", puzzle.name), ("author", puzzle.comment)) if text
    }
    board["grid"] = _write_cells(puzzle)
    for rule in puzzle.further_rules:
        for name, argument in _as_listed(rule, puzzle.geometry):
            _write_rule(board, name, argument, size)
    # Written together: what holds at edges without a dot depends on every rule of dots.
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
        board.setdefault(listed.key, []).extend(listed.shape.entries(argument, size))
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
