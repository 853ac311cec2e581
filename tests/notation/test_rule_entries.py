"""Rules beside a puzzle, and those that a user adds, come to what is read."""

import json
from random import Random
from typing import Any

import pytest

from satdoku.errors import FormatError, RuleError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.parser import add_rules
from satdoku.notation.reading import read_puzzles
from satdoku.notation.rule_entries import (
    read_rule_entries,
    regions_size,
    with_rule_entries,
    with_shape,
    write_rule_entries,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight
from satdoku.puzzle.rules.rule import write_rule
from satdoku.puzzle.rules.single_cells import Odd
from tests.crossing import few_or_many
from tests.each import for_each
from tests.puzzle.rules.instances import NAMES, SMALL, random_instance, random_instances


def through_json(puzzle: Puzzle) -> Puzzle:
    """The rules of a puzzle as text and back."""
    entries = json.loads(json.dumps(write_rule_entries(puzzle)))
    return Puzzle(puzzle.grid).with_rules(read_rule_entries(entries, puzzle.geometry))


@few_or_many("count", 6, 20)
@for_each("name", NAMES)
def test_every_rule_comes_back(name: str, count: int) -> None:
    rng = Random(name)
    for _ in range(count):
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules([random_instance(name, rng)])
        assert set(through_json(puzzle).rules) == set(puzzle.rules)


def test_several_rules_come_back_together() -> None:
    rng = Random(1)
    for _ in range(50):
        rules = {type(rule): rule for rule in random_instances(rng, 4)}
        try:
            puzzle = Puzzle(Grid.empty(SMALL)).with_rules(rules.values())
        except SatdokuError:
            continue  # such as a sum that is out of reach where digits count from 0
        assert set(through_json(puzzle).rules) == set(puzzle.rules)


def test_rules_stand_there_as_people_write_them() -> None:
    value = {
        "regions": ["AABB", "ABBC", "ADCC", "DDDC"],
        "candidates": {"r1c1": [1, 2]},
        "rules": ["anti-knight", {"diagonal": "/"}, {"odd": ["r1c1", "r2c4"]}, "even:r3c3"],
    }
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rule_entries(value, SMALL))
    assert AntiKnight() in puzzle.rules
    assert Odd((0, 7)) in puzzle.rules
    assert write_rule_entries(puzzle) == value | {
        "rules": ["anti-knight", {"diagonal": "/"}, {"odd": "r1c1,r2c4"}, {"even": "r3c3"}]
    }


def test_a_rule_about_cells_may_name_them_as_its_part() -> None:
    [rule] = read_rule_entries({"rules": [{"extra-region": {"cells": ["r1c2", "r2c3"]}}]}, SMALL)
    assert write_rule(rule, SMALL) == "extra-region:r1c2,r2c3"


@for_each(
    "entry, text",
    [
        ({"Anti-Knight": True}, "anti-knight"),
        ({"candidates": {"r1c1": [1, 2]}}, "candidates:r1c1=1/2"),
        ({"kropki": ["white=r1c1,r1c2", "black=r2c1,r2c2", "all"]}, None),
    ],
)
def test_a_rule_may_be_told_as_it_comes_to_mind(entry: dict[str, Any], text: str | None) -> None:
    [rule] = read_rule_entries({"rules": [entry]}, SMALL)
    assert write_rule(rule, SMALL) == (text or "kropki:white=r1c1,r1c2/black=r2c1,r2c2/all")


@for_each(
    "more",
    [
        {"rule": "anti-knight", "rules": []},
        {"cages": [[1, 2]]},
        {"hidden-skyscraper": ["row1=2"]},
        {"antiKnight": True},
        {"Constraints": ["x"]},
    ],
)
def test_rules_under_other_names_are_not_passed_over(more: dict[str, Any]) -> None:
    text = json.dumps({"puzzle": "." * 16, **more})
    with pytest.raises(
        FormatError, match=r"beside its board, which satdoku does not read: rules stand in"
    ):
        list(read_puzzles([text]))


def test_what_only_counts_or_says_no_is_no_rule() -> None:
    more = {"lines": 16, "diagonal": False, "cages": [], "rules": ["anti-knight"], "name": "mine"}
    [puzzle] = read_puzzles([json.dumps({"puzzle": "." * 16, "killer": "no", **more})])
    assert puzzle.further_rules == (AntiKnight(),)


def test_one_rule_may_be_called_a_rule() -> None:
    for said in ("anti-knight", ["anti-knight"], [{"anti-knight": True}]):
        [puzzle] = read_puzzles([json.dumps({"puzzle": "." * 16, "Rule": said})])
        assert puzzle.further_rules == (AntiKnight(),)


def test_a_classic_puzzle_has_no_entries() -> None:
    puzzle = Puzzle(Grid.empty(SMALL))
    assert write_rule_entries(puzzle) == {}
    assert with_rule_entries(puzzle, {"puzzle": "...."}) is puzzle
    assert list(read_rule_entries({"rules": None, "regions": ""}, SMALL)) == []


@for_each(
    "value, message",
    [
        ({"rules": {"diagonal": "/"}}, r"'rules' must be a list"),
        ({"rules": 7}, r"'rules' must be a list"),
        ({"RULES": "anti-kniht"}, r"did you mean anti-knight"),
        ({"rules": [7]}, r"a rule must be a name such as"),
        ({"rules": [{"odd": "r1c1", "even": "r1c2"}]}, r"a rule must be a name such as"),
        ({"rules": [{"kropki": {"white": "r1c1,r1c2"}}]}, r"no part 'WHITE'; it has a text only"),
        ({"rules": [{"odd": 7}]}, r"the entry 'odd' must be a text"),
        ({"rules": ["anti-kniht"]}, r"did you mean anti-knight"),
        ({"rules": [{"odd": "r9c9"}]}, r"r9c9 is not on a board of 4x4"),
        ({"regions": 7}, r"the entry 'regions' must be a text"),
        ({"regions": ["AABB", "AABB"]}, r"8 cells have a region, expected 16 for 4x4"),
        ({"candidates": "1"}, r"'candidates' must be an object"),
        ({"candidates": [[1]]}, r"'candidates' lists 1 cells; the board has 16"),
        ({"candidates": {"r1c1": "12"}}, r"the candidates of r1c1 must be a list of numbers"),
        ({"candidates": {"r1c1": [True]}}, r"the candidates of r1c1 must be a list of numbers"),
        ({"candidates": {"r1c1": [9]}}, r"the candidate 9 of r1c1 is not a digit 1-4"),
        ({"candidates": {"one": [1]}}, r"'one' is not a cell"),
    ],
)
def test_what_is_wrong_is_said(value: dict[str, Any], message: str) -> None:
    with pytest.raises(SatdokuError, match=message):
        with_rule_entries(Puzzle(Grid.empty(SMALL)), value)


def test_marks_may_be_a_list_of_all_cells() -> None:
    marks = [[1], [2, 3], *([] for _ in range(14))]
    rows = [marks[at : at + 4] for at in range(0, 16, 4)]
    for each in (marks, rows):
        (puzzle,) = read_puzzles([json.dumps({"puzzle": "." * 16, "candidates": each})])
        assert "candidates:r1c1=1,r1c2=2/3" in [write_rule(r, SMALL) for r in puzzle.rules]
        # A cell with one candidate left is no given.
        assert not puzzle.givens


LETTERS = "AAAABBBACBBBDDACBCDDDACCCCDDEEEEEEFEFFFFFFGGGGGGG"
ROWS = [LETTERS[at : at + 7] for at in range(0, 49, 7)]


@for_each(
    "value",
    [
        {"regions": LETTERS},
        {"Regions": ROWS},
        {"regions": "/".join(ROWS)},
        {"rules": ["anti-king", f"regions:{LETTERS}"]},
        {"rules": [{"regions": ROWS}]},
        {"rules": f"anti-king regions:{LETTERS}"},
        {"regions": LETTERS[1:]},
    ],
)
def test_regions_tell_the_size_however_they_are_written(value: dict[str, Any]) -> None:
    assert regions_size(value) == 7
    assert with_shape(Hints(), value).geometry == Geometry(1, 7)
    hints = Hints(Geometry(3, 3))
    assert with_shape(hints, value) is hints


@pytest.mark.parametrize("value", [{}, {"regions": "AAB"}, {"regions": 7}, {"rules": ["odd:r1c1"]}])
def test_without_regions_no_size_is_told(value: dict[str, Any]) -> None:
    assert regions_size(value) is None
    assert with_shape(Hints(), value) == Hints()


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


BOARD = "..7..3....3......14..1.8..3...........8.6..............5....................5...9"
PROSE = "Normal sudoku rules apply. Killer cages sum to their clue."


def read_all(lines: list[str], column: str | None) -> list[list[str]]:
    return [p.rule_texts for p in read_puzzles(lines, "f", hints=Hints(rules_column=column))]


@for_each(
    "lines",
    [
        ["puzzle,rules,how", f'{BOARD},"{PROSE}",anti-knight'],
        [json.dumps({"initial_board": BOARD, "rules": [PROSE, "Yes."], "how": ["anti-knight"]})],
        [json.dumps({"Initial_Board": BOARD, "Rule": PROSE, "how": "anti-knight"})],
    ],
)
def test_a_column_of_rules_in_words_is_told_chosen_or_left_alone(lines: list[str]) -> None:
    with pytest.raises(RuleError, match="these rules are in words: --rules-column"):
        read_all(lines, None)
    assert read_all(lines, "none") == [[]]
    assert read_all(lines, "HOW") == [["anti-knight"]]
    with pytest.raises(FormatError, match="there is no"):
        read_all(lines, "nope")


def test_a_slip_in_the_name_of_a_rule_is_no_sentence() -> None:
    with pytest.raises(RuleError) as caught:
        read_all(["puzzle,rules", f"{BOARD},anti-knigt"], None)
    assert "did you mean anti-knight?" in str(caught.value)
    assert "--rules-column" not in str(caught.value)


@for_each(
    "rule",
    [
        {"sequence": "r1c1,r1c2"},
        {"sequence": ["r1c1", "r1c2"]},
        {"killer": "99=r1c10,r1c2"},
        {"killer": {"sum": 7}},
        {"odd": 5},
        5,
    ],
)
def test_a_known_rule_with_a_wrong_argument_is_no_sentence(rule: object) -> None:
    with pytest.raises(RuleError) as caught:
        read_all([json.dumps({"puzzle": BOARD, "rules": [rule]})], None)
    assert "rule" in str(caught.value) or "entry" in str(caught.value)
    assert "--rules-column" not in str(caught.value)


def test_spaces_around_a_name_hide_no_rule() -> None:
    for more in ({"rules ": ["anti-knight"]}, {" Rule": "anti-knight", "id": 7}):
        [puzzle] = read_puzzles([json.dumps({"puzzle ": "." * 16, **more})])
        assert puzzle.further_rules == (AntiKnight(),)
    for other, message in (({" cages ": [[1, 2]]}, "not read"), ({"type ": "killer"}, "killer")):
        with pytest.raises(FormatError, match=message):
            list(read_puzzles([json.dumps({"puzzle": "." * 16, **other})]))
