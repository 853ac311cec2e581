"""Other programs' puzzles are known where they stand: alone, in tables, in JSON, among words."""

import json

import pytest

import satdoku
from satdoku.notation.exchange.seen import is_foreign, is_link, read_cited_links
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from tests.each import for_each
from tests.notation.exchange.boards import GRID, KNIGHT, empty_board, fpuzzles_board, link_of
from tests.notation.exchange.boards import KNIGHT_LINK as LINK
from tests.notation.samples import LINE, ROWS, SAMPLES


@for_each(
    "text",
    [
        "https://f-puzzles.com/?load=N4Ig",
        "http://www.sudokuwiki.org/sudoku.htm?bd=1",
        "www.sudokuwiki.org/sudoku.htm?bd=1",
        "f-puzzles.com/?load=N4Ig",
        " sudokupad.app/abc",
        "<https://sudokupad.app/abc>",
        "app.crackingthecryptic.com/sudoku/abc",
        link_of(empty_board()).partition("load=")[2],
        "fpuzzles" + link_of(empty_board()).partition("load=")[2],
    ],
)
def test_links_and_what_they_hold_are_links(text: str) -> None:
    assert is_link(text)


@for_each("text", [*SAMPLES.values(), "", "N4Ig", "hello://", "see sudokupad.app"])
def test_no_other_text_is_a_link(text: str) -> None:
    assert not is_link(text)


def test_boards_with_objects_for_cells_are_foreign() -> None:
    assert is_foreign(empty_board())
    assert is_foreign({"cells": [[{}]]})
    assert not any(map(is_foreign, ({"puzzle": LINE}, {"grid": [[1]]}, {"cells": [[]]}, [], None)))


@pytest.mark.parametrize(
    "lines",
    [
        [f"Can you solve this? {LINK}"],
        ["Hi,", f"mine is here: <{LINK}>.", "Bob"],
        [f"[mine]({LINK})"],
        [LINK, "", "Thanks for any help with it!"],
    ],
)
def test_links_are_found_among_words(lines: list[str]) -> None:
    assert [p.rules for p in read_puzzles(lines)] == [KNIGHT.rules]


def test_a_link_that_is_cited_above_a_board_does_not_hide_it() -> None:
    assert [p.grid for p in read_puzzles(["https://a.b/sudoku/17", "", *ROWS])] == [GRID]


def test_links_that_hold_the_same_are_one_puzzle() -> None:
    puzzles, unread = read_cited_links([LINK, LINK, "https://a.b/c"], "")
    assert (len(puzzles), unread) == (1, "")


def test_what_links_only_draw_is_told_wherever_they_stand() -> None:
    link = link_of(fpuzzles_board(line=[{}]))
    board = {"grid": fpuzzles_board()["grid"], "line": [{}]}
    for lines in ([link], ["Mine is", f"<{link}>, have fun!"], [json.dumps({"puzzle": link})],
                  [f"id,puzzle\n1,{link}"], [json.dumps(board)]):  # fmt: skip
        reader = PuzzleReader("\n".join(lines).split("\n"))
        (record,) = reader
        assert "drawings (1 line) in this puzzle of f-puzzles" in reader.parser.format.unread(
            record, Hints()
        )


def test_programs_are_warned_of_what_is_not_read() -> None:
    with pytest.warns(UserWarning, match="does not read drawings .*"):
        satdoku.parse(link_of(fpuzzles_board(line=[{}])))


@pytest.mark.parametrize(
    "lines",
    [
        ["puzzle,name", f"{LINK},Tea"],
        [json.dumps({"puzzle": LINK, "name": "Tea"})],
    ],
)
def test_links_stand_in_fields(lines: list[str]) -> None:
    (puzzle,) = read_puzzles(lines)
    assert (puzzle.rules, puzzle.grid, puzzle.name) == (KNIGHT.rules, GRID, "Tea")


def test_a_link_in_a_chosen_column_is_read() -> None:
    lines = ["id;where;name", f"7;{LINK};Tea"]
    (puzzle,) = read_puzzles(lines, hints=Hints(column="where"))
    assert (puzzle.rules, puzzle.name) == (KNIGHT.rules, "Tea")
