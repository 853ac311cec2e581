"""Boards whose cells are not listed row by row, but box by box or column by column."""

import re
from collections.abc import Sequence
from enum import Enum
from itertools import chain
from operator import itemgetter
from typing import TypeVar

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

T = TypeVar("T")


class Order(Enum):
    """What each line or list of a text holds."""

    ROWS = "rows"
    BOXES = "boxes"
    COLUMNS = "columns"
    UNCLEAR = "rows or boxes, and nothing says which"


_BOX = r"(?:box(?:es)?|blocks?|sub-?grids?|nonets?|regions?3x3|quadrants?)"
_COLUMN = r"(?:columns?|cols?)"
# `{"boxes": [[5, 3`, `boxes = [`, `blocks:` above a list; behind columns there are lists or cells,
# as tables have a list of their names.
_BEFORE_LIST = r"""["']?\s*(?::=|[:=])\s*"""
_BOX_LIST = re.compile(rf"\b{_BOX}{_BEFORE_LIST}(?:[\[{{(]|\n\s*-)", re.IGNORECASE)
_COLUMN_LIST = re.compile(
    rf"\b{_COLUMN}{_BEFORE_LIST}[\[{{(]\s*(?:[\[{{(]|[\"'][0-9._]{{4}})", re.IGNORECASE
)
# `Box 1: 53.6...98` or `"col1": [5, 6, ...]`; a list of givens has a column before each of its rows
# too, and is read before.
_BOX_LABEL = re.compile(rf"\b{_BOX}[\s_-]?#?[0-9]\b[\"']?\s*[:.=)-]", re.IGNORECASE)
_COLUMN_LABEL = re.compile(rf"\b(?:{_COLUMN}|c)[\s_-]?#?[0-9]\b[\"']?\s*[:.=)]", re.IGNORECASE)
_FEWEST_LABELS = 4
# R, Julia and Fortran fill arrays column by column; `a.reshape` in Python goes by rows.
_FILLED = re.compile(r"\b(?:matrix|array)\s*\(\s*c\s*\(|(?<![.\w])reshape\s*\(\s*\(?[\[/]")
_BY_ROW = re.compile(r"\bbyrow\s*=\s*T|(?:np|numpy)\.|\border\s*=", re.IGNORECASE)


def order_of(lines: Sequence[str]) -> Order:
    """Return in which order a text says that it lists cells."""
    text = "\n".join(lines)
    if _BOX_LIST.search(text) or len(_BOX_LABEL.findall(text)) >= _FEWEST_LABELS:
        return Order.BOXES
    if _COLUMN_LIST.search(text) or len(_COLUMN_LABEL.findall(text)) >= _FEWEST_LABELS:
        return Order.COLUMNS
    if _FILLED.search(text) and not _BY_ROW.search(text):
        return Order.COLUMNS
    return Order.UNCLEAR if _are_short(lines) else Order.ROWS


def _are_short(lines: Sequence[str]) -> bool:
    """Whether all lines have three cells: 27 of them are boxes, or rows that were broken."""
    shown = [len(re.findall(r"[0-9._*?-]", line)) for line in lines if line.strip()]
    return len(shown) == 27 and {*shown} == {3}


def in_order(puzzle: Puzzle, order: Order) -> Puzzle:
    """Return a puzzle that was read as if its cells stood in rows with each cell in its place."""
    if order is Order.ROWS:
        return puzzle
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    if order is Order.BOXES:
        digits = tuple(by_boxes(digits, geometry))
    else:
        columns = (digits[column :: geometry.size] for column in range(geometry.size))
        digits = tuple(chain.from_iterable(columns))
    return puzzle.with_grid(Grid(geometry, digits))


def by_boxes(cells: Sequence[T], geometry: Geometry) -> list[T]:
    """Return cells that were listed box by box, row by row."""
    places = chain.from_iterable(map(geometry.box_cells, range(geometry.size)))
    return [cell for _, cell in sorted(zip(places, cells, strict=True), key=itemgetter(0))]
