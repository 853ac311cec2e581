"""Puzzles that are minimal in their clues as well as in their givens."""

from dataclasses import replace

import pytest

from satdoku import api
from satdoku.making.clues import clues_of
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.commands import require_failure, run

RULES = [
    "killer:6=r1c1-3",
    "killer:5=r1-2c4",
    "killer:10=r2-4c1,r3c2",
    "killer:7=r2c2-3,r3c3",
    "killer:5=r3-4c4",
    "killer:7=r4c2-3",
    "thermo:r2c3,r1c4",
    "even:r1c1",
]
LINE = "2134" + "." * 12


def is_needed(puzzle: Puzzle) -> bool:
    return check(puzzle).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_nothing_that_is_left_can_go(seed: str) -> None:
    puzzle = Puzzle.from_line(LINE, rules=RULES)
    found = api.minimize(puzzle, seed=seed, clues=True)
    assert check(found.puzzle).solution == found.solution == check(puzzle).solution
    left = clues_of(found.puzzle)
    assert set(left) < set(clues_of(puzzle))
    for clue in left:
        rules = tuple(rule for rule in found.puzzle.rules if rule != clue)
        assert is_needed(replace(found.puzzle, rules=rules))
    for cell in found.puzzle.givens:
        assert is_needed(found.puzzle.with_grid(found.puzzle.grid.with_digits({cell: EMPTY})))
    assert api.minimize(puzzle, seed=seed, clues=True).puzzle == found.puzzle


def test_the_command_says_which_clues_are_left() -> None:
    options = [word for rule in RULES for word in ("--rule", rule)]
    found = run("minimize", LINE, *options, "--clues", "--json")
    assert found.code == 0
    all_rules = run("minimize", LINE, *options, "--json").stdout
    assert '"clues": [' in found.stdout
    assert '"clues"' not in all_rules
    require_failure(run("minimize", LINE, "--clues", "--fewest"), "--clues", code=2)


def test_regions_and_digits_are_no_clues() -> None:
    rules = ["digits:0-3", "regions:AABB/ABBC/ADCC/DDDC", "odd:r1c1", "anti-knight"]
    assert [clue.name for clue in clues_of(Puzzle.from_line("." * 16, rules=rules))] == ["odd"]
