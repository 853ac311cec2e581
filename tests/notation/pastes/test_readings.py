"""Each way of reading takes what is meant for it; a text without a board gets its likely fault."""

import json

import pytest

from satdoku.errors import FormatError
from satdoku.notation.pastes.readings import (
    READINGS,
    WHOLE_READINGS,
    names_rules,
    read_candidates,
    read_cell_lines,
    read_code,
    read_wiki,
    read_words,
)
from satdoku.notation.reading import read_puzzles
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

FOUR = "1.....2..3.....4"
FLAT = json.dumps([int(cell) if cell != "." else None for cell in FOUR])
ZEROS = FLAT.replace("null", "0")


ALL_READINGS = READINGS | WHOLE_READINGS


@for_each("name", ALL_READINGS)
@for_each("text", ["", "hello", "1", "{", "[]", "|", "{|", "\n\n", "[" * 5000])
def test_what_holds_no_board_gives_none(name: str, text: str) -> None:
    assert ALL_READINGS[name](text.split("\n")) == []


def test_words_are_as_long_as_a_board_and_stand_alone() -> None:
    assert read_words([f"?bd={LINE}&x"]) == [LINE]
    assert read_words([LINE + "1"]) == []
    assert read_words([f":x:{'+9' + LINE[1:]}:"]) == ["." + LINE[1:]]


def test_a_list_in_a_program_is_a_board() -> None:
    rows = [FOUR[start : start + 4] for start in range(0, 16, 4)]
    assert read_code([f"int b[4][4] = {ZEROS};"]) == [ZEROS]
    assert read_code([f'"{row}",' for row in rows]) == ["\n".join(rows)]
    assert read_code([FLAT.replace("null", "None")]) == [FLAT]
    assert read_code(["[1, 2, 3]"]) == []


def test_cells_stand_on_lines() -> None:
    assert read_cell_lines(list(FOUR)) == [FLAT]
    assert read_cell_lines(list(FOUR[1:])) == []
    assert read_cell_lines([*FOUR[1:], "9"]) == []


def test_wiki_tables_have_rows_or_cells_on_lines() -> None:
    rows = ["|-", "| 1 || || ||", "|-", "| || || 2 ||"]
    rows += ["|-", "| || 3 || ||", "|-", "|", "|", "|", '| class="x" | 4']
    assert read_wiki(["{|", *rows, "|}"]) == [FLAT]


def test_pencil_marks_are_sets_of_digits() -> None:
    assert read_candidates(["1 234 12 4"] * 4) == [("1....23412.....4") * 4]
    assert read_candidates(["1 22 3 4"] * 4) == []
    assert read_candidates(["1 2 3 4"] * 4) == []


@for_each(
    "text, has_rules",
    [
        ('{"puzzle": "1...", "rules": ["diagonals"]}', True),
        ("{'candidates' : {'r1c1': [1]}}", True),
        ('{"Regions": "AABB"', True),
        ('{"rules": []}', False),
        ('{"rules": "", "regions": null}', False),
        ("{'rules': None}", False),
        ("puzzle,rules", True),
        ('"rules"\tpuzzle', True),
        ("regions;puzzle", True),
        ("candidates,puzzle", False),
        ("rules", False),
        ("Rules: the usual ones, no more", False),
    ],
)
def test_rules_beside_a_board_are_noticed(text: str, has_rules: bool) -> None:
    assert names_rules(["a line", text]) == has_rules


def test_words_leave_no_line_of_cells_aside() -> None:
    board = "." * 80 + "1"
    assert read_words([f"?bd={board}", "and more"]) == [board]
    assert read_words([f"?bd={board}", "1.....2..3.....4"]) == []


LABELLED = [f"Row {n}: {row}" for n, row in enumerate(ROWS, 1)]


@for_each(
    "lines, message",
    [
        ([" ".join(row.replace(".", "")) for row in ROWS], "nothing that shows which cells are em"),
        (
            [row.replace(".", "O").replace("1", "l") for row in ROWS],
            "'O' for 0; correct",
        ),
        ([*LABELLED[:3], LABELLED[3][:-1], *LABELLED[4:]], "8 cells found in row 4, expected 9"),
        (LABELLED[:8], "8 rows found, expected 9 for 9x9"),
        ([f"here it is: {LINE[:-1]}"], "80 cells found, expected 81 for 9x9"),
        ([LINE[:60], LINE[60:] + "5"], "82 cells found, expected 81 for 9x9"),
    ],
)
@for_each("format_name", [None, "paste"])
def test_the_likely_board_is_spoken_of(
    lines: list[str], message: str, format_name: str | None
) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_puzzles(lines, "f", format_name))
