"""Rows of runs, of fields and of spaces are boards where they fit in one way only."""

import json

from satdoku.notation.pastes.readings import (
    flat_board,
    is_solution_of,
    read_runs,
    read_spaces,
    read_table,
)
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

FOUR = "1.....2..3.....4"
FLAT = json.dumps([int(cell) if cell != "." else None for cell in FOUR])
BOARD = flat_board(LINE)
SPACES = [row.replace(".", " ") for row in ROWS]


def test_runs_of_one_length_are_cells() -> None:
    assert read_runs(ROWS) == BOARD
    assert read_runs([" ".join(LINE)]) == BOARD
    assert read_runs([LINE[:60], LINE[60:]]) == BOARD
    assert read_runs(["int b[9] = {", *(",".join(row.replace(".", "0")) for row in ROWS)]) == [
        BOARD[0].replace("null", "0")
    ]
    assert read_runs([LINE[:50], LINE[50:], "7"]) == []


def test_rows_of_unequal_length_are_not_evened_out() -> None:
    assert read_runs([ROWS[0][1:], ROWS[1] + "5", *ROWS[2:]]) == []
    assert read_runs([" ".join(ROWS[0][1:]), " ".join(ROWS[1] + "5"), *ROWS[2:]]) == []


def test_givens_with_their_cells_are_no_cells() -> None:
    """27 of them have 81 digits, and no blank among them."""
    assert read_runs([" ".join(["139"] * 27)]) == []


def test_a_solution_beside_a_board_is_none_of_it() -> None:
    full = "123456789" * 9
    puzzle = "." * 40 + full[40:]
    beside = [f"{puzzle[n : n + 9]}   {full[n : n + 9]}" for n in range(0, 81, 9)]
    assert read_runs(beside) == flat_board(puzzle)
    assert is_solution_of(full, puzzle)
    assert not is_solution_of("2" + full[1:], "1" + puzzle[1:])


def test_empty_fields_are_empty_cells() -> None:
    rows = ["|1| | | |", "| | |2| |", "| |3| | |", "| | | |4|"]
    assert read_table(rows) == [FLAT]
    assert read_table(["|4|3|2|1|", "|-|-|-|-|", *rows]) == []
    assert read_table([row.strip("|").replace("|", ";") for row in rows]) == [FLAT]


def test_empty_columns_and_lines_between_boxes_are_left_out() -> None:
    rows = ["1,,,,", ",,,2,", ",,,,", ",3,,,", ",,,,4"]
    assert read_table(rows) == [FLAT]


def test_a_gap_that_may_stand_elsewhere_is_not_guessed() -> None:
    """The first and the last column are empty, and one of them is too many."""
    rows = [",1,,,", ",,,2,", ",,3,,", ",4,,,"]
    assert read_table(rows) == []


def test_fields_that_got_lost_at_the_ends_of_lines_are_empty() -> None:
    rows = ["\t".join(row).replace(".", "").rstrip("\t") for row in ROWS]
    assert read_table(rows) == BOARD


@for_each(
    "rows",
    [
        SPACES,
        [row.rstrip() for row in SPACES],
        [" ".join(row) for row in SPACES],
        [f"{row[:3]} {row[3:6]} {row[6:]}" for row in SPACES],
        [" | ".join([" ".join(row[n : n + 3]) for n in (0, 3, 6)]) for row in SPACES],
        [LINE.replace(".", " ")],
    ],
)
def test_spaces_are_blanks(rows: list[str]) -> None:
    assert read_spaces(rows) == BOARD


def test_blanks_that_got_lost_are_not_put_back() -> None:
    """As a PDF is pasted: whether a space parts two digits, or is a cell, nobody can say."""
    lost = [" ".join(row.replace(".", "")) for row in ROWS]
    assert read_spaces(lost) == []
    assert read_spaces([" ".join("123456789" * 4 + "12345")]) == []
    assert read_spaces([row.lstrip() for row in SPACES]) == []
    assert read_spaces([SPACES[0][1:], *SPACES[1:]]) == []
