"""Givens with their cells make a board where it is certain how cells are counted."""

import json

import pytest

from satdoku.errors import RuleError
from satdoku.notation.pastes.readings import flat_board, read_clues, read_json
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


def _of_row(row: int) -> str:
    return ", ".join(f"C{column}={cell}" for at, column, cell in GIVENS if at == row)


@for_each(
    "text",
    [
        " ".join(f"{'ABCDEFGHI'[row - 1]}{column}{cell}" for row, column, cell in GIVENS),
        ", ".join(f"{cell}{'ABCDEFGHI'[row - 1]}{column}" for row, column, cell in GIVENS),
        "\n".join(f"R{row}: {_of_row(row)}" for row in range(1, 10)),
        "\n".join(f"c{column}r{row} = {cell}" for row, column, cell in GIVENS),
        "\n".join(f"(assert (= x{row}{column} {cell}))" for row, column, cell in GIVENS),
        ", ".join(f"{cell} at row {row}, column {column}" for row, column, cell in GIVENS),
        ", ".join(f"{cell} in column {column}, row {row}" for row, column, cell in GIVENS),
        "\n".join(f"row {row} has {cell} in column {column}" for row, column, cell in GIVENS),
        "\n".join(f"column {column} has {cell} in row {row}" for row, column, cell in GIVENS),
        "row,col,value\n" + "\n".join(f"{row - 1},{col - 1},{cell}" for row, col, cell in GIVENS),
        json.dumps([{"x": col - 1, "y": row - 1, "value": int(d)} for row, col, d in GIVENS]),
        "param given :=\n" + "\n".join(f"{row} {col} {cell}" for row, col, cell in GIVENS) + ";",
    ],
)
def test_givens_are_told_by_what_stands_between_their_numbers(text: str) -> None:
    assert read_clues(text.split("\n")) == flat_board(LINE)


@for_each(
    "lines",
    [
        [],
        # A number that is lost: of a row, a column, a digit, and all of a given.
        ["c1=8", *LIST[1:]],
        [*LIST[:4], "r3=1", *LIST[5:]],
        [*LIST[:4], "r3c2", *LIST[5:]],
        [*LIST[:4], "rc=", *LIST[5:]],
        # Of rows that lead their cells, one stands twice.
        [f"R1: {_of_row(row)}" for row in range(1, 10)],
        # A full grid in threes.
        ["534 678 912", "672 195 348", "198 342 567", "859 761 423", "426 853 791"],
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
