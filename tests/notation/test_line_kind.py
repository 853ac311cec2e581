"""Lines are told apart by themselves, and sentences from cells and names of columns."""

from satdoku.notation.line_kind import (
    LineKind,
    is_border,
    is_data,
    is_remark,
    is_sentence,
    is_title,
    kind_of,
    plain,
)
from tests.each import for_each

KINDS = {
    LineKind.EMPTY: ["", " ", "\t ", "\u00a0"],
    LineKind.TITLE: [
        *("Grid 01", "grid 1", "Puzzle 3:", "--- Board 2 ---", "Level: hard", "Solution"),
        *("My first sudoku", "9x9 (3x3) SUDOKU PUZZLE", "Difficulty: 0.65", "# a puzzle", "Author"),
    ],
    LineKind.COMMENT: ["# note", "  #", "#ARuud"],
    LineKind.DASHES: ["-", "---", "- - | - -", "--|--", "|-|"],
    LineKind.BORDER: [
        *("+---+", "---+---", "===", "+=+", ":---:---:", "*--*", ".---.", "'---'", "`--'"),
        *("┌──┬──┐", "╔═╗", "├─┼─┤", "-+", "+-", "=+"),
    ],
    LineKind.CELLS: [
        *("53..7....", "5 3 | . .", "....", "|....|", "+", "*", "* *", "=", "hello", "[State]"),
        *("gridlock 1", "puzzled", "-1-", "5-3-", "| | |", "::", ". . .", "│ │ │", "12345", "_"),
    ],
}


@for_each("line, kind", [(line, kind) for kind, lines in KINDS.items() for line in lines])
def test_a_line_is_what_it_looks_like(line: str, kind: LineKind) -> None:
    assert kind_of(plain(line)) is kind


def test_cells_in_front_are_no_title() -> None:
    assert is_title("1..4.3.1.1.32.1 my puzzle")
    assert not is_title("1..4.3.1.1.32.1. my puzzle")
    assert not is_title("123456789 1234567")


def test_dashes_alone_look_like_a_border_if_two_stand_together() -> None:
    assert is_border("--")
    assert is_border("-------|-------")
    assert not is_border("- - -")
    assert not is_border("")


def test_data_is_neither_nothing_nor_a_comment() -> None:
    assert all(map(is_data, ["1", " 1 # c", "Grid 01", "---"]))
    assert not any(map(is_data, ["", "  ", "#", "  # c", "#1"]))


def test_box_drawing_becomes_plain_place_by_place() -> None:
    assert plain("┌─┬─┐│5┃3║╎") == "+-+-+|5|3||"
    assert plain("╔═╦═╗ ━╌╍┄┅┈┉ \u2010\u2013\u2014 ¦╏╆┆┇┊┋") == "+-+-+ ------- --- ||+||||"
    assert plain("5·\u00a03") == "5. 3"
    assert plain("5 3 é") == "5 3 é"


def test_sentences_have_words_and_no_cells() -> None:
    assert is_sentence("Who can help me")
    assert is_sentence("Thanks!")
    assert not is_sentence("ABCD.EFG")
    assert not is_sentence("board = [[8, None, None]]")
    assert not is_sentence("53..7.... by my aunt")


def test_a_remark_ends_with_a_mark() -> None:
    assert is_remark("here is mine:")
    assert not is_remark("here is mine")
