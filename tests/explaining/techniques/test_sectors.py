"""Multi-sector locked sets and SK loops: a famous board, and that what each excludes is wrong."""

import re
from itertools import product

import pytest

from satdoku.explaining.board import Board, build_board, candidates_of, find_board
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.search import Around
from satdoku.explaining.techniques.sectors import SEARCH
from satdoku.explaining.way import Walker
from satdoku.explaining.words.explanation import describe
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import read_grid
from tests.explaining.judging import require_true

# "Easter Monster", by jpf, Sudoku Players' Forums, 2007: the puzzle of the first SK loop.
EASTER_MONSTER = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"


def steps_of(
    puzzle: Puzzle, technique: Technique = Technique.LOCKED_LINES
) -> tuple[Board, list[Deduction]]:
    """The sets that there are after what is basic, each of which the prover has passed."""
    with Walker(find_board(puzzle), Level.BASIC, Budget()) as walker:
        walker.go_on()
        return walker.position.board, walker.every_step({technique})


def require_wrong(puzzle: Puzzle, board: Board, step: Deduction) -> None:
    """Fails if a step excludes what the solution has."""
    solution = check(puzzle).solution
    assert solution is not None
    for candidate in step.excludes:
        cell, digit = board.placements[candidate]
        assert solution.digits[cell] != digit


def test_the_loop_of_the_easter_monster_is_a_set() -> None:
    puzzle = Puzzle(read_grid(EASTER_MONSTER))
    board, (step,) = steps_of(puzzle)
    cells = {truth.cell for truth in step.truths}
    assert cells == {9 * row + column for row in (1, 3, 5, 7) for column in (0, 2, 6, 8)}
    assert len(step.excludes) == 16
    require_wrong(puzzle, board, step)


def test_its_loop_is_told_by_lines_and_boxes() -> None:
    puzzle = Puzzle(read_grid(EASTER_MONSTER))
    board, (step,) = steps_of(puzzle, Technique.SK_LOOP)
    require_wrong(puzzle, board, step)
    assert next(Teller(Way(board, (step,))).tell()) == (
        "SK loop: look at the 16 cells r1c2, r1c8, r2c1, r2c3, r2c7, r2c9, r3c2, r3c8, r7c2, r7c8, "
        "r8c1, r8c3, r8c7, r8c9, r9c2 and r9c8. No line or box has a digit twice, so these cells "
        "hold at most two 1s (boxes 3 and 7), two 2s (boxes 1 and 9), two 3s (row 2 and column 8), "
        "two 4s (row 8 and column 2), one 5 (row 8), two 6s (boxes 3 and 7), two 7s (boxes 1 and "
        "9), two 8s (row 2 and column 2) and one 9 (column 8). That is 16 digits for 16 cells, so "
        "none can be missing: each of the lines and boxes in brackets has its digit in these cells "
        "and nowhere else; so r1c3≠7, r2c5≠3/8, r2c6≠8, r3c1≠2, r5c2≠4/8, r5c8≠3/9, r7c3≠1, "
        "r8c4≠5, r8c5≠4, r9c1≠6."
    )


@pytest.mark.parametrize("technique", [Technique.LOCKED_LINES, Technique.SK_LOOP])
def test_the_numbers_of_digits_add_up_and_leave_no_place(technique: Technique) -> None:
    board, (step,) = steps_of(Puzzle(read_grid(EASTER_MONSTER)), technique)
    text = next(Teller(Way(board, (step,))).tell())
    left = {board.placements[each] for each in candidates_of(step.before)}
    cells = {truth.cell for truth in step.truths}
    if technique is Technique.LOCKED_LINES:
        rows, columns = (
            {int(n) - 1 for n in re.findall(r"\d", each)}
            for each in re.findall(r"(?:rows|columns) ([\d, and]+)", text)[:2]
        )
        assert cells == {
            9 * row + column
            for row, column in product(rows, columns)
            if len([place for place in left if place.cell == 9 * row + column]) > 1
        }
    units = {str(unit): {*unit.cells} for unit in board.puzzle.geometry.units}
    most, gone = 0, set()
    for number, digit, where in re.findall(r"(one|two|three|four) (\d)s? \((.*?)\)", text):
        named = [
            units[f"{kind} {n}"]
            for kind, listed in re.findall(r"(row|column|box)(?:e?s)? ([\d, and]+)", where)
            for n in re.findall(r"\d", listed)
        ]
        assert len(named) == ("one", "two", "three", "four").index(number) + 1
        most += len(named)
        held = {place.cell for place in left if place.digit == int(digit)}
        assert held & cells <= set().union(*named)
        gone |= {(cell, int(digit)) for cell in held & set().union(*named) - cells}
    assert most == len(cells)
    assert {board.placements[each] for each in step.excludes} <= gone


@pytest.mark.slow
def test_an_explanation_begins_with_it() -> None:
    explanation: Explanation = explain(Puzzle(read_grid(EASTER_MONSTER)), Scope(Level.ALL))
    assert explanation.solution is not None
    require_true(explanation.way, explanation.solution.digits)
    text = " ".join("\n".join(describe(explanation)).split())
    assert "in 16 open cells. No line has a digit twice, so these cells hold at most " in text


def test_boards_of_other_sizes_have_none() -> None:
    assert steps_of(Puzzle(read_grid("1...............")))[1] == []


def test_it_is_told_what_other_programs_call_it() -> None:
    assert "Sunnie: domino loop" in SEARCH.elsewhere[Technique.SK_LOOP]


def test_boards_of_nine_digits_in_shorter_rows_have_none() -> None:
    """Their cells are numbered otherwise: 0, 9, 18 and 27 are in no column."""
    puzzle = Puzzle(Grid.empty(Geometry.parse("board:9x8:digits=9")))
    position = Position(build_board(puzzle))
    # Few digits in the cells that a board of 9x9 has in four rows and columns.
    cells = [9 * row + column for row in range(4) for column in range(4)]
    gone = [
        candidate
        for candidate, (cell, digit) in enumerate(position.board.placements)
        if cell in cells and digit > 4
    ]
    position.apply(Finding(Technique.CASES, (), excludes=tuple(gone)))
    around = Around(position, Budget(), Nets(position, Budget()), {})
    assert not list(SEARCH.every(around))
