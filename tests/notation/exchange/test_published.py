"""Published puzzles as their programs wrote them: read, written and read again, solved.

They belong to their authors and are not part of satdoku: SATDOKU_VARIANTS names their folder.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from satdoku.errors import SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check

_FOLDER = os.environ.get("SATDOKU_VARIANTS")
CASES = [
    content
    for path in (sorted(Path(_FOLDER).glob("*.json")) if _FOLDER else ())
    if "input" in (content := json.loads(path.read_text("utf-8")))
]


def solve(puzzle: Puzzle) -> tuple[str, str]:
    """The verdict, and the solution in the digits of the puzzle."""
    outcome = check(puzzle)
    is_unique = outcome.verdict is Verdict.UNIQUE
    digits = outcome.solution.digits if outcome.solution and is_unique else ()
    return outcome.verdict.value, "".join(map(puzzle.name_of_digit, digits))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_it_has_its_solution_read_from_any_program(case: dict[str, Any]) -> None:
    (puzzle,) = read_puzzles(case["input"].split("\n"))
    expected = (case["expected"]["verdict"], case["expected"].get("solution", ""))
    assert solve(puzzle) == expected
    for name in ("fpuzzles", "iss", "json"):
        try:
            text = FORMATS[name].write(puzzle)
        except SatdokuError as error:
            assert "cannot hold the rule" in str(error)  # noqa: PT017 - none is dropped
        else:
            (again,) = read_puzzles(text.split("\n"))
            assert solve(again) == expected
