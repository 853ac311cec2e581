"""Puzzles in JSON, with all that may stand beside them."""

import json

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

GRID = Grid(Geometry(2, 2), (1, 2, 0, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
FULL = GRID.with_digits({2: 3})
TEXT = "12.4341221434321"
ROWS = [list(row) for row in GRID.rows]
SIX = "." * 36


def parse(value: object, hints: Hints | None = None) -> Puzzle:
    return JsonFormat().parse(Record(1, json.dumps(value)), hints or Hints(), "f")


@for_each("key", ["puzzle", "quiz", "board", "givens", "sudoku"])
def test_a_puzzle_is_found_under_its_usual_names(key: str) -> None:
    assert parse({"id": 1, key: TEXT}) == parse({key: ROWS}) == parse(ROWS) == Puzzle(GRID)


def test_the_likeliest_name_wins() -> None:
    assert parse({"grid": SIX, "puzzle": TEXT}) == Puzzle(GRID)


def test_name_and_comment_are_read() -> None:
    assert parse({"puzzle": TEXT, "name": "a", "comment": 7}) == Puzzle(GRID, "a", "7")
    assert parse({"puzzle": TEXT, "name": None}) == Puzzle(GRID)


@pytest.mark.parametrize("box", ["3x2", "3 X 2", [3, 2], ["3", "2"]])
def test_the_box_shape_is_read(box: object) -> None:
    assert parse({"puzzle": SIX, "box": box}).geometry == Geometry(3, 2)
    same = Hints(Geometry(3, 2))
    assert parse({"puzzle": SIX, "box": box}, same).geometry == Geometry(3, 2)


def test_the_box_shape_of_the_user_is_used() -> None:
    assert parse({"puzzle": SIX}, Hints(Geometry(3, 2))).geometry == Geometry(3, 2)
    assert parse({"puzzle": SIX}).geometry == Geometry(2, 3)


@for_each(
    "text, message",
    [
        ('{"name": "x"}', "f:7:10: this object has no 'puzzle', only 'name'; --column names it"),
        ('{"puzzle": 12}', "f:7:10: '12' is not a puzzle: a list of rows or a string"),
        ('{"puzzle": {"a": 1}}', "f:7:10: \"{'a': 1}\" is not a puzzle"),
        ('"12"', "f:7:13: 2 cells found, expected 81 for 9x9"),
        ('{"puzzle": "12", "box": "2y3"}', "f:7:10: '2y3' is not a box shape such as 2x3"),
        ('{"puzzle": "12", "box": [2]}', "f:7:10: '2' is not a box shape"),
        ('{"puzzle": "12", "box": "0x3"}', "f:7:10: a box of 0x3 has no cells"),
        ("[[1, 2", "f:7:16: this is not JSON (Expecting ',' delimiter)"),
        ("[[1,\n2", "f:8:2: this is not JSON"),
        (
            "{'a': 1}",
            "f:7:11: this is not JSON (Expecting property name",
        ),
        ("[" * 100_000, "f:7:10: this JSON has more digits or brackets than any puzzle"),
        ("[" + "9" * 5000 + "]", "f:7:10: this JSON has more digits or brackets than any puzzle"),
        ('{"puzzle": "12q.............", "a": 1}', "f:7:24: 'q' is not a digit 1-4"),
        ('{"a": 1,\n"puzzle": "12q............."}', "f:8:14: 'q' is not a digit 1-4"),
        ('{"puzzle": [[1,2,3,4],\n[5,0,0,0],[],[]]}', "f:8:17: 0 cells found in row 3"),
        ('{"puzzle": [[1,2,3,4],\n[5,0,0,0],[0,0,0,0],[0,0,0,0]]}', "f:8:2: '5' is not a digit"),
        ('{"name": [7, 8], "puzzle": ["1235", "....", "....", "...."]}', "f:7:42: '5' is not"),
    ],
)
def test_a_fault_has_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        JsonFormat().parse(Record(7, text, "", 10), Hints(), "f")
    assert str(caught.value).startswith(message)


def test_only_single_quotes_are_pointed_out() -> None:
    with pytest.raises(FormatError, match=r"; JSON has double quotes\)"):
        JsonFormat().parse(Record(1, "['1']"), Hints(), "")
    with pytest.raises(FormatError, match=r"\(Expecting value\)"):
        JsonFormat().parse(Record(1, "[q]"), Hints(), "")


def test_contradicting_box_shapes_are_a_fault() -> None:
    with pytest.raises(FormatError, match="f:1:1: the text shows boxes of 3x2, but --box says 2x3"):
        parse({"puzzle": SIX, "box": "3x2"}, Hints(Geometry(2, 3)))


def test_a_string_may_have_line_ends() -> None:
    assert parse("12.4\n3412\n2143\n4321") == Puzzle(GRID)
    assert parse(f" {TEXT} ") == Puzzle(GRID)


@for_each(
    "puzzle, value",
    [
        (Puzzle(GRID), ROWS),
        (Puzzle(GRID, "a"), {"puzzle": ROWS, "name": "a"}),
        (Puzzle(GRID, "", "ü"), {"puzzle": ROWS, "comment": "ü"}),
        (Puzzle(Grid.empty(Geometry(3, 1))), {"puzzle": [[0] * 3] * 3, "box": "3x1"}),
        (Puzzle(Grid.empty(Geometry(1, 3))), {"puzzle": [[0] * 3] * 3, "box": "1x3"}),
        (Puzzle(Grid.empty(Geometry(2, 3))), [[0] * 6] * 6),
        (Puzzle(Grid.empty(Geometry(3, 2))), {"puzzle": [[0] * 6] * 6, "box": "3x2"}),
    ],
)
def test_an_object_is_written_where_there_is_more_than_rows(puzzle: Puzzle, value: object) -> None:
    text = JsonFormat().write(puzzle, Spelling(Alphabet("A")))
    assert text == json.dumps(value, ensure_ascii=False) + "\n"


@for_each(
    "value, answer",
    [
        (ROWS, [list(row) for row in FULL.rows]),
        (TEXT, "1234341221434321"),
        ({"a": 1, "puzzle": TEXT}, {"a": 1, "puzzle": TEXT, "solution": "1234341221434321"}),
        ({"quiz": ROWS}, {"quiz": ROWS, "solution": [list(row) for row in FULL.rows]}),
        (["12.4", "3412", "2143", "4321"], ["1234", "3412", "2143", "4321"]),
    ],
)
def test_an_answer_has_the_shape_of_its_puzzle(value: object, answer: object) -> None:
    record = Record(1, json.dumps(value))
    assert JsonFormat().write_answer(record, FULL, Hints()) == json.dumps(answer) + "\n"


@pytest.mark.parametrize(
    "value", ["1........A" * 10, f" {'1........A' * 10}", [[*"1........A"]] * 10]
)
def test_letters_are_answered_with_letters(value: object) -> None:
    grid = Grid(Geometry(2, 5), tuple(cell % 10 + 1 for cell in range(100)))
    record = Record(1, json.dumps(value))
    answer = JsonFormat().write_answer(record, grid, Hints())
    assert '"A"' in answer or "9A1" in answer
    assert JsonFormat().spelling_of(record, Hints(), 10) == Spelling(Alphabet("1"))
    assert JsonFormat().spelling_of(record, Hints(), 9) == Spelling()


@for_each("line", ["[Hello]", "[ x ]", "[true]", "hello", "1", '"53"'])
def test_other_lines_are_no_json(line: str) -> None:
    assert PuzzleReader([line]).parser.format != JsonFormat()


@for_each("line", ["[1]", "{", " [", "[[", "[ null, 1]", '["x"]', "[]"])
def test_brackets_are_a_mark(line: str) -> None:
    assert PuzzleReader([line]).parser.format == JsonFormat()
