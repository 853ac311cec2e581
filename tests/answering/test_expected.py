"""Which puzzles were asked for, and which of them were met."""

import pytest

from satdoku.answering.expected import ExpectedPuzzles
from satdoku.errors import FormatError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.moves import AntiKnight
from tests.answering.samples import tasks_of
from tests.boards import read_grid
from tests.commands import AMBIGUOUS, SMALL


def test_puzzles_that_were_not_met_are_missing_in_order() -> None:
    expected = ExpectedPuzzles(tasks_of([SMALL, AMBIGUOUS, SMALL]))
    assert expected.missing() == ["input:1", "input:2"]
    assert expected.meet(Puzzle(read_grid(SMALL), name="another name"))
    assert expected.missing() == ["input:2"]
    assert expected.meet(Puzzle(read_grid(AMBIGUOUS)))
    assert expected.missing() == []


def test_a_puzzle_with_other_rules_is_another_one() -> None:
    expected = ExpectedPuzzles(tasks_of([SMALL]))
    assert not expected.meet(Puzzle(read_grid(SMALL)).with_rules([AntiKnight()]))
    assert expected.missing() == ["input:1"]


def test_what_is_no_puzzle_is_an_error() -> None:
    with pytest.raises(FormatError):
        ExpectedPuzzles(tasks_of([SMALL, "12"]))
