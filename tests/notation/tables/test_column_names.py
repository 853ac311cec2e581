"""Headers of tables are told from rows, and boards from names."""

import pytest

from satdoku.notation.tables.column_names import (
    has_column_names,
    has_puzzle_name,
    is_board,
    is_header,
)
from satdoku.notation.tables.fields import Field, split_fields
from tests.notation.samples import LINE


def fields_of(line: str) -> list[Field]:
    return split_fields(line, ",")


@pytest.mark.parametrize(
    ("line", "may_be_names"),
    [
        ("puzzle", True),
        (" Puzzle ", True),
        ("quizzes,solutions", True),
        ("id,puzzle", True),
        ("id,a,board,b", True),
        ("number,content", True),
        ("a,b", True),
        ("a,b,c", True),
        ("a,b,c,d", False),
        ("a,b,c,def", True),
        ("1,2", False),
        ("1,2,3", False),
        ("difficulty", False),
        ("5,3,,,7,,,,", False),
        (f"id,{LINE}", False),
        (f"name,{LINE[:9]}", False),
        (f"name,{LINE[:8]}", True),
        ("name,8 . . 4 .", False),
        ("name," + "a" * 40, True),
        ("name," + "a" * 41, False),
        (f"name,{LINE[:80]}q", False),
    ],
)
def test_a_header_has_words_and_no_boards(line: str, may_be_names: bool) -> None:
    assert has_column_names(fields_of(line)) == may_be_names


@pytest.mark.parametrize(
    ("line", "is_first_header"),
    [
        ("id,puzzle", True),
        ("a", True),
        ("1,2", False),
        ("1,b", True),
        (f"id,{LINE}", False),
        (f"id,{LINE[:80]}", False),
        (f"id,{'ABCD' * 4}", False),
        ("id,sudoku_explainer", True),
        (f"id,{LINE[:8]}", True),
    ],
)
def test_the_first_line_of_a_table_is_its_header_if_it_has_letters_and_no_cells(
    line: str, is_first_header: bool
) -> None:
    assert is_header(fields_of(line)) == is_first_header


def test_names_of_puzzles_are_found_in_any_case() -> None:
    assert has_puzzle_name(fields_of("id, Sudoku ,x"))
    assert not has_puzzle_name(fields_of("id,my sudoku,x"))


@pytest.mark.parametrize(
    ("text", "size", "holds_board"),
    [
        (LINE, None, True),
        (LINE, 9, True),
        (LINE, 4, False),
        (" ".join(LINE), None, True),
        (LINE[:80], None, False),
        ("sudoku_explainer", None, False),
        ("ABCDEFGHIJKLMNOP", None, True),
        ("abc" + "." * 253, None, True),
        ("easy", None, False),
        ("", None, False),
    ],
)
def test_a_board_has_the_cells_of_one_and_is_no_name(
    text: str, size: int | None, holds_board: bool
) -> None:
    assert is_board(text, size) == holds_board
