"""The judge for bytes passes right grids only, as the judge for grids does."""

from random import Random

import pytest

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import ByteJudge, find_fault, require_judged
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import SHAPES, full_grid, thin_out
from tests.each import for_each

shapes = for_each("geometry", [s for s in SHAPES if s.size > 1])


@shapes
def test_right_grids_pass(geometry: Geometry) -> None:
    rng = Random(1)
    solution = full_grid(rng, geometry)
    puzzle = bytes(thin_out(rng, solution, geometry.size).digits)
    digits = bytes(solution.digits)
    assert ByteJudge(geometry).require_solution(puzzle, digits) == digits


@shapes
def test_it_agrees_with_the_judge_for_grids_on_damaged_ones(geometry: Geometry) -> None:
    rng = Random(2)
    judge = ByteJudge(geometry)
    for _ in range(100):
        solution = full_grid(rng, geometry)
        puzzle = thin_out(rng, solution, rng.randrange(geometry.cell_count))
        digits = list(solution.digits)
        for _ in range(rng.randint(1, 3)):
            digits[rng.randrange(len(digits))] = rng.randint(1, geometry.size)
        expected = not find_fault(Grid(geometry, tuple(digits)), Puzzle(puzzle))
        assert judge.is_solution(bytes(puzzle.digits), bytes(digits)) == expected


def test_a_changed_given_is_wrong() -> None:
    geometry = Geometry(2, 2)
    solution = full_grid(Random(1), geometry)
    swapped = bytes({1: 2, 2: 1}.get(digit, digit) for digit in solution.digits)
    nothing = bytes(16)
    assert ByteJudge(geometry).is_solution(nothing, swapped)
    assert not ByteJudge(geometry).is_solution(bytes(solution.digits), swapped)


@for_each("grid", [b"", bytes(15), bytes(16), bytes(17), bytes([9]) * 16])
def test_what_is_no_grid_is_wrong(grid: bytes) -> None:
    judge = ByteJudge(Geometry(2, 2))
    assert not judge.is_solution(bytes(16), grid)
    with pytest.raises(WrongSolutionError, match="report"):
        judge.require_solution(bytes(16), grid)


@pytest.mark.parametrize("rules", [[], ["anti-king"]])
@pytest.mark.parametrize("geometry", [Geometry(2, 2), Geometry(3, 6)], ids=str)
def test_every_grid_is_judged_whatever_its_rules_and_size(
    geometry: Geometry, rules: list[str]
) -> None:
    solution = full_grid(Random(1), geometry)
    empty = Puzzle(Grid.empty(geometry)).with_rules(read_rule(rule, geometry) for rule in rules)
    if find_fault(solution, empty):
        # In most grids some cells that touch by a corner have the same digit.
        with pytest.raises(WrongSolutionError, match="report"):
            require_judged(solution, empty)
    else:
        assert require_judged(solution, empty) is solution
    wrong = Grid(geometry, (solution.digits[1], *solution.digits[1:]))
    with pytest.raises(WrongSolutionError, match="report"):
        require_judged(wrong, empty)
