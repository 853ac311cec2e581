import json

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.notation.exchange.boards import GRID, fpuzzles_board


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
