"""Ways reach the solution, by steps that an independent judge finds right."""

import random

import pytest

from satdoku.explaining.board import build_board
from satdoku.explaining.step import Level, Technique, Way
from satdoku.explaining.trace import digits_after
from satdoku.explaining.way import find_way
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check
from tests.boards import HARD, HARD_SOLUTION
from tests.crossing import sampled
from tests.explaining.judging import StepJudge, require_true
from tests.explaining.samples import (
    RULED,
    SHAPES,
    broken_puzzles,
    of_file,
    ruled_puzzle,
    shaped_puzzle,
    way_of,
)

RULES = ["diagonals", "anti-knight", "non-consecutive", "windoku"]


def require_good_way(puzzle: Puzzle) -> Way:
    """The way of a unique puzzle, judged step by step, and its end by the judge of grids."""
    way = way_of(puzzle)
    assert way.is_full
    assert way.is_complete
    grid = Grid(puzzle.geometry, tuple(digits_after(way, len(way.steps))))
    require_solution(grid, puzzle)
    require_true(way, grid.digits)
    # Asking the definitions about all pairs of 4096 candidates takes a minute.
    if puzzle.geometry.size < 16:
        StepJudge(puzzle).judge(way)
    return way


@pytest.mark.parametrize("name", ["easy", "sparse", "stubborn"])
def test_every_puzzle_of_a_collection_is_explained_to_its_end(name: str) -> None:
    for puzzle in of_file(name, 4):
        require_good_way(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["easy", "sparse", "stubborn"])
def test_hundreds_of_puzzles_are_explained_to_their_ends(name: str) -> None:
    for puzzle in of_file(name, 500):
        require_good_way(puzzle)


@pytest.mark.parametrize("geometry", [s for s in SHAPES if s.size < 12], ids=str)
def test_every_shape_is_explained(geometry: Geometry) -> None:
    require_good_way(shaped_puzzle(geometry, 0, 30))


@pytest.mark.slow
@pytest.mark.parametrize("geometry", SHAPES, ids=str)
def test_sparse_puzzles_of_every_shape_are_explained(geometry: Geometry) -> None:
    for seed in range(50 if geometry.size < 12 else 3):
        require_good_way(shaped_puzzle(geometry, seed))


@pytest.mark.parametrize(
    "rule", [*RULES[:2], *(pytest.param(rule, marks=pytest.mark.slow) for rule in RULES[2:])]
)
def test_further_rules_are_explained(rule: str) -> None:
    require_good_way(ruled_puzzle(rule, 0, 40))


def test_puzzles_that_were_made_with_further_rules_are_unique() -> None:
    for rule, seed, fewest in RULED:
        puzzle = ruled_puzzle(rule, seed, fewest)
        assert check(puzzle).verdict is Verdict.UNIQUE
        assert len(puzzle.givens) >= fewest


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_sparse_puzzles_with_further_rules_are_explained(rule: str) -> None:
    for seed in range(20):
        require_good_way(ruled_puzzle(rule, seed))


def test_the_hardest_need_cases_and_get_to_their_end() -> None:
    way = require_good_way(HARD)
    assert digits_after(way, len(way.steps)) == list(HARD_SOLUTION.digits)
    cases = [step for step in way.steps if step.technique is Technique.CASES]
    assert cases
    assert all(step.stories[0].depth == 1 for step in cases)


def test_the_same_puzzle_always_gets_the_same_way() -> None:
    for puzzle in of_file("stubborn", 4):
        again = find_way(build_board(puzzle), Level.ALL, Budget())
        assert again.steps == way_of(puzzle).steps


@sampled(2, "geometry", [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)], ids=str)
def test_broken_puzzles_end_in_a_contradiction(geometry: Geometry) -> None:
    rng = random.Random(str(geometry))
    broken = [
        b for seed in range(3) for b in broken_puzzles(shaped_puzzle(geometry, seed, 45), rng)
    ]
    assert broken
    for puzzle in broken:
        way = way_of(puzzle)
        assert way.dead_end is not None
        StepJudge(puzzle).judge(way)


@pytest.mark.slow
def test_broken_hardest_puzzles_end_in_a_contradiction_too() -> None:
    # Most changes of it clash at once or leave it solvable: some seeds lead to a broken one.
    broken = next(filter(None, (broken_puzzles(HARD, random.Random(seed)) for seed in range(20))))
    way = way_of(broken[0])
    assert way.dead_end is not None
    StepJudge(broken[0]).judge(way)


@pytest.mark.parametrize(
    ("level", "hardest"),
    [
        (Level.SINGLES, {Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE, Technique.NAKED_SINGLE}),
        (Level.BASIC, set(list(Technique)[: list(Technique).index(Technique.SKYSCRAPER)])),
        (Level.CHAINS, set(list(Technique)[: list(Technique).index(Technique.NET)])),
    ],
    ids=lambda value: value.value if isinstance(value, Level) else "",
)
def test_a_level_keeps_harder_steps_out(level: Level, hardest: set[Technique]) -> None:
    ended = 0
    for puzzle in of_file("stubborn", 8):
        way = way_of(puzzle, level)
        assert {step.technique for step in way.steps} <= hardest
        assert way.is_complete
        ended += not way.is_full
    assert ended


def test_logic_ends_where_several_solutions_begin() -> None:
    puzzle = HARD.with_grid(HARD.grid.with_digits(dict.fromkeys(list(HARD.givens)[:3], 0)))
    way = way_of(puzzle)
    assert not way.is_full
    assert way.dead_end is None
    outcome = check(puzzle)
    for solution in outcome.solutions:
        assert solution is not None
        require_true(way, solution.digits)


def test_a_limit_keeps_the_steps_that_there_are_by_then() -> None:
    way = find_way(build_board(HARD), Level.ALL, Budget(Limits(conflicts=1)))
    assert not way.is_complete
    assert not way.is_full
    StepJudge(HARD).judge(way)


def test_each_step_rests_on_the_steps_that_took_the_rest_of_its_truths() -> None:
    way = way_of(HARD)
    taken_by: dict[int, int] = {}
    for step in way.steps:
        gone = {
            member
            for truth in step.truths
            for member in range(1, len(way.board.placements))
            if truth.members >> member & 1 and member in taken_by
        }
        assert set(step.rests_on) == {taken_by[member] for member in gone}
        new = step.excludes if step.places is None else [step.places]
        assert all(step.before >> member & 1 for member in new)
        for member in range(1, len(way.board.placements)):
            links = 0 if step.places is None else way.board.links[step.places]
            if member in step.excludes or links >> member & 1:
                taken_by.setdefault(member, step.number)
