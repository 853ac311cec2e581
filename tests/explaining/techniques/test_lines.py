"""Lines of which each two neighbours are compared, told at once."""

import random
from itertools import pairwise, product

import pytest

from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.step import Level, Technique
from satdoku.explaining.techniques.wider import lines_of
from satdoku.explaining.way import find_way
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget
from tests.explaining.judging import StepJudge

SMALL = Geometry(2, 2)


def ruled(geometry: Geometry, *rules: str) -> Puzzle:
    return Puzzle(Grid.empty(geometry)).with_rules(read_rules(rules, geometry))


def test_a_thermometer_is_told_at_once() -> None:
    puzzle = ruled(Geometry(3, 3), "thermo:r1c1,r1c2,r2c3,r3c4,r4c5")
    way = find_way(build_board(puzzle), Level.BASIC, Budget())
    assert list(Teller(way).tell()) == [
        "Rule: digits rise along the thermometer r1c1,r1c2,r2c3,r3c4,r4c5: r1c1 is 1 to 5, r1c2 is "
        "2 to 6, r2c3 is 3 to 7, r3c4 is 4 to 8 and r4c5 is 5 to 9; so r1c1≠6/7/8/9, r1c2≠1/7/8/9, "
        "r2c3≠1/2/8/9, r3c4≠1/2/3/9, r4c5≠1/2/3/4."
    ]
    assert "digits rise along the thermometer" in find_hint(puzzle).how


def test_a_line_whose_cells_keep_many_digits_is_told_by_what_goes() -> None:
    puzzle = ruled(Geometry(3, 3), "whispers:r5c5,r6c6,r7c7,r8c7")
    way = find_way(build_board(puzzle), Level.BASIC, Budget())
    assert next(iter(Teller(way).tell())) == (
        "Rule: neighbours on the line r5c5,r6c6,r7c7,r8c7 differ by at least 5; "
        "so r5c5≠5, r6c6≠5, r7c7≠5, r8c7≠5."
    )


@pytest.mark.parametrize(
    "rules",
    [
        ("thermo:r1c1,r2c2,r3c3",),
        ("slow-thermo:r1c4,r1c3,r2c2,r3c1", "greater:r4c4,r4c3,r3c3"),
        ("difference:2=r1c1,r1c2,r2c3,r3c4", "thermo:r4c1,r3c1,r2c1"),
    ],
)
def test_every_line_excludes_what_a_second_judge_excludes(rules: tuple[str, ...]) -> None:
    puzzle = ruled(SMALL, *rules)
    way = explain(puzzle, Scope(Level.BASIC)).way
    assert any(step.technique is Technique.BOUNDS for step in way.steps)
    StepJudge(puzzle).judge(way)


def test_a_line_leaves_what_some_way_along_it_has_and_nothing_else() -> None:
    """Compared with all fillings in which no two neighbours exclude each other."""
    chance = random.Random(7)
    board = build_board(ruled(SMALL, "thermo:r1c1,r2c2,r3c3,r4c3", "difference:1=r4c1,r4c2,r3c2"))
    for line in lines_of(board) * 10:
        left = sum(chance.getrandbits(1) << n for n in range(1, len(board.placements)))
        here = [candidates_of(truth.members & left) for truth in line.truths]
        ways = [
            way
            for way in product(*here)
            if not any(board.links[a] >> b & 1 for a, b in pairwise(way))
        ]
        every = [sum({1 << c for c in place}) for place in zip(*ways, strict=True)]
        assert line.possible(board, left) == (every or [0] * len(here)) or not ways


def test_two_rules_may_run_along_the_same_cells() -> None:
    cells = "r1c1,r2c2,r3c3"
    puzzle = ruled(SMALL, f"slow-thermo:{cells}", f"thermo:{cells}")
    way = explain(puzzle, Scope(Level.BASIC)).way
    StepJudge(puzzle).judge(way)
    assert any("thermometer" in text for text in Teller(way).tell())


def test_a_given_parts_a_line_and_two_cells_are_one_of_their_own() -> None:
    puzzle = ruled(Geometry(3, 3), "thermo:r1c1,r2c2,r3c3,r4c4,r5c5,r6c6")
    board = build_board(puzzle.with_grid(puzzle.grid.with_digits({20: 4})))
    assert [[t.cell for t in line.truths] for line in lines_of(board)] == [[30, 40, 50], [0, 10]]
