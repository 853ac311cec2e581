import json
import pickle

import pytest

import satdoku
from satdoku import Level, Limits, Technique, Verdict, Wording
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, SMALL, run

OPEN = "1.....2........4"
RIGHT = "1.....2..3.....4"


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
    assert [step for step, _ in told] == list(explanation.way.steps)
    for step, text in told:
        assert text.endswith(f"({step.technique.value})")
    assert isinstance(told[0][0].technique, Technique)


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
    assert answer.way is not None
    assert answer.way.steps[-1].places is not None
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
