from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_clashes, find_fault, require_solution
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES, USUAL_SHAPES, full_grid, random_puzzle, thin_out
from tests.each import for_each
from tests.oracle import solutions_of

shapes = for_each("geometry", SHAPES)
usual_shapes = for_each("geometry", USUAL_SHAPES)


@shapes
def test_a_full_grid_made_from_a_pattern_solves_what_is_left_of_it(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for _ in range(10):
        solution = full_grid(rng, geometry)
        puzzle = Puzzle(thin_out(rng, solution, rng.randrange(geometry.cell_count)))
        assert require_solution(solution, puzzle) is solution


@usual_shapes
def test_every_single_digit_that_is_changed_is_caught(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    solution = full_grid(rng, geometry)
    bare = Puzzle(Grid.empty(geometry))
    for cell, digit in enumerate(solution.digits):
        for other in range(geometry.size + 1):
            if other != digit:
                assert find_fault(solution.with_digits({cell: other}), bare)


@usual_shapes
def test_two_cells_that_swap_their_digits_are_caught(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    bare = Puzzle(Grid.empty(geometry))
    for _ in range(100):
        solution = full_grid(rng, geometry)
        first, second = rng.sample(range(geometry.cell_count), 2)
        one, other = solution.digits[first], solution.digits[second]
        swapped = solution.with_digits({first: other, second: one})
        assert (not find_fault(swapped, bare)) == (one == other)


@usual_shapes
def test_a_solution_of_other_givens_is_caught(geometry: Geometry) -> None:
    """A right grid with two digits swapped all over still obeys the rules, not the givens."""
    rng = Random(str(geometry))
    solution = full_grid(rng, geometry)
    puzzle = Puzzle(thin_out(rng, solution, geometry.cell_count // 2))
    change = {1: 2, 2: 1}
    relabelled = Grid(geometry, tuple(change.get(digit, digit) for digit in solution.digits))
    assert not find_fault(relabelled, Puzzle(Grid.empty(geometry)))
    with pytest.raises(WrongSolutionError, match=r"this is a bug.*, but the puzzle gives [12]"):
        require_solution(relabelled, puzzle)


def test_a_grid_of_another_shape_is_caught() -> None:
    solution = full_grid(Random(1), Geometry(2, 3))
    assert find_fault(solution, Puzzle(Grid.empty(Geometry(3, 2)))) == "its boxes are 2x3, not 3x2"


def test_faults_are_told_in_words() -> None:
    solution = Grid(Geometry(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    bare = Puzzle(Grid.empty(Geometry(2, 2)))
    assert find_fault(solution, bare) == ""
    assert find_fault(solution.with_digits({5: EMPTY}), bare) == "r2c2 is empty"
    assert find_fault(solution.with_digits({5: 3}), bare) == "r2c1 and r2c2 are both 3, in row 2"
    given_four = Puzzle(Grid.empty(Geometry(2, 2)).with_digits({0: 4}))
    assert find_fault(solution, given_four) == "r1c1 is 1, but the puzzle gives 4"
    lost = find_fault(solution.with_digits({0: EMPTY}), given_four)
    assert lost == "r1c1 is empty, but the puzzle gives 4"


def test_a_clash_is_named_by_cells_digit_and_unit() -> None:
    grid = Grid.empty(Geometry()).with_digits({0: 5, 4: 5})
    assert [str(clash) for clash in find_clashes(Puzzle(grid))] == [
        "r1c1 and r1c5 are both 5, in row 1"
    ]


def test_a_pair_in_a_row_and_a_box_is_one_clash() -> None:
    grid = Grid.empty(Geometry()).with_digits({0: 5, 1: 5})
    assert [str(clash.unit) for clash in find_clashes(Puzzle(grid))] == ["row 1"]


@shapes
def test_there_is_a_clash_exactly_when_two_peers_are_equal(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for _ in range(30):
        grid = random_puzzle(rng, geometry).grid
        clashing = {
            cell
            for cell, digit in grid.givens.items()
            if any(grid.digits[peer] == digit for peer in geometry.peers_of(cell))
        }
        clashes = list(find_clashes(Puzzle(grid)))
        assert {cell for clash in clashes for cell in clash.cells} == clashing
        for clash in clashes:
            assert clash.unit is not None
            assert set(clash.cells) <= set(clash.unit.cells)
            assert tuple(grid.digits[cell] for cell in clash.cells) == clash.digits
            assert len(set(clash.digits)) == 1
        pairs = [clash.cells for clash in clashes]
        assert len(set(pairs)) == len(pairs)


@given(st.lists(st.integers(0, 4), min_size=16, max_size=16), st.randoms(use_true_random=False))
def test_judge_and_oracle_agree_on_any_digits(digits: list[int], rng: Random) -> None:
    """Shuffled boards are nearly always wrong, so half the time the boards start out right."""
    geometry = Geometry(2, 2)
    if rng.random() < 0.5:
        right = full_grid(rng, geometry).digits
        digits = [
            digit if rng.random() < 0.1 else r for digit, r in zip(digits, right, strict=True)
        ]
    is_right = 0 not in digits and list(solutions_of(2, 2, digits)) == [tuple(digits)]
    assert (not find_fault(Grid(geometry, tuple(digits)), Puzzle(Grid.empty(geometry)))) == is_right
