"""JSON is cut into puzzles, wherever lines end."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.json_format import split_json
from satdoku.notation.record import Record
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

NUMBERS = [[1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
OBJECT = {"puzzle": "1..4.3.1.1.32.1.", "tags": [["a"], []]}
FLAT = [0] * 16
SMALL = "1..4.3.1.1.32.1."


def split(text: str) -> list[object]:
    """The values of all records; every record must stand where it says."""
    lines = text.split("\n")
    values = []
    for record in split_json(lines):
        rest = "\n".join([lines[record.line - 1][record.column - 1 :], *lines[record.line :]])
        assert rest.startswith(record.text)
        values.append(json.loads(record.text))
    return values


PUZZLES = [NUMBERS, [list(row) for row in ROWS], ROWS, OBJECT, FLAT, {"puzzle": NUMBERS}]


@for_each("indent", [None, 0, 2])
@for_each("puzzle", PUZZLES)
def test_a_puzzle_is_one_record(puzzle: object, indent: int | None) -> None:
    text = json.dumps(puzzle, indent=indent)
    assert split(text) == [puzzle]
    assert split(f"{text}\n{text}") == [puzzle, puzzle]
    assert split(f"{text}{text}") == [puzzle, puzzle]
    assert split(f"\n \n{text}\n\n,\n{text}") == [puzzle, puzzle]


@for_each("indent", [None, 0, 2])
@for_each("count", [1, 2, 3])
@for_each("puzzle", [NUMBERS, ROWS, OBJECT, {"puzzle": NUMBERS}])
def test_a_list_of_puzzles_is_a_record_for_each(
    puzzle: object, count: int, indent: int | None
) -> None:
    text = json.dumps([puzzle] * count, indent=indent)
    assert split(text) == [puzzle] * count
    assert split(f"{text}\n{text}") == [puzzle] * 2 * count


@given(
    st.lists(st.sampled_from([NUMBERS, OBJECT]), min_size=1, max_size=4),
    st.lists(st.integers(0, 400), max_size=5),
)
def test_line_ends_between_tokens_change_nothing(puzzles: list[object], breaks: list[int]) -> None:
    text = json.dumps(puzzles)
    spaces = [at for at, character in enumerate(text) if character == " "]
    for at in sorted({spaces[place % len(spaces)] for place in breaks}, reverse=True):
        text = text[:at] + "\n" + text[at + 1 :]
    assert split(text) == puzzles


def test_strings_are_puzzles_or_rows_by_their_number() -> None:
    rows = ["." * 16] * 16
    assert split(json.dumps(rows)) == [rows]
    assert split(json.dumps(rows[:15])) == rows[:15]
    assert split(json.dumps(rows[:1])) == rows[:1]
    assert split(json.dumps([*rows, SMALL])) == [*rows, SMALL]
    assert split(json.dumps(["." * 36] * 36)) == [["." * 36] * 36]
    assert split(json.dumps([LINE])) == [LINE]
    assert split(json.dumps(["." * 49] * 2)) == [["." * 49] * 2]
    assert split(json.dumps(["." * 64] * 64)) == ["." * 64] * 64
    assert split(f'"{SMALL}"\n"{LINE}"') == [SMALL, LINE]


def test_strings_of_rows_in_a_list_are_a_puzzle() -> None:
    four = ["1234", "....", "....", "...."]
    assert split(json.dumps([four, four])) == [four, four]
    cells = [list("123"), list("...")]
    assert split(json.dumps(cells)) == [cells]
    numbers = [["100", "20"], ["3", "4"]]
    assert split(json.dumps(numbers)) == [numbers]


def test_objects_in_objects_are_no_puzzles() -> None:
    nested = {"puzzle": NUMBERS, "by": {"name": "Ann", "of": [{"a": 1}]}}
    assert split(json.dumps(nested)) == [nested]
    assert split(json.dumps([nested, nested], indent=2)) == [nested, nested]


def test_objects_for_cells_are_one_puzzle_whose_fault_is_to_be_told() -> None:
    cells = [[{"value": 5}, {"marks": [1, 2]}]]
    assert split(json.dumps(cells)) == [cells]


def test_brackets_in_strings_are_text() -> None:
    puzzle = {"name": 'a [ { \\" ] }', "puzzle": NUMBERS}
    assert split(json.dumps(puzzle)) == [puzzle]
    assert split(json.dumps([puzzle, puzzle], indent=1)) == [puzzle, puzzle]


@pytest.mark.parametrize("torn", ['{"puz', '{"puzzle": [[1, 2', "[[1, 2, 3", '{"a": {'])
def test_a_torn_puzzle_does_not_hurt_the_next(torn: str) -> None:
    whole = json.dumps(OBJECT if torn.startswith("{") else NUMBERS)
    texts = [record.text for record in split_json([whole, torn, whole, whole])]
    assert texts == [whole, torn, whole, whole]
    texts = [record.text for record in split_json([torn, "", whole])]
    assert texts == [f"{torn}\n", whole]


def test_what_is_left_at_the_end_is_a_record() -> None:
    assert list(split_json(["[[1, 2],", " [3"])) == [Record(1, "[[1, 2],\n [3")]
    assert list(split_json(['[{"a": 1}, {"b"'])) == [
        Record(1, '{"a": 1}', "", 2),
        Record(1, '{"b"', "", 12),
    ]
    assert list(split_json(["[", '"1234"'])) == [Record(1, '[\n"1234"')]
    assert list(split_json(["]", "", "}"])) == []


def test_other_lines_are_records_whose_fault_is_to_be_told() -> None:
    assert list(split_json(["hello", "", " 53", '{"a": 1}'])) == [
        Record(1, "hello"),
        Record(3, " 53"),
        Record(4, '{"a": 1}'),
    ]


def test_text_between_the_puzzles_of_a_list_is_passed_over() -> None:
    assert split('[{"a": 1},\nhello\n, {"b": 2}]\n{"c": 3}') == [{"a": 1}, {"b": 2}, {"c": 3}]


@for_each(
    "lines, needed",
    [
        ([json.dumps(OBJECT), "{"], 1),
        ([json.dumps(NUMBERS), "["], 1),
        (["[", json.dumps(OBJECT) + ",", "{"], 2),
        (["[[[1, 2],", "[3, 4]],", "["], 2),
        (['["' + "." * 64 + '",', '"'], 1),
        (["{", '"puzzle": "12.."', "}", "{"], 3),
    ],
)
def test_a_puzzle_is_given_away_with_its_last_bracket(lines: list[str], needed: int) -> None:
    def live() -> Iterator[str]:
        yield from lines[:needed]
        pytest.fail("read too far")

    assert next(split_json(live())).text
