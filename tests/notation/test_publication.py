"""Author, rules in words and drawings, on their way through formats, messages and pictures."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest

from satdoku.notation.exchange.links import read_link
from satdoku.notation.exchange.lzstring import unpack
from satdoku.notation.formats import format_named
from satdoku.notation.reading import read_puzzles
from satdoku.picture.picture import draft_rules_text, picture_of
from satdoku.puzzle.puzzle import UNPUBLISHED, Publication, Puzzle
from satdoku.serving.messages import bounded, puzzle_entries, read_puzzle
from tests.notation.exchange.boards import fpuzzles_board
from tests.notation.exchange.test_penpa import drawing
from tests.notation.exchange.test_scl import board as scl_board

WORDS = Publication("Ann", "Place digits.\nCages: no digit twice & a sum, of course.")
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
DRAWN = {
    "line": [{"lines": [["R1C1", "R2C2"]], "outlineC": "#888"}],
    "text": [{"cells": ["R9C9"], "value": "A"}],
    "foglight": ["R1C1"],
    "solution": [int(digit) for digit in SOLUTION],
}


def drawn_board() -> dict[str, Any]:
    board = fpuzzles_board(title="Tea", ruleset="Some.", **DRAWN)
    shown = [int(digit) if at % 3 else 0 for at, digit in enumerate(SOLUTION)]
    cells = [{"value": digit, "given": True} if digit else {} for digit in shown]
    board["grid"] = [cells[start : start + 9] for start in range(0, 81, 9)]
    board["grid"][0][2]["c"] = "#ff0000"
    return board


def published(*rules: str) -> Puzzle:
    [puzzle] = read_puzzles([json.dumps(fpuzzles_board())])
    named = Puzzle.from_line(puzzle.grid.line, rules=rules, name="Tea")
    return replace(named, publication=WORDS)


def through_text(name: str) -> Callable[[Puzzle], Puzzle]:
    def go(puzzle: Puzzle) -> Puzzle:
        [found] = read_puzzles(format_named(name).write(puzzle).splitlines())
        return found

    return go


def through_messages(puzzle: Puzzle) -> Puzzle:
    return read_puzzle(json.loads(json.dumps(puzzle_entries(puzzle))))


WAYS: dict[str, Callable[[Puzzle], Puzzle]] = {
    "messages": through_messages,
    **{
        name: through_text(name) for name in ("json", "fpuzzles", "link:fpuzzles", "link:sudokupad")
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_title_author_and_rules_text_come_back(way: str) -> None:
    puzzle = published("killer:9=r1c3,r1c4")
    found = WAYS[way](puzzle)
    assert (found, found.name) == (puzzle, "Tea")
    assert (found.author, found.rules_text) == (WORDS.author, WORDS.rules_text)


def test_they_are_no_part_of_what_a_puzzle_is() -> None:
    puzzle = published("anti-king")
    bare = replace(puzzle, publication=UNPUBLISHED)
    assert puzzle == bare
    assert hash(puzzle) == hash(bare)


@pytest.mark.parametrize("way", WAYS)
def test_drawings_of_f_puzzles_come_back_as_they_were(way: str) -> None:
    board = drawn_board()
    [puzzle] = read_puzzles([json.dumps(board)])
    again = json.loads(format_named("fpuzzles").write(WAYS[way](puzzle)))
    assert again == board


def test_a_solution_that_an_edit_has_spoilt_is_left_out() -> None:
    [puzzle] = read_puzzles([json.dumps(drawn_board())])
    cell = puzzle.grid.digits.index(0)
    wrong = int(SOLUTION[cell]) % 9 + 1
    edited = puzzle.with_grid(puzzle.grid.with_digits({cell: wrong}))
    again = json.loads(format_named("fpuzzles").write(edited))
    assert "solution" not in again
    assert again["line"] == DRAWN["line"]


def scl_puzzle() -> dict[str, Any]:
    value = scl_board(
        cages=[
            {"cells": [[0, 2], [0, 3]], "value": "10", "style": "box"},
            {"cells": [[8, 8]], "value": "fog", "unique": False},
            {"value": "msgcorrect: Well done"},
        ],
        lines=[{"wayPoints": [[0.5, 0.5], [1.5, 1.5]], "color": "#888"}],
        foglight=[[4, 4]],
        metadata={"title": "Tea", "author": "Ann", "rules": "Some."},
        **{"global": ["antiknight"]},
    )
    value["cells"][0][2]["style"] = "red"
    return value


@pytest.mark.parametrize("way", ["messages", "json", "link:sudokupad"])
def test_drawings_of_sudokupad_come_back_as_they_were(way: str) -> None:
    value = scl_puzzle()
    [puzzle] = read_puzzles([json.dumps(value)])
    link = format_named("link:sudokupad").write(WAYS[way](puzzle)).strip()
    packed = link.removeprefix("https://sudokupad.app/scl")
    assert packed != link
    found = read_link(link).puzzle()
    assert (found, found.name, found.author) == (puzzle, "Tea", "Ann")
    assert json.loads(unpack(unquote(packed))) == value


def test_a_cage_that_was_taken_away_does_not_come_back() -> None:
    [puzzle] = read_puzzles([json.dumps(scl_puzzle())])
    left = [rule for rule in puzzle.rules if rule.name != "killer"]
    edited = replace(puzzle, rules=tuple(left)).with_rules(
        Puzzle.from_line("." * 81, rules=["killer:5=r9c1,r9c2"]).further_rules
    )
    found = read_link(format_named("link:sudokupad").write(edited).strip()).puzzle()
    assert {*found.rules} == {*edited.rules}
    assert "lines" in found.publication.drawings


def test_a_rule_that_sudokupad_has_no_words_for_goes_as_f_puzzles_has_it() -> None:
    [puzzle] = read_puzzles([json.dumps(scl_puzzle())])
    ruled = puzzle.with_rules(Puzzle.from_line("." * 81, rules=["thermo:r1c1,r2c2"]).further_rules)
    link = format_named("link:sudokupad").write(ruled).strip()
    assert link.startswith("https://sudokupad.app/fpuzzles")
    assert {*read_link(link).puzzle().rules} == {*ruled.rules}


def test_words_of_penpa_are_read() -> None:
    header = "sudoku,9,9,38,0,1,1,420,420,84,84,0,0,0,0,Title: Tea,Author: Ann,,Some%2C%2Dand,ON"
    puzzle = read_link(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={drawing(header)}")
    assert (puzzle.name, puzzle.publication.author) == ("Tea", "Ann")
    assert puzzle.publication.rules_text == "Some,\nand"


def test_a_drawing_shows_title_author_and_text_and_says_nothing_twice() -> None:
    picture = picture_of(published("anti-king"))
    assert picture.title == "Tea, by Ann"
    assert picture.captions[:2] == tuple(WORDS.rules_text.splitlines())
    drafted = replace(published("anti-king"), publication=UNPUBLISHED)
    text = draft_rules_text(drafted)
    told = picture_of(replace(drafted, publication=Publication("", text))).captions
    assert told == tuple(text.splitlines())


def test_a_message_holds_what_can_be_asked_again() -> None:
    long = Publication("a" * 5000, "r" * 50_000, "f-puzzles", {"line": ["x" * 200_000]})
    found = through_messages(bounded(replace(published(), publication=long)))
    assert len(found.author) == 1000
    assert not found.publication.drawings
