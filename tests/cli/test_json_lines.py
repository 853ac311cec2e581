"""JSON Lines get all that tables get: a key to choose, known solutions, and fields that stay."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import AMBIGUOUS, EASY, SMALL, SMALL_SOLUTION, require_failure, run
from tests.each import for_each

WRONG = "2" + SMALL_SOLUTION[1:]
OBJECTS: list[dict[str, Any]] = [
    {"id": 7, "quiz": SMALL, "solution": SMALL_SOLUTION, "other": AMBIGUOUS},
    {"id": 8, "quiz": SMALL.replace(".", "0"), "solution": WRONG, "tags": ["é", {"a": None}]},
    {"id": 9, "quiz": [[1, 0, 0, 0], *[[0] * 4] * 3], "solution": SMALL_SOLUTION},
    {"id": 10, "quiz": SMALL, "solution": None},
]


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in OBJECTS))
    return path


def objects(*arguments: object, stdin: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("check", "--json", *arguments, stdin=stdin).lines]


@pytest.mark.parametrize("name", ["solution", "SOLUTION"])
def test_a_known_solution_is_compared(bank: Path, name: str) -> None:
    result = run("check", bank, "--solution-column", name)
    assert result.code == 1
    assert result.lines == [
        "unique",
        "mismatch: the known solution is wrong in 1 cell: r1c1 is 1, not 2",
        "mismatch: there is a known solution, but the puzzle is multiple",
        "unique",
    ]


def test_every_field_stays_as_it_came_and_the_answer_stands_beside(bank: Path) -> None:
    found = objects(bank, "--solution-column", "solution")
    for before, after in zip(OBJECTS, found, strict=True):
        assert {key: after[key] for key in before} == before
    assert [each["verdict"] for each in found] == ["unique", "unique", "multiple", "unique"]
    assert [each["solution_found"] for each in found[:2]] == [SMALL_SOLUTION] * 2
    assert [each["line"] for each in found] == [1, 2, 3, 4]


def test_csv_and_json_say_the_same_of_a_mismatch_and_keep_the_verdict(
    bank: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    rows = [f"{SMALL},{SMALL_SOLUTION}", f"{SMALL},{WRONG}", f"{AMBIGUOUS},{SMALL_SOLUTION}"]
    table.write_text("\n".join(["quiz,solution", *rows, f"{SMALL},"]) + "\n")
    compare = ["--solution-column", "solution"]
    from_csv = list(csv.DictReader(run("check", "--csv", table, *compare).lines))
    for form in (objects(bank, *compare), objects(table, *compare)):
        for in_csv, in_json in zip(from_csv, form, strict=True):
            for name in ("verdict", "mismatch", "reason", "solution_found", "second"):
                assert in_csv[name] == (in_json[name] or ""), name
    assert from_csv[2]["reason"].startswith("two of them differ")
    assert "mismatch" not in run("check", "--csv", table).stdout


@pytest.mark.parametrize("column", ["other", "Other"])
def test_a_key_is_chosen(bank: Path, column: str) -> None:
    first, *rest = run("check", bank, "--column", column).lines
    assert first.startswith("multiple")
    assert rest[0] == "unreadable: this object has no '" + column + (
        "', only 'id', 'quiz', 'solution', 'tags'"
    )


@pytest.mark.parametrize("option", ["--column", "--solution-column"])
def test_a_key_that_no_object_has_is_an_error_with_those_that_are(bank: Path, option: str) -> None:
    result = run("check", bank, option, "nonsense")
    assert result.code == 1
    assert len(result.lines) == 4
    assert all("this object has no 'nonsense', only 'id'" in line for line in result.lines)


def test_a_record_that_cannot_be_read_keeps_its_fields() -> None:
    (found,) = objects(stdin=json.dumps({"id": 1, "puzzle": "12"}))
    assert (found["id"], found["puzzle"], found["verdict"]) == (1, "12", "unreadable")


@for_each("option", ["--column", "--solution-column"])
@for_each("name, text", [("line", EASY), ("sdm", EASY), ("json", f'["{SMALL}"]')])
def test_a_column_of_what_has_none_is_an_error(option: str, name: str, text: str) -> None:
    result = run("check", "--from", name, option, "x", stdin=text)
    assert result.code == 1
    assert option in result.stdout + result.stderr
    assert "unique" not in result.stdout


@pytest.mark.parametrize("known", [SMALL_SOLUTION, WRONG])
def test_a_solution_that_came_with_the_puzzle_is_not_overwritten(known: str) -> None:
    entry = {"puzzle": SMALL, "solution": known}
    found = json.loads(run("solve", stdin=json.dumps(entry)).stdout)
    assert found == {**entry, "solution_found": SMALL_SOLUTION}


def test_the_columns_of_a_table_stay_in_json(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"id,quiz\n7,{SMALL}\n")
    (found,) = objects(path)
    assert (found["id"], found["quiz"], found["solution"]) == ("7", SMALL, SMALL_SOLUTION)


def test_what_was_checked_can_be_checked_again(bank: Path) -> None:
    once = run("check", "--json", bank).stdout
    twice = objects(stdin=once)
    assert [each["verdict_found"] for each in twice] == [each["verdict"] for each in twice]


def test_a_known_solution_that_is_no_board_is_told_from_a_puzzle_that_is_none() -> None:
    text = json.dumps({"puzzle": SMALL, "known": 12})
    result = run("check", "--solution-column", "known", stdin=text)
    assert result.lines == ["mismatch: the known solution: '12' is not a puzzle: "
                            "a list of rows or a string"]  # fmt: skip


def test_statistics_are_for_json(bank: Path) -> None:
    require_failure(run("check", bank, "--stats"), "--stats needs --json", code=2)


@for_each("rows", [1, 300])
def test_columns_of_one_name_all_stay_in_an_object(rows: int, tmp_path: Path) -> None:
    """None of them takes the place of the puzzle that was answered."""
    path = tmp_path / "bank.csv"
    path.write_text("note,puzzle,puzzle,note\n" + f"a,{EASY},{AMBIGUOUS},b\n" * rows)
    for options, verdict in (([], "unique"), (["--column", 3], "multiple")):
        found = [json.loads(line) for line in run("check", path, "--json", *options).lines]
        assert len(found) == rows
        for each in found:
            assert each["verdict"] == verdict
            named = {name: each[name] for name in ("note", "puzzle", "puzzle_2", "note_2")}
            assert list(named.values()) == ["a", EASY, AMBIGUOUS, "b"]
