"""The server answers every question that commands answer, with the same entries and values."""

import json
from typing import Any

import pytest

import satdoku
from satdoku.notation.spelling import write_cells
from satdoku.serving.facts import QUESTIONS
from tests.commands import EASY, SMALL, run
from tests.each import for_each
from tests.serving.test_asks import SCHEMA, SEVERAL, ask, only

questions = for_each("question", list(QUESTIONS))


def facts(question: str, given: str, **entries: Any) -> dict[str, Any]:
    return only(ask("facts", given, question=question, **entries), "facts")


@questions
def test_the_values_are_those_of_the_command(question: str) -> None:
    for text in (SMALL, "1" + "." * 15, "11" + "." * 14):
        found = facts(question, text)
        printed = json.loads(run(question, "--json", text).stdout)
        assert isinstance(found.pop("line"), str)
        assert found.pop("part") == "facts"
        printed.pop("line", None)  # the number of the line with the puzzle
        assert found.keys() == printed.keys()
        for name in found.keys() - {"seconds"}:
            assert found[name] == printed[name]


@pytest.mark.parametrize(
    ("question", "entries", "arguments"),
    [
        ("rate", {"steps": True, "estimate": True}, ["--steps", "--estimate"]),
        ("count", {"limit": 0}, ["--limit", "0"]),
        ("explain", {"why": ["r1c3"], "level": "singles"}, ["--why", "r1c3", "--level", "singles"]),
        ("hint", {"more": 2}, ["--more", "--more"]),
        ("candidates", {"flat": True}, ["--flat"]),
        ("minimize", {"fewest": True}, ["--fewest"]),
        ("canonical", {"of": "solution", "how": True}, ["--of", "solution", "--how"]),
    ],
)
def test_entries_are_the_options_of_the_command(
    question: str, entries: dict[str, Any], arguments: list[str]
) -> None:
    text = SMALL if question in ("minimize", "canonical") else EASY
    assert facts(question, text, **entries)["line"] + "\n" == run(question, *arguments, text).stdout


def test_entries_that_leave_no_solution_together_are_named_as_the_reason() -> None:
    puzzle, board = "1" + "." * 15, "1234" + "2" + "." * 11
    wanted = "no solution has all that was entered and marked"
    assert facts("hint", puzzle, board=board)["line"] == wanted
    assert run("hint", puzzle, "--board", board).stdout == wanted + "\n"


def test_any_solution_will_do() -> None:
    found = facts("solve", SEVERAL, any=True)
    assert found["solution"] in {write_cells(grid) for grid in satdoku.solutions(SEVERAL)}
    assert found["second"] is None
    assert facts("solve", "11" + "." * 14, any=True)["verdict"] == "none"


def test_what_is_no_entry_is_refused_by_name() -> None:
    for entries, said in (
        ({"question": "rate", "setps": True}, "no entry 'setps'; there are: steps, estimate"),
        ({"question": "rate", "steps": 1}, "'steps' is true or false"),
        ({"question": "rank"}, "'question' is one of: check, solve"),
        ({}, "'question' is one of: check, solve"),
        ({"question": ["rate"]}, "'question' is one of"),
    ):
        [part] = ask("facts", SMALL, **entries)
        assert said in part["error"]
    [part] = ask("minimize", SMALL, fewst=True)
    assert "no entry 'fewst'" in part["error"]


def test_puzzles_are_made_for_the_wishes_of_the_command() -> None:
    empty = "." * 16
    found = ask("generate", empty, number=3, seed="7", distinct="exact", difficulty="easy")
    printed = run("generate", "--box", "2x2", "-n", 3, "--seed", 7, "--distinct", "exact").stdout
    made = ["".join(str(digit or ".") for digit in part["cells"]) for part in found]
    assert made == printed.split()
    [part] = ask("generate", empty, **{"from": "1234341221434321"})
    solved = satdoku.solve("".join(str(digit or ".") for digit in part["cells"]))
    assert write_cells(solved) == "1234341221434321"
    for entries, said in (
        ({"ratings": [0, 1]}, "no entry 'ratings'"),
        ({"rating": [0, True]}, "'rating' is two whole numbers"),
        ({"rating": [0, 1], "difficulty": "easy"}, "exclude each other"),
        ({"needs": ["nothing"]}, "nothing"),
    ):
        [part] = ask("generate", empty, **entries)
        assert said in part["error"]


def test_a_limit_is_told_among_the_values() -> None:
    found = facts("count", "." * 81, limit=0, seconds=0.05)
    assert (found["verdict"], found["exact"]) == ("undecided", False)
    assert found["reason"]


def test_the_schema_has_the_entries_that_answerers_declare() -> None:
    """The part of the file is `satdoku.serving.facts.describe_questions()` as JSON."""
    assert SCHEMA["$defs"]["questions"] == {
        "description": SCHEMA["$defs"]["questions"]["description"],
        **only(ask("about"), "about")["questions"],
    }
