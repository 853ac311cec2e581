"""Cells that are listed by boxes or by columns come to their places."""

import json

import pytest

from satdoku.errors import FormatError
from satdoku.notation.reading import read_puzzles
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

BOXES = ["".join(ROWS[b // 3 * 3 + k // 3][b % 3 * 3 + k % 3] for k in range(9)) for b in range(9)]
COLUMNS = [LINE[n::9] for n in range(9)]


def numbers(cells: str) -> list[int]:
    return [0 if cell == "." else int(cell) for cell in cells]


def _cells(tag: str, cells: str) -> str:
    return "".join(f"<{tag}>{cell.strip('.')}</{tag}>" for cell in cells)


def _table(rows: list[str]) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _parts(box: str) -> list[str]:
    return [box[start : start + 3] for start in (0, 3, 6)]


_TABLES = [_table([_cells("td", part) for part in _parts(box)]) for box in BOXES]
_COLUMN_MAJOR = ", ".join("NA" if c == "." else c for c in "".join(COLUMNS))
_ROW_MAJOR = ", ".join("NA" if c == "." else c for c in LINE)
TEXTS = {
    "nested tables": _table(
        ["".join(f"<td>{t}</td>" for t in _TABLES[at : at + 3]) for at in (0, 3, 6)]
    ),
    "a table for each box": "".join(_TABLES),
    "divs": "".join(f"<div class='box'>{_cells('div', box)}</div>" for box in BOXES),
    "divs of rows": "".join(
        "<div class='sub-grid'>"
        + "".join(f"<div>{_cells('span', part)}</div>" for part in _parts(box))
        + "</div>"
        for box in BOXES
    ),
    "rows of cells called box": "".join(
        "<div>" + _cells("div", row).replace("<div>", "<div class='box'>") + "</div>"
        for row in ROWS
    ),
    "boxes": json.dumps({"boxes": [numbers(box) for box in BOXES]}),
    "strings of blocks": json.dumps({"name": "x", "blocks": BOXES}),
    "boxes of rows": json.dumps({"boxes": [[numbers(p) for p in _parts(b)] for b in BOXES]}),
    "boxes of cells": json.dumps({"boxes": [{"id": 1, "cells": numbers(box)} for box in BOXES]}),
    "numbered boxes": json.dumps({f"box{n}": numbers(box) for n, box in enumerate(BOXES, 1)}),
    "columns": json.dumps({"columns": [numbers(column) for column in COLUMNS]}),
    "boxes in Python": f"boxes = {[numbers(box) for box in BOXES]}",
    "lines of boxes": "\n".join(f"Box {n}: {' '.join(box)}" for n, box in enumerate(BOXES, 1)),
    "lines of columns": "\n".join(f"Column {n}: {c}" for n, c in enumerate(COLUMNS, 1)),
    "a matrix in R": f"m <- matrix(c({_COLUMN_MAJOR}), nrow = 9)",
    "an array of numpy": f"array({[numbers(row) for row in ROWS]})",
    "a matrix in R by rows": f"matrix(c({_ROW_MAJOR}), nrow = 9, byrow = TRUE)",
}


@for_each("name", TEXTS)
def test_each_cell_comes_to_its_place(name: str) -> None:
    assert [puzzle.grid.line for puzzle in read_puzzles(TEXTS[name].split("\n"))] == [LINE]


def test_a_small_board_of_boxes_is_read_too() -> None:
    text = '{"boxes": [[1, 0, 3, 4], [3, 4, 1, 0], [2, 0, 4, 3], [0, 3, 2, 1]]}'
    assert [puzzle.grid.line for puzzle in read_puzzles([text])] == ["1.34341.2..34321"]


def test_lines_of_three_cells_may_be_boxes_or_rows() -> None:
    text = "\n\n".join("\n".join(" ".join(part) for part in _parts(box)) for box in BOXES)
    with pytest.raises(FormatError):
        list(read_puzzles(text.split("\n")))
