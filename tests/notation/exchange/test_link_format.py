"""Links on lines, in tables, in JSON, among other text; and f-puzzles' own JSON."""

import json

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.typed import is_whole
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.notation.exchange.boards import GRID, KNIGHT, fpuzzles_board
from tests.notation.exchange.boards import KNIGHT_LINK as LINK
from tests.notation.samples import LINE


def test_json_of_f_puzzles_is_found_on_lines_and_over_lines() -> None:
    lines = [json.dumps(fpuzzles_board())] * 2
    assert [puzzle.grid for puzzle in read_puzzles(lines)] == [GRID, GRID]
    over_lines = json.dumps(fpuzzles_board(), indent=1).split("\n")
    assert [puzzle.grid for puzzle in read_puzzles(over_lines)] == [GRID]


def test_a_fault_has_a_place() -> None:
    with pytest.raises(FormatError, match=r"^file:2:1: this board of f-puzzles has 'whale'"):
        list(read_puzzles(["", json.dumps(fpuzzles_board(whale=1))], "file"))


def test_a_rule_that_it_cannot_hold_is_refused_by_name() -> None:
    entropy = Puzzle(GRID).with_rules([read_rule("global-entropy", Geometry(3, 3))])
    with pytest.raises(
        SatdokuError, match="the format fpuzzles cannot hold the rule global-entropy"
    ):
        FORMATS["fpuzzles"].write(entropy)


def test_what_is_only_drawn_is_told() -> None:
    (record,) = PuzzleReader([json.dumps(fpuzzles_board(text=[{}]))])
    assert "drawings (1 text) in this puzzle" in FORMATS["json"].unread(record, Hints())


def test_boards_are_not_too_large() -> None:
    with pytest.raises(SatdokuError, match="for boards up to 36x36"):
        FORMATS["fpuzzles"].write(Puzzle(Grid.empty(Geometry(6, 7))))


@pytest.mark.parametrize("name", ["link:fpuzzles", "link:sudokupad"])
def test_a_link_that_is_written_is_read(name: str) -> None:
    text = FORMATS[name].write(KNIGHT)
    assert list(read_puzzles(text.split("\n"))) == [KNIGHT]


def test_links_stand_on_lines_with_names_behind_them() -> None:
    found = list(read_puzzles([LINK, f"{LINK} Tea", "", f"<{LINK}>"]))
    assert [(puzzle.name, puzzle.rules) for puzzle in found] == [
        ("", KNIGHT.rules),
        ("Tea", KNIGHT.rules),
        ("", KNIGHT.rules),
    ]


def test_a_fault_in_a_link_has_its_place() -> None:
    with pytest.raises(
        FormatError, match=r"^file:2:1: what is packed here is damaged or cut short"
    ):
        list(read_puzzles([LINK, LINK[:-60]], "file"))
    with pytest.raises(FormatError, match=r"^file:2:1: this is not a link"):
        list(read_puzzles([LINK, LINK.replace("https", "7"), LINK], "file", "link:fpuzzles"))


def test_a_box_that_contradicts_a_link_is_refused() -> None:
    with pytest.raises(FormatError, match="boxes of 3x3"):
        list(read_puzzles([LINK], hints=Hints(Geometry(2, 2))))


def test_a_link_is_answered_with_a_line() -> None:
    reader = PuzzleReader([LINK])
    (record,) = reader
    answer = reader.parser.format.write_answer(record, GRID, Hints())
    assert answer == LINE + "\n"


def test_a_link_that_is_pasted_is_answered_at_once_damaged_or_not() -> None:
    assert is_whole([LINK], None, Hints())
    assert is_whole([LINK[:-60]], None, Hints())
