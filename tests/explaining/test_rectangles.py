"""Unique rectangles: only where they are allowed, and where the digits can really be swapped."""

import pytest

from satdoku.explaining.board import build_board
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.prover import Prover, WrongStepError
from satdoku.explaining.rectangles import Rectangles, can_be_swapped
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from tests.boards import HARD, read_grid
from tests.explaining.judging import StepJudge, require_true
from tests.explaining.samples import FOLDER, way_of

# Puzzles in which a rectangle is found.
LINES = (FOLDER / "stubborn.txt").read_text().split()
NUMBERS = [5]
PUZZLES = [Puzzle(read_grid(LINES[number])) for number in NUMBERS]
# Puzzles with other kinds, and on how many truths these rest.
OTHERS: list[tuple[str, Technique, int]] = []
ASSUMING = Scope(assumes_unique=True)


def explained(puzzle: Puzzle) -> tuple[Explanation, list[Step]]:
    """The explanation with rectangles, and its rectangles."""
    explanation = explain(puzzle, ASSUMING)
    steps = explanation.way.steps
    return explanation, [s for s in steps if s.assumes_unique]


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_rectangles_are_used_and_right(puzzle: Puzzle) -> None:
    explanation, rectangles = explained(puzzle)
    assert rectangles
    assert all(step.assumes_unique for step in rectangles)
    assert explanation.solution is not None
    assert explanation.way.is_full
    require_true(explanation.way, explanation.solution.digits)
    StepJudge(puzzle).judge(explanation.way)
    text = "\n".join(describe(explanation))
    assert text.count("assuming that there is one") == len(rectangles)


@pytest.mark.parametrize(("line", "technique", "size"), OTHERS)
def test_other_kinds_are_used_and_right(line: str, technique: Technique, size: int) -> None:
    puzzle = Puzzle(read_grid(line))
    explanation, found = explained(puzzle)
    assert (technique, size) in {(step.technique, step.size) for step in found}
    assert explanation.solution is not None
    require_true(explanation.way, explanation.solution.digits)
    StepJudge(puzzle).judge(explanation.way)


def test_no_step_assumes_anything_unless_that_is_allowed() -> None:
    for puzzle in (*PUZZLES, HARD):
        assert not any(step.assumes_unique for step in way_of(puzzle).steps)


def test_they_are_harder_than_singles() -> None:
    explanation = explain(PUZZLES[0], Scope(Level.SINGLES, assumes_unique=True))
    assert not any(step.assumes_unique for step in explanation.way.steps)


def test_nothing_is_assumed_of_a_puzzle_with_several_solutions() -> None:
    """Without two givens there may be rectangles, but what they exclude may be right."""
    puzzle = PUZZLES[0]
    cells = sorted(puzzle.givens)
    for first in cells[:4]:
        several = puzzle.with_grid(puzzle.grid.with_digits({first: 0}))
        explanation, rectangles = explained(several)
        assert explanation.verdict is Verdict.MULTIPLE
        assert not rectangles


@pytest.mark.parametrize(
    ("corners", "can_swap"),
    [
        ((1, 4, 10, 13), True),  # rows of a band, columns of two stacks
        ((1, 2, 28, 29), True),  # columns of a stack, rows of two bands
        ((1, 4, 28, 31), False),  # four boxes, each with one of them
        ((0, 4, 9, 13), False),  # a given among them
    ],
)
def test_which_cells_can_be_swapped(corners: tuple[int, int, int, int], can_swap: bool) -> None:
    puzzle = Puzzle(read_grid("1" + "." * 80))
    assert can_be_swapped(puzzle, corners) is can_swap


def test_rules_that_tell_digits_apart_allow_no_rectangles() -> None:
    puzzle = PUZZLES[0]
    ruled = puzzle.with_rules([read_rule("odd:r1c1", puzzle.geometry)])
    assert not Rectangles(build_board(ruled)).is_for_us
    assert Rectangles(build_board(puzzle)).is_for_us


def test_a_rectangle_that_the_solution_contradicts_is_refused() -> None:
    puzzle = PUZZLES[0]
    explanation, rectangles = explained(puzzle)
    step = rectangles[0]
    (truth,) = step.truths
    assert truth.unit is not None
    assert explanation.solution is not None
    held = tuple(explanation.solution.digits[cell] for cell in truth.unit.cells)
    prover = Prover(explanation.way.board, Budget())
    # Nobody has said which solution is the only one.
    with pytest.raises(WrongStepError, match="assumes what is not so"):
        prover.require(step)
    prover.assume_only(explanation.solution)
    with pytest.raises(WrongStepError, match="assumes what is not so"):
        prover.require(step._replace(truths=(truth._replace(swapped=held),)))
    prover.close()
