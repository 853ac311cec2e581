"""Links in tables, in JSON, among words."""

import json

import pytest

from satdoku.notation.exchange.cited import read_cited_links
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from tests.notation.exchange.boards import GRID, KNIGHT
from tests.notation.exchange.boards import KNIGHT_LINK as LINK
from tests.notation.samples import ROWS


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
    assert len(read_cited_links([LINK, LINK, "https://a.b/c"], "")) == 1


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
