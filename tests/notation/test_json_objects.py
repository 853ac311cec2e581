"""Which key of an object is its puzzle or solution, and where its cells stand in the text."""

import json

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import JsonPlaces, puzzle_key, solution_key
from satdoku.notation.record import Record
from tests.each import for_each

OBJECT = {"id": 1, "Grid": "b", "puzzle": "a", "Answer": "c"}


@for_each(
    "column, key",
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
    with pytest.raises(
        FormatError, match=r"this object has no 'x', (only 'id', 'Grid'|as it is empty)"
    ):
        solution_key(value, Hints(solution_column="x"))


def character_at(text: str, place: tuple[int, int], record: Record) -> str:
    """What stands in a text that begins at line 7, column 10."""
    line, column = place[0] - record.line, place[1] - 1
    return text.split("\n")[line][column - (record.column - 1 if line == 0 else 0)]


@for_each("indent", [None, 1])
@for_each(
    "rows, cells",
    [
        ([[1, 2], [3, 4]], "1234"),
        ([1, 2, 3, 4], "1234"),
        (["12", "34"], "1234"),
        ([None, 2, 3, True], "n23t"),
        ([["1", "2"], ["3", "4"]], '""""'),
        (["1", "2", "3", "4"], '""""'),
        (["1", "", "3", "4"], '""""'),
        (["1,", '"2'], '1,\\"'),
    ],
)
def test_every_cell_is_where_it_is_said_to_be(
    rows: list[object], cells: str, indent: int | None
) -> None:
    text = json.dumps(rows, indent=indent)
    record = Record(7, text, "", 10)
    places = JsonPlaces(record, "", rows)
    assert [character_at(text, places(n), record) for n in range(len(cells))] == list(cells)


def test_cells_are_counted_behind_the_key() -> None:
    text = '{"name": "a, b", "board" : [[5, 3]], "box": "2x3"}'
    places = JsonPlaces(Record(1, text), "board", [[5, 3]])
    assert places(0) == (1, text.index("5") + 1)
    assert places(1) == (1, text.index("3]") + 1)


def test_a_key_that_is_not_spelled_out_is_no_hindrance() -> None:
    places = JsonPlaces(Record(1, '{"bo\\u0061rd": [5]}'), "board", [5])
    assert places(0) == (1, 2)


def test_a_missing_cell_is_at_the_end() -> None:
    assert JsonPlaces(Record(7, "[[1,\n2]]  ", "", 10), "", [[1, 2]])(2) == (8, 3)
    assert JsonPlaces(Record(7, "[]", "", 10), "", [])(0) == (7, 11)
