"""Multi-sector locked sets: a famous one, and that what each excludes is in no solution."""

import pytest

from satdoku.explaining.board import Board, find_board
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.techniques.sectors import SEARCH
from satdoku.explaining.way import Walker
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import read_grid
from tests.explaining.judging import require_true

# "Easter Monster", by jpf, Sudoku Players' Forums, 2007: the puzzle of the first SK loop.
EASTER_MONSTER = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"


def steps_of(puzzle: Puzzle) -> tuple[Board, list[Step]]:
    """The sets that there are after what is basic, each of which the prover has passed."""
    with Walker(find_board(puzzle), Level.BASIC, Budget()) as walker:
        walker.go_on()
        return walker.position.board, walker.every_step({Technique.LOCKED_LINES})


def test_the_loop_of_the_easter_monster_is_a_set() -> None:
    puzzle = Puzzle(read_grid(EASTER_MONSTER))
    board, (step,) = steps_of(puzzle)
    cells = {truth.cell for truth in step.truths}
    assert cells == {9 * row + column for row in (1, 3, 5, 7) for column in (0, 2, 6, 8)}
    assert len(step.excludes) == 16
    solution = check(puzzle).solution
    assert solution is not None
    for candidate in step.excludes:
        cell, digit = board.placements[candidate]
        assert solution.digits[cell] != digit


@pytest.mark.slow
def test_an_explanation_begins_with_it() -> None:
    explanation: Explanation = explain(Puzzle(read_grid(EASTER_MONSTER)), Scope(Level.ALL))
    assert explanation.solution is not None
    require_true(explanation.way, explanation.solution.digits)
    text = " ".join("\n".join(describe(explanation)).split())
    assert "that is just 16 digits for 16 cells, so these lines have none of them elsewhere" in text


def test_boards_of_other_sizes_have_none() -> None:
    assert steps_of(Puzzle(read_grid("1...............")))[1] == []


def test_it_is_told_what_other_programs_call_it() -> None:
    assert any("SK loop" in name for name in SEARCH.elsewhere[Technique.LOCKED_LINES])
