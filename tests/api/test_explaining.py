import json
import pickle

import pytest

import satdoku
from satdoku import Level, Limits, Technique, Verdict, Wording
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, SMALL, run

OPEN = "1.....2........4"
RIGHT = "1.....2..3.....4"
CLAIMING = "3..4...5...2...7.4...5..8.2.1......5....8.6...7..3..8.6....827..........18762...."


@pytest.mark.parametrize("puzzle", [RIGHT, OPEN, CLASHING])
def test_texts_and_objects_are_those_of_the_command(puzzle: str) -> None:
    explanation = satdoku.explain(puzzle)
    assert satdoku.to_text(explanation) == run("explain", puzzle).stdout
    found = json.loads(run("explain", puzzle, "--json").stdout)
    assert {"line": 1} | satdoku.to_object(explanation) == found


def test_a_level_is_an_enum_or_its_name() -> None:
    assert satdoku.explain(RIGHT, Level.BASIC).level is satdoku.explain(RIGHT, "basic").level
    with pytest.raises(
        satdoku.SatdokuError, match="'hard' is none of singles, basic, chains, patterns, all"
    ):
        satdoku.explain(RIGHT, "hard")
    with pytest.raises(satdoku.SatdokuError, match="'long' is none of brief, usual, full"):
        satdoku.to_text(satdoku.explain(RIGHT), "long")


def test_each_step_has_its_text() -> None:
    explanation = satdoku.explain(EASY)
    told = list(satdoku.tell_steps(explanation, Wording.BRIEF))
    assert [step for step, _ in told] == list(explanation.steps)
    for step, text in told:
        assert text.endswith(f"({step.technique.value})")
    assert isinstance(told[0][0].technique, Technique)


def test_steps_have_cells_and_digits_that_fill_the_board() -> None:
    digits = list(satdoku.parse(RIGHT).grid.digits)
    for step, _ in satdoku.walk(RIGHT):
        assert step.placement is not None
        assert step.exclusions == ()
        digits[step.placement.cell] = step.placement.digit
    assert tuple(digits) == satdoku.solve(RIGHT).digits


def test_steps_are_read_and_shown_in_words_that_need_no_board() -> None:
    explanation = satdoku.explain(CLAIMING)
    solution = satdoku.solve(CLAIMING).digits
    shown = {repr(step) for step in explanation.steps}
    assert max(map(len, shown)) < 120
    for step in explanation.steps:
        assert (step.placement is None) != (not step.exclusions)
        assert all(solution[cell] != digit for cell, digit in step.exclusions)
    public = {name for name in dir(explanation.steps[0]) if not name.startswith("_")}
    assert public == {
        "assumes_unique",
        "exclusions",
        "number",
        "placement",
        "rests_on",
        "size",
        "technique",
    }


@pytest.mark.parametrize("puzzle", [RIGHT, CLAIMING])
def test_objects_of_steps_are_those_of_the_whole(puzzle: str) -> None:
    explanation = satdoku.explain(puzzle)
    whole = satdoku.to_object(explanation)["steps"]
    assert [satdoku.to_object(step) for step in explanation.steps] == whole


@pytest.mark.parametrize("board", [None, "13....2..3.....4", "12....2..3.....4"])
def test_objects_of_hints_are_those_of_the_command(board: str | None) -> None:
    given = [] if board is None else ["--board", board]
    found = json.loads(run("hint", RIGHT, "--json", *given).stdout)
    assert satdoku.to_object(satdoku.hint(RIGHT, board)) == found


def test_a_hint_that_took_too_long_is_an_object_too() -> None:
    found = satdoku.to_object(satdoku.hint(HARD, limits=Limits(timeout=0)))
    assert found["verdict"] == "undecided"
    assert found["reason"]


def test_limits_are_kept() -> None:
    explanation = satdoku.explain(HARD, limits=Limits(conflicts=1))
    assert not explanation.is_complete
    assert explanation.reason == "not decided within 1 conflict"
    found = satdoku.hint(HARD, limits=Limits(timeout=0))
    assert found.outcome.verdict is Verdict.UNDECIDED
    assert found.step is None
    assert not satdoku.candidates(OPEN, limits=Limits(timeout=0)).is_complete


def test_questions_about_cells() -> None:
    explanation = satdoku.explain(RIGHT)
    answer = satdoku.why(explanation, "r1c2")
    assert answer.steps[-1].placement == (1, 2)
    assert satdoku.why(explanation, "r2c1!=1").steps == ()
    with pytest.raises(satdoku.SatdokuError, match="is not a question"):
        satdoku.why(explanation, "what")


def test_a_hint_takes_any_board_of_the_same_shape() -> None:
    rows = [[1, 3, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]
    assert satdoku.hint(RIGHT, rows).wrong == (1,)
    with pytest.raises(satdoku.SatdokuError):
        satdoku.hint(RIGHT, EASY)
    assert satdoku.hint(SMALL).step is not None


def test_true_candidates_are_an_object_too() -> None:
    true = satdoku.candidates(AMBIGUOUS)
    found = satdoku.to_object(true)
    assert found["complete"]
    assert len(found["solutions"]) == len(true.solutions) > 1


def test_answers_travel_between_processes() -> None:
    explanation = satdoku.explain(OPEN)
    again = pickle.loads(pickle.dumps(explanation))
    assert satdoku.to_text(again) == satdoku.to_text(explanation)
    assert again.steps == explanation.steps
