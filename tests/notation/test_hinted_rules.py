import pytest

from satdoku.errors import FormatError
from satdoku.notation.hinted_rules import add_rules
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

EMPTY = Puzzle(Grid.empty(Geometry(2, 2)))


def test_without_rules_a_puzzle_stays_what_it_is() -> None:
    assert add_rules(EMPTY, (), "f", 1) is EMPTY


def test_every_puzzle_of_a_text_gets_the_rules_for_its_size() -> None:
    hints = Hints(rules=("odd:r1-2c1", "anti-king"))
    puzzles = list(read_puzzles(["." * 81, "." * 36], "f", "line", hints))
    assert [p.further_rules[0].cells(p.geometry) for p in puzzles] == [(0, 9), (0, 6)]
    assert [p.further_rules[1].name for p in puzzles] == ["anti-king", "anti-king"]


def test_rules_that_a_text_brings_stay() -> None:
    text = ['{"puzzle": "................", "rules": ["diagonals"]}']
    (puzzle,) = read_puzzles(text, hints=Hints(rules=("anti-king", "diagonals")))
    assert [rule.name for rule in puzzle.further_rules] == ["diagonals", "anti-king"]


def test_a_rule_that_does_not_fit_is_told_with_the_place_of_the_puzzle() -> None:
    with pytest.raises(FormatError, match=r"^f:2: the rule odd: r9c9 is not on a board of 4x4"):
        list(read_puzzles(["", "." * 16], "f", "line", Hints(rules=("odd:r9c9",))))


def test_two_sets_of_regions_contradict_each_other() -> None:
    lines = ["." * 16 + " AABBABBCADCCDDDC"]
    hints = Hints(rules=("regions:AAABCABBCCBDCDDD",))
    with pytest.raises(FormatError, match=r"^f:1: a puzzle has one set of regions"):
        list(read_puzzles(lines, "f", None, hints))
