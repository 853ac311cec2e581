"""Puzzles with several solutions, against all their solutions listed one by one."""

import random
from itertools import combinations

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining import several
from satdoku.explaining.board import build_board
from satdoku.explaining.several import find_farthest, find_fewest_clues, find_nearest
from satdoku.explaining.true_candidates import TrueCandidates, find_true_candidates
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check
from tests.boards import HARD, HARD_SOLUTION, clashing_puzzle, full_grid, stuck_puzzle, thin_out
from tests.crossing import few_or_many
from tests.each import for_each
from tests.oracle import solutions_of

SHAPES = [Geometry(2, 2), Geometry(2, 3), Geometry(3, 2)]


def open_puzzles() -> list[Puzzle]:
    """Puzzles with 2 to 60 solutions."""
    rng = random.Random(5)
    found: list[Puzzle] = []
    while len(found) < 14:
        geometry = rng.choice(SHAPES)
        share = rng.uniform(0.2, 0.5)
        grid = thin_out(rng, full_grid(rng, geometry), round(share * geometry.cell_count))
        if 2 <= len(all_solutions(Puzzle(grid), 61)) <= 60:
            found.append(Puzzle(grid))
    return found


def all_solutions(puzzle: Puzzle, most: int = 1000) -> list[tuple[int, ...]]:
    shape = puzzle.geometry
    solutions = []
    for solution in solutions_of(shape.box_rows, shape.box_columns, puzzle.grid.digits):
        solutions.append(solution)
        if len(solutions) == most:
            break
    return solutions


OPEN = open_puzzles()


def distances(first: Grid, solutions: list[tuple[int, ...]]) -> list[int]:
    """In how many cells the other solutions differ from the first."""
    counts = [sum(a != b for a, b in zip(first.digits, s, strict=True)) for s in solutions]
    return [count for count in counts if count]


@for_each("puzzle", OPEN)
def test_nearest_and_farthest_are_those_of_the_whole_list(puzzle: Puzzle) -> None:
    solutions = all_solutions(puzzle)
    first = Grid(puzzle.geometry, solutions[0])
    nearest = find_nearest(build_board(puzzle), first, Budget())
    farthest = find_farthest(build_board(puzzle), first, Budget())
    assert nearest is not None
    assert farthest is not None
    assert nearest.is_proven
    assert farthest.is_proven
    assert len(nearest.cells) == min(distances(first, solutions))
    assert len(farthest.cells) == max(distances(first, solutions))
    for other in (nearest, farthest):
        assert other.cells == first.differences(other.grid)
        assert not find_fault(other.grid, puzzle)


@for_each("puzzle", OPEN)
def test_the_fewest_clues_are_those_that_brute_force_finds(puzzle: Puzzle) -> None:
    solutions = all_solutions(puzzle)
    first = Grid(puzzle.geometry, solutions[0])
    clues = find_fewest_clues(build_board(puzzle), first, Budget())
    assert clues is not None
    assert clues.is_proven
    assert clues.at_least == len(clues.cells)

    def is_enough(cells: tuple[int, ...]) -> bool:
        kept = [s for s in solutions if all(s[cell] == first.digits[cell] for cell in cells)]
        return len(kept) == 1

    assert is_enough(clues.cells)
    empty = [cell for cell, digit in enumerate(puzzle.grid.digits) if not digit]
    assert not any(map(is_enough, combinations(empty, len(clues.cells) - 1)))


@for_each("puzzle", OPEN)
def test_true_candidates_are_those_of_all_solutions(puzzle: Puzzle) -> None:
    true = find_true_candidates(puzzle, Budget())
    wanted = {
        Placement(cell, digit)
        for solution in all_solutions(puzzle)
        for cell, digit in enumerate(solution)
    }
    assert set(true.witness) == wanted
    assert true.is_complete
    for (cell, digit), number in true.witness.items():
        assert true.solutions[number].digits[cell] == digit
    for grid in true.solutions:
        assert not find_fault(grid, puzzle)


@for_each("patience", [1, 3, 20])
@for_each("puzzle", OPEN)
def test_the_second_solver_goes_on_with_what_is_known(puzzle: Puzzle, patience: int) -> None:
    wanted = find_true_candidates(puzzle, Budget())
    true = find_true_candidates(puzzle, Budget(), patience=patience)
    assert set(true.witness) == set(wanted.witness)
    assert true.is_complete
    assert len(set(true.solutions)) == len(true.solutions)


@pytest.mark.parametrize("make", [clashing_puzzle, stuck_puzzle])
def test_a_puzzle_without_solution_has_no_true_candidates(make: object) -> None:
    assert callable(make)
    true = find_true_candidates(make(Geometry(3, 3)), Budget())
    assert (true.solutions, true.witness, true.is_complete) == ((), {}, True)


def test_those_of_an_only_solution_are_those_that_a_solver_finds() -> None:
    assert TrueCandidates.of_only(HARD, HARD_SOLUTION) == find_true_candidates(HARD, Budget())


def test_a_limit_leaves_what_is_known_by_then() -> None:
    puzzle = HARD.with_grid(HARD.grid.with_digits(dict.fromkeys(list(HARD.givens)[:4], EMPTY)))
    assert not find_true_candidates(puzzle, Budget(Limits(conflicts=2))).is_complete
    first = find_true_candidates(puzzle, Budget()).solutions[0]
    board = build_board(puzzle)
    for conflicts in (5, 50, 200):
        clues = find_fewest_clues(board, first, Budget(Limits(conflicts=conflicts)))
        assert clues is None or clues.is_proven or clues.at_least <= len(clues.cells)
    assert find_nearest(board, first, Budget(Limits(timeout=0))) is None


@few_or_many("most", 5_000, several._MOST_CONFLICTS_FOR_CLUES)
def test_the_search_for_the_fewest_clues_ends_without_a_limit(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "_MOST_CONFLICTS_FOR_CLUES", most)
    puzzle = Puzzle.from_line("." * 81, rules=["killer:10=r1c1-3"])
    board, budget = build_board(puzzle), Budget()
    outcome = check(puzzle)
    assert outcome.solution is not None
    clues = find_fewest_clues(board, outcome.solution, budget)
    assert clues is not None
    assert not clues.is_proven
    assert clues.at_least < len(clues.cells)
    digits = {cell: outcome.solution.digits[cell] for cell in clues.cells}
    assert check(puzzle.with_grid(puzzle.grid.with_digits(digits))).verdict is Verdict.UNIQUE
