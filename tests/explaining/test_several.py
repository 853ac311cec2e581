"""Puzzles with several solutions, against all their solutions listed one by one."""

import random
from collections import Counter
from itertools import combinations

import pytest

import satdoku
from satdoku.encoding.variables import Placement
from satdoku.explaining import several
from satdoku.explaining.board import build_board
from satdoku.explaining.several import (
    compare_solutions,
    find_farthest,
    find_fewest_clues,
    find_nearest,
    list_solutions,
)
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

# Puzzles whose first solution is not the one that fewest givens leave, or not one of the two that
# differ most.
FEWER_FOR_ANOTHER = ["....4...3.1.....", "3.....3..21....."]


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


def differences_of(solutions: list[tuple[int, ...]]) -> list[int]:
    """In how many cells any two solutions differ."""
    return [
        sum(a != b for a, b in zip(one, other, strict=True))
        for one, other in combinations(solutions, 2)
    ]


def fewest_givens(solutions: list[tuple[int, ...]]) -> int:
    """How many digits leave only one of these solutions, by trying all of them."""
    for count in range(1, len(solutions[0])):
        for cells in combinations(range(len(solutions[0])), count):
            kept = Counter(tuple(solution[cell] for cell in cells) for solution in solutions)
            if 1 in kept.values():
                return count
    raise AssertionError("equal solutions")


@for_each("puzzle", [*map(Puzzle.from_line, FEWER_FOR_ANOTHER), *OPEN])
def test_all_solutions_are_compared_with_each_other(puzzle: Puzzle) -> None:
    solutions = all_solutions(puzzle)
    found = satdoku.explain(puzzle, "singles")
    assert found.nearest is not None
    assert found.farthest is not None
    assert found.clues is not None
    assert len(found.nearest.cells) == min(differences_of(solutions))
    assert len(found.farthest.cells) == max(differences_of(solutions))
    for other in (found.nearest, found.farthest):
        assert other.cells == other.one.differences(other.grid)
        assert not find_fault(other.one, puzzle)
        assert not find_fault(other.grid, puzzle)
    assert len(found.clues.cells) == found.clues.at_least == fewest_givens(solutions)
    added = {cell: found.clues.solution.digits[cell] for cell in found.clues.cells}
    assert check(puzzle.with_grid(puzzle.grid.with_digits(added))).solution == found.clues.solution
    told = satdoku.to_object(found)
    assert all(told[part]["proven"] for part in ("nearest", "farthest", "clues"))
    assert "of_solution" not in str(told)


@for_each("puzzle", [*map(Puzzle.from_line, FEWER_FOR_ANOTHER), *OPEN[:3]])
def test_what_is_told_of_one_solution_alone_names_it_and_is_not_called_proven_for_all(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "_MOST_LISTED", 1)
    found = satdoku.explain(puzzle, "singles")
    assert found.solution is not None
    first, solutions = found.solution, all_solutions(puzzle)
    if len(solutions) == 2:
        return  # listing them goes on to the second one
    told, text = satdoku.to_object(found), satdoku.to_text(found)
    nearest, farthest = min(distances(first, solutions)), max(distances(first, solutions))
    line = "".join(map(str, first.digits))
    assert f"Here the solution {line} is compared with the others.\n" in text
    assert f"Another one differs from it in only {nearest} cells: " in text
    assert f"Others differ from it in up to {farthest} cells.\n" in text
    for part in ("nearest", "farthest"):
        assert (told[part]["proven"], told[part]["of_solution"]) == (False, {"proven": True})
    clues = told["clues"]
    count = len(clues["add"])
    # One given cannot be fewer for another solution.
    assert clues["proven"] == (count == 1)
    assert clues["at_least"] == 1
    if count > 1:
        assert clues["of_solution"] == {"at_least": count, "proven": True}
        assert f"{count} further givens would leave only this solution (no fewer do): " in text


def test_a_limit_while_solutions_are_listed_proves_nothing_about_all() -> None:
    puzzle = HARD.with_grid(HARD.grid.with_digits(dict.fromkeys(list(HARD.givens)[:4], EMPTY)))
    board, first = build_board(puzzle), check(puzzle).solution
    assert first is not None
    for limits in (Limits(timeout=0), Limits(conflicts=1)):
        assert list_solutions(board, first, Budget(limits)) == []
        parts = compare_solutions(board, first, Budget(limits))
        assert not any(part is not None and part.is_of_all for part in parts)


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
