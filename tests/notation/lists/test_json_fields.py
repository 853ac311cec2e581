"""Which key of an object is its puzzle, and which its known solution."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.lists.json_fields import puzzle_key, solution_key

OBJECT = {"id": 1, "Grid": "b", "puzzle": "a", "Answer": "c"}


@pytest.mark.parametrize(
    ("column", "key"),
    [(None, "puzzle"), ("grid", "Grid"), ("Grid", "Grid"), (" id ", "id"), ("answer", "Answer")],
)
def test_the_key_of_the_user_goes_before_the_usual_names(column: str | None, key: str) -> None:
    assert puzzle_key(OBJECT, Hints(column=column)) == key


def test_the_same_case_goes_before_another() -> None:
    assert puzzle_key({"a": 1, "A": 2}, Hints(column="A")) == "A"
    assert puzzle_key({"Board": 1, "board": 2}, Hints()) == "board"


def test_what_is_no_object_is_a_puzzle_itself_unless_a_key_is_asked_for() -> None:
    assert puzzle_key(["a"], Hints()) == ""
    with pytest.raises(FormatError, match="--column names a key of an object, and this is none"):
        puzzle_key(["a"], Hints(column="a"))


def test_a_known_solution_is_looked_for_only_if_it_is_asked_for() -> None:
    assert solution_key(OBJECT, Hints()) is None
    assert solution_key(OBJECT, Hints(solution_column="answer")) == "Answer"


@pytest.mark.parametrize("value", [OBJECT, {}])
def test_a_key_that_is_not_there_is_named(value: dict[str, object]) -> None:
    with pytest.raises(FormatError, match=r"this object has no 'x', only ('id', 'Grid'|nothing)"):
        solution_key(value, Hints(solution_column="x"))
