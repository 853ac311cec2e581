"""Unique rectangles: only where they are allowed, and where the digits can really be swapped."""

from collections import defaultdict
from itertools import combinations, islice
from random import Random

import pytest

from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.position import Position
from satdoku.explaining.prover import Prover, WrongStepError
from satdoku.explaining.step import ASSUMING_UNIQUE, GRAVES, Deduction, Level, Technique
from satdoku.explaining.techniques.rectangles import Rectangles, can_be_swapped
from satdoku.explaining.techniques.swaps import extended_rectangles, unique_loops
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from tests.boards import HARD, full_grid, read_grid
from tests.crossing import sampled
from tests.explaining.judging import StepJudge, require_true
from tests.explaining.samples import FOLDER, way_of

# Puzzles in which a rectangle is found.
LINES = (FOLDER / "stubborn.txt").read_text().split()
NUMBERS = [5]
PUZZLES = [Puzzle(read_grid(LINES[number])) for number in NUMBERS]
# Puzzles with other kinds, and on how many truths these rest.
OTHERS = [
    (
        "8.9...3.....7.1...5.........7.....263...9.......1...4..6.2....4....8.5...........",
        Technique.AVOIDABLE_RECTANGLE,
        2,
    ),
    # What is left of all cells makes this one, also what nothing else rests on.
    (
        "....8.61..53............5.2...4......2..58..74..7.9.5.964..........2.86.3.....7..",
        Technique.BUG,
        1,
    ),
    # Shapes of more cells.
    (
        "....8...7.......5.9..6.1...2.6..4.9.......1.....9..3.64.8.5....6...7.8....23.....",
        Technique.UNIQUE_LOOP,
        2,
    ),
    (
        "...5.3.......6.7..5.8....1636..2.......4.1.......3...567....2.8..4.7.......2..5..",
        Technique.EXTENDED_RECTANGLE,
        1,
    ),
    (
        "2..7........68..57.8...3.6.....1....3..4.....6.2....9........7...9...8.5.4.53...6",
        Technique.BUG_N,
        1,
    ),
]
# Where three of the cells r1c2, r1c7, r2c2 and r2c7 have digits, the last one must not be 2.
SWAPPABLE = "8.3...........1.....192.4..4..862...7.8.......3..4.16...7....4......6.97....53..."
ASSUMING = Scope(assumes_unique=True)


def explained(puzzle: Puzzle) -> tuple[Explanation, list[Deduction]]:
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


@sampled(3, "line, technique, size", OTHERS)
def test_other_kinds_are_used_and_right(line: str, technique: Technique, size: int) -> None:
    puzzle = Puzzle(read_grid(line))
    explanation, found = explained(puzzle)
    assert (technique, size) in {(step.technique, step.size) for step in found}
    assert all(step.technique in ASSUMING_UNIQUE for step in found)
    for step in found:
        if step.technique in GRAVES:
            assert step.rests_on == tuple(range(1, step.number))
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


def test_only_digits_that_a_player_has_entered_make_a_rectangle_avoidable() -> None:
    puzzle = Puzzle(read_grid(SWAPPABLE))
    entered = puzzle.with_grid(puzzle.grid.with_digits({1: 2, 6: 9, 10: 9}))
    board = build_board(entered)
    found = Rectangles(board, puzzle).find(Position(board))
    assert found is not None
    assert found.technique is Technique.AVOIDABLE_RECTANGLE
    assert list(map(board.name_of, found.excludes)) == ["r2c7=2"]
    # The same digits as givens do not move.
    given = Rectangles(board, entered).find(Position(board))
    assert given is None or given.technique is not Technique.AVOIDABLE_RECTANGLE


def test_a_hint_assumes_one_solution_where_it_is_asked_to() -> None:
    """On a board with a player's digits and marks, none of which is a given."""
    line, technique, _ = OTHERS[0]
    puzzle = Puzzle(read_grid(line))
    way = explained(puzzle)[0].way
    number = [step.technique for step in way.steps].index(technique)
    entered = Grid(puzzle.geometry, tuple(digits_after(way, number)))
    open_cells = defaultdict(list)
    for cell, digit in map(
        way.board.placements.__getitem__, candidates_of(left_after(way, number))
    ):
        open_cells[cell].append(digit)
    marks = Candidates(tuple((cell, tuple(digits)) for cell, digits in open_cells.items()))
    hint = find_hint(puzzle, entered, marks=marks, assumes_unique=True)
    assert hint.step is not None
    assert hint.step.technique is technique
    assert hint.where == "look at r7c1, r7c5, r9c1 and r9c5"
    plain = find_hint(puzzle, entered, marks=marks)
    assert plain.step is not None
    assert not plain.step.assumes_unique


def test_rules_that_tell_digits_apart_allow_no_rectangles() -> None:
    puzzle = PUZZLES[0]
    ruled = puzzle.with_rules([read_rule("odd:r1c1", puzzle.geometry)])
    assert not Rectangles(build_board(ruled), ruled).is_for_us
    assert Rectangles(build_board(puzzle), puzzle).is_for_us


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
    false = [c for c in truth.listed if explanation.way.board.placements[c].digit not in held]
    with pytest.raises(WrongStepError, match="assumes what is not so"):
        prover.require(step._replace(truths=(truth._replace(listed=false),)))
    prover.close()


def swapped(grid: Grid, cells: tuple[int, ...]) -> Grid:
    """The grid with the digits of a loop exchanged, or of the two lines with three cells."""
    digits, size = grid.digits, grid.geometry.size
    if len({digits[cell] for cell in cells}) == 2:
        one, other = {digits[cell] for cell in cells}
        return grid.with_digits({c: one + other - digits[c] for c in cells})
    rows = sorted({cell // size for cell in cells})
    columns = sorted({cell % size for cell in cells})
    if len(rows) == 2:
        partner = {c: sum(rows) - c // size for c in cells}
        return grid.with_digits({c: digits[partner[c] * size + c % size] for c in cells})
    partner = {c: sum(columns) - c % size for c in cells}
    return grid.with_digits({c: digits[c // size * size + partner[c]] for c in cells})


@sampled(3, "seed", range(3))
def test_what_larger_shapes_say_could_be_swapped_can_be(seed: int) -> None:
    """In a full grid: whoever exchanges what a shape names has another solution."""
    geometry = Geometry(3, 3)
    grid = full_grid(Random(seed), geometry)
    puzzle = Puzzle(Grid.empty(geometry))
    met = 0
    digits = range(1, geometry.size + 1)
    for some in (*combinations(digits, 2), *combinations(digits, 3)):
        held = mask_of(some)
        digits_in = {cell: held for cell, digit in enumerate(grid.digits) if digit in some}
        shapes = (unique_loops if len(some) == 2 else extended_rectangles)(puzzle, digits_in)
        for cells, mask in islice(shapes, 200):
            assert mask == held
            other = swapped(grid, cells)
            assert other != grid
            assert not find_fault(other, puzzle)
            met += 1
    assert met > 20


def test_larger_shapes_have_no_givens() -> None:
    grid = full_grid(Random(1), Geometry(3, 3))
    for some in ((1, 2), (1, 2, 3)):
        held = mask_of(some)
        digits_in = {cell: held for cell, digit in enumerate(grid.digits) if digit in some}
        assert not [*unique_loops(Puzzle(grid), digits_in)]
        assert not [*extended_rectangles(Puzzle(grid), digits_in)]
