"""What `explain`, `candidates` and `hint` print with `--json` fits the schemas in docs/."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    HARD,
    IMPOSSIBLE,
    SMALL,
    SMALL_SOLUTION,
    run,
)
from tests.crossing import crossed, sampled
from tests.each import for_each

DOCS = Path(__file__).parents[2] / "docs"
SCHEMAS: dict[str, Any] = {
    command: json.loads((DOCS / f"{name}.schema.json").read_text("utf-8"))
    for command, name in (
        ("explain", "explanation"),
        ("candidates", "candidates"),
        ("hint", "hint"),
    )
}
FOR_MANY = [command for command in SCHEMAS if command != "hint"]
REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
WITH_SYMBOLS = "A" + "." * 99
SEVERAL = ".." + EASY[2:]
PUZZLES = [EASY, SMALL, SMALL_SOLUTION, AMBIGUOUS, SEVERAL, CLASHING, IMPOSSIBLE]


def found_for(command: str, *options: str) -> dict[str, Any]:
    """The only object that a command prints."""
    (line,) = run(command, "--json", "-q", *options).lines
    found: dict[str, Any] = json.loads(line)
    return found


def faults(command: str, found: dict[str, Any]) -> list[str]:
    """What the schema of a command says against an object."""
    validator = Draft202012Validator(SCHEMAS[command], registry=REGISTRY)
    return [error.message for error in validator.iter_errors(found)]


@crossed(3, command=FOR_MANY, puzzle=PUZZLES)
def test_what_is_printed_fits_the_schema(command: str, puzzle: str) -> None:
    for options in ([], ["--why", "r1c3", "--why", "r2c2!=1"]):
        assert faults(command, found_for(command, *options, puzzle)) == []


@sampled(3, "puzzle", PUZZLES)
def test_witnesses_and_all_reasons_fit_the_schema(puzzle: str) -> None:
    found = found_for("candidates", "--witnesses", "--why", "all", puzzle)
    assert faults("candidates", found) == []
    assert {"solutions", "witnesses", "why", "rating", "steps", "excluded"} <= found.keys()


@pytest.mark.parametrize("command", FOR_MANY)
def test_what_a_limit_cut_short_fits_the_schema(command: str) -> None:
    for options in (["--conflicts", "1"], ["--timeout", "0.000001"]):
        found = found_for(command, *options, "--why", "r1c3", HARD)
        assert faults(command, found) == []
        assert found["verdict"] == "undecided"
        assert not found.get("complete")


@pytest.mark.parametrize("command", FOR_MANY)
def test_a_record_that_cannot_be_read_fits_the_schema(command: str) -> None:
    result = run(command, "--json", "-q", "-", stdin=f"{SMALL}\n{SMALL[:9]}\n")
    found = [json.loads(line) for line in result.lines]
    assert [each["verdict"] for each in found] == ["unique", "unreadable"]
    assert [faults(command, each) for each in found] == [[], []]


@pytest.mark.parametrize("command", FOR_MANY)
def test_the_rule_of_a_puzzle_changes_no_field(command: str) -> None:
    found = found_for(command, "--rule", "non-consecutive", "--why", "r1c2", AMBIGUOUS)
    assert faults(command, found) == []


def test_digits_above_nine_fit_the_schema() -> None:
    found = found_for("candidates", "--witnesses", "--alphabet", "A", WITH_SYMBOLS)
    assert faults("candidates", found) == []
    assert found["candidates"][0] == ["A"]


@for_each("puzzle", PUZZLES)
def test_a_hint_fits_its_schema(puzzle: str) -> None:
    assert faults("hint", found_for("hint", puzzle)) == []


def test_a_hint_has_all_that_more_shows() -> None:
    found = found_for("hint", "--board", "1.3..4.24..3..4.", SMALL)
    assert faults("hint", found) == []
    assert [found["where"], found["what"], found["step"]["text"]] == (
        run("hint", "--more", "--more", "--board", "1.3..4.24..3..4.", SMALL).lines
    )
    assert found["step"]["place"] == "r1c2=2"
    assert not found["solved"]
    assert found["wrong"] == []


def test_a_hint_names_wrong_digits() -> None:
    found = found_for("hint", "--board", "143..4.24..3..4.", SMALL)
    assert faults("hint", found) == []
    assert found["wrong"] == ["r1c2=4"]
    assert found["step"] is None


def test_a_hint_for_a_full_board_says_that_it_is_solved() -> None:
    found = found_for("hint", "--board", SMALL_SOLUTION, SMALL)
    assert faults("hint", found) == []
    assert found["solved"]
    assert found["step"] is None


def test_a_hint_says_why_there_is_none() -> None:
    found = found_for("hint", CLASHING)
    assert (found["verdict"], found["reason"]) == ("none", "r1c1 and r1c2 are both 5, in row 1")
    undecided = found_for("hint", "--timeout", "0.000001", HARD)
    assert faults("hint", undecided) == []
    assert undecided["verdict"] == "undecided"


def test_a_hint_with_too_few_or_too_many_fields_does_not_fit() -> None:
    found = found_for("hint", SMALL)
    assert faults("hint", {**found, "further": 1})
    for name in found:
        assert faults("hint", {other: found[other] for other in found if other != name}), name
    assert faults("hint", {**found, "step": None})


def test_fields_too_few_or_too_many_do_not_fit() -> None:
    found = found_for("candidates", "--witnesses", "--why", "all", EASY)
    assert faults("candidates", {**found, "further": 1})
    for name in ("verdict", "complete", "candidates", "witnesses", "why", "steps"):
        fewer = {other: value for other, value in found.items() if other != name}
        assert faults("candidates", fewer), name
    assert faults("candidates", {**found, "complete": False})
