"""Givens with their cells make a board where it is certain how cells are counted."""

import json

import pytest

from satdoku.errors import RuleError
from satdoku.notation.pastes.clues import read_clues, read_json
from satdoku.notation.pastes.tables import flat_board
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

GIVENS = [
    (row, column, cell)
    for row, cells in enumerate(ROWS, 1)
    for column, cell in enumerate(cells, 1)
    if cell != "."
]
LIST = [f"r{row}c{column}={cell}" for row, column, cell in GIVENS]


def test_a_list_of_givens_is_a_board() -> None:
    assert read_clues(LIST) == flat_board(LINE)
    assert read_clues([", ".join(LIST)]) == flat_board(LINE)
    from_0 = [f"[{row - 1}, {column - 1}, {cell}]" for row, column, cell in GIVENS]
    assert read_clues(["[", *from_0, "]"]) == flat_board(LINE)


@for_each(
    "lines",
    [
        [],
        LIST[:5],
        [*LIST, "and 4 more"],
        [f"r{n}c{n}={n}" for n in range(1, 7)] + ["r1c2=3", "r2c1=5"],
        [f"({n},{n})=7" for n in range(1, 9)],
    ],
)
def test_what_may_be_something_else_is_no_list_of_givens(lines: list[str]) -> None:
    assert read_clues(lines) == []


def test_a_cell_that_is_named_twice_is_a_fault() -> None:
    with pytest.raises(RuleError, match=r"the cell 1,1 2 times"):
        read_clues([*LIST, LIST[0]])


def test_a_board_is_found_anywhere_in_json() -> None:
    numbers = [[int(cell) for cell in row.replace(".", "0")] for row in ROWS]
    solution = [[digit or 1 for digit in row] for row in numbers]
    value = {"new": [{"value": numbers, "solution": solution, "level": 4}]}
    assert read_json([json.dumps(value)]) == flat_board(LINE)
    assert read_json([json.dumps({"a": {"puzzle": LINE, "state": LINE[::-1]}})]) == flat_board(LINE)
    assert read_json([json.dumps({"a": LINE, "b": LINE[::-1]})]) == []
    with pytest.raises(RuleError, match="has 'cages' beside its board"):
        read_json([json.dumps({"a": LINE, "cages": [[1, 2]]})])
