"""What is cut out of a way still holds by itself, and needs all that it keeps."""

import random

import pytest

from satdoku.explaining.step import Way
from satdoku.explaining.trace import argument_of, why_excluded, why_placed, without_idle_steps
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import HARD, HARD_SOLUTION
from tests.crossing import sampled
from tests.explaining.judging import StepJudge
from tests.explaining.samples import broken_puzzles, of_file, shaped_puzzle, way_of

PUZZLES = of_file("stubborn", 4)


def require_whole(way: Way) -> None:
    """Numbers count from 1, and steps rest on earlier ones only."""
    assert [step.number for step in way.steps] == list(range(1, len(way.steps) + 1))
    assert all(number < step.number for step in way.steps for number in step.rests_on)


@sampled(2, "puzzle", PUZZLES)
def test_idle_steps_go_and_the_way_still_holds(puzzle: Puzzle) -> None:
    way = way_of(puzzle)
    kept = without_idle_steps(way)
    require_whole(kept)
    StepJudge(puzzle).judge(kept)
    used = {number for step in kept.steps for number in step.rests_on}
    assert all(step.places is not None or step.number in used for step in kept.steps)


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_why_a_cell_has_its_digit_holds_by_itself(puzzle: Puzzle) -> None:
    way = way_of(puzzle)
    for cell in [c for c, digit in enumerate(puzzle.grid.digits) if not digit][::5]:
        why = why_placed(way, cell)
        assert why is not None
        require_whole(why)
        StepJudge(puzzle).judge(why)
        last = why.steps[-1]
        assert last.places is not None
        assert way.board.placements[last.places].cell == cell
        # Everything is used by something after it, up to the last step.
        used = {number for step in why.steps for number in step.rests_on}
        assert used == set(range(1, len(why.steps)))


def test_why_a_candidate_is_excluded_ends_with_the_step_that_does() -> None:
    way = way_of(HARD)
    board = way.board
    for candidate in range(1, len(board.placements), 25):
        cell, digit = board.placements[candidate]
        why = why_excluded(way, candidate)
        if HARD_SOLUTION.digits[cell] == digit:
            assert why is None
            continue
        assert why is not None
        StepJudge(HARD).judge(why)
        last = why.steps[-1]
        links = 0 if last.places is None else board.links[last.places]
        assert candidate in last.excludes or links >> candidate & 1


def test_a_given_is_placed_by_no_step() -> None:
    assert why_placed(way_of(HARD), min(HARD.givens)) is None


def test_an_argument_keeps_only_what_its_dead_end_rests_on() -> None:
    broken = broken_puzzles(shaped_puzzle(Geometry(3, 3), 2, 40), random.Random(3))
    assert broken
    for puzzle in broken[:8]:
        way = way_of(puzzle)
        argument = argument_of(way)
        require_whole(argument)
        StepJudge(puzzle).judge(argument)
        assert argument.dead_end == way.dead_end
        used = {number for step in argument.steps for number in step.rests_on}
        assert used | set(argument.dead_end_rests_on) == set(range(1, len(argument.steps) + 1))
