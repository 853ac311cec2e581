"""JSON objects fit the schema that is documented."""

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.objects import candidates_object, explanation_object
from satdoku.explaining.step import Level
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, Limits
from tests.boards import HARD, clashing_puzzle, read_grid, stuck_puzzle
from tests.crossing import crossed, sampled
from tests.explaining.samples import broken_puzzles, explained, of_file, shaped_puzzle

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "explanation.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
OPEN = HARD.with_grid(HARD.grid.with_digits(dict.fromkeys(list(HARD.givens)[:3], EMPTY)))
BROKEN = broken_puzzles(shaped_puzzle(Geometry(2, 3), 0, 45), random.Random(0))
PUZZLES = [
    HARD,
    OPEN,
    *of_file("stubborn", 1),
    *BROKEN[:3],
    clashing_puzzle(Geometry(2, 3)),
    stuck_puzzle(Geometry(2, 2)),
    Puzzle(read_grid("1234341221434321")),
    Puzzle(read_grid("11......." + "." * 9 + ".......22" + "." * 54)),
]


def object_of(puzzle: Puzzle, scope: Scope | None = None) -> dict[str, Any]:
    """The object of a puzzle, once through JSON and back."""
    return through_json(explain(puzzle, scope))


def through_json(explanation: Explanation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(explanation_object(explanation)))
    return found


def faults(found: dict[str, Any]) -> list[str]:
    """What the schema says against an object."""
    return [error.message for error in VALIDATOR.iter_errors(found)]


@crossed(5, puzzle=PUZZLES)
def test_every_object_fits_the_schema(puzzle: Puzzle) -> None:
    assert faults(through_json(explained(puzzle, Level.ALL))) == []


def test_an_object_with_a_field_too_few_or_too_many_does_not_fit() -> None:
    found = through_json(explained(HARD, Level.ALL))
    assert faults({**found, "further": 1})
    assert faults({name: value for name, value in found.items() if name != "steps"})


@sampled(2, "level", Level)
def test_every_level_fits_the_schema(level: Level) -> None:
    for puzzle in (HARD, OPEN, *BROKEN[:1]):
        found = through_json(explained(puzzle, level))
        assert faults(found) == []
        assert found["level"] == level.value


@pytest.mark.parametrize("limits", [Limits(conflicts=1), Limits(conflicts=40), Limits(timeout=0)])
def test_what_a_limit_cut_short_fits_the_schema_and_says_so(limits: Limits) -> None:
    for puzzle in (HARD, OPEN):
        found = object_of(puzzle, Scope(limits=limits))
        assert faults(found) == []
        assert not found["complete"]
        assert found["reason"]


def test_a_step_has_the_fields_that_programs_read() -> None:
    first = object_of(Puzzle(read_grid("1.....2..3.....4")))["steps"][0]
    assert first == {
        "n": 1,
        "technique": "hidden single",
        "called": "hidden single",
        "size": 1,
        "place": "r1c2=2",
        "exclude": [],
        "because": [{"rule": "2 stands somewhere in box 1", "left": ["r1c2=2"]}],
        "blocks": ["r2c3"],
        "rests_on": [],
        "text": "Hidden single: box 1 still needs a 2; the 2 in r2c3 leaves only r1c2.",
        "story": None,
    }


def test_the_same_puzzle_always_gets_the_same_object() -> None:
    assert object_of(OPEN) == object_of(OPEN)


def test_true_candidates_and_their_witnesses() -> None:
    found = candidates_object(find_true_candidates(OPEN, Budget()), True)
    for name, number in found["witnesses"].items():
        cell, digit = name.split("=")
        row, column = cell[1:].split("c")
        place = (int(row) - 1) * 9 + int(column) - 1
        assert found["solutions"][number][place] == int(digit)
        assert int(digit) in found["candidates"][place]
    assert sum(map(len, found["candidates"])) == len(found["witnesses"])
